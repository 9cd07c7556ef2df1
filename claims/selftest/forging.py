"""Windows and entries made from the one window that was walked: other times, tokens, words.

What a window says is signed by the self-test's own person, who is runner and engineer. A judge has
to find from plan, receipts and rows what is wrong with it, as it would with a colleague's.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from claims.selftest import decoder
from ledger import citation
from ledger.bodies import Experiment
from ledger.entry import Entry
from ledger.session import Session
from receipts import receipt as receipts_format
from receipts.clock import format_time, system_clock
from receipts.digest import Digest
from receipts.keys import SigningKey
from receipts.predicates import AnchorResult, Predicate, Repetition, RunPredicate, WindowPredicate
from receipts.receipt import RAW, Receipt, digest_of

Fields = Mapping[str, Any]
WINDOW = "main"
"""The window that was walked."""


@dataclass(frozen=True)
class Walk:
    """How a window differs from the one that was walked.

    `cell` and `plan` change its plan, `window` its own receipt, `run` each repetition by its place.
    """

    cell: str
    plain: Sequence[int] = decoder.PLAIN
    tuned: Sequence[int] = decoder.TUNED
    tokens: Sequence[int] = decoder.TOKENS
    plan: Fields = field(default_factory=dict)
    window: Fields = field(default_factory=dict)
    run: Callable[[int], Fields] = lambda _: {}


class Forge:
    """Makes receipts and entries in one open ledger."""

    def __init__(self, here: Session) -> None:
        self._here = here

    @cached_property
    def key(self) -> SigningKey:
        """The key of the self-test's person."""
        return self._here.key()

    def append(self, **fields: Any) -> Entry:
        """Append one entry, signed by the person."""
        return self._here.ledger.append({"title": "one more", **fields}, self.key)

    def experiment(self, label: str, *receipts: str, **fields: Any) -> Entry:
        """Append an ENTRY with a verdict that cites these receipts, given by URI or by name."""
        ledger = self._here.ledger
        uris = [citation.resolve(ledger, receipt) for receipt in receipts]
        cited = {"evidence": [{"receipt": uri} for uri in uris]} if uris else {}
        told = {"kind": "ENTRY", "label": label, "verdict": {"outcome": "measured-only"}}
        return self.append(**{**told, **cited, **fields})

    def receipt(self, reference: str) -> Receipt:
        """Return the stored receipt with this URI or name."""
        uri = citation.resolve(self._here.ledger, f"receipt://{reference}")
        return receipts_format.parse(self._here.workspace.receipts.get(digest_of(uri)))

    def put(self, raw: bytes) -> Digest:
        """Store these bytes."""
        return self._here.workspace.objects.put(raw)

    def sign(
        self, subjects: Mapping[str, str], predicate: Predicate, by: SigningKey | None = None
    ) -> str:
        """Sign a receipt and store it; return its digest."""
        made = receipts_format.make(by or self.key, subjects, predicate)
        self._here.workspace.receipts.put(made.envelope.raw)
        return str(made.digest)

    def record(
        self, digest: str, predicate: RunPredicate | WindowPredicate, name: str | None = None
    ) -> None:
        """Name a receipt in a RUN entry, which is what admits it."""
        phase = "attached" if predicate.origin == "attached" else "finished"
        fields: dict[str, Any] = {"phase": phase, "cell": predicate.cell}
        fields |= {"name": name} if name else {}
        if predicate.window:
            fields |= {"window": predicate.window, "plan": predicate.plan}
        if isinstance(predicate, RunPredicate) and predicate.arm:
            fields |= {"arm": predicate.arm, "repetition": predicate.repetition}
        self.append(kind="RUN", receipt=f"receipt://{digest}", **fields)

    @cached_property
    def _walked(self) -> tuple[WindowPredicate, list[RunPredicate], dict[str, Any], str]:
        made = self.receipt(WINDOW)
        window = made.predicate
        if not isinstance(window, WindowPredicate):
            raise TypeError(f"receipt://{WINDOW} is of no window")
        store = self._here.workspace.receipts
        runs = []
        for item in window.repetitions:
            run = receipts_format.parse(store.get(Digest.parse(item.receipt)))
            log = run.statement.subject_digest("log")
            runs.append((run.predicate, log))
        plan = json.loads(self._here.workspace.objects.get(Digest.parse(window.plan)))
        kept = [one for one, _ in runs if isinstance(one, RunPredicate)]
        return window, kept, plan, str(runs[0][1])

    @property
    def plan(self) -> Fields:
        """The plan of the window that was walked."""
        return self._walked[2]

    def walk(self, name: str, how: Walk) -> str:
        """Make the window `name`, put it on record, and return its URI."""
        window, runs, plan, log = self._walked
        planned = {**plan, "name": name, "cell": how.cell, **how.plan}
        planned = {key: value for key, value in planned.items() if value is not None}
        digest = str(self.put(json.dumps(planned).encode()))
        same = {"window": name, "plan": digest, "cell": how.cell}
        listed = []
        subjects = {"plan": digest}
        for place, run in enumerate(runs):
            number = int(run.repetition or 0)
            ns = (how.tuned if run.arm == "tuned" else how.plain)[number]
            tokens = how.tokens if run.arm == "tuned" else decoder.TOKENS
            raw = self.put(decoder.rows(str(run.arm), ns, tokens))
            changed = run.model_copy(update={**same, **how.run(place)})
            made = self.sign({RAW: str(raw), "log": log}, changed)
            self.record(made, changed)
            listed.append(Repetition(arm=str(run.arm), repetition=number, receipt=made))
            subjects[f"{run.arm}/{number}"] = str(raw)
        anchors = [self._anchored(one, same) for one in window.anchors or ()]
        told = {**same, "repetitions": listed, "anchors": anchors, **how.window}
        whole = window.model_copy(update=told)
        made = self.sign(subjects, whole)
        self.record(made, whole, name)
        return f"receipt://{made}"

    def _anchored(self, one: AnchorResult, same: Fields) -> AnchorResult:
        """Return the anchor of the walked window as one of another window."""
        made = receipts_format.parse(self._here.workspace.receipts.get(Digest.parse(one.receipt)))
        changed = made.predicate.model_copy(update=dict(same))
        subjects = {each.name: f"sha256:{each.digest.sha256}" for each in made.statement.subject}
        digest = self.sign(subjects, changed)
        if isinstance(changed, RunPredicate):
            self.record(digest, changed)
        return one.model_copy(update={"receipt": digest})

    def alter(self, *, by: SigningKey | None = None, admit: bool = True, **changes: Any) -> str:
        """Sign the walked window's receipt again with these fields changed; return its URI."""
        made = self.receipt(WINDOW)
        subjects = {one.name: f"sha256:{one.digest.sha256}" for one in made.statement.subject}
        digest = self.sign(subjects, made.predicate.model_copy(update=changes), by)
        uri = f"receipt://{digest}"
        if admit:
            cell = str(made.predicate.cell)
            self.append(kind="RUN", phase="finished", cell=cell, receipt=uri)
        return uri

    def attach(self, raw: bytes, name: str | None = None, **fields: Any) -> str:
        """Sign and record a receipt about a raw file as `engine attach` does; return its URI."""
        base = {"origin": "attached", "cell": "pp2048", "reader": "llama-bench", "identity": {}}
        told = {**base, "environment": {}, "attached_at": format_time(system_clock()), **fields}
        predicate = RunPredicate.parse(told, "run")
        digest = self.sign({RAW: str(self.put(raw))}, predicate)
        self.record(digest, predicate, name)
        return f"receipt://{digest}"

    def several(self, cells: Sequence[str]) -> Fields:
        """Return how the walked plan changes where it is of several cells."""
        plan = self._walked[2]
        sides = {}
        for role in ("baseline", "candidate"):
            arm = plan[role]
            sides[role] = {**arm, "command": [*arm["command"], "{size}"]}
        anchors = [{**one, "command": sides["baseline"]["command"]} for one in plan["anchors"]]
        listed = [{"cell": cell, "words": {"size": cell}} for cell in cells]
        return {**sides, "name": "grid", "cell": None, "cells": listed, "anchors": anchors}

    def sized(self, cell: str) -> Fields:
        """Return the scope of a window of such a plan, in which the words of its cell stand."""
        return {**self._walked[0].scope, "size": cell}

    def remove(self, label: str, *, raw: bool) -> None:
        """Take away the file of an entry's receipt, or its raw file."""
        self._file(label, raw=raw).unlink()

    def damage(self, label: str) -> None:
        """Change one byte of the raw file of an entry's receipt."""
        path = self._file(label, raw=True)
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.chmod(0o644)
        path.write_bytes(data)

    def _file(self, label: str, *, raw: bool) -> Path:
        body = self._here.ledger.resolve(label).body
        uri = body.evidence[0].receipt if isinstance(body, Experiment) and body.evidence else ""
        place = self._here.workspace
        if not raw:
            return place.receipts.path(digest_of(uri))
        made = receipts_format.parse(place.receipts.get(digest_of(uri)))
        return place.objects.path(made.require(RAW))
