"""A release that may not be: locked, with an open finding, and unaudited; and one that may.

Both are of a copy of the workspace with one claim. It comes last: what is appended to the copy is
remembered, and the ledger that it was copied from then looks like one that was rolled back.
"""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from claims import desk
from claims.publishing import findings, lock, release
from claims.selftest import arena, registers
from claims.selftest.attack import written
from claims.selftest.forging import Forge
from claims.selftest.running import Failure
from claims.selftest.stage import Stage, inside
from ledger import session
from receipts import keys

ATTACKS: Mapping[str, str] = {"lock": "CLM601", "findings": "CLM602", "audit": "CLM607"}
"""What each part of a release must be refused by; its twin is the part as it should be."""
_FINDING = "F-1"
_SEEN = {"entries": 1}


def run(stage: Stage, setting: arena.Setting) -> Iterator[Failure]:
    """Ask whether the copy may be released, before it may and when it may."""
    root = stage.root.with_name("released")
    shutil.copytree(stage.root, root, symlinks=True)
    arena.write(root, arena.MAIN, {"version": 1, "claims": [registers.level("steady")]})
    (root / "README.md").write_text(written("§steady§\n", setting)[0], encoding="utf-8")
    with inside(root):
        with session.open_ledger(write=True) as here:
            findings.open_(here, _FINDING, "high", "the fan had stopped", here.key())
        yield from _unlike(_answer(), ATTACKS, is_twin=False)
        _seal(stage.home)
        yield from _unlike(_answer(), {}, is_twin=True)


def _answer() -> dict[str, tuple[str, ...]]:
    """Return the codes by which each part of the release is refused."""
    with desk.open_desk(lambda _: None) as here:
        parts = release.check(here, audited=True).parts
    return {part.name: tuple(one.code for one in part.refusals) for part in parts}


def _unlike(
    found: Mapping[str, tuple[str, ...]], due: Mapping[str, str], *, is_twin: bool
) -> Iterator[Failure]:
    for part in ATTACKS:
        wanted = (due[part],) if part in due else ()
        if found.get(part) != wanted:
            told = tuple((code, 0, 0) for code in found.get(part, ()))
            yield Failure(
                f"release-{part}", is_twin, tuple((code, 0, 0) for code in wanted), told, ""
            )


def _seal(home: Path) -> None:
    """Close the finding, open the lock, and have an auditor say that all holds."""
    auditor = keys.generate(home / "auditor", "auditor")
    with session.open_ledger(write=True) as here:
        person, forge = here.key(), Forge(here)
        line = auditor.public.openssh
        forge.append(kind="KEY", action="enrol", key=line, roles=["auditor"])
        findings.close(here, _FINDING, ["receipt://steady"], "the fan is watched", person)
        lock.set_(here, {"publish": True}, "the first release", person)
        told = {"kind": "AUDIT", "title": "all holds", "checked": _SEEN, "differences": []}
        verdicts = {"evidence_verdict": "holds", "decision_verdict": "holds"}
        head = here.ledger.entry(here.ledger.size - 1).id
        here.ledger.append({**told, **verdicts, "head": head}, auditor)
