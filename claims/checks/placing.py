"""Where a finding stands on its page: the line, the span, and the sentence that names it for good.

Line numbers move with every edit above them. What stays is the sentence (in a table, the cell and
the label of its row), without markers, emphasis and line breaks: that is what a baseline and a
dashboard know a finding by.
"""

from bisect import bisect_right
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple

from claims.pages.sentences import sentence_ends
from receipts import late as re

_LINE_END = re.compile(r"\r\n?|\n")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|\{/\*.{0,2000}?\*/\}", re.DOTALL)
_QUOTE = re.compile(r"\n[ \t]*>[> \t]*")
_BAR = re.compile(r"(?<!\\)\|")
_LEAD = re.compile(r"(?:\s|>|[-+*]\s|#{1,6}\s|\d{1,9}[.)]\s|\[\^[^\]]+\]:)+")
_STARTS_BLOCK = re.compile(r"[\s>]*+([-+*]\s|#{1,6}\s|\d{1,9}[.)]\s|\||```|~~~|\Z)")
_SPAN = re.compile(r"<!--.{0,2000}?-->|\{/\*.{0,2000}?\*/\}|[-+−–~≈]?\d(?:[\d.,]*\d)?|[^\W_]+|\S")
_LONGEST = 240


class _Paragraph(NamedTuple):
    """The first line, the text, where each line starts in it, and where its sentences end."""

    first: int
    text: str
    starts: list[int]
    ends: list[int]


class Lines:
    """The lines of one page; lines and columns start at 1, columns count code points."""

    def __init__(self, source: str) -> None:
        self._lines = _LINE_END.split(source)
        self._known: dict[tuple[int, int], str] = {}
        self._paragraphs: dict[int, _Paragraph] = {}
        self._opening: dict[int, str] = {}
        self._rows: dict[int, tuple[list[int], list[str], str]] = {}
        self._run = (0, 0, 0)

    def text(self, line: int) -> str:
        """Return the line as it stands, empty where the page has no such line."""
        return self._lines[line - 1] if 0 < line <= len(self._lines) else ""

    def end(self, line: int, column: int) -> int:
        """Return the column behind what stands at `column`: a number, a word or a comment."""
        text, at = self.text(line), column - 1
        known, start, stop = self._run
        # One run of digits and commas may be the whole line, and hold a number at each of them.
        if line == known and start <= at < stop and text[at].isdecimal():
            return stop + 1
        span = _SPAN.match(text, at)
        if span and span[0][-1].isdecimal():
            self._run = line, span.start(), span.end()
        return span.end() + 1 if span else column + 1

    def sentence(self, line: int, column: int) -> str:
        """Return the sentence around a place, or the cell with the label of its row, in one line.

        One of more than 240 characters is cut, and its digest stands for the rest.
        """
        if self._opens(line) == "|":
            return self._cell(line, column)
        start, joined, starts, ends = self._paragraph(line)
        offset = starts[line - start] + min(column - 1, len(self.text(line)))
        index = bisect_right(ends, offset)
        if (start, index) not in self._known:
            first = ends[index - 1] if index else 0
            last = ends[index] if index < len(ends) else len(joined)
            self._known[start, index] = _short(_plain(joined[first:last]))
        return self._known[start, index]

    def _cell(self, line: int, column: int) -> str:
        if line not in self._rows:
            text = self.text(line)
            bars, cells = [bar.start() for bar in _BAR.finditer(text)], _BAR.split(text)[1:]
            self._rows[line] = bars, cells, _plain(cells[0])
        bars, cells, label = self._rows[line]
        index = min(max(0, bisect_right(bars, column - 1) - 1), len(cells) - 1)
        cell = _plain(cells[index])
        return _short(cell if index == 0 else f"{label} | {cell}")

    def _paragraph(self, line: int) -> "_Paragraph":
        """Return what is around a line; every line of it is known from then on."""
        if line in self._paragraphs:
            return self._paragraphs[line]
        first = line
        while first > 1 and not self._opens(first) and self.text(first - 1).strip():
            first -= 1
        last = first
        while last < len(self._lines) and not self._opens(last + 1):
            last += 1
        lines = self._lines[first - 1 : last]
        starts = [0, *accumulate(len(one) + 1 for one in lines)]
        joined = "\n".join(lines)
        found = _Paragraph(first, joined, starts, sentence_ends(_blank(joined)))
        self._paragraphs |= dict.fromkeys(range(first, max(last, line) + 1), found)
        return found

    def _opens(self, line: int) -> str | None:
        """Return by what the line opens a block of its own, None where it goes on with one."""
        if line not in self._opening:
            found = _STARTS_BLOCK.match(self.text(line))
            self._opening[line] = found[1].strip() or "end" if found else ""
        return self._opening[line] or None


def _blank(text: str) -> str:
    """Return the text with comments as white space, so that a full stop before one ends it."""
    return _COMMENT.sub(lambda found: " " * len(found[0]), text)


def _plain(text: str) -> str:
    """Return the words of a piece of Markdown in one line, without what only decorates them."""
    bare = _QUOTE.sub("\n", _COMMENT.sub("", text))
    return " ".join(_LEAD.sub("", f" {bare}", count=1).replace("*", "").split())


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}… {sha256(text.encode()).hexdigest()[:12]}"
