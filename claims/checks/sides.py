"""Which arm a sentence without digits is about, and what it holds that arm against.

::

    "Plain is slower than fused"            about plain, against fused
    "Without fused, decode is slower"       about what runs without it
    "Decode is faster than with plain"      about the other arm
    "Fused is faster than vLLM"             against what nobody measured

A number can be compared with the evidence; of words there is only what they name. So what a
sentence compares with must be the claim's other side, by a word of its name or of the register.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from claims.checks import arms, leaning, offer
from claims.checks.arms import Mention
from claims.checks.leaning import Said
from claims.words.subjects import ENGINES
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

_NEAR = 48
_PART = re.compile(
    r"[;:](?=\s)|,(?=\s+(?:and|but|while|whereas|so|yet|though|although|which|whose)\b)"
    r"|\b(?:but|while|whereas)\b|\s[–—]\s"
)
_AND = re.compile(r"\band\b", re.IGNORECASE)
_ARTICLE = r"(?:(?:the|a|an|our|its|with|in|on|under|using|for|that\s+of|that|when\s+using)\s+)*"
# What is left behind or only looked at is not what the sentence is about.
_AWAY = re.compile(
    r"\b(?:from|instead\s+of|in\s+place\s+of|rather\s+than|replac(?:es|ing|ed)|without|unlike|than"
    r"|disabling|removing|dropping|turning\s+off|switching\s+off|behind|ahead\s+of|below|above|as"
    r"|against|matches|match|equals|tops?|trails?|exceeds?|lags?|overtakes?|outdo(?:es)?|beat"
    rf"|identical\s+to|equal\s+to|equivalent\s+to|on\s+par\s+with)\s+{_ARTICLE}[\"'“`*]*\Z",
    re.IGNORECASE,
)
# "Thanks to fused", "from plain to fused": here "to" leads to what it is about.
_TOWARDS = re.compile(
    rf"\b(?:thanks|due|owing|switch\w*|mov\w+|chang\w+|go(?:es|ing)?|went)\s+(?:over\s+)?to\s+{_ARTICLE}"
    rf"[\"'“`*]*\Z|\bfrom\s+\S+\s+to\s+{_ARTICLE}[\"'“`*]*\Z",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r",?\s*(?:which|whose)\b", re.IGNORECASE)
_COMPARED = re.compile(
    rf"\b(?:than\s+{_ARTICLE}|(?:versus|vs\.?|against|compared\s+(?:with|to)|relative\s+to|unlike"
    r"|ahead\s+of|behind|as\s+(?!well|soon|far)[\w-]+\s+as|same(?:\s+[\w-]+){0,3}?\s+as|identical\s+to|equal\s+to|equivalent\s+to"
    r"|on\s+par\s+with|parity\s+with|beats?|outperforms?|outruns?|outran|outpace[sd]?"
    r"|surpass(?:es|ed)?|exceed(?:s|ed)?|tops|trails|overtakes?|outdoes|match(?:es|ed)|equals"
    r"|los(?:es|t)\s+to|wins?\s+over)\s+(?!(?:in|on|at|for|by|with|under|over|during)\b)"
    rf"{_ARTICLE})(?P<what>[^,;:()]+)",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"\s+(?:in|on|at|for|by|of\s+(?:the|all)|during|because|since|when|and|or|is|are|was|were|does"
    r"|do|has|have|gives?|decodes?|prefills?)\b|[.!?]\s*\Z"
)
_EITHER = re.compile(
    r"(?:baseline|before|otherwise|default|reference|unmodified|(?:the\s+)?other(?:\s+(?:arm|one))?"
    r"|us|ours|this|candidate)(?:\s+(?:one|arm|build|run|path|loop|decoder|kernel))?\Z"
    r"|(?:it\s+(?:was|did)\s+)?(?:before\Z|without\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
# Words of a name that say nothing of whose it is.
_ARTICLES = (
    "the",
    "an",
    "our",
    "one",
    "of",
    "at",
    "in",
    "on",
    "with",
    "and",
    "or",
    "for",
    "to",
    "is",
)
_KINDS = ("decoder", "decode", "decoding", "prefill", "engine", "loop", "kernel", "path", "build")
_STATES = ("version", "release", "model", "attention", "true", "false", "old", "new")
_HOLLOW = frozenset((*_ARTICLES, *_KINDS, *_STATES))


@dataclass(frozen=True, slots=True)
class Sides:
    """The arms of a change, and the words by which either is known."""

    baseline: str
    candidate: str
    words: frozenset[str]

    @property
    def names(self) -> tuple[str, ...]:
        """Both arms."""
        return self.baseline, self.candidate


def of(judgement: Judgement) -> Sides | None:
    """Return the sides of a change, with the register's words for them; None for a level."""
    claim, evidence = judgement.claim, judgement.evidence
    window = offer.window(evidence)
    if claim.kind == "level" or window is None:
        return None
    told = [window.baseline, window.candidate]
    told += [claim.comparator.name] if claim.comparator else []
    for scope in (claim.baseline_scope, claim.candidate_scope):
        told += [str(value) for value in (scope or {}).values()]
    return Sides(window.baseline, window.candidate, frozenset(_words(told)))


def clause(text: str, start: int, end: int, names: Sequence[str] = ()) -> tuple[int, int]:
    """Return the clause around a word; where it names an arm on its own side of an "and", less."""
    first, last = _between(_PART, text, 0, len(text), start, end)
    if first and _RELATIVE.match(text, first):
        # What "which" stands for is the last thing that was named.
        told = [one.start for one in arms.places(text[:first], names)]
        return (told[-1] if told else first), last
    within = _between(_AND, text, first, last, start, end)
    return within if arms.is_named(text[slice(*within)], names) else (first, last)


def _between(
    breaks: re.Pattern[str], text: str, first: int, last: int, start: int, end: int
) -> tuple[int, int]:
    for found in breaks.finditer(text, first, last):
        if found.end() <= start:
            first = found.end()
        elif found.start() >= end:
            return first, found.start()
    return first, last


def about(said: Said, known: Sides) -> str | None:
    """Return the arm that the clause is about, None where it leaves that open."""
    found = [_seen(said.clause, one) for one in arms.mentions(said.clause, known.names)]
    side = arms.side(found, *known.names)
    if side is None and leaning.OF_US.search(said.clause):
        side = known.baseline
    return _other(side, known) if side and _is_beaten(said, found) else side


def _seen(text: str, one: Mention) -> Mention:
    near = max(0, one.start - _NEAR), one.start
    if _TOWARDS.search(text, *near):
        return replace(one, held_against=False)
    return replace(one, held_against=True) if _AWAY.search(text, *near) else one


def _is_beaten(said: Said, found: Iterable[Mention]) -> bool:
    """Say whether what the clause is about is beaten, by nobody who is named."""
    passive = _BEATEN.search(said.clause, max(0, said.start - 24), said.end)
    return passive is not None and not any(one.is_agent for one in found)


_BEATEN = re.compile(
    r"\b(?:is|are|was|were|gets?|got|been)\s+(?:\w+ly\s+)?(?:beaten|outrun|outperformed|outpaced"
    r"|surpassed|overtaken|exceeded|outdone|matched)\Z",
    re.IGNORECASE,
)


def _other(side: str, known: Sides) -> str:
    return known.candidate if side == known.baseline else known.baseline


def strange(said: Said, known: Sides) -> str | None:
    """Return what the clause holds its subject against, if that is no side of the change."""
    for found in _COMPARED.finditer(said.clause):
        what = _STOP.split(found["what"], maxsplit=1)[0].strip(" \"'“”`*.!?")
        if what and not _is_a_side(what, known):
            return what
    return None


def usurper(said: Said, known: Sides) -> str | None:
    """Return an engine that the clause puts in the candidate's place, against the baseline."""
    return engine(said, known) if arms.is_named(said.clause, (known.baseline,)) else None


def engine(said: Said, known: Sides) -> str | None:
    """Return an engine that a text names and that is no side, where it does not name ours."""
    if arms.is_named(said.clause, (known.candidate,)):
        return None
    found = (said.clause[one.start : one.end] for one in arms.places(said.clause, ENGINES))
    return next((name for name in found if known.words.isdisjoint(_words([name]))), None)


def _is_a_side(what: str, known: Sides) -> bool:
    if _EITHER.match(what):
        return True
    return arms.is_named(what, known.names) or not known.words.isdisjoint(_words([what]))


def _words(texts: Iterable[str]) -> Iterable[str]:
    found = (word for text in texts for word in _WORD.findall(text.lower()))
    return [word for word in found if len(word) > 1 and word not in _HOLLOW]
