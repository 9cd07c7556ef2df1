"""llama.cpp `llama-bench -o json` and `-o jsonl`: one record a test, repetitions inside.

    {"build_commit": "7a2db1a0c", …, "n_prompt": 0, "n_gen": 128, "avg_ns": 664092895,
     "avg_ts": 192.744119, …, "samples_ns": [ 664092895 ], "samples_ts": [ 192.744 ]}

With N = n_prompt + n_gen, repetition i gives 1e9 * N / ns_i tok/s and ns_i / 1e6 ms, as *prefill*
(n_gen 0), *decode* (n_prompt 0) or *combined*.

avg_ts is the mean of the rates and stddev_ts their sample deviation, in doubles, printed with six
decimals; avg_ns is the floor of the mean time; samples_ts are the rates with six digits.
`stddev_ns` is computed in wrapping uint64 arithmetic (ggml-org/llama.cpp issue 22300), which is
reproduced here, to say *tool bug* and not *differs*. The csv, md and sql outputs carry no samples.
Source of the format: tools/llama-bench/llama-bench.cpp, builds 5163 to 10224.
"""

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine.results.content import Content
from engine.results.model import (
    MAX_REPETITIONS,
    MAX_RUNS,
    MAX_SAMPLES,
    ResultFile,
    Run,
    Settings,
    Table,
    brief,
)
from engine.results.reconciliation import Line, Verdict, define
from engine.results.refusals import ALL, Note, ResultError
from engine.samples import Column

NAME = "llama-bench"

_IDENTITY = (
    *("build_commit", "build_number", "cpu_info", "gpu_info", "backends", "model_filename"),
    *("model_type", "model_size", "model_n_params", "test_time"),
)
_REPORTED = ("avg_ts", "stddev_ts", "avg_ns", "stddev_ns")
_NOT_CONFIG = frozenset((*_IDENTITY, *_REPORTED, "samples_ns", "samples_ts"))
_TABLE = re.compile(
    rb"^build_commit,build_number,"
    rb"|^\|[ \t]*model[ \t]*\|.*\|[ \t]*t/s[ \t]*\|"
    rb"|^(?:CREATE TABLE IF NOT EXISTS|INSERT INTO) (?:test|llama_bench) \(",
    re.MULTILINE,
)
_MS = Fraction(1, 10**6)  # of a nanosecond
_SECOND = 10**9
_WRAP = 1 << 64
_METRICS = (
    ("prefill_tok_s", "prefill_ms"),
    ("decode_tok_s", "decode_ms"),
    ("combined_tok_s", "combined_ms"),
)
_DEFINITIONS = {
    "avg_ts": define(NAME, "rate", "mean", "printed-6-decimals", "all", "tok/s"),
    "stddev_ts": define(NAME, "rate", "stddev", "ddof1,printed-6-decimals", "all", "tok/s"),
    "avg_ns": define(NAME, "time", "mean", "floor", "all", "ns"),
    "stddev_ns": define(NAME, "time", "stddev", "ddof1,uint64", "all", "ns"),
    "samples_ts": define(NAME, "rate", "each", "printed-6-significant", "all", "tok/s"),
}
_PRINTED = 1e-6  # one unit of the last decimal that the tool prints
_SINGLE = Note("not-a-distribution", "single repetition: no spread")


def recognises(content: Content) -> bool:
    """Say whether there are records or one of the tool's tables in the file."""
    if any("samples_ns" in one or "build_commit" in one for one in content.documents.values):
        return True
    return content.opens(_TABLE)


def read(content: Content) -> ResultFile:
    """Return one run a record, in file order; raises `ResultError` that names the record."""
    ours = [one for one in content.documents.values if "samples_ns" in one or "avg_ns" in one]
    if not ours:
        if content.opens(_TABLE):
            raise ResultError(
                "aggregates-only", "no samples_ns, run llama-bench with -o json or jsonl"
            )
        raise ResultError("no-rows", "samples_ns is missing: without samples there is no evidence")
    others = len(content.documents.values) - len(ours)
    if content.documents.listed and others:
        raise ResultError("malformed", f"{others} members of the array are no llama-bench records")
    _bound(ours)
    runs = tuple(_run(record, number) for number, record in enumerate(ours))
    if twice := _repeated(ours):
        note = Note("repeated-rows", f"{twice} records stand in the file more than once", ALL)
        runs = tuple(run._replace(notes=(*run.notes, note)) for run in runs)
    noise = content.documents.noise + others
    told = Note("log-noise", f"noise lines: {noise} (not part of any record)")
    return ResultFile(reader=NAME, runs=runs, notes=(told,) if noise else ())


def check(run: Run) -> list[Line]:
    """Return each average of the record against the same from its samples."""
    record, found = run.source, []
    times = record["samples_ns"]
    tokens = 1e9 * (record["n_prompt"] + record["n_gen"])
    rates = [tokens / ns for ns in times]
    centre = _mean(rates)
    rate, time = run.samples
    if "avg_ts" in record:
        found.append(_line("avg_ts", record["avg_ts"], float(f"{centre:.6f}"), rate))
    if "stddev_ts" in record:
        found.append(_spread(record["stddev_ts"], rates, centre, rate))
    if "avg_ns" in record:
        found.append(_line("avg_ns", record["avg_ns"], sum(times) // len(times), time))
    if "stddev_ns" in record:
        found.append(_wrapped(record["stddev_ns"], times))
    return found + _misprinted(record["samples_ts"], rates, rate)


def _repeated(records: list[dict[str, Any]]) -> int:
    """Return how many records are an earlier one again; equal times alone make nobody suspect."""
    first: dict[tuple[int, ...], dict[str, Any]] = {}
    known = [first.setdefault(tuple(one["samples_ns"]), one) for one in records]
    return sum(one is not was and one == was for one, was in zip(records, known, strict=True))


def _bound(records: list[dict[str, Any]]) -> None:
    if len(records) > MAX_RUNS:
        raise ResultError("too-large", f"{len(records)} records are over the limit of {MAX_RUNS}")
    lists = [record.get("samples_ns") for record in records]
    total = sum(len(samples) for samples in lists if isinstance(samples, list))
    if total > MAX_SAMPLES:
        raise ResultError("too-large", f"{total} samples are over the limit of {MAX_SAMPLES}")


def _run(record: dict[str, Any], number: int) -> Run:
    try:
        return _checked_run(record)
    except ResultError as error:
        raise error.at(f"record {number}") from error


def _checked_run(record: dict[str, Any]) -> Run:
    if not isinstance(record.get("build_commit"), str):
        detail = "build_commit is missing: nothing says which binary was measured"
        raise ResultError("malformed", detail)
    prompt, generated = _count(record, "n_prompt"), _count(record, "n_gen")
    if prompt + generated == 0:
        raise ResultError("no-rows", "n_prompt and n_gen are both 0: nothing was measured")
    times, printed = _list(record, "samples_ns", int), _list(record, "samples_ts", float)
    if len(times) != len(printed):
        raise ResultError(
            "rows-inconsistent", f"{len(times)} samples_ns but {len(printed)} samples_ts"
        )
    rate, time = _METRICS[0 if generated == 0 else 1 if prompt == 0 else 2]
    return Run(
        identity=Settings(record, only=_IDENTITY),
        config=Settings(record, apart=_NOT_CONFIG),
        samples={
            rate: Column(times, _SECOND * (prompt + generated), inverse=True),
            time: Column(times, _MS),
        },
        rows=Table({"samples_ns": times, "samples_ts": printed}, len(times)),
        reported=_reported(record),
        notes=(_SINGLE,) if len(times) == 1 else (),
        source=record,
    )


def _count(record: Mapping[str, Any], name: str) -> int:
    value = record.get(name)
    if type(value) is not int or value < 0:
        detail = f"{name} is {brief(value)} or missing; it must be a count of tokens"
        raise ResultError("not-a-number", detail)
    return value


def _list(record: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    values: Any = record.get(name)
    if not isinstance(values, list) or not values:
        detail = f"{name} is missing or empty: without samples there is no evidence"
        raise ResultError("no-rows", detail)
    if len(values) > MAX_REPETITIONS:
        raise ResultError(
            "too-large", f"{name} holds {len(values)}, the limit is {MAX_REPETITIONS}"
        )
    for value in values:
        if type(value) not in (kind, int) or not 0 < value < math.inf:
            what = "integer" if kind is int else "number"
            raise ResultError("not-a-number", f"{name} holds {brief(value)}, no {what} above 0")
    return values


def _reported(record: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: record[name] for name in _REPORTED if name in record}
    for name, value in found.items():
        if (type(value) is not float and type(value) is not int) or not math.isfinite(value):
            raise ResultError("not-a-number", f"{name} is {brief(value)}, which is no number")
    return found


def _line(metric: str, reported: float, recomputed: float, about: str = "") -> Line:
    verdict: Verdict = "exact" if reported == recomputed else "differs"
    return Line(metric, reported, recomputed, verdict, _DEFINITIONS[metric], about)


def _no_spread(metric: str, reported: float) -> Line:
    note = "one repetition has no spread"
    return Line(metric, reported, None, "not-recomputable", _DEFINITIONS[metric], "", note)


def _misprinted(shown: list[float], rates: list[float], about: str) -> list[Line]:
    """Return a line for the first printed rate that is not the rate of its time."""
    scale = 10.0 ** (5 - math.floor(math.log10(rates[0])))
    if [int(one * scale + 0.5) for one in shown] == [int(one * scale + 0.5) for one in rates]:
        return []
    # Ties, and rates of another magnitude than the first: the slow way is the true one.
    for one, rate in zip(shown, rates, strict=True):
        if one != float(f"{rate:.6g}"):
            return [_line("samples_ts", one, float(f"{rate:.6g}"), about)]
    return []


def _mean(rates: list[float]) -> float:
    """Sum as the tool does, from left to right; `sum` is more exact in newer Pythons."""
    total = 0.0
    for rate in rates:
        total += rate
    return total / len(rates)


def _spread(reported: float, rates: list[float], centre: float, about: str) -> Line:
    """Compare the deviation of the rates, which the tool computes from two large sums."""
    count, squares = len(rates), 0.0
    if count == 1:
        return _no_spread("stddev_ts", reported)
    for rate in rates:
        squares += rate * rate
    square = squares / (count - 1) - centre * centre * count / (count - 1)
    value = float(f"{math.sqrt(max(square, 0.0)):.6f}")
    if value != reported:
        # What another order of operations, or a fused one, may have lost of the difference.
        lost = centre * centre * count * 2.0**-46
        low, high = max(reported - _PRINTED, 0.0), reported + _PRINTED
        if low * low - lost <= square <= high * high + lost:
            name = _DEFINITIONS["stddev_ts"]
            return Line("stddev_ts", reported, value, "float-noise", name, about)
    return _line("stddev_ts", reported, value, about)


def _wrapped(reported: int, times: list[int]) -> Line:
    """Compare the deviation of the times, which older builds compute in wrapping integers."""
    count, total = len(times), sum(times)
    if count == 1:
        return _no_spread("stddev_ns", reported)
    squares = sum([ns * ns for ns in times])
    true = math.sqrt((squares * count - total * total) / (count * (count - 1)))
    name = _DEFINITIONS["stddev_ns"]
    if abs(reported - true) <= 1:
        return Line("stddev_ns", reported, int(true), "exact", name)
    centre = total // count
    taken = centre * centre % _WRAP * count % _WRAP // (count - 1)
    emulated = int(math.sqrt((squares % _WRAP // (count - 1) - taken) % _WRAP))
    if abs(emulated - reported) <= 1:
        note = "wraps around in uint64, llama.cpp issue 22300"
        return Line("stddev_ns", reported, true, "known-tool-bug", name, "", note)
    return Line("stddev_ns", reported, true, "differs", name)
