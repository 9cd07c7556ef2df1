"""Which of a change's two medians a sentence puts first: a change goes from baseline to candidate.

::

    "from 33.4 to 35.2 tok/s"     "33.4 → 35.2 tok/s"     "35.2 tok/s, up from 33.4"
    "before: 33.4, after: 35.2"   "the baseline has 33.4, the candidate 35.2"
"""

from typing import Literal

from claims.checks import nearby
from receipts import late as re

Role = Literal["baseline", "candidate"]

_ARROW = r"(?:→|⟶|⇒|➔|->|-->|=>)"
_UNIT = r"(?:\s*[A-Za-zµ%×]+(?:/[A-Za-z]+){0,2})?"
_ABOUT = r"(?:(?:about|around|roughly|only|just|some|[~≈])\s*)?"
_FIRST = re.compile(rf"\bfrom\s+{_ABOUT}\Z", re.IGNORECASE)
_SECOND = re.compile(rf"(?:\b(?P<to>to)\s+|{_ARROW}\s*){_ABOUT}\Z", re.IGNORECASE)
# What stands between the two: `from`, no end of a sentence, the first number, and few words.
_FROM = re.compile(r".*\bfrom\b", re.IGNORECASE | re.DOTALL)
_END = re.compile(r";|\.(?!\d)")
_DIGIT = re.compile(r".*\d", re.DOTALL)
_FEW = re.compile(rf"{_UNIT}[^.;\d]{{0,24}}", re.IGNORECASE)
_TO_NEXT = re.compile(rf"\A{_UNIT}\s*{_ARROW}\s*{_ABOUT}[-+−]?\d", re.IGNORECASE)
_FROM_NEXT = re.compile(
    rf"\A{_UNIT}\s*[,(]?\s*(?:(?:up|down|coming|starting)\s+)?from\s+{_ABOUT}\d", re.IGNORECASE
)
_WORDS = {
    "before": "baseline",
    "baseline": "baseline",
    "previously": "baseline",
    "formerly": "baseline",
    "originally": "baseline",
    "after": "candidate",
    "afterwards": "candidate",
    "candidate": "candidate",
    "now": "candidate",
}
_DATED = {"old": "baseline", "previous": "baseline", "new": "candidate", "current": "candidate"}
_VERB = (
    r"(?:(?:it|decode|decoding|throughput)\s+)?"
    r"(?:(?:is|was|were|has|had|have|gives?|gave|runs?\s+at|ran\s+at|decodes?\s+at|decoded\s+at"
    r"|reach(?:es|ed)|at|of|shows?|with)\s+)?"
)
_LABEL = re.compile(
    rf"(?:\A|[,;:.(|]|\b(?:and|but|while|whereas)\b)\s*(?:the\s+|our\s+)?"
    rf"(?:(?P<word>{'|'.join(_WORDS)})\s*(?:arm|side|build|engine)?"
    rf"|(?P<dated>{'|'.join(_DATED)})\s+(?:arm|side|build|engine|version|release|path|kernel|one))\s*[:=,(]?\s*{_VERB}{_ABOUT}\Z",
    re.IGNORECASE,
)
_LABEL_BEHIND = re.compile(
    rf"\A{_UNIT}\s*\(?\s*(?P<word>before|after|afterwards)(?=\s*(?:[).,;]|and\b|\Z))",
    re.IGNORECASE,
)


def role(before: str, after: str) -> Role | None:
    """Return which side of a change the words around a number make it, None where they do not."""
    if _is_second(before):
        return "candidate"
    if nearby.ends(_FIRST, before) or _TO_NEXT.match(after):
        return "baseline"
    if _FROM_NEXT.match(after):
        return "candidate"
    label = _LABEL_BEHIND.match(after) or nearby.ends(_LABEL, before)
    if label is None:
        return None
    word = next(word for word in label.groupdict().values() if word).lower()
    return "baseline" if {**_WORDS, **_DATED}[word] == "baseline" else "candidate"


def _is_second(before: str) -> bool:
    """Say whether the words lead from a first number to this one: `from 33.4 to`, `33.4 →`."""
    joint = nearby.ends(_SECOND, before)
    if joint is None or joint["to"] is None:
        return joint is not None
    digit = _DIGIT.match(before, 0, joint.start())
    if digit is None or not _FEW.fullmatch(before, digit.end(), joint.start()):
        return False
    # The last one is enough: an earlier one has all that between itself and the number, and more.
    begun = _FROM.match(before, 0, digit.end())
    return begun is not None and not _END.search(before, begun.end(), digit.end() - 1)
