"""llama.cpp `llama-batched-bench` and ik_llama.cpp `llama-sweep-bench`, `--output-format jsonl`.

    {"n_kv_max": 2048, …, "is_pp_shared": 0, …, "pp": 128, "tg": 128, "pl": 2, "n_kv": 512,
     "t_pp": 0.433125, "speed_pp": 591.053406, "t_tg": 11.25, …, "t": 11.683125, "speed": 43.824066}
    {"n_kv_max": 8704, …, "pp": 512, "tg": 128, "n_kv": 1024, "t_pp": 1.25, "speed_pp": 409.6, …}

The first is of batched-bench: `pl` sequences at once, where `n_kv` is the cache that the test
needs. The second is of sweep-bench: one sequence, where `n_kv` is how much stood in the cache
before. It is told by the missing `pl`, and the two never share a run. Each line is one shot; lines
with the same settings are the repetitions of one run. The file names no build and no model.

Times are whole microseconds, divided in float32 and printed with six decimals, which loses nothing:
the nearest float32 of the printed time is the time that the tool divided by. So each speed is
recomputed digit for digit, in float32: pl·pp/t_pp (pp/t_pp if the prompt is shared), pl·tg/t_tg,
and all tokens over t_pp + t_tg. Only the first line of a sweep can be a mean of repetitions that
are not kept (`-nrep`); there the six printed decimals leave an interval. The Markdown table keeps
milliseconds and two decimals: it is no evidence.
Source of the format: tools/batched-bench/batched-bench.cpp, 2024-09 to 2026, and ik_llama.cpp
examples/sweep-bench/sweep-bench.cpp.
"""

import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine.results.content import Content
from engine.results.model import MAX_RUNS, MAX_SAMPLES, ResultFile, Run, Settings, Table, brief
from engine.results.reconciliation import Line, compared, define, unavailable
from engine.results.refusals import ALL, Note, ResultError
from engine.samples import Column

NAME = "llama-batched-bench"
SWEEP = "ik-sweep-bench"

_KEYS = ("n_kv_max", "pp", "tg", "n_kv", "t_pp", "t_tg", "speed_pp", "speed_tg")
_TIMES = ("t_pp", "t_tg", "t")
_RESULTS = frozenset((*_TIMES, "speed_pp", "speed_tg", "speed", "rss_hwm_mib", "vram_delta_mib"))
_TABLE = re.compile(
    rb"^[ \t]*\|[ \t]*PP[ \t]*\|[ \t]*TG[ \t]*\|(?:[ \t]*B[ \t]*\|)?[ \t]*N_KV[ \t]*\|",
    re.MULTILINE,
)
_ULPS = 2.0**-22
"""Two units in the last place of a float32: what another order of operations may cost."""
_HALF = 5e-7  # half a unit of the sixth decimal
_LARGEST = 10**12
_NO_KEY = "the memory that the tool saw at one moment"


def recognises(content: Content) -> bool:
    """Say whether one of the two tools wrote a record or a table here."""
    return any(_ours(one) for one in content.documents.values) or content.opens(_TABLE)


def read(content: Content) -> ResultFile:
    """Return one run for each setup, in file order; raises `ResultError` that names the record."""
    documents = content.documents
    records = [one for one in documents.values if _ours(one)]
    if not records:
        detail = "the table keeps milliseconds and two decimals; use --output-format jsonl"
        raise ResultError("aggregates-only", detail)
    if len(records) > MAX_SAMPLES:
        raise ResultError("too-large", f"{len(records)} records are over {MAX_SAMPLES}")
    others = len(documents.values) - len(records)
    if documents.listed and others:
        raise ResultError("malformed", f"{others} members of the array are no records")
    runs = tuple(_run(group) for group in _grouped(records))
    if len(runs) > MAX_RUNS:
        raise ResultError("too-large", f"{len(runs)} setups are over the limit of {MAX_RUNS}")
    noise = documents.noise + others
    told = Note("log-noise", f"noise lines: {noise} (not part of any record)")
    return ResultFile(NAME, runs, (told,) if noise else ())


def check(run: Run) -> Iterator[Line]:
    """Yield each printed total and speed against the same from the printed times."""
    records: Sequence[Mapping[str, Any]] = run.source
    for number, record in enumerate(records):
        prefix = f"row{number}." if len(records) > 1 else ""
        for line in _lines(record):
            yield line._replace(metric=prefix + line.metric)


def _ours(record: Mapping[str, Any]) -> bool:
    return all(name in record for name in _KEYS)


def _sweeps(record: Mapping[str, Any]) -> bool:
    return "pl" not in record and "is_pp_shared" not in record


def _grouped(records: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for number, record in enumerate(records):
        try:
            _require(record)
        except ResultError as error:
            raise error.at(f"record {number}") from error
        setup = {name: value for name, value in record.items() if name not in _RESULTS}
        groups.setdefault(repr(sorted(setup.items())), []).append(record)
    return list(groups.values())


def _require(record: Mapping[str, Any]) -> None:
    """Raise `ResultError` unless counts are counts, and times and speeds finite numbers."""
    for name in ("pp", "tg", "n_kv", *(() if _sweeps(record) else ("pl", "is_pp_shared"))):
        value = record.get(name, -1)
        if type(value) not in (int, bool) or not 0 <= value < _LARGEST:
            raise ResultError("not-a-number", f"{name} is {brief(value)}, not a count of tokens")
    for name in ("t_pp", "t_tg", "t", "speed_pp", "speed_tg", "speed"):
        value = record.get(name, 0)
        if type(value) not in (int, float) or not 0 <= value < _LARGEST:
            raise ResultError("not-a-number", f"{name} is {brief(value)}, not a number from 0 up")
    for name, tokens in (("t_pp", record["pp"]), ("t_tg", record["tg"])):
        if tokens and not _single(record[name]) > 0:
            raise ResultError("zero-is-missing", f"{name} is {record[name]} for {tokens} tokens")


def _tokens(record: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many tokens were prefilled and how many decoded, over all sequences."""
    sequences = 1 if _sweeps(record) else int(record["pl"])
    shared = not _sweeps(record) and record["is_pp_shared"]
    return (record["pp"] if shared else sequences * record["pp"]), sequences * record["tg"]


def _run(records: Sequence[Mapping[str, Any]]) -> Run:
    first = records[0]
    sweeps = _sweeps(first)
    names = [name for name in (*_TIMES, "speed_pp", "speed_tg", "speed") if name in first]
    return Run(
        identity={"tool": SWEEP if sweeps else NAME},
        config=Settings(first, apart=_RESULTS),
        samples=_samples(records),
        rows=Table({name: [one.get(name) for one in records] for name in names}, len(records)),
        reported={name: first[name] for name in names} if len(records) == 1 else {},
        notes=tuple(_notes(records, sweeps=sweeps)),
        source=records,
    )


def _samples(records: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    prefilled, decoded = _tokens(records[0])
    prefills, decodes = ([one[name] for one in records] for name in ("t_pp", "t_tg"))
    found = {}
    if prefilled:
        found["prefill_tok_s"] = Column(prefills, prefilled, inverse=True)
        found["prefill_ms"] = Column(prefills, 1000)
    if decoded:
        found["decode_tok_s"] = Column(decodes, decoded, inverse=True)
        found["decode_ms"] = Column(decodes, 1000)
    if prefilled and decoded and not _sweeps(records[0]):
        sums = [Fraction(a) + Fraction(b) for a, b in zip(prefills, decodes, strict=True)]
        found["summed_tok_s"] = Column(sums, prefilled + decoded, inverse=True)
    return found


def _notes(records: Sequence[Mapping[str, Any]], *, sweeps: bool) -> Iterator[Note]:
    if sweeps:
        yield Note("n-kv-is-depth", "n_kv is how many tokens stood in the cache before the test")
        if records[0]["n_kv"] == 0:
            yield Note("may-be-a-mean", "with -nrep the first line is a mean of unkept repetitions")
    if len(records) == 1:
        yield Note("not-a-distribution", "single repetition: no spread")
    elif len({(one["t_pp"], one["t_tg"]) for one in records}) < len(records):
        detail = "two lines agree to the microsecond: one shot stands in the file twice"
        yield Note("repeated-rows", detail, ALL)


def _lines(record: Mapping[str, Any]) -> Iterator[Line]:
    prefilled, decoded = _tokens(record)
    prefill, decode = _single(record["t_pp"]), _single(record["t_tg"])
    tool = SWEEP if _sweeps(record) else NAME
    yield _speed(record, "speed_pp", tool, prefilled, prefill)
    yield _speed(record, "speed_tg", tool, decoded, decode)
    whole = _single(prefill + decode)
    if "t" in record:
        definition = define(tool, "t", "sum", "float32,printed-6-decimals", "one", "s")
        yield compared("t", record["t"], _printed(whole), definition, noise=_ULPS)
    if "speed" in record:
        yield _whole_speed(record, tool, prefilled + decoded, whole)
    for name in ("rss_hwm_mib", "vram_delta_mib"):
        if record.get(name) is not None:
            definition = define(tool, name, "value", "unknown", "one", "MiB")
            yield unavailable(name, record[name], definition, _NO_KEY)


_ABOUT = {"speed_pp": "prefill_tok_s", "speed_tg": "decode_tok_s", "speed": "summed_tok_s"}


def _speed(record: Mapping[str, Any], name: str, tool: str, tokens: int, time: float) -> Line:
    definition = define(tool, name, "rate", "float32,printed-6-decimals", "one", "tok/s")
    about = _ABOUT[name] if tokens else ""
    line = compared(name, record[name], _rate(tokens, time), definition, about, _ULPS)
    if line.verdict == "differs" and _sweeps(record) and record["n_kv"] == 0:
        lowest, highest = tokens / (time + _HALF), tokens / max(time - _HALF, 1e-9)
        if lowest * (1 - _ULPS) - _HALF <= record[name] <= highest * (1 + _ULPS) + _HALF:
            note = "within the six printed decimals of a time that may be a mean"
            return line._replace(verdict="float-noise", note=note)
    return line


def _whole_speed(record: Mapping[str, Any], tool: str, tokens: int, time: float) -> Line:
    """Compare the speed over all; some builds count the cache instead of the tokens."""
    line = _speed(record, "speed", tool, tokens, time)
    if line.verdict == "differs" and record["n_kv"] != tokens:
        counted = _rate(record["n_kv"], time)
        if counted == record["speed"]:
            note = f"counts n_kv {record['n_kv']} for {tokens} tokens that were computed"
            return line._replace(verdict="known-tool-bug", note=note)
    return line


def _rate(tokens: int, time: float) -> float | None:
    return _printed(_single(_single(tokens) / time)) if time > 0 else None


def _single(value: float) -> float:
    """Return the nearest float32; infinity where there is none."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.inf


def _printed(value: float) -> float:
    return float(f"{value:.6f}")
