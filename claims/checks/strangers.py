"""Engines that a sentence gives a number to, or holds it against, and that nobody measured.

"vLLM decodes 35.2 tok/s" is no sentence about a window of llama.cpp and another engine. Where the
evidence names no engine that is known here, nothing can be said: an arm may be called anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from claims.checks import arms, nearby
from claims.checks.offer import Offer
from claims.checks.passage import FAR, Passage
from claims.checks.said import Said
from claims.judging.chain import engines
from claims.words.subjects import ENGINES
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.chain import Evidence
    from claims.judging.judge import Judgement

_BLANK = re.compile(r"[\W_]+")
_ANY = re.compile("|".join(map(arms.spelt, ENGINES)), re.IGNORECASE)
_SUBJECT = re.compile(
    r"\A(?:\s*\([^)]*\))?\s*(?:then\s+|now\s+|only\s+|still\s+|also\s+)?"
    r"(?:(?:is|was|decod|prefill|run|ran|reach|generat|deliver|giv|gav|achiev|manag|process|tak|took"
    r"|need|get|got|hit|do|did|sustain|produc|gain|los)\w*\b|at\b|[:=,]|\Z)[^.;:,]*\Z",
    re.IGNORECASE,
)
_HELD_AGAINST = re.compile(
    r"(?:\b(?:than|over|beats?|outperforms?|outruns?|outpaces?|surpasses|exceeds|leads|versus|vs\.?|against|compared\s+(?:with|to)|relative\s+to|as)"
    r"|\b(?:speed|rate|throughput|performance|latency|time|that)\s+of|[×x/])"
    r"\s+(?:the\s+|that\s+of\s+)?\Z",
    re.IGNORECASE,
)
_ITS = re.compile(r"\A['’]s\b|\A[-\w]")


def known(judgement: Judgement, given: Offer, others: Sequence[Offer]) -> str:
    """Return all that the evidence says of itself, as one text without marks."""
    claim, evidence = judgement.claim, judgement.evidence
    told: list[object] = [judgement.sentence, *claim.scope.values(), *evidence.facts.values()]
    told += [claim.comparator, claim.baseline_scope, claim.candidate_scope]
    told += [value for side in evidence.sides.values() for value in side.facts.values()]
    told += [name for one in (given, *others) for name in one.names]
    told += engines_of(evidence)
    return "|".join(_plain(str(one)) for one in told if one is not None)


def engines_of(evidence: Evidence) -> list[str]:
    """Return the engines that the evidence's raw files are of, as far as their readers know."""
    parts = (part.evidence for part in evidence.parts)
    return engines(reader for one in (evidence, *parts) for reader in one.readers)


def measured(unmeasured: Sequence[str]) -> tuple[str, ...]:
    """Return the engines that are left where these are the unmeasured ones."""
    return tuple(name for name in ENGINES if name not in unmeasured)


def of_cell(header: Passage | None, row: Passage | None, names: tuple[str, ...]) -> str | None:
    """Return the engine of these that the header of a number's column, or its row, names."""
    if not names:
        return None
    for text in (header, row):
        if text is None or not text.has(_ANY):
            continue
        found = arms.places(text.text, names)
        if found and len(found) == len(arms.places(text.text, ENGINES)):
            return text.text[found[0].start : found[0].end]
    return None


def unmeasured(evidence: str) -> tuple[str, ...]:
    """Return the engines that are no part of the evidence, none where it names none at all."""
    names = tuple(name for name in ENGINES if not _is_in(name, evidence))
    return () if len(names) == len(ENGINES) else names


def may_be_named(passage: Passage, start: int, after: int, names: tuple[str, ...]) -> bool:
    """Say whether one of these engines may stand in the words around a number: hardly any does.

    What ends or begins at the number itself, or where the words are cut, need not be a whole word.
    """
    anywhere, glued = _loose(names)
    cut = max(0, start - FAR)
    return passage.has(anywhere) or any(glued.match(passage.text, at) for at in (cut, after))


@lru_cache(maxsize=64)
def _loose(names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds these names wherever a word begins, and what finds them at a place."""
    spelt = rf"(?:{'|'.join(map(arms.spelt, names))})"
    return re.compile(rf"(?<![\w-]){spelt}", re.IGNORECASE), re.compile(spelt, re.IGNORECASE)


def are_near(said: Said) -> bool:
    """Say whether the sentence names any engine at all."""
    return arms.is_named(said.before, ENGINES) or arms.is_named(said.after, ENGINES)


def named(said: Said, unit: str | None, names: Sequence[str], own: Sequence[str]) -> str | None:
    """Return the engine of these that the number is said to be of, or held against, if any is."""
    ours = arms.is_named(said.before, own) or arms.is_named(_clause(said.after), own)
    found = _subject(said.before, names, own) or (None if ours else _place(said, names))
    if found is None and unit in ("×", "%"):
        both = len({one.arm for one in arms.places(said.before, own)}) > 1
        found = _held_against(_clause(said.after), names)
        found = found or (None if both else _held_against(said.before, names))
    return found or _outrun(said.after, names)


def _outrun(after: str, names: Sequence[str]) -> str | None:
    """Return the engine that a number, a level as well, is said to stand above or below."""
    for mention in arms.places(after, names):
        if nearby.ends(_BESIDE, after, mention.start) and not _ITS.match(after[mention.end :]):
            return after[mention.start : mention.end]
    return None


_BESIDE = re.compile(
    r"\b(?:ahead\s+of|(?:well|far|way)\s+(?:beyond|above|past|below|behind)|in\s+front\s+of"
    r"|clear\s+of|(?:faster|slower|quicker|better|more|less|higher|lower)\s+than)\s+(?:the\s+|that\s+of\s+)?\Z",
    re.IGNORECASE,
)


def _subject(before: str, names: Sequence[str], own: Sequence[str]) -> str | None:
    """Return the engine that the sentence is about: `vLLM decodes 35.2`."""
    for mention in arms.places(before, names):
        between = before[mention.end :]
        if not _SUBJECT.match(between):
            continue
        leads = _OF_WORK.fullmatch(before, 0, mention.start)
        if not leads and nearby.ends(_PREPOSITION, before, mention.start):
            continue
        if not arms.is_named(between, own):
            return before[mention.start : mention.end]
    return None


def _place(said: Said, names: Sequence[str]) -> str | None:
    """Return the engine in which it was measured: `35.2 tok/s in vLLM`, `(vLLM)`."""
    for text, words in ((said.before, _AT_FIRST), (said.after, _RIGHT_BEHIND)):
        for mention in arms.places(text, names):
            if words.fullmatch(text, 0, mention.start) and not _ITS.match(text[mention.end :]):
                return text[mention.start : mention.end]
    return None


def _held_against(text: str, names: Sequence[str]) -> str | None:
    for mention in arms.places(text, names):
        own = _ITS.match(text[mention.end :]) and not text[mention.end :].startswith(("'", "’"))
        if nearby.ends(_HELD_AGAINST, text, mention.start) and not own:
            return text[mention.start : mention.end]
    return None


def _clause(after: str) -> str:
    return _CLAUSE.split(after, maxsplit=1)[0]


_AT_FIRST = re.compile(r"\s*(?:with|in|on|using|under|for)\s+(?:the\s+)?", re.IGNORECASE)
# "Decode in vLLM reaches 35.2": the work first, and then where it was done.
_OF_WORK = re.compile(
    r"\s*(?:the\s+)?(?:decod\w+|prefill\w*|generation|inference|throughput|speed|rate|latency|ttft)"
    r"\s+(?:with|in|on|using|under|of)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_RIGHT_BEHIND = re.compile(
    r"\s*(?:\(\s*)?(?:(?:with|in|on|using|under|for|by)\s+)?(?:the\s+)?", re.IGNORECASE
)
_CLAUSE = re.compile(r"[;:,.](?=\s|\Z)|\b(?:and|but|while|whereas)\b")
_PREPOSITION = re.compile(
    r"\b(?:on|in|like|unlike|with|for|from|of|by|using|than|over|against|to|versus|vs\.?|as)\s+"
    r"(?:the\s+)?\Z",
    re.IGNORECASE,
)


def _is_in(name: str, evidence: str) -> bool:
    plain = _plain(name)
    return plain in evidence or any(_plain(part) in evidence.split("|") for part in _heads(name))


def _heads(name: str) -> Iterable[str]:
    """Return the beginnings by which an arm may call an engine: `llama` for llama.cpp."""
    head = name.partition(".")[0]
    return (head,) if head != name else ()


def _plain(text: str) -> str:
    return _BLANK.sub("", text.lower())
