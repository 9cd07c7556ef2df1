"""How a notice is put onto a page, and taken off again.

A tombstone takes the place of the sentence and its marker; of a sentence of the page's own, only of
the number. A banner is put above the outermost block. Everything else keeps its bytes, which every
edit is held against: the page is read again, and its other words and markers must be the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from claims.markers import quotes
from claims.markers.quotes import Place, Quote
from claims.notices import banners, notice_regions
from claims.notices.banners import Notice
from claims.notices.notices import quotes_below
from claims.pages import document
from claims.pages.document import Document
from claims.pages.markup import escape

_MARKUP = "*_~`["


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
            return Struck(source, tuple(one.place for one in bare))
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
    for region in reversed(notice_regions.find(source).found):
        opened = source[: region.start].endswith("~~")
        if region.claim == claim and region.is_intact([]) and opened:
            sentence = f"{escape(region.struck)}<!--claim:{claim}-->"
            source = source[: region.start - 2] + sentence + source[region.end :]
    return source


def uncovered(page: Document, claim: str) -> list[Quote]:
    """Return the quotes of the claim on the page that no banner of it stands over."""
    found = [one for one in quotes.read(page) if one.claim == claim]
    covered = under_banners(page.source, found)
    return [one for one in found if one.marker not in covered]


def under_banners(source: str, found: Sequence[Quote]) -> set[Place]:
    """Return the markers of the quotes that a banner of their claim stands over."""
    regions = notice_regions.find(source).found
    return {one.marker for region in regions for one in quotes_below(region, found)}


def _without_banners(source: str, claim: str) -> str:
    """Return the page without the banners of this claim, which are written anew."""
    for region in reversed(notice_regions.find(source).found):
        if region.kind == "banner" and region.claim == claim:
            end = region.end
            for _ in range(2):
                end += len(_newline_at(source, end))
            source = source[: region.start] + source[end:]
    return source


def _put_banner(page: Document, quote: Quote, notice: Notice) -> str:
    source = page.source
    at = notice_regions.block_start(source, quote.start)
    newline = _newline_at(source, _line_end(source)) or "\n"
    probe = source[:at] + banners.banner(notice, (), newline) + source[at:]
    region = next(r for r in notice_regions.find(probe).found if r.start == at)
    below = quotes_below(region, quotes.read(document.parse(probe)))
    text = banners.banner(notice, [one.text for one in below], newline)
    return source[:at] + text + source[at:]


def _put_tombstone(page: Document, quote: Quote, notice: Notice) -> str | None:
    start, source = quote.struck, page.source
    if quote.end is None:
        return None
    text = quotes.rendered(page, start, quote.end) if start != quote.start else quote.text
    wanted = _outline(page, start, quote.end)
    while True:
        new = source[:start] + banners.tombstone(notice, text)
        changed = new + source[quote.end :]
        if _is_only_that(changed, len(new), wanted):
            return changed
        if not start or source[start - 1] not in _MARKUP:
            return None
        start -= 1


def _is_only_that(changed: str, end: int, wanted: object) -> bool:
    """Say whether the changed page has one tombstone more, up to `end`, and is else as it was."""
    fresh = [region for region in notice_regions.find(changed).found if region.end == end]
    return bool(fresh) and _outline(document.parse(changed), fresh[0].start, end) == wanted


def _outline(page: Document, first: int, last: int) -> tuple[str, list[str], int]:
    """Return the words and markers of a page outside this span, and its bad markers."""
    markers = [one.claim for one in page.markers if not first <= one.start < last]
    return quotes.without(page, first, last), markers, len(page.bad_markers)


def _line_end(source: str) -> int:
    ends = [at for at in (source.find("\n"), source.find("\r")) if at >= 0]
    return min(ends, default=len(source))


def _newline_at(source: str, at: int) -> str:
    if source.startswith("\r\n", at):
        return "\r\n"
    return source[at : at + 1] if source[at : at + 1] in ("\r", "\n") else ""
