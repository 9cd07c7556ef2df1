"""The register: `claims.yaml`, read strictly, every fault with its file, line and column.

::

    version: 1
    claims:
      - id: tuned-decode
        kind: change
        wording: "The tuned decoder runs at {ratio:.1f}× the plain one (median of {n} each)."
        metric: decode_tok_s
        statistic: ratio_of_medians
        evidence: [{entry: J1}]
        scope: {cell: decode-v4096-w2048}
    barred:
      - {value: "3.2", unit: ×, metric: decode_tok_s, reason: retired-baseline, note: J1}
    negative_space:
      - {phrase: "on every GPU", note: "one was measured"}
    policy: [strict]

Specification: docs/reference/formats/register.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from claims.numerals.numbers import Number
from claims.registers import barred, claim_form, drafting, naming, policy, scope_words
from claims.registers.barred import Barred, Context, Index
from claims.registers.drafting import Draft
from claims.registers.model import (
    Claim,
    NotClaimed,
    RegisterFile,
    Vocabulary,
    VocabularyFile,
    Withdrawn,
)
from claims.registers.negative import NegativeSpace
from claims.registers.policy import Pack, Policy
from receipts import yaml_source
from receipts.errors import MalformedError, NotFoundError
from receipts.yaml_source import Path_, Source


@dataclass(frozen=True)
class Register:
    """All that the register files hold: claims by id and their places, and what nobody may say."""

    claims: dict[str, Claim]
    places: dict[str, str]
    barred: Index = field(default_factory=Index)
    negative_space: NegativeSpace = field(default_factory=NegativeSpace)
    withdrawn: Mapping[str, Withdrawn] = field(default_factory=dict)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    policy: Policy = field(default_factory=Policy)
    drafts: Mapping[str, Draft] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name and spelling of the vocabulary, whatever it is of."""
        kinds = (getattr(self.vocabulary, kind) for kind in type(self.vocabulary).model_fields)
        return tuple(
            word for kind in kinds for name, words in kind.items() for word in (name, *words)
        )

    @cached_property
    def scope_words(self) -> Mapping[str, Sequence[str]]:
        """The words of scopes that tell its claims apart, by the name of the fact."""
        return scope_words.apart(self.claims.values())

    def find(self, claim: str) -> Claim:
        """Return the claim with this id, or raise `NotFoundError`."""
        if claim in self.drafts:
            raise NotFoundError(
                f"{claim!r} is a draft and holds nowhere: {self.drafts[claim].todo}"
            )
        if claim in self.withdrawn:
            raise NotFoundError(f"claim {claim!r} is withdrawn: {self.withdrawn[claim].reason}")
        if claim not in self.claims:
            known = ", ".join(sorted(self.claims)) or "none"
            raise NotFoundError(f"no claim is called {claim!r}; the register has: {known}")
        return self.claims[claim]

    def barred_match(self, number: Number, context: Context) -> Barred | None:
        """Return why this number may not be claimed there, None if it may; in constant time."""
        return self.barred.match(number, context)

    def barring(self, rows: Iterable[Barred]) -> "Register":
        """Return the register with these numbers barred besides, such as the ledger's."""
        return replace(self, barred=self.barred.adding(rows))


@dataclass
class _Parts:
    """What was read so far, of all files."""

    claims: dict[str, Claim] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    barred: list[Barred] = field(default_factory=list)
    not_claimed: list[NotClaimed] = field(default_factory=list)
    withdrawn: dict[str, Withdrawn] = field(default_factory=dict)
    vocabularies: list[Vocabulary] = field(default_factory=list)
    packs: list[Pack] = field(default_factory=list)
    drafts: dict[str, Draft] = field(default_factory=dict)

    def enter(self, claim: str, place: str) -> None:
        """Take note of an id, which may stand once, withdrawn or not."""
        if claim in self.places:
            raise NotFoundError(f"{place}: claim {claim} stands at {self.places[claim]} too")
        self.places[claim] = place


def read(paths: Sequence[Path]) -> Register:
    """Return the register in these files; a malformed file or a repeated id is an error."""
    parts = _Parts()
    for path in paths:
        _read(path, parts)
    for name in sorted(parts.places.keys() & parts.drafts.keys()):
        raise MalformedError(f"{parts.places[name]}: {name} is a draft too; keep one of them")
    vocabulary = _together(parts.vocabularies)
    cells = {str(claim.scope["cell"]) for claim in parts.claims.values() if "cell" in claim.scope}
    cells |= {cell for row in parts.barred for cell in row.cells}
    return Register(
        claims=parts.claims,
        places=parts.places,
        barred=Index(parts.barred, naming.names(vocabulary.metrics, cells)),
        negative_space=NegativeSpace(parts.not_claimed),
        withdrawn=parts.withdrawn,
        vocabulary=vocabulary,
        policy=policy.together(parts.packs),
        drafts=parts.drafts,
    )


def _read(path: Path, parts: _Parts) -> None:
    source, drafts = drafting.split(yaml_source.read(path))
    parts.drafts |= drafts
    file = source.parse(RegisterFile)
    for number, claim in enumerate(file.claims):
        claim_form.require(claim, source, ("claims", number))
        parts.enter(claim.id, source.place(("claims", number)))
        parts.claims[claim.id] = claim
    for number, gone in enumerate(file.withdrawn):
        parts.enter(gone.id, source.place(("withdrawn", number)))
        parts.withdrawn[gone.id] = gone
    for number, row in enumerate(file.barred):
        place = ("barred", number)
        with _at(source, place):
            parts.barred.append(barred.read(row, source.place(place)))
    for number, name in enumerate(file.policy):
        with _at(source, ("policy", number)):
            parts.packs.append(policy.pack(name, path.parent))
    parts.not_claimed += file.negative_space
    parts.vocabularies += _vocabulary(file, source, path.parent)


@contextmanager
def _at(source: Source, place: Path_) -> Iterator[None]:
    """Tell an error where in the register its cause stands."""
    try:
        yield
    except (NotFoundError, MalformedError) as error:
        raise source.fault(place, str(error)) from error


def _vocabulary(file: RegisterFile, source: Source, folder: Path) -> list[Vocabulary]:
    """Return the vocabulary of a register, inline or from the file that it names."""
    if file.vocabulary is None or isinstance(file.vocabulary, Vocabulary):
        return [file.vocabulary] if file.vocabulary else []
    with _at(source, ("vocabulary",)):
        return [yaml_source.read(folder / file.vocabulary).parse(VocabularyFile)]


def _together(found: Iterable[Vocabulary]) -> Vocabulary:
    merged: dict[str, dict[str, list[str]]] = {name: {} for name in Vocabulary.model_fields}
    for vocabulary in found:
        for kind, names in merged.items():
            for name, spellings in getattr(vocabulary, kind).items():
                names[name] = [*names.get(name, ()), *spellings]
    return Vocabulary.model_validate(merged)
