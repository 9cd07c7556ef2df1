"""What the words next to a number make of it: about, at least, up to, faster, slower, a share of.

::

    "about 35 tok/s"   one unit of the last digit may be missing
    "at least 35"      a floor: no repetition lies below
    "under 50 ms"      a ceiling: no repetition lies above
    "up to 36 tok/s"   a peak: the best repetition, and no mean or median
    "86 % of", "0.9× as fast"   a share, where "86 % faster" is a gain
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from claims.checks import nearby
from claims.registers import wording
from claims.registers.bound_words import BOUNDS, Bound
from receipts import late as re

_NEAR = 60

_ABOUT = re.compile(
    r"(?:[~≈∼]\s*|\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|not\s+quite"
    r"|circa|ca\.)"
    r"\s+)\Z",
    re.IGNORECASE,
)
_BELOW = re.compile(r"\b(?:nearly|almost|not\s+quite)\s+\Z", re.IGNORECASE)
_TIME = re.compile(
    r"\A\s*(?:(?:of\s+)?(?:the|its|that)\s+)?(?:(?:less|more|lower|higher|shorter|longer)\s+)?"
    r"(?:time|latency|duration)\b|\A\s*(?:shorter|longer)\b(?!\s+(?:context|prompt))",
    re.IGNORECASE,
)
_TIME_BEFORE = re.compile(
    r"\b(?:the|its)\s+(?:time|latency|duration)(?:\s+per\s+token)?\s+"
    r"(?:is|falls?|fell|drops?|rises?|rose|grows?|shrinks?)\b"
    r"|\b(?:cuts?|reduc\w+|lowers?|rais\w+)\s+(?:the\s+)?(?:time|latency)\b",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:higher|more|greater|larger|longer|increas\w+|gain\w*|rais\w+|rises?|rose"
    r"|(?<!speed.)(?<!speeds.)(?<!sped.)(?<!gives.)(?<!give.)(?<!gave.)\bup(?!\s+to)"
    r"|adds?|grows?|grew|climbs?)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:lower(?:s|ed|ing)?|less|fewer|shorter|smaller|reduc\w+|cuts?|drop(?:s|ped)?|fall(?:s)?"
    r"|fell|decreas\w+|down|shaves?|shrinks?|shrank)\b",
    re.IGNORECASE,
)
_SAVES = re.compile(r"\b(?:saves?|saved|savings?)\b", re.IGNORECASE)
_COSTS = re.compile(r"\b(?:costs?|price|penalty|overhead|gives?\s+up|gave\s+up)\b", re.IGNORECASE)
_BETTER = re.compile(r"\b(?:better|improv\w+|sooner)\b", re.IGNORECASE)
_WORSE = re.compile(
    r"\b(?:slow(?:er|ly|s|ed|down)?|worse|regress\w*|los(?:es?|t|ing)|behind|trail(?:s|ed)?"
    r"|lag(?:s|ged)?|later)\b",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"\A\s*(?:of\b|as\s+(?:fast|soon|slow(?:ly)?|much|many|quick(?:ly)?|long|large|high|low|late)\b"
    r"|the\b|that\s+of\b|its\b)",
    re.IGNORECASE,
)
# "Costs 5.6 % of the rate": what is taken away, and not what is left.
_TAKEN = re.compile(
    r"\b(?:costs?|los(?:es?|t|ing)|sav(?:es?|ed|ing)|cuts?|shaves?(?:\s+off)?|gives?\s+up|gave\s+up"
    r"|sheds?|gains?|adds?)\s+(?:\w+ly\s+|about\s+|only\s+|just\s+|another\s+)?\Z",
    re.IGNORECASE,
)
_REACHED = re.compile(r"\bto\s+(?:\w+ly\s+|about\s+|only\s+|just\s+)?\Z", re.IGNORECASE)
_SPEED = re.compile(
    r"\A\s*(?:as\s+(?:fast|quick(?:ly)?|soon|early)\b|(?:of\s+)?(?:the|its|that)\s+(?:[\w-]+\s+){0,2}?"
    r"(?:speed|rate|throughput|performance|pace)\b)",
    re.IGNORECASE,
)
_QUANTITY = (
    r"(?:time|times|latency|latencies|duration|wait|delay|ttft|itl|tpot|memory|footprint|vram"
    r"|energy|power|cost|bytes|space)"
)
_AMOUNT = re.compile(
    r"\A\s*(?:as\s+(?:slow(?:ly)?|long|late|much|many|large|high|big)\b"
    rf"|(?:of\s+)?(?:the|its|that|in)\s+(?:[\w-]+\s+){{0,2}}?{_QUANTITY}\b)",
    re.IGNORECASE,
)
_SPENT = re.compile(
    r"\b(?:takes?|took|needs?|needed|uses?|used|requires?|required|consumes?|consumed|costs?)"
    r"\s+(?:\w+ly\s+|about\s+|only\s+|just\s+)?\Z",
    re.IGNORECASE,
)
_FILL = r"(?:\w+ly\s+|about\s+|only\s+|just\s+|another\s+|an?\s+|some\s+|[~≈]\s*)*"
_GAINED = re.compile(
    rf"\b(?:(?:gain(?:s|ed|ing)?|sav(?:es?|ed|ing|ings)|los(?:es?|t|ing)|adds?|shav\w+(?:\s+off)?)"
    rf"(?:\s+of)?|(?:difference|gap|margin|lead|advantage|reduction|increase|improvement|drop|speed-?up)"
    rf"\s+(?:of|is|was))\s+{_FILL}\Z",
    re.IGNORECASE,
)
_BY = re.compile(rf"\bby\s+{_FILL}\Z", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:rais|lower|reduc|cut|ris|rose|drop|fall|fell|gr[eo]w|increas|decreas|improv|shr[iau]nk|climb"
    r"|beat|outperform|outrun|lead|led\b|trail|ahead|behind|faster|slower|better|worse|up\b|down\b"
    r"|speed|sped|slow|differ|chang|lag|win|won|exceed|surpass)",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\A\s*(?:faster|slower|quicker|more|less|fewer|higher|lower|longer|shorter|extra)\b"
    r"(?!\s+(?:or|often|than\s+\w+\s+times)\b)",
    re.IGNORECASE,
)
_OF_SPEED = re.compile(
    r"\b(?:faster|quicker|sooner|speed-?ups?|speeds?\s+up|sped\s+up|slower|slow-?downs?"
    r"|slows?\s+down|slowly)\b",
    re.IGNORECASE,
)
_JOINT = r"(?:[-–—−]|\s+to\s+|\s*\.\.\.?\s*)"
_LOW = re.compile(rf"{_JOINT}(?=[-+−–]?\.?\d)")
_HIGH = re.compile(rf"\d{_JOINT}[-+−–]?\Z")
# "between 35.0 and 35.3 tok/s", "between 35.0 tok/s and 35.3 tok/s"
_BETWEEN = re.compile(r"\bbetween\s+[-+−–]?\Z", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+[-+−–]?\.?\d")
_BETWEEN_BEFORE = re.compile(
    r"\bbetween\s+[-+−–]?[\d.,]+(?:\s?[^\s\d]{1,12})?\s+and\s+[-+−–]?\Z", re.IGNORECASE
)
_DENIED = re.compile(r"\b(?:no|not|without|never|than)\s+\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """The words of a sentence before and behind one number and its unit."""

    before: str
    after: str

    @cached_property
    def about(self) -> bool:
        """Whether the number is said to be approximate."""
        return nearby.ends(_ABOUT, self.before) is not None

    @cached_property
    def from_below(self) -> bool:
        """Whether the number is said not to be reached: `nearly 36`."""
        return nearby.ends(_BELOW, self.before) is not None

    @cached_property
    def of_time(self) -> bool:
        """Whether the clause is about how long something takes, and not how fast it is."""
        before, after = self._near
        return _TIME.search(after) is not None or _TIME_BEFORE.search(before) is not None

    @cached_property
    def _bounding(self) -> tuple[Bound | None, str]:
        """Which bound the number is said to be, and the words that say so."""
        about = nearby.ends(_ABOUT, self.before)
        stop = about.start() if about else len(self.before)
        for kind, words in BOUNDS:
            found = nearby.ends(words, self.before, stop)
            if found:
                return kind, found[0].strip()
        return None, ""

    @property
    def bound(self) -> Bound | None:
        """Which bound the number is said to be, if any."""
        return self._bounding[0]

    @property
    def bound_words(self) -> str:
        """The words that make it a bound, as written."""
        return self._bounding[1]

    @cached_property
    def is_share(self) -> bool:
        """Whether what follows makes a percentage or multiple a share: `86 % of`."""
        return _SHARE.match(self.after) is not None and nearby.ends(_TAKEN, self.before) is None

    @cached_property
    def is_reached(self) -> bool:
        """Whether a change led to the number, and was not by it: `falls to 54 %`."""
        return nearby.ends(_REACHED, self.before) is not None

    @property
    def is_bare(self) -> bool:
        """Whether the number stands without a word, as in a cell."""
        return _LETTER.search(self.before) is None and _LETTER.search(self.after) is None

    @cached_property
    def of(self) -> Literal["speed", "amount"] | None:
        """What a multiple is of: how fast it is, or how much of something it takes."""
        if _SPEED.match(self.after):
            return "speed"
        if _AMOUNT.match(self.after) or nearby.ends(_SPENT, self.before):
            return "amount"
        return None

    @cached_property
    def tells_of_speed(self) -> bool:
        """Whether the words are of the speed: `100 % faster`, where the time is 50 % less."""
        return any(_OF_SPEED.search(near) for near in self._near)

    @cached_property
    def saves(self) -> bool:
        """Whether the words tell of something that is spared."""
        return any(_SAVES.search(near) for near in self._near)

    @cached_property
    def is_difference(self) -> bool:
        """Whether the number is by how much something changed: `gains 21.6 tok/s`."""
        before, after = self._near
        return (
            nearby.ends(_GAINED, before) is not None
            or _MORE.match(after) is not None
            or (nearby.ends(_BY, before) is not None and _CHANGED.search(before) is not None)
        )

    def gains(self, polarity: str) -> bool:
        """Say whether the words promise that the quantity got better."""
        better = (_BETTER, _UP) if polarity == "higher" else (_BETTER, _DOWN, _SAVES)
        return any(
            wording.says_faster(near) or any(_has(words, near) for words in better)
            for near in self._near
        )

    def loses(self, polarity: str) -> bool:
        """Say whether the words admit that the quantity got worse."""
        worse = (_WORSE, _DOWN, _COSTS) if polarity == "higher" else (_WORSE, _UP)
        return any(_has(words, near) for words in worse for near in self._near)

    @cached_property
    def _near(self) -> tuple[str, str]:
        """Return the words of the number's own clause on both sides."""
        return _last_clause(self.before[-_NEAR:]), _first_clause(self.after[:_NEAR])


def range_end(before: str, unit: str, after: str) -> Literal["low", "high"] | None:
    """Return which end of a range a number is, None where it is none.

    `before` and `after` are the text around it, `unit` what stands between its digits and `after`.
    """
    if _LOW.match(unit + after):
        return "low"
    if _BETWEEN.search(before) and _AND.match(after):
        return "low"
    if _BETWEEN_BEFORE.search(before):
        return "high"
    return "high" if _HIGH.search(before) else None


def _has(words: re.Pattern[str], text: str) -> bool:
    return any(not _DENIED.search(text, 0, found.start()) for found in words.finditer(text))


_LETTER = re.compile(r"[^\W\d_]")
_BREAK = re.compile(r"[;:.](?=\s)|,(?=\s)|\b(?:and|but|while|whereas)\b|[–—]")


def _first_clause(text: str) -> str:
    found = _BREAK.search(text)
    return text[: found.start()] if found else text


def _last_clause(text: str) -> str:
    ends = [found.end() for found in _BREAK.finditer(text)]
    return text[ends[-1] :] if ends else text
