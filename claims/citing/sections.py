"""The sections of a document: a heading as it is cited, and the text under it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from claims.citing import quotations
from claims.judging.chain import RefusedError
from claims.pages import document

_NUMBER = re.compile(r"(\d+[a-z]?(?:\.\d+[a-z]?)*|[a-z]\.?\d+(?:\.\d+)*)(?=[\s.:)—-]|\Z)[\s.:)—-]*")
_SHARPS = re.compile(r"[ >\t]*(#{1,6})(?:\s|\Z)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its text as it is compared, its line (from 1) and its level."""

    text: str
    line: int
    level: int


def find(source: str, wanted: str, name: str) -> str:
    """Return the text of the section whose heading is cited as `wanted`, as it is compared.

    `wanted` is the heading, its beginning, its number, or both. Refuses by CLM701 where there is
    none and by CLM702 where there are several.
    """
    headings = list(_headings(source))
    words = quotations.plain(wanted).strip(" .:\"'")
    exact = [one for one in headings if words in _spellings(one.text)]
    found = exact or [one for one in headings if _begins(one.text, words)]
    if not found:
        raise RefusedError("CLM701", f"{name} has no section {wanted!r}")
    if len(found) > 1:
        lines = ", ".join(str(one.line) for one in found[:5])
        raise RefusedError("CLM702", f"{name} has several sections {wanted!r}, on lines {lines}")
    return _under(source, headings, found[0])


def _headings(source: str) -> Iterator[Heading]:
    page = document.parse(source)
    lines = source.splitlines()
    pieces = sorted((*page.fragments, *page.code), key=lambda piece: piece.start)
    for _, group in groupby(pieces, key=lambda piece: piece.block):
        parts = list(group)
        if any(part.role == "heading" for part in parts):
            line = parts[0].line
            text = quotations.plain("".join(part.rendered for part in parts))
            yield Heading(text, line, _level(lines, line, parts[-1].line))


def _level(lines: list[str], first: int, last: int) -> int:
    sharps = _SHARPS.match(lines[first - 1])
    if sharps:
        return len(sharps[1])
    return 1 if lines[last : last + 1] and "=" in lines[last] else 2


def _spellings(heading: str) -> set[str]:
    """Return in which ways a heading is cited whole: with its number, without, by that alone."""
    whole = heading.strip(" .:")
    number = _NUMBER.match(whole)
    return {whole, *((number[1], whole[number.end() :]) if number else ())} - {""}


def _begins(heading: str, words: str) -> bool:
    return any(
        spelling.startswith(words) and not spelling[len(words) : len(words) + 1].isalnum()
        for spelling in _spellings(heading)
    )


def _under(source: str, headings: list[Heading], found: Heading) -> str:
    following = (one.line for one in headings if one.line > found.line and one.level <= found.level)
    end = next(following, None)
    lines = source.splitlines()[found.line - 1 : end - 1 if end else None]
    return quotations.plain("\n".join(lines))
