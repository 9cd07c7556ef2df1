"""Claims over the cells of a plan: one range, its minimum beside its mean, and no cell forgotten.

::

    kind: matrix
    wording: "It decodes {ratio.min:.2f}–{ratio.max:.2f}× as fast over {cells} depths (n = {n})."
    evidence: [{entry: J1}, {entry: J2}]        # a window each, or an entry that cites several
    cells: all                                   # of the plan; a list leaves some out, and says so

Every cell is judged as a change of its own first: one that is not exact, not anchored, or flat
refuses the whole claim by its own code. A cell of a single repetition (†) enters no range. The
windows are of one plan and of the same programs.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from claims.judging import parity
from claims.judging.chain import Evidence, Part, RefusedError, Side
from claims.judging.scope import Objection
from claims.registers import claim_form, facts, wording
from claims.registers.model import Claim, EvidenceRef
from claims.registers.wording import Value
from claims.rules import Refusal
from engine import statistics
from engine.inference import cells as over
from engine.inference import pairs
from engine.inference.cells import Cell
from engine.metrics import metric

SPECULATIVE = "speculative"


def resolve(
    claim: Claim,
    spread: Callable[[EvidenceRef], list[EvidenceRef]],
    one: Callable[[Claim], Evidence],
) -> Evidence:
    """Return the evidence of every cell and metric, or how far it holds.

    `spread` gives a reference for each window that an entry cites, `one` the evidence of a change.
    """
    whole = Evidence()
    try:
        refs = [each for ref in claim.evidence for each in spread(ref)]
        for name, measured in claim_form.names(claim).items():
            for ref in refs:
                _take(claim, name, measured, one(_change(claim, measured, ref)), whole)
        _require_one_plan(whole.parts)
        _require_cells(claim, whole)
    except RefusedError as error:
        whole.refusal = Refusal(error.code, str(error), claim.id)
    return whole


def _change(claim: Claim, measured: str, ref: EvidenceRef) -> Claim:
    changes = {"kind": "change", "metric": measured, "evidence": [ref]}
    return claim.model_copy(update=changes | {"metrics": None, "cells": None})


def _take(claim: Claim, name: str, measured: str, found: Evidence, whole: Evidence) -> None:
    """Add one window to the evidence of the whole, or refuse with its cell named."""
    cell = str(found.facts.get("cell", "?"))
    new = [link for link in found.links if link not in whole.links]
    whole.links += new
    whole.entry = whole.entry or found.entry
    whole.receipt = whole.receipt or found.receipt
    if found.refusal:
        raise RefusedError(found.refusal.code, f"cell {cell}: {found.refusal.message}")
    if found.window is None:
        raise RefusedError("CLM318", "a matrix claim rests on windows, made by `engine ab`")
    if any(part.cell == cell and part.name == name for part in whole.parts):
        message = f"two windows of the cell {cell} are cited; a matrix has one of each"
        raise RefusedError("CLM325", message)
    whole.parts.append(Part(cell, name, measured, found))
    if measured == claim.metric:
        whole.arms |= {f"{cell} {arm}": run for arm, run in found.arms.items()}
        _share(whole, found)


def _share(whole: Evidence, found: Evidence) -> None:
    """Keep of what is known only that on which all cells agree."""
    first = not whole.sides
    whole.facts = dict(found.facts) if first else facts.shared(whole.facts, found.facts)
    whole.planned = found.planned
    for side, known in found.sides.items():
        held = known if first else whole.sides[side]
        both = facts.shared(held.facts, known.facts)
        config = known.config if first else facts.shared(held.config, known.config)
        whole.sides[side] = Side(both, config, known.program)


def _require_one_plan(parts: list[Part]) -> None:
    windows = [part.evidence.window for part in parts if part.evidence.window]
    if len({window.plan for window in windows}) > 1:
        listed = ", ".join(dict.fromkeys(window.window for window in windows))
        raise RefusedError("CLM325", f"the windows are of several plans: {listed}")
    for side in ("baseline", "candidate"):
        if len({part.evidence.sides[side].program for part in parts}) > 1:
            raise RefusedError("CLM325", f"the {side} is not one program in all cells")


def _require_cells(claim: Claim, whole: Evidence) -> None:
    """Refuse unless the cells that are cited are those that the claim is about."""
    cited = {part.cell for part in whole.parts}
    wanted = set(claim.cells) if isinstance(claim.cells, list) else set(whole.planned)
    if missing := [cell for cell in sorted(wanted) if cell not in cited]:
        planned = ", ".join(whole.planned)
        message = f"no window of {', '.join(missing)} is cited; the plan has {planned}"
        raise RefusedError("CLM324", message)
    if surplus := sorted(cited - wanted):
        raise RefusedError("CLM324", f"{', '.join(surplus)} is cited and stands not in `cells`")
    lanes = [part.evidence.facts.get("lane") for part in whole.parts]
    windows = [part.evidence.window for part in whole.parts]
    natural = [one for one in windows if one and one.fixture and one.fixture.kind == "natural"]
    if SPECULATIVE in lanes and not natural:
        message = "a speculative lane without a cell of natural text is incomplete"
        raise RefusedError("CLM324", message)


def compute(
    claim: Claim, evidence: Evidence, change: Callable[[Claim, Evidence], dict[str, Value]]
) -> dict[str, Value]:
    """Return the value of every hole; `change` computes those of one window."""
    found: dict[str, Value] = {"unit": metric(claim.metric).unit}
    counted: list[Cell] = []
    for name in claim_form.names(claim):
        parts = [part for part in evidence.parts if part.name == name]
        cells = [_cell(part, change(of(claim, part), part.evidence)) for part in parts]
        counted = [cell for cell in cells if cell.counts]
        if counted:
            known = [cell.ratio for cell in counted]
            mean = sum(known, Fraction(0)) / len(known)
            figures: dict[str, Value] = {"min": min(known), "max": max(known), "mean": mean}
            found |= {f"{name}.{part}": value for part, value in figures.items()}
            found["n"] = min(cell.n for cell in counted)
    found |= _pairs(evidence)
    return found | {"cells": len(counted), "cells.planned": len(evidence.planned)}


def _pairs(evidence: Evidence) -> dict[str, Value]:
    own = (part for part in evidence.parts if part.name == "ratio")
    found = [ratio for part in own for ratio in parity.ratios(part.metric, part.evidence)]
    return {"pair.min": min(found), "pair.max": max(found)} if found else {}


def of(claim: Claim, part: Part) -> Claim:
    """Return the claim of one cell and metric alone, which is a change."""
    return _change(claim, part.metric, claim.evidence[0])


def _cell(part: Part, values: Mapping[str, Value]) -> Cell:
    window = part.evidence.window
    ratio, n = values["ratio"], values["n"]
    gated = window is not None and window.exactness.result == "exact"
    return Cell(
        name=part.cell,
        definition=part.metric,
        ratio=ratio if isinstance(ratio, Fraction) else Fraction(0),
        n=n if isinstance(n, int) else 0,
        exact=True if gated else None,
    )


def objections(claim: Claim, evidence: Evidence, sentence: str) -> Iterator[Objection]:
    """Yield what the sentence hides or overstates of the cells, each as code and words."""
    yield from _minimum(claim)
    counted = {part.cell for part in evidence.parts if not _is_single(part)}
    left = [cell for cell in evidence.planned if cell not in counted]
    if left and not _tells(sentence, left, len(evidence.planned)):
        told = f"{', '.join(left)} of the plan is left out, and the sentence does not say so"
        yield "CLM215", f"{told}: name it, or write {{cells}} of {{cells.planned}} cells"
    if wording.says_every_cell(sentence) and wording.says_faster(sentence):
        yield from _every_cell(evidence)


def _is_single(part: Part) -> bool:
    """Say whether the cell rests on one repetition (†), and enters no range."""
    return any(len(run.rows) == 1 for run in part.evidence.arms.values())


def _minimum(claim: Claim) -> Iterator[Objection]:
    shown = set(wording.holes(claim.wording))
    for name in claim_form.names(claim):
        others = shown & {f"{name}.max", f"{name}.mean"}
        if others and f"{name}.min" not in shown:
            listed = " and ".join(f"{{{one}}}" for one in sorted(others))
            yield "CLM214", f"it shows {listed} without {{{name}.min}}"


def _tells(sentence: str, left: list[str], planned: int) -> bool:
    """Say whether the sentence names each cell that is left out, or how many of how many it has."""
    counted = f"{planned - len(left)} of {planned}" in sentence
    return counted or all(cell.lower() in sentence.lower() for cell in left)


def _every_cell(evidence: Evidence) -> Iterator[Objection]:
    """What holds in every cell holds in each alone: no interval may reach down to parity."""
    lower: dict[str, float] = {}
    for part in evidence.parts:
        theirs, ours = (arm.samples[part.metric] for arm in part.evidence.arms.values())
        logs = pairs.log_ratios(ours, theirs, metric(part.metric).polarity)
        lower[f"{part.cell} ({part.metric})"] = pairs.walsh_interval(logs).low
    for cell in over.at_every_cell(lower):
        shown = statistics.decimal_text(Fraction(lower[cell]), 3)
        yield "CLM203", f"it says every cell, and the interval of {cell} reaches down to {shown}"
