"""The summary of an AIPerf run against its records: every statistic, by the tool's own arithmetic.

    "time_to_first_token": {"unit": "ms", "avg": 30.8, "p1": 28.8, …, "min": 28.6, "std": 1.37}
    "request_throughput": {"unit": "requests/sec", "avg": 0.25}

Per request: mean, linear percentiles, deviation with ddof 0, over the counted records. Times are
summarised in nanoseconds and then multiplied by 1e-06 (ms) or 1e-09 (s). Of the run as a whole:

    benchmark_duration = max(start + latency) - min(start)    request_throughput = n / duration
    output_token_throughput = sum(output_sequence_length) / duration

From 0.12 on rates are over the whole phase instead, from before the first request is made to after
the last is done. Of it only `start_time` and `end_time` are written, rounded to microseconds: such
a rate is never recomputed, and one that fits neither differs.

Releases differ in the last bits: earlier ones use `np.percentile` and exact integers, later ones
interpolate sorted doubles, subtract times since 1970 as doubles (steps of 256 ns), and some sketch
lists with a t-digest, whose percentiles are Hazen's for few values and approximate for many. Each
order of operations is tried, and a number that one of them gives is exact. `adj_…` metrics count a
failed request as infinitely slow.
Source: aiperf/metrics, 0.1 to 0.13.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from engine.results import numeric
from engine.results.aiperf_arithmetic import Series, percent_of
from engine.results.aiperf_records import INPUT, OLD_NAMES, OUTPUT, PER_SECOND, Records
from engine.results.model import brief
from engine.results.reconciliation import Line, compared, counted, define, unavailable
from engine.results.requests import is_number

TOOL = "aiperf"
_APART = ("input_config", "run_info", "metadata", "error_summary", "branch_stats")
_NOT_STATISTICS = ("unit", "tag", "header", "console_group")
_ROUNDED_S = 2e-6
"""How far the difference of two times may be off that are rounded to microseconds."""
_SKETCH = 0.02
"""How far a t-digest may be from the percentile that it estimates."""
_CONVENTIONS = {"avg": "pairwise", "std": "ddof0", "min": "exact", "max": "exact", "sum": "exact"}
_SUMS = {
    "total_isl": INPUT,
    "total_osl": OUTPUT,
    "total_output_tokens": "output_token_count",
    "total_reasoning_tokens": "reasoning_token_count",
    "total_spec_decode_steps": "spec_decode_steps",
    "total_accepted_draft_tokens": "spec_decode_accepted_draft_tokens",
    "total_draft_tokens": "spec_decode_draft_tokens",
    "good_request_count": "good_request_count",
}
_TOKEN_RATES = {
    "output_token_throughput": (OUTPUT,),
    "input_token_throughput": (INPUT,),
    "total_token_throughput": (INPUT, OUTPUT),
    "goodput": ("good_request_count",),
}
_RATE_ABOUT = {
    "request_throughput": "requests_per_s",
    "output_token_throughput": "output_tok_s",
    "total_token_throughput": "total_tok_s",
}
_ONCE = (
    *("request_count", "error_request_count", "completed_request_count"),
    *("min_request_timestamp", "max_response_timestamp"),
)
"""What early releases wrote into each record, though it is of the run as a whole."""
_NOT_IN_ROWS = "the records do not keep what it is made from"


class Aggregate(NamedTuple):
    """One printed number: the metric's path in the file, and which statistic of it."""

    metric: str
    name: str
    statistic: str
    value: Any
    unit: str


def claimed(summary: Mapping[str, Any], name: str) -> int:
    """Return how many requests a counter of the summary claims, 0 where it has none."""
    found = _metrics(summary).get(name)
    value = found.get("avg") if isinstance(found, dict) else None
    return int(value) if is_number(value) else 0


def aggregates(summary: Mapping[str, Any]) -> Iterator[Aggregate]:
    """Yield everything that the summary prints, nested metrics under dotted names."""
    for name, found in _metrics(summary).items():
        if name not in _APART and isinstance(found, dict):
            yield from _inside(name, found)


def without_rows(summary: Mapping[str, Any], why: str) -> Iterator[Line]:
    """Yield every aggregate as one that cannot be recomputed."""
    for one in aggregates(summary):
        yield _unknown(one, why)


def lines(summary: Mapping[str, Any], records: Records) -> Iterator[Line]:
    """Yield every aggregate of the summary against the same from the records."""
    kept, count = len(records.ok), claimed(summary, "request_count")
    taken: dict[str, list[Series]] = {}
    for one in aggregates(summary):
        if one.name == "request_count" or kept >= count:
            yield _over_phase(_line(one, records, taken), one, records, summary)
        else:
            yield _unknown(one, f"{kept} of {count} records are in the file")


def _metrics(summary: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the summary's members, those of the `records` of 2025 among them."""
    inside = summary.get("records")
    return {**summary, "records": None, **inside} if isinstance(inside, dict) else summary


def _inside(path: str, found: Mapping[str, Any]) -> Iterator[Aggregate]:
    unit = found.get("unit")
    if not isinstance(unit, str):
        for name, inner in found.items():
            if isinstance(inner, dict):
                yield from _inside(f"{path}.{name}", inner)
        return
    values = {n: v for n, v in found.items() if n not in _NOT_STATISTICS and v is not None}
    for statistic, value in values.items():
        dotted = f"{path}.{statistic}"
        metric = path if values.keys() <= {"avg", "count"} and statistic == "avg" else dotted
        shown = value if is_number(value) else brief(value)
        yield Aggregate(metric, OLD_NAMES.get(path, path), statistic, shown, unit)


def _unknown(one: Aggregate, why: str, guess: float | None = None) -> Line:
    definition = define(TOOL, one.name, one.statistic, "unknown", "none", one.unit)
    return unavailable(one.metric, one.value, definition, why, guess)


def _line(one: Aggregate, records: Records, taken: dict[str, list[Series]]) -> Line:
    if one.statistic == "avg" and (line := _of_the_run(one, records)):
        return line
    if one.name in records.units and one.name not in _ONCE:
        return _summarised(one, records, taken)
    if one.name.startswith("adj_") and one.name.removeprefix("adj_") in records.units:
        return _adjusted(one, records)
    warm = one.name.startswith("warmup_metrics.")
    return _unknown(one, "made from warm-up records" if warm else _NOT_IN_ROWS)


def _summarised(one: Aggregate, records: Records, taken: dict[str, list[Series]]) -> Line:
    """Compare a statistic of what each request gave."""
    convention = _CONVENTIONS.get(one.statistic, "linear")
    definition = define(TOOL, one.name, one.statistic, convention, "ok,profiling", one.unit)
    values, unit = records.values(one.name), records.units[one.name]
    if one.statistic == "count":
        return counted(one.metric, one.value, len(values), definition)
    if unit != one.unit:
        return _unknown(one, f"the records are in {unit or 'no unit'}")
    if one.name not in taken:
        taken[one.name] = _series(one.name, records)
    numbers = (number for series in taken[one.name] for number in series.statistics(one.statistic))
    about = records.about.get(one.name, "")
    line = _nearest(one, numbers, definition, about)
    sketched = one.statistic[0] == "p" and len(values) > len(records.ok)
    return _sketched(line, one, taken[one.name]) if line.verdict == "differs" and sketched else line


def _sketched(line: Line, one: Aggregate, series: Iterable[Series]) -> Line:
    """Return the line of a percentile of lists, which 0.10 and 0.11 take from a t-digest.

    It keeps a few hundred values one by one, and is their percentile by Hazen's method.
    """
    definition = line.definition.replace("/linear/", "/hazen/")
    numbers = (number for values in series for number in values.hazen(one.statistic))
    sketch = _nearest(one, numbers, definition, line.about)
    if sketch.verdict != "differs":
        return sketch
    near = min(line.relative or 1, sketch.relative or 1) < _SKETCH
    return _unknown(one, "as near as a t-digest comes") if near else line


def _series(name: str, records: Records) -> list[Series]:
    """Return the values as the tool had them, in ns, and as they are printed."""
    printed = Series(records.values(name))
    if records.units[name] not in PER_SECOND:
        return [printed]
    factor = PER_SECOND[records.units[name]] / 10**9
    return [Series(records.nanoseconds(name), factor), printed]


def _nearest(one: Aggregate, numbers: Iterable[float], definition: str, about: str = "") -> Line:
    """Compare with the number that is equal, else with the first; none: not recomputable."""
    first: float | None = None
    for number in numbers:
        if number == one.value:
            return compared(one.metric, one.value, number, definition, about)
        first = number if first is None else first
    return compared(one.metric, one.value, first, definition, about)


def _adjusted(one: Aggregate, records: Records) -> Line:
    """Compare a statistic in which every failed request is infinitely slow."""
    name = one.name.removeprefix("adj_")
    definition = define(TOOL, one.name, one.statistic, "nearest", "profiling,failed=inf", one.unit)
    whole = sorted([*records.values(name), *[math.inf] * records.failed])
    percent = percent_of(one.statistic)
    if one.statistic == "count":
        return counted(one.metric, one.value, len(whole), definition)
    if one.statistic == "min" and one.unit == records.units[name] and whole:
        return compared(one.metric, one.value, whole[0], definition)
    if percent is None or one.unit != records.units[name] or not whole:
        return _unknown(one, "infinite where requests failed")
    number = numeric.percentile(numeric.doubles(whole), percent, "nearest")
    return compared(one.metric, one.value, number, definition)


def _of_the_run(one: Aggregate, records: Records) -> Line | None:
    """Return the line of a count, total, time or rate of the whole run; None for another metric."""
    if one.name in _COUNTS:
        definition = define(TOOL, one.name, "count", "exact", "profiling", one.unit)
        return counted(one.metric, _integer(one.value), _COUNTS[one.name](records), definition)
    if one.name in _SUMS or one.name.startswith("total_usage_"):
        values = records.values(_SUMS.get(one.name, one.name.removeprefix("total_")))
        definition = define(TOOL, one.name, "sum", "exact", "ok,profiling", one.unit)
        return _nearest(one, [math.fsum(values)], definition) if values else None
    if one.name == "request_error_rate":
        definition = define(TOOL, one.name, "share", "exact", "profiling", one.unit)
        total = len(records.ok) + records.failed
        return _nearest(one, [100.0 * records.failed / total] if total else [], definition)
    return _of_the_window(one, records)


def _of_the_window(one: Aggregate, records: Records) -> Line | None:
    """Return the line of what follows from the first start and the last end."""
    if records.window is None:
        return None
    start, end = records.window
    # Exact, and as the difference of two doubles since 1970.
    spent = (end - start, float(end) - float(start))
    if one.name in ("min_request_timestamp", "max_response_timestamp") and one.unit == "ns":
        extreme = one.name[:3]
        definition = define(TOOL, one.name, extreme, "exact", "ok,profiling", "ns")
        return _nearest(one, [float(start if extreme == "min" else end)], definition)
    if one.name == "benchmark_duration" and one.unit in PER_SECOND:
        definition = define(TOOL, one.name, "value", "exact", "ok,profiling", one.unit)
        factor = PER_SECOND[one.unit] / 10**9
        return _nearest(one, [duration * factor for duration in spent], definition)
    amount = _amount(one.name, records)
    if amount is None or spent[0] <= 0:
        return None
    definition = define(TOOL, one.name, "rate", "over-duration", "ok,profiling", one.unit)
    rates = [amount / (duration * (1 / 10**9)) for duration in spent if duration > 0]
    return _nearest(one, rates, definition, _RATE_ABOUT.get(one.name, ""))


def _over_phase(line: Line, one: Aggregate, records: Records, summary: Mapping[str, Any]) -> Line:
    """Return the line of a rate that is over the phase as one that cannot be recomputed."""
    amount, spent = _amount(one.name, records), _phase(summary)
    if line.verdict != "differs" or not amount or not is_number(one.value) or one.value <= 0:
        return line
    if spent <= 0 or abs(amount / one.value - spent) > _ROUNDED_S:
        return line
    return _unknown(one, "over the phase, of which the ns are not in the file", amount / spent)


def _phase(summary: Mapping[str, Any]) -> float:
    """Return the seconds between start and end of the profiling phase, 0.0 where untold."""
    texts = [summary.get(name) for name in ("start_time", "end_time")]
    try:
        start, end = (datetime.fromisoformat(str(text)) for text in texts)
        return (end - start).total_seconds()
    except (ValueError, TypeError):
        return 0.0


def _amount(name: str, records: Records) -> float | None:
    """Return what is divided by the duration, None where the records do not have it."""
    if name == "request_throughput":
        return len(records.ok)
    sources = _TOKEN_RATES.get(name, ())
    if not sources or not all(records.values(source) for source in sources):
        return None
    return math.fsum(value for source in sources for value in records.values(source))


def _integer(value: Any) -> Any:
    """Return 64 for 64.0: counts are printed as doubles."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_COUNTS: dict[str, Callable[[Records], int]] = {
    "request_count": lambda records: len(records.ok),
    "error_request_count": lambda records: records.failed,
    "completed_request_count": lambda records: len(records.ok) + records.failed,
}
