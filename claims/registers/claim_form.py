"""The form of one claim: kind, statistic, sides, cells and wording must fit each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from claims.registers import wording
from claims.registers.wording import Value
from receipts.errors import Error

if TYPE_CHECKING:
    from claims.registers.model import Claim
    from receipts.yaml_source import Path_, Source


def require(claim: Claim, source: Source, place: Path_) -> None:
    """Raise the first fault of the claim that stands at `place`, with its file and line."""
    for where, message in _faults(claim):
        raise source.fault((*place, *where), f"claim {claim.id}: {message}")
    try:
        _check_wording(claim)
    except Error as error:
        raise source.fault((*place, "wording"), f"claim {claim.id}: {error}") from error


def names(claim: Claim) -> Mapping[str, str]:
    """Return the metrics of a claim by the name that its holes use."""
    return {"ratio": claim.metric, **(claim.metrics or {})}


def texts(claim: Claim) -> dict[str, Value]:
    """Return the words of the register that fill holes of the wording."""
    found: dict[str, Value] = {}
    for side in ("scope", "baseline_scope", "candidate_scope"):
        facts = getattr(claim, side) or {}
        found |= {f"{side}.{name}": str(value) for name, value in facts.items()}
    if claim.comparator:
        plain = claim.comparator.plain()
        found |= {f"comparator.{name}": str(value) for name, value in plain.items()}
    return found


def _check_wording(claim: Claim) -> None:
    wording.check_template(claim.wording, claim.kind, names(claim))
    if not claim.states_only:
        wording.check_statistic(claim.wording, claim.kind)
    wording.check_one_sentence(claim.wording, {k: str(v) for k, v in texts(claim).items()})


def _faults(claim: Claim) -> Iterator[tuple[tuple[str | int, ...], str]]:
    ratio = claim.statistic == "ratio_of_medians"
    if ratio != (claim.kind != "level"):
        wanted = "median, mean, min or max" if claim.kind == "level" else "ratio_of_medians"
        yield ("wording",), f"a {claim.kind} claim takes the statistic {wanted}"
    if not claim.evidence and claim.tag == "measured":
        yield ("evidence",), "a measured claim rests on an entry; name it"
    if len(claim.evidence) > 1 and claim.kind != "matrix":
        yield ("evidence", 1), f"a {claim.kind} claim rests on one entry"
    yield from _faults_of_margin(claim)
    yield from _faults_of_sides(claim)
    yield from _faults_of_cells(claim)


def _faults_of_margin(claim: Claim) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if claim.margin is None:
        if claim.kind == "change" and "margin" in wording.holes(claim.wording):
            yield ("wording",), "it shows {margin}, and there is no margin"
    elif claim.kind != "change":
        yield ("margin",), "a margin is of a change alone"
    elif not 0 < Fraction(claim.margin) < 1:
        yield ("margin",), f"{claim.margin} is no share of the baseline; 0.02 is 2 %"


def _faults_of_sides(claim: Claim) -> Iterator[tuple[tuple[str | int, ...], str]]:
    ours, theirs = claim.baseline_scope, claim.candidate_scope
    if (ours or theirs or claim.comparator) and claim.kind == "level":
        field = (
            "comparator" if claim.comparator else "baseline_scope" if ours else "candidate_scope"
        )
        yield (field,), "a level has one side"
    if set(ours or ()) != set(theirs or ()):
        apart = ", ".join(sorted(set(ours or ()) ^ set(theirs or ())))
        field = "baseline_scope" if ours else "candidate_scope"
        yield (field,), f"both sides name the same facts, and {apart} is of one"
    for name in ours or ():
        if name in claim.scope:
            yield ("baseline_scope", name), f"{name} stands in scope too, which both sides share"


def _faults_of_cells(claim: Claim) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if claim.kind == "matrix":
        for name in claim.metrics or ():
            if name in ("ratio", "pair", "cells", "n", "unit"):
                yield ("metrics", name), f"{name} is a hole of every matrix; take another name"
        return
    for field in ("metrics", "cells"):
        if getattr(claim, field) is not None:
            yield (field,), f"{field} is of a matrix alone"
