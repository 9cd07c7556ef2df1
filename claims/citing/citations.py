"""Citations on a page: what stands in brackets and names an entry, a claim, a receipt or a file.

::

    [ledger J3]  [ledger J3, step 4]  [ledger J3, "Five-pair verdict", 2026-08-15]  [ledger K0, L2]
    [claims #2]  [receipt NAME]  [receipt NAME/log]  receipt://NAME  receipt://sha256:…
    [benches/decode.log:133 "12.5 tok/s"]  [src/a.rs:3-10, 14]  [docs/method.md §Warm-up]  [§Order]

`find` reads them from the rendered text and judges their form only; `claims.citing` resolves them.
Words in quotation marks directly before a citation, or inside it, are `Quote`s: they must stand in
what is cited. Brackets that name nothing of the above are no citations.
Specification: docs/reference/formats/citations.md.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from claims.citing import brackets
from claims.citing.brackets import QUOTE, SCHEME, Citation, Quote
from claims.pages import passages
from claims.pages.document import Document
from claims.pages.flow import CODE
from claims.pages.passages import Passage

RULE = "citation"
"""The name under which digits inside a citation are set aside."""


def find(document: Document) -> tuple[Citation, ...]:
    """Return the citations of a page, in order."""
    found: list[Citation] = []
    blocks = sorted(_that_may_cite(document))
    for passage in passages.read(document, links=True, blocks=blocks) if blocks else ():
        found.extend(_in_passage(passage, len(found)))
    return tuple(found)


def _that_may_cite(document: Document) -> set[int]:
    """Return the blocks with brackets, those of links included, a line number, or what is code."""
    may = {document.block_at(found.start()) for found in _MAY_CITE.finditer(document.text)}
    may |= {link.block for link in document.walk.links}
    may |= {document.block_at(piece[0]) for piece in document.walk.flow.pieces if piece[4] == "alt"}
    return {block for block in may if 0 <= block < document.flow_blocks}


def spans(found: Sequence[Citation]) -> list[tuple[int, int]]:
    """Return start and end, as offsets in the page, of citations and of the words before them.

    Digits in there are looked up where they are cited. Tentative citations are left out.
    """
    sure = [one for one in found if not one.tentative]
    quoted = {one.before.span for one in sure if one.before}
    return sorted(quoted | {(one.start, one.end) for one in sure})


def holds(ranges: Sequence[tuple[int, int]], offset: int) -> bool:
    """Say whether one of these sorted ranges holds the offset."""
    index = bisect_right(ranges, offset, key=lambda one: one[0])
    return index > 0 and offset < ranges[index - 1][1]


_MAY_CITE = re.compile(rf"\[|receipt://|:\d|{CODE}")
_BRACKETS = re.compile(
    r"\[((?:\"[^\"]{0,400}\"|“[^“”]{0,400}”|[^\[\]\"“]){1,400})\]|\[([^\[\]]{1,400})\]"
)
_RECEIPT_URI = re.compile(
    r"(?<![\w/-])receipt://[^\s()\[\]<>,;\"'`“”|]*[^\s()\[\]<>,;\"'`“”|.:!?…]|"
    r"receipt://(?=[\s.,;)]|\Z)"
)
_BARE_PATH = re.compile(
    r"(?<![\w/.:@+-])((?:[\w.+-]+/)+[\w.+-]*\.[A-Za-z]\w{0,7}):(\d+(?:[-–]\d+)?)(?![\w:/])"
)
_BETWEEN = re.compile(r"[\s.,;:()—–*_-]*")
_FEW_WORDS = re.compile(r"(?:[^\w.!?\[\]\"“”]*[\w%×'’/-]+){0,3}[^\w.!?\[\]\"“”]*")
_JOINT = re.compile(r"[\s;,&]*")
_LONG_QUOTE = 4
_FARTHEST = 80
_LONGEST = 1000


def _in_passage(passage: Passage, number: int) -> Iterator[Citation]:
    text = passage.text
    if "[" not in text and "://" not in text and ":" not in text:
        return
    found = sorted(_candidates(passage), key=lambda one: one[0])
    if not found:
        return
    quotes = list(QUOTE.finditer(text))
    sentences = list(passage.sentences())
    last_end, before = -1, None
    for start, end, made in found:
        if start < last_end:  # inside the brackets of the one before
            continue
        if last_end < 0 or not _JOINT.fullmatch(text, last_end, start):
            number += 1
            before = _quote_before(passage, quotes, max(last_end, 0), start)
        first, last = sentences[bisect_right(sentences, start, key=lambda one: one[0]) - 1]
        line, column = passage.place(start)
        bounds = passage.source(start), passage.source_end(end)
        last_end = end
        yield replace(
            made, before=before, start=bounds[0], end=bounds[1], line=line, column=column,
            sentence=text[first : min(last, first + _LONGEST)], group=number,
        )  # fmt: skip


def _candidates(passage: Passage) -> Iterator[tuple[int, int, Citation]]:
    """Yield start and end in the passage, and the citation without its place."""
    text, spoken = passage.text, passage.spoken
    for found in _BRACKETS.finditer(text):
        if spoken[found.start()] == "[":
            made = _read(passage, found)
            if made:
                yield found.start(), found.end(), made
    for found in _RECEIPT_URI.finditer(text) if SCHEME in text else ():
        made = _uri(passage, found)
        if made:
            yield found.start(), found.end(), made
    for found in _BARE_PATH.finditer(spoken) if "/" in spoken and ":" in spoken else ():
        yield _bare(passage, found)


def _read(passage: Passage, found: re.Match[str]) -> Citation | None:
    """Return the citation in brackets, None where nothing of ours is named."""
    index = 1 if found[1] is not None else 2
    body, offset = found[index], found.start(index)
    quotes = tuple(_quote(passage, quote, offset) for quote in QUOTE.finditer(body))
    return brackets.read(body, quotes, is_link=passage.is_markup(found.start()))


def _uri(passage: Passage, found: re.Match[str]) -> Citation | None:
    name = found[0].removeprefix("receipt://")
    in_code = passage.spoken[found.start()] == passages.STRUCK
    if in_code and (not _is_whole_code(passage, found) or name.isupper() or not name):
        return None
    is_placeholder = brackets.has_dots(passage.text[found.end() : found.end() + 3]) or not name
    if in_code and is_placeholder:
        return None
    problem = "it names no receipt" if is_placeholder else None
    return replace(brackets.blank(found[0]), form="receipt", target=name, problem=problem)


def _is_whole_code(passage: Passage, found: re.Match[str]) -> bool:
    edges = (
        passage.spoken[found.start() - 1 : found.start()],
        passage.spoken[found.end() : found.end() + 1],
    )
    return passages.STRUCK not in edges


def _bare(passage: Passage, found: re.Match[str]) -> tuple[int, int, Citation]:
    """Return a path and line outside brackets, and the words quoted right behind it."""
    lines, problem = brackets.line_ranges(f":{found[2]}", "")
    made = replace(
        brackets.blank(found[0]), form="file", target=found[1], lines=lines, problem=problem
    )
    behind = (
        QUOTE.match(passage.text, found.end() + 1)
        if passage.text[found.end() : found.end() + 1] == " "
        else None
    )
    if behind is None:
        return *found.span(), replace(made, tentative=True)
    quote = _quote(passage, behind, 0)
    return found.start(), behind.end(), replace(made, inside=(quote,))


def _quote(passage: Passage, found: re.Match[str], offset: int) -> Quote:
    start, end = offset + found.start(), offset + found.end()
    span = passage.source(start), passage.source_end(end)
    return Quote(_words(found), *passage.place(start), span)


def _words(quote: re.Match[str]) -> str:
    return " ".join(next(part for part in quote.groups() if part is not None).split())


def _quote_before(
    passage: Passage, quotes: list[re.Match[str]], start: int, end: int
) -> Quote | None:
    """Return the words quoted directly before `end`, a short way off if there are four or more."""
    index = bisect_right(quotes, end, key=lambda quote: quote.end()) - 1
    if index < 0 or quotes[index].start() < start:
        return None
    last = quotes[index]
    if passage.spoken[last.start()] == passages.STRUCK:
        return None
    words = _words(last)
    near = _BETWEEN.fullmatch(passage.text, last.end(), end)
    is_long = len(words.split()) >= _LONG_QUOTE and end - last.end() <= _FARTHEST
    if near or (is_long and _FEW_WORDS.fullmatch(passage.text, last.end(), end)):
        return _quote(passage, last, 0)
    return None
