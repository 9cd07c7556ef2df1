"""The tombstones, banners and generated pages on a page: where each begins, ends and reaches.

Comments inside code are none. Offsets count code points, lines and columns begin at 1, as in
`claims.pages.document`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pyromark import Markdown, Options

from claims.markers.quotes import Place
from claims.notices.banners import Notice, banner_line, checksum, one_line
from claims.pages.markup import escape, unescape
from receipts import late as re

Kind = Literal["tombstone", "banner", "rejected"]


@dataclass(frozen=True, slots=True)
class Region:
    """One region of a page: `source[start:end]` is all of it, its comments included.

    `reach` is what it speaks of: of a banner the block below it, of others the region itself. A
    generated page of rejected levers is of no claim; `by` is None for that, and where the register
    itself withdrew the claim of a tombstone.
    """

    kind: Kind
    claim: str
    by: int | None
    replacement: int | None
    digest: str
    body: str
    start: int
    end: int
    first: Place
    last: Place
    reach: tuple[int, int]

    def is_intact(self, struck: Sequence[str]) -> bool:
        """Say whether nobody changed it; `struck` are the sentences below a banner."""
        return self.digest == checksum(self.body, struck)

    def says(self, notice: Notice) -> bool:
        """Say whether it tells exactly this."""
        body = one_line(self.body)
        if self.kind == "banner":
            return body == one_line(banner_line(notice))
        return body == f"{escape(self.struck)}~~ ({escape(notice.told())})"

    @property
    def struck(self) -> str:
        """The sentence in a tombstone, as plain words; nothing in a banner."""
        found = _STRUCK.match(self.body)
        return unescape(one_line(found[1])) if found else ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A comment that begins or ends a region and does not do so properly."""

    problem: str
    start: int
    place: Place


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of a page in order, and what is wrong with its comments."""

    found: tuple[Region, ...]
    faults: tuple[Fault, ...]


def find(source: str) -> Regions:
    """Return the regions of the Markdown page `source`; one without any is not even parsed."""
    if not _DIRECTIVE.search(source):
        return Regions((), ())
    page = _Page(source)
    pairs = list(_pairs(page))
    found = [one for one in pairs if isinstance(one, _Open)]
    taken = [(one.start, one.end) for one in found]
    return Regions(
        tuple(one.region(page, taken) for one in found),
        tuple(one for one in pairs if isinstance(one, Fault)),
    )


def block_start(source: str, position: int) -> int:
    """Return where the line begins on which the outermost block around `position` begins."""
    page = _Page(source)
    start, _ = next(block for block in page.blocks if block[0] <= position < block[1])
    line, _ = page.place(start)
    return page.line_starts[line - 1]


# What GitHub renders; the same as a page is read with.
_MARKDOWN = Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_GFM
)
_DIRECTIVE = re.compile(
    r"<!--\s*claims-(?P<kind>tombstone|banner|rejected)(?P<rest>[^>]*)(?P<close>>|\Z)"
)
_CLAIM = r"\s+(?P<claim>[A-Za-z0-9][A-Za-z0-9._-]{0,63})"
_BY = r"\s+by=(?P<by>\d{1,15})"
_REST = r"(?:\s+replaced-by=(?P<replacement>\d{1,15}))?\s+sha256=(?P<digest>[0-9a-f]{64})\s*-->"
_BEGIN = re.compile(f"{_CLAIM}{_BY}{_REST}")
# What the register itself withdrew, no entry did.
_BEGIN_TOMBSTONE = re.compile(f"{_CLAIM}(?:{_BY})?{_REST}")
_END = re.compile(r"-end\s+(?P<claim>[A-Za-z0-9][A-Za-z0-9._-]{0,63})\s*-->")
# A generated page is of no claim, and needs no checksum: it is generated again and compared.
_BEGIN_PAGE = re.compile(r"(?P<claim>)(?P<by>)(?P<replacement>)(?P<digest>)\s*-->")
_END_PAGE = re.compile(r"(?P<claim>)-end\s*-->")
_KINDS: Mapping[str, tuple[Kind, re.Pattern[str], re.Pattern[str]]] = {
    "tombstone": ("tombstone", _BEGIN_TOMBSTONE, _END),
    "banner": ("banner", _BEGIN, _END),
    "rejected": ("rejected", _BEGIN_PAGE, _END_PAGE),
}
_STRUCK = re.compile(r"((?:\\.|[^\\])*?)~~ \(", re.DOTALL)
_LONE_CR = re.compile(r"\r(?!\n)")
_LINE_END = re.compile(r"\r\n?|\n")


class _Page:
    """A page's outermost blocks and its HTML, as offsets in code points."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.line_starts = [0, *(end.end() for end in _LINE_END.finditer(source))]
        self.blocks: list[tuple[int, int]] = []
        html: list[tuple[int, int]] = []
        depth = 0
        for event, span in _MARKDOWN.events_with_range(_LONE_CR.sub("\n", source)):
            here = (span["start"], span["end"])
            kind = event if isinstance(event, str) else next(iter(event))
            depth -= kind == "End"
            if depth == 0 and kind in ("Start", "Rule"):
                self.blocks.append(here)
            depth += kind == "Start"
            if kind in ("Html", "InlineHtml"):
                html.append(here)
        offsets = _offsets(source, {end for span in (*self.blocks, *html) for end in span})
        self.blocks = [(offsets[start], offsets[end]) for start, end in self.blocks]
        self._html = sorted((offsets[start], offsets[end]) for start, end in html)

    def is_html(self, position: int) -> bool:
        """Say whether a comment at `position` is one, and not an example in code."""
        index = bisect_right(self._html, (position, len(self.source) + 1)) - 1
        return index >= 0 and position < self._html[index][1]

    def place(self, position: int) -> Place:
        line = bisect_right(self.line_starts, position)
        return line, position - self.line_starts[line - 1] + 1

    def below(self, position: int, taken: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """Return the first outermost block from `position` on that belongs to no region."""
        for start, end in self.blocks[bisect_left(self.blocks, (position, position)) :]:
            before = bisect_right(taken, (start, len(self.source) + 1)) - 1
            if before < 0 or start >= taken[before][1]:
                return start, end
        return position, position


@dataclass
class _Open:
    """A region whose comments were found."""

    kind: Kind
    fields: re.Match[str]
    start: int
    body: tuple[int, int]
    end: int

    def region(self, page: _Page, taken: Sequence[tuple[int, int]]) -> Region:
        reach = page.below(self.end, taken) if self.kind == "banner" else (self.start, self.end)
        by, replacement = self.fields["by"] or None, self.fields["replacement"] or None
        return Region(
            self.kind,
            self.fields["claim"],
            None if by is None else int(by),
            None if replacement is None else int(replacement),
            self.fields["digest"],
            page.source[slice(*self.body)],
            self.start,
            self.end,
            page.place(self.start),
            page.place(self.end),
            reach,
        )


def _pairs(page: _Page) -> Iterator[_Open | Fault]:
    """Yield each region and each comment that is no proper half of one."""
    begun: tuple[Kind, re.Match[str], re.Match[str]] | None = None
    for found in _DIRECTIVE.finditer(page.source):
        if not page.is_html(found.start()):
            continue
        kind, begins, ends = _KINDS[found["kind"]]
        text = found["rest"] + found["close"]
        begin, end = begins.fullmatch(text), ends.fullmatch(text)
        if begun and end and (kind, end["claim"]) == (begun[0], begun[2]["claim"]):
            opened, begun = begun, None
            body = (opened[1].end(), found.start())
            yield _Open(kind, opened[2], opened[1].start(), body, found.end())
            continue
        if begun:
            yield _fault(page, begun[1], f"the {begun[0]} that begins here does not end")
            begun = None
        if begin:
            begun = (kind, found, begin)
        else:
            problem = f"ends a {kind} that does not begin" if end else f"is no proper {kind}"
            yield _fault(page, found, f"the comment {problem}")
    if begun:
        yield _fault(page, begun[1], f"the {begun[0]} that begins here does not end")


def _fault(page: _Page, found: re.Match[str], problem: str) -> Fault:
    return Fault(problem, found.start(), page.place(found.start()))


def _offsets(source: str, wanted: Iterable[int]) -> dict[int, int]:
    """Return the offset in code points of each offset in bytes."""
    data = source.encode("utf-8")
    offsets: dict[int, int] = {}
    byte = offset = 0
    for one in sorted(wanted):
        offset += len(data[byte:one].decode("utf-8"))
        byte = one
        offsets[one] = offset
    return offsets
