"""The deltas of entries, and what corrections say that they should read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from claims.recount import pairs, receipts
from claims.recount.archive import Archive, Rows, UnavailableError, place_of
from claims.recount.checking import Checked, Subject
from claims.recount.exactness import NO_RATIO, gate_result
from claims.recount.pairs import Pair
from ledger.bodies import Contract, Correction, Delta, DeltaSide, Experiment
from ledger.entry import Entry
from receipts.predicates import RunPredicate, WindowPredicate
from receipts.receipt import Receipt

GATE = {"exact": "pass", "differs": "fail", "ungated": "not-run"}
_RESTATED = re.compile(r"delta\.(\d+)\.(.+)")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a delta comes from: both arms, what they are called, and its window if it is one."""

    pair: Pair
    arms: tuple[str, str]
    window: Receipt | None = None


def name_of(entry: Entry) -> str:
    """Return what an entry is called in a report: index and label."""
    label = f" {entry.body.label}" if entry.body.label else ""
    return f"entry {entry.index}{label}"


def recount(archive: Archive, entry: Entry) -> Iterator[Checked]:
    """Yield every figure of an entry's deltas."""
    body = entry.body
    if isinstance(body, Experiment):
        yield from _exactness(archive, name_of(entry), body)
        for number, delta in enumerate(body.delta or ()):
            yield from _delta(archive, name_of(entry), body, number, delta)
    elif isinstance(body, Correction):
        yield from _restated(archive, entry, body)
    elif isinstance(body, Contract):
        yield from _recorded(archive, name_of(entry), body)


def left_out(entry: Entry) -> Iterator[str]:
    """Yield what of an entry no recount reaches, and why."""
    body = entry.body
    if isinstance(body, Experiment):
        yield from ("cells of recorded history: it has no rows" for _ in body.recorded or ())
        free = (one for one in body.delta or () if not pairs.CONVENTION.search(one.convention))
        yield from ("conventions of deltas in words of one's own" for _ in free)
        shares = (one for one in body.attribution or () if one.share is not None)
        yield from ("shares of attributions: a cause is not measured" for _ in shares)
        typed = (one for one in body.gate or () if one.measured is not None)
        yield from ("measured values of gates: an entry does not say of which rows" for _ in typed)
    elif isinstance(body, Contract) and body.reference != "anchor":
        yield from ("thresholds of contracts: their signers set them" for _ in body.gates or ())


def source(archive: Archive, delta: Delta) -> Source:
    """Return both arms behind a delta, from the window or the runs that it names."""
    metric = pairs.metric_of(delta.metric)
    opened = [archive.receipt(uri) for uri in delta.runs]
    if not opened:
        raise UnavailableError("not recomputable", "the delta names no run")
    if len(set(delta.runs)) < len(delta.runs):
        raise UnavailableError("not recomputable", "the delta names one run twice")
    first = opened[0]
    if isinstance(first.predicate, WindowPredicate):
        if len(opened) > 1:
            why = f"the delta names {len(opened)} windows and does not say of which it is"
            raise UnavailableError("not recomputable", why)
        window = first.predicate
        found = receipts.window_pair(archive, first, window, delta.metric, delta.statistic)
        return Source(found, (window.baseline, window.candidate), first)
    names = (delta.baseline.arm, delta.candidate.arm)
    sides = [
        pairs.reduce(_arm(archive, opened, arm), delta.metric, delta.statistic) for arm in names
    ]
    return Source(pairs.pair(metric, *sides), names)


def _arm(archive: Archive, opened: list[Receipt], name: str) -> Rows:
    """Return the runs of one arm among the receipts that a delta names, in their order."""
    parts = []
    for receipt in opened:
        run = receipt.predicate
        if isinstance(run, RunPredicate) and run.window is not None:
            why = f"{place_of(run)} is a repetition of {run.window}, which the delta does not name"
            raise UnavailableError("not recomputable", why)
        if isinstance(run, RunPredicate) and run.arm == name:
            parts += [(place_of(run), one) for one in archive.file_of(receipt, run).runs]
    if not parts:
        raise UnavailableError("not recomputable", f"no run that the delta names is of arm {name}")
    return Rows(tuple(parts))


def _exactness(archive: Archive, name: str, body: Experiment) -> Iterator[Checked]:
    """Check the gate of exactness against the tokens of the one window that the entry cites."""
    said = [gate for gate in body.gate or () if gate.name == "exactness"]
    cited = list(dict.fromkeys(item.receipt for item in body.evidence or ()))
    if not said or len(cited) != 1:
        return
    subject = Subject(name, cited[0])
    try:
        receipt = archive.receipt(cited[0])
        if not isinstance(receipt.predicate, WindowPredicate):
            return
        found = GATE[gate_result(archive, receipt, receipt.predicate)]
    except UnavailableError as error:
        yield subject.unresolved("gate exactness", said[0].result, error.outcome, str(error))
        return
    for gate in said:
        yield subject.word("gate exactness", gate.result, found, "tokens of every repetition")


def _delta(
    archive: Archive, name: str, body: Experiment, number: int, delta: Delta
) -> Iterator[Checked]:
    place = f"delta.{number} {delta.metric}"
    subject = Subject(name, ", ".join(delta.runs))
    try:
        found = source(archive, delta)
        yield from _checks(archive, subject, place, delta, found)
    except UnavailableError as error:
        yield subject.unresolved(f"{place}.change", delta.change, error.outcome, str(error))
        return
    cited = {item.receipt for item in body.evidence or ()}
    if cited:
        theirs = ", ".join(uri for uri in delta.runs if uri not in cited)
        rule = "the receipts that the entry cites as evidence"
        yield subject.word(f"{place}.runs", theirs or "cited", "cited", rule)


def _checks(
    archive: Archive, subject: Subject, place: str, delta: Delta, found: Source
) -> Iterator[Checked]:
    metric, ours, theirs = found.pair.metric, found.pair.baseline, found.pair.candidate
    if _differs(archive, found):
        yield subject.word(place, "a delta", "none", NO_RATIO)
        return
    yield from pairs.check_metric(subject, place, delta.unit, delta.polarity, metric)
    yield from pairs.check_convention(subject, place, delta.convention, found.pair)
    rule = "repetitions of the arm that has fewer"
    yield subject.word(f"{place}.n", delta.n, min(ours.n, theirs.n), rule)
    ddof = 1 if delta.ddof is None else delta.ddof
    sides: list[tuple[str, DeltaSide]] = [
        ("baseline", delta.baseline),
        ("candidate", delta.candidate),
    ]
    for role, (word, side) in enumerate(sides):
        both = (ours, theirs) if role == 0 else (theirs, ours)
        rule = f"the {word} of the window"
        yield subject.word(f"{place}.{word}.arm", side.arm, found.arms[role], rule)
        yield from pairs.check_side(subject, f"{place}.{word}", side, both, ddof)
    yield from pairs.check_moved(subject, place, delta.change, delta.ratio, found.pair)
    window = found.window.predicate if found.window else None
    if delta.standing is not None and isinstance(window, WindowPredicate):
        told = receipts.standing(archive, window)
        yield subject.word(f"{place}.standing", delta.standing, told, "the anchors of the window")


def _differs(archive: Archive, found: Source) -> bool:
    window = found.window
    if window is None or not isinstance(window.predicate, WindowPredicate):
        return False
    return gate_result(archive, window, window.predicate) == "differs"


def _restated(archive: Archive, entry: Entry, body: Correction) -> Iterator[Checked]:
    """Check the figures of a delta that a correction restates: they must follow from the rows."""
    for field, text in (body.restated or {}).items():
        if not field.startswith("delta"):
            continue
        subject = Subject(name_of(entry), "")
        place = f"restated {field}"
        try:
            wanted = _target(archive, body, field, text)
        except UnavailableError as error:
            yield subject.unresolved(place, text, error.outcome, str(error))
            continue
        yield from _renamed(wanted, name_of(entry), place)


def _renamed(found: list[Checked], name: str, place: str) -> Iterator[Checked]:
    for one in found:
        yield Checked(name, place, one.printed, one.recomputed, one.outcome, one.operands, one.why)


def _target(archive: Archive, body: Correction, field: str, text: str) -> list[Checked]:
    """Return the check of the one figure that a restated field is, as if the target had it."""
    named = _RESTATED.fullmatch(field)
    targets = [archive.ledger.by_id(target) for target in body.targets or ()]
    only = targets[0].body if len(targets) == 1 else None
    entry = only if isinstance(only, Experiment) else None
    deltas = list(entry.delta or ()) if entry else []
    if entry is None or named is None or int(named[1]) >= len(deltas):
        why = "it does not name a figure as delta.NUMBER.FIELD of its one target"
        raise UnavailableError("not recomputable", why)
    value = deltas[int(named[1])].model_dump(exclude_none=True)
    *path, last = named[2].split(".")
    inner: Any = value
    for step in path:
        inner = inner.get(step, {})
    if not isinstance(inner, dict) or isinstance(inner.get(last), dict | list):
        raise UnavailableError("not recomputable", f"a delta has no figure {named[2]}")
    inner[last] = int(text) if last in ("n", "ddof") and text.isdigit() else text
    number, place = int(named[1]), f"delta.{named[1]} {value['metric']}.{named[2]}"
    delta = Delta.parse(value, "restated delta")
    checked = _delta(archive, targets[0].id, entry, number, delta)
    found = [
        one for one in checked if one.field == place or one.outcome not in ("agrees", "differs")
    ]
    if not found:
        raise UnavailableError("not recomputable", f"a delta has no figure {named[2]}")
    return found


def _recorded(archive: Archive, name: str, body: Contract) -> Iterator[Checked]:
    """Check the value that an anchor's CONTRACT records against the rows that it comes from."""
    if body.reference != "anchor" or not body.gates:
        return
    gate, subject = body.gates[0], Subject(name, body.made_by or "")
    place = f"anchor {gate.name} threshold"
    try:
        if body.made_by is None:
            raise UnavailableError("not recomputable", "the CONTRACT names no receipt")
        receipt = archive.receipt(body.made_by)
        if not isinstance(receipt.predicate, RunPredicate):
            raise UnavailableError("not recomputable", "its receipt is not that of a run")
        sides = [
            pairs.reduce(Rows(((place_of(receipt.predicate), run),)), gate.metric, statistic)
            for run in archive.file_of(receipt, receipt.predicate).runs
            if gate.metric in run.samples
            for statistic in ("median", "mean")
        ]
    except UnavailableError as error:
        yield subject.unresolved(place, gate.threshold, error.outcome, str(error))
        return
    checked = [
        Subject(name, body.made_by, side.rows).number(
            place, gate.threshold, side.value, f"{side.statistic} of {side.n}"
        )
        for side in sides
    ]
    agreeing = [one for one in checked if one.outcome == "agrees"]
    if not checked:
        why = f"the rows hold no {gate.metric}"
        yield subject.unresolved(place, gate.threshold, "not recomputable", why)
    yield from (agreeing or checked)[:1]
