"""Digits and number words of a page's source that are no rendered text, each with the reason.

A second walk over the parser's events names what covers every stretch of the source: addresses,
comments, tags, code, labels. What nothing covers is *lost*: the reader of the page may see it, and
the scanner does not; so it is reported, never skipped.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, NamedTuple

from claims.pages import document, front_matter
from claims.pages.document import Document
from claims.pages.walk import Walk

_DIGITS = re.compile(r"\d++(?:,\d{3}(?!\d))*+(?:\.\d++)*+|[½⅓⅔¼¾⅛⅜⅝⅞]")
_WORDS = re.compile(
    r"(?<![A-Za-z0-9_])(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half"
    r"|twice|double|triple)(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"[ \t>]*(?:[-+*][ \t]+)?\[[^\]\n]{1,999}\]:")
_COVERS = {
    "Link": "link-target",
    "Image": "link-target",
    "CodeBlock": "code-block",
    "TableRow": "not-rendered",
    "TableHead": "not-rendered",
    "Code": "code-span",
    "FootnoteReference": "footnote-mark",
    "InlineHtml": "html-attribute",
    "Html": "html-attribute",
}
_LEADS = {"Item": "list-ordinal", "FootnoteDefinition": "footnote-mark"}
_LONGEST_MARK = 12


class Outside(NamedTuple):
    """A number that is no rendered text; `rule` is None if nothing says why."""

    start: int
    text: str
    rule: str | None


def find(page: Document) -> list[Outside]:
    """Return what is outside the rendered text, in the order of the source."""
    spans = _rendered(page)
    found = [
        (match.start(), match[0])
        for pattern in (_DIGITS, _WORDS)
        for match in pattern.finditer(page.source)
        if not _inside(spans, match.start())
    ]
    found.sort()
    starts = [start for start, _ in found]
    rules: list[str | None] = [None] * len(found)
    for first, last, rule in _regions(page):
        low, high = bisect_left(starts, first), bisect_left(starts, last)
        rules[low:high] = [rule] * (high - low)
    return [
        Outside(start, text, rule or _definition(page, start))
        for (start, text), rule in zip(found, rules, strict=True)
    ]


def _rendered(page: Document) -> list[tuple[int, int]]:
    """Return the parts of the source that stand in the rendered text as they are."""
    spans = []
    for piece in page.pieces:
        if piece.kind != "code":
            start, end = page.places.offset(piece.first), page.places.offset(piece.last)
            if page.source[start:end] == page.text[piece.start : piece.end]:
                spans.append((start, end))
    spans.sort()
    return spans


def _inside(spans: list[tuple[int, int]], offset: int) -> bool:
    index = bisect_left(spans, (offset + 1,)) - 1
    return index >= 0 and offset < spans[index][1]


def _definition(page: Document, start: int) -> str | None:
    """Say whether a number belongs to a link's definition that another one with its label hides."""
    line, _ = page.places.line_column(start)
    match = _DEFINITION.match(page.source, page.places.line_starts[line - 1])
    return "link-target" if match and match.end() <= start else None


def _regions(page: Document) -> Iterator[tuple[int, int, str]]:
    """Yield what covers the source, the outer before the inner, as spans of the source."""
    offset = page.places.offset
    yield 0, front_matter.end(page.source), "front-matter"
    for span in _definitions(page):
        yield offset(span[0]), offset(span[1]), "link-target"
    for first, last, rule in _covered(page.walk):
        yield offset(first), offset(last), rule
    for piece in page.pieces:
        start, end = offset(piece.first), offset(piece.last)
        if piece.kind == "code":
            yield start, end, "code-span"
        elif page.source.startswith("&", start) and page.source.startswith(";", end - 1):
            yield start, end, "entity"


def _definitions(page: Document) -> Iterator[tuple[int, int]]:
    found = document.MARKDOWN.reference_definitions(page.walk.text_read)
    for one in found.values():
        yield one["span"]["start"], one["span"]["end"]


def _covered(walk: Walk) -> Iterator[tuple[int, int, str]]:
    """Yield bytes and exclusion of every event that covers what is not rendered."""
    leading: tuple[int, str] | None = None
    for event, span in document.MARKDOWN.events_with_range(walk.text_read):
        first, last = span["start"], span["end"]
        if leading:
            # The mark of an item or a footnote reaches up to what the item holds.
            yield leading[0], max(first, leading[0] + 1), leading[1]
            leading = None
        name = _name(event)
        if name in _LEADS:
            yield first, min(last, first + _LONGEST_MARK), _LEADS[name]
            leading = (first, _LEADS[name])
        elif name in _COVERS:
            yield first, last, _COVERS[name]
    yield from walk.hidden
    for comment in walk.comments:
        yield comment.first, comment.last, "html-comment"


def _name(event: Any) -> str:
    """Return what starts, or the kind of an event that neither starts nor ends something."""
    if isinstance(event, str):
        return event
    ((kind, content),) = event.items()
    if kind != "Start":
        return str(kind)
    return content if isinstance(content, str) else str(next(iter(content)))
