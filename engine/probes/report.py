"""What a probe found, as a table and as JSON, and whether that is good enough.

    judge_link(file, "link_busy_gbps", Fraction(20))      # passes if both directions' medians do

The 99th percentile is the nearest rank, and only of 100 values or more: of fewer it would be the
maximum under another name. A gate on a link takes busy time and refuses every other clock.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine import statistics
from engine.metrics import METRICS
from engine.results import probes
from engine.results.model import ResultFile, Run
from engine.statistics import decimal_text
from receipts.errors import ConflictError, UndecidedError

LEAST_FOR_P99 = 100
BUSY = "link_busy_gbps"
ABSENT = "absent"
_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Line:
    """One quantity of one direction: how often it was measured, and what came of it."""

    where: str
    what: str
    unit: str
    samples: Sequence[Fraction]

    def figures(self) -> dict[str, str | int | None]:
        """Return n, least, median, 99th percentile (None of fewer than 100) and largest."""
        tail = nearest_rank(self.samples, 99) if len(self.samples) >= LEAST_FOR_P99 else None
        return {
            "n": len(self.samples),
            "min": decimal_text(statistics.minimum(self.samples), _DIGITS),
            "median": decimal_text(statistics.median(self.samples), _DIGITS),
            "p99": None if tail is None else decimal_text(tail, _DIGITS),
            "max": decimal_text(statistics.maximum(self.samples), _DIGITS),
        }


@dataclass(frozen=True, slots=True)
class Gate:
    """A limit on one metric: what was measured where, and whether all of it is within."""

    metric: str
    statistic: str
    comparison: str
    limit: Fraction
    measured: Mapping[str, Fraction]

    @property
    def passed(self) -> bool:
        """Say whether every measured value is within the limit."""
        least = self.comparison == ">="
        return all(
            (v >= self.limit) if least else (v <= self.limit) for v in self.measured.values()
        )

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "metric": self.metric,
            "statistic": self.statistic,
            "comparison": self.comparison,
            "limit": decimal_text(self.limit),
            "measured": {where: decimal_text(v, _DIGITS) for where, v in self.measured.items()},
            "result": "pass" if self.passed else "fail",
        }

    def line(self) -> str:
        """Return it as one line."""
        told = ", ".join(
            f"{w} {decimal_text(v, _DIGITS)}".strip() for w, v in self.measured.items()
        )
        unit = METRICS[self.metric].unit
        limit = (
            f"{self.statistic} {self.metric} {self.comparison} {decimal_text(self.limit)} {unit}"
        )
        return f"gate {limit}: {'pass' if self.passed else 'FAIL'} ({told})"


def nearest_rank(samples: Sequence[Fraction], percent: int) -> Fraction:
    """Return the smallest sample that at least `percent` of 100 samples do not exceed."""
    rank = -(-len(samples) * percent // 100)
    return sorted(samples)[max(rank, 1) - 1]


def require_resolved(file: ResultFile) -> None:
    """Raise `UndecidedError` where a probe was too short for the kernel's clock."""
    for run in file.runs:
        for note in run.notes:
            if note.name == "probe-unresolved":
                raise UndecidedError(f"PROBE_UNRESOLVED: {note.detail}; probe for more --seconds")


def judge_link(file: ResultFile, metric: str, least: Fraction) -> Gate:
    """Return whether the median of every direction is `least` Gbit/s or more, by busy time.

    Raises `ConflictError` for any other metric: wall time would judge the sender's pauses.
    """
    if metric != BUSY:
        raise ConflictError(f"a gate on a link takes {BUSY}; {metric} has another denominator")
    for run in file.runs:
        _require_judgeable(run)
    measured = {str(r.config["direction"]): statistics.median(r.samples[BUSY]) for r in file.runs}
    return Gate(metric, "median", ">=", least, measured)


def judge_fsync(file: ResultFile, most_ms: Fraction) -> Gate:
    """Return whether the slowest file was durable within `most_ms`."""
    slowest = statistics.maximum(file.runs[0].samples["durable_ms"])
    return Gate("durable_ms", "max", "<=", most_ms, {"": slowest})


def view(file: ResultFile, gate: Gate | None) -> dict[str, Any]:
    """Return facts, table and gate as plain values; what is absent is null."""
    runs = [
        {**_facts(run), **({"absent": [BUSY]} if _lacks_busy(run) else {})} for run in file.runs
    ]
    table = [
        {"where": line.where or None, "what": line.what, "unit": line.unit, **line.figures()}
        for line in lines(file)
    ]
    return {"runs": runs, "table": table, "gate": gate.view() if gate else None}


def text(file: ResultFile, gate: Gate | None) -> Iterator[str]:
    """Yield facts, tables and gate as lines."""
    yield from _about(file.runs[0])
    width = max(len(line.what) for line in lines(file))
    where = None
    for line in lines(file):
        if line.where != where or where is None:
            where = line.where
            heads = f"{'n':>5} {'min':>9} {'median':>9} {'p99':>9} {'max':>9}"
            yield f"{where:{width + 2}} {heads}  {line.unit}"
        told = [ABSENT if value is None else str(value) for value in line.figures().values()]
        yield f"  {line.what:{width}} {told[0]:>5} " + " ".join(f"{value:>9}" for value in told[1:])
    yield from (f"{run.config['direction']}: {_held_up(run)}" for run in _links(file))
    yield from [gate.line()] if gate else []


def lines(file: ResultFile) -> list[Line]:
    """Return every quantity of the file: the clocks of a link, the phases of a durable file."""
    if _links(file):
        return [
            Line(str(run.config["direction"]), name, METRICS[name].unit, run.samples[name])
            for run in file.runs
            for name in run.samples
        ]
    (run,) = file.runs
    phases = [
        Line("", name, "ms", [Fraction(row[f"{name}_ns"], 10**6) for row in run.rows])
        for name in probes.PHASES
    ]
    phases.insert(len(probes.DURABLE), Line("", "durable", "ms", run.samples["durable_ms"]))
    return phases


def _links(file: ResultFile) -> list[Run]:
    return [run for run in file.runs if "direction" in run.config]


def _lacks_busy(run: Run) -> bool:
    return "direction" in run.config and BUSY not in run.samples


def _facts(run: Run) -> dict[str, Any]:
    return {**run.identity, **run.config}


def _about(run: Run) -> Iterator[str]:
    told = _facts(run)
    if "direction" not in told:
        load = "under load" if told["load"] else "without load"
        yield f"{told['folder']} on {told['filesystem']}, {told['sync']}, {told['bytes']} B, {load}"
        return
    yield f"link to {told['peer']}, probe {told['probe_id']}"
    yield (
        f"{told['repetitions']} times {told['milliseconds']} ms each way, "
        f"streams at once: {told['streams']}"
    )
    yield f"here   {_face(told, '')}"
    yield f"there  {_face(told, 'peer_')}"


def _face(told: Mapping[str, Any], prefix: str) -> str:
    name, kind = told.get(f"{prefix}interface"), told.get(f"{prefix}interface_kind")
    if name is None:
        return "interface absent: the system does not tell it, so nothing says that it is a wire"
    speed = told.get(f"{prefix}speed_mbit")
    rest = f"speed {f'{speed} Mbit/s' if speed else ABSENT}, MTU {told.get(f'{prefix}mtu', ABSENT)}"
    rest += f", duplex {told.get(f'{prefix}duplex', ABSENT)}"
    note = "; no link, but this host's memory" if kind == "loopback" else ""
    return f"{name}: {kind}{note}, {rest}"


def _held_up(run: Run) -> str:
    """Return what the kernel says about the sender's busy time, over all rows."""
    if _lacks_busy(run):
        return "busy absent: this kernel does not count it"
    busy = sum(row["busy_ns"] for row in run.rows)
    again = [row["retrans_bytes"] for row in run.rows if "retrans_bytes" in row]
    shares = [
        f"{_share(run.rows, name, busy)} waiting for {what}"
        for name, what in (
            ("rwnd_limited_ns", "the receiver's window"),
            ("sndbuf_limited_ns", "room in the send buffer"),
        )
    ]
    resent = f"{sum(again)} bytes sent again" if again else "bytes sent again absent"
    return f"busy {decimal_text(Fraction(busy, 10**9), 4)} s, {', '.join(shares)}, {resent}"


def _share(rows: Sequence[Mapping[str, Any]], name: str, busy: int) -> str:
    if not all(name in row for row in rows):
        return ABSENT
    return f"{decimal_text(Fraction(100 * sum(row[name] for row in rows), busy), 3)} %"


def _require_judgeable(run: Run) -> None:
    if BUSY not in run.samples:
        raise UndecidedError(
            "busy time is absent: this kernel does not count it, and no gate holds"
        )
    if not {"interface", "peer_interface"} <= run.identity.keys():
        raise UndecidedError("an interface is absent: nothing says that it is a wire, so no gate")
