"""Witnesses: somebody elsewhere who checked that a checkpoint extends the last one, and signed.

A witness remembers, for each log, the last head that it cosigned. It verifies the ledger from its
bytes, compares, remembers the new head, and only then lets its signature out (C2SP tlog-witness
demands that order): a witness that forgot what it signed could sign a fork.
"""

from collections.abc import Iterator
from contextlib import closing

from ledger import audit, checkpoint, cosignature, merkle, note, policy, store
from ledger.audit import Anchor, Request
from ledger.checkpoint import Checkpoint
from ledger.cosignature import Witness
from ledger.heads import Durable, Head
from ledger.note import Verifier
from ledger.report import Report
from receipts import workspace
from receipts.clock import Clock
from receipts.errors import ConflictError, NotFoundError, VerificationError
from receipts.keys import PublicKey, SigningKey
from receipts.workspace import Workspace


def cosign(place: Workspace, name: str, key: SigningKey, clock: Clock) -> str:
    """Return the last checkpoint of the ledger in `place` with a cosignature by `name`.

    Raises `VerificationError` when the ledger does not verify, or does not extend what this
    witness saw before.
    """
    witness = Witness(name, key.public)
    log_key = place.log_key or audit.log_key(place.ledger)
    known = _memory(name)
    before = known.recall(log_key) if log_key else None
    anchors = (Anchor(f"witness {name}", before),) if before else ()
    report = audit.audit(place.ledger, Request(anchors))
    log = _require_sound(place, report, log_key)
    if report.checkpoint is None:
        raise NotFoundError("the ledger has no checkpoint to cosign")
    if witness.key == log.key:
        raise ConflictError("the log's own key is no witness; give another with --key FILE")
    seen = checkpoint.open_checkpoint(report.checkpoint, log)
    if before and seen.size < before.size:
        raise VerificationError(
            f"the last checkpoint covers {seen.size} entries, witness {name} saw {before.size}"
        )
    known.remember(log.key, Head(seen.size, seen.root))
    moment = int(clock().timestamp())
    line = cosignature.sign(checkpoint.format_checkpoint(seen), name, key, moment)
    return report.checkpoint + line


def _require_sound(place: Workspace, report: Report, log_key: PublicKey | None) -> Verifier:
    """Return the log whose ledger was audited, if it is sound and the one that is pinned."""
    if report.findings or report.log_key is None or report.origin is None:
        found = report.findings[0] if report.findings else "it has no entries"
        raise VerificationError(f"the ledger does not verify: {found}")
    pinned = place.configuration
    is_pinned = report.genesis == (pinned.genesis or report.genesis)
    if not is_pinned or (report.origin, report.log_key) != (pinned.origin, log_key):
        raise VerificationError(f"{place.ledger} is not the ledger that {workspace.FILE} pins")
    return Verifier(report.origin, report.log_key)


def add(place: Workspace, cosigned: str, accepting: policy.Policy) -> list[str]:
    """Store the cosignatures on a checkpoint of this ledger; return the witnesses' names.

    The policy says whose cosignatures count; others are left out.
    """
    found, by = policy.accept(cosigned, accepting)
    opened = store.open_for_writing(place.ledger)
    try:
        size, _ = opened.state()
        if found.size > size or merkle.root(found.size, opened.node) != found.root:
            raise VerificationError(f"checkpoint {found.size} is not of this ledger")
        present = {name for _, name, _ in opened.cosignatures(found.size)}
        fresh = [one.witness for one in by if one.witness.name not in present]
        with opened.transaction():
            for witness in fresh:
                opened.add_cosignature(found.size, witness.name, _line(cosigned, witness))
    finally:
        opened.close()
    return [witness.name for witness in fresh]


def cosigned_checkpoint(place: Workspace) -> tuple[str, Checkpoint]:
    """Return the last checkpoint with all its cosignatures, and what it says."""
    opened = store.open_for_reading(place.ledger)
    try:
        signed = opened.last_checkpoint()
        if signed is None:
            raise NotFoundError("no checkpoint yet: nothing was appended with the log key at hand")
        seen = checkpoint.parse_checkpoint(note.split(signed)[0])
        lines = "".join(f"{line}\n" for _, _, line in opened.cosignatures(seen.size))
    finally:
        opened.close()
    return signed + lines, seen


def cosigned(place: Workspace) -> Iterator[str]:
    """Yield the last checkpoint, then older ones that witnesses cosigned, newest first."""
    with closing(store.open_for_reading(place.ledger)) as opened:
        last = opened.last_checkpoint()
        sizes = sorted({size for size, _, _ in opened.cosignatures()}, reverse=True)
        notes = dict(opened.checkpoints()) if sizes else {}
        for signed in dict.fromkeys([last, *(notes.get(size) for size in sizes)]):
            if signed:
                size = checkpoint.parse_checkpoint(note.split(signed)[0]).size
                lines = (line for _, _, line in opened.cosignatures(size))
                yield signed + "".join(f"{line}\n" for line in lines)


def _memory(name: str) -> Durable:
    safe = "".join(c if c.isalnum() or c in "-._" else "-" for c in name)
    return Durable(workspace.state_dir() / "witness" / (safe.lstrip(".") or "-"))


def _line(cosigned: str, witness: Witness) -> str:
    """Return the first line of the note that this witness's key signed."""
    lines = [line for line in cosigned.split("\n") if line.startswith(f"\u2014 {witness.name} ")]
    text = note.split(cosigned)[0]
    for line in lines:
        try:
            cosignature.verify(f"{text}\n{line}\n", witness)
        except VerificationError:
            continue
        return line
    raise VerificationError(f"no line of the note is by witness {witness.name}")
