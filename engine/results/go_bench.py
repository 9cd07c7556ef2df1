"""`go test -bench`: the Go benchmark text, repeated lines are repetitions.

    goos: linux
    pkg: example.org/json
    BenchmarkEncode/format=json-8    690848    1726 ns/op    64 B/op    2 allocs/op

After the name and the number of iterations come pairs of a value and its unit; a unit of no metric
here (b.ReportMetric) stays in the rows. The -8 behind the name is GOMAXPROCS, left out where that
is 1. Lines ``key: value`` hold for all results below them until the key comes again. Lines with the
same name and the same keys are one run, so equal names in two packages, or before and after a note,
stay apart. ``--- FAIL:`` makes a failed row. Everything else is the log of the tests. `go test
-json` wraps the same text, which is taken out of its events. Numbers stay the decimals they are.
Source of the format: golang.org/design/14313-benchmark-format, cmd/go, golang.org/x/perf/benchfmt.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from engine.results import repetitions
from engine.results.content import Content
from engine.results.model import MAX_RUNS, ResultFile, Run, brief
from engine.results.reconciliation import Line
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note, ResultError
from engine.results.repetitions import MIB, NOTHING, SINGLE, Samples
from engine.samples import Column

NAME = "go-bench"

_RESULT = re.compile(r"(Benchmark(?:[^a-z\s]\S*)?)[ \t]+(\d{1,18})[ \t]+(\S.*)")
_STARTED = re.compile(r"Benchmark(?:[^a-z\s]\S*)?[ \t]+\S")
_CONFIG = re.compile(r"([a-z][^\sA-Z:]{0,99}):(?:[ \t]+(.*))?")
_FAILED = re.compile(r"[ \t]*--- FAIL: (Benchmark\S*)")
_SIGN = re.compile(
    rb"^Benchmark(?:[^a-z\s]\S*)?[ \t]+\d+[ \t]+[-+.\dEINae]\S*[ \t]+\D\S*", re.MULTILINE
)
_EVENT = re.compile(rb'\s*\{"(?:Time|ImportPath|Action)":')
_SIGN_IN_EVENT = re.compile(rb'"Output":\s?"Benchmark')
_PROCESSORS = re.compile(r"(.+)-(\d{1,6})")
_NUMBER = re.compile(r"(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,2})?", re.ASCII)
_IDENTITY = ("goos", "goarch", "pkg", "cpu", "toolchain", "commit")
_METRICS: Mapping[str, tuple[str, Fraction]] = {
    "ns/op": ("iteration_ns", Fraction(1)),
    "sec/op": ("iteration_ns", Fraction(10**9)),
    "MB/s": ("gb_s", Fraction(1, 1000)),
    "B/s": ("gb_s", Fraction(1, 10**9)),
    "B/op": ("allocated_bytes", Fraction(1)),
    "allocs/op": ("allocations", Fraction(1)),
    "peak-RSS-bytes": ("peak_mib", MIB),
}
_UNMEASURED: tuple[list[dict[str, Any]], Samples] = ([], NOTHING)
_MAY_BE_ZERO = frozenset(("allocated_bytes", "allocations"))


class _Group(NamedTuple):
    """What is known of one benchmark: its keys, and the text of its lines; None: it failed."""

    name: str
    keys: dict[str, str]
    lines: list[tuple[str, str] | None]


def recognises(content: Content) -> bool:
    """Say whether a line with a result stands in the text, or in the events of `go test -json`."""
    if _EVENT.match(content.head):
        return _SIGN_IN_EVENT.search(content.data) is not None
    return (
        not content.head.lstrip().startswith((b"{", b"["))
        and _SIGN.search(content.data) is not None
    )


def read(content: Content) -> ResultFile:
    """Return one run for each benchmark and set of keys, in the order in which they come first."""
    text = _text(content)
    groups, notes = _groups(text)
    notes = (*notes, *_doubled([line.split() for line in text.split("\n") if line.strip()]))
    return repetitions.result(NAME, [_run(group) for group in groups], notes)


def check(run: Run) -> tuple[Line, ...]:
    """Return nothing: the text has no averages over its lines."""
    del run
    return ()


def _text(content: Content) -> str:
    """Return the text; of events, the output of each package in turn."""
    if not _EVENT.match(content.head):
        return content.text()
    packages: dict[str, list[str]] = {}
    for event in content.documents.values:
        output = event.get("Output")
        if isinstance(output, str):
            packages.setdefault(str(event.get("Package")), []).append(output)
    return "\n".join("".join(pieces) for pieces in packages.values())


def _groups(text: str) -> tuple[list[_Group], tuple[Note, ...]]:
    """Return the results of the text, and a note on lines that begin like one and are none."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], _Group] = {}
    keys: dict[str, str] = {}
    lost = 0
    for line in map(str.rstrip, text.split("\n")):
        if config := _CONFIG.fullmatch(line):
            keys[config[1]] = config[2] or ""
            continue
        result, failed = _RESULT.fullmatch(line), _FAILED.match(line)
        if name := result[1] if result else failed[1] if failed else "":
            key = (name, tuple(sorted(keys.items())))
            group = found.setdefault(key, _Group(name, dict(keys), []))
            group.lines.append((result[2], result[3]) if result else None)
            if len(found) > MAX_RUNS:
                raise ResultError("too-large", f"over {MAX_RUNS} benchmarks in one file")
        elif _STARTED.match(line):
            lost += 1
    told = Note("log-noise", f"{lost} lines begin like a result and are none: log between the two")
    return list(found.values()), (told,) if lost else ()


def _doubled(lines: Sequence[list[str]]) -> Iterator[Note]:
    """Yield a note where the text is the same text twice: its lines would count as repetitions.

    One result alone may well come out the same again.
    """
    half, odd = divmod(len(lines), 2)
    results = sum(line[0].startswith("Benchmark") for line in lines[:half])
    if not odd and results > 1 and lines[:half] == lines[half:]:
        yield Note("rows-inconsistent", "the file holds the same output twice", ALL)


def _run(group: _Group) -> Run:
    (rows, (samples, notes)), barred = repetitions.believed(lambda: _measured(group), _UNMEASURED)
    shown = {name: value for name, value in group.keys.items() if value}
    base, config = _name(group.name)
    return Run(
        identity={
            **{name: shown[name] for name in _IDENTITY if name in shown},
            "benchmark": base,
            "name": group.name,
        },
        config={**{n: value for n, value in shown.items() if n not in _IDENTITY}, **config},
        samples=samples,
        rows=rows,
        notes=(*barred, *_failures(group), *notes),
    )


def _name(name: str) -> tuple[str, dict[str, str | int]]:
    """Return a name without its number of processors, and what its parts say: /key=value."""
    config: dict[str, str | int] = {}
    matched = _PROCESSORS.fullmatch(name)
    if matched:
        name, config["gomaxprocs"] = matched[1], int(matched[2])
    for part in name.split("/")[1:]:
        key, equals, value = part.partition("=")
        if equals and key:
            config[key] = value
    return name, config


def _failures(group: _Group) -> Iterator[Note]:
    failed, whole = group.lines.count(None), len(group.lines)
    if failed == whole:
        yield Note("run-failed", f"{group.name} failed and gave no result", ALL)
    elif failed:
        detail = f"{failed} of {whole} repetitions failed"
        yield Note("failed-rows", detail, ALL, EXCLUDE_FAILED)
    if whole - failed == 1:
        yield SINGLE


def _measured(group: _Group) -> tuple[list[dict[str, Any]], Samples]:
    rows: list[dict[str, Any]] = []
    columns: dict[str, list[str]] = {}
    for line in group.lines:
        values = _pairs(line[1]) if line else {}
        for unit, value in values.items():
            columns.setdefault(unit, []).append(value)
        fixed = {"status": "ok", "iterations": int(line[0])} if line else {"status": "failed"}
        rows.append({**values, **fixed})
    return rows, _samples(columns, len(group.lines) - group.lines.count(None))


def _pairs(text: str) -> dict[str, str]:
    """Return the values of a line by their unit."""
    fields = text.split()
    units, values = fields[1::2], fields[::2]
    if len(units) != len(values):
        raise ResultError("truncated", f"{brief(text)} ends with a value that has no unit")
    if len(set(units)) != len(units):
        raise ResultError("mixed-units", f"{brief(text)} has two values of one unit")
    return dict(zip(units, values, strict=True))


def _samples(columns: Mapping[str, Sequence[str]], rows: int) -> Samples:
    """Return the columns whose unit is known and in every row, and notes on the others."""
    samples: dict[str, Column] = {}
    notes: list[Note] = []
    for unit, texts in columns.items():
        if unit not in _METRICS:
            notes.append(Note("no-metric", f"{brief(unit)} is the unit of no metric: see the rows"))
            continue
        metric, factor = _METRICS[unit]
        if metric in samples:
            raise ResultError("mixed-units", f"{metric} is in two units")
        raw, scale = _integers(metric, texts)
        if len(texts) < rows:
            detail = f"{len(texts)} of {rows} rows have {unit}"
            notes.append(Note("rows-inconsistent", detail, frozenset({metric})))
        else:
            samples[metric] = Column(raw, factor * scale)
    return samples, tuple(notes)


def _integers(metric: str, texts: Sequence[str]) -> tuple[list[int], Fraction]:
    """Return decimals as integers over one power of ten."""
    for text in texts:
        zero = not text.strip("0.") and metric not in _MAY_BE_ZERO
        if not _NUMBER.fullmatch(text) or zero:
            raise ResultError("not-a-number", f"{metric} is {brief(text)}, no number above 0")
    values = [Decimal(text) for text in texts]
    places = max(0, *(-int(value.as_tuple().exponent) for value in values))
    return [int(value.scaleb(places)) for value in values], Fraction(1, 10**places)
