"""Claims of no change: the margin that the plan declared, and pairs that keep within it.

A claim with a `margin` says that its arms are alike, not that one wins. So its change may lie under
the noise floor and inside what the anchors allow; but floor and anchors must be finer than the
margin, or the baseline alone could have moved further. The margin must have stood in the scope of
the plan, as `equivalence_margin`, before the first run: one chosen afterwards fits anything.
"""

from collections.abc import Iterator
from fractions import Fraction

from claims.judging.chain import Evidence, RefusedError
from claims.judging.scope import Objection
from claims.registers import wording
from claims.registers.model import Claim
from engine.declared import EQUIVALENCE_MARGIN
from engine.declared import margin as declared_margin
from engine.metrics import metric
from engine.statistics import decimal_text
from receipts.errors import Error
from receipts.predicates import AnchorResult

_CODE = "CLM216"


def margin_of(claim: Claim) -> Fraction | None:
    """Return the margin of a claim of no change as a share, None for any other claim."""
    return None if claim.margin is None else Fraction(claim.margin)


def declared(evidence: Evidence) -> Fraction | None:
    """Return the margin that the plan of the window declared, None where it declared none."""
    return None if evidence.window is None else declared_margin(evidence.window.scope)


def found(name: str, evidence: Evidence, margin: Fraction) -> str | None:
    """Return by what the pairs of a metric are alike within the margin, None where they are not."""
    word, reason = _verdict(name, evidence, margin)
    return reason if word == "EQUIVALENT" else None


def objections(claim: Claim, evidence: Evidence, sentence: str) -> Iterator[Objection]:
    """Yield what keeps a claim from saying that nothing changed; nothing for other claims."""
    margin, planned = margin_of(claim), declared(evidence)
    if margin is None:
        yield from _unnamed(claim, evidence, sentence, planned)
        return
    if planned is None:
        yield _CODE, f"the plan declared no {EQUIVALENCE_MARGIN} before its first run"
    elif planned != margin:
        yield _CODE, f"the plan declared {_percent(planned)}, the claim has {_percent(margin)}"
    word, reason = _verdict(claim.metric, evidence, margin)
    if word != "EQUIVALENT":
        yield _CODE, f"the pairs are not alike within {_percent(margin)}: {reason}"
    if "margin" not in wording.holes(claim.wording):
        yield _CODE, "the sentence does not tell the margin; show {margin}"
    if faster := wording.says_faster(sentence):
        yield _CODE, f"it says {faster!r}, and the claim is of no change"


def _unnamed(
    claim: Claim, evidence: Evidence, sentence: str, planned: Fraction | None
) -> Iterator[Objection]:
    """Refuse a change that says without a margin that there is none, unless its plan had one."""
    word = wording.says_no_change(sentence) if claim.kind == "change" else None
    if word and (planned is None or not found(claim.metric, evidence, planned)):
        yield _CODE, f"it says {word!r}, and the claim has no margin"


def require_fine(
    margin: Fraction, floor: Fraction | None, anchors: list[AnchorResult], metric: str
) -> None:
    """Refuse a margin that the noise, or a baseline within its anchors, exceeds by itself."""
    allowed = [Fraction(one.tolerance) for one in anchors if one.metric == metric]
    if allowed and min(allowed) > margin:
        told = f"the narrowest anchor allows the baseline {_percent(min(allowed))}"
        raise RefusedError("CLM321", f"{told}, more than the margin of {_percent(margin)}")
    if floor is not None and floor > margin:
        told = f"the noise floor is {_percent(floor)}"
        raise RefusedError("CLM322", f"{told}, more than the margin of {_percent(margin)}")


def _verdict(name: str, evidence: Evidence, margin: Fraction) -> tuple[str, str]:
    from engine.inference import pairs, verdict

    arms = list(evidence.arms.values())
    if len(arms) != 2 or not all(name in arm.samples for arm in arms):
        return "INVALID", f"it is not of two arms that have {name}"
    try:
        baseline, candidate = (arm.samples[name] for arm in arms)
        analysed = pairs.analyse(candidate, baseline, metric(name).polarity)
        said = verdict.judge(analysed.interval, None, margin)
    except (Error, ValueError, ZeroDivisionError) as error:
        return "INVALID", str(error)
    # A change that is beyond parity and within the margin all the same is no change of note.
    within = any("within the margin" in told for told in said.warnings)
    return ("EQUIVALENT" if within else said.word), said.reason


def _percent(share: Fraction) -> str:
    return f"{decimal_text(100 * share, 3)} %"
