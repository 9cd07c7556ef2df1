import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine.results import detect
from engine.results.refusals import ResultError
from tests.fixtures import mutation

CORPUS = (
    Path(os.environ.get("EVIDENCE_CORPUS", Path(__file__).parents[3] / "shared/corpus")) / "raw"
)


def report(successes=10, failures=0):
    """Return a report of the shape of summary_lifecycle_metrics.json, in seconds."""
    times = {"mean": 3.1, "median": 3.0, "p99": 4.5, "max": 4.6}
    latency = {"request_latency": times, "time_to_first_token": None}
    return {
        "load_summary": {"count": successes + failures, "schedule_delay": times},
        "successes": {
            "count": successes,
            "latency": latency,
            "throughput": {"requests_per_sec": 1.0},
        },
        "failures": {"count": failures, "request_latency": None},
    }


def refused(value):
    with pytest.raises(ResultError) as caught:
        detect.read(json.dumps(value).encode())
    return caught.value


def test_a_report_is_refused_as_aggregates_only():
    error = refused(report())
    assert error.name == "aggregates-only"
    assert "inference-perf" in str(error)


def test_a_report_of_prometheus_is_refused_likewise():
    assert refused({"load_summary": {}, "successes": {"count": 5}, "failures": {}}).name == (
        "aggregates-only"
    )


def test_a_report_in_which_all_failed_says_so():
    assert refused(report(successes=0, failures=7)).name == "all-requests-failed"


@given(mutation.mutants(report()))
@settings(max_examples=100, deadline=None)
def test_damaged_reports_are_refused_and_nothing_else(data):
    with pytest.raises(ResultError):
        detect.read(data)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: files were not read")
def test_a_genuine_report_is_refused_as_aggregates_only():
    path = CORPUS / "inference-perf" / "vllm_summary_lifecycle_metrics.json"
    with pytest.raises(ResultError) as caught:
        detect.read(path.read_bytes())
    assert caught.value.name == "aggregates-only"
