"""A cell cut into pieces: numbers, what joins them, and the words around them.

::

    "raw 472 vs 441 (+7%)"      word, number, vs, number, aside [number]

A parenthesis is one piece that holds its own. An unclosed one ends with the cell; from the fifth
level on they are all one.
"""

from dataclasses import dataclass, field
from typing import Literal

from ledger import quantity
from ledger.quantity import Quantity
from receipts import late as re

Kind = Literal[
    "number", "arrow", "vs", "break", "slash", "equals", "bound", "word", "scope", "aside"
]

MAX_DEPTH = 4


@dataclass(slots=True)
class Piece:
    """One piece: its kind, its text, the quantity of a number, the pieces inside an aside."""

    kind: Kind
    text: str
    quantity: Quantity | None = None
    children: "list[Piece]" = field(default_factory=list)


def read(text: str) -> list[Piece]:
    """Return the pieces of `text`, which is what `quantity.plain` returns."""
    stack: list[list[Piece]] = [[]]
    position = 0
    for number in quantity.find(text):
        _cut(text, position, number.start, stack)
        stack[-1].append(Piece("number", number.text, number))
        position = number.end
    _cut(text, position, len(text), stack)
    _join_from_to(stack[0])
    return stack[0]


def _join_from_to(pieces: list[Piece]) -> None:
    """Make an arrow of the `to` in `from 30.7 to 294 tok/s`; any other `to` is a word."""
    for index in range(len(pieces) - 3):
        start, number, to = pieces[index : index + 3]
        if (start.text.lower(), number.kind, to.text.lower()) == ("from", "number", "to"):
            to.kind = "arrow"


def _cut(text: str, position: int, stop: int, stack: list[list[Piece]]) -> None:
    while position < stop:
        match = _PIECE.match(text, position, stop)
        if match:
            _place(match, stack)
        position = match.end() if match else position + 1


def _place(match: re.Match[str], stack: list[list[Piece]]) -> None:
    if match.lastgroup == "open":
        if len(stack) > MAX_DEPTH:
            return
        aside = Piece("aside", "(")
        stack[-1].append(aside)
        stack.append(aside.children)
    elif match.lastgroup == "close":
        if len(stack) > 1:
            stack.pop()
    else:
        kind: Kind = match.lastgroup  # type: ignore[assignment]  # the other groups are kinds
        stack[-1].append(Piece(kind, match[0].strip()))


_PIECE = re.compile(
    r"""\s*+(?:
      (?P<arrow> → | ⟶ | ➜ | ⇒ | [-=]> )
    | (?P<open> [(\[] ) | (?P<close> [)\]] )
    | (?P<break> [;,·•|] | [—–](?=\s) | \.(?=\s|$) | (?:but|then|and)\b )
    | (?P<slash> / ) | (?P<equals> = ) | (?P<bound> [≤≥<>] | up\ to )
    | (?P<vs> (?:vs\.?|versus)(?![\w]) )
    | (?P<scope> [@#§]\s?(?:[\w.:/=-]|,(?=\d{3}))+ )
    | (?P<word> [^\W\d][\w.'+=<>≥≤~-]* | \d[\w.-]* )
    )""",
    re.VERBOSE,
)
