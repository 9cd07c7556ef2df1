"""The negative space: what the register says that nobody claims, and sentences that claim it.

A sentence that denies it agrees with the register: "we do not claim that it is faster everywhere".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from claims.pages.sentences import sentence_ends
from claims.registers import naming, wording

if TYPE_CHECKING:
    from claims.registers.model import NotClaimed


class NegativeSpace:
    """The phrases that nobody claims, sought in one pass."""

    def __init__(self, items: Sequence[NotClaimed] = ()) -> None:
        self.items = tuple(items)
        self._by_words = {_plain(item.phrase): item for item in items}
        either = "|".join(naming.phrase(item.phrase) for item in self.items)
        self._pattern = re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE) if items else None

    def contradicted(self, text: str) -> NotClaimed | None:
        """Return what the text claims although nobody does, None if it claims nothing of it."""
        found = self.find(text)
        return found[0] if found else None

    def find(self, text: str) -> tuple[NotClaimed, int] | None:
        """Return the same, with the offset at which it stands."""
        for found in self._pattern.finditer(text) if self._pattern else ():
            start = max((end for end in sentence_ends(text) if end <= found.start()), default=0)
            if not wording.denies(text[start : found.start()]):
                return self._by_words[_plain(found[0])], found.start()
        return None


def _plain(words: str) -> str:
    return " ".join(words.lower().split())
