"""What was judged, as plain values and back, as far as the checks of a page look at it.

Only what is named here is spelled. Where a check asks for more of a judgement read back, nothing is
guessed: `UnknownError` says so, and the page is judged the long way.
"""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from claims.numerals.numbers import Number
from claims.registers.barred import Barred
from claims.rules import Refusal
from engine.samples import Column

MOST_SAMPLES = 4096

_CLAIM = (
    "id", "kind", "wording", "metric", "statistic", "evidence", "metrics", "cells", "scope",
    "baseline_scope", "candidate_scope", "comparator", "repetitions", "cv_limit", "must_retain",
    "forbidden", "tag", "derived", "owner", "margin",
)  # fmt: skip
_LOOKED_AT: Mapping[str, tuple[str, ...]] = {
    "Claim": _CLAIM,
    "EvidenceRef": ("entry", "receipt", "select", "arm", "cell"),
    "Comparator": ("name", "commit", "date"),
    "Judgement": (
        "claim", "evidence", "values", "sentence", "refusals", "holds", "cells", "wins",
        "of_every_cell",
    ),
    "Evidence": ("receipt", "arms", "facts", "sides", "window", "parts", "readers"),
    "Part": ("cell", "name", "metric", "evidence"),
    "Side": ("facts",),
    "Run": ("samples",),
    "Receipt": ("uri", "digest", "predicate"),
    "Digest": ("hex",),
    "RunPredicate": ("cell", "arm", "started_at", "attached_at"),
    "WindowPredicate": (
        "cell", "arm", "started_at", "attached_at", "baseline", "candidate", "exactness", "scope",
    ),
    "Exactness": ("result", "compared"),
    "Policy": ("packs", "name", "say", "facts", "repetitions", "misses_with_wins", "footnote"),
    "Pack": ("name",),
    "NotClaimed": ("phrase", "note"),
    "Withdrawn": ("reason", "replaced_by"),
    "Names": ("metrics", "cells"),
}  # fmt: skip
_WITH_TEXT = frozenset({"Comparator"})
"""Of these, checks read the words that `str` gives."""


class UnknownError(Exception):
    """Nothing is known of what is asked for."""


class Told:
    """What is known of an object; whatever else is asked of it is unknown, and no `None`."""

    def __init__(
        self, kind: str, known: Mapping[str, Any], absent: tuple[str, ...], text: str | None
    ) -> None:
        self.__dict__.update(known)
        self.__dict__["~"] = (kind, tuple(known), absent, text)

    def __getattr__(self, name: str) -> Any:
        kind, _, absent, _ = self.__dict__["~"]
        if name in absent:
            raise AttributeError(name)
        raise UnknownError(f"{kind}.{name}")

    def __str__(self) -> str:
        kind, _, _, text = self.__dict__["~"]
        if text is None:
            raise UnknownError(f"{kind} in words")
        return str(text)

    def __repr__(self) -> str:
        return f"<{self.__dict__['~'][0]}, as told>"

    # Never compared by what is not known: nobody compares these, and whoever begins to is told.
    def __eq__(self, other: object) -> bool:
        raise UnknownError(f"{self!r} compared")

    __hash__ = None  # type: ignore[assignment]  # as Python itself says that one has no hash

    def model_copy(self, update: Mapping[str, Any]) -> "Told":
        """Return the same with these fields changed, as a model does."""
        kind, names, absent, _ = self.__dict__["~"]
        unknown = sorted(update.keys() - set(names))
        if unknown:
            raise UnknownError(f"{kind}.{unknown[0]}")
        known = {name: update.get(name, self.__dict__[name]) for name in names}
        return Told(kind, known, absent, None)

    def model_dump_json(self) -> str:
        """Return a text that is the same for the same fields, as a model does."""
        return text(self)


def text(value: Any) -> str:
    """Return a value spelled as one text, the same for the same value."""
    return json.dumps(spelled(value), sort_keys=True)


def spelled(value: Any) -> Any:
    """Return a value as JSON can hold it; `UnknownError` for what nobody looks at."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind in _SPELL:
        return _SPELL[kind](value)
    if isinstance(value, Told):
        name, names, absent, words = value.__dict__["~"]
        told = {one: spelled(value.__dict__[one]) for one in names}
        return ["told", name, told, list(absent), words]
    if kind.__name__ in _LOOKED_AT:
        return _told(value, kind.__name__)
    if isinstance(value, Mapping):
        return ["map", [[spelled(key), spelled(one)] for key, one in value.items()]]
    raise UnknownError(kind.__name__)


def _told(value: Any, name: str) -> Any:
    names = [one for one in _LOOKED_AT[name] if hasattr(value, one)]
    absent = [one for one in _LOOKED_AT[name] if one not in names]
    words = str(value) if name in _WITH_TEXT else None
    return ["told", name, {one: spelled(getattr(value, one)) for one in names}, absent, words]


def _several(word: str) -> Callable[[Any], Any]:
    return lambda value: [word, [spelled(one) for one in value]]


def _column(value: Column) -> Any:
    if len(value) > MOST_SAMPLES:
        raise UnknownError("a long column")
    return ["column", [[one.numerator, one.denominator] for one in value]]


def _refusal(value: Refusal) -> Any:
    names = Refusal.__slots__
    return ["refusal", [getattr(value, name) for name in names]]


def _number(value: Number) -> Any:
    return ["number", [spelled(getattr(value, name)) for name in _NUMBER]]


def _barred(value: Barred) -> Any:
    return ["barred", [spelled(getattr(value, name)) for name in _BARRED]]


_NUMBER = ("text", "value", "decimals", "unit", "start", "end", "after")
_BARRED = ("number", "reason", "note", "metric", "cells", "place", "entry")
_SPELL: Mapping[type[Any], Callable[[Any], Any]] = {
    Fraction: lambda value: ["ratio", value.numerator, value.denominator],
    Decimal: lambda value: ["decimal", str(value)],
    list: _several("list"),
    tuple: _several("tuple"),
    frozenset: lambda value: ["set", sorted(value)],
    set: lambda value: ["set", sorted(value)],
    Column: _column,
    Refusal: _refusal,
    Number: _number,
    Barred: _barred,
}


def read(value: Any) -> Any:
    """Return what was spelled; what looked at it may ask of it what `spelled` looked at."""
    if type(value) is not list:
        return value
    return _READ[value[0]](*value[1:])


def _all(values: list[Any]) -> list[Any]:
    return [read(one) for one in values]


def _read_told(kind: str, told: dict[str, Any], absent: list[str], words: str | None) -> Told:
    known = {name: read(one) for name, one in told.items()}
    return Told(kind, known, tuple(absent), words)


_READ: Mapping[str, Callable[..., Any]] = {
    "told": _read_told,
    "map": lambda pairs: {read(key): read(one) for key, one in pairs},
    "ratio": Fraction,
    "decimal": Decimal,
    "list": _all,
    "tuple": lambda values: tuple(_all(values)),
    "set": frozenset,
    "column": lambda values: Column([Fraction(*one) for one in values]),
    "refusal": lambda values: Refusal(*values),
    "number": lambda values: Number(*_all(values)),
    "barred": lambda values: Barred(*_all(values)),
}
