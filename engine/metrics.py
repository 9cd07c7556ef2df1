"""The vocabulary of measured quantities: what an id means, its unit, and which side wins.

    decode_tok_s   tok/s   higher   output tokens per second while decoding

A rate and the time it comes from are two metrics, because a ratio of medians of rates and a ratio
of medians of times are two statistics. Readers of raw files may only use ids from this registry.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from receipts.errors import NotFoundError

Polarity = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A measured quantity; `polarity` says which values are better."""

    id: str
    unit: str
    polarity: Polarity
    meaning: str


_ALL = (
    Metric("decode_tok_s", "tok/s", "higher", "output tokens per second while decoding"),
    Metric("prefill_tok_s", "tok/s", "higher", "prompt tokens per second while prefilling"),
    Metric(
        "combined_tok_s", "tok/s", "higher", "prompt and output tokens per second, timed as one"
    ),
    Metric("decode_ms", "ms", "lower", "the whole decoding of a repetition"),
    Metric("prefill_ms", "ms", "lower", "the whole prefill of a repetition"),
    Metric("combined_ms", "ms", "lower", "prefill and decoding of a repetition, timed as one"),
    Metric("ttft_ms", "ms", "lower", "from the start of the prefill to the first token"),
    Metric("itl_ms", "ms", "lower", "between one piece of output and the next, over all requests"),
    Metric("tpot_ms", "ms", "lower", "per output token after the first, of each request"),
    Metric(
        "aiperf_itl_ms", "ms", "lower", "per output token after the first piece, of each request"
    ),
    Metric(
        "user_tok_s", "tok/s", "higher", "output tokens of one request per second after its first"
    ),
    Metric("e2e_ms", "ms", "lower", "from sending a request to its last token"),
    Metric("batch_ms", "ms", "lower", "one iteration of a whole batch"),
    Metric("requests_per_s", "req/s", "higher", "completed requests over the run's duration"),
    Metric("output_tok_s", "tok/s", "higher", "output tokens over the run's duration"),
    Metric("total_tok_s", "tok/s", "higher", "prompt and output tokens over the run's duration"),
    Metric("token_ms", "ms", "lower", "mean time per output token of a repetition"),
    Metric(
        "guidellm_tpot_ms", "ms", "lower", "from sending to the last token, over all output tokens"
    ),
    Metric(
        "guidellm_old_tpot_ms", "ms", "lower", "from first to last token, over all output tokens"
    ),
    Metric(
        "guidellm_itl_ms",
        "ms",
        "lower",
        "from first to last token, over the tokens after the first",
    ),
    Metric("accuracy", "1", "higher", "right answers: of one document 0, 1 or the share between"),
    Metric("task_score", "1", "higher", "a task's own score of one document"),
    Metric("task_loss", "1", "lower", "a task's own score of one document, where less is better"),
    Metric(
        "summed_tok_s", "tok/s", "higher", "prompt and output tokens over both phases, timed apart"
    ),
    Metric(
        "server_decode_tok_s", "tok/s", "higher", "all output tokens over the time after the first"
    ),
    Metric(
        "server_token_ms", "ms", "lower", "the time after the first token over all output tokens"
    ),
    Metric(
        "server_prefill_ms", "ms", "lower", "the prefill of a request, by the server's own clock"
    ),
    Metric(
        "server_prefill_tok_s", "tok/s", "higher", "prompt tokens over the server's own prefill"
    ),
    Metric(
        "client_decode_tok_s",
        "tok/s",
        "higher",
        "tokens after the first piece over the time between first and last, by the client's clock",
    ),
    Metric(
        "client_token_ms",
        "ms",
        "lower",
        "from first to last piece per token after the first piece, by the client's clock",
    ),
    Metric("wall_ms", "ms", "lower", "from sending a request to the end of its response"),
    Metric("kernel_us", "µs", "lower", "one launch of a kernel"),
    Metric("tflop_s", "TFLOP/s", "higher", "floating-point operations over the time they took"),
    Metric("gb_s", "GB/s", "higher", "bytes moved over the time that it took"),
    Metric(
        "link_busy_gbps",
        "Gbit/s",
        "higher",
        "bits over the time in which the kernel had any to send",
    ),
    Metric("link_wall_gbps", "Gbit/s", "higher", "bits from the first send until all had arrived"),
    Metric("link_send_gbps", "Gbit/s", "higher", "bits over the time spent in calls that send"),
    Metric(
        "link_receive_gbps", "Gbit/s", "higher", "bits from being ready to receive to the last one"
    ),
    Metric("durable_ms", "ms", "lower", "from creating a file until file and name are durable"),
    Metric("fsync_ms", "ms", "lower", "one sync of a small file"),
    Metric("dirsync_ms", "ms", "lower", "one sync of the folder after a rename"),
    Metric("peak_mib", "MiB", "lower", "most memory held at one moment"),
    Metric("joules", "J", "lower", "energy of a repetition"),
    Metric("iteration_ns", "ns", "lower", "one iteration of a benchmark, by the clock on the wall"),
    Metric("iteration_cpu_ns", "ns", "lower", "processor time of one iteration of a benchmark"),
    Metric("items_per_s", "1/s", "higher", "items that a benchmark counts over the time it took"),
    Metric("allocated_bytes", "B", "lower", "bytes of the heap taken by one iteration"),
    Metric("allocations", "1", "lower", "pieces of the heap taken by one iteration"),
    Metric("measured_bytes", "B", "lower", "what a benchmark measures, where that is bytes"),
    Metric("measured_count", "1", "lower", "what a benchmark measures, where that is a count"),
)

METRICS: Mapping[str, Metric] = MappingProxyType({metric.id: metric for metric in _ALL})

SCORES = frozenset({"accuracy", "task_score", "task_loss"})
"""Scores of single documents: mostly 0 or 1, so that a median says nothing and their mean does."""
SHARES = frozenset({"accuracy"})
"""Metrics of which no value is above 1."""


def metric(name: str) -> Metric:
    """Return the metric with the id `name`; raises `NotFoundError` that lists the known ids."""
    try:
        return METRICS[name]
    except KeyError:
        known = ", ".join(METRICS)
        raise NotFoundError(f"no metric is called {name!r}; known metrics: {known}") from None
