"""A page in sections, with the numbers of each and what is said of them where they stand."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from claims.adopting import recorded
from claims.adopting.recorded import Stated

_LINE_END = re.compile(r"\r\n?|\n")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}\s+(?P<text>.*)")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_BAR = re.compile(r"(?<!\\)\|")
_ALIGNMENT = re.compile(r"[\s|:-]*-[\s|:-]*")
_BEFORE = 400
_ITEM = re.compile(r"[ \t>]*(?:[-+*]|\d{1,9}[.)])\s")


@dataclass(frozen=True, slots=True)
class Spot:
    """A number on a page, where it starts, and what is said of it."""

    stated: Stated
    line: int
    column: int

    def place(self, name: str) -> str:
        """Return `file:line:column`."""
        return f"{name}:{self.line}:{self.column}"


@dataclass
class Section:
    """What stands under one heading, the heading included; `lines` have their numbers."""

    heading: str
    lines: list[tuple[int, str]] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The heading and all lines."""
        return "\n".join(line for _, line in self.lines)

    def occurrences(self, phrase: str) -> Iterator[tuple[int, int, str]]:
        """Yield line, column and what stands right before, wherever the section has the phrase."""
        spelt = r"\s+".join(map(re.escape, phrase.split()))
        text = self.text
        starts = [0, *accumulate(len(line) + 1 for _, line in self.lines)]
        for found in re.finditer(rf"(?<!\w){spelt}(?!\w)", text, re.IGNORECASE):
            number = bisect_right(starts, found.start()) - 1
            before = text[max(0, found.start() - _BEFORE) : found.start()]
            yield self.lines[number][0], found.start() - starts[number] + 1, before


def sections(source: str) -> list[Section]:
    """Return the sections of a page, code blocks left out."""
    found = [Section("")]
    for number, line in _prose(source):
        heading = _HEADING.match(line)
        if heading:
            found.append(Section(heading["text"]))
        found[-1].lines.append((number, line))
    for section in found:
        section.spots.extend(sorted(_spots(section), key=lambda spot: (spot.line, spot.column)))
    return found


def _prose(source: str) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(_LINE_END.split(source), 1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
        elif not fence:
            yield number, line


def rows(section: Section) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each row of each table with its line number and the header of its table."""
    header: list[str] = []
    for number, line in section.lines:
        if not _is_row(line):
            header = []
        elif not header:
            header = [cell.strip() for _, cell in cells(line)]
        elif not _ALIGNMENT.fullmatch(line):
            yield number, line, header


def cells(line: str) -> Iterator[tuple[int, str]]:
    """Yield the offset and text of each cell of a row; what follows the last bar is none."""
    bars = [bar.end() for bar in _BAR.finditer(line)]
    for start, end in pairwise(bars):
        yield start, line[start : end - 1]
    if line[bars[-1] :].strip():
        yield bars[-1], line[bars[-1] :]


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _spots(section: Section) -> Iterator[Spot]:
    block: list[tuple[int, str]] = []
    for number, line in section.lines:
        if _is_row(line) or not line.strip() or _ITEM.match(line):
            yield from _paragraph(block)
            block = []
        if line.strip() and not _is_row(line):
            block.append((number, line))
    yield from _paragraph(block)
    for number, line, header in rows(section):
        yield from _row(number, line, header, section.heading)


def _row(number: int, line: str, header: list[str], heading: str) -> Iterator[Spot]:
    found = list(cells(line))
    for index, (start, cell) in enumerate(found):
        column = header[index] if index < len(header) else ""
        # A label is what the row is about, and no result of it.
        label = found[0][1] if index else ""
        for stated in recorded.in_cell(cell, column, label, heading):
            yield Spot(stated, number, start + stated.number.start + 1)


def _paragraph(lines: list[tuple[int, str]]) -> Iterator[Spot]:
    joined = "\n".join(line for _, line in lines)
    for stated in recorded.in_prose(joined):
        before = joined[: stated.number.start]
        column = len(before) - (before.rfind("\n") + 1) + 1
        yield Spot(stated, lines[before.count("\n")][0], column)
