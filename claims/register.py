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

Specification: docs/reference/formats/register.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from claims import drafting, wording
from claims.drafting import Draft
from claims.model import Claim, RegisterFile
from receipts import yaml_source
from receipts.errors import Error, MalformedError, NotFoundError
from receipts.yaml_source import Source


@dataclass(frozen=True)
class Register:
    """All claims of all register files, by id, and where each is written."""

    claims: dict[str, Claim]
    places: dict[str, str]
    drafts: Mapping[str, Draft] = field(default_factory=dict)

    def find(self, claim: str) -> Claim:
        """Return the claim with this id, or raise `NotFoundError`."""
        if claim in self.drafts:
            raise NotFoundError(
                f"{claim!r} is a draft and holds nowhere: {self.drafts[claim].todo}"
            )
        if claim not in self.claims:
            known = ", ".join(sorted(self.claims)) or "none"
            raise NotFoundError(f"no claim is called {claim!r}; the register has: {known}")
        return self.claims[claim]


def read(paths: Sequence[Path]) -> Register:
    """Return the claims in these files; a malformed file or a repeated id is an error."""
    claims: dict[str, Claim] = {}
    places: dict[str, str] = {}
    drafts: dict[str, Draft] = {}
    for path in paths:
        source, found = drafting.split(yaml_source.read(path))
        drafts |= found
        for claim, place in _read(source):
            if claim.id in claims:
                raise NotFoundError(f"{place}: claim {claim.id} stands at {places[claim.id]} too")
            claims[claim.id], places[claim.id] = claim, place
    for name in sorted(claims.keys() & drafts.keys()):
        raise MalformedError(f"{places[name]}: claim {name} is a draft too; keep one of them")
    return Register(claims, places, drafts)


def _read(source: Source) -> Iterator[tuple[Claim, str]]:
    for number, claim in enumerate(source.parse(RegisterFile).claims):
        place = ("claims", number)
        try:
            _check_kind(claim)
            wording.check_template(claim.wording, claim.kind)
            wording.check_statistic(claim.wording, claim.kind)
            wording.check_one_sentence(claim.wording, claim.scope)
        except Error as error:
            raise source.fault((*place, "wording"), f"claim {claim.id}: {error}") from error
        yield claim, source.place(place)


def _check_kind(claim: Claim) -> None:
    ratio = claim.statistic == "ratio_of_medians"
    if ratio != (claim.kind == "change"):
        wanted = "ratio_of_medians" if claim.kind == "change" else "median, mean, min or max"
        raise Error(f"a {claim.kind} claim takes the statistic {wanted}")
