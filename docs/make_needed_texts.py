"""Write claims/words/needed_texts.py: what the patterns of words need; --check says if it is so.

To read the patterns takes longer than to read a page with them (`claims.words.literals`).
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "claims" / "words" / "needed_texts.py"
sys.path.insert(0, str(ROOT))

import made_page  # noqa: E402 - it lies beside this script

from claims.words import grammar, guards, lexicon, literals  # noqa: E402 - the path comes first
from claims.words import sentence as _sentence  # noqa: E402, F401 - it names all of MOODS
from claims.words.guards import MOODS  # noqa: E402 - the same

HEAD = '''\
"""What the patterns of claims without digits need; docs/make_needed_texts.py writes it."""

# ruff: noqa: E501 - a pattern and what it needs stand on one line
# fmt: off

'''


def page() -> str:
    """Return the text of the module."""
    ways = [way for term in lexicon.TERMS for way in term.written_out]
    patterns = [*ways, *lexicon.PROPERTIES.patterns, *MOODS.patterns]
    letters = [way for rule in grammar.RULES for way in rule.ways]
    return HEAD + "\n".join(
        (
            _table(
                "PARTS", patterns, lambda one: _told(literals.read_edged(one)[: guards.LEVELS], " ")
            ),
            _table("PHRASES", ways, lambda one: _told(literals.read_phrases(one), "|")),
            _table("LETTERS", letters, lambda one: _told(literals.read_letters(one), "")),
        )
    )


def _rarest(pattern: str) -> list[literals.Texts]:
    return literals.read_edged(pattern)[: guards.LEVELS]


def _told(groups: Iterable[Iterable[str]], mark: str) -> tuple[str, ...]:
    return tuple(mark.join(sorted(some)) for some in groups)


def _table(name: str, patterns: list[str], told: Callable[[str], tuple[str, ...]]) -> str:
    rows = "".join(f"    {one!r}: {told(one)!r},\n" for one in dict.fromkeys(patterns))
    return f"{name}: dict[str, tuple[str, ...]] = {{\n{rows}}}\n"


if __name__ == "__main__":
    sys.exit(made_page.main(PAGE, page(), sys.argv[1:]))
