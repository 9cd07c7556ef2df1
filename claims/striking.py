"""Where a claim's sentence stands in the text of a page, and how a notice is put onto it.

A tombstone takes the place of the sentence and its marker; of a sentence of the page's own, only of
the number. A banner is put above the outermost block. Everything else keeps its bytes, which every
edit is held against: the page is read again, and its other words and markers must be the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims import banners, document, numbers, regions
from claims.banners import Notice
from claims.binding import Bound, bind
from claims.document import Document, Fragment
from claims.markup import escape
from claims.notices import sentences_below

_MARKUP = "*_~`["


@dataclass(frozen=True)
class Place:
    """Where a bound sentence or number begins: its offset, line and column."""

    start: int
    line: int
    column: int


def locate(page: Document, bound: Bound) -> Place:
    """Return where the text begins that a marker governs."""
    left = sum(not character.isspace() for character in bound.text)
    for piece in _before(page, bound):
        for offset in range(len(piece.rendered) - 1, -1, -1):
            left -= not piece.rendered[offset].isspace()
            if left == 0:
                inside = offset if piece.text == piece.rendered else 0
                return Place(piece.start + inside, piece.line, piece.column + inside)
    return Place(bound.marker.start, bound.marker.line, bound.marker.column)


@dataclass(frozen=True)
class Struck:
    """A page after striking, and where sentences begin that are left to a person."""

    source: str
    left: tuple[Place, ...] = ()


def strike(source: str, notice: Notice) -> Struck:
    """Put every sentence of the notice's claim under it, where none was yet.

    Where the notice names a replacement it is a banner, else a tombstone. A sentence that shares
    its markup with its neighbours is left: no tombstone can take its place.
    """
    source = _without_banners(source, notice.claim)
    put = _put_tombstone if notice.replacement is None else _put_banner
    left = 0
    while True:
        page = document.parse(source)
        bare = uncovered(page, notice.claim)
        if len(bare) == left:
            return Struck(source, tuple(locate(page, one) for one in bare))
        changed = put(page, bare[-1 - left], notice)
        if changed is None or len(uncovered(document.parse(changed), notice.claim)) >= len(bare):
            left += 1
        else:
            source = changed


def lift(source: str, claim: str) -> str:
    """Take the claim's notices off the page: its sentences stand there with their markers again.

    A tombstone that somebody changed is left as it is.
    """
    source = _without_banners(source, claim)
    for region in reversed(regions.find(source).found):
        opened = source[: region.start].endswith("~~")
        if region.claim == claim and region.is_intact([]) and opened:
            sentence = f"{escape(region.struck)}<!--claim:{claim}-->"
            source = source[: region.start - 2] + sentence + source[region.end :]
    return source


def uncovered(page: Document, claim: str) -> list[Bound]:
    """Return what the claim's markers bind on the page and no banner of it stands over."""
    bound = [one for one in bind(page).bound if one.marker.claim == claim]
    covered = under_banners(page.source, bound)
    return [one for one in bound if one.marker.start not in covered]


def under_banners(source: str, bound: Sequence[Bound]) -> set[int]:
    """Return where the markers are that a banner of their claim stands over."""
    found = regions.find(source).found
    return {one.marker.start for region in found for one in sentences_below(region, bound)}


def _without_banners(source: str, claim: str) -> str:
    """Return the page without the banners of this claim, which are written anew."""
    for region in reversed(regions.find(source).found):
        if region.kind == "banner" and region.claim == claim:
            end = region.end
            for _ in range(2):
                end += len(_newline_at(source, end))
            source = source[: region.start] + source[end:]
    return source


def _put_banner(page: Document, bound: Bound, notice: Notice) -> str:
    source = page.source
    at = regions.block_start(source, bound.marker.start)
    newline = _newline_at(source, _line_end(source, 0)) or "\n"
    probe = source[:at] + banners.banner(notice, (), newline) + source[at:]
    region = next(r for r in regions.find(probe).found if r.start == at)
    below = sentences_below(region, bind(document.parse(probe)).bound)
    text = banners.banner(notice, [one.text for one in below], newline)
    return source[:at] + text + source[at:]


def _put_tombstone(page: Document, bound: Bound, notice: Notice) -> str | None:
    measured = [one for one in bound.numbers if numbers.is_measurement(one.number.unit)]
    text, start = bound.text, locate(page, bound).start
    if measured and not bound.whole:
        start = _offset(page.source, measured[0].line, measured[0].column)
        text = _rendered(page, start, bound.marker.start)
    wanted = _outline(page, start, bound.marker.end)
    while True:
        new = page.source[:start] + banners.tombstone(notice, text)
        changed = new + page.source[bound.marker.end :]
        if _is_only_that(changed, len(new), wanted):
            return changed
        if not start or page.source[start - 1] not in _MARKUP:
            return None
        start -= 1


def _is_only_that(changed: str, end: int, wanted: object) -> bool:
    """Say whether the changed page has one tombstone more, up to `end`, and is else as it was."""
    found = regions.find(changed).found
    fresh = [region for region in found if region.end == end]
    if not fresh:
        return False
    return _outline(document.parse(changed), fresh[0].start, end) == wanted


def _outline(page: Document, first: int, last: int) -> tuple[str, list[str], int]:
    """Return the words and markers of a page outside this span, and its bad markers."""
    words = []
    for piece in _pieces(page):
        if piece.start >= last or piece.start + len(piece.text) <= first:
            words.append(piece.rendered)
        elif piece.text == piece.rendered:
            before, after = max(0, first - piece.start), max(0, last - piece.start)
            words.append(piece.rendered[:before] + piece.rendered[after:])
    markers = [one.claim for one in page.markers if not first <= one.start < last]
    return " ".join("".join(words).split()), markers, len(page.bad_markers)


def _rendered(page: Document, start: int, end: int) -> str:
    text = []
    for piece in _pieces(page):
        if piece.start + len(piece.text) > start and piece.start < end:
            same = piece.text == piece.rendered
            text.append(piece.rendered[max(0, start - piece.start) :] if same else piece.rendered)
    return " ".join("".join(text).split())


def _before(page: Document, bound: Bound) -> Iterator[Fragment]:
    """Yield the pieces of the marker's block that stand before it, the nearest first."""
    marker = bound.marker
    for piece in reversed(_pieces(page)):
        if piece.block == marker.block and piece.start < marker.start:
            yield piece


def _pieces(page: Document) -> list[Fragment]:
    return sorted((*page.fragments, *page.code), key=lambda one: one.start)


def _offset(source: str, line: int, column: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = _line_end(source, start)
        start += len(_newline_at(source, start))
    return start + column - 1


def _line_end(source: str, start: int) -> int:
    ends = [at for at in (source.find("\n", start), source.find("\r", start)) if at >= 0]
    return min(ends, default=len(source))


def _newline_at(source: str, at: int) -> str:
    if source.startswith("\r\n", at):
        return "\r\n"
    return source[at : at + 1] if source[at : at + 1] in ("\r", "\n") else ""
