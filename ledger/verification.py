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
    UndecidedError,
    VerificationError,
)
from receipts.files import read as file_bytes
from receipts.keys import PublicKey
from receipts.workspace import Workspace

MAX_ANCHOR = 4 * 1024 * 1024
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
    place.require_ledger()
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
        _remember(log_key, report.tree_head, report)
    return report


def _remember(log_key: PublicKey, head: Head, report: Report) -> None:
    """Remember the head and what was verified; a machine that cannot is told, and no more."""
    verified = Verified(head.size, head.root, tuple(report.key_entries), report.notes)
    try:
        remembered_heads().remember(log_key, head)
        Memory(workspace.state_dir() / "verified").remember(log_key, verified)
    except OSError as error:
        told = f"this head could not be remembered: {error.filename}: {error.strerror}"
        report.notice = f"{report.notice}; {told}" if report.notice else told


def _apply_policy(place: Workspace, path: Path, report: Report) -> None:
    """Ask the auditor's policy for the newest checkpoint whose cosignatures are enough."""
    accepting = policies.parse(file_bytes(path, MAX_ANCHOR, "policy"), str(path))
    fault = "the ledger has no checkpoint"
    for signed in witnessing.cosigned(place):
        try:
            found, by = policies.accept(signed, accepting)
        except VerificationError as error:
            fault = str(error)
            continue
        names = ", ".join(one.name for one in by) or "the log alone"
        report.anchored_to += [f"{names} at {found.size}"] if by else []
        report.since_policy = report.entries - found.size
        return
    report.add(None, "policy", fault)


def _anchors(place: Workspace, log_key: PublicKey, files: Sequence[Path]) -> Iterator[Anchor]:
    remembered = remembered_heads().recall(log_key)
    if remembered:
        yield Anchor("the remembered head", remembered)
    named = place.configuration.anchor
    for file in (*([place.root / named] if named else []), *files):
        yield Anchor(f"anchor {file}", _read(file, place.configuration.origin, log_key))


def _read(file: Path, origin: str, log_key: PublicKey) -> Head:
    data = file_bytes(file, MAX_ANCHOR, "anchor")
    if data.startswith(b"{"):
        return heads.parse(data, log_key, str(file))
    try:
        found = checkpoint.open_checkpoint(data.decode("utf-8"), Verifier(origin, log_key))
    except (UnicodeDecodeError, MalformedError) as error:
        raise MalformedError(f"{file}: neither a checkpoint nor a head: {error}") from error
    except VerificationError as error:
        raise VerificationError(f"{file}: {error}") from error
    return Head(found.size, found.root)


def _compare_pins(place: Workspace, report: Report) -> None:
    if report.log_key and place.log_key and report.log_key != place.log_key:
        report.add(0, "pin", "GENESIS names another log key than evidence.yaml")
    if report.origin and report.origin != place.configuration.origin:
        report.add(0, "pin", f"GENESIS has the origin {report.origin}, not that of evidence.yaml")
    if report.genesis and place.configuration.genesis not in (None, report.genesis):
        report.add(0, "pin", "GENESIS is another entry than the one evidence.yaml pins")
