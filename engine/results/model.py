"""What every reader of raw results returns: runs with one exact sample per repetition.

A file holds one or more runs (cells). A run keeps apart what it measured (`identity`), how it was
set up (`config`), what every repetition gave (`samples`, `rows`) and what the tool says about it
(`reported`, never believed without recomputing). `select` picks one run by its fields, as evidence
does that says ``select: {n_ubatch: 512}``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from receipts.errors import Error, NotFoundError

Setting = str | int | bool

MAX_RUNS = 10_000
# Exact sums of rates have denominators that grow with every repetition: 3000 cost half a second.
MAX_REPETITIONS = 3_000
MAX_SAMPLES = 100_000
_SHOWN = 8
_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Run:
    """One configuration, measured once or more.

    `samples` maps metric ids to one value per repetition in file order, in the metric's unit.
    `rows` holds the raw row of each repetition as plain JSON values (numbers with a fraction as
    their source text); `tokens` and `logits` are empty where the tool keeps none.
    """

    identity: Mapping[str, str]
    config: Mapping[str, Setting]
    samples: Mapping[str, tuple[Fraction, ...]]
    rows: tuple[Mapping[str, Any], ...]
    tokens: tuple[tuple[int, ...], ...]
    logits: tuple[str, ...]
    reported: Mapping[str, str]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResultFile:
    """All runs of one raw file, in file order, and the stable id of the reader that read it."""

    reader: str
    runs: tuple[Run, ...]
    warnings: tuple[str, ...]


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
