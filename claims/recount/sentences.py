"""Sentences: every hole of a claim as it is rendered, and every sentence that was approved."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from claims.recount import cited, matrix, pairs, receipts
from claims.recount.archive import Archive, Rows, UnavailableError
from claims.recount.checking import Checked, Subject
from claims.recount.exactness import require_exact
from claims.recount.pairs import Side
from claims.recount.reducers import Root, display, spell
from claims.registers.model import Claim
from claims.registers.wording import HOLE
from ledger.bodies import Approval
from receipts.predicates import RunPredicate, WindowPredicate
from receipts.receipt import Receipt

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
    told = claim.plain()
    metric = pairs.metric_of(claim.metric)
    words: dict[str, Fraction | str] = {"unit": metric.unit, **_texts(told)}
    if told["kind"] == "matrix":
        return _over_cells(archive, told, words)
    if len(told.get("evidence", ())) != 1:
        raise UnavailableError("not recomputable", "it does not rest on one piece of evidence")
    receipt, select = cited.find(archive, told["evidence"][0])
    if told["kind"] == "change":
        return _change(archive, claim, receipt, words)
    rows = _level_rows(archive, claim, receipt, select)
    side = pairs.reduce(rows, claim.metric, claim.statistic)
    values = {**words, "value": side.value, **_ends(side, ""), "n": str(side.n)}
    return Filled(values, receipt.uri, side.rows, f"{claim.statistic} of {side.n}")


def _texts(told: Mapping[str, Any]) -> dict[str, str]:
    """Return the words of the register that fill holes: scopes, and what is compared with."""
    return {
        f"{place}.{name}": str(value)
        for place in ("scope", "baseline_scope", "candidate_scope", "comparator")
        for name, value in told.get(place, {}).items()
    }


def _over_cells(
    archive: Archive, told: Mapping[str, Any], words: Mapping[str, Fraction | str]
) -> Filled:
    values, cells = matrix.fill(archive, told)
    rows = "; ".join(f"{one.name}: {one.rows}" for one in cells)
    uris = ", ".join(one.receipt.uri for one in cells)
    return Filled({**words, **values}, uris, rows, f"{told['statistic']} of each cell")


def _change(
    archive: Archive, claim: Claim, receipt: Receipt, words: Mapping[str, Fraction | str]
) -> Filled:
    predicate = receipt.predicate
    if not isinstance(predicate, WindowPredicate):
        raise UnavailableError("not recomputable", "a change rests on a window, and this is none")
    require_exact(archive, receipt, predicate)
    found = receipts.window_pair(archive, receipt, predicate, claim.metric, claim.statistic)
    if found.ratio is None or found.change is None:
        raise UnavailableError("not recomputable", "a median is not above zero: there is no ratio")
    old, new = found.baseline, found.candidate
    polarity = found.metric.polarity
    each = matrix.pair_ratios(archive, receipt, predicate, claim.metric, polarity)
    values = {
        **words,
        "ratio": found.ratio,
        "percent": found.change * 100,
        "baseline": old.value,
        "candidate": new.value,
        "n": str(min(old.n, new.n)),
        **_ends(old, "baseline."),
        **_ends(new, "candidate."),
        **matrix.paired(list(each)),
    }
    if claim.margin is not None:
        values["margin"] = 100 * Fraction(claim.margin)
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


def _level_rows(
    archive: Archive, claim: Claim, receipt: Receipt, select: dict[str, str | int | bool]
) -> Rows:
    predicate, arm = receipt.predicate, claim.evidence[0].arm
    if isinstance(predicate, RunPredicate):
        return archive.cell(receipt, predicate, select)
    if not isinstance(predicate, WindowPredicate) or arm is None:
        raise UnavailableError("not recomputable", "it does not say of which arm it is")
    require_exact(archive, receipt, predicate)
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
