"""Whether a claim bears a word: a ratio for *faster*, equal tokens for *lossless*.

A claim about a change is of two arms in one cell. So it bears no "fastest" and no "on every
prompt"; it bears *no change* only by an equivalence verdict, whose margin stood in the plan's scope
as `equivalence_margin` before the first run; and *flat* where the change is under the noise floor.
A claim with a `margin` of its own bears nothing else: neither of its arms wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from claims.registers import wording
from claims.registers.facts import EQUIVALENCE_MARGIN
from claims.words.wordless import Wordless
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

_UNDER_THE_FLOOR = "CLM322"
_OF_BITS = re.compile(r"\b(?:bit|byte|logit|numeric)")
_OF_US = re.compile(
    r"\b(?:than|by|to|behind) (?:us|ours|this|our|the (?:candidate|new|tuned))\b", re.IGNORECASE
)
_FACTORS = (
    (re.compile(r"\btripl|\bthrice|\bthree"), Fraction(295, 100)),
    (re.compile(r"\bquadrupl|\bfour"), Fraction(395, 100)),
    (re.compile(r"\bmagnitude|\bten"), Fraction(95, 10)),
    (re.compile(r"\bdoubl|\btwice|\btwo|\bhal[fv]"), Fraction(195, 100)),
)
_FOR_THE_BETTER = re.compile(r"better|superior|cheaper|leaner|more |faster|quicker")


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a claim offers to words: a change or not, its ratio, its gate, its equivalence."""

    is_change: bool
    ratio: Fraction | None = None
    compared: str | None = None
    """What the exactness gate compared and found equal, None where nothing was."""
    equivalent: bool = False
    flat: bool = False
    even: bool = False
    """Whether the claim is one of no change, under a margin of its own."""


def grounds(judgement: Judgement) -> Grounds:
    """Return what the judged claim offers."""
    window = judgement.evidence.window
    # Of a matrix it is the least: what each of its cells bears.
    ratio = judgement.values.get("ratio", judgement.values.get("ratio.min"))
    is_exact = window is not None and window.exactness.result == "exact"
    return Grounds(
        judgement.claim.kind != "level",
        ratio if isinstance(ratio, Fraction) else None,
        window.exactness.compared if window is not None and is_exact else None,
        _is_equivalent(judgement),
        any(refusal.code == _UNDER_THE_FLOOR for refusal in judgement.refusals),
        judgement.claim.margin is not None,
    )


def unsupported(found: Wordless, given: Grounds, *, beside: bool = False) -> str | None:
    """Return why these grounds do not bear the word, None where they do.

    `beside` says that another claim stands in the sentence: levels are compared by their numbers.
    """
    kind = found.kind
    if kind == "general":
        return "the evidence is of one cell"
    if kind == "best":
        return "the evidence compares two arms, and not all there are"
    if kind == "exact":
        return _not_exact(found.word.lower(), given)
    if not given.is_change:
        return None if beside else "a level is of one arm and compares nothing"
    if kind in ("equal", "unchanged"):
        told = f"no equivalence verdict with a margin ({EQUIVALENCE_MARGIN}) is behind it"
        # A claim of no change is refused by the judge (CLM216) where it shows none.
        return None if given.equivalent or given.even else told
    if kind == "flat":
        return None if given.flat or given.equivalent else "the change is above the noise floor"
    if given.even:
        return "the claim is of no change, within its margin"
    return _wrong_way(found, given)


def _not_exact(word: str, given: Grounds) -> str | None:
    if given.compared is None:
        return "no exactness gate found its arms equal"
    if _OF_BITS.search(word) and "logits" not in given.compared:
        return f"its gate compared {given.compared}, and no logits"
    return None if given.compared.startswith("tokens") else f"its gate compared {given.compared}"


def _wrong_way(found: Wordless, given: Grounds) -> str | None:
    if given.ratio is None:
        return "it has no ratio"
    word = found.word.lower()
    shown = f"the ratio is {wording.display(given.ratio, 3)}"
    if found.kind == "factor":
        least = next((least for names, least in _FACTORS if names.search(word)), Fraction(1))
        return None if given.ratio >= least else shown
    gains = found.kind in ("faster", "win") or (
        found.kind == "more" and _FOR_THE_BETTER.search(word)
    )
    if gains and given.ratio <= 1 and not _OF_US.search(found.sentence):
        return shown
    return shown if given.ratio == 1 else None


def _is_equivalent(judgement: Judgement) -> bool:
    """Say whether the pairs lie within the margin that the window's plan declared."""
    window = judgement.evidence.window
    if window is None or EQUIVALENCE_MARGIN not in window.scope:
        return False
    # Few pages need it, and it is heavy to import.
    from claims.judging import equivalence

    margin = equivalence.declared(judgement.evidence)
    name = judgement.claim.metric
    return margin is not None and bool(equivalence.found(name, judgement.evidence, margin))
