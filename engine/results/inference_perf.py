"""kubernetes-sigs `inference-perf` reports: averages of a stage or of a whole run, in seconds.

    {"load_summary": {"count": 38717, …}, "successes": {"count": 38717, "latency":
     {"request_latency": {"mean": 3.1, "p0.1": 0.48, …}, …}, …}, "failures": {"count": 0, …}}

The same shape holds what the clients saw (`…_lifecycle_metrics.json`) and what Prometheus saw
(`…_prometheus_metrics.json`). Neither has rows, so every figure in them would be believed unseen.
Without streaming, times to a first token and between tokens are null, which is missing and not 0.
Source of the format: inference_perf/reportgen, 0.1 to 0.4.
"""

from typing import NoReturn

from engine.results.content import Content
from engine.results.model import Run
from engine.results.reconciliation import Line
from engine.results.refusals import ResultError

NAME = "inference-perf"


def recognises(content: Content) -> bool:
    """Say whether the first object is a report."""
    return content.has("load_summary", "successes", "failures")


def read(content: Content) -> NoReturn:
    """Refuse the report: for it has averages, or not even these."""
    successes, failures = content.first["successes"], content.first["failures"]
    failed = failures.get("count") if isinstance(failures, dict) else None
    if isinstance(successes, dict) and successes.get("count") == 0 and failed:
        raise ResultError("all-requests-failed", f"none of {failed} requests succeeded")
    detail = "a report has averages in seconds and no rows; per_request reports would have them"
    raise ResultError("aggregates-only", detail)


def check(run: Run) -> tuple[Line, ...]:
    """Return nothing: no report gives a run."""
    del run
    return ()
