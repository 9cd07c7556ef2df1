"""What every reader of raw results returns: runs with one exact sample per repetition or request.

A file holds one or more runs (cells). A run keeps apart what it measured (`identity`), how it was
set up (`config`), what every repetition or request gave (`samples`, `rows`), what the tool says
about it (`reported`, never believed without recomputing) and what to know before citing it
(`notes`). `select` picks one run by its fields, as evidence does: ``select: {n_ubatch: 512}``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from engine.results.refusals import Note
from engine.samples import Column
from receipts.errors import Error, NotFoundError

Setting = str | int | bool
Status = Literal["ok", "failed", "cancelled", "warm-up", "incomplete"]

MAX_RUNS = 10_000
# Exact sums of rates have denominators that grow with every repetition: 3000 cost half a second.
MAX_REPETITIONS = 3_000
MAX_SAMPLES = 100_000
_SHOWN = 8
_SHOWN_CHARACTERS = 60


class Run(NamedTuple):
    """One configuration, measured once or more.

    `samples` maps metric ids to one value per counted repetition or request in file order, in the
    metric's unit. `rows` holds the raw row of each, counted or not, as plain values; where tools
    tell, its `status` says what became of it. `tokens` and `logits` are empty where none are kept,
    and so is `forced`: what would have been chosen after each of the tokens that were fed.
    `source` is what the reader's `check` recomputes from.
    """

    identity: Mapping[str, Setting]
    config: Mapping[str, Setting]
    samples: Mapping[str, Column]
    rows: Sequence[Mapping[str, Any]]
    reported: Mapping[str, Any] = MappingProxyType({})
    notes: tuple[Note, ...] = ()
    tokens: tuple[tuple[int, ...], ...] = ()
    logits: tuple[str, ...] = ()
    forced: tuple[tuple[int, ...], ...] = ()
    source: Any = None


@dataclass(frozen=True, slots=True)
class ResultFile:
    """All runs of one raw file, in file order, and the stable id of the reader that read it.

    `part` says what the file is where a tool writes several: ``rows`` or ``summary``.
    """

    reader: str
    runs: tuple[Run, ...]
    notes: tuple[Note, ...] = ()
    part: str = "rows"


class Table(Sequence[Mapping[str, Any]]):
    """Rows made from columns of equal length when they are asked for."""

    __slots__ = ("_columns", "_length")

    def __init__(self, columns: Mapping[str, Sequence[Any]], length: int) -> None:
        self._columns = columns
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self._length))]
        place = range(self._length)[index]
        return {name: column[place] for name, column in self._columns.items()}


class Settings(Mapping[str, Setting]):
    """The single values of a parsed object: of all its keys, of `only` these, or not of `apart`.

    Nested ones stand under dotted names; null is left out; a number with a fraction is given as its
    text. Nothing is computed before somebody asks.
    """

    __slots__ = ("_apart", "_found", "_only", "_source")

    def __init__(
        self,
        source: Mapping[str, Any],
        *,
        only: Sequence[str] | None = None,
        apart: frozenset[str] = frozenset(),
    ) -> None:
        self._source = source
        self._only = only
        self._apart = apart
        self._found: dict[str, Setting] | None = None

    def _values(self) -> dict[str, Setting]:
        if self._found is None:
            names = self._source if self._only is None else self._only
            wanted = [n for n in names if n in self._source and n not in self._apart]
            self._found = dict(_flat({name: self._source[name] for name in wanted}, ""))
        return self._found

    def __getitem__(self, name: str) -> Setting:
        return self._values()[name]

    def __iter__(self) -> Any:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __repr__(self) -> str:
        return repr(self._values())


def _flat(source: Mapping[str, Any], prefix: str) -> Iterable[tuple[str, Setting]]:
    for name, value in source.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, str | int):  # a bool is an int
            yield prefix + name, value if isinstance(value, int) else str(value)
        elif isinstance(value, float):
            yield prefix + name, repr(value)


def select(file: ResultFile, where: Mapping[str, Setting]) -> Run:
    """Return the one run whose identity and config agree with every field of `where`.

    Values are compared as text, so that a YAML `512` and a JSON 512 agree. Raises `NotFoundError`
    for a field that no run has and when nothing matches, and `Error` when several runs match.
    """
    runs = [(run, fields(run)) for run in file.runs]
    known = _in_order(name for _, present in runs for name in present)
    for name in where:
        if name not in known:
            listed = ", ".join(map(_plain, known))
            raise NotFoundError(f"no run has a field {name!r}; known fields: {listed}")
    wanted = {name: _text(value) for name, value in where.items()}
    matched = [(run, present) for run, present in runs if wanted.items() <= present.items()]
    if len(matched) == 1:
        return matched[0][0]
    selection = ", ".join(f"{name}={value}" for name, value in wanted.items()) or "no condition"
    if not matched:
        there = "; ".join(_values([present for _, present in runs], name) for name in wanted)
        raise NotFoundError(f"none of {len(runs)} runs matches {selection}; there is {there}")
    apart = _told_apart([present for _, present in matched], known)
    raise Error(f"{len(matched)} of {len(runs)} runs match {selection}; told apart by {apart}")


def apart(file: ResultFile) -> list[str]:
    """Return for each run the fields that tell it from the others, as text."""
    runs = [fields(run) for run in file.runs]
    names = _in_order(name for present in runs for name in present)
    telling = [name for name in names if len({present.get(name) for present in runs}) > 1]
    return [
        ", ".join(f"{name}={_plain(present[name])}" for name in telling if name in present)
        or f"run {number}"
        for number, present in enumerate(runs)
    ]


def brief(value: object) -> str:
    """Return a value of a foreign file as one short printable line, for an error message."""
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"


def fields(run: Run) -> dict[str, str]:
    """Return identity and config of `run` as the text by which it is selected."""
    return {name: _text(value) for name, value in (*run.identity.items(), *run.config.items())}


def _text(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _told_apart(runs: Sequence[Mapping[str, str]], names: Sequence[str]) -> str:
    differing = [name for name in names if len({present.get(name) for present in runs}) > 1]
    return "; ".join(_values(runs, name) for name in differing) or "no field"


def _values(runs: Sequence[Mapping[str, str]], name: str) -> str:
    values = _in_order(present.get(name, "absent") for present in runs)
    more = ", …" if len(values) > _SHOWN else ""
    return f"{_plain(name)} ({', '.join(map(_plain, values[:_SHOWN]))}{more})"


def _plain(text: str) -> str:
    short = len(text) <= _SHOWN_CHARACTERS and text.isprintable()
    return text if short else brief(text)


def _in_order(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
