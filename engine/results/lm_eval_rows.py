"""The rows of lm-evaluation-harness, by evaluation, filter and metric.

    {"doc_id": 0, …, "filter": "strict-match", "metrics": ["exact_match"], "exact_match": 1.0}

There is a row for each document and filter, so two filters make twice the rows. Older rows have
neither `filter` nor `metrics`: there, every number that is no known field is a metric's, and the
rows come filter by filter, each starting over. The file is opened to append, so it may hold several
evaluations; one ends where a document comes up again.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.results.printed import is_number

_HASHES = ("doc_hash", "prompt_hash", "target_hash")
_KNOWN = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
    | {*_HASHES, "task_name", "token_counts"}
)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The rows of one evaluation of one task; `number` is its place among several in a file."""

    rows: Sequence[Mapping[str, Any]]
    number: int | None = None

    @cached_property
    def hash(self) -> str | None:
        """The digest of documents, prompts and targets, as the tool takes it for its summary."""
        parts = [row.get(name) for row in self.rows for name in _HASHES]
        if not all(isinstance(part, str) for part in parts):
            return None
        text = "".join(map(str, parts))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def scores(self) -> dict[tuple[str, str], list[Any]]:
        """What each document got, by metric and filter."""
        found: dict[tuple[str, str], list[Any]] = {}
        for row in self.rows:
            for metric in metrics(row):
                found.setdefault((metric, filter_of(row)), []).append(_plain(row[metric]))
        return found

    @property
    def labelled(self) -> bool:
        """Whether a row names its filter."""
        return any("filter" in row for row in self.rows)

    def filtered(self, name: str) -> list[Mapping[str, Any]]:
        """Return the rows of one filter."""
        return [row for row in self.rows if filter_of(row) == name]

    def named(self, name: str) -> "Evaluation":
        """Return the same with every row under the filter `name`."""
        return Evaluation([{**row, "filter": name} for row in self.rows], self.number)


def evaluations(rows: Sequence[Mapping[str, Any]]) -> list[Evaluation]:
    """Return the rows of each evaluation, in file order."""
    parts: list[list[Mapping[str, Any]]] = [[]]
    seen: set[tuple[str, str]] = set()
    for row in rows:
        key = (repr(row.get("doc_id")), filter_of(row))
        if key in seen:
            parts.append([])
            seen = set()
        seen.add(key)
        parts[-1].append(row)
    alone = len(parts) == 1
    return [Evaluation(part, None if alone else at) for at, part in enumerate(parts)]


def under(filters: Sequence[str], found: Sequence[Evaluation]) -> list[Evaluation]:
    """Return the evaluations with their rows under these filters, where rows do not name theirs."""
    if any(one.labelled for one in found):
        return list(found)
    if len(filters) == 1:
        return [one.named(filters[0]) for one in found]
    if len(filters) != len(found):
        return list(found)
    parts = [one.named(name) for name, one in zip(filters, found, strict=True)]
    return [Evaluation([row for one in parts for row in one.rows])]


def metrics(row: Mapping[str, Any]) -> list[str]:
    """Return the names of the metrics that a row has a value of."""
    listed = row.get("metrics")
    if isinstance(listed, list) and all(isinstance(name, str) for name in listed):
        return [name for name in dict.fromkeys(listed) if name in row and name not in _KNOWN]
    extra = ((name, _plain(value)) for name, value in row.items() if name not in _KNOWN)
    return [name for name, value in extra if is_number(value) or is_pair(value)]


def filter_of(row: Mapping[str, Any]) -> str:
    """Return the filter of a row, "" where it names none."""
    found = row.get("filter")
    return found if isinstance(found, str) else ""


def is_pair(value: object) -> bool:
    """Say whether this is a log-likelihood and how many words or bytes it is of."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return all(map(is_number, value)) and value[1] > 0


def _plain(value: Any) -> Any:
    """Return a verdict as the 1 or 0 that the tool averages it as, and all else as it is."""
    return int(value) if isinstance(value, bool) else value
