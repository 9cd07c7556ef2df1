"""The requests of one GuideLLM benchmark: which rows were kept, which counted, and what they hold.

    "requests": {"successful": [{"request_latency": 2.33, "time_to_first_token_ms": 1014.3,
                                 "time_per_output_token_ms": 10.29, "inter_token_latency_ms": 10.37,
                                 "prompt_tokens": 124, "output_tokens": 128, …}, …],
                 "errored": [], "incomplete": [{…, "time_to_first_token_ms": null, …}]}

Three generations compute three different things under the same names; `Generation` has the rules:
up to 0.3 a time per token is averaged by tokens, in 0.4 by requests, and rates there are those of
single requests; from 0.5 on by tokens again, and equal values are one.
From 0.5 on the rows include the warm-up and cool-down, and only rows that overlap the measured
window (`start_time` to `end_time` of the benchmark) are averaged. From 0.8 on a time to the first
token is averaged where the wait for that token overlaps it, which leaves out requests that got
none, and a gap between tokens where the time after the first token does. In all of them the rows
may be a random sample: a figure is recomputed only where the rows are as many as the file says it
averaged. A time that was not measured is null in a row, and 0.0 in an average.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from engine.results.distributions import summarised
from engine.results.model import Table, brief
from engine.results.printed import is_count, is_number, mapping, require_numbers
from engine.results.refusals import ResultError

STATUSES = {"successful": "ok", "incomplete": "incomplete", "errored": "failed"}
"""GuideLLM's name of each outcome → ours, in the order in which the tool joins their rows."""

LATENCY, TTFT = "request_latency", "time_to_first_token_ms"
TPOT, ITL = "time_per_output_token_ms", "inter_token_latency_ms"
_COUNTED = ("prompt_tokens", "output_tokens", "total_tokens")
_FIELDS = (LATENCY, TTFT, TPOT, ITL, *_COUNTED)
_FIRST_OUTPUT = "time_to_first_output_token_ms"
_RATES = ("tokens_per_second", "output_tokens_per_second", _FIRST_OUTPUT)


class Quantity(NamedTuple):
    """Where an average's values are in a row, what weighs them, and which rows have one.

    `weight` is ``tokens`` (of output), ``gaps`` (tokens - 1) or "" for 1 each; rows with fewer
    than `least` output tokens are left out. `opens` and `closes` name the events between which a
    request must overlap the window, where these are not its start and end.
    """

    field: str
    weight: str = ""
    least: int = 0
    opens: str = ""
    closes: str = ""


class Generation(NamedTuple):
    """What a span of versions averages, how, and which metric its time per token is."""

    tool: str
    merged: bool
    windowed: bool
    tpot: str
    quantities: Mapping[str, Quantity]


_COUNTS = {
    "prompt_token_count": Quantity("prompt_tokens"),
    "output_token_count": Quantity("output_tokens"),
    "total_token_count": Quantity("total_tokens"),
}
OLD = Generation(
    "guidellm-0.3",
    merged=False,
    windowed=False,
    tpot="guidellm_old_tpot_ms",
    quantities={
        LATENCY: Quantity(LATENCY),
        "prompt_token_count": Quantity("prompt_tokens"),
        "output_token_count": Quantity("output_tokens", least=1),
        TTFT: Quantity(TTFT, least=1),
        TPOT: Quantity(TPOT, "tokens", least=1),
        ITL: Quantity(ITL, "gaps", least=2),
    },
)
MIDDLE = Generation(
    "guidellm-0.4",
    merged=False,
    windowed=False,
    tpot="guidellm_tpot_ms",
    quantities={name: Quantity(name) for name in (LATENCY, TTFT, TPOT, ITL, *_RATES)} | _COUNTS,
)
NEW = Generation(
    "guidellm-0.5",
    merged=True,
    windowed=True,
    tpot="guidellm_tpot_ms",
    quantities={
        **{name: Quantity(name) for name in (LATENCY, TTFT, _FIRST_OUTPUT)},
        **_COUNTS,
        TPOT: Quantity(TPOT, "tokens"),
        ITL: Quantity(ITL, "gaps"),
    },
)
LATEST = NEW._replace(
    tool="guidellm-0.8",
    quantities={
        **NEW.quantities,
        TTFT: Quantity(TTFT, closes="first_token_iteration"),
        _FIRST_OUTPUT: Quantity(_FIRST_OUTPUT, closes="first_output_token_iteration"),
        ITL: Quantity(ITL, "gaps", opens="first_token_iteration"),
    },
)
UNKNOWN = Generation("guidellm-dev", merged=False, windowed=False, tpot="", quantities={})
"""Builds between 0.3 and 0.4, which kept `scheduler_info` in rows of the new form."""


def generation(record: Mapping[str, Any]) -> Generation:
    """Return the rules by which `record` was computed, told by keys that came with them."""
    if "request_loader" in record or "worker" in record:
        return OLD
    rows = mapping(record.get("requests")).get("successful")
    if isinstance(rows, list) and rows and "scheduler_info" in mapping(rows[0]):
        return UNKNOWN
    metrics = mapping(record.get("metrics"))
    summary = mapping(mapping(metrics.get(LATENCY)).get("successful"))
    if "slo_attainment" in metrics or "request_dispatch_delay" in metrics:
        return LATEST
    early = "benchmarker" in record and "pdf" not in summary
    return MIDDLE if early or "cumulative_distribution_function" in summary else NEW


class Requests:
    """The rows of one benchmark under the rules of its generation."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.generation = generation(record)
        kept = mapping(record.get("requests"))
        self._kept = {status: _rows(status, kept.get(status)) for status in STATUSES}
        self._inside = {status: self._window(rows) for status, rows in self._kept.items()}
        for status, rows in self._kept.items():
            _require(status, rows)

    def rows(self, status: str) -> list[dict[str, Any]]:
        """Return the rows that count; ``total`` is all of them."""
        if status == "total":
            return [row for rows in self._inside.values() for row in rows]
        return self._inside[status]

    @cached_property
    def kept(self) -> int:
        """How many rows are in the file."""
        return sum(map(len, self._kept.values()))

    @cached_property
    def outside(self) -> int:
        """How many rows are in the file and outside the measured window."""
        return self.kept - len(self.rows("total"))

    def claimed(self, status: str) -> int | None:
        """Return how many requests the file says had this outcome, None where it does not say."""
        metrics = mapping(self.record.get("metrics"))
        latency = mapping(mapping(metrics.get(LATENCY)).get(status))
        places = (
            mapping(metrics.get("request_totals")).get(status),
            mapping(self.record.get("request_totals")).get(status),
            latency.get("count"),
        )
        return next((count for count in places if is_count(count)), None)

    def complete(self, status: str) -> bool:
        """Say whether every request of this outcome has a row."""
        if status == "total":
            return all(map(self.complete, STATUSES))
        return self.claimed(status) in (len(self.rows(status)), None)

    def values(self, field: str) -> list[float]:
        """Return a field of the successful rows that have it; a time of 0 was never measured."""
        quantity = self.generation.quantities.get(field, Quantity(field))
        found = [row.get(field) for row in self._of(quantity, "successful")]
        return [value for value in found if value is not None and value > 0]

    def summary(self, name: str, status: str) -> dict[str, float | int]:
        """Return every statistic of an average; {} where no row has a value for it."""
        quantity = self.generation.quantities[name]
        rows = self._of(quantity, status)
        if quantity.least:
            rows = [row for row in rows if (row.get("output_tokens") or 0) >= quantity.least]
        found = [row.get(quantity.field) for row in rows]
        if not any(found):
            return {}
        weights = [_weight(quantity.weight, row) for row in rows]
        return summarised([value or 0.0 for value in found], weights, merged=self.generation.merged)

    def table(self) -> Table:
        """Return one row a request, with its status."""
        pairs = list(self._by_status())
        rows = [row for _, row in pairs]
        columns = {name: [row.get(name) for row in rows] for name in ("request_id", *_FIELDS)}
        return Table({"status": [status for status, _ in pairs], **columns}, len(pairs))

    def _by_status(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for status, rows in self._kept.items():
            inside = {id(row) for row in self._inside[status]}
            yield from ((STATUSES[status] if id(row) in inside else "warm-up", row) for row in rows)

    def _of(self, quantity: Quantity, status: str) -> list[dict[str, Any]]:
        """Return the rows of an outcome that have a quantity inside the measured window."""
        if not (quantity.opens or quantity.closes):
            return self.rows(status)
        kept = STATUSES if status == "total" else (status,)
        rows = [_between(row, quantity) for one in kept for row in self._kept[one]]
        return self._window([row for row in rows if is_number(row["request_end_time"])])

    def _window(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        start, end = self.record.get("start_time"), self.record.get("end_time")
        if not (self.generation.windowed and is_number(start) and is_number(end)):
            return rows
        return [row for row in rows if _overlaps(row, start, end)]


def _rows(status: str, rows: object) -> list[dict[str, Any]]:
    if rows is None or (hasattr(rows, "__len__") and not len(rows)):
        return []
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ResultError("malformed", f"requests.{status} is {brief(rows)}, not a list of objects")
    return rows


def _require(status: str, rows: list[dict[str, Any]]) -> None:
    """Raise `ResultError` unless every field that is read holds a number that it can hold."""
    for name in (*_FIELDS, *_RATES):
        values = [row.get(name) for row in rows]
        require_numbers(f"{name} of {status} requests", values)
        lowest = min((value for value in values if value is not None), default=0)
        if lowest < 0:
            raise ResultError("not-a-number", f"{name} of {status} requests is {brief(lowest)}")


def _weight(kind: str, row: Mapping[str, Any]) -> float:
    if not kind:
        return 1.0
    tokens = row.get("output_tokens")
    return float(tokens or 0) if kind == "tokens" else float(max((tokens or 1) - 1, 0))


def _between(row: Mapping[str, Any], quantity: Quantity) -> dict[str, Any]:
    """Return the row as if it began and ended with the events of the quantity."""
    times = mapping(mapping(row.get("info")).get("timings"))
    began, ended = row.get("request_start_time"), row.get("request_end_time")
    return {
        **row,
        "request_start_time": times.get(quantity.opens) if quantity.opens else began,
        "request_end_time": times.get(quantity.closes) if quantity.closes else ended,
    }


def _overlaps(row: Mapping[str, Any], start: float, end: float) -> bool:
    """Say whether a request ended after the window opened and began before it closed."""
    ended = row.get("request_end_time")
    began = row.get("request_start_time")
    if not is_number(ended):
        return True
    return ended >= start and (began if is_number(began) else ended) <= end
