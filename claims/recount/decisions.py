"""The decision of an entry, apart from its figures: does the word follow from gates and deltas?

::

    pass, landed               no gate failed, and everything moved for the better, over a baseline
                               that its anchor held; over one without an anchor: undecided
    miss, rejected, reverted   a gate failed, or something moved for the worse or not at all
    measured-only, observation, void     decide nothing

What moved is what the rows give, not what is printed. Where the entry leaves open what it was
decided by (a threshold in somebody's head), the word is *undecided*, and nobody is accused.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from claims.recount import entries, receipts
from claims.recount.archive import Archive, UnavailableError
from ledger.bodies import Contract, Experiment, GateResult, NumericGate
from ledger.entry import Entry
from receipts.errors import Error
from receipts.predicates import WindowPredicate

Word = Literal["follows", "does not follow", "undecided"]
_WON, _LOST = ("pass", "landed"), ("miss", "rejected", "reverted")


@dataclass(frozen=True, slots=True)
class Decision:
    """What an entry decided, and whether that follows."""

    subject: str
    outcome: str
    word: Word
    why: str

    def line(self) -> str:
        """Return the decision in one line."""
        return f"{self.subject}: {self.outcome}: {self.word}: {self.why}"

    def view(self) -> dict[str, str]:
        """Return the decision as plain values."""
        return {
            "subject": self.subject,
            "outcome": self.outcome,
            "word": self.word,
            "why": self.why,
        }


def judge(archive: Archive, entry: Entry) -> Decision | None:
    """Return whether the entry's outcome follows; None where it decides nothing."""
    body = entry.body
    if not isinstance(body, Experiment) or body.verdict is None:
        return None
    outcome = body.verdict.outcome
    if outcome not in (*_WON, *_LOST):
        return None
    broken = next(_misjudged(archive, body), None)
    failed = [gate.name for gate in body.gate or () if gate.result == "fail"]
    if broken:
        return Decision(entries.name_of(entry), outcome, "does not follow", broken)
    try:
        word, why = _won(archive, body, failed) if outcome in _WON else _lost(archive, body, failed)
    except UnavailableError as error:
        word, why = "undecided", str(error)
    return Decision(entries.name_of(entry), outcome, word, why)


def _won(archive: Archive, body: Experiment, failed: list[str]) -> tuple[Word, str]:
    if failed:
        return "does not follow", f"the gate {', '.join(failed)} failed"
    moved = list(_moved(archive, body))
    condemned = [metric for metric, _, standing in moved if standing == "condemned"]
    if condemned:
        return "does not follow", f"the baseline of {condemned[0]} is condemned by its anchor"
    if not moved:
        passed = any(gate.result == "pass" for gate in body.gate or ())
        why = "its gates passed" if passed else "it has no delta and no gate that passed"
        return ("follows" if passed else "undecided"), why
    worse = [metric for metric, change, _ in moved if change <= 0]
    if len(worse) == len(moved):
        return "does not follow", f"nothing moved for the better: {', '.join(worse)}"
    if worse:
        return "undecided", f"{', '.join(worse)} did not move for the better"
    loose = [metric for metric, _, standing in moved if standing == "unanchored"]
    if loose:
        return "undecided", f"the baseline of {', '.join(loose)} is not anchored"
    return "follows", f"{', '.join(metric for metric, _, _ in moved)} moved for the better"


def _lost(archive: Archive, body: Experiment, failed: list[str]) -> tuple[Word, str]:
    if failed:
        return "follows", f"the gate {', '.join(failed)} failed"
    moved = list(_moved(archive, body))
    worse = [metric for metric, change, _ in moved if change <= 0]
    if worse:
        return "follows", f"{', '.join(worse)} did not move for the better"
    why = "every delta is for the better" if moved else "it has no delta and no gate that failed"
    return "undecided", f"{why}; the entry does not say what was missed"


def _moved(archive: Archive, body: Experiment) -> Iterator[tuple[str, Fraction, str]]:
    """Yield metric, change and the baseline's standing of every delta, from the rows."""
    for delta in body.delta or ():
        found = entries.source(archive, delta)
        if found.pair.change is None:
            raise UnavailableError("not recomputable", f"{delta.metric} has no change")
        yield delta.metric, found.pair.change, _standing(archive, found)


def _standing(archive: Archive, found: entries.Source) -> str:
    window = found.window.predicate if found.window else None
    if not isinstance(window, WindowPredicate):
        return "unanchored"
    return receipts.standing(archive, window)


def _misjudged(archive: Archive, body: Experiment) -> Iterator[str]:
    """Yield the gates whose result is not what their contract makes of what was measured."""
    for gate in body.gate or ():
        wanted = _result(archive, gate)
        if wanted is not None and gate.result != wanted:
            told = f"gate {gate.name} says {gate.result}, its contract makes {wanted}"
            yield f"{told} of {gate.measured}"


def _result(archive: Archive, gate: GateResult) -> str | None:
    if gate.contract is None or gate.measured is None or gate.result == "not-run":
        return None
    try:
        body = archive.ledger.by_id(gate.contract).body
    except Error:
        return None
    # Of an anchor or a floor the tolerance is a share, and the gate is not judged by it.
    if not isinstance(body, Contract) or body.reference in ("anchor", "noise-floor"):
        return None
    fixed = [one for one in body.gates or () if one.name == gate.name]
    if len(fixed) != 1:
        return None
    return "pass" if _passes(fixed[0], Fraction(Decimal(gate.measured))) else "fail"


def _passes(gate: NumericGate, measured: Fraction) -> bool:
    """Say whether a value passes; a tolerance widens what passes, to the side that the gate has."""
    threshold, slack = (Fraction(Decimal(text)) for text in (gate.threshold, gate.tolerance or "0"))
    low, high = threshold - slack, threshold + slack
    return {
        ">=": measured >= low,
        ">": measured > low,
        "<=": measured <= high,
        "<": measured < high,
        "==": low <= measured <= high,
    }[gate.comparison]
