"""Sentences with holes: numbers come from the evidence, never from a keyboard.

A hole is `{name}` or, for a number, `{name:.2f}` or `{name:,.0f}`. A level claim offers `value`,
`min`, `max`, `cv` (percent), `n` and `unit`; a change claim `ratio`, `percent`, `baseline`,
`candidate` (and `baseline.min` …), `n` and `unit`; both offer `scope.NAME`. Nothing else is a hole:
this is no format string, and no attribute of anything can be reached.
"""

import re
from collections.abc import Mapping
from fractions import Fraction

from claims import numbers
from receipts.errors import MalformedError

_HOLE = re.compile(r"\{([a-z][A-Za-z0-9_.-]*)(?::(,?)\.([0-9])f)?\}")
# "1{value:.2f}" would print ten times the value.
_GLUED = re.compile(r"\d[.,]?\{|\}[.,]?\d")
LEVEL = frozenset({"value", "min", "max", "cv", "n", "unit"})
_SIDES = {f"{arm}.{part}" for arm in ("baseline", "candidate") for part in ("min", "max", "cv")}
CHANGE = frozenset({"ratio", "percent", "baseline", "candidate", "n", "unit"} | _SIDES)
_GENERAL = re.compile(
    r"\b(?:every|all|any|always|across the board|universally|in general)\b"
    r"(?!(?:\s+\w+){0,2}\s+(?:repetitions?|runs?|samples?)\b)",
    re.IGNORECASE,
)
_FASTER = re.compile(r"\b(?:faster|quicker|beats?|outperforms?|speed-?up|wins?)\b", re.IGNORECASE)
_SLOWER = re.compile(r"\b(?:slower|loses?|regress(?:es|ion)?|slow-?down)\b", re.IGNORECASE)

Value = Fraction | int | str


def check_template(template: str, kind: str) -> None:
    """Refuse a template with an unknown hole, a stray brace or a typed measurement."""
    known = CHANGE if kind == "change" else LEVEL
    for name in holes(template):
        if name not in known and not name.startswith("scope."):
            offered = ", ".join(sorted(known))
            raise MalformedError(f"wording has the unknown hole {{{name}}}; there are {offered}")
    glued = _GLUED.search(template)
    if glued:
        raise MalformedError(f"wording has a digit that touches a hole: {glued[0]!r}")
    bare = _HOLE.sub(_stand_in, template)
    if "{" in bare or "}" in bare:
        raise MalformedError("wording has a brace that is no hole, such as {value:.2f}")
    for number in numbers.find(bare):
        if numbers.is_measurement(number.unit):
            raise MalformedError(
                f"wording has the typed number {number.text!r}; numbers come from holes"
            )


def _stand_in(hole: re.Match[str]) -> str:
    """Return what stands for a hole while typed numbers are sought: `200 {unit}` has a unit."""
    return " tok/s" if hole[1] == "unit" else "\N{OBJECT REPLACEMENT CHARACTER}"


def holes(template: str) -> list[str]:
    """Return the names of the template's holes, in order."""
    return [match[1] for match in _HOLE.finditer(template)]


def fill(template: str, values: Mapping[str, Value]) -> str:
    """Return the sentence with every hole filled; `MalformedError` when a value is absent."""

    def one(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            raise MalformedError(f"the evidence has no {name}, which the wording needs")
        return _format(values[name], match[3], grouped=bool(match[2]))

    return " ".join(_HOLE.sub(one, template).split())


def says_more(sentence: str) -> str | None:
    """Return the word by which a sentence claims more than one scope, None when there is none."""
    found = _GENERAL.search(sentence)
    return found[0] if found else None


def wrong_direction(sentence: str, ratio: Fraction) -> str | None:
    """Return the word that says the opposite of the ratio, None when there is none."""
    pattern = _FASTER if ratio < 1 else _SLOWER if ratio > 1 else None
    found = pattern.search(sentence) if pattern else None
    return found[0] if found else None


def states_count(sentence: str, n: int) -> bool:
    """Say whether the sentence itself tells how few repetitions there are."""
    if n == 1 and "single sample" in sentence.lower():
        return True
    counts = [number for number in numbers.find(sentence) if number.unit is None]
    return n > 1 and any(number.value == n and number.decimals == 0 for number in counts)


def display(value: Fraction, decimals: int, *, grouped: bool = False) -> str:
    """Return `value` rounded half-even to `decimals` digits after the point."""
    scaled = round(value * 10**decimals)  # of a Fraction: exact, and half-even
    whole, part = divmod(abs(scaled), 10**decimals)
    text = f"{whole:,}" if grouped else str(whole)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{text}.{part:0{decimals}d}" if decimals else f"{sign}{text}"


def _format(value: Value, decimals: str | None, *, grouped: bool) -> str:
    if isinstance(value, Fraction):
        if decimals is None:
            raise MalformedError("a measured number needs its digits, such as {value:.2f}")
        return display(value, int(decimals), grouped=grouped)
    if decimals is not None:
        raise MalformedError(f"{value!r} is not a measured number and takes no digits")
    return str(value)
