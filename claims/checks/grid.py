"""A table bound by one marker: its rows select evidence, its columns say what of it is shown.

::

    <!-- claim: C2 row=n_ubatch cols="Prefill:prefill_tok_s, Fastest:max" -->

    | n_ubatch | Prefill | Fastest |
    | -------: | ------: | ------: |
    |      256 |  119.56 |  119.83 |

`row=` names a fact of the evidence whose value the row's header gives, or `repetition` (its number
in the order of the rows, from 0 or 1), or `arm`, or `claim` (the row's header is a claim's id). A
column shows a metric (`decode_tok_s`, or its beginning), an arm, a statistic (`median`, `min`,
`cv`, `n` …), a value of the claim (`ratio`, `baseline` …) or another claim's id; several are joined
by a point, `muser.min`. Every cell rests on the claim's entry and is judged as a claim of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from claims.checks import arms, offer
from claims.checks.layouts import Layout
from claims.checks.offer import Figure, Offer
from claims.rules import Refusal
from engine.metrics import METRICS
from engine.statistics import STATISTICS
from receipts import late as re
from receipts.errors import Error, NotFoundError

if TYPE_CHECKING:
    from claims.judging.judge import Judge, Judgement
    from claims.registers.model import Claim, EvidenceRef
    from claims.registers.register import Register

_REPETITION = frozenset({"repetition", "rep", "run", "sample", "pair"})
_SPREAD = frozenset({"min", "max", "cv", "n"})
_VALUES = frozenset({"value", "ratio", "percent", "baseline", "candidate"})
_CHANGES = frozenset({"ratio", "percent"})
_DIGITS = re.compile(r"\d[\d,]*")


@dataclass(frozen=True, slots=True)
class Cell:
    """What the evidence gives for a cell: the offer with one figure as its headline."""

    offer: Offer
    judgement: Judgement

    @property
    def refusals(self) -> list[Refusal]:
        """Why the cell may not be quoted."""
        return self.judgement.refusals


class Source:
    """The evidence under the cells of one marker; every selection is resolved once."""

    def __init__(self, judge: Judge, register: Register, claim: Claim) -> None:
        self._judge = judge
        self._register = register
        self._claim = claim
        self._done: dict[tuple[str, ...], Judgement] = {}
        self._offers: dict[int, tuple[Judgement, Offer]] = {}
        self._cited: dict[str, list[tuple[EvidenceRef, Mapping[str, object]]]] = {}
        self._cells: dict[tuple[str, str, int, str], Cell | Error] = {}

    def cell(self, layout: Layout, row: str, first: int, what: str) -> Cell:
        """Return what stands behind the cell; `first` is the number of the first repetition.

        Raises `NotFoundError` where row or column name nothing of the evidence.
        """
        key = (layout.row, row, first, what)
        if key not in self._cells:
            try:
                self._cells[key] = self._cell(layout, row, first, what)
            except Error as error:
                self._cells[key] = error
        found = self._cells[key]
        if isinstance(found, Error):
            raise found
        return found

    def _cell(self, layout: Layout, row: str, first: int, what: str) -> Cell:
        wanted = self._wanted(what)
        if layout.row in _REPETITION:
            return self._of_repetition(wanted, row, first)
        if layout.row == "arm" and wanted.figure in _CHANGES and wanted.claim.kind == "change":
            return self._against_baseline(wanted, self._arm_in(row))
        judgement = self._judgement(self._selected(layout.row, row, wanted))
        return self._shown(judgement, wanted.figure)

    def part(self, cell: str | None, field: str | None) -> Cell:
        """Return what a marker `ID@cell#field` means: a cell by `name=value,…` or an arm's name.

        Raises `NotFoundError` where the evidence has no such part.
        """
        wanted = self._wanted(field) if field else _Wanted(self._claim, None)
        if cell is not None and "=" in cell:
            ref = wanted.claim.evidence[0]
            chosen = dict(pair.partition("=")[::2] for pair in cell.split(","))
            select = {**(ref.select or {}), **chosen}
            claim = _resting(wanted.claim, ref.model_copy(update={"select": select}))
            wanted = replace(wanted, claim=claim)
        elif cell is not None:
            wanted = replace(wanted, claim=self._selected("arm", cell, wanted))
        return self._shown(self._judgement(wanted.claim), wanted.figure)

    def is_statistic(self, row: str) -> str | None:
        """Return the statistic that a row's header names, None where it names none."""
        words = [word for word in re.findall(r"[a-z0-9]+", row.lower()) if word in _ROW_WORDS]
        return _ROW_WORDS[words[0]] if len(words) == 1 else None

    def summary(self, statistic: str, what: str) -> Cell:
        """Return a statistic over all repetitions, for the last rows of such a table."""
        plain = self._wanted(what)
        if plain.figure in ("ratio", "percent"):
            return self._over_pairs(plain, statistic)
        wanted = self._wanted(f"{what}.{statistic}")
        return self._shown(self._judgement(wanted.claim), wanted.figure)

    def _over_pairs(self, wanted: _Wanted, statistic: str) -> Cell:
        """Return a change: the claim's own, or its least and most over the pairs."""
        own = self._shown(self._judgement(wanted.claim), wanted.figure)
        whole = self._offer(own.judgement)
        ends = {"min": whole.least, "max": whole.most}
        if statistic not in ends:
            if statistic != "median":
                raise NotFoundError(f"a change has no {statistic} over its pairs")
            return own
        value = ends[statistic]
        if value is None:
            raise NotFoundError("the repetitions are no pairs")
        value = 100 * (value - 1) if wanted.figure == "percent" else value
        figure = Figure(str(wanted.figure), value, "%" if wanted.figure == "percent" else "×")
        return Cell(replace(offer.only(whole, figure), statistic=statistic), own.judgement)

    def _against_baseline(self, wanted: _Wanted, arm: str) -> Cell:
        """Return the change that an arm's row shows; in the baseline's own row it is none."""
        own = self._shown(self._judgement(wanted.claim), wanted.figure)
        if arm != own.offer.baseline:
            return own
        (figure,) = own.offer.figures
        none = Fraction(0 if wanted.figure == "percent" else 1)
        return replace(own, offer=offer.only(own.offer, replace(figure, value=none)))

    def _wanted(self, what: str) -> _Wanted:
        wanted = _Wanted(self._claim, None)
        for part in _parts(what, self._register, self._arms() if "." in what else ()):
            wanted = self._narrowed(wanted, part)
        return wanted

    def _narrowed(self, wanted: _Wanted, part: str) -> _Wanted:
        """Return what is left when a column says `part` of it, which is read in this order."""
        claim, names = wanted.claim, self._arms()
        if part in METRICS:
            return replace(wanted, claim=claim.model_copy(update={"metric": part}))
        if part in names:
            return replace(wanted, claim=_level(claim, arm=part))
        if part in _SPREAD or part in _VALUES:
            return replace(wanted, figure=part)
        if part in STATISTICS:
            return replace(wanted, claim=_level(claim, statistic=part))
        if part in self._register.claims:
            return replace(wanted, claim=self._register.find(part))
        found = [name for name in METRICS if name.startswith(f"{part}_")]
        if len(found) == 1:
            return replace(wanted, claim=claim.model_copy(update={"metric": found[0]}))
        known = ", ".join([*names, "a metric", "a statistic", "a claim's id"])
        raise NotFoundError(f"{part!r} is nothing that a column can show; there are {known}")

    def _arms(self) -> tuple[str, ...]:
        window = self._judgement(self._claim).evidence.window
        return (window.baseline, window.candidate) if window else ()

    def _selected(self, field: str, row: str, wanted: _Wanted) -> Claim:
        """Return the claim narrowed to the evidence that the row's header names."""
        if field == "claim":
            return self._register.find(row.strip())
        if field == "arm":
            return _level(wanted.claim, arm=self._arm_in(row))
        text = _fact(row)
        ref = wanted.claim.evidence[0]
        fitting = self._window_of(ref, field, text)
        if fitting:
            return _resting(wanted.claim, fitting)
        return _resting(
            wanted.claim, ref.model_copy(update={"select": {**(ref.select or {}), field: text}})
        )

    def _arm_in(self, row: str) -> str:
        names = self._arms()
        found = {one.arm for one in arms.mentions(row, names)}
        if len(found) != 1:
            raise NotFoundError(f"row {row!r} names no arm; there are {', '.join(names)}")
        return found.pop()

    def _window_of(self, ref: EvidenceRef, field: str, text: str) -> EvidenceRef | None:
        """Return the one receipt of the entry whose facts say so, where the entry cites several."""
        told = [
            one
            for one, facts in self._windows(ref)
            if (known := facts.get(field)) is not None and _fact(str(known)) == text
        ]
        fitting = [one.model_copy(update={"arm": ref.arm}) for one in told]
        if len(fitting) > 1:
            raise NotFoundError(f"{len(fitting)} windows of {ref.entry} have {field} {text}")
        return fitting[0] if fitting else None

    def _windows(self, ref: EvidenceRef) -> list[tuple[EvidenceRef, Mapping[str, object]]]:
        """Return the windows that an entry cites, with their facts: the same for all rows."""
        own = ref.model_copy(update={"cell": None, "arm": self._claim.evidence[0].arm})
        key = own.model_dump_json()
        if key not in self._cited:
            cited = (
                own.model_copy(update={"receipt": uri}) for uri in self._judge.cited(ref.entry)
            )
            found = ((one, self._judgement(_resting(self._claim, one)).evidence) for one in cited)
            self._cited[key] = [(one, known.facts) for one, known in found if known.window]
        return self._cited[key]

    def _of_repetition(self, wanted: _Wanted, row: str, first: int) -> Cell:
        judgement = self._judgement(wanted.claim)
        number = _DIGITS.search(row)
        index = int(number[0].replace(",", "")) - min(first, 1) if number else -1
        given = offer.repetition(judgement, self._offer(judgement), index, wanted.figure)
        if given is None:
            raise NotFoundError(f"row {row!r} is no repetition of the evidence")
        return Cell(given, judgement)

    def _shown(self, judgement: Judgement, figure: str | None) -> Cell:
        if judgement.refusals and not judgement.values:
            raise NotFoundError(judgement.refusals[0].message)
        given = self._offer(judgement)
        if figure == "n":
            return Cell(offer.only(given, Figure("value", Fraction(given.n), None)), judgement)
        if figure is not None:
            found = given.figure(figure)
            if found is None:
                raise NotFoundError(f"the evidence has no {figure}")
            name = figure if figure in _VALUES else "value"
            shown = offer.only(given, replace(found, name=name))
            # Beside a minimum the page may say that it is one, and not that it is the median.
            return Cell(
                replace(shown, statistic=figure) if figure in STATISTICS else shown, judgement
            )
        return Cell(given, judgement)

    def _offer(self, judgement: Judgement) -> Offer:
        """Return all that a judgement offers, which is worked out once for all its cells."""
        if id(judgement) not in self._offers:
            self._offers[id(judgement)] = judgement, offer.of(judgement)
        return self._offers[id(judgement)][1]

    def _judgement(self, claim: Claim) -> Judgement:
        ref = claim.evidence[0]
        key = (claim.id, claim.kind, claim.metric, claim.statistic, ref.model_dump_json())
        if key not in self._done:
            self._done[key] = self._judge.judge(_plainly(claim), approval=False)
        return self._done[key]


@dataclass(frozen=True, slots=True)
class _Wanted:
    claim: Claim
    figure: str | None


def _parts(what: str, register: Register, names: Sequence[str]) -> list[str]:
    """Return what a column is made of; a claim's id and an arm may hold points themselves."""
    if what in register.claims or what in METRICS or what in names:
        return [what]
    head, _, last = what.rpartition(".")
    return [*_parts(head, register, names), last] if head else [what]


def _level(claim: Claim, *, statistic: str | None = None, arm: str | None = None) -> Claim:
    """Return a claim about one arm, or with another statistic, of the same evidence."""
    changes: dict[str, object] = {"kind": "level", "margin": None}
    ratio = claim.statistic == "ratio_of_medians"
    changes["statistic"] = statistic or ("median" if ratio else claim.statistic)
    if arm is not None:
        changes["evidence"] = [claim.evidence[0].model_copy(update={"arm": arm})]
    return claim.model_copy(update=changes)


def _resting(claim: Claim, ref: EvidenceRef) -> Claim:
    return claim.model_copy(update={"evidence": [ref], "scope": {}})


def _plainly(claim: Claim) -> Claim:
    """Return the claim with a wording that says nothing but its number: the page has the words."""
    hole = "{ratio:.6f}" if claim.kind == "change" else "{value:.6f}"
    margin = ", within {margin:.6f} %" if claim.margin is not None else ""
    words: Mapping[str, object] = {"wording": f"{hole} (n = {{n}}{margin})", "must_retain": []}
    return claim.model_copy(update=dict(words))


def _fact(text: str) -> str:
    """Return a row's header as a fact is written: `2,048 tokens` is 2048."""
    plain = " ".join(text.split())
    number = _NUMERIC.match(plain)
    return number[1].replace(",", "") if number else plain


_NUMERIC = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(?:\s+[A-Za-z]+)?\Z")
_ROW_WORDS = {
    "median": "median",
    "mean": "mean",
    "average": "mean",
    "min": "min",
    "minimum": "min",
    "max": "max",
    "maximum": "max",
    "cv": "cv",
}
