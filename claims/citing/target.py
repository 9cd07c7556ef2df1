"""What a citation was resolved to: its name for messages, and the texts that its words stand in."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from claims.citing import quotations
from claims.citing.brackets import Citation
from claims.judging.chain import RefusedError

Texts = Callable[[], Iterable[str]]


@dataclass(frozen=True)
class Target:
    """What is cited; `texts` gives its texts as they are compared, only when they are asked for."""

    name: str
    texts: Texts
    struck: str | None = None
    """Why it no longer stands, None where it does."""
    seen: list[str] = field(default_factory=list)
    """What stood quoted in the citation and was looked up already."""

    def says(self, words: str) -> bool:
        """Say whether these words stand in one of its texts."""
        return any(quotations.stand_in(words, text) for text in self.texts())


def plain_fields(value: Any) -> Iterator[str]:
    """Yield every text of a body or predicate, as it is compared."""
    if isinstance(value, dict):
        for name, item in value.items():
            if isinstance(item, dict | list):
                yield from plain_fields(item)
            else:
                yield quotations.plain(str(item))
                yield quotations.plain(f"{name} {item}")
    elif isinstance(value, list):
        for item in value:
            yield from plain_fields(item)
    else:
        yield quotations.plain(str(value))


def require_words(target: Target, citation: Citation) -> None:
    """Refuse quoted words inside a citation that do not stand in what it cites."""
    for quote in citation.inside:
        if quote.words not in target.seen and not target.says(quote.words):
            raise RefusedError("CLM704", f"“{brief(quote.words)}” does not stand in {target.name}")


def brief(text: str) -> str:
    """Return the text, shortened for a message."""
    return text if len(text) <= 80 else f"{text[:77]}…"
