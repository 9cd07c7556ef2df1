"""Number words: `zero failures` and `twice as fast` are claims, `one of two` is not.

Words are on for the nouns that results are counted in, and for factors. From `thirteen` on
(`thirty-five tokens per second`, `hundreds of runs`) they are read only where they count: nothing
names them otherwise.
"""

from collections.abc import Iterator
from decimal import Decimal

from claims.numerals import han_words, part_words, units
from claims.numerals.units import UNIT
from receipts import late as re

VALUES: dict[str, str] = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11",
    "twelve": "12", "half": "0.5", "twice": "2", "double": "2", "triple": "3",
}  # fmt: skip
"""The value of each word."""

# A word ends where it ends, or goes on with -fold: twofold, hundredfold.
_END = r"(?:\b|(?=fold\b))"
# Without the first letter's case; the leading boundary is tested afterwards, for it would slow
# the search down. Both kinds are sought at once, by their second letter: most words have another.
_HINT = re.compile(
    rf"[zZtTfFsSeEnNdDhHmMbB](?:"
    rf"i(?:(?P<i>(?:ve|x|ght|ne){_END})|(?:ft|xt|ght)(?:een|y)|net(?:een|y)|llion)"
    rf"|e(?:(?P<e>(?:ro|n|ven){_END})|vent(?:een|y))"
    rf"|h(?:(?P<h>ree{_END})|irt(?:een|y)|ousand)"
    rf"|o(?:(?P<o>(?:ur|uble[ds]?){_END})|urteen|rty)"
    rf"|w(?:(?P<w>(?:o|elve|ice){_END})|ent)"
    rf"|(?P<other>(?:leven|alf|riple[ds]?){_END})|undred)"
)
_FACTOR = re.compile(
    r"(?:[ -]?fold|[ \u00a0-](?:times|x)[ \u00a0]"
    r"(?:as|the|faster|slower|higher|lower|more|less|fewer"
    r"|better|worse|larger|smaller|greater|quicker)|[ \u00a0]orders? of magnitude)\b"
)
_TWICE = re.compile(r"[ \u00a0](?:as|the|that|of the|faster|its|their|what)\b")
_COUNTED = re.compile(
    r"(?:[ \u00a0](?:hundred|thousand|million))?"
    r"(?:[ \u00a0](?!of|and|or|the|to|in|at|for)[a-z0-9,-]+){0,3}?"
    r"[ \u00a0](?:failures?|errors?|crash(?:es)?|restarts?|deaths?|regressions?|mismatch(?:es)?"
    r"|divergences?|timeouts?|OOMs?|drops?|loss(?:es)?|waste|overhead|degradation|downtime|violations?|retries|handoffs?|misses|faults?"
    r"|percent|per cent|tokens?[ \u00a0]per[ \u00a0]second)\b"
)


_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_POWERS = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_PARTS = {word: value for value, word in enumerate(_ONES + _TEENS, 1)}
_PARTS |= {word: 10 * value for value, word in enumerate(_TENS, 2)}
_GAP = r"[ \u00a0-]"
_SMALL = (
    rf"(?:(?:{'|'.join(_TENS)})(?:{_GAP}(?:{'|'.join(_ONES)})\b)?|(?:{'|'.join(_ONES + _TEENS)}))"
)
_POWER_WORD = rf"(?:{'|'.join(_POWERS)})s?"
_POWER = rf"{_POWER_WORD}(?:{_GAP}{_POWER_WORD}\b){{0,2}}"
_LARGE = re.compile(
    rf"(?:{_SMALL}{_END}(?:{_GAP}{_POWER}{_END}(?:{_GAP}(?:and{_GAP})?{_SMALL}{_END})?){{0,4}}"
    rf"|{_POWER}{_END}(?:{_GAP}(?:and{_GAP})?{_SMALL}{_END})?)",
    re.IGNORECASE,
)
_SMALL_BEFORE = re.compile(rf"(?<![A-Za-z0-9_-]){_SMALL}{_GAP}\Z", re.IGNORECASE)
_LONGEST_SMALL = len("-seventy-three ")
_REPEATED = re.compile(
    r"[ \u00a0](?:of[ \u00a0])?(?:output |input |prompt |generated |timed |measured )?"
    r"(?:runs|repetitions|reps|repeats|trials|samples|measurements|tokens|requests|prompts"
    r"|iterations)\b"
)


def value(word: str) -> Decimal | None:
    """Return the value of a number word as `find` reads it, None if it is none."""
    if not word.isascii():
        return han_words.value(word)
    lower = word.lower()
    singular = lower.rstrip("sd") if lower.startswith(("double", "triple")) else lower
    if known := VALUES.get(singular):
        return Decimal(known)
    part = part_words.value(lower)
    return _large_value(lower) if part is None else part


def _large_value(lower: str) -> Decimal | None:
    total, current = 0, 0
    for part in re.findall(r"[a-z]+", lower):
        power = _POWERS.get(part.removesuffix("s"))
        if power == _POWERS["hundred"]:
            current = max(current, 1) * power
        elif power:
            total, current = total + max(current, 1) * power, 0
        elif part in _PARTS:
            current += _PARTS[part]
        elif part != "and":
            return None
    return Decimal(total + current)


def find(text: str) -> Iterator[tuple[int, int, str | None]]:
    """Yield begin, stop and exclusion (None for a quantity) of each number word but `one`.

    Large ones, which are yielded only where they count something, come first; Chinese ones last.
    """
    hints = list(_HINT.finditer(text))
    large = list(_large(text, [hint for hint in hints if hint.lastgroup is None]))
    parts = list(part_words.find(text, _is_claimed))
    large = [one for one in large if not any(a < one[1] and one[0] < b for a, b in parts)] + parts
    yield from ((begin, stop, None) for begin, stop in large)
    inside = {at for begin, stop in large for at in range(begin, stop)}
    for match in hints:
        begin, stop = match.span()
        if match.lastgroup is None or begin in inside:
            continue
        is_form = match[0][-1] in "ds" and match[0][0] not in "mMbB"  # doubles, no "moubles"
        known = match[0].lower() in VALUES or is_form
        if known and not text[begin - 1].isalnum() and text[begin - 1] not in "_-":
            yield begin, stop, None if _counts(text, match) else "number-word"
    yield from ((begin, stop, None) for begin, stop in han_words.find(text))


def _large(text: str, hints: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Yield begin and stop of each number word above twelve that counts something."""
    reached = 0
    for hint in hints:
        if hint.start() < reached:
            continue
        begin = _begin(text, hint.start())
        match = _LARGE.match(text, begin)
        if match is None or match.end() < hint.end():
            continue
        reached = match.end()
        if _is_apart(text, begin) and _is_claimed(text, reached):
            yield begin, reached


def _begin(text: str, start: int) -> int:
    """Return where the words begin that go on up to `start`: `four` of `four thousand`."""
    before = _SMALL_BEFORE.search(text, max(0, start - _LONGEST_SMALL), start)
    return before.start() if before else start


def _is_apart(text: str, begin: int) -> bool:
    before = text[begin - 1]
    if before.isalnum() or before in "_-":
        return False
    return not (before in " \u00a0" and text[begin - 2].isdigit())  # 1.2 million is read as digits


def _is_claimed(text: str, end: int) -> bool:
    unit = UNIT.match(text, end)
    if unit and units.claims_result(unit):
        return True
    return any(pattern.match(text, end) for pattern in (_REPEATED, _COUNTED, _FACTOR))


def _counts(text: str, match: re.Match[str]) -> bool:
    word, end = match[0].lower(), match.end()
    if word in {"half", "twice"} or word.startswith(("double", "triple")):
        return _TWICE.match(text, end) is not None
    return bool(_FACTOR.match(text, end) or _COUNTED.match(text, end))
