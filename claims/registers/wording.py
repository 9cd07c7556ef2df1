"""Sentences with holes: numbers come from the evidence, never from a keyboard.

A hole is `{name}` or, for a number, `{name:.2f}` or `{name:,.0f}`. A level claim offers `value`,
`min`, `max`, `cv` (percent), `n` and `unit`; a change claim `ratio`, `percent`, `baseline`,
`candidate` (and `baseline.min` …), `pair.min`, `pair.max`, `margin` (percent), `n` and `unit`; a
matrix claim `ratio.min`, `ratio.max`, `ratio.mean` (and the same of each of its `metrics`),
`pair.min`, `pair.max`, `cells`, `cells.planned`, `n` and `unit`. All offer the texts `scope.NAME`,
`baseline_scope.NAME`, `candidate_scope.NAME`, `comparator.name` and `comparator.commit`. Nothing
else is a hole: this is no format string, and no attribute of anything can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from claims.numerals import numbers
from claims.pages.sentences import sentence_ends
from receipts import late as re
from receipts.errors import MalformedError

if TYPE_CHECKING:
    from claims.numerals.numbers import Number
    from receipts.predicates import Facts

HOLE = re.compile(r"\{([a-z][A-Za-z0-9_.-]*)(?::(,?)\.([0-9])f)?\}")
# "1{value:.2f}" would print ten times the value.
_GLUED = re.compile(r"\d[.,]?\{|\}[.,]?\d")
LEVEL = frozenset({"value", "min", "max", "cv", "n", "unit"})
_SIDES = {f"{arm}.{part}" for arm in ("baseline", "candidate") for part in ("min", "max", "cv")}
_PAIRS = {"pair.min", "pair.max"}
CHANGE = frozenset(
    {"ratio", "percent", "baseline", "candidate", "margin", "n", "unit"} | _SIDES | _PAIRS
)
OVER_CELLS = ("min", "max", "mean")
FLOOR = 5
"""Fewer repetitions than this are quoted only with their number in the sentence."""
COUNTS = frozenset({"n", "cells", "cells.planned"})
TEXTS = re.compile(r"(?:scope|baseline_scope|candidate_scope|comparator)\.")
"""Holes that are filled with words of the register, not with what was measured."""
# What is said of the repetitions themselves claims no more than was measured.
_OF_THE_REPETITIONS = (
    r"(?!(?:\s+(?:of|the|these|those|its|our|\d+|two|three|four|five|six|seven|eight|nine|ten))*"
    r"\s+(?:repetitions?|runs?|samples?|reps?)\b|(?:\s+\d+)?\s+of\s+them\b)"
)
# "Not slow at all" is no generality, "at all sizes" is one.
_NOT_AT_ALL = r"(?!(?<=\bat )all(?:\s*[^\w\s]|\s*\Z|\s+(?:and|but|in|on|or|when|while|with)\b))"
_GENERAL = re.compile(
    rf"\b(?:every|{_NOT_AT_ALL}all|any|always|across the board|universally|in general)\b"
    + _OF_THE_REPETITIONS,
    re.IGNORECASE,
)
_PERIOD = r"every\s+(?:evening|morning|night|day|weekday|week|month|hour)\b"
# Words like these that say nothing of the conditions: "356 ms in all", "without any tuning", "with
# all layers on the GPU", "every evening we measure".
_IDLE = re.compile(
    r"\b(?:in\s+all(?=\s*[^\w\s-]|\s*\Z|\s+(?:and|but|to|from|with|before|after|until|over)\b)"
    r"|all\s+in\s+all|all\s+told|(?:after|above|first\s+of|best\s+of)\s+all(?=\s*(?:[^\w\s-]|\Z))"
    r"|all-(?:reduce|gather|to-all)"
    r"|all\s+(?:(?:the|of|its|our)\s+)*(?:\d+\s+)?(?:layers|threads|cores|weights|experts)"
    r"|(?:without|not|nor|if)\s+any|any\s+(?:more|longer)"
    rf"|{_PERIOD}(?=\s+(?:we|I|our|CI|a|the)\b)|(?:measured?|tested|repeat|run)\s+(?:it\s+)?{_PERIOD})"
    r"(?![\w-])",
    re.IGNORECASE,
)
_EVERY_CELL = re.compile(r"\b(?:every|each|all)(?:\s+(?:the|of|these|its|\d+))*\s+cells?\b", re.I)
_FASTER = re.compile(
    r"\b(?:faster|quicker|beats?|outperforms?|speed-?ups?|speeds\s+up|wins?)\b", re.IGNORECASE
)
_NO_CHANGE = re.compile(
    r"\b(?:no|without(?:\s+any)?)\s+(?:(?:measurable|significant|visible|real)\s+)?"
    r"(?:regressions?|slow-?downs?)\b"
    r"|\b(?:is|are|stays?|stayed|remains?|remained)\s+unchanged\b|\bon\s+par\b|\bat\s+parity\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:no|not|without|cannot)|n[’']t)(?:\s+(?:an?|any|the|much|even|really))?\s+\Z",
    re.IGNORECASE,
)
_LONGEST_DENIAL = 32
_NEGATION = re.compile(
    r"\b(?:no|not|never|nor|neither|none|nothing|nobody|cannot|hardly)\b|n[’']t\b", re.IGNORECASE
)

_BLANKS = re.compile(r"\s+")

Value = Fraction | int | str


def offered(kind: str, names: Iterable[str] = ("ratio",)) -> frozenset[str]:
    """Return the holes of a claim of this kind; `names` are those of a matrix's metrics."""
    if kind == "matrix":
        over = {f"{name}.{part}" for name in names for part in OVER_CELLS}
        return frozenset(over | _PAIRS | COUNTS | {"unit"})
    return CHANGE if kind == "change" else LEVEL


def check_template(template: str, kind: str, names: Iterable[str] = ("ratio",)) -> None:
    """Refuse a template with an unknown hole, a stray brace or a typed measurement."""
    known = offered(kind, names)
    for name in holes(template):
        if name not in known and not TEXTS.match(name):
            listed = ", ".join(sorted(known))
            raise MalformedError(f"wording has the unknown hole {{{name}}}; there are {listed}")
    shown = (one[1] for one in HOLE.finditer(template) if one[3] is None)
    undisplayed = next(filter(is_measured, shown), None)
    if undisplayed:
        raise MalformedError(
            f"wording shows {{{undisplayed}}} without its digits; write {{{undisplayed}:.1f}} or so"
        )
    glued = _GLUED.search(template)
    if glued:
        raise MalformedError(f"wording has a digit that touches a hole: {glued[0]!r}")
    bare = HOLE.sub(_stand_in, template)
    if "{" in bare or "}" in bare:
        raise MalformedError("wording has a brace that is no hole, such as {value:.2f}")
    for number in numbers.find(bare):
        if numbers.is_measurement(number.unit):
            raise MalformedError(
                f"wording has the typed number {number.text!r}; numbers come from holes"
            )


def check_statistic(template: str, kind: str) -> None:
    """Refuse a template that shows nothing of the claim's own statistic."""
    names = set(holes(template))
    if kind == "level" and "value" not in names:
        raise MalformedError("wording lacks {value}, the number that a level claim is about")
    if kind == "matrix" and not any(name.rpartition(".")[2] in OVER_CELLS for name in names):
        raise MalformedError("wording lacks {ratio.min}, which a matrix claim is about")
    # Without any number a change is told in words, which are judged with the evidence.
    if kind == "change" and not (_shows_a_change(names) or is_in_words(template)):
        raise MalformedError(
            "wording lacks {ratio}, {percent} or both {baseline} and {candidate}, "
            "which a change claim is about"
        )


def _shows_a_change(names: Set[str]) -> bool:
    return bool(names & {"ratio", "percent"}) or {"baseline", "candidate"} <= names


def is_in_words(template: str) -> bool:
    """Say whether a wording shows no measurement, but for its margin and how often it was run."""
    return set(measured_holes(template)) <= {"margin", "n"}


def check_one_sentence(template: str, scope: Facts) -> None:
    """Refuse a template of more than one sentence: no marker on a page could bind it.

    `scope` gives the words that fill text holes, by name with or without `scope.` before it.
    """
    text, position = "", 0
    numbers_at: list[tuple[int, str]] = []
    plain = " ".join(template.split())
    for hole in HOLE.finditer(plain):
        text += plain[position : hole.start()]
        word = scope.get(hole[1], scope.get(hole[1].removeprefix("scope.")))
        if word is None:
            numbers_at.append((len(text), hole[0]))
        text, position = text + str("0" if word is None else word), hole.end()
    text += plain[position:]
    ends = [end for end in sentence_ends(text) if end < len(text)]
    if ends:
        first = text[: ends[0]]
        for at, written in reversed([one for one in numbers_at if one[0] < len(first)]):
            first = first[:at] + written + first[at + 1 :]
        raise MalformedError(f"wording is more than one sentence: the first is {first!r}")


def _stand_in(hole: re.Match[str]) -> str:
    """Return what stands for a hole while typed numbers are sought: `200 {unit}` has a unit."""
    return " tok/s" if hole[1] == "unit" else "\N{OBJECT REPLACEMENT CHARACTER}"


def holes(template: str) -> list[str]:
    """Return the names of the template's holes, in order."""
    return [match[1] for match in HOLE.finditer(template)]


def measured_holes(template: str) -> list[str]:
    """Return the names of the holes that are filled with what was measured."""
    return [name for name in holes(template) if name != "unit" and not TEXTS.match(name)]


def with_texts(template: str, texts: Mapping[str, Value]) -> str:
    """Return the template with its counts and the words of the register filled in."""

    def one(hole: re.Match[str]) -> str:
        text = TEXTS.match(hole[1]) or hole[1] in COUNTS
        return str(texts.get(hole[1], hole[0])) if text else hole[0]

    return HOLE.sub(one, template)


def fill(template: str, values: Mapping[str, Value]) -> str:
    """Return the sentence with every hole filled; `MalformedError` when a value is absent."""

    def one(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            raise MalformedError(f"the evidence has no {name}, which the wording needs")
        return _format(values[name], match[3], grouped=bool(match[2]))

    return " ".join(HOLE.sub(one, template).split())


class Placed(NamedTuple):
    """What fills a hole: the name of the hole, and where its text stands in the sentence."""

    name: str
    start: int
    stop: int


def placed(template: str, values: Mapping[str, Value]) -> list[Placed]:
    """Return where in the filled sentence each hole's text stands, in order."""
    found, text, position = [], "", 0
    for hole in HOLE.finditer(template):
        text += template[position : hole.start()]
        start = len(_BLANKS.sub(" ", text).lstrip())
        text += fill(hole[0], values)
        found.append(Placed(hole[1], start, len(_BLANKS.sub(" ", text).lstrip())))
        position = hole.end()
    return found


def is_measured(hole: str) -> bool:
    """Say whether a hole is filled with what was measured, and not with a word or a count."""
    return hole != "unit" and hole not in COUNTS and not TEXTS.match(hole)


def says_more(sentence: str, *, every_cell: bool = False) -> str | None:
    """Return the word by which a sentence claims more than its scope, None when there is none.

    Evidence of every cell of a plan may say so: "in every cell", "in all 6 cells".
    """
    text = _EVERY_CELL.sub("", sentence) if every_cell else sentence
    found = _GENERAL.search(text)
    if found and _IDLE.search(text):
        found = _GENERAL.search(_IDLE.sub("", text))
    return found[0] if found else None


def says_every_cell(sentence: str) -> bool:
    """Say whether a sentence is of every cell, so that it must hold in each."""
    return _EVERY_CELL.search(sentence) is not None


def denies(before: str) -> bool:
    """Say whether the words before an assertion deny it."""
    return _NEGATION.search(before) is not None


def wrong_direction(sentence: str, ratio: Fraction) -> str | None:
    """Return the word that says faster where the ratio is below 1, None when there is none."""
    return None if ratio >= 1 else says_faster(sentence)


def says_faster(sentence: str) -> str | None:
    """Return the word by which a sentence says that something is faster, None for no word."""
    for found in _FASTER.finditer(sentence):
        before = sentence[max(0, found.start() - _LONGEST_DENIAL) : found.start()]
        if not _DENIED.search(before):
            return found[0]
    return None


def says_no_change(sentence: str) -> str | None:
    """Return the words by which a sentence says that nothing changed, None for no such words."""
    found = _NO_CHANGE.search(sentence)
    return found[0] if found else None


def says_plainly(sentence: str, words: str) -> bool:
    """Say whether a sentence holds these words as a remark of its own, and nothing denies them.

    "Never run without a gate" says the opposite, and so does "without a gate failing once".
    """
    for found in re.finditer(
        rf"\b{re.escape(words)}(?=\s*(?:[^\w\s]|\Z))", sentence, re.IGNORECASE
    ):
        if not _NEGATION.search(sentence, 0, found.start()):
            return True
    return False


@lru_cache(maxsize=4)
def states_count(sentence: str, n: int) -> bool:
    """Say whether the sentence itself tells how few repetitions there are."""
    if n == 1 and "single sample" in sentence.lower():
        return True
    count = rf"(?<![\w.,]){n}(?![.,]?\d)"
    counted = rf"{count}[\s-]+(?:[\w-]+\s+)?(?:repetitions?|runs?|samples?|reps?)\b"
    stated = rf"{counted}|\bn\s*=\s*{count}(?!\w)"
    return n > 1 and re.search(stated, sentence, re.IGNORECASE) is not None


def display(value: Fraction, decimals: int, *, grouped: bool = False) -> str:
    """Return `value` rounded half-even to `decimals` digits after the point."""
    scaled = round(value * 10**decimals)  # of a Fraction: exact, and half-even
    whole, part = divmod(abs(scaled), 10**decimals)
    text = f"{whole:,}" if grouped else str(whole)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{text}.{part:0{decimals}d}" if decimals else f"{sign}{text}"


def display_as(value: Fraction, number: Number) -> str:
    """Return `value` rounded to the digits of a number that is shown; `0.16k` shows tens."""
    if number.decimals >= 0:
        return display(value, min(number.decimals, 9))
    step = 10**-number.decimals
    return str(round(value / step) * step)


def _format(value: Value, decimals: str | None, *, grouped: bool) -> str:
    if isinstance(value, Fraction):
        if decimals is None:
            raise MalformedError("a measured number needs its digits, such as {value:.2f}")
        return display(value, int(decimals), grouped=grouped)
    if decimals is not None:
        raise MalformedError(f"{value!r} is not a measured number and takes no digits")
    return str(value)
