"""A window against its plan, and its repetitions against the window.

What the window's receipt says about itself is believed only where the plan, an object named by its
digest, says the same; and its repetitions only where each is a receipt of its own, witnessed, in
the place where the window lists it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from claims.judging.chain import RefusedError, Side, refusing
from claims.registers import facts
from engine import exactness, floors, plan, schedule
from engine.plan import Plan
from engine.results import merging
from engine.results.model import ResultFile, Run
from receipts.digest import Digest
from receipts.errors import NotFoundError, UndecidedError, VerificationError
from receipts.predicates import Facts, Repetition, RunPredicate, WindowPredicate
from receipts.shape import Shape
from receipts.store import ObjectStore

Repeated = dict[str, list[tuple[RunPredicate, ResultFile]]]
"""For each arm, what every repetition says about itself and its raw file."""


parsed = lru_cache(maxsize=64)(plan.parse)
"""Returns the plan in these bytes; the claims of a page rest on few, and each is read once."""


def read_plan(objects: ObjectStore, window: WindowPredicate) -> tuple[Plan, tuple[str, ...]]:
    """Return the plan of the window's cell, the digest of its file verified, and all its cells."""
    with refusing("CLM304", NotFoundError), refusing("CLM303", VerificationError):
        raw = objects.get(Digest.parse(window.plan))
    with refusing("CLM303"):
        whole = parsed(raw, f"plan {window.plan[:20]}…")
    planned = whole.of(window.cell)
    cells = tuple(str(one.cell) for one in whole.singles())
    if planned is None:
        message = f"window {window.window} has cell {window.cell}, its plan {', '.join(cells)}"
        raise RefusedError("CLM207", message)
    return (planned.control() if window.control else planned), cells


def require_planned(window: WindowPredicate, planned: Plan, metric: str) -> None:
    """Refuse a window that says of itself anything else than its plan, or a metric beyond it."""
    for name, ours, theirs in _facts(window, planned):
        if ours != theirs:
            message = f"window {window.window} has {name} {ours}, its plan {theirs}"
            raise RefusedError("CLM207", message)
    if metric not in planned.metrics:
        listed = ", ".join(planned.metrics)
        raise RefusedError("CLM207", f"the plan is about {listed}, the claim about {metric}")


def require_exact_word(window: WindowPredicate) -> None:
    """Refuse a window that says itself that its arms differ; such a walk may have ended early."""
    if window.exactness.result == "differs":
        raise RefusedError("CLM320", window.exactness.first_difference or "the arms differ")


def _facts(window: WindowPredicate, planned: Plan) -> Iterator[tuple[str, Any, Any]]:
    baseline, candidate = planned.baseline.arm, planned.candidate.arm
    yield "cell", window.cell, planned.cell
    yield "baseline", window.baseline, baseline
    yield "candidate", window.candidate, candidate
    yield "cv_limit", window.cv_limit, planned.cv_limit
    yield "exactness", window.exactness.compared, planned.exactness
    yield "scope", dict(window.scope), dict(planned.scope)
    yield "fixture", _plain(window.fixture), _plain(planned.fixture)
    gates = [(one.name, one.threshold, one.defect) for one in window.gates or ()]
    yield "gates", gates, [(one.name, one.threshold, one.defect) for one in planned.gates or ()]
    listed = [(one.record, one.validates) for one in window.anchors or ()]
    yield "anchors", listed, [(one.record, one.validates) for one in planned.anchors or ()]
    proofs = [(one.arm, one.proof) for one in window.engagement or ()]
    asked = [one for one in proofs if one[1] != plan.APART]
    wanted = [(one.arm, proof) for one in planned.engagement or () for proof in one.proofs()]
    yield "engagement", asked, wanted
    for arm in (baseline, candidate):
        ran = sum(item.arm == arm for item in window.repetitions)
        yield f"repetitions of {arm}", ran, planned.repetitions
    yield "repetitions", len(window.repetitions), 2 * planned.repetitions


def _plain(fixture: Shape | None) -> dict[str, Any] | None:
    return fixture.plain() if fixture else None


def require_engaged(window: WindowPredicate) -> None:
    """Refuse a window in which an arm did not prove that it ran what it is said to be."""
    for proof in window.engagement or ():
        if not proof.held:
            raise RefusedError("CLM208", f"{proof.arm}: {proof.detail or proof.proof}")


def require_apart(window: WindowPredicate, sides: Mapping[str, Side]) -> None:
    """Refuse arms of one program whose raw files state the same of both: a window of one arm.

    A word on the command line is no difference; what shows that it did something is a fact that the
    raw file states, or a line of the log that the plan asks for.
    """
    ours, theirs = sides["baseline"], sides["candidate"]
    proven = [one for one in window.engagement or () if one.held and one.proof != plan.APART]
    if proven or ours.program != theirs.program or None in ours.program:
        return
    if _stated(ours) == _stated(theirs):
        told = "both arms ran one program, and their raw files state the same of both"
        raise RefusedError("CLM208", f"{told}: nothing shows that their words differ in effect")


def _stated(side: Side) -> dict[str, str]:
    """Return what an arm's raw file states, the words that started it left out."""
    return {name: facts.text(value) for name, value in side.facts.items() if name != "command"}


def side(run: RunPredicate, rows: Run) -> Side:
    """Return what is known of an arm: told by the raw file before what was declared."""
    program = (run.identity.get("program"), run.identity.get("binary"))
    known = {**facts.declared(run), **rows.config, **rows.identity}
    shown = tuple(None if one is None else str(one) for one in program)
    return Side(known, dict(rows.config), (shown[0], shown[1]))


def require_order(window: WindowPredicate) -> None:
    """Refuse repetitions that did not alternate, or of which two are one."""
    ran = [(item.arm, item.repetition) for item in window.repetitions]
    planned = schedule.alternate(window.baseline, window.candidate, len(ran) // 2)
    if ran != planned:
        raise RefusedError("CLM206", "the arms did not alternate AB BA AB BA …")
    if len({item.receipt for item in window.repetitions}) < len(ran):
        raise RefusedError("CLM206", f"one receipt stands twice in {window.window}")


def require_member(item: Repetition, run: object, window: WindowPredicate) -> RunPredicate:
    """Return the run that is listed as `item`, or refuse one of another place or window."""
    if not isinstance(run, RunPredicate) or not _belongs(run, window, item):
        raise RefusedError("CLM206", f"repetition {_place(item)} is not of {window.window}")
    if run.origin != "witnessed":
        raise RefusedError("CLM206", f"repetition {_place(item)} was not witnessed")
    return run


def require_one_row(item: Repetition, file: ResultFile) -> None:
    """Refuse a repetition that is more than one."""
    found = sum(len(run.rows) for run in file.runs)
    if found != 1:
        raise RefusedError("CLM206", f"repetition {_place(item)} has {found} rows, not one")


def _place(item: Repetition) -> str:
    return f"{item.arm}/{item.repetition}"


def _belongs(run: RunPredicate, window: WindowPredicate, item: Repetition) -> bool:
    marks = (run.window, run.plan, run.cell, run.arm, run.repetition)
    return marks == (window.window, window.plan, window.cell, item.arm, item.repetition)


def merge(window: WindowPredicate, found: Repeated) -> dict[str, Run]:
    """Return baseline and candidate, all repetitions of one environment and of equal tokens."""
    ran = [run for runs in found.values() for run, _ in runs]
    require_one_environment([run.environment for run in ran])
    require_one_environment([window.environment, ran[0].environment])
    for arm, runs in found.items():
        _require_one_program(arm, [run for run, _ in runs])
    arms: dict[str, Run] = {}
    for arm in (window.baseline, window.candidate):
        with refusing("CLM206"):
            arms[arm] = merging.merge([file for _, file in found.get(arm, ())])
    _require_exact(arms, window.exactness.compared)
    return arms


def _require_exact(arms: dict[str, Run], compared: str) -> None:
    """Compare the tokens of both arms again: the gate's own word is not taken for it."""
    with refusing("CLM320", UndecidedError):
        found = exactness.compare(arms, compared)
    if found.result == "differs":
        raise RefusedError("CLM320", found.first_difference or "the arms differ")


def _require_one_program(arm: str, runs: Sequence[RunPredicate]) -> None:
    """Refuse an arm whose program was another one in a later repetition."""
    for name in ("program", "binary"):
        if len({run.identity.get(name) for run in runs}) > 1:
            raise RefusedError("CLM206", f"repetitions of {arm} differ in {name}")


def require_one_environment(told: Sequence[Facts]) -> None:
    """Refuse runs, or a window and its runs, that were not on one machine in one boot."""
    for name in floors.SAME:
        values: set[Any] = {environment.get(name) for environment in told}
        if len(values) > 1:
            shown = ", ".join(sorted(map(str, values)))
            raise RefusedError("CLM206", f"repetitions differ in {name}: {shown}")


def establish(known: Facts, arms: Sequence[Run]) -> Facts:
    """Return `known` with what the rows say of all `arms`; on what they differ, nothing is said."""
    told: list[Facts] = [{**run.config, **run.identity} for run in arms]
    apart = {name for other in told for name in facts.differing(told[0], other)}
    common = told[0]
    for other in told[1:]:
        common = facts.shared(common, other)
    return {**{name: known[name] for name in known if name not in apart}, **common}
