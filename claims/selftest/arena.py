"""The desks that attacks are made at: one ledger, and a register for each policy."""

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from claims import desk, examining
from claims.checks.baseline import Baseline
from claims.checks.checking import Run
from claims.checks.own_words import WordJudge
from claims.checks.page import Checker
from claims.desk import Desk
from claims.formats.outcome import Outcome
from claims.judging.evidence import Archive
from claims.registers import register
from claims.registers.register import Register
from claims.selftest import evidence, noticing, registers, scene
from claims.selftest.forging import Forge
from claims.selftest.stage import Stage, inside
from ledger import session
from receipts import keys
from receipts.clock import system_clock

MAIN = "main"
HARMED = "harmed"
_DAY = 10


@dataclass(frozen=True)
class Setting:
    """A register at the ledger: where it stands, and what checks pages against it."""

    desk: Desk
    root: Path
    sentences: Mapping[str, str]
    """The sentence of every claim that has one."""

    @cached_property
    def checker(self) -> Checker:
        """What checks pages; each claim is judged once for all of them."""
        return self.desk.checker()

    def sentence(self, claim: str) -> str:
        """Return the sentence of a claim, though its evidence fell; without one, other words."""
        return self.sentences.get(claim, "It holds so.")

    def filled(self, what: str, claim: str) -> str:
        """Return what a page says of a claim by the ledger: notices, or the id of its receipt."""
        return noticing.MADE[what](self.desk, claim, self.sentence(claim))

    def examine(self, pages: Mapping[str, str], held: Baseline | None = None) -> Outcome:
        """Return what the pages came to, as `claims check` tells it."""
        run = Run(self.root, frozenset(pages), baseline=held)
        with inside(self.root):
            return examining.examine(
                self.desk, self.checker, run, pages.items(), lambda name: pages[name]
            )


Arena = Mapping[str, Setting]


@contextmanager
def open_arena(stage: Stage) -> Iterator[Arena]:
    """Make ledger and registers, and open a desk for each."""
    evidence.make(stage)
    with session.open_ledger(write=True) as here:
        scene.populate(Forge(here), keys.generate(stage.home / "stranger", "stranger"))
    write(stage.root, MAIN, registers.main())
    _files(stage.root)
    others = _others(system_clock().isoformat()[:_DAY])
    for name, fields in others.items():
        write(stage.root, name, fields)
    read = {name: register.read([stage.root / _file(name)]) for name in others}
    sentences = _approve(read)
    with ExitStack() as opened:
        whole = opened.enter_context(desk.open_desk(_quietly))
        arena = {MAIN: Setting(whole, stage.root, sentences)}
        for name, known in read.items():
            arena[name] = Setting(_at(whole, known), stage.root, sentences)
        harmed = _harmed(stage)
        with inside(harmed):
            broken = opened.enter_context(desk.open_desk(_quietly))
        yield arena | {HARMED: Setting(broken, harmed, sentences)}


def _others(today: str) -> dict[str, dict[str, Any]]:
    return {
        "strict": registers.strict(today),
        "messaging": registers.messaging(),
        "misses": registers.misses(),
        "dated": registers.dated(today),
    }


def _quietly(_: int) -> None:
    """Tell nobody how far the verification is; it is over at once."""


def _file(name: str) -> str:
    return "claims.yaml" if name == MAIN else f"claims.{name}.yaml"


def write(root: Path, name: str, fields: Mapping[str, Any]) -> None:
    """Write the register of this name into a workspace."""
    text = json.dumps(fields, ensure_ascii=False)
    (root / _file(name)).write_text(text, encoding="utf-8")


def _files(root: Path) -> None:
    """Write what the pages cite, and a policy of one's own."""
    (root / "own.yaml").write_text(registers.OWN_PACK, encoding="utf-8")
    (root / "docs").mkdir()
    (root / "docs" / "method.md").write_text(registers.METHOD, encoding="utf-8")
    (root / "benches").mkdir()
    lines = (f"step {n}: {n}.5 tok/s at depth {n * 128}\n" for n in range(1, 41))
    (root / "benches" / "decode.log").write_text("".join(lines), encoding="utf-8")
    (root / "outside.log").symlink_to("/etc/passwd")


def _approve(read: Mapping[str, Register]) -> dict[str, str]:
    """Append an approval of every claim as it reads; return all that have a sentence.

    A claim whose evidence fell has one as well: it reads as it did.
    """
    sentences: dict[str, str] = {}
    with desk.open_desk(_quietly, write=True) as here:
        forge = Forge(here.here)
        for one in (here, *(_at(here, known) for known in read.values())):
            told = {name: one.strikes.basis(name).judgement for name in one.register.claims}
            for claim, done in told.items():
                if done.sentence:
                    sentences[claim] = done.sentence
                    _approval(forge, one, claim, done.sentence)
    return sentences


def _approval(forge: Forge, here: Desk, claim: str, sentence: str) -> None:
    """Append the approval of a claim, or what stands in its place where that is the attack."""
    if claim in registers.UNAPPROVED:
        return
    fields = {"claim": claim, "digest": str(here.register.find(claim).approved_digest())}
    told = f"{sentence} It did so once." if claim == "reworded" else sentence
    forge.append(kind="APPROVAL", sentence=told, decision="approved", **fields)
    if claim == "unapproving":
        forge.append(kind="APPROVAL", sentence=sentence, decision="withdrawn", **fields)


def _at(here: Desk, known: Register) -> Desk:
    """Return the desk with another register."""
    archive = Archive(here.here.workspace, here.here.ledger)
    return replace(here, register=known, judge=WordJudge(archive, here.here.ledger, None, known))


def _harmed(stage: Stage) -> Path:
    """Return a copy of the workspace in which one byte of a row was changed with an editor."""
    root = stage.root.with_name(HARMED)
    shutil.copytree(stage.root, root, symlinks=True)
    write(root, MAIN, {"version": 1, "claims": [registers.level("steady")]})
    path = root / "evidence" / "ledger.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        told = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = database.execute(told).fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        row = database.execute("SELECT envelope FROM entry WHERE idx = 4").fetchone()
        raw = bytearray(row[0])
        raw[len(raw) // 2] ^= 1
        database.execute("UPDATE entry SET envelope = ? WHERE idx = 4", (bytes(raw),))
        for _, sql in triggers:
            database.execute(sql)
    return root
