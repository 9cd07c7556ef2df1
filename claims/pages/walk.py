"""One walk over the parser's events: what is rendered, and where tables, links and comments are."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pyromark import Markdown

from claims.pages.flow import Kind
from claims.pages.html_walk import HtmlWalk
from claims.pages.records import LinkRecord, TableRecord

if TYPE_CHECKING:
    from pyromark.event import Range

SCAN_FLAG = "claims-scan"
"""A word of a code fence's info string that has its text read like prose."""

_INLINE = frozenset(("Emphasis", "Strong", "Strikethrough"))
_LINKS = frozenset(("Link", "Image"))
_STARTS = frozenset(("CodeBlock", "Table", "TableHead", "TableRow", "FootnoteDefinition"))


class Walk(HtmlWalk):
    """What one page holds, read event by event."""

    def __init__(self, data: bytes, text: str) -> None:
        super().__init__(data, text)
        self.links: list[LinkRecord] = []
        self.notes: list[LinkRecord] = []
        self.definitions: list[tuple[str, int, int]] = []
        self._images = 0
        self._fence: bool | None = None
        self._open_links: list[tuple[str, str, str, int]] = []
        self._open_notes: list[tuple[str, int]] = []
        self._titles: dict[str, Range] | None = None
        self._handlers = {
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
        events: Iterable[tuple[Any, Range]] = markdown.events_with_range(self.text_read)
        for event, span in events:
            if event.__class__ is dict:
                ((kind, content),) = event.items()
                handlers[kind](content, span["start"], span["end"])
            else:
                self._break(event, span["start"], span["end"])
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
            table = self._open_tables.pop()
            self.tables.append(table)
            self.table_ends.add(table.last)
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
