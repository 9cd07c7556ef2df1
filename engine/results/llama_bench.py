"""llama.cpp `llama-bench -o json` and `-o jsonl`: one record a test, repetitions inside.

    {"build_commit": "7a2db1a0c", …, "n_prompt": 0, "n_gen": 128, "avg_ns": 664092895,
     "avg_ts": 192.744119, …, "samples_ns": [ 664092895 ], "samples_ts": [ 192.744 ]}

Records are found in a pure file and between the log lines of a harness alike; other lines are
counted, never silently dropped. With N = n_prompt + n_gen, repetition i gives 1e9 * N / ns_i tok/s
and ns_i / 1e6 ms, as *prefill* (n_gen 0), *decode* (n_prompt 0) or *combined*.

Every aggregate of the record is recomputed: avg_ts is the mean of the rates printed with six
decimals, avg_ns the floor of the mean time, stddev_ts the sample deviation (n - 1). What differs
becomes a warning. `stddev_ns` is dropped: the tool computes it in wrapping uint64 arithmetic
(ggml-org/llama.cpp issue 22300). The csv, md and sql outputs carry no samples and are refused.
Source of the format: tools/llama-bench/llama-bench.cpp, builds 5163 to 10224.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engine.results.model import (
    MAX_REPETITIONS,
    MAX_RUNS,
    MAX_SAMPLES,
    ResultFile,
    Run,
    Setting,
    brief,
)
from engine.results.source_json import Figure, parse_at
from engine.statistics import decimal_text, mean, square_root, variance
from receipts.errors import MalformedError

NAME = "llama-bench"

_IDENTITY = (
    "build_commit",
    "build_number",
    "cpu_info",
    "gpu_info",
    "backends",
    "model_filename",
    "model_type",
    "model_size",
    "model_n_params",
    "test_time",
)
_REPORTED = ("avg_ts", "stddev_ts", "avg_ns")
_NOT_CONFIG = frozenset((*_IDENTITY, *_REPORTED, "stddev_ns", "samples_ns", "samples_ts"))
_KEY = re.compile(rb'"(?:build_commit|samples_ns)"\s*:')
_TABLE = re.compile(
    rb"^build_commit,build_number,"
    rb"|^\|[ \t]*model[ \t]*\|.*\|[ \t]*t/s[ \t]*\|"
    rb"|^(?:CREATE TABLE IF NOT EXISTS|INSERT INTO) (?:test|llama_bench) \(",
    re.MULTILINE,
)
_OBJECT = re.compile(r'\{\s*"')
_ARRAY = re.compile(r"\[\s*(?:[{\]]|\Z)")
_SPACE = re.compile(r"\s*")
_PRINTED = Fraction(1, 2 * 10**6)  # half a unit of the sixth decimal
_SHORT = Fraction(5, 10**6)  # six significant digits, relative
_DOUBLE = Fraction(1, 2**46)  # what the tool's double arithmetic may lose, relative


def recognises(data: bytes) -> bool:
    """Say whether there are records or one of the tool's tables in `data`."""
    return _KEY.search(data) is not None or _TABLE.search(data) is not None


def read(data: bytes) -> ResultFile:
    """Return one run a record, in file order; raises `MalformedError` that names the record."""
    if _KEY.search(data) is None and _TABLE.search(data):
        raise MalformedError(
            "aggregates only: no samples_ns, run llama-bench with -o json or jsonl"
        )
    try:
        scan = _Scan(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise MalformedError(f"not UTF-8 text: {error.reason} at byte {error.start}") from error
    scan.to_end()
    if not scan.records:
        raise MalformedError("no llama-bench record in the file: the run failed or was cut away")
    _bound(scan.records)
    runs = tuple(_run(record, number) for number, record in enumerate(scan.records))
    noise = f"noise lines: {scan.noise} (not part of any record)"
    return ResultFile(reader=NAME, runs=runs, warnings=(noise,) if scan.noise else ())


@dataclass(slots=True)
class _Scan:
    """Walks over a text and collects records; other lines count as noise.

    The tool writes records one by one and flushes, so log lines may also stand inside its array.
    """

    text: str
    position: int = 0
    records: list[dict[str, Any]] = field(default_factory=list)
    noise: int = 0
    array: int | None = None  # where the open array starts
    separator: str = "["  # the last of "[", ",", "}" inside the open array

    def to_end(self) -> None:
        while self._skip_space():
            self._step()
        if self.array is not None:
            line = self.text.count("\n", 0, self.array) + 1
            raise MalformedError(
                f"the array that starts on line {line} is not terminated: llama-bench stopped early"
            )

    def _skip_space(self) -> bool:
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return self.position < len(self.text)

    def _step(self) -> None:
        character = self.text[self.position]
        if character == "{" and _OBJECT.match(self.text, self.position):
            self._object()
        elif character == "[" and self.array is None and _ARRAY.match(self.text, self.position):
            self.array, self.separator = self.position, "["
            self.position += 1
        elif character in ",]" and self.array is not None:
            self._punctuation(character)
        else:
            self._skip_line()

    def _object(self) -> None:
        value, self.position = parse_at(self.text, self.position)
        if self.array is not None and self.separator == "}":
            raise MalformedError(f"no comma before {self._place()}")
        self.separator = "}"
        if "build_commit" in value or "samples_ns" in value:
            self.records.append(value)
        elif self.array is None:
            self.noise += 1
        else:
            raise MalformedError(f"{self._place()} is not a llama-bench record")

    def _punctuation(self, character: str) -> None:
        if self.separator != "}":
            raise MalformedError(f"a record is missing before {character!r} on {self._place()}")
        self.array = self.array if character == "," else None
        self.separator = character
        self.position += 1

    def _skip_line(self) -> None:
        end = self.text.find("\n", self.position)
        self.position = len(self.text) if end < 0 else end
        self.noise += 1

    def _place(self) -> str:
        return f"line {self.text.count(chr(10), 0, self.position) + 1}"


def _bound(records: list[dict[str, Any]]) -> None:
    if len(records) > MAX_RUNS:
        raise MalformedError(f"{len(records)} records are over the limit of {MAX_RUNS}")
    lists = [record.get("samples_ns") for record in records]
    total = sum(len(samples) for samples in lists if isinstance(samples, list))
    if total > MAX_SAMPLES:
        raise MalformedError(f"{total} samples are over the limit of {MAX_SAMPLES}")


def _run(record: dict[str, Any], number: int) -> Run:
    try:
        return _checked_run(record)
    except MalformedError as error:
        raise MalformedError(f"record {number}: {error}") from error


def _checked_run(record: dict[str, Any]) -> Run:
    if "build_commit" not in record:
        raise MalformedError("build_commit is missing: nothing says which binary was measured")
    prompt, generated = (_count(record, name) for name in ("n_prompt", "n_gen"))
    if prompt + generated == 0:
        raise MalformedError("n_prompt and n_gen are both 0: nothing was measured")
    times, printed = _times(record), _printed_rates(record)
    if len(times) != len(printed):
        raise MalformedError(f"{len(times)} samples_ns but {len(printed)} samples_ts")
    rates = tuple(Fraction(10**9 * (prompt + generated), ns) for ns in times)
    prefix = "prefill" if generated == 0 else "decode" if prompt == 0 else "combined"
    config, warnings = _config(record)
    return Run(
        identity={name: _scalar(record, name) for name in _IDENTITY if name in record},
        config=config,
        samples={
            f"{prefix}_tok_s": rates,
            f"{prefix}_ms": tuple(Fraction(ns, 10**6) for ns in times),
        },
        rows=tuple(
            {"samples_ns": ns, "samples_ts": str(rate)}
            for ns, rate in zip(times, printed, strict=True)
        ),
        tokens=(),
        logits=(),
        reported={name: _number(record, name) for name in _REPORTED if name in record},
        warnings=(*warnings, *_doubts(record, times, rates, printed)),
    )


def _count(record: Mapping[str, Any], name: str) -> int:
    value = record.get(name)
    if type(value) is not int or value < 0:
        raise MalformedError(f"{name} is {brief(value)} or missing; it must be a count of tokens")
    return value


def _times(record: Mapping[str, Any]) -> list[int]:
    times = _list(record, "samples_ns")
    for ns in times:
        if type(ns) is not int or ns <= 0:
            raise MalformedError(f"samples_ns holds {brief(ns)}, which is no integer above 0")
    return times


def _printed_rates(record: Mapping[str, Any]) -> list[Figure | int]:
    rates = _list(record, "samples_ts")
    for rate in rates:
        if type(rate) not in (int, Figure):
            raise MalformedError(f"samples_ts holds {brief(rate)}, which is no number")
    return rates


def _list(record: Mapping[str, Any], name: str) -> list[Any]:
    value = record.get(name)
    if not isinstance(value, list) or not value:
        raise MalformedError(f"{name} is missing or empty: without samples there is no evidence")
    if len(value) > MAX_REPETITIONS:
        raise MalformedError(f"{name} holds {len(value)} values, the limit is {MAX_REPETITIONS}")
    return value


def _scalar(record: Mapping[str, Any], name: str) -> str:
    value = record[name]
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise MalformedError(f"{name} is {brief(value)}, neither text nor number")
    return str(value)


def _number(record: Mapping[str, Any], name: str) -> str:
    if type(record[name]) not in (int, Figure):
        raise MalformedError(f"{name} is {brief(record[name])}, which is no number")
    return str(record[name])


def _config(record: Mapping[str, Any]) -> tuple[dict[str, Setting], list[str]]:
    """Return all settings: builds differ in which they have, so every other scalar is one."""
    config: dict[str, Setting] = {}
    warnings = []
    for name, value in record.items():
        if name in _NOT_CONFIG:
            continue
        if isinstance(value, bool | int):
            config[name] = value
        elif isinstance(value, str):
            config[name] = str(value)
        else:
            warnings.append(f"field {brief(name)} is not a single value and was left out")
    return config, warnings


def _doubts(
    record: Mapping[str, Any],
    times: list[int],
    rates: tuple[Fraction, ...],
    printed: list[Figure | int],
) -> list[str]:
    checks: dict[str, Callable[[Fraction], str | None]] = {
        "avg_ts": lambda value: _differs(value, mean(rates), _PRINTED),
        "stddev_ts": lambda value: _spread_differs(value, rates),
        "avg_ns": lambda value: _differs(value, Fraction(sum(times) // len(times)), Fraction(0)),
    }
    pairs = [(name, record[name], check) for name, check in checks.items() if name in record]
    doubts = [
        f"reported {name} {value} differs from recomputed {recomputed}"
        for name, value, check in pairs
        if (recomputed := check(Fraction(value))) is not None
    ]
    for index, (text, rate) in enumerate(zip(printed, rates, strict=True)):
        if abs(Fraction(text) - rate) > rate * (_SHORT + _DOUBLE):
            recomputed = decimal_text(rate)
            doubts.append(
                f"reported samples_ts[{index}] {text} differs from recomputed {recomputed}"
            )
    if len(times) == 1:
        doubts.append("single repetition: no spread")
    return doubts


def _differs(reported: Fraction, recomputed: Fraction, printing: Fraction) -> str | None:
    slack = printing + recomputed * _DOUBLE if printing else printing
    return decimal_text(recomputed, 12) if abs(reported - recomputed) > slack else None


def _spread_differs(reported: Fraction, rates: tuple[Fraction, ...]) -> str | None:
    """Compare squares: the tool subtracts two large ones, which costs digits of a small spread."""
    square = variance(rates, 1)
    if square is None:
        return None if reported == 0 else "nothing: there is one sample"
    loss = mean(rates) ** 2 * len(rates) * _DOUBLE
    low, high = max(reported - _PRINTED, Fraction(0)), reported + _PRINTED
    if low * low - loss <= square <= high * high + loss:
        return None
    return decimal_text(square_root(square))
