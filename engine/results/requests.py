"""Runs of many requests, as vLLM's serving benchmark and what descends from it keep them.

One list per quantity, one entry per request that was sent, in the same order; failed requests stay
in the lists, with zeros. `ok` says which succeeded, and every formula is about these alone::

    {"ttfts": [0.25, 0.0], "itls": [[0.01, 0.01], []], "output_lens": [3, 0], "errors": ["", "…"]}

All formulas are numpy's over seconds, times 1000; an empty list gives 0.0, which the tools print
where nothing was measured. The latency of a request is kept by newer tools only; without it the
time per output token and the whole latency cannot be recomputed: the sum of first token and gaps
comes close (1e-8), and close is not equal.
"""

import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeGuard

from engine.results import numeric
from engine.results.model import Table, brief
from engine.results.reconciliation import Line, compared, counted, define, unavailable
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note, ResultError
from engine.samples import Column

LISTS = (
    *("input_lens", "output_lens", "ttfts", "itls", "errors", "generated_texts"),
    *("latencies", "start_times", "queue_times", "cached_tokens"),
)
TOTALS = (
    *("completed", "failed", "duration", "total_input_tokens", "total_output_tokens"),
    *("request_throughput", "output_throughput", "input_throughput"),
    *("total_token_throughput", "total_throughput"),
)
SUMMARY = re.compile(r"(mean|median|std|p\d+(?:\.\d+)?)_(\w+)_ms")
_NEEDED = ("input_lens", "output_lens", "itls")
_QUANTITIES = {
    "ttft": "ttft_ms",
    "itl": "itl_ms",
    "tpot": "tpot_ms",
    "e2el": "e2e_ms",
    "e2e_latency": "e2e_ms",
}
_LARGEST = 1e100
_MOST_TOKENS = 10**9
_NO_LATENCY = "latency is not in the file; ttft + sum(itl) comes close"


@dataclass(eq=False)
class Requests:
    """The requests of one run; `tool` goes into the ids of formulas."""

    tool: str
    record: Mapping[str, Any]

    def __post_init__(self) -> None:
        if "ttfts" in self.record:
            missing = [name for name in _NEEDED if name not in self.record]
            if missing:
                raise ResultError("rows-inconsistent", f"{', '.join(missing)} is missing")
        lengths = {name: len(self._list(name)) for name in LISTS if name in self.record}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{name} {count}" for name, count in lengths.items())
            raise ResultError("rows-inconsistent", f"lists of different length: {told}")
        for name in ("ttfts", "latencies"):
            require_numbers(name, self.record.get(name, ()))
        for name in ("input_lens", "output_lens"):
            require_counts(name, self.record.get(name, ()))
        for gaps in self.record.get("itls", ()):
            require_numbers("itls", gaps)

    def _list(self, name: str) -> Sequence[Any]:
        values = self.record[name]
        if not isinstance(values, list | array):
            raise ResultError("malformed", f"{name} is {brief(values)}, not a list")
        return values

    @cached_property
    def sent(self) -> int:
        """How many requests have a row."""
        return len(self.record.get("ttfts", ()))

    @cached_property
    def ok(self) -> list[int]:
        """The places of the requests that succeeded."""
        errors = self.record.get("errors")
        return [at for at in range(self.sent) if not errors or not errors[at]]

    def kept(self, name: str) -> Sequence[Any]:
        """Return the entries of a list for the requests that succeeded."""
        values: Sequence[Any] = self.record[name]
        return values if len(self.ok) == len(values) else [values[at] for at in self.ok]

    @cached_property
    def gaps(self) -> "array[float]":
        """The times between tokens of all requests that succeeded, one after the other."""
        return numeric.joined(self.kept("itls"))

    @cached_property
    def latencies(self) -> Sequence[float]:
        """The whole latency of each request that succeeded: kept, or nearly as its parts add up."""
        if "latencies" in self.record:
            return self.kept("latencies")
        pairs = zip(self.kept("ttfts"), self.kept("itls"), strict=True)
        return [first + sum(gaps) for first, gaps in pairs]

    @cached_property
    def per_token(self) -> list[float]:
        """The time per output token after the first, of each request with more than one."""
        triples = zip(self.latencies, self.kept("ttfts"), self.kept("output_lens"), strict=True)
        return [(whole - first) / (n - 1) for whole, first, n in triples if n > 1]

    def samples(self) -> dict[str, Column]:
        """Return what each successful request gave, and the rates of the run as a whole."""
        found = {"ttft_ms": self.kept("ttfts"), "itl_ms": self.gaps}
        if "latencies" in self.record:
            found |= {"e2e_ms": self.latencies, "tpot_ms": self.per_token}
        samples = {name: Column(values, 1000) for name, values in found.items() if len(values)}
        return samples | self._rates()

    def _rates(self) -> dict[str, Column]:
        duration = self.record.get("duration")
        if not is_number(duration) or duration <= 0 or not self.ok:
            return {}
        tokens, asked = sum(self.record["output_lens"]), sum(self.kept("input_lens"))
        counts = {
            "requests_per_s": len(self.ok),
            "output_tok_s": tokens,
            "total_tok_s": tokens + asked,
        }
        return {name: Column([duration], count, inverse=True) for name, count in counts.items()}

    def rows(self) -> Table:
        """Return one row a request, with its status."""
        good = set(self.ok)
        status = ["ok" if at in good else "failed" for at in range(self.sent)]
        shown = [name for name in LISTS if name in self.record and name != "generated_texts"]
        return Table({"status": status, **{name: self.record[name] for name in shown}}, self.sent)

    def notes(self, claimed: object) -> Iterator[Note]:
        """Yield what keeps the run from being cited; `claimed` is how many requests were asked."""
        lost = self.sent - len(self.ok)
        if isinstance(claimed, int) and claimed > self.sent:
            yield Note("rows-incomplete", f"{self.sent} of {claimed} requests have a row", ALL)
        if not self.ok:
            yield Note("all-requests-failed", f"none of {self.sent} requests succeeded", ALL)
        elif lost:
            detail = f"{lost} of {self.sent} requests failed"
            yield Note("failed-rows", detail, ALL, EXCLUDE_FAILED)
        yield from self._zeros()
        yield from self._chunks()

    def _zeros(self) -> Iterator[Note]:
        if self.ok and not any(self.kept("output_lens")):
            detail = f"{len(self.ok)} requests count as completed and produced no token"
            yield Note("zero-is-missing", detail, ALL)
        elif missing := sum(not first > 0 for first in self.kept("ttfts")):
            detail = f"{missing} of {len(self.ok)} successful requests have a ttft of 0 or less"
            yield Note("zero-is-missing", detail, frozenset({"ttft_ms", "tpot_ms"}))

    def _chunks(self) -> Iterator[Note]:
        tokens = sum(max(n - 1, 0) for n in self.kept("output_lens"))
        if tokens and len(self.gaps) < 0.9 * tokens:
            detail = f"{len(self.gaps)} gaps for {tokens} tokens: itl is per chunk, not per token"
            yield Note("itl-per-chunk", detail)

    def check(self) -> Iterator[Line]:
        """Yield every total and every summary that the tool printed."""
        yield from self._totals()
        for name, reported in self.record.items():
            matched = SUMMARY.fullmatch(name)
            if matched and matched[2] in _QUANTITIES and _is_statistic(matched[1]):
                yield self._summary(name, reported, matched[1], matched[2])
            elif matched:
                define_ = define(self.tool, matched[2], matched[1], "unknown", "ok", "ms")
                yield unavailable(name, reported, define_, f"no rows of {matched[2]}")

    def _totals(self) -> Iterator[Line]:
        record, tool = self.record, self.tool
        output, duration = sum(record["output_lens"]), record.get("duration")
        asked = sum(self.kept("input_lens"))
        counts = {
            "completed": (len(self.ok), "count"),
            "failed": (self.sent - len(self.ok), "count"),
            "total_output_tokens": (output, "sum"),
            "total_input_tokens": (asked, "sum"),
        }
        for name, (value, statistic) in counts.items():
            if is_number(record.get(name)):
                rows = "failed" if name == "failed" else "ok"
                definition = define(tool, name, statistic, "exact", rows, "1")
                told = counted if statistic == "count" else compared
                yield told(name, record[name], value, definition)
        for name, (count, about) in _RATES.items():
            if not is_number(record.get(name)):
                continue
            definition = define(tool, name, "rate", "over-duration", "ok", "1/s")
            if is_number(duration) and duration > 0:
                value = count(len(self.ok), asked, output) / duration
                yield compared(name, record[name], value, definition, about)
            else:
                yield unavailable(name, record[name], definition, "the duration is missing")

    def _summary(self, name: str, reported: object, statistic: str, quantity: str) -> Line:
        convention = {"mean": "pairwise", "median": "linear", "std": "ddof0"}.get(
            statistic, "linear"
        )
        rows = "ok,output_len>1" if quantity == "tpot" else "ok"
        definition = define(self.tool, quantity, statistic, convention, rows, "ms")
        values = self._values(quantity)
        value = self._statistic(quantity, statistic) if len(values) else 0.0
        about = _QUANTITIES[quantity]
        if len(values) and about in ("tpot_ms", "e2e_ms") and "latencies" not in self.record:
            return unavailable(name, reported, definition, _NO_LATENCY, value)
        return compared(name, reported, value, definition, about)

    def _values(self, quantity: str) -> Sequence[float]:
        about = _QUANTITIES[quantity]
        if about == "ttft_ms":
            return self.kept("ttfts")
        if about == "itl_ms":
            return self.gaps
        return self.per_token if about == "tpot_ms" else self.latencies

    @cached_property
    def _arrays(self) -> dict[str, Any]:
        return {}

    def _statistic(self, quantity: str, statistic: str) -> float:
        if quantity not in self._arrays:
            self._arrays[quantity] = numeric.doubles(self._values(quantity))
        values = self._arrays[quantity]
        if statistic == "mean":
            return numeric.mean(values) * 1000
        if statistic == "median":
            return numeric.median(values) * 1000
        if statistic == "std":
            return numeric.deviation(values, 0) * 1000
        return numeric.percentile(values, float(statistic[1:])) * 1000


_RATES: dict[str, tuple[Callable[[int, int, int], int], str]] = {
    "request_throughput": (lambda ok, _, __: ok, "requests_per_s"),
    "output_throughput": (lambda _, __, output: output, "output_tok_s"),
    "input_throughput": (lambda _, asked, __: asked, ""),
    "total_token_throughput": (lambda _, asked, output: asked + output, "total_tok_s"),
    "total_throughput": (lambda _, asked, output: asked + output, "total_tok_s"),
}


def _is_statistic(name: str) -> bool:
    return name[0] != "p" or float(name[1:]) <= 100


def peak(record: Mapping[str, Any]) -> Iterator[Note]:
    """Yield a note where the peak of the output rate is lower than its mean."""
    highest, mean = record.get("max_output_tokens_per_s"), record.get("output_throughput")
    if is_number(highest) and is_number(mean) and highest < mean:
        detail = f"max_output_tokens_per_s {highest} is under output_throughput {mean}"
        yield Note("peak-below-mean", detail)


def is_number(value: object) -> TypeGuard[float]:
    """Say whether `value` is a finite number, and small enough to be squared as a double."""
    return isinstance(value, float | int) and type(value) is not bool and abs(value) <= _LARGEST


def require_counts(name: str, values: Sequence[Any]) -> None:
    """Raise `ResultError` unless `values` are counts of tokens."""
    for value in values:
        if type(value) is not int or not 0 <= value <= _MOST_TOKENS:
            raise ResultError("not-a-number", f"{name} holds {brief(value)}, no count of tokens")


def require_numbers(name: str, values: Any) -> None:
    """Raise `ResultError` unless `values` are finite numbers, in one pass where all are doubles."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise ResultError("not-a-number", f"{name} is {brief(values)}, not a list of numbers")
    if not values:
        return
    plain = isinstance(values, array) or set(map(type, values)) <= {int, float}
    if plain and is_number(min(values)) and is_number(max(values)):
        return
    for value in values:
        if not is_number(value):
            raise ResultError("not-a-number", f"{name} holds {brief(value)}, which is no number")
