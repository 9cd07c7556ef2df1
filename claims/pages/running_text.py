"""The rendered text of a page as running text: its sentences, and code as it reads."""

from bisect import bisect_left, bisect_right

from claims.pages.document import Document
from claims.pages.flow import CODE
from claims.pages.sentences import sentence_ends


class Text:
    """The rendered text of a page with its sentences, worked out for the blocks that are asked."""

    def __init__(self, page: Document) -> None:
        self._page = page
        self._ends: dict[int, list[int]] = {}
        self._code: dict[int, str] | None = None
        self._last: tuple[int, int, str] = (0, 0, "")

    def ends(self, block: int) -> list[int]:
        """Return the rendered offsets at which sentences of the block end."""
        if block not in self._ends:
            base = self._page.blocks[block].start
            self._ends[block] = [base + end for end in sentence_ends(self._page.block_text(block))]
        return self._ends[block]

    def sentence_start(self, block: int, stop: int) -> int:
        """Return where the sentence starts whose text or full stop reaches up to `stop`."""
        ends = self.ends(block)
        index = bisect_left(ends, stop)
        return ends[index - 1] if index else self._page.blocks[block].start

    def sentence(self, block: int, at: int) -> tuple[int, int]:
        """Return where the sentence around a rendered offset starts and ends."""
        ends, here = self.ends(block), self._page.blocks[block]
        index = bisect_right(ends, at)
        return (ends[index - 1] if index else here.start), (
            ends[index] if index < len(ends) else here.end
        )

    def read(self, start: int, stop: int) -> str:
        """Return rendered text with white space normalised and code as it reads."""
        # A sentence is read once for all its numbers, which may be tens of thousands.
        if (start, stop) != self._last[:2]:
            text = self._page.text[start:stop]
            if CODE in text:
                text = self._with_code(start, stop)
            self._last = (start, stop, " ".join(text.split()))
        return self._last[2]

    def _with_code(self, start: int, stop: int) -> str:
        if self._code is None:
            pieces = [piece for piece in self._page.pieces if piece.kind == "code"]
            told = [one.rendered for one in self._page.code]
            self._code = {p.start: text for p, text in zip(pieces, told, strict=True)}
        parts, position = [], start
        for piece in self._page.pieces:
            if piece.kind == "code" and start <= piece.start and piece.end <= stop:
                parts += [self._page.text[position : piece.start], self._code[piece.start]]
                position = piece.end
        return "".join([*parts, self._page.text[position:stop]])
