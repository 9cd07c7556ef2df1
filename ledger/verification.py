"""`ledger verify`: gather the anchors, audit, and remember a head that held.

Anchors are what was seen elsewhere: the head in this person's state folder, the checkpoint that
`evidence.yaml` names, and files given on the command line. A key is never an anchor, for an older
copy of the ledger carries its own valid checkpoint.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from ledger import audit, checkpoint, heads, store, witnessing
from ledger import policy as policies
from ledger.audit import Anchor, Progress, Request
from ledger.entry import Entry
from ledger.heads import Head
from ledger.note import Verifier
from ledger.report import Report
from ledger.session import remembered_heads
from ledger.verified import Memory, Verified
from receipts import workspace
from receipts.errors import (
    Error,
    MalformedError,
    NotFoundError,
    UndecidedError,
    VerificationError,
)
from receipts.keys import PublicKey
from receipts.workspace import Workspace

WORTH_SKIPPING = 1000
"""Below so many entries, checking every signature again costs nothing that anybody would notice."""
Extent = Literal["usual", "all", "new"]


def expected_entries() -> int:
    """Return how many entries there seem to be, for a progress bar; 0 when that is unclear."""
    try:
        opened = store.open_for_reading(workspace.find(Path.cwd()).ledger)
    except Error:
        return 0
    try:
        return opened.state()[0]
    except Error:
        return 0
    finally:
        opened.close()


def verify(
    files: Sequence[Path],
    progress: Progress,
    *,
    remember: bool,
    policy: Path | None = None,
    extent: Extent = "usual",
    observe: Callable[[Entry], None] | None = None,
) -> Report:
    """Audit the ledger of this workspace against every anchor there is; return the report.

    The extent `all` checks every signature again, `new` reads only what came since the last time.
    With `observe` every entry is read, for it wants to see them all.
    """
    place = workspace.find(Path.cwd())
    known = remembered_heads()
    log_key = place.log_key or audit.log_key(place.ledger)
    anchors = list(_anchors(place, log_key, files)) if log_key else []
    memory = Memory(workspace.state_dir() / "verified")
    wanted = extent != "all" and observe is None
    before = memory.recall(log_key) if log_key and wanted else None
    if before and before.size < WORTH_SKIPPING and extent != "new":
        before = None
    if extent == "new" and before is None:
        raise UndecidedError("nothing was verified before on this machine: run `ledger verify`")
    request = Request(
        tuple(anchors), before, extent == "new", progress, observe or (lambda _: None)
    )
    report = audit.audit(place.ledger, request)
    _compare_pins(place, report)
    if policy is not None:
        _apply_policy(place, policy, report)
    sound = not report.findings and report.entries
    if sound and log_key and report.tree_head and (report.anchored_to or remember):
        known.remember(log_key, report.tree_head)
        head = report.tree_head
        keys = tuple(report.key_entries)
        memory.remember(log_key, Verified(head.size, head.root, keys, report.notes))
    return report


def _apply_policy(place: Workspace, path: Path, report: Report) -> None:
    """Ask the auditor's policy whether the last checkpoint, with its cosignatures, is enough."""
    if not path.is_file():
        raise NotFoundError(f"policy {path} does not exist")
    accepting = policies.parse(path.read_bytes(), str(path))
    try:
        signed, _ = witnessing.cosigned_checkpoint(place)
        found, by = policies.accept(signed, accepting)
    except VerificationError as error:
        report.add(None, "policy", str(error))
        return
    names = ", ".join(one.name for one in by) or "the log alone"
    report.anchored_to += [f"{names} at {found.size}"] if by else []


def _anchors(place: Workspace, log_key: PublicKey, files: Sequence[Path]) -> Iterator[Anchor]:
    remembered = remembered_heads().recall(log_key)
    if remembered:
        yield Anchor("the remembered head", remembered)
    named = place.configuration.anchor
    for file in (*([place.root / named] if named else []), *files):
        yield Anchor(f"anchor {file}", _read(file, place.configuration.origin, log_key))


def _read(file: Path, origin: str, log_key: PublicKey) -> Head:
    try:
        with file.open("rb") as stream:
            data = stream.read(64 * 1024)
    except FileNotFoundError as error:
        raise NotFoundError(f"anchor {file} does not exist") from error
    if data.startswith(b"{"):
        return heads.parse(data, log_key, str(file))
    try:
        found = checkpoint.open_checkpoint(data.decode("utf-8"), Verifier(origin, log_key))
    except UnicodeDecodeError as error:
        raise MalformedError(f"anchor {file} is neither a checkpoint nor a head") from error
    return Head(found.size, found.root)


def _compare_pins(place: Workspace, report: Report) -> None:
    if report.log_key and place.log_key and report.log_key != place.log_key:
        report.add(0, "pin", "GENESIS names another log key than evidence.yaml")
    if report.origin and report.origin != place.configuration.origin:
        report.add(0, "pin", f"GENESIS has the origin {report.origin}, not that of evidence.yaml")
    if report.genesis and place.configuration.genesis not in (None, report.genesis):
        report.add(0, "pin", "GENESIS is another entry than the one evidence.yaml pins")
