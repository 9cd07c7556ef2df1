"""A Markdown page as its reader sees it: rendered text and claim markers, each with its place.

`parse` turns a page into fragments of rendered text and into markers::

    We reach **1.05×**<!--claim:C16--> on `pp512`.

    fragments  "We reach ", "1.05×", " on ", "."     code  "`pp512`"     markers  C16

The law that everything downstream rests on: ``source[start : start + len(text)] == text`` for every
fragment, whatever quotes, tables, escapes, byte order marks or line endings stand around it.

* A fragment is a run of text that stands in the source as it is rendered, within one line.
* Where rendering differs from the source (an entity, a line break, `<br>`), the spelling in the
  source is a fragment of its own: `text` is the spelling (`&nbsp;`), `rendered` what is read.
  A backslash escape needs no such case: the backslash belongs to no fragment.
* Code blocks, HTML, link targets, comments and front matter are not fragments. Code spans are kept
  apart in `code`: they belong to the wording of a sentence, but their digits are not claims.

Offsets and columns count code points of the page as given, the byte order mark included; lines end
with CR, LF or CRLF; lines and columns start at 1, and a tab counts 1.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pyromark import Markdown, Options
from pyromark.event import Event

from receipts.errors import MalformedError

MAX_CHARACTERS = 16 * 1024 * 1024

Role = Literal["prose", "heading", "cell", "alt", "code"]


@dataclass(frozen=True, slots=True)
class Fragment:
    """One run of rendered text; fragments with the same `block` are parts of one running text.

    `block` numbers the leaf block or table cell and means nothing but equality and order.
    """

    text: str
    rendered: str
    start: int
    line: int
    column: int
    block: int
    role: Role


@dataclass(frozen=True, slots=True)
class Marker:
    """A comment `<!--claim:ID-->`, which binds what stands before it to the claim `ID`."""

    claim: str
    start: int
    end: int
    line: int
    column: int
    block: int


@dataclass(frozen=True, slots=True)
class BadMarker:
    """A comment that cannot bind: its id is malformed, or its place hides the line's Markdown."""

    kind: Literal["malformed", "misplaced"]
    problem: str
    start: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Document:
    """A page: its text as given, and what was found in it, each list in the order of the text."""

    source: str
    fragments: tuple[Fragment, ...]
    code: tuple[Fragment, ...]
    markers: tuple[Marker, ...]
    bad_markers: tuple[BadMarker, ...]


def parse(source: str) -> Document:
    """Return the fragments and markers of the Markdown page `source`.

    Raises `MalformedError` for a page of more than 16 Mi characters or with lone surrogates.
    """
    if len(source) > MAX_CHARACTERS:
        raise MalformedError(
            f"page of {len(source)} characters is over the limit of {MAX_CHARACTERS}; split it"
        )
    body = _body_start(source)
    text = source[body:]
    try:
        places = _Places(source, body, text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise MalformedError(
            f"page holds a lone surrogate at character {body + error.start}; save it as UTF-8"
        ) from error
    reader = _Reader(places)
    # The parser overlooks code fences that a lone CR ends, and then hides the lines behind them.
    for event, span in _MARKDOWN.events_with_range(_LONE_CR.sub("\n", text)):
        reader.read(event, span["start"], span["end"])
    return reader.document()


# What GitHub renders, less autolinking, which would not change any text.
_MARKDOWN = Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_GFM
)

# The parser's own option takes any `---` pair in mid-page for metadata and hides what is between;
# so front matter is only what opens the page and whose first line is a key or a comment.
_FRONT_MATTER = re.compile(
    r"\ufeff?---[ \t]*(?:\r\n?|\n)(?=#|[\w-]+[ \t]*:)"
    r".*?(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)",
    re.DOTALL,
)
_LONE_CR = re.compile(r"\r(?!\n)")
_LINE_END = re.compile(r"\r\n?|\n")
_COMMENT = re.compile(r"<!--(?P<body>.*?)(?P<close>-->|\Z)", re.DOTALL)
_LOOKS_LIKE_A_MARKER = re.compile(r"\s*claim\s*:", re.IGNORECASE)
_MARKER = re.compile(r"\s*claim:\s*(?P<claim>[A-Za-z0-9][A-Za-z0-9._-]{0,63})\s*")
_TAG = re.compile(r"<[^<>]*>")
# A superscript is not the next digit of what stands before it, so its tags read as a space.
_SPACING_TAG = re.compile(r"</?(?:br|sup|sub)\b", re.IGNORECASE)
_INLINE = frozenset({"Emphasis", "Strong", "Strikethrough", "Link", "Image"})
_RAW = frozenset({"CodeBlock", "HtmlBlock"})
_ROLES: dict[str, Role] = {"Heading": "heading", "TableCell": "cell"}


def _body_start(source: str) -> int:
    front_matter = _FRONT_MATTER.match(source)
    if front_matter:
        return front_matter.end()
    return 1 if source.startswith("\ufeff") else 0


class _Places:
    """Byte offsets of the parsed body as offsets, lines and columns of the page."""

    def __init__(self, source: str, body: int, data: bytes) -> None:
        self.source = source
        self._data = data
        self._byte = 0
        self._offset = body
        self._line_starts = [0, *(end.end() for end in _LINE_END.finditer(source))]

    def offset(self, byte: int) -> int:
        """Return the offset in code points; cheap because events come nearly in order."""
        if byte >= self._byte:
            self._offset += len(self._data[self._byte : byte].decode("utf-8"))
        else:
            self._offset -= len(self._data[byte : self._byte].decode("utf-8"))
        self._byte = byte
        return self._offset

    def line_column(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1


class _Reader:
    """The state of one walk over the parser's events."""

    def __init__(self, places: _Places) -> None:
        self._places = places
        self._source = places.source
        self._block = 0
        self._role: Role = "prose"
        self._images = 0
        self._is_raw = False
        self._html: list[int] = []
        self._run: tuple[int, int] | None = None
        self._fragments: list[Fragment] = []
        self._code: list[Fragment] = []
        self._markers: list[Marker] = []
        self._bad_markers: list[BadMarker] = []

    def document(self) -> Document:
        self._end_run()
        return Document(
            self._source,
            tuple(self._fragments),
            tuple(self._code),
            tuple(self._markers),
            tuple(self._bad_markers),
        )

    def read(self, event: Event, first: int, last: int) -> None:
        """Take the next event, which stands for the bytes `first` to `last` of the body."""
        if event == "Rule":
            self._next_block()
        elif isinstance(event, str):
            self._different(" ", *self._span(first, last))
        elif "Start" in event:
            self._start(_name(event["Start"]))
        elif "End" in event:
            self._end(_name(event["End"]))
        else:
            kind, content = next(iter(event.items()))
            self._content(kind, str(content), *self._span(first, last))

    def _content(self, kind: str, text: str, start: int, end: int) -> None:
        # Footnote references and task boxes are left over: they carry no text of the page.
        if kind == "Text":
            self._text(text, start, end)
        elif kind == "Code":
            self._end_run()
            self._add(self._code, text, start, end, "code")
        elif kind == "InlineHtml":
            self._inline_html(text, start, end)
        elif kind == "Html":
            self._html.extend((start, end))

    def _span(self, first: int, last: int) -> tuple[int, int]:
        return self._places.offset(first), self._places.offset(last)

    def _start(self, name: str) -> None:
        if name in _INLINE:
            self._end_run()
            self._images += name == "Image"
            return
        self._next_block()
        self._role = _ROLES.get(name, "prose")
        self._is_raw = name in _RAW

    def _end(self, name: str) -> None:
        if name in _INLINE:
            self._end_run()
            self._images -= name == "Image"
            return
        if name == "HtmlBlock":
            self._html_block()
        self._next_block()
        self._role = "prose"
        self._is_raw = False

    def _next_block(self) -> None:
        # Items of a tight list hold their text without a paragraph, so both the start and the
        # end of every block must part what stands before from what follows.
        self._end_run()
        self._block += 1

    def _text(self, text: str, start: int, end: int) -> None:
        if self._is_raw:
            return
        if self._source[start:end] != text:
            self._different(text, start, end)
        elif self._run and self._run[1] == start:
            self._run = (self._run[0], end)
        else:
            self._end_run()
            self._run = (start, end)

    def _different(self, rendered: str, start: int, end: int) -> None:
        self._end_run()
        self._add(self._fragments, rendered, start, end, self._present_role())

    def _end_run(self) -> None:
        if self._run:
            start, end = self._run
            self._run = None
            self._add(self._fragments, None, start, end, self._present_role())

    def _present_role(self) -> Role:
        return "alt" if self._images else self._role

    def _add(
        self, to: list[Fragment], rendered: str | None, start: int, end: int, role: Role
    ) -> None:
        line, column = self._places.line_column(start)
        text = self._source[start:end]
        rendered = text if rendered is None else rendered
        to.append(Fragment(text, rendered, start, line, column, self._block, role))

    def _inline_html(self, html: str, start: int, end: int) -> None:
        if html.startswith("<!--"):
            self._comment(html[4:-3], start, end)
        elif _SPACING_TAG.match(html):
            self._different(" ", start, end)

    def _html_block(self) -> None:
        """Take the comments of a block of raw HTML; its text is not rendered Markdown."""
        if not self._html:
            return
        start, end = self._html[0], self._html[-1]
        self._html = []
        for comment in _COMMENT.finditer(self._source, start, end):
            leads = not self._source[start : comment.start()].strip()
            if leads and comment["close"] and self._text_follows(comment.end(), end):
                self._bad(
                    "misplaced",
                    "a comment at the start of a line turns the whole line into raw HTML; "
                    "move it behind the text",
                    comment.start(),
                )
            elif comment["close"]:
                self._comment(comment["body"], *comment.span())
            elif _LOOKS_LIKE_A_MARKER.match(comment["body"]):
                self._bad("malformed", "the comment never ends; write -->", comment.start())

    def _text_follows(self, start: int, end: int) -> bool:
        line_end = _LINE_END.search(self._source, start, end)
        rest = self._source[start : line_end.start() if line_end else end]
        return bool(_TAG.sub("", _COMMENT.sub("", rest)).strip())

    def _comment(self, body: str, start: int, end: int) -> None:
        if not _LOOKS_LIKE_A_MARKER.match(body):
            return
        marker = _MARKER.fullmatch(body)
        if marker:
            place = self._places.line_column(start)
            self._markers.append(Marker(marker["claim"], start, end, *place, self._block))
        else:
            self._bad("malformed", f"{_shown(body)} is not claim:ID; {_ID_RULE}", start)

    def _bad(self, kind: Literal["malformed", "misplaced"], problem: str, start: int) -> None:
        line, column = self._places.line_column(start)
        self._bad_markers.append(BadMarker(kind, problem, start, line, column))


_ID_RULE = "an id is 1 to 64 of A-Z a-z 0-9 . _ - and starts with a letter or digit"


def _name(tag: str | Iterable[str]) -> str:
    """Return the name of a parser's tag, which is a string or the only key of a dictionary."""
    return tag if isinstance(tag, str) else next(iter(tag))


def _shown(body: str) -> str:
    text = " ".join(body.split())
    return repr(text if len(text) <= 80 else text[:79] + "…")
