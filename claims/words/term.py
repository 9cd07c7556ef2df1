"""One way to claim something without a digit: a pattern, what it claims, and what it is about.

A pattern is matched against a *masked* sentence (`claims.words.sentence`): lower case, each
subject in its capital letter. `needs` says where the sentence names what it is about:

* *inside*: the pattern itself holds the subject ("improves MMMMM");
* *named*: a subject stands somewhere in the sentence;
* *pointed*: a subject, or "it", "this", "they" before the word;
* *nothing*: the word claims by itself, whatever it is about ("no regression").
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

Kind = Literal[
    "faster", "slower", "more", "win", "lose", "factor",
    "equal", "unchanged", "flat", "exact", "best", "general",
]  # fmt: skip
Need = Literal["inside", "named", "pointed", "nothing"]


@dataclass(frozen=True, eq=False)
class Term:
    """A way to claim: its kind, the subject that it needs, and its patterns."""

    kind: Kind
    needs: Need
    ways: tuple[str, ...]

    def pattern(self, chosen: int) -> re.Pattern[str]:
        """Return what matches any of the chosen patterns, a bit for each."""
        return _compiled(self.written_out, chosen)

    @cached_property
    def written_out(self) -> tuple[str, ...]:
        """Its patterns, the shorthands written out."""
        return tuple(map(_written_out, self.ways))


def term(kind: Kind, needs: Need, *ways: str) -> Term:
    """Return a term with any of these patterns."""
    return Term(kind, needs, tuple(way for one in ways for way in _alternatives(one)))


def _alternatives(way: str) -> list[str]:
    """Return the alternatives of a pattern apart: each needs texts of its own."""
    found, depth = [""], 0
    for letter in way:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "|" and not depth:
            found.append("")
        else:
            found[-1] += letter
    return found


# Most pages need few patterns, and most sentences the same ones.
@lru_cache(maxsize=1024)
def _compiled(ways: tuple[str, ...], chosen: int) -> re.Pattern[str]:
    return re.compile("|".join(way for number, way in enumerate(ways) if chosen >> number & 1))


def _written_out(way: str) -> str:
    for name, meaning in _SHORT.items():
        way = way.replace(f"{{{name}}}", meaning)
    return way


# Shorthands in the patterns. {X} is any subject, {M} what is measured, done or put out.
_SHORT = {
    "X": r"[NMWOTRS]+",
    "M": r"[MWO]+",
    "Q": r"[MW]+",
    "w1": r"(?:[\w.'-]+ ){0,1}",
    "w2": r"(?:[\w.'-]+ ){0,2}",
    "w3": r"(?:[\w.'-]+ ){0,3}",
    "w4": r"(?:[\w.'-]+ ){0,4}",
    "w5": r"(?:[\w.'-]+ ){0,5}",
    "adv": r"(?:(?:[a-z-]+ly|much|far|even|still|now|also|just|so|very|any|the|a lot|a bit|somewhat"
    r"|always|never|clearly|way|strictly|no|every bit|both) )*",
}
