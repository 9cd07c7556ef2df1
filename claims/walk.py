"""One walk over the parser's events: what is rendered, and where tables, links and comments are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pyromark import Markdown
from pyromark.event import Range

from claims import html_text
from claims.flow import Flow, Kind, Role
from claims.html_text import Html

SCAN_FLAG = "claims-scan"
"""A word of a code fence's info string that has its text read like prose."""

_INLINE = frozenset(("Emphasis", "Strong", "Strikethrough"))
_LINKS = frozenset(("Link", "Image"))
_STARTS = frozenset(("CodeBlock", "Table", "TableHead", "TableRow", "FootnoteDefinition"))


@dataclass(slots=True)
class TableRecord:
    """A table by the blocks of its cells, row for row, the first `heads` rows being its header.

    `before` is the newest block when it began, `first` and `last` are its bytes.
    """

    first: int
    last: int
    before: int
    heads: int = 1
    rows: list[list[int]] = field(default_factory=list)


@dataclass(slots=True)
class LinkRecord:
    """A link or footnote reference by its part of the rendered text and its bytes."""

    destination: str
    start: int
    end: int
    first: int
    last: int
    block: int


@dataclass(slots=True)
class CommentRecord:
    """An HTML comment by its bytes; `before` is how much rendered text precedes it."""

    first: int
    last: int
    block: int
    before: int
    in_html: bool
    is_closed: bool = True


class Walk:
    """What one page holds, read event by event."""

    def __init__(self, data: bytes, text: str) -> None:
        # What is parsed has the bytes of the page, but for those that would mislead the parser.
        self.text_read = text
        self.hidden: list[tuple[int, int, str]] = []
        self._data = text.encode()
        self.flow = Flow(data)
        self.tables: list[TableRecord] = []
        self.links: list[LinkRecord] = []
        self.notes: list[LinkRecord] = []
        self.definitions: list[tuple[str, int, int]] = []
        self.comments: list[CommentRecord] = []
        self.asides: list[tuple[Role, list[tuple[int, int]]]] = []
        self._role: Role = "prose"
        self._images = 0
        self._codes = 0
        self._fence: bool | None = None
        self._html: list[tuple[int, int]] = []
        self._open_links: list[tuple[str, str, str, int]] = []
        self._open_notes: list[tuple[str, int]] = []
        self._open_tables: list[TableRecord] = []
        self._titles: dict[str, Range] | None = None
        self._handlers: dict[str, Callable[[Any, int, int], None]] = {
            "Text": self._plain_text,
            "Code": self._code,
            "Start": self._start,
            "End": self._end,
            "InlineHtml": self._inline_html,
            "Html": self._html_line,
            "FootnoteReference": self._footnote_reference,
            "TaskListMarker": self._nothing,
        }

    def front_matter(self, values: Iterable[list[tuple[int, int]]]) -> None:
        """Take the values of front matter, each as the bytes of its lines."""
        for spans in values:
            self.flow.open("front-matter")
            for index, (first, last) in enumerate(spans):
                if index:
                    self.flow.add(" ", spans[index - 1][1], first)
                self.flow.add_spelt(first, last)
            self.flow.end_block()

    def read(self, markdown: Markdown) -> None:
        """Take all events of the page."""
        handlers = self._handlers
        self._markdown = markdown
        for event, span in markdown.events_with_range(self.text_read):
            if event.__class__ is str:
                self._break(event, span["start"], span["end"])
            else:
                ((kind, content),) = event.items()  # type: ignore[union-attr]
                handlers[kind](content, span["start"], span["end"])
        self._finish()

    def _finish(self) -> None:
        self._close_html_tables()
        for role, spans in self.asides:
            self.flow.open(role)
            for first, last in spans:
                self.flow.add_spelt(first, last)

    def _nothing(self, content: Any, first: int, last: int) -> None:
        """Task boxes carry no text."""

    def _break(self, event: object, first: int, last: int) -> None:
        if event == "Rule":
            self.flow.end_block()
        elif self.flow.is_open:
            self.flow.add(" ", first, last, "alt" if self._images else "text")

    def _plain_text(self, content: Any, first: int, last: int) -> None:
        # What the parser puts in itself, the indentation of raw HTML, spans no bytes.
        if first != last:
            flow = self.flow
            if not flow.is_open:
                flow.open(self._role)
            flow.add_text(content, first, last)

    def _text(self, content: Any, first: int, last: int) -> None:
        """Take text while, or just after, an image, a code block or `<code>` is open."""
        if self._fence is not None:
            if self._fence:
                self._fenced(first, last)
        elif first != last:
            if not self.flow.is_open:
                self.flow.open(self._role)
            kind: Kind = "alt" if self._images else "code" if self._codes else "text"
            self.flow.add(content, first, last, kind)
            if kind == "text":
                self._handlers["Text"] = self._plain_text

    def _fenced(self, first: int, last: int) -> None:
        """Take code that is to be read; each line is a block, for nothing runs on to the next."""
        for line in self._data[first:last].splitlines(keepends=True):
            text = line.rstrip(b"\r\n")
            if text.strip():
                self.flow.open("fence")
                self.flow.add_spelt(first, first + len(text))
                self.flow.end_block()
            first += len(line)

    def _code(self, content: Any, first: int, last: int) -> None:
        if not self.flow.is_open:
            self.flow.open(self._role)
        self.flow.add(str(content), first, last, "code")

    def _start(self, content: Any, first: int, last: int) -> None:
        fields: Any = None
        name = content
        if content.__class__ is not str:
            ((name, fields),) = content.items()
        if name in _INLINE:
            return
        if name == "TableCell":
            self._role = "cell"
            self._open_tables[-1].rows[-1].append(self.flow.open("cell"))
        elif name in _LINKS:
            self._start_link(name, fields)
        else:
            self.flow.end_block()
            self._role = "heading" if name == "Heading" else "prose"
            if name in _STARTS:
                self._start_special(name, fields, first, last)

    def _start_special(self, name: str, fields: Any, first: int, last: int) -> None:
        if name == "CodeBlock":
            info = fields.get("Fenced", "") if isinstance(fields, dict) else ""
            self._fence = SCAN_FLAG in info.split()
            self._handlers["Text"] = self._text
        elif name == "Table":
            self._open_tables.append(TableRecord(first, last, self.flow.block))
        elif name == "FootnoteDefinition":
            self._open_notes.append((fields, self.flow.block + 1))
        else:
            self._open_tables[-1].rows.append([])

    def _end(self, content: Any, first: int, last: int) -> None:
        name = content if content.__class__ is str else next(iter(content))
        if name in _INLINE:
            return
        if name in _LINKS:
            self._end_link(name, first, last)
            return
        if name == "HtmlBlock":
            self._html_block()
        self.flow.end_block()
        self._role = "prose"
        if self._codes:
            self._codes = 0
        if name in _STARTS:
            self._end_special(name)

    def _end_special(self, name: str) -> None:
        if name == "CodeBlock":
            self._fence = None
        elif name == "Table":
            self.tables.append(self._open_tables.pop())
        elif name == "FootnoteDefinition":
            label, block = self._open_notes.pop()
            self.definitions.append((label, block, self.flow.block + 1))

    def _start_link(self, name: str, fields: Any) -> None:
        if name == "Image":
            self._images += 1
            self._handlers["Text"] = self._text
        label = "" if fields["link_type"] == "Inline" else fields["id"]
        link = fields["dest_url"], fields["title"] or "", label, self.flow.length
        self._open_links.append(link)

    def _end_link(self, name: str, first: int, last: int) -> None:
        destination, title, label, start = self._open_links.pop()
        if name == "Image":
            self._images -= 1
        else:
            end, block = self.flow.length, self.flow.block
            self.links.append(LinkRecord(destination, start, end, first, last, block))
        if title:
            span = self._title_of_reference(label) if label else _title(self._data, first, last)
            if span:
                self.asides.append(("title", [span]))

    def _title_of_reference(self, label: str) -> tuple[int, int] | None:
        if self._titles is None:
            found = self._markdown.reference_definitions(self.text_read)
            self._titles = {name.casefold(): one["span"] for name, one in found.items()}
        span = self._titles.get(label.casefold())
        return span and _title(self._data, span["start"], span["end"])

    def _footnote_reference(self, content: Any, first: int, last: int) -> None:
        if not self.flow.is_open:
            self.flow.open(self._role)
        at = self.flow.length
        self.notes.append(LinkRecord(str(content), at, at, first, last, self.flow.block))

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
        block = self.flow.block if self.flow.is_open else self.flow.open("prose")
        self.comments.append(
            CommentRecord(first, last, block, self.flow.length, in_html, is_closed)
        )
        if in_html:
            self.flow.end_block()


Spans = Callable[[int, int], list[tuple[int, int]]]


def _byte(text: str, offset: int, first: int) -> int:
    return first + (offset if text.isascii() else len(text[:offset].encode()))


def _title(data: bytes, first: int, last: int) -> tuple[int, int] | None:
    """Return the bytes of a link's title, which stands at its end between marks of its own."""
    text = data[first:last].rstrip()
    if text.endswith(b")") and data[first : first + 1] in b"[!" and b"](" in text:
        text = text[:-1].rstrip()
    closing = text[-1:]
    opening = b"(" if closing == b")" else closing
    if closing not in (b")", b'"', b"'"):
        return None
    start = text.rfind(opening, 0, len(text) - 1)
    while start > 0 and text[start - 1 : start] == b"\\":
        start = text.rfind(opening, 0, start)
    return (first + start + 1, first + len(text) - 1) if start > 0 else None
