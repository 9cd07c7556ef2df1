"""Generated regions of a page, written anew from what the claims render now.

Only what stands between the two comments changes, and the digest in the first; the form of the
comments, line endings, and the marks of a quote or list around the region stay. A first comment
without a digest is one that a person typed, and gets its digest here::

    <!-- claim:begin C16 -->
    <!-- claim:end C16 -->

A region whose text is what it should be keeps its bytes, so that writing twice is writing once.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from claims.markers import binding
from claims.markers.binding import Problem
from claims.pages import document, regions
from claims.pages.directives import Directive
from claims.pages.document import Document
from claims.pages.markup import escape
from claims.scanner import atoms

_CODE = "CLM040"
_UNDIGESTED = re.compile(
    r"(?:<!--|\{/\*)\s*claim:begin\s+[A-Za-z0-9][\w.-]*(?=\s*(?:--|\*/))", re.A
)
_NOTHING = "0" * 64
_NO_DIGEST = f" sha256={_NOTHING}"
_DIGEST = re.compile(r"(?<=sha256=)[0-9a-f]{64}")
_BYTE_ORDER_MARK = "\ufeff"
_NEWLINE = re.compile(r"\r\n?|\n")
_NO_MARK = re.compile(r"[^\s>]")


@dataclass(frozen=True, slots=True)
class Region:
    """One region of a page: its claim, and the place of its first comment.

    `stale` says that it is not as it would be written, `edited` that its text was changed by hand
    since it was written; one that never was written is not edited.
    """

    claim: str
    line: int
    column: int
    stale: bool
    edited: bool


@dataclass(frozen=True, slots=True)
class Renewed:
    """A page with its regions written anew, and what keeps that from being done."""

    source: str
    regions: tuple[Region, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Pair:
    begun: Directive
    ended: Directive

    @property
    def claim(self) -> str:
        return str(self.begun.written.claim)


def find(source: str) -> Renewed:
    """Return the regions of a page as they are, each held to be stale; the page is as it was."""
    page = document.parse(_digested(source))
    pairs = list(_pairs(page.directives))
    edited = _edited(page, pairs)
    problems = [one for one in _problems(page) if (one.line, one.column) not in edited]
    found = (
        Region(pair.claim, *_place(pair), stale=True, edited=_is_edited(pair, edited))
        for pair in pairs
    )
    return Renewed(source, tuple(found), (*problems, *_beside_others(page)))


def renew(source: str, sentences: Mapping[str, str]) -> Renewed:
    """Return the page with each region as its claim's sentence; all of them must be given.

    Where a region cannot hold its sentence where it stands, the page is as it was, and a problem.
    """
    before = find(source)
    if before.problems:
        return before
    new = source = _digested(source)
    page = document.parse(source)
    changed = set()
    for pair in reversed(list(_pairs(page.directives))):
        text = _written(source, pair, sentences[pair.claim])
        if text != source[pair.begun.start : pair.ended.start]:
            changed.add(_place(pair))
            new = new[: pair.begun.start] + text + new[pair.ended.start :]
    found = tuple(
        Region(one.claim, one.line, one.column, (one.line, one.column) in changed, one.edited)
        for one in before.regions
    )
    problems = tuple(_unread(found, new, sentences)) if changed else ()
    return Renewed(before.source if problems else new, found, problems)


def _digested(source: str) -> str:
    """Return the page with a digest of nothing in every first comment that has none."""
    if "claim:begin" not in source:
        return source
    for one in reversed(document.parse(source).directives):
        if match := _UNDIGESTED.match(source, one.start):
            source = source[: match.end()] + _NO_DIGEST + source[match.end() :]
    return source


def _pairs(directives: Iterable[Directive]) -> Iterator[_Pair]:
    begun: Directive | None = None
    for one in directives:
        if one.written.form == "begin":
            begun = one
        elif one.written.form == "end":
            if begun and begun.written.claim == one.written.claim:
                yield _Pair(begun, one)
            begun = None


def _problems(page: Document) -> Iterator[Problem]:
    """Yield what the check would say of the regions."""
    for one in binding.bind(page, atoms.scan(page)).problems:
        if one.code == _CODE:
            yield one


def _beside_others(page: Document) -> Iterator[Problem]:
    """Yield the comments of regions that share their line with something else."""
    for one in page.directives:
        opens = page.source[: one.start] == _BYTE_ORDER_MARK
        if one.written.form in ("begin", "end") and not one.alone and not opens:
            message = "the comment of a region stands alone on its line; give it a line of its own"
            yield Problem(_CODE, message, one.line, one.column, one.written.claim)


def _is_edited(pair: _Pair, edited: set[tuple[int, int]]) -> bool:
    return _place(pair) in edited and pair.begun.written.sha256 != _NOTHING


def _edited(page: Document, pairs: list[_Pair]) -> set[tuple[int, int]]:
    """Return the places of the regions whose only fault is that their text has another digest."""
    places = {(one.line, one.column) for one in _problems(page)}
    wrong = {
        _place(pair)
        for pair in pairs
        if regions.digest(page.source[pair.begun.end : pair.ended.start])
        != pair.begun.written.sha256
    }
    return places & wrong


def _written(source: str, pair: _Pair, sentence: str) -> str:
    """Return the first comment and the text of a region; as they are, where they are right."""
    begun, ended = pair.begun, pair.ended
    old = source[begun.end : ended.start]
    end = _NEWLINE.search(source, begun.end)
    newline = end[0] if end else "\n"
    first = max(source.rfind("\n", 0, begun.start), source.rfind("\r", 0, begun.start)) + 1
    marks = _NO_MARK.sub(" ", source[first : begun.start].lstrip(_BYTE_ORDER_MARK))
    text = f"{newline}{marks}{escape(sentence)}{newline}{marks}"
    if regions.normal(old) == regions.normal(text):
        text = old
    return _DIGEST.sub(regions.digest(text), source[begun.start : begun.end]) + text


def _unread(
    found: tuple[Region, ...], source: str, sentences: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield each region that does not read as its sentence once it is written."""
    page = document.parse(source)
    bound = binding.bind(page, atoms.scan(page))
    faulty = any(one.code == _CODE for one in bound.problems)
    texts: dict[str, str] = {}
    for one in bound.bound:
        if one.form == "region":
            texts[one.claim] = f"{texts.get(one.claim, '')}{one.text}"
    for region in found:
        if faulty or texts.get(region.claim) != " ".join(sentences[region.claim].split()):
            message = "its sentence would not read as it renders here; give the region other lines"
            yield Problem(_CODE, message, region.line, region.column, region.claim)


def _place(pair: _Pair) -> tuple[int, int]:
    return pair.begun.line, pair.begun.column
