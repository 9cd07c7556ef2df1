"""Publishing: pages that hold, under an open lock and without open findings, go on record.

A PUBLISHED entry names the page by the digest of its bytes, the register by that of its own, the
head of the ledger that was verified, and the claims on the page. Its title is `published: PATH`,
the path as seen from `evidence.yaml`. Specification: docs/reference/formats/publication.md.
"""

import os
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claims.checks.checked import Checked
from claims.desk import Desk
from claims.pages import reading
from claims.publishing import findings, lock, release
from claims.rules import Refusal
from ledger.bodies import Published
from ledger.entry import Entry
from ledger.log import Ledger
from receipts.digest import Digest
from receipts.errors import ConflictError, MalformedError
from receipts.keys import SigningKey
from receipts.workspace import Workspace

_TITLE = "published: "
_LONGEST = 500


@dataclass(frozen=True)
class Publication:
    """One page as it was published last."""

    page: str
    digest: str
    entry: int


@dataclass
class Plan:
    """What would be published, and what stands against it."""

    bodies: list[dict[str, Any]] = field(default_factory=list)
    checked: list[Checked] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    """Of the approvals of the claims on these pages; a person sees to them."""

    @property
    def findings(self) -> list[Refusal]:
        """Everything that keeps the pages from being published."""
        return [*self.refusals, *(finding for one in self.checked for finding in one.findings)]

    @property
    def is_empty(self) -> bool:
        """Say whether nothing was checked on any page."""
        return not sum(one.checked for one in self.checked)


def plan(desk: Desk, pages: Sequence[Path]) -> Plan:
    """Check the pages and the release's own gates; return what would go on record."""
    place = desk.here.workspace
    done = Plan()
    done.refusals.extend(lock.refusals(desk.here.ledger))
    done.refusals.extend(findings.refusals(findings.read(desk.here)))
    register = register_digest(place)
    checker = desk.checker()
    for name, path in {_name(place, path): path for path in pages}.items():
        text = reading.text(path)
        checked = checker.check(str(path), text)
        done.checked.append(checked)
        done.bodies.append(
            {
                "kind": "PUBLISHED",
                "title": _TITLE + name,
                "page": Digest.of(text.encode("utf-8")),
                "claims_register": register,
                "head": desk.report.head,
                "claims": sorted(checked.claims),
            }
        )
    used = sorted({claim for one in done.checked for claim in one.claims})
    done.conditions = list(release.conditions(desk.judgements(tuple(used)) if used else ()))
    return done


def publish(desk: Desk, planned: Plan, key: SigningKey) -> list[Entry]:
    """Append one PUBLISHED entry for each page, all of them or none.

    Raises `ConflictError` when the ledger has grown since it was verified: somebody may have closed
    the lock, or struck what the pages rest on.
    """
    ledger = desk.here.ledger

    def body(appended: list[Entry]) -> dict[str, Any]:
        if ledger.size != desk.report.entries + len(appended):
            raise ConflictError("the ledger grew meanwhile; nothing was published, run it again")
        return planned.bodies[len(appended)]

    return ledger.append_all([body] * len(planned.bodies), key)


def published(ledger: Ledger) -> dict[str, Publication]:
    """Return by its path what was published last of each page."""
    return {one.page: one for one in _publications(ledger)}


def register_digest(place: Workspace) -> Digest:
    """Return the digest of the register; of several files that of their `sha256sum` lines."""
    names = place.configuration.registers
    digests = [Digest.of_file(place.root / name) for name in names]
    if len(digests) == 1:
        return digests[0]
    lines = (f"{digest.hex}  {name}\n" for digest, name in zip(digests, names, strict=True))
    return Digest.of("".join(lines).encode("utf-8"))


def _publications(ledger: Ledger) -> Iterator[Publication]:
    for index in ledger.index.of_kinds("PUBLISHED"):
        body = ledger.entry(index).body
        if isinstance(body, Published) and body.title.startswith(_TITLE):
            name = body.title.removeprefix(_TITLE)
            if _is_below(name):
                yield Publication(name, body.page, index)


def _is_below(name: str) -> bool:
    """Say whether a page's name is one of ours: written plainly, and not above `evidence.yaml`."""
    return posixpath.normpath(name) == name and not name.startswith(("../", "/"))


def _name(place: Workspace, path: Path) -> str:
    """Return the page's path as seen from `evidence.yaml`, which is how it is published."""
    name = Path(os.path.relpath(path.resolve(), place.root.resolve())).as_posix()
    if not _is_below(name) or len(_TITLE + name) > _LONGEST:
        raise MalformedError(f"{path}: only pages beside or below evidence.yaml are published")
    return name
