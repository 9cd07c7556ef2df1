"""Pages whose numbers have a decimal comma, told by `locale: de` in their front matter.

Everything that reads numbers knows one spelling, 1,234.5. So a page in another one is read as it
would be spelt in that: points and commas change places inside its numbers, in the text that people
read and nowhere else, and every character keeps its place::

    Es erreicht 1.234,5 tok/s, 12,5 % mehr.   →   Es erreicht 1,234.5 tok/s, 12.5 % mehr.

What may be either is refused, never guessed: `1,234` and `1.234` are a thousand in one language and
one and a bit in the other. So is the decimal point in `35.2 tok/s`. What a tool wrote (generated
regions, tombstones, banners) has the spelling of the tool.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from claims.notices import notice_regions
from claims.numerals import decimal_comma
from claims.pages import document, locale
from claims.pages.document import Document
from claims.rules import Refusal
from claims.scanner.atoms import Atom


@dataclass(frozen=True)
class Spelling:
    """A page as it is, and as it reads with decimal points; both have the same offsets."""

    written: str
    source: str
    page: Document
    apart: tuple[tuple[int, int], ...] = ()
    """The spans that a tool wrote, whose numbers have its own spelling."""
    has_comma: bool = False

    def refusals(
        self, name: str, atoms: Iterable[Atom], noticed: Collection[int] = ()
    ) -> Iterator[Refusal]:
        """Yield the numbers of the page called `name` that may be two, or have a decimal point."""
        for atom in atoms if self.has_comma else ():
            if atom.rule is not None or atom.begin in noticed or _holds(self.apart, atom.start):
                continue
            if doubt := decimal_comma.doubt(self.written[atom.start : atom.end]):
                yield Refusal("CLM014", doubt, place=f"{name}:{atom.line}:{atom.column}")

    def as_written(self, start: int, text: str) -> str:
        """Return what stands on the page where the page that is read has this text."""
        same = self.source.startswith(text, start)
        return self.written[start : start + len(text)] if same else text


def read(source: str) -> Spelling:
    """Return the page as it is read; one without such a locale as it is."""
    page = document.parse(source)
    if not locale.has_comma(source):
        return Spelling(source, source, page)
    apart = tuple(sorted(_apart(page)))
    parts = list(source)
    for one in (*page.fragments, *page.asides):
        if one.text == one.rendered and not _holds(apart, one.start):
            parts[one.start : one.start + len(one.text)] = decimal_comma.with_point(one.text)
    read_ = "".join(parts)
    return Spelling(source, read_, document.parse(read_), apart, has_comma=True)


def _apart(page: Document) -> Iterator[tuple[int, int]]:
    for region in notice_regions.find(page.source).found:
        yield region.start, region.end
    begun = None
    for one in page.directives:
        if one.written.form == "begin":
            begun = one
        elif one.written.form == "end" and begun:
            yield begun.start, one.end
            begun = None


def _holds(spans: tuple[tuple[int, int], ...], offset: int) -> bool:
    before = bisect_right(spans, (offset, 1 << 62)) - 1
    return before >= 0 and offset < spans[before][1]
