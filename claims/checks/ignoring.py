"""What a page sets aside: each ignore has a code and a reason, and is counted and listed.

::

    <!-- claims-ignore[CLM101]: the vendor's own figure, with its source -->
    The data sheet says 3.35 TB/s.

    It stops at 500 ms. <!-- claims-ignore-line[CLM101]: a limit, no result -->

    <!-- claims-ignore-file[CLM101]: history; nothing on this page is claimed today -->

Alone on its line, the first form sets aside what stands in the paragraph, item or table below it;
behind text it is the second, which sets aside what stands on its own line; the third reaches the
whole page. In .mdx files the same stands in ``{/* … */}``.
Comments in code are text about ignores, and none. No finding of the evidence, of approval or of a
barred number is ever set aside (`Rule.ignorable`).
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from claims.rules import RULES, Refusal
from receipts import late as re

Reach = Literal["next", "line", "file"]

_WORD = "claims-ignore"
# A body ends before another comment opens, so that a page of openers is read in one pass.
_IN_HTML = r"<!--\s*+(claims-ignore(?:(?!-->|<!--).)*+)-->"
_IN_MDX = r"\{/\*\s*+(claims-ignore(?:(?!\*/\}|\{/\*).)*+)\*/\}"
_HTML = re.compile(_IN_HTML, re.DOTALL)
_MDX = re.compile(f"{_IN_HTML}|{_IN_MDX}", re.DOTALL)
_LONGEST_LINE = 65_536
_BODY = re.compile(
    r"claims-ignore(?:-(?P<reach>line|file))?\s*\[(?P<codes>[\w\s,-]*)\]\s*(?::\s*(?P<reason>.*))?",
    re.DOTALL,
)
_FENCE = re.compile(r"[ \t>]*+(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.+?)(?<!`)\1(?!`)", re.DOTALL)
_ROW = re.compile(r"[ \t>]*+\|")
_OPENS = re.compile(r"[ \t>]*+(?:[-+*]\s|#{1,6}\s|\d{1,9}[.)]\s|\||```|~~~)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")


@dataclass(frozen=True, slots=True)
class Directive:
    """An ignore as it is written: what it reaches, its codes and reason, and where it stands.

    `target` holds the first and last line it reaches, none for the whole page. `fault` says what is
    malformed.
    """

    codes: tuple[str, ...]
    reason: str
    target: tuple[int, int] | None
    line: int
    column: int
    fault: str = ""


@dataclass
class Sorted:
    """The findings of a page that count, and those set aside with the reasons for it."""

    counted: list[Refusal] = field(default_factory=list)
    ignored: list[tuple[Refusal, str]] = field(default_factory=list)


def read(name: str, source: str) -> list[Directive]:
    """Return the ignores on the page `name`, in the order of the page."""
    if _WORD not in source:
        return []
    lines = list(_LINE.finditer(source))
    masked = _without_code(source, lines)
    pattern = _MDX if name.endswith(".mdx") else _HTML
    found = list(pattern.finditer(masked))
    starts = [line.start() for line in lines]
    blank = pattern.sub(lambda one: re.sub(r"[^\r\n]", " ", one[0]), masked)
    below = _Below([blank[slice(*line.span())] for line in lines])
    return [_directive(one, starts, below) for one in found]


def sort(
    name: str, findings: Iterable[Refusal], directives: Iterable[Directive], *, whole: bool = True
) -> Sorted:
    """Return what counts and what is set aside; what is wrong with an ignore is a finding too.

    In a run that is not of the `whole` tree, rules that only such a run judges are not called
    unused.
    """
    done = Sorted()
    given = list(directives)
    used: set[tuple[int, str]] = set()
    reach = _Reach(given)
    places = {f"{name}:{directive.line}:{directive.column}" for directive in given}
    for finding in findings:
        index = reach.of(finding)
        if index is None:
            # Whoever reads markers may call a malformed ignore one; it is told once, as an ignore.
            if finding.code != "CLM012" or finding.place not in places:
                done.counted.append(finding)
        else:
            done.ignored.append((finding, given[index].reason))
            used.add((index, finding.code))
    for index, directive in enumerate(given):
        place = f"{name}:{directive.line}:{directive.column}"
        done.counted.extend(_faults(directive, place))
        if not directive.fault and directive.reason:
            unused = [c for c in directive.codes if (index, c) not in used and _ignorable(c)]
            done.counted.extend(_unused(code, place) for code in unused if whole or not _tree(code))
    return done


class _Reach:
    """Which ignore reaches a finding: of several, the one that stands first."""

    def __init__(self, given: list[Directive]) -> None:
        self._of_line: dict[tuple[str, int], int] = {}
        self._of_page: dict[str, int] = {}
        for index, directive in enumerate(given):
            for code in directive.codes if directive.reason and not directive.fault else ():
                if directive.target is None:
                    self._of_page.setdefault(code, index)
                    continue
                first, last = directive.target
                for line in range(first, last + 1):
                    self._of_line.setdefault((code, line), index)

    def of(self, finding: Refusal) -> int | None:
        """Return the number of the ignore that sets the finding aside, None if none may."""
        if not RULES[finding.code].ignorable:
            return None
        line = int((finding.place or ":0:").rsplit(":", 2)[1] or 0)
        found = self._of_line.get((finding.code, line))
        return self._of_page.get(finding.code) if found is None else found


def _faults(directive: Directive, place: str) -> Iterator[Refusal]:
    if directive.fault:
        yield Refusal("CLM090", directive.fault, place=place)
        return
    if not directive.reason:
        codes = ", ".join(directive.codes)
        yield Refusal("CLM090", f"{codes} is set aside without a reason", place=place)
    for code in directive.codes:
        if code not in RULES:
            yield Refusal("CLM092", f"there is no rule {code}", place=place)
        elif not RULES[code].ignorable:
            yield Refusal("CLM092", f"{code} {RULES[code].name} is never set aside", place=place)


def _unused(code: str, place: str) -> Refusal:
    return Refusal("CLM091", f"no {code} stands where this ignore reaches", place=place)


def _ignorable(code: str) -> bool:
    return code in RULES and RULES[code].ignorable


def _tree(code: str) -> bool:
    return RULES[code].needs_all_pages


def _directive(found: re.Match[str], starts: list[int], below: "_Below") -> Directive:
    line = _line_of(starts, found.start())
    column = found.start() - starts[line - 1] + 1
    text = " ".join((found[1] or found[found.lastindex or 1]).split())
    body = _BODY.fullmatch(text)
    codes = tuple(re.findall(r"[\w-]+", body["codes"].upper())) if body else ()
    if not body or not codes:
        shown = text if len(text) <= 60 else f"{text[:59]}…"
        fault = f"{shown!r} is not claims-ignore[CODE]: reason"
        return Directive((), "", None, line, column, fault)
    target: tuple[int, int] | None = (line, line)
    if body["reach"] == "file":
        target = None
    elif body["reach"] is None and below.is_blank(line):
        target = below.block(_line_of(starts, found.end() - 1))
    reason = (body["reason"] or "").strip()
    # A point or a dash is put where a reason was asked for, and is none.
    told = reason if any(map(str.isalpha, reason)) else ""
    return Directive(codes, told, target, line, column)


class _Below:
    """The blocks of a page by the lines above them; `lines` are without its ignores and code."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._written = [bool(line.strip(" \t>\r\n")) for line in lines]
        self._first = [0] * (len(lines) + 1)
        following = len(lines) + 1
        for number in range(len(lines), -1, -1):
            self._first[number] = following
            if number and self._written[number - 1]:
                following = number
        self._last: dict[int, int] = {}

    def is_blank(self, line: int) -> bool:
        """Say whether nothing but ignores and quote marks stands on a line."""
        return not self._written[line - 1]

    def block(self, line: int) -> tuple[int, int]:
        """Return the lines of the paragraph, item, heading or table that begins below a line."""
        first = self._first[line]
        if first not in self._last:
            self._last[first] = self._end(first)
        return first, self._last[first]

    def _end(self, first: int) -> int:
        last = first
        is_row = first <= len(self._lines) and _ROW.match(self._lines[first - 1])
        while last < len(self._lines) and self._written[last]:
            line = self._lines[last]
            if not _ROW.match(line) if is_row else _OPENS.match(line):
                break
            last += 1
        return last


def _line_of(starts: list[int], offset: int) -> int:
    return bisect_right(starts, offset)


def _without_code(source: str, lines: list[re.Match[str]]) -> str:
    """Return the page with the comment openers in code made unreadable, length for length."""
    kept: list[str] = []
    fence = ""
    for line in lines:
        text = line[0]
        mark = _FENCE.match(text)
        inside = bool(fence)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not text[mark.end() :].strip():
            fence = ""
        # Of a line that nobody wrote by hand no ignore is taken: code is not sought in it.
        hidden = inside or mark or len(text) > _LONGEST_LINE
        kept.append(_struck(text) if hidden else _CODE_SPAN.sub(_struck_span, text))
    return "".join(kept)


def _struck(text: str) -> str:
    return text.replace("<!--", "\0\0\0\0").replace("{/*", "\0\0\0")


def _struck_span(span: re.Match[str]) -> str:
    return _struck(span[0])
