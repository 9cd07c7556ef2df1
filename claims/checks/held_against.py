"""What a sentence holds a change against: it must be the other arm of the claim's evidence.

::

    "1.86× as fast as llama.cpp"   against an engine: the evidence must name it
    "86 % faster than the old one" against what was there before: the baseline
    "1.86× over 2 depths"          against nothing: it says where

A comparator is known by the name or label of an arm, by what the evidence or the claim's comparator
says of it, and by the plain words for a baseline. Whatever else a sentence names was not measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claims.checks import arms, nearby
from claims.checks.said import Said
from claims.words.subjects import ENGINES, GROUPS, SPELT
from receipts import late as re

if TYPE_CHECKING:
    from claims.checks.offer import Offer
    from claims.judging.chain import Evidence
    from claims.judging.judge import Judgement

_STOP = (
    r"(?:on|in|at|with|for|by|from|to|when|while|and|or|but|is|are|was|were|does|did|do|as|of|under"
    r"|without|per|across|over|where|if|here|there|now|today|after|than|which|that|who|what|it"
    r"|this|these|we|us|ours|before|previously|ever|only|again|yesterday|alone|using|through)"
)
_WORD = rf"(?!{_STOP}\b)[^\W_][\w+/-]*(?:\.\w[\w+/-]*)*"
_LED = r"(?:(?:the|our|a|an|its|their|that\s+of|those\s+of|what)\s+)*[\"'“`*]*"
_NAME = rf"{_LED}(?P<name>{_WORD}(?:\s+{_WORD}){{0,3}})"
_QUANTITY = (
    r"(?:speed|rate|throughput|performance|pace|latency|time|times|ttft|itl|memory|work|tokens"
    r"|bandwidth|power|energy|cost|requests|decode|prefill|output|context|footprint|bytes|size)"
)
_BEHIND = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"\bthan\s+{_NAME}",
        rf"\bas\s+\w+(?:\s+\w+)?\s+as\s+{_NAME}",
        rf"\b(?:over|versus|vs\.?|against|compared\s+(?:with|to)|relative\s+to|ahead\s+of)\s+{_NAME}",
        rf"\A\s*(?:of\s+)?(?:the\s+|that\s+)?(?:[\w-]+\s+){{0,3}}?{_QUANTITY}\s+of\s+{_NAME}",
        rf"\A\s*(?:of|that\s+of)\s+{_NAME}",
        rf"\A\s*the\s+{_NAME}",
    )
)
_DIRECT = re.compile(rf"\A\s*{_NAME}", re.IGNORECASE)
_BEFORE = re.compile(
    r"\b(?:beats?|outperforms?|outruns?|outpaces?|surpasses|exceeds|leads|trails?|tops)\s+"
    rf"{_NAME}\s+by\s+(?:\w+ly\s+|about\s+|up\s+to\s+|at\s+least\s+)?\Z",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    rf"(?:\A|[,;:(]\s*)(?:compared\s+(?:with|to)|relative\s+to|over|against|versus)\s+{_NAME}\s*,",
    re.IGNORECASE,
)
_HEADS = frozenset(
    [
        "kernel",
        "kernels",
        "one",
        "ones",
        "path",
        "paths",
        "loop",
        "loops",
        "decoder",
        "decoders",
        "decoding",
        "code",
        "version",
        "arm",
        "side",
        "engine",
        "mode",
        "build",
        "implementation",
        "way",
        "variant",
        "run",
        "setup",
        "configuration",
        "method",
        "approach",
    ]
)
_PLAIN = frozenset(
    [
        "baseline",
        "baselines",
        "original",
        "old",
        "older",
        "earlier",
        "unmodified",
        "untuned",
        "other",
        "others",
        "previous",
        "prior",
        "unoptimized",
        "unoptimised",
        "existing",
        "expected",
        "planned",
        "hoped",
        "usual",
        "control",
        "last",
    ]
)
_RELEASED = re.compile(r"\b(?:releases?|versions?|builds?|commits?|tags?)\b", re.IGNORECASE)
_OF_RELEASES = frozenset({"version", "build", "commit", "release", "revision", "tag"})
# "Over 2 depths" and "over the whole run" say where it was measured.
_EXTENT = re.compile(
    rf"\A\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|all|both|every|each|several|whole"
    rf"|entire|repetitions?|runs?|depths?|cells?|sizes?|prompts?|days?|nights?|range|samples?|pairs?"
    rf"|requests?|lengths?|vocabular\w+|medians?|trials?|hours?|minutes?|{_QUANTITY})\b",
    re.IGNORECASE,
)
_FAR = 200
_TOKEN = re.compile(r"[^\W_][\w+/-]*(?:\.\w[\w+/-]*)*")
_END = re.compile(r"[.;](?=\s|\Z)")
_NAMES = tuple({*ENGINES, *GROUPS["N"].split(), *SPELT.split()})


@dataclass(frozen=True, slots=True)
class Known:
    """What a comparator may be called: the arms, the words of the evidence, and what differs."""

    arms: tuple[str, ...]
    words: frozenset[str]
    releases: bool
    """Whether the arms differ in version, build or commit."""

    @property
    def baseline(self) -> str:
        """The name of the arm that the change is over."""
        return self.arms[0]


def known(judgement: Judgement, given: Offer) -> Known | None:
    """Return what the claim's comparator may be called, None where no arms are known."""
    names = given.names
    if len(names) < 2:
        return None
    claim = judgement.claim
    told: list[object] = [claim.comparator.name] if claim.comparator else []
    for evidence in (judgement.evidence, *(part.evidence for part in judgement.evidence.parts)):
        told += evidence.facts.values()
        told += (value for side in evidence.sides.values() for value in side.facts.values())
    told += claim.scope.values()
    told += (
        value
        for side in (claim.baseline_scope, claim.candidate_scope)
        for value in (side or {}).values()
    )
    words = {word.lower() for text in told for word in _TOKEN.findall(str(text))}
    words |= {word.lower() for word in _TOKEN.findall(judgement.sentence or "")} - _PRODUCTS
    return Known(names, frozenset(words - _HEADS), _differ_in_release(judgement.evidence))


_PRODUCTS = frozenset(name.lower() for name in _NAMES)


def _differ_in_release(evidence: Evidence) -> bool:
    for one in (evidence, *(part.evidence for part in evidence.parts)):
        old, new = one.sides.get("baseline"), one.sides.get("candidate")
        for name, value in (old.facts if old else {}).items():
            about = _OF_RELEASES.intersection(re.split(r"[._-]", name.lower()))
            if about and new and new.facts.get(name) != value:
                return True
    return False


def stranger(said: Said, unit: str | None, given: Known) -> str | None:
    """Return what the number is held against and is not in the evidence, None where nothing is."""
    end = _END.search(said.after)
    after = (said.after[: end.start()] if end else said.after)[:_FAR]
    for name in _named(said.before, after):
        if not _is_known(name, given):
            return name
    direct = _DIRECT.match(after) if unit == "×" else None
    if direct and arms.places(direct["name"], _NAMES)[:1] and not _is_known(direct["name"], given):
        return direct["name"]
    return None


def _named(before: str, after: str) -> Iterator[str]:
    """Yield what the words around a number hold it against."""
    for words in _BEHIND:
        found = words.search(after)
        if found:
            yield found["name"]
    ahead = nearby.ends(_BEFORE, before) or _AHEAD.search(before, max(0, len(before) - _FAR))
    if ahead:
        yield ahead["name"]


def _is_known(name: str, given: Known) -> bool:
    if arms.is_named(name, given.arms) or _EXTENT.search(name):
        return True
    tokens = [token.lower() for token in _TOKEN.findall(name)]
    if _RELEASED.search(name) and not given.releases:
        return False
    rest = [token for token in tokens if token not in _HEADS]
    allowed = given.words | _PLAIN
    return not rest or any(token in allowed or _is_undone(token, given) for token in rest)


def _is_undone(token: str, given: Known) -> bool:
    """Say whether a word is an arm's with "un" or "non" before it: `the unfused decoder`."""
    found = _UNDONE.match(token)
    return found is not None and any(found[1][:4] == name.lower()[:4] for name in given.arms)


_UNDONE = re.compile(r"(?:un|non-?)(\w{3,})")
