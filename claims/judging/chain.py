"""The chain under a claim: its links as far as they hold, and the refusal where one does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from claims.rules import Refusal
from receipts.errors import Error

if TYPE_CHECKING:
    from engine.results.model import Run
    from ledger.entry import Entry
    from receipts.digest import Digest
    from receipts.predicates import Facts, WindowPredicate
    from receipts.receipt import Receipt


class RefusedError(Error):
    """A link of the chain does not hold; the evidence stops there."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Link:
    """One step from the claim towards the rows, and what was verified about it."""

    kind: str
    name: str
    detail: str


@dataclass(frozen=True)
class Side:
    """One side of a ratio: all that is known of it, and how its work was set up."""

    facts: Facts
    config: Facts
    program: tuple[str | None, str | None] = (None, None)
    """Digests of program and binary."""


@dataclass
class Evidence:
    """What a claim rests on, as far as the chain holds."""

    links: list[Link] = field(default_factory=list)
    entry: Entry | None = None
    receipt: Receipt | None = None
    arms: dict[str, Run] = field(default_factory=dict)
    """One run for a level claim; baseline and candidate, in this order, for a window."""
    facts: Facts = field(default_factory=dict)
    sides: dict[str, Side] = field(default_factory=dict)
    """What is known of the baseline and of the candidate of a window, by these words."""
    window: WindowPredicate | None = None
    readers: tuple[str, ...] = ()
    """Which readers read its raw files: `llama-bench` says of which engine they are."""
    planned: tuple[str, ...] = ()
    """The cells of the plan behind the window."""
    siblings: tuple[str, ...] = ()
    """The receipts of other windows of the same thing, which the entry accounts for."""
    parts: list[Part] = field(default_factory=list)
    """Of a matrix: one window for each metric and cell."""
    refusal: Refusal | None = None


# A tool that is part of an engine measures no other.
_ENGINES = {
    "llama-bench": "llama.cpp",
    "llama-batched-bench": "llama.cpp",
    "llama-server": "llama.cpp",
}


def engines(readers: Iterable[str]) -> list[str]:
    """Return the engines of which raw files are that these readers read, as far as that says it."""
    return list(dict.fromkeys(_ENGINES[one] for one in readers if one in _ENGINES))


@dataclass(frozen=True)
class Part:
    """One cell of a matrix and one of its metrics, by the name of its holes, and its evidence."""

    cell: str
    name: str
    metric: str
    evidence: Evidence


@contextmanager
def refusing(code: str, kind: type[Error] = Error) -> Iterator[None]:
    """Turn an error of this kind into a refusal by this code."""
    try:
        yield
    except RefusedError:
        raise
    except kind as error:
        raise RefusedError(code, str(error)) from error


def subject(receipt: Receipt, name: str) -> Digest:
    """Return the digest of what the receipt calls `name`, or refuse."""
    with refusing("CLM304"):
        return receipt.require(name)
