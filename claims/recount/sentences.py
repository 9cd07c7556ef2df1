"""Sentences: every hole of a claim as it is rendered, and every sentence that was approved."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from claims.model import Claim
from claims.recount import pairs, receipts
from claims.recount.archive import Archive, Rows, UnavailableError
from claims.recount.checking import Checked, Subject
from claims.recount.pairs import Side
from claims.recount.reducers import Root, display, spell
from claims.wording import HOLE
from ledger import citation
from ledger.bodies import Approval, Experiment
from receipts.errors import Error
from receipts.receipt import Receipt
from receipts.statement import RunPredicate, WindowPredicate

_DDOF = 1  # of `cv` in a sentence; the register's page says so


@dataclass(frozen=True, slots=True)
class Filled:
    """What the rows put into the holes of a claim, and from where."""

    values: Mapping[str, Fraction | str]
    receipt: str
    rows: str
    formula: str


def recount(archive: Archive, claim: Claim, rendered: Mapping[str, str]) -> Iterator[Checked]:
    """Yield every hole of a claim; `rendered` is what the product puts into each."""
    subject = Subject(f"claim {claim.id}", "")
    try:
        filled = fill(archive, claim)
    except UnavailableError as error:
        for hole, text in rendered.items():
            yield subject.unresolved(hole, text, error.outcome, str(error))
        return
    about = Subject(subject.name, filled.receipt, filled.rows)
    for match in {found[0]: found for found in HOLE.finditer(claim.wording)}.values():
        printed = rendered.get(match[0], "absent")
        ours = _spelled(filled, match)
        if ours is None:
            why = f"this recount does not know the hole {match[1]}"
            yield about.unresolved(match[0], printed, "not recomputable", why)
        else:
            yield about.word(match[0], printed, ours, filled.formula)


def approved(archive: Archive, claim: Claim, approval: Approval, name: str) -> Iterator[Checked]:
    """Yield every hole of the sentence that an approval of this claim, as it is, was given for."""
    subject = Subject(f"{name} approval of {claim.id}", "")
    try:
        filled = fill(archive, claim)
    except UnavailableError as error:
        yield subject.unresolved("sentence", approval.sentence, error.outcome, str(error))
        return
    about = Subject(subject.name, filled.receipt, filled.rows)
    holes = list(HOLE.finditer(claim.wording))
    ours = [_spelled(filled, match) for match in holes]
    printed = _pattern(claim.wording).fullmatch(approval.sentence)
    if printed is None:
        words = " ".join(claim.wording.split())
        yield about.word("sentence", approval.sentence, words, "the wording of the claim")
        return
    for match, text, own in zip(holes, printed.groups(), ours, strict=True):
        if own is None:
            why = f"this recount does not know the hole {match[1]}"
            yield about.unresolved(match[0], text, "not recomputable", why)
        else:
            yield about.word(match[0], text, own, filled.formula)


def void(claim: Claim | None, approval: Approval) -> str | None:
    """Return why an approval approves nothing any more, None while it does."""
    if approval.decision == "withdrawn":
        return "approvals withdrawn"
    if claim is None:
        return "approvals of claims that the register does not have"
    if claim.approved_digest() != approval.digest:
        return "approvals of another version of the claim than the register has"
    return None


def fill(archive: Archive, claim: Claim) -> Filled:
    """Return the value of every hole of a claim, from the rows of its evidence."""
    if len(claim.evidence) != 1:
        why = f"it rests on {len(claim.evidence)} pieces of evidence"
        raise UnavailableError("not recomputable", why)
    metric = pairs.metric_of(claim.metric)
    receipt, select = _evidence(archive, claim)
    scope = {f"scope.{name}": str(value) for name, value in claim.scope.items()}
    words: dict[str, Fraction | str] = {"unit": metric.unit, **scope}
    predicate = receipt.predicate
    if claim.kind == "change":
        if not isinstance(predicate, WindowPredicate):
            raise UnavailableError(
                "not recomputable", "a change rests on a window, and this is none"
            )
        return _change(archive, claim, receipt, predicate, words)
    rows = _level_rows(archive, claim, receipt, select)
    side = pairs.reduce(rows, claim.metric, claim.statistic)
    values = {**words, "value": side.value, **_ends(side, ""), "n": str(side.n)}
    return Filled(values, receipt.uri, side.rows, f"{claim.statistic} of {side.n}")


def _change(
    archive: Archive,
    claim: Claim,
    receipt: Receipt,
    predicate: WindowPredicate,
    words: Mapping[str, Fraction | str],
) -> Filled:
    found = receipts.window_pair(archive, receipt, predicate, claim.metric, claim.statistic)
    if found.ratio is None or found.change is None:
        raise UnavailableError("not recomputable", "a median is not above zero: there is no ratio")
    old, new = found.baseline, found.candidate
    values = {
        **words,
        "ratio": found.ratio,
        "percent": found.change * 100,
        "baseline": old.value,
        "candidate": new.value,
        "n": str(min(old.n, new.n)),
        **_ends(old, "baseline."),
        **_ends(new, "candidate."),
    }
    rows = f"baseline {old.rows}; candidate {new.rows}"
    return Filled(values, receipt.uri, rows, f"{claim.statistic} of {old.n} and {new.n}")


def _ends(side: Side, prefix: str) -> dict[str, Fraction | str]:
    found: dict[str, Fraction | str] = {
        f"{prefix}min": side.smallest,
        f"{prefix}max": side.largest,
    }
    cv = side.cv(_DDOF)
    return found | ({f"{prefix}cv": _percent(cv)} if cv else {})


def _percent(cv: Root) -> Fraction:
    """Return a CV in percent; a sentence rounds the nine digits that are on record."""
    return 100 * Fraction(spell(cv))


def _evidence(archive: Archive, claim: Claim) -> tuple[Receipt, dict[str, str | int | bool]]:
    """Return the receipt of the claim's entry, and what selects in its raw file."""
    ref = claim.evidence[0]
    try:
        body = archive.ledger.resolve(ref.entry).body
        cited = (body.evidence if isinstance(body, Experiment) else None) or []
        wanted = citation.resolve(archive.ledger, ref.receipt) if ref.receipt else None
    except Error as error:
        raise UnavailableError("unreadable", str(error)) from error
    fitting = [item for item in cited if wanted in (None, item.receipt)]
    if len({item.receipt for item in fitting}) != 1:
        why = f"entry {ref.entry} cites {len(fitting)} receipts that may be meant"
        raise UnavailableError("not recomputable", why)
    ours = {**(ref.select or {})}
    picks = [{**(item.select or {}), **ours} for item in fitting if _agree(item.select, ours)]
    if not picks or any(one != picks[0] for one in picks):
        raise UnavailableError("not recomputable", f"entry {ref.entry} cites several cells")
    return archive.receipt(fitting[0].receipt), picks[0]


def _agree(theirs: Mapping[str, object] | None, ours: Mapping[str, object]) -> bool:
    return all(name not in ours or str(ours[name]) == str(v) for name, v in (theirs or {}).items())


def _level_rows(
    archive: Archive, claim: Claim, receipt: Receipt, select: dict[str, str | int | bool]
) -> Rows:
    predicate, arm = receipt.predicate, claim.evidence[0].arm
    if isinstance(predicate, RunPredicate):
        return archive.cell(receipt, predicate, select)
    if not isinstance(predicate, WindowPredicate) or arm is None:
        raise UnavailableError("not recomputable", "it does not say of which arm it is")
    return archive.arm(receipt, predicate, arm)


def _spelled(filled: Filled, hole: re.Match[str]) -> str | None:
    """Return what the rows put into a hole, as its digits ask for; None for an unknown hole."""
    value = filled.values.get(hole[1])
    if isinstance(value, Fraction):
        return display(value, int(hole[3] or 0), grouped=bool(hole[2]))
    return value


def _pattern(wording: str) -> re.Pattern[str]:
    """Return what a sentence of this wording looks like, a group for each hole."""
    parts, position = [], 0
    template = " ".join(wording.split())
    for hole in HOLE.finditer(template):
        parts += [re.escape(template[position : hole.start()]), "(.+?)"]
        position = hole.end()
    return re.compile("".join([*parts, re.escape(template[position:])]))
