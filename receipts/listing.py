"""Looking at receipts without a ledger: find one, describe it, check what it alone can prove."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from receipts import envelope, files
from receipts import receipt as receipts_format
from receipts.clock import Clock
from receipts.digest import Digest
from receipts.errors import Error, MalformedError, NotFoundError, VerificationError
from receipts.exits import worst
from receipts.keys import PublicKey
from receipts.predicates import ComparisonPredicate, WindowPredicate
from receipts.receipt import Receipt
from receipts.store import ObjectStore
from receipts.workspace import Workspace

MAX_PATH = 4096
MAX_REASON = 1000
_DIGITS = re.compile(r"[0-9a-f]{1,64}", re.ASCII)
_KINDS = {WindowPredicate: "window", ComparisonPredicate: "comparison"}
Finder = Callable[[Path], Workspace]


@dataclass(frozen=True)
class Check:
    """What was found when one receipt was checked."""

    reference: str
    receipt: str | None
    files: list[tuple[str, str, str]]
    fault: str | None
    code: int

    def lines(self) -> Iterator[str]:
        """Yield the report as text."""
        verdict = self.fault or "signature verifies"
        yield f"{self.receipt or self.reference}: {verdict}"
        for name, digest, outcome in self.files:
            yield f"  {name} {digest}: {outcome}"

    def view(self) -> dict[str, Any]:
        """Return the report as plain values."""
        listed = [{"name": n, "digest": d, "outcome": o} for n, d, o in self.files]
        return {"reference": self.reference, "ok": self.code == 0, "files": listed} | {
            key: value
            for key, value in (("receipt", self.receipt), ("fault", self.fault))
            if value is not None
        }


def summaries(store: ObjectStore) -> list[dict[str, Any]]:
    """Return one plain record per receipt in the store; a damaged one is said to be damaged."""
    return [_summary(store, digest) for digest in store.digests()]


def cells(row: dict[str, Any]) -> list[str]:
    """Return a record's cells for a table."""
    keys = ("kind", "origin", "cell", "arm", "repetition")
    return [row["receipt"][:23], *(str(row.get(key, "")) for key in keys)]


def find(reference: str, workspace: Finder) -> Receipt:
    """Return the receipt that `reference` names: a file, a digest, or the beginning of a digest."""
    path = Path(reference)
    if len(reference) < MAX_PATH and path.is_file():
        return receipts_format.parse(files.read(path, envelope.MAX_BYTES, "receipt"))
    store = workspace(Path.cwd()).receipts
    return receipts_format.parse(store.get(_match(reference, store)))


def check(reference: str, key: PublicKey, workspace: Finder) -> Check:
    """Check the receipt's signature by `key` and the digests of the files that it names."""
    name = None
    try:
        receipt = find(reference, workspace)
        name = str(receipt.digest)
        _require_signer(receipt, key)
        receipt.envelope.verify(key)
    except VerificationError as error:
        return Check(reference, name, [], str(error), VerificationError.exit_code)
    except Error as error:
        return Check(reference, name, [], str(error), error.exit_code)
    found = _check_files(receipt, workspace)
    code = worst(code for *_, code in found)
    return Check(reference, name, [(n, d, o) for n, d, o, _ in found], None, code)


def _require_signer(receipt: Receipt, key: PublicKey) -> None:
    """Refuse to judge a signature by a key that did not make it; that says nothing of forgery."""
    signer = receipt.envelope.keyid
    if signer != key.fingerprint:
        raise VerificationError(
            f"the receipt is signed by another key, {signer}, than the one it was checked "
            f"against, {key.fingerprint}; give the signer's with --key PUBLIC.pub"
        )


def view(receipt: Receipt) -> dict[str, Any]:
    """Return the receipt as plain values."""
    statement = receipt.statement.model_dump(by_alias=True, exclude_none=True)
    return {
        "receipt": str(receipt.digest),
        "signed_by": receipt.envelope.keyid,
        "statement": statement,
    }


def describe(receipt: Receipt) -> Iterator[str]:
    """Yield the receipt as text."""
    yield f"receipt   {receipt.digest}"
    yield f"signed by {receipt.envelope.keyid} (not checked here; `receipts verify` does)"
    for subject in receipt.statement.subject:
        yield f"subject   {subject.name} sha256:{subject.digest.sha256}"
    yield from _describe("", receipt.predicate.model_dump(exclude_none=True))


def stream(reference: str, workspace: Workspace) -> Iterator[bytes]:
    """Yield the bytes of the object or receipt that `reference` names."""
    for store in (workspace.objects, workspace.receipts):
        with suppress(NotFoundError):
            digest = _match(reference, store)
            if digest in store:
                return store.stream(digest)
    # Neither holds it; the objects say why, if theirs was withheld.
    return workspace.objects.stream(_match(reference, workspace.objects))


def withhold(reference: str, reason: str, workspace: Workspace, clock: Clock) -> Digest:
    """Take the bytes of the object or receipt with this whole digest out of the store for good.

    Half a digest is refused: what goes does not come back. Returns the digest, which stays.
    """
    if not reason.strip() or not reason.isprintable() or len(reason) > MAX_REASON:
        raise MalformedError(f"the reason must be one line of 1 to {MAX_REASON} characters")
    digits = reference.removeprefix(receipts_format.SCHEME).removeprefix("sha256:")
    digest = Digest.parse("sha256:" + digits)
    held = [store for store in (workspace.objects, workspace.receipts) if digest in store]
    # Where neither holds it, the objects say why.
    for store in held or [workspace.objects]:
        store.withhold(digest, reason, clock)
    return digest


def _summary(store: ObjectStore, digest: Digest) -> dict[str, Any]:
    try:
        predicate = receipts_format.parse(store.get(digest)).predicate
    except Error as error:
        return {"receipt": str(digest), "kind": "damaged", "fault": str(error)}
    kind = _KINDS.get(type(predicate), "run")
    wanted = ("origin", "cell", "arm", "repetition", "window", "outcome")
    plain = predicate.model_dump(exclude_none=True)
    return {"receipt": str(digest), "kind": kind} | {k: plain[k] for k in wanted if k in plain}


def _match(reference: str, store: ObjectStore) -> Digest:
    digits = reference.removeprefix(receipts_format.SCHEME).removeprefix("sha256:")
    if len(digits) == 64:
        return Digest.parse("sha256:" + digits)
    if not _DIGITS.fullmatch(digits):
        raise NotFoundError(
            f"{reference[:80]!r} is no digest and no file; names are the ledger's: "
            "`ledger list --kind RUN --json` shows the digest of each"
        )
    if len(digits) < 6:
        raise MalformedError(f"{reference!r} is too short; give six digits of a digest or more")
    matches = [digest for digest in store.digests() if digest.hex.startswith(digits)]
    if len(matches) != 1:
        problem = "names nothing" if not matches else f"is ambiguous ({len(matches)} matches)"
        raise NotFoundError(f"{reference!r} {problem} in {store.root}")
    return matches[0]


def _check_files(receipt: Receipt, workspace: Finder) -> list[tuple[str, str, str, int]]:
    """Return name, digest, outcome and exit code of each subject that a store should hold."""
    found = []
    for subject in receipt.statement.subject:
        digest = Digest("sha256:" + subject.digest.sha256)
        try:
            for _ in workspace(Path.cwd()).objects.stream(digest):
                pass
            outcome, code = "present, digest holds", 0
        except VerificationError as error:
            outcome, code = str(error), error.exit_code
        except NotFoundError as error:
            outcome, code = str(error), 3
        found.append((subject.name, str(digest), outcome, code))
    return found


def _describe(indent: str, value: dict[str, Any]) -> Iterator[str]:
    for key, item in value.items():
        if isinstance(item, dict):
            yield f"{indent}{key}:"
            yield from _describe(indent + "  ", item)
        elif isinstance(item, list) and item and isinstance(item[0], dict):
            for one in item:
                yield f"{indent}{key}: " + ", ".join(f"{k} {v}" for k, v in one.items())
        elif item != []:
            yield f"{indent}{key}: {item}"
