"""A page against the drafts of a register: what they carry, what they do not, what they contradict.

Nothing that a draft says is evidence, so every number stays unbound. But a person who brings an
existing page under a register wants to know which numbers somebody once answered for:

* each unbound number says which draft carries it, or that none does;
* words that a draft demands, missing from the section where its numbers stand, are CLM402;
* phrases that a draft forbids are CLM403, its barred numbers CLM504;
* a number of the same quantity, at the same size, near a draft's and equal to none, is CLM107.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from claims.adopting import recorded
from claims.adopting.recorded import Stated
from claims.adopting.scanning import Section, Spot, sections
from claims.numerals.numbers import Number
from claims.pages.sentences import sentence_ends
from claims.registers.drafting import Draft
from claims.rules import Refusal

_NEAR = Decimal("1.1")
_DENIES = re.compile(
    r"\b(?:no|not|never|without|cannot|nor|neither|none)\b|n['’]t\b", re.IGNORECASE
)


@dataclass(frozen=True)
class _Row:
    """A draft with the numbers that it states."""

    draft: Draft

    @cached_property
    def stated(self) -> list[Stated]:
        draft = self.draft
        texts = (draft.said, draft.wording, *((draft.note,) if not draft.wording else ()))
        return [one for text in texts for one in recorded.in_prose(text)]

    @cached_property
    def barred(self) -> list[Stated]:
        """The numbers that may not be claimed, with the quantity where an instruction says it."""
        told = [one for text in self.draft.instructions for one in recorded.in_prose(text)]
        listed = [one for text in self.draft.barred for one in recorded.in_prose(text)]
        values = {one.number.value for one in listed}
        named = [one for one in told if one.number.value in values]
        known = {one.number.value for one in named}
        return [*named, *(one for one in listed if one.number.value not in known)]

    def bars(self, shown: Stated) -> bool:
        """Say whether this is a barred number, of the same quantity where both say theirs."""
        return any(
            recorded.rounds_to(one.number, shown.number)
            and (one.quantity == shown.quantity or not (one.quantity and shown.quantity))
            for one in self.barred
        )

    def carries(self, number: Number) -> bool:
        return any(recorded.rounds_to(one.number, number) for one in self.stated)


class Drafts:
    """The drafts of a register, ready to be held against pages."""

    def __init__(self, drafts: Mapping[str, Draft]) -> None:
        self._rows = [_Row(draft) for draft in drafts.values()]

    def against(self, name: str, source: str, findings: Iterable[Refusal]) -> list[Refusal]:
        """Return the findings of a page, unbound numbers told of the drafts, and more of them."""
        parts = sections(source)
        spots = {(spot.line, spot.column): spot for part in parts for spot in part.spots}
        done = [self._told(finding, spots) for finding in findings]
        for part in parts:
            done += self._required(name, part)
            done += self._forbidden(name, part)
            for spot in part.spots:
                done += self._number(name, spot)
        return done

    def _told(self, finding: Refusal, spots: Mapping[tuple[int, int], Spot]) -> Refusal:
        place = (finding.place or "::").rsplit(":", 2)
        spot = spots.get((int(place[1] or 0), int(place[2] or 0)))
        if finding.code != "CLM101" or spot is None or not recorded.is_result(spot.stated.number):
            return finding
        return replace(finding, message=f"{finding.message}; {self._carriers(spot.stated.number)}")

    def _carriers(self, number: Number) -> str:
        ids = [row.draft.id for row in self._rows if row.carries(number)]
        if not ids:
            return "the register does not carry it"
        return f"recorded history in draft {', '.join(ids[:3])}: measure it again to cite it"

    def _required(self, name: str, part: Section) -> Iterator[Refusal]:
        text = part.text.lower()
        for row in self._rows:
            missing = [w for w in row.draft.must_retain if not _has(text, w)]
            spot = _first(part.spots, row) if missing else None
            if spot:
                words = ", ".join(repr(word) for word in missing)
                message = f"{spot.stated.number.text} stands in a section without {words}"
                yield Refusal("CLM402", message, row.draft.id, spot.place(name))

    def _forbidden(self, name: str, part: Section) -> Iterator[Refusal]:
        for row in self._rows:
            for phrase in row.draft.forbidden:
                for line, column, before in part.occurrences(phrase):
                    if not _DENIES.search(_of_the_sentence(before)):
                        message = f"the register forbids {phrase!r}"
                        yield Refusal("CLM403", message, row.draft.id, f"{name}:{line}:{column}")

    def _number(self, name: str, spot: Spot) -> Iterator[Refusal]:
        number = spot.stated.number
        if not recorded.is_result(number) or recorded.digits(number) < 2:
            return
        for row in self._rows:
            if row.bars(spot.stated):
                message = f"the register bars {number.text} from being claimed"
                yield Refusal("CLM504", message, row.draft.id, spot.place(name))
        if any(row.carries(number) for row in self._rows):
            return
        for row in self._rows:
            other = next((one for one in row.stated if _conflict(spot.stated, one)), None)
            if other:
                sizes = ", ".join(f"{size:,}" for size in sorted(spot.stated.sizes))
                message = (
                    f"{_full(number)} stands here for {spot.stated.quantity} at {sizes}, "
                    f"{_full(other.number)} in the register"
                )
                yield Refusal("CLM107", message, row.draft.id, spot.place(name))
                return


def _conflict(shown: Stated, other: Stated) -> bool:
    """Say whether two numbers are near, different, and said of one quantity at one size."""
    if not (shown.quantity and shown.quantity == other.quantity and shown.sizes & other.sizes):
        return False
    a, b = shown.number, other.number
    if not recorded.same_kind(a, b) or other.low <= a.value <= other.high:
        return False
    small, large = sorted((abs(a.value), abs(b.value)))
    return (
        small > 0
        and large <= small * _NEAR
        and min(recorded.digits(a), recorded.digits(b)) >= recorded.TELLING
    )


def _first(spots: Sequence[Spot], row: _Row) -> Spot | None:
    """Return the first number that tells a section to be about a draft: carried, with digits."""
    for spot in spots:
        number = spot.stated.number
        if (
            recorded.digits(number) > recorded.TELLING
            and recorded.is_result(number)
            and row.carries(number)
        ):
            return spot
    return None


def _of_the_sentence(before: str) -> str:
    """Return what of the text belongs to the sentence that goes on behind it."""
    return before[max(sentence_ends(before), default=0) :]


def _has(text: str, words: str) -> bool:
    spelt = r"\s+".join(map(re.escape, words.lower().split()))
    return re.search(rf"(?<!\w){spelt}s?(?!\w)", text) is not None


def _full(number: Number) -> str:
    return f"{number.text} {number.unit}" if number.unit else number.text
