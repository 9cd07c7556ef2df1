"""in-toto Statements v1 about what was measured: subjects by digest, and a predicate of ours.

Specification: docs/reference/formats/receipt.md.
"""

from typing import Literal

from pydantic import Field

from receipts import canonical
from receipts.errors import MalformedError
from receipts.predicates import ComparisonPredicate, Predicate, RunPredicate, WindowPredicate
from receipts.shape import Hex64, Shape

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
RUN = "urn:evidence-ledger:run:v1"
WINDOW = "urn:evidence-ledger:window:v1"
COMPARISON = "urn:evidence-ledger:comparison:v1"


class Hashes(Shape):
    """The digest of a subject; SHA-256 only."""

    sha256: Hex64


class Subject(Shape):
    """A file that the statement is about: its role or name, and its digest."""

    name: str
    digest: Hashes


class Statement(Shape):
    """An in-toto Statement v1 whose predicate is one of ours."""

    type_: Literal["https://in-toto.io/Statement/v1"] = Field(alias="_type")
    subject: list[Subject] = Field(min_length=1)
    predicateType: Literal[  # noqa: N815 - in-toto's name
        "urn:evidence-ledger:run:v1",
        "urn:evidence-ledger:window:v1",
        "urn:evidence-ledger:comparison:v1",
    ]
    predicate: Predicate

    def subject_digest(self, name: str) -> str | None:
        """Return the digest text of the subject called `name`, or None if there is none."""
        for subject in self.subject:
            if subject.name == name:
                return "sha256:" + subject.digest.sha256
        return None


_PREDICATES: dict[str, type[RunPredicate] | type[WindowPredicate] | type[ComparisonPredicate]] = {
    RUN: RunPredicate,
    WINDOW: WindowPredicate,
    COMPARISON: ComparisonPredicate,
}


def make(subjects: dict[str, str], predicate: Predicate) -> Statement:
    """Return the statement about `subjects` (name → `sha256:<hex>`), in the order given."""
    kind = next(name for name, shape in _PREDICATES.items() if isinstance(predicate, shape))
    listed = [
        Subject(name=name, digest=Hashes(sha256=digest.removeprefix("sha256:")))
        for name, digest in subjects.items()
    ]
    return Statement.model_validate(
        {"_type": STATEMENT_TYPE, "subject": listed, "predicateType": kind, "predicate": predicate}
    )


def encode(statement: Statement) -> bytes:
    """Return the canonical bytes of `statement`."""
    return canonical.encode(statement.model_dump(by_alias=True, exclude_none=True))


def decode(data: bytes) -> Statement:
    """Return the statement that `data` spells; `MalformedError` for any other field or type."""
    value = canonical.decode(data)
    kind = value.get("predicateType") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in _PREDICATES:
        raise MalformedError(f"statement has the unknown predicate type {repr(kind)[:80]}")
    predicate = _PREDICATES[kind].parse(value.get("predicate"), "predicate")
    statement = Statement.parse({**value, "predicate": predicate}, "statement")
    if len({subject.name for subject in statement.subject}) != len(statement.subject):
        raise MalformedError("statement names one subject twice")
    return statement
