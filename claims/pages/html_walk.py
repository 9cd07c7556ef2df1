"""The part of a walk over a page that reads raw HTML, in blocks and within a line."""

import re
from collections.abc import Callable
from typing import Any

from claims.pages import html_text
from claims.pages.flow import Flow, Role
from claims.pages.html_text import Html
from claims.pages.records import CommentRecord, TableRecord

Spans = Callable[[int, int], list[tuple[int, int]]]
"""The bytes of a part of some HTML, which the marks of a quote may have broken up."""


class HtmlWalk:
    """What was found on a page, and the state that HTML and Markdown share."""

    def __init__(self, data: bytes, text: str) -> None:
        # What is parsed has the bytes of the page, but for those that would mislead the parser.
        self.text_read = text
        self._data = text.encode()
        self.flow = Flow(data)
        self.tables: list[TableRecord] = []
        self.table_ends: set[int] = set()
        self.comments: list[CommentRecord] = []
        self.asides: list[tuple[Role, list[tuple[int, int]]]] = []
        self.hidden: list[tuple[int, int, str]] = []
        self._role: Role = "prose"
        self._codes = 0
        self._html: list[tuple[int, int]] = []
        self._open_tables: list[TableRecord] = []
        self._handlers: dict[str, Callable[[Any, int, int], None]] = {}

    def _text(self, content: Any, first: int, last: int) -> None:
        raise NotImplementedError

    def _inline_html(self, content: Any, first: int, last: int) -> None:
        html = str(content)
        if html.startswith("<!--"):
            self._comment(first, last, in_html=False, is_closed=True)
            return
        for part in html_text.parts(html):
            if part.name in html_text.SPACING_TAGS and self.flow.is_open:
                self.flow.add(" ", first, last)
            elif part.name in html_text.CODE_TAGS:
                self._handlers["Text"] = self._text
                self._codes = max(0, self._codes + (1 if part.kind == "open" else -1))
            if part.kind == "open":
                self._attributes(
                    html, part, lambda a, b: [(_byte(html, a, first), _byte(html, b, first))]
                )
            break

    def _html_line(self, content: Any, first: int, last: int) -> None:
        if self._html and self._html[-1][1] == first:
            self._html[-1] = (self._html[-1][0], last)
        else:
            self._html.append((first, last))

    def _html_block(self) -> None:
        lines, self._html = self._html, []
        texts = [self._data[first:last].decode() for first, last in lines]
        html = "".join(texts)
        starts = [0]
        for text in texts:
            starts.append(starts[-1] + len(text))

        def spans(start: int, end: int) -> list[tuple[int, int]]:
            """Return the bytes of `html[start:end]`, which a quote's `>` may have broken up."""
            found = []
            for (first, _), text, offset in zip(lines, texts, starts, strict=False):
                a, b = max(start, offset) - offset, min(end, offset + len(text)) - offset
                if a < b:
                    found.append((_byte(text, a, first), _byte(text, b, first)))
            return found

        for part in html_text.parts(html):
            self._html_part(html, part, spans)
        self._codes = 0

    def _html_part(self, html: str, part: Html, spans: "Spans") -> None:
        if part.kind == "text":
            self._html_words(html, part, spans)
        elif part.kind == "comment":
            where = spans(part.start, part.end)
            closed = html.endswith("-->", part.start, part.end) and part.end - part.start >= 7
            self._comment(where[0][0], where[-1][1], in_html=True, is_closed=closed)
        elif part.kind == "hidden":
            self.hidden += [(*span, "html-script") for span in spans(part.start, part.end)]
        elif part.kind in {"open", "close"}:
            self._html_tag(part, spans)
            if part.kind == "open":
                self._attributes(html[part.start : part.end], part, spans, part.start)

    def _html_words(self, html: str, part: Html, spans: "Spans") -> None:
        if not self.flow.is_open:
            if html[part.start : part.end].isspace():
                return
            self.flow.open(self._role)
        for first, last in spans(part.start, part.end):
            self.flow.add_spelt(first, last, "code" if self._codes else "text")

    def _html_tag(self, part: Html, spans: "Spans") -> None:
        name, opens = part.name, part.kind == "open"
        if name in html_text.CODE_TAGS:
            self._codes = max(0, self._codes + (1 if opens else -1))
        elif name in html_text.SPACING_TAGS:
            if self.flow.is_open:
                where = spans(part.start, part.end)
                self.flow.add(" ", where[0][0], where[-1][1])
        elif name in html_text.BLOCK_TAGS:
            self.flow.end_block()
            is_heading = opens and name in html_text.HEADING_TAGS
            self._role = "heading" if is_heading else "prose"
            self._html_table(part, spans)

    def _html_table(self, part: Html, spans: "Spans") -> None:
        name, opens = part.name, part.kind == "open"
        if name == "table" and opens:
            where = spans(part.start, part.end)
            self._open_tables.append(TableRecord(where[0][0], where[-1][1], self.flow.block, 0))
        elif not self._open_tables:
            return
        elif name == "table":
            self._end_html_table(spans(part.start, part.end)[-1][1])
        elif name == "tr" and opens:
            self._open_tables[-1].rows.append([])
        elif name in html_text.CELL_TAGS and opens and self._open_tables[-1].rows:
            table = self._open_tables[-1]
            table.rows[-1].append(self.flow.open("cell"))
            self._role = "cell"
            if name == "th" and len(table.rows) == table.heads + 1:
                table.heads += 1

    def _end_html_table(self, last: int) -> None:
        table = self._open_tables.pop()
        table.last = last
        table.rows = [row for row in table.rows if row]
        table.heads = max(1, min(table.heads, len(table.rows)))
        if table.rows:
            self.tables.append(table)

    def _close_html_tables(self) -> None:
        while self._open_tables:
            self._end_html_table(len(self._data))

    def _attributes(self, html: str, part: Html, spans: "Spans", base: int = 0) -> None:
        for name, start, end in html_text.readable(html):
            role: Role = "alt" if name == "alt" else "title"
            where = spans(base + start, base + end)
            if where:
                self.asides.append((role, where))

    def _comment(self, first: int, last: int, *, in_html: bool, is_closed: bool) -> None:
        begun = self.flow.is_open
        block = self.flow.block if begun else self.flow.open("prose")
        self.comments.append(
            CommentRecord(first, last, block, self.flow.length, in_html, is_closed)
        )
        # In the middle of a line of HTML a comment parts nothing, as a browser shows it.
        if in_html and (not begun or self._is_alone(first, last)):
            self.flow.end_block()

    def _is_alone(self, first: int, last: int) -> bool:
        """Say whether nothing else stands on the lines of a comment."""
        before = _BLANK_BEFORE.search(self._data, max(0, first - _INDENTED), first)
        return before is not None and _BLANK_BEHIND.match(self._data, last) is not None


_INDENTED = 64
_BLANK_BEFORE = re.compile(rb"(?:\A|[\r\n])[ \t>]*\Z")
_BLANK_BEHIND = re.compile(rb"[ \t]*(?:[\r\n]|\Z)")


def _byte(text: str, offset: int, first: int) -> int:
    return first + (offset if text.isascii() else len(text[:offset].encode()))
