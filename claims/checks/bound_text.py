"""Running text that a claim governs: a sentence as it was approved, a number as it was measured.

A whole sentence must read as the claim renders. In other text each number that is the claim's
business (it has a unit that claims a result, or the marker is glued to it) is judged on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from claims.checks import agreement, cells, fitting, headings, ranges, telling, unusual
from claims.checks.claimed import Claimed
from claims.checks.displayed import Value
from claims.checks.fitting import Finding, Told
from claims.checks.offer import Offer
from claims.checks.view import View
from claims.markers.binding import Bound
from claims.numerals import numbers
from claims.numerals.numbers import UNITS, Number
from claims.registers import breadth
from claims.rules import Refusal
from claims.scanner.atoms import Atom
from engine.metrics import metric
from receipts import late as re

_A_STATISTIC = r"\s*\(?(?:(?:in|on|as|at)\s+)?(?:the\s+|an?\s+)?(?:medians?|means?|averages?|p\d\d)"
_BEHIND_AT_ALL = re.compile(_A_STATISTIC, re.IGNORECASE)
_BEHIND = re.compile(
    rf"{_A_STATISTIC}"
    r"(?=\s+(?:of|over|across)\b|\s*[).,;:]|\s*\Z)",
    re.IGNORECASE,
)
_LONGEST_JOINT = 5
_WRITTEN = re.compile(r"[^\W_]")
_ENDS = re.compile(r"\bmin(?:imum)?\s*(?:[-–—/,]|\.\.+|…|to|and)\s*max(?:imum)?\b", re.IGNORECASE)


class Spoken:
    """One stretch of text under one claim; `taken` are the atoms that the claim answers for."""

    def __init__(self, view: View, bound: Bound, claimed: Claimed) -> None:
        self._view = view
        self._bound = bound
        self._claimed = claimed
        self._judgement = claimed.judgement
        self._offer = claimed.offer
        reads = claimed.judgement.sentence
        self._is_part = bound.cell is not None or bound.field is not None
        self._is_whole = not self._is_part and (bound.whole or bound.form == "region")
        self._as_approved = is_as_approved(bound, reads)
        self.taken = {atom.begin for atom in self._business()}
        self.shown: list[tuple[Value, int, int]] = []

    def _business(self) -> Iterable[Atom]:
        """Return the atoms that this claim must answer for."""
        if self._as_approved or self._is_whole:
            return self._bound.atoms
        return business(self._view, self._bound, self._offer, glued=not self._bound.worded)

    def findings(self) -> Iterator[Refusal]:
        """Yield what is wrong with the text, if the claim has a sentence at all."""
        judged = [atom for atom in self._bound.atoms if atom.begin in self.taken]
        self._remember(judged)
        if self._judgement.sentence is None or self._offer is None or self._as_approved:
            return
        if self._is_whole:
            yield from self._sentence(self._judgement.sentence)
        elif not judged and self._bound.worded:
            return  # its words are judged with all the words of the page
        elif not judged:
            message = f"{brief(self._bound.text)!r} holds no number of the claim"
            yield self._refusal("CLM404", message, self._place)
        else:
            yield from self._numbers(judged, self._offer)

    def _numbers(self, judged: Sequence[Atom], given: Offer) -> Iterator[Refusal]:
        told, faults = [], {}
        block = self._view.page.block_at(self._bound.start)
        labels, every = self._view.labels(block), self._judgement.of_every_cell
        for index, atom in enumerate(judged):
            one, found = self._claimed.verdict(telling.spot(self._view, atom, block), given)
            told.append(one)
            found = found or headings.of_cell(labels, one.number, given, every_cell=every)
            found = found or self._taken_for_another(one, given, block)
            if found:
                faults[index] = found
        faults = dict(ranges.findings(told, given)) | faults
        for index, found in sorted(faults.items()):
            yield self._refusal(*found, self._view.place(judged[index]))
        word = self._misfit(judged, told, given)
        if word:
            message = f"it says {word!r}, and the number is the {given.statistic}"
            yield self._refusal("CLM205", message, self._place)

    def _taken_for_another(self, told: Told, given: Offer, block: int) -> Finding | None:
        """Refuse a maximum, a percentile or the best of several cells that is shown as the rule."""
        if given.kind == "matrix":
            return cells.finding(told, given, unusual.beside(self._view, block))
        part = (self._bound.field or "").rpartition(".")[2]
        statistic = part if part in ("min", "max") else given.statistic
        if not unusual.is_one(statistic):
            return None
        return unusual.finding(told, given, statistic, unusual.beside(self._view, block))

    def _misfit(self, judged: Sequence[Atom], told: Sequence[Told], given: Offer) -> str | None:
        """Return a word of the stretch that names another statistic than its numbers are.

        Right behind the marker it belongs to the stretch as well: `35.2 tok/s<!--…--> on average`.
        """
        start = self._bound.start
        text = self._view.page.text[start : self._stop_behind()]
        if not fitting.may_say_a_statistic(text):
            return None
        for one in told:
            words = one.said.bound_words
            text = text.replace(words, " " * len(words), 1) if words else text
        if {one.end for one in told} >= {"low", "high"}:
            text = _ENDS.sub(lambda ends: " " * len(ends[0]), text)
        shown = [
            (number.start - start, number.after - start, self._hole(number, given))
            for number in map(self._view.number, judged)
        ]
        polarity = metric(given.metric).polarity
        return fitting.statistic_misfit(text, shown, given.statistic, polarity)

    def _stop_behind(self) -> int:
        """Return where the stretch ends, with a statistic behind its marker."""
        stop, text = self._bound.stop, self._view.page.text
        if not _BEHIND_AT_ALL.match(text, stop):
            return stop
        end = self._view.sentence(max(self._bound.start, stop - 1))[1]
        behind = _BEHIND.match(text, stop, end)
        return behind.end() if behind else stop

    def _hole(self, number: Number, given: Offer) -> str:
        if any(agreement.grade(number, one.value) == "agrees" for one in given.headline):
            return given.headline[0].name
        for one in given.figures:
            name = one.name.rpartition(".")[2]
            if name in ("min", "max") and agreement.grade(number, one.value) == "agrees":
                return name
        return given.headline[0].name if given.headline else "value"

    def _sentence(self, approved: str) -> Iterator[Refusal]:
        """Tell a changed number from a changed word: the first is named where it stands."""
        here = numbers.find(self._view.page.text[self._bound.start : self._bound.stop])
        wanted = numbers.find(approved)
        pairs = list(zip(here, wanted, strict=False))
        differing = [(n, w) for n, w in pairs if (n.text, n.unit) != (w.text, w.unit)]
        if len(here) == len(wanted) and differing:
            for number, right in differing:
                place = self._view.place_at(self._bound.start + number.start)
                yield self._refusal(*self._apart(number, right), place)
            return
        if breadth.says_more(self._bound.text) and not breadth.says_more(approved):
            return  # told as what it is: wider than its scope
        message = f"{brief(self._bound.text)!r} stands here, {brief(approved)!r} was approved"
        yield self._refusal("CLM404", message, self._place)

    def _apart(self, number: Number, right: Number) -> tuple[str, str]:
        """Return the code and message of a number that is not the approved sentence's."""
        message = f"{full(number)} stands here, the evidence gives {full(right)}"
        if number.text == right.text:
            return "CLM104", message
        values = [one.value for one in (self._offer.figures if self._offer else ())]
        values = [value for value in values if agreement.grade(right, value) == "agrees"]
        grades = {agreement.grade(number, value) for value in values}
        same = number.unit == right.unit and number.decimals <= right.decimals
        if same and values and grades <= {"cut", "nudged"}:
            return "CLM103", f"{message}: it is not the rounding of that"
        return "CLM102", message

    def _remember(self, judged: Sequence[Atom]) -> None:
        """Keep what is displayed, for comparison with other places."""
        if not judged:
            return
        block = self._view.page.block_at(self._bound.start)
        for index, atom in enumerate(judged):
            value = self._claimed.value(self._view.number(atom), index)
            if value is not None:
                self.shown.append((value, atom.begin, block))

    @property
    def _place(self) -> str:
        return f"{self._view.name}:{self._bound.line}:{self._bound.column}"

    def _refusal(self, code: str, message: str, place: str) -> Refusal:
        return Refusal(code, message, self._bound.claim, place)


def is_as_approved(bound: Bound, reads: str | None) -> bool:
    """Say whether the text is the sentence that a claim reads, its last full stop aside."""
    return reads is not None and (
        bound.text == reads or (bound.whole and bound.text == reads.removesuffix("."))
    )


def is_silent(view: View, bound: Bound, reads: str | None, offer: Offer) -> bool:
    """Say whether the claim answers for no digit of a text that is not its own sentence."""
    if bound.form in ("table", "region") or bound.cell or bound.field:
        return False
    if bound.is_empty or (bound.atoms and is_as_approved(bound, reads)):
        return False
    # "Twice as fast" is a number, and claims as words do.
    # At the end of a sentence a marker is glued to whatever stands there: "at a depth of 2,048".
    found = business(view, bound, offer, glued=not bound.whole)
    shown = (view.page.text[atom.begin] for atom in found)
    return all(map(str.isalpha, shown))


def business(
    view: View, bound: Bound, offer: Offer | None, *, glued: bool = True
) -> Iterator[Atom]:
    """Yield, from the last, the atoms of a text for which a claim must answer, if not for all.

    `glued` says whether the one at its marker is such, though it has no unit.
    """
    ours = UNITS.get((offer.unit if offer else None) or "")
    later: Atom | None = None
    for atom in reversed(bound.atoms):
        number = view.number(atom)
        unit = UNITS.get(number.unit or "")
        same_kind = unit is not None and ours is not None and unit.dimension == ours.dimension
        beside = glued and _is_glued(view, bound, number)
        is_ours = numbers.is_measurement(number.unit) or beside or same_kind
        if is_ours or (later is not None and _is_low_end(view, number, later)):
            later = atom
            yield atom
        else:
            later = None


def _is_low_end(view: View, number: Number, later: Atom) -> bool:
    """Say whether a number is the low end of a range of which another is the high one."""
    between = view.page.text[number.after : later.begin]
    return len(between) <= _LONGEST_JOINT and telling.end(view, number) == "low"


def _is_glued(view: View, bound: Bound, number: Number) -> bool:
    """Say whether nothing but marks stands between the number and its marker."""
    if bound.form == "block":
        return False
    return not _WRITTEN.search(view.page.text, number.after, bound.stop)


def full(number: Number) -> str:
    """Return a number with its unit as text."""
    return f"{number.text} {number.unit}" if number.unit else number.text


def brief(text: str) -> str:
    """Return text short enough for one line of a message."""
    return text if len(text) <= 80 else f"{text[:77]}…"
