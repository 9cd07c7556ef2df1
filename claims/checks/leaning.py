"""Which way a claiming word leans, and of what quantity: told from the words of its clause.

::

    "faster", "beats", "improves"           for the better, whatever is measured
    "slower", "trails", "hurts"             for the worse
    "raises throughput", "halves the time"  for the better: more of a rate, less of a time
    "lowers the rate", "doubles TTFT"       for the worse
    "is higher", "dropped"                  as the claim's own metric counts
"""

from __future__ import annotations

from typing import NamedTuple

from claims.words.term import Kind
from engine.metrics import Metric
from receipts import late as re

OF_US = re.compile(
    r"\b(?:than|by|to|behind) (?:us|ours|this|our|the (?:candidate|new|tuned))\b", re.IGNORECASE
)
"""What turns a sentence round: the arm that wins is the one that it is held against."""
_BETTER = re.compile(
    r"\b(?:fast|quick|speed|better|improv|superior|win|won\b|beat|ahead|lead|led\b|out(?:run|ran|perf|pac)"
    r"|surpass|best|soon|earl[iy]|lean|cheap|smooth|snapp|more\s+(?:effic|economic|capab|perform|respons|accura))",
    re.IGNORECASE,
)
_WORSE = re.compile(
    r"\b(?:slow|worse|worst|degrad|hurt|regress|behind|trail|lag|los[et]|inferior|poor|suffer|lat(?:e|er)\b"
    r"|less\s+(?:effic|economic|capab|perform|respons|accura))",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:high|more|great|larg|long|increas|gain|rais|ris|rose|climb|grow|grew|up\b|add|boost|jump"
    r"|soar|doubl|twice|thrice|tripl|quadrupl|multipl|\w+fold)",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:low|less|few|short|small|reduc|cut|sav|drop|fall|fell|decreas|down|shrink|shrank|shav"
    r"|trim|slash|halv|half|declin|sink|sank|tank|minimi)",
    re.IGNORECASE,
)
# Of these there should be little, of those much. "Twice as long" is of a time.
_LITTLE = re.compile(
    r"\b(?:time|latenc\w+|ttft|tpot|itl|delays?|duration|wait\w*|seconds|milliseconds|long|slow"
    r"|memory(?!\s*-?(?:band|bound|traffic))|vram|footprint|power|energy|perplexity|overhead"
    r"|first\s+token)\b",
    re.IGNORECASE,
)
_MUCH = re.compile(
    r"\b(?:throughput|goodput|rates?|speed|fast|quick|bandwidth|accuracy|performance|quality"
    r"|(?:tokens?|requests?|prompts?)(?:\s+(?:per|a|each|every)\s+|/)s(?:ec(?:ond)?)?)\b",
    re.IGNORECASE,
)
_FIELDS = {
    "memory": re.compile(
        r"\b(?:memory(?!\s*-?(?:band|bound|traffic))|vram|footprint|heap)\b", re.IGNORECASE
    ),
    "energy": re.compile(r"\b(?:energy|power|joules?|watts?)\b", re.IGNORECASE),
    "score": re.compile(r"\b(?:accuracy|perplexity|quality|scores?)\b", re.IGNORECASE),
    "money": re.compile(r"\b(?:cheap\w*|cost|prices?)\b", re.IGNORECASE),
    "speed": re.compile(
        r"\b(?:fast\w*|slow\w*|quick\w*|speed\w*|latenc\w+|throughput|goodput|ttft|tpot|itl"
        r"|first\s+token|less\s+time|tokens?\s+(?:per|a)\s+second)\b",
        re.IGNORECASE,
    ),
}
# Work that has its own time, and is none of an engine's metrics.
_OTHER_WORK = re.compile(
    r"\b(?:training|fine-?tuning|(?:model\s+)?load(?:ing|\s+times?)|start-?up|compil(?:e|es|ing|ation)"
    r"|(?:build|install)\s+times?|install(?:ing|ation)|downloads?|booting|tokeni[sz](?:ing|ation))\b",
    re.IGNORECASE,
)
_ENGINES_WORK = re.compile(
    r"\b(?:decod\w+|prefill\w*|generat\w+|first\s+token|ttft|tpot|itl|tok/s|tokens?\s+per)\b",
    re.IGNORECASE,
)
_OF_AN_ENGINE = re.compile(r"tok_s|ttft|itl|tpot|token|decode|prefill|e2e|requests")
_UNITS = {
    "MiB": "memory", "B": "memory", "J": "energy", "1": "score", "tok/s": "speed", "ms": "speed",
    "µs": "speed", "ns": "speed", "req/s": "speed", "1/s": "speed", "TFLOP/s": "speed",
    "GB/s": "speed", "Gbit/s": "speed",
}  # fmt: skip
_NEAR = 64


class Said(NamedTuple):
    """A claiming word in its clause: from `start` to `end` of `clause`."""

    kind: Kind
    clause: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The word itself."""
        return self.clause[self.start : self.end]


def of(said: Said, polarity: str) -> int:
    """Return 1 where the word is for the better, -1 where it is for the worse.

    `polarity` says whether more or less of the claim's metric is better.
    """
    if said.kind in ("win", "slower", "lose"):
        return 1 if said.kind == "win" else -1
    if said.kind != "factor" and (plain := _plainly(said.word)):
        return plain
    better = _quantity(said) or (1 if polarity == "higher" else -1)
    # "An order of magnitude slower", "half as fast": what is multiplied stands behind.
    text = said.clause[said.start : said.end + _NEAR] if said.kind == "factor" else said.word
    return better * (-1 if _first(_DOWN, text) < _first(_UP, text) else 1)


def moves(word: str, *, down: bool) -> bool:
    """Say whether a word tells that a quantity went down, or up, and nothing else."""
    up, fell = _UP.search(word) is not None, _DOWN.search(word) is not None
    return fell is down and up is not down


def other_field(said: Said, metric: Metric) -> str:
    """Return the words by which the clause is of another quantity than the metric, if it is."""
    work = _OTHER_WORK.search(said.clause)
    if work and _OF_AN_ENGINE.search(metric.id) and not _ENGINES_WORK.search(said.clause):
        return work[0]
    ours = _UNITS.get(metric.unit)
    _, field, words = min(_named(said), default=(0, "", ""))
    return words if ours and field and field != ours else ""


def _named(said: Said) -> list[tuple[int, str, str]]:
    return [
        (_apart(said, found.start(), found.end()), field, found[0])
        for field, words in _FIELDS.items()
        for found in words.finditer(said.clause)
    ]


def _plainly(word: str) -> int:
    """Return which way a word leans by itself, 0 where that depends on the quantity."""
    worse, better = _first(_WORSE, word), _first(_BETTER, word)
    return 0 if worse == better else -1 if worse < better else 1


def _quantity(said: Said) -> int:
    """Return 1 where much of the nearest quantity is good, -1 where little is, 0 for none."""
    found = [
        (_apart(said, one.start(), one.end()), better)
        for words, better in ((_LITTLE, -1), (_MUCH, 1))
        for one in words.finditer(said.clause)
    ]
    return min(found, default=(0, 0))[1]


def _apart(said: Said, start: int, end: int) -> int:
    return max(start - said.end, said.start - end, 0)


def _first(words: re.Pattern[str], text: str) -> int:
    found = words.search(text)
    return found.start() if found else len(text)
