"""The records of NVIDIA AIPerf: one JSON line a request, each value with its unit.

    {"metadata": {"request_start_ns": 1762551534797067827, "benchmark_phase": "profiling",
     "was_cancelled": false, …}, "metrics": {"time_to_first_token": {"value": 31.74, "unit": "ms"},
     "inter_chunk_latency": {"value": [17.86, …], "unit": "ms"}, …}, "error": null}

Records of the profiling phase without an error are counted; older files have no phase, or call it
`credit_phase`, and are all profiling. In 0.3 an answer without content has no error and is counted
as one: `error_isl`, a metric of failed requests only, tells. The tool measures in integer
nanoseconds and prints `ns * 1e-06`: from the printed double the integer is found again, exactly.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from engine.results import numeric
from engine.results.model import Status, Table, brief
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note, ResultError
from engine.results.requests import is_number
from engine.samples import Column

PER_SECOND = {"ns": 10**9, "us": 10**6, "ms": 10**3, "sec": 1, "s": 1}
LATENCY, FIRST, PER_TOKEN = "request_latency", "time_to_first_token", "inter_token_latency"
INPUT, OUTPUT = "input_sequence_length", "output_sequence_length"
_TIMES = {
    FIRST: "ttft_ms",
    LATENCY: "e2e_ms",
    PER_TOKEN: "tpot_ms",
    "inter_chunk_latency": "itl_ms",
}
_USER = "output_token_throughput_per_user"
ABOUT: Mapping[str, str] = {**_TIMES, _USER: "user_tok_s"}
"""Name of a metric in the file → the id of the metric that is the same here."""
_SINGLE = frozenset({LATENCY, FIRST, PER_TOKEN, _USER, INPUT, OUTPUT})
_KNOWN = _SINGLE | ABOUT.keys()
_OF_ERRORS = "error_isl"
Measured = dict[str, tuple[Any, str]]
_ABSENT = (None, "")
OLD_NAMES = {"ttft": FIRST, "ttst": "time_to_second_token"}


@dataclass(eq=False)
class Records:
    """All records of one file."""

    rows: Sequence[Mapping[str, Any]]

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows):
            if not isinstance(row.get("metadata"), dict) or not isinstance(
                row.get("metrics"), dict
            ):
                raise ResultError("malformed", f"record {number} has no metadata or no metrics")
        for found in self.measured:
            for name, (value, _) in found.items():
                _require(name, value)

    @cached_property
    def status(self) -> list[Status]:
        """What became of each request."""
        return [_status(row) for row in self.rows]

    @cached_property
    def ok(self) -> list[Mapping[str, Any]]:
        """The records that are counted."""
        pairs = zip(self.rows, self.status, strict=True)
        return [row for row, status in pairs if status == "ok"]

    @cached_property
    def measured(self) -> list[Measured]:
        """The metrics of each counted record."""
        return [_measured(row) for row in self.ok]

    @property
    def failed(self) -> int:
        """How many requests of the profiling phase failed or were cancelled."""
        return sum(status in ("failed", "cancelled") for status in self.status)

    @cached_property
    def units(self) -> dict[str, str]:
        """Name of each metric of the counted records → its unit, "" where it has none."""
        units: dict[str, str] = {}
        for found in self.measured:
            for name, (_, unit) in found.items():
                if units.setdefault(name, unit) != unit:
                    told = f"{name} is in {units[name] or 'no unit'} and in {unit or 'no unit'}"
                    raise ResultError("mixed-units", told)
        return units

    def each(self, name: str) -> list[Any]:
        """Return the value of each counted record for a metric, None where it has none."""
        return [found.get(name, _ABSENT)[0] for found in self.measured]

    @cached_property
    def _values(self) -> dict[str, Sequence[float]]:
        found = {name: [v for v in self.each(name) if v is not None] for name in self.units}
        return {name: _flat(values) for name, values in found.items()}

    def values(self, name: str) -> Sequence[float]:
        """Return all values of a metric in the counted records, those of lists one by one."""
        return self._values.get(name, ())

    def nanoseconds(self, name: str) -> list[float]:
        """Return all values of a time in ns: the integers that were printed, or their quotients."""
        unit = PER_SECOND[self.units[name]]
        factor = unit / 10**9
        quotients = self._quotients if name == PER_TOKEN else ()
        found: list[float] = []
        for at, value in enumerate(self.values(name)):
            whole = round(value * 10**9 / unit)
            if whole * factor == value:
                found.append(whole)
            elif at < len(quotients) and quotients[at] * factor == value:
                found.append(quotients[at])
            else:
                found.append(value / factor)
        return found

    @cached_property
    def _quotients(self) -> list[float]:
        """(latency - first) / (tokens - 1), in ns, of each record that has a time per token."""
        return [_quotient(found) for found in self.measured if PER_TOKEN in found]

    @cached_property
    def about(self) -> Mapping[str, str]:
        """Name of a metric in the file → the id of the metric that is the same here.

        With `--per-chunk-usage` the tool divides by the tokens after the first piece of output, not
        after the first token, which is another quantity.
        """
        if {self.units.get(name) for name in (LATENCY, FIRST, PER_TOKEN)} != {"ms"}:
            return ABOUT
        pairs = zip(self.values(PER_TOKEN), self._quotients, strict=True)
        for value, quotient in pairs:
            if quotient > 0 and abs(value * 10**6 - quotient) > 1e-6 * quotient:
                return {**ABOUT, PER_TOKEN: "aiperf_itl_ms"}
        return ABOUT

    @cached_property
    def window(self) -> tuple[int, int] | None:
        """When the first counted request started and the last ended, in ns; None if unknown."""
        if not self.ok or self.units.get(LATENCY) != "ms":
            return None
        starts = [_start(row) for row in self.ok]
        pairs = zip(starts, self.each(LATENCY), strict=True)
        ends = [
            start + _whole(spent)
            for start, spent in pairs
            if start is not None and spent is not None
        ]
        if len(ends) < len(self.ok):
            return None
        return min(start for start in starts if start is not None), max(ends)

    def samples(self) -> dict[str, Column]:
        """Return what each counted request gave, and the rates of the run as a whole."""
        found = {}
        for name in _TIMES:
            unit = PER_SECOND.get(self.units.get(name, ""))
            if unit and self.values(name):
                found[self.about[name]] = Column(self.values(name), Fraction(1000, unit))
        if self.units.get(_USER) == "tokens/sec/user" and self.values(_USER):
            found[self.about[_USER]] = Column(self.values(_USER))
        return found | self._rates()

    def _rates(self) -> dict[str, Column]:
        if self.window is None or self.window[0] >= self.window[1]:
            return {}
        spent = self.window[1] - self.window[0]
        asked, given = (sum(map(int, self.values(name))) for name in (INPUT, OUTPUT))
        counts = {"requests_per_s": len(self.ok)}
        if given:
            counts |= {"output_tok_s": given}
        if given and asked:
            counts |= {"total_tok_s": given + asked}
        return {name: Column([spent], n * 10**9, inverse=True) for name, n in counts.items()}

    def table(self) -> Table:
        """Return one row a record: status, times of start and end, and every metric."""
        columns: dict[str, list[Any]] = {"status": list(self.status)}
        columns["request_start_ns"] = [_start(row) for row in self.rows]
        columns["request_end_ns"] = [row["metadata"].get("request_end_ns") for row in self.rows]
        measured = [_measured(row) for row in self.rows]
        for name in dict.fromkeys(name for found in measured for name in found):
            columns[name] = [found.get(name, _ABSENT)[0] for found in measured]
        return Table(columns, len(self.rows))

    def notes(self) -> Iterator[Note]:
        """Yield what keeps the records from being cited."""
        counted = len(self.ok) + self.failed
        if not self.ok:
            detail = f"none of {counted} requests of the profiling phase succeeded"
            yield Note("all-requests-failed", detail, ALL)
        elif self.failed:
            yield failed_rows(self.failed, counted)
        ids = [one for row in self.rows if (one := row["metadata"].get("x_request_id"))]
        if len(set(map(str, ids))) < len(ids):
            yield Note("rows-inconsistent", "one x_request_id stands in several records", ALL)
        if len({str(row["metadata"].get("profiling_index")) for row in self.ok}) > 1:
            yield Note("several-phases", "several profiling phases are taken as one")
        yield from self._doubtful()

    def _doubtful(self) -> Iterator[Note]:
        for name, about in self.about.items():
            if self.values(name) and not self.units[name]:
                yield Note("no-unit", f"{name} has no unit: it is no sample", frozenset({about}))
            scalar = name != "inter_chunk_latency"
            if scalar and (zeros := sum(value == 0 for value in self.values(name))):
                detail = f"{zeros} of {len(self.ok)} successful requests have a {name} of 0"
                yield Note("zero-is-missing", detail, frozenset({about}))


def failed_rows(failed: int, of: int) -> Note:
    """Return the note for requests that failed, which a declared policy lifts."""
    detail = f"{failed} of {of} requests failed"
    return Note("failed-rows", detail, ALL, EXCLUDE_FAILED)


def _status(row: Mapping[str, Any]) -> Status:
    metadata = row["metadata"]
    phase = metadata.get("benchmark_phase") or metadata.get("credit_phase") or "profiling"
    if str(phase).lower() != "profiling":
        return "warm-up"
    if metadata.get("was_cancelled"):
        return "cancelled"
    failed = row.get("error") or metadata.get("error") or _OF_ERRORS in row["metrics"]
    return "failed" if failed else "ok"


def _start(row: Mapping[str, Any]) -> int | None:
    metadata = row["metadata"]
    value = metadata.get("request_start_ns", metadata.get("timestamp_ns"))
    return value if type(value) is int and abs(value) < 2**63 else None


def _measured(row: Mapping[str, Any]) -> Measured:
    """Return value and unit of each metric of a record; null is absent, a bare value unit-less."""
    measured: Measured = {}
    for name, found in row["metrics"].items():
        key = OLD_NAMES.get(name, name)
        if isinstance(found, dict):
            unit = found.get("unit")
            measured[key] = found.get("value"), unit if isinstance(unit, str) else ""
        elif found is not None:
            measured[key] = found, ""
    return measured


def _quotient(found: Measured) -> float:
    whole, first, tokens = (found.get(name, _ABSENT)[0] for name in (LATENCY, FIRST, OUTPUT))
    if not (is_number(whole) and is_number(first) and is_number(tokens) and tokens > 1):
        return -1.0
    return (_whole(whole) - _whole(first)) / (tokens - 1)


def _require(name: str, value: Any) -> None:
    """Refuse what is no number, a list where there is one value, and less than nothing."""
    lists = isinstance(value, list | array) and name not in _SINGLE
    for one in value if lists else [value]:
        if not is_number(one) or (name in _KNOWN and one < 0):
            raise ResultError("not-a-number", f"{name} is {brief(one)}, which no measurement gives")


def _whole(milliseconds: float) -> int:
    return round(milliseconds * 10**6)


def _flat(values: list[Any]) -> Sequence[float]:
    if any(isinstance(value, list | array) for value in values):
        return numeric.joined(one if isinstance(one, list | array) else [one] for one in values)
    return values
