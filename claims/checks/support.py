"""Whether a claim bears a word: a ratio for *faster*, equal tokens for *lossless*.

A claim about a change is of two arms in one cell. So it bears no "fastest" and no "on every
prompt"; it bears *no change* only by an equivalence verdict, whose margin stood in the plan's scope
as `equivalence_margin` before the first run; and *flat* where the change is under the noise floor.
A claim with a `margin` of its own bears nothing else: neither of its arms wins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from claims.checks import leaning
from claims.checks.leaning import Said
from claims.registers import wording
from claims.words.term import Kind
from claims.words.wordless import Wordless
from engine import declared
from engine.declared import EQUIVALENCE_MARGIN
from engine.metrics import Polarity, metric
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

_UNDER_THE_FLOOR = "CLM322"
_COMPARING = frozenset(["faster", "slower", "more", "win", "lose", "factor"])
_OF_BITS = re.compile(r"\b(?:bit|byte|logit|numeric)")
_ALIKE = frozenset(["equal", "unchanged", "flat"])
# What an engine puts out is compared by the gate, and not by a margin.
_OUTPUT = re.compile(r"(?:the\s+)?(?:output\s+)?(?:tokens?|logits?|outputs?)\Z", re.IGNORECASE)
_OUTPUT_BEHIND = re.compile(
    r"\s+(?:(?:the|an?|any|its|their|single|one)\s+)*(?:output\s+)?(?:tokens?|logits?|outputs?)\b",
    re.IGNORECASE,
)
_FACTORS = (
    (re.compile(r"\btripl|\bthrice|\bthree|\b(?:several|many|multiple) times"), Fraction(295, 100)),
    (re.compile(r"\bquadrupl|\bfour"), Fraction(395, 100)),
    (re.compile(r"\bmagnitude|\bten"), Fraction(95, 10)),
    (re.compile(r"\bdoubl|\btwice|\btwo|\bhal[fv]"), Fraction(195, 100)),
)
_NEARLY = Fraction(9, 10)
_ABOUT = re.compile(r"\b(?:nearly|almost|about|around|roughly|close\s+to|some)\s+\Z", re.IGNORECASE)
# What stands before a comparative makes it a multiple: "an order of magnitude faster".
_MULTIPLIED = re.compile(
    r"\b(?:orders?\s+of\s+magnitude|(?:several|many|multiple)\s+times)\s+\Z", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a claim offers to words: a change or not, its ratio, its gate, its equivalence."""

    is_change: bool
    ratio: Fraction | None = None
    """The ratio; over several cells the least of them."""
    compared: str | None = None
    """What the exactness gate compared and found equal, None where nothing was."""
    equivalent: bool = False
    flat: bool = False
    even: bool = False
    """Whether the claim is one of no change, under a margin of its own."""
    polarity: Polarity = "higher"
    """Whether more or less of the claim's metric is better."""
    most: Fraction | None = None
    """The greatest ratio over several cells, None where there is one cell."""

    @property
    def greatest(self) -> Fraction | None:
        """The greatest ratio."""
        return self.ratio if self.most is None else self.most

    def turned(self) -> Grounds:
        """Return the same as it is seen from the other arm."""
        least, most = self.greatest, self.ratio
        if not least or not most:
            return self
        return replace(self, ratio=1 / least, most=None if self.most is None else 1 / most)


def grounds(judgement: Judgement) -> Grounds:
    """Return what the judged claim offers."""
    least, most = (_ratio(judgement, name) for name in ("ratio.min", "ratio.max"))
    return Grounds(
        judgement.claim.kind != "level",
        _ratio(judgement, "ratio") if least is None else least,
        _compared(judgement),
        _is_equivalent(judgement),
        any(refusal.code == _UNDER_THE_FLOOR for refusal in judgement.refusals),
        judgement.claim.margin is not None,
        metric(judgement.claim.metric).polarity,
        most,
    )


def _ratio(judgement: Judgement, name: str) -> Fraction | None:
    found = judgement.values.get(name)
    return found if isinstance(found, Fraction) else None


def _compared(judgement: Judgement) -> str | None:
    """Return what the gates of all windows compared and found equal, None where one did not."""
    evidence = judgement.evidence
    windows = [part.evidence.window for part in evidence.parts] or [evidence.window]
    found = [one.exactness for one in windows if one is not None]
    if len(found) < len(windows) or any(one.result != "exact" for one in found):
        return None
    told = {one.compared for one in found}
    return min((str(one) for one in told if one), key=len, default=None)


def unsupported(found: Wordless, given: Grounds, *, beside: bool = False) -> str | None:
    """Return why these grounds do not bear the word, None where they do.

    `beside` says that another claim stands in the sentence: levels are compared by their numbers.
    Whose word it is, and who loses, is left to the numbers of the sentence.
    """
    if beside and not given.is_change and found.kind not in ("general", "best", "exact"):
        return None
    if told := unborne(found, given):
        return told
    if found.kind not in _COMPARING or given.ratio is None:
        return None
    shown = f"the ratio is {wording.display(given.ratio, 3)}"
    here = Said(found.kind, found.sentence, *_place(found))
    if found.kind == "factor":
        wrong = wrong_way(here, given)
        return wrong[1] if wrong else None
    if leaning.of(here, given.polarity) > 0 and not leaning.OF_US.search(found.sentence):
        return shown if given.ratio <= 1 else None
    return shown if given.ratio == 1 else None


def unborne(found: Wordless, given: Grounds) -> str | None:
    """Return why no claim of this kind bears the word, whichever way it leans."""
    kind = found.kind
    if kind == "general":
        return "the evidence is of one cell"
    if kind == "best":
        return "the evidence compares two arms, and not all there are"
    if kind == "exact" or (kind in _ALIKE and _is_of_output(found)):
        return _not_exact(f"{found.word} {_behind(found)} {found.about}".lower(), given)
    if not given.is_change:
        return "a level is of one arm and compares nothing"
    return _not_even(kind, given) if kind in _ALIKE else _not_changed(given)


def _is_of_output(found: Wordless) -> bool:
    """Say whether what is alike is what an engine puts out: "the same tokens as plain"."""
    if found.word.lower().startswith("exact") or _behind(found):
        return True
    return _OUTPUT.match(found.about) is not None


def _behind(found: Wordless) -> str:
    behind = _OUTPUT_BEHIND.match(found.sentence, _place(found)[1])
    return behind[0] if behind else ""


def _not_even(kind: Kind, given: Grounds) -> str | None:
    # A claim of no change is refused by the judge (CLM216) where it shows none.
    if given.equivalent or given.even or (kind == "flat" and given.flat):
        return None
    if kind == "flat":
        return "the change is above the noise floor"
    return f"no equivalence verdict with a margin ({EQUIVALENCE_MARGIN}) is behind it"


def _not_changed(given: Grounds) -> str | None:
    if given.even:
        return "the claim is of no change, within its margin"
    return "it has no ratio" if given.ratio is None else None


def wrong_way(said: Said, given: Grounds) -> tuple[str, str] | None:
    """Return code and message where the arm that a comparing word is about does not do so.

    The word may lean the other way (CLM105), or be a multiple that is not reached (CLM407).
    """
    reached = _reached(said, given)
    if said.kind not in _COMPARING or reached is None or (reached > 1 and reached >= _factor(said)):
        return None
    ends = (given.ratio or reached, given.greatest or reached)
    least, most = (wording.display(one, 3) for one in ends)
    told = f"the ratio is {least}" if least == most else f"the ratios are {least} to {most}"
    return "CLM407" if reached > 1 else "CLM105", told


def _reached(said: Said, given: Grounds) -> Fraction | None:
    """Return by what an arm is better, or worse, as the word has it; above 1 where that is so."""
    if not given.ratio or not given.greatest:
        return None
    return given.ratio if leaning.of(said, given.polarity) > 0 else 1 / given.greatest


def _factor(said: Said) -> Fraction:
    """Return by how much it is to be better or worse, 1 where the words leave that open."""
    before = _MULTIPLIED.search(said.clause, 0, said.start)
    if said.kind != "factor" and before is None:
        return Fraction(1)
    text = (before[0] if before else said.word).lower()
    least = next((least for names, least in _FACTORS if names.search(text)), Fraction(1))
    return least * _NEARLY if _ABOUT.search(said.clause, 0, said.start) else least


def _place(found: Wordless) -> tuple[int, int]:
    at = max(found.sentence.find(found.word), 0)
    return at, at + len(found.word)


def _not_exact(word: str, given: Grounds) -> str | None:
    if given.compared is None:
        return "no exactness gate found its arms equal"
    if _OF_BITS.search(word) and "logits" not in given.compared:
        return f"its gate compared {given.compared}, and no logits"
    return None if given.compared.startswith("tokens") else f"its gate compared {given.compared}"


def _is_equivalent(judgement: Judgement) -> bool:
    """Say whether the pairs lie within the margin that the window's plan declared."""
    window = judgement.evidence.window
    margin = None if window is None else declared.margin(window.scope)
    if margin is None:
        return False
    # Few pages need it, and it is heavy to import.
    from claims.judging import equivalence

    return equivalence.found(judgement.claim.metric, judgement.evidence, margin) is not None
