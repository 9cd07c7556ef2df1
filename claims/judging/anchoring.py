"""Whether a change counts: its baseline anchored in the same window, its size above the noise.

The window's own word is not taken: the CONTRACT behind each anchor is read again, the rows of the
anchor's run are found through its receipt, and the value is computed from them.
"""

from fractions import Fraction

from claims.judging.chain import RefusedError
from engine import anchor, soundness
from engine.metrics import metric
from engine.plan import Plan
from engine.results.model import Run
from engine.statistics import decimal_text, ratio_of_medians
from receipts.predicates import AnchorResult, RunPredicate, WindowPredicate


def of_baseline(window: WindowPredicate, metric: str) -> list[AnchorResult]:
    """Return the anchors of the baseline, or refuse a window that has none, or one that failed.

    One of them must be of the claim's own metric: a decoder may be slow and its prefill not.
    """
    if window.control:
        raise RefusedError("CLM208", f"{window.window} is an A/A: its arms are one")
    found = [one for one in window.anchors or () if one.validates == "baseline"]
    if not found:
        raise RefusedError("CLM321", f"no anchor of the baseline in {window.window}")
    for one in found:
        if one.result != "held":
            raise RefusedError("CLM321", f"BASELINE_CONDEMNED: {anchor.told(one)}")
    if metric not in {one.metric for one in found}:
        of = ", ".join(one.metric for one in found)
        raise RefusedError("CLM321", f"the baseline's anchors are of {of}, the claim of {metric}")
    return found


def require_sound(window: WindowPredicate) -> None:
    """Refuse a window with a gate that proved nothing, or that the candidate did not pass."""
    for gate in window.gates or ():
        if not soundness.passed(gate):
            raise RefusedError("CLM209", soundness.told(gate))


def require_held(
    one: AnchorResult, record: anchor.Record, run: RunPredicate, rows: Run, baseline: RunPredicate
) -> None:
    """Refuse an anchor whose CONTRACT, rows or binary say something else than the window does.

    The program is the baseline's too: a raw file may state one build under another wrapper.
    """
    binary = run.identity.get("binary")
    again = anchor.judge(record, one.validates, rows, str(binary) if binary else None, one.receipt)
    if again != one:
        told = f"it says {one.measured} {one.result}, its rows and CONTRACT {again.measured}"
        raise RefusedError("CLM321", f"anchor {one.record}: {told} {again.result}")
    names = ("binary", "program")
    if binary is None or any(run.identity.get(n) != baseline.identity.get(n) for n in names):
        raise RefusedError(
            "CLM321", f"anchor {one.record} is not of the baseline's program and binary"
        )


def require_own_words(planned: Plan, found: list[AnchorResult], metric: str) -> None:
    """Refuse anchors of the claim's metric none of which ran the baseline's own command."""
    own = {one.record for one in planned.vouching()}
    if not any(one.metric == metric and one.record in own for one in found):
        raise RefusedError(
            "CLM321", f"no anchor of {metric} ran the command of the arm {planned.baseline.arm}"
        )


def change(name: str, pair: tuple[Run, Run]) -> Fraction | None:
    """Return the change of a metric from baseline to candidate, None where one has none of it."""
    if not all(name in arm.samples for arm in pair):
        return None
    theirs, ours = (arm.samples[name] for arm in pair)
    return ratio_of_medians(ours, theirs, metric(name).polarity).change


def require_narrow(change: Fraction, found: list[AnchorResult], metric: str) -> None:
    """Refuse a change that the baseline could have made alone, inside what its anchors allow."""
    allowed = [Fraction(one.tolerance) for one in found if one.metric == metric]
    if allowed and abs(change) <= min(allowed):
        shown, least = decimal_text(100 * change, 3), decimal_text(100 * min(allowed), 3)
        message = f"the change is {shown} %, and the narrowest anchor allows the baseline {least} %"
        raise RefusedError("CLM321", f"{message}: it vouches for no change that small")


def require_above(change: Fraction, floor: Fraction, entry: int) -> None:
    """Refuse a change that is no larger than the floor that this entry records."""
    if abs(change) <= floor:
        shown, least = decimal_text(100 * change, 3), decimal_text(100 * floor, 3)
        message = f"{shown} % is flat: entry {entry} records a noise floor of {least} %"
        raise RefusedError("CLM322", message)
