"""A comment on the page as what it says to the checker, or as what is wrong with it."""

from dataclasses import dataclass
from typing import Literal

from claims.pages import directives
from claims.pages.directives import Directive
from claims.pages.places import Places
from claims.pages.records import CommentRecord
from claims.pages.walk import Walk
from receipts import late as re

Kind = Literal["malformed", "misplaced", "region"]


@dataclass(frozen=True, slots=True)
class BadMarker:
    """A comment that cannot bind: its id is malformed, or its place hides the line's Markdown."""

    kind: Kind
    problem: str
    start: int
    line: int
    column: int


_HIDES_LINE = (
    "a comment at the start of a line turns the whole line into raw HTML; move it behind the text"
)
_NO_REGION = (
    "is neither claim:begin ID nor claim:end ID; take out what stands behind the ID, and "
    "`claims regions --write` writes the digest"
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_CONTAINER = re.compile(r"^(?:[ \t]{0,8}(?:>|[-+*]|\d{1,9}[.)])(?=[ \t]|\Z))+")
_ROW_FOLLOWS = re.compile(r"[ \t]*(?:\r\n?|\n)[ \t>]*\|")
_LINE_END = re.compile(r"\r\n?|\n")


def read(places: Places, walk: Walk, record: CommentRecord) -> Directive | BadMarker | None:
    """Return what the comment says; None for one that does not speak to the checker."""
    start, end = places.offset(record.first), places.offset(record.last)
    body = places.source[start + (3 if places.source[start] == "{" else 4) : end - 3]
    if not record.is_closed:
        body = places.source[start + 4 : end]
        if directives.looks_like_one(body):
            return _bad(places, "malformed", "the comment never ends; write -->", start)
        return None
    if record.in_html and (problem := _misplaced(places, walk, start, end, record)):
        return _bad(places, "misplaced", problem, start)
    if not directives.looks_like_one(body):
        return None
    written = directives.read(body)
    if written is None and directives.is_of_region(body):
        return _bad(places, "region", f"{_shown(body)} {_NO_REGION}", start)
    if written is None:
        problem = f"{_shown(body)} is not claim:ID; {directives.ID_RULE}"
        return _bad(places, "malformed", problem, start)
    place = places.line_column(start)
    alone = record.in_html and _is_alone(places, start, end)
    return Directive(
        written, places.source[start:end], start, end, *place, record.block, record.before, alone
    )


def _misplaced(
    places: Places, walk: Walk, start: int, end: int, record: CommentRecord
) -> str | None:
    """Say what is wrong with the place of a comment in raw HTML, if something is."""
    before, after = _line_around(places, start, end)
    if not before and _TAG.sub("", _COMMENT.sub("", after)).strip():
        return _HIDES_LINE
    if record.first in walk.table_ends and _ROW_FOLLOWS.match(places.source, end):
        return "a comment between rows ends the table; move it in front of the table"
    return None


def _line_around(places: Places, start: int, end: int) -> tuple[str, str]:
    """Return what else stands on the line, marks of quotes and lists left out."""
    _, column = places.line_column(start)
    before = _CONTAINER.sub("", places.source[start - column + 1 : start])
    stop = _LINE_END.search(places.source, end)
    return before.strip(), places.source[end : stop.start() if stop else len(places.source)]


def _is_alone(places: Places, start: int, end: int) -> bool:
    before, after = _line_around(places, start, end)
    return not before and not _COMMENT.sub("", after).strip()


def _bad(places: Places, kind: Kind, problem: str, start: int) -> BadMarker:
    return BadMarker(kind, problem, start, *places.line_column(start))


def _shown(body: str) -> str:
    text = " ".join(body.split())
    return repr(text if len(text) <= 80 else text[:79] + "…")
