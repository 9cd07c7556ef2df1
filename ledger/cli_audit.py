"""The verbs of `ledger` for those who check, hand out and restore."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from receipts import console, exits, files

if TYPE_CHECKING:
    from ledger.policy import Policy

_MAX_BYTES = 4 * 1024 * 1024
_FILE = click.Path(path_type=Path)
_KEY = click.option("--key", "key_path", type=_FILE, help="Key to sign with.")
_ANCHORS = click.option(
    "--anchor",
    "anchors",
    multiple=True,
    type=_FILE,
    help="A checkpoint or a remembered head from elsewhere that the ledger must extend.",
)
_POLICY = click.option(
    "--policy", "policy_path", type=_FILE, help="Logs and witnesses that count (C2SP tlog-policy)."
)


@click.command()
@_ANCHORS
@click.option("--remember", is_flag=True, help="Remember this head although nothing anchors it.")
@click.option("--all", "anew", is_flag=True, help="Check every signature again.")
@click.option("--since-last", is_flag=True, help="Read only what is new since the last time.")
@click.option("--proof", "proof_path", type=_FILE, help="Check this proof file instead; keys do.")
@click.option("--entry", "entry_path", type=_FILE, help="The entry's bytes, beside --proof.")
@_POLICY
@console.json_option
def verify(
    anchors: tuple[Path, ...],
    remember: bool,
    anew: bool,
    since_last: bool,
    proof_path: Path | None,
    entry_path: Path | None,
    policy_path: Path | None,
    as_json: bool,
) -> None:
    """Verify the chain, ids, signatures, roles, tree, checkpoints and the remembered head.

    Exit 0: intact and anchored; 1: broken; 3: intact, but nothing excludes truncation or rollback.
    """
    if proof_path is not None:
        _verify_proof(proof_path, entry_path, policy_path, as_json)
        return
    if entry_path is not None:
        raise click.UsageError("--entry goes with --proof")
    from ledger import verification

    with console.progress("verifying", verification.expected_entries()) as progress:
        report = verification.verify(
            anchors,
            progress,
            remember=remember,
            policy=policy_path,
            extent="all" if anew else "new" if since_last else "usual",
        )
    console.show(report.view(), report.lines(), as_json=as_json)
    console.finish(report.code)


@click.command()
@_ANCHORS
@click.option("--page", type=_FILE, help="Also write the report as a Markdown page to this file.")
@console.json_option
def audit(anchors: tuple[Path, ...], page: Path | None, as_json: bool) -> None:
    """Verify everything, and list what the chain alone does not show.

    Open runs, siblings that no entry cites, evidence that is gone, hypotheses written afterwards,
    retired contracts, gates loosened after a failure. Exit 1 when there is anything to ask about.
    """
    from ledger import auditing, verification

    with console.progress("auditing", verification.expected_entries()) as progress:
        audited = auditing.audit(anchors, progress)
    if page is not None:
        files.write_new(page, ("\n".join(audited.page()) + "\n").encode())
    console.show(audited.view(), audited.lines(), as_json=as_json)
    console.finish(audited.code)


@click.command()
@click.option("--output", type=_FILE, help="File to write it to.")
@click.option("--add", "cosigned", type=_FILE, help="Store the cosignatures on this checkpoint.")
@_POLICY
def checkpoint(output: Path | None, cosigned: Path | None, policy_path: Path | None) -> None:
    """Print the last signed checkpoint with its cosignatures, to be kept or published elsewhere."""
    from ledger import witnessing
    from ledger.note import Verifier
    from receipts import workspace

    place = workspace.find(Path.cwd())
    if cosigned is not None:
        if policy_path is None:
            raise click.UsageError("--add goes with --policy, which says whose word counts")
        accepting = _policy(policy_path)
        names = witnessing.add(place, files.text(cosigned, _MAX_BYTES, "checkpoint"), accepting)
        console.note(f"cosignatures added: {', '.join(names) or 'none that were not here'}")
        return
    signed, _ = witnessing.cosigned_checkpoint(place)
    console.deliver(output, signed)
    if place.log_key is not None:
        origin = place.configuration.origin
        console.note(f"policy line: log {Verifier(origin, place.log_key).vkey}")


@click.command()
@click.argument("reference")
@click.option("--output", type=_FILE, help="File to write it to, such as J3.tlog-proof.")
def prove(reference: str, output: Path | None) -> None:
    """Print a proof that the entry REFERENCE stands in this log; keys alone check it."""
    from ledger import session

    with session.open_ledger() as here:
        proof = here.ledger.prove(here.ledger.resolve(reference).index)
    console.deliver(output, proof.decode())


@click.command()
@click.option("--name", required=True, help="The witness's name, such as witness.example.org/w1.")
@click.option("--output", type=_FILE, help="File to write it to.")
@click.option("--key", "key_path", type=_FILE, required=True, help="The witness's own key.")
def witness(name: str, output: Path | None, key_path: Path) -> None:
    """Cosign the last checkpoint, after checking that it extends the last one seen here.

    The line that an auditor's policy needs is told on standard error.
    """
    from ledger import witnessing
    from ledger.cosignature import Witness
    from receipts import keys, workspace
    from receipts.clock import system_clock

    place = workspace.find(Path.cwd())
    key = keys.load(key_path, console.ask_passphrase)
    console.deliver(output, witnessing.cosign(place, name, key, system_clock))
    console.note(f"policy line: witness {name} {Witness(name, key.public).vkey}")


@click.command()
@click.argument("folder", type=_FILE)
@click.option("--sign", is_flag=True, help="Also sign the checkpoint, for `ssh-keygen -Y verify`.")
@_KEY
@console.json_option
def export(folder: Path, sign: bool, key_path: Path | None, as_json: bool) -> None:
    """Write entries, checkpoints, tree, receipts and objects to the new FOLDER as plain files."""
    from ledger import store, transfer
    from receipts import keys, workspace

    place = workspace.find(Path.cwd())
    path = key_path or workspace.person_key_path()
    key = keys.load(path, console.ask_passphrase) if sign else None
    stores = {"receipts": place.receipts, "objects": place.objects}
    with closing(store.open_for_reading(place.ledger)) as opened:
        counts = transfer.export(opened, stores, folder, key)
    lines = [", ".join(f"{count} {what}" for what, count in counts.items()) + f" in {folder}"]
    console.show(counts | {"folder": str(folder)}, lines, as_json=as_json)


@click.command("import")
@click.argument("folder", type=_FILE)
@console.json_option
def import_(folder: Path, as_json: bool) -> None:
    """Build the ledger of this workspace from an exported FOLDER, every row byte for byte."""
    from ledger import transfer
    from receipts import workspace

    place = workspace.find(Path.cwd())
    stores = {"receipts": place.receipts, "objects": place.objects}
    count = transfer.load(folder, place.ledger, stores, place.configuration.genesis)
    value = {"entries": count, "ledger": str(place.ledger)}
    console.show(value, [f"{count} entries in {place.ledger}; now: ledger verify"], as_json=as_json)


@click.command()
@click.option("--output", type=_FILE, help="New ledger file for what is whole.")
@click.option("--resume", type=_FILE, metavar="CHECKPOINT", help="Go on from a restored copy.")
@click.option("--lost", multiple=True, help="What is lost, in words (with --resume).")
@_KEY
@console.json_option
def recover(
    output: Path | None,
    resume: Path | None,
    lost: tuple[str, ...],
    key_path: Path | None,
    as_json: bool,
) -> None:
    """Say what of a damaged ledger is whole and what is lost; nothing is invented.

    With --resume, append the RECOVERY entry that lets a restored copy go on although this machine
    remembers more: it names the last trusted checkpoint and what is lost.
    """
    from ledger import recovery, session, view
    from receipts import workspace

    if resume is not None:
        if not lost:
            raise click.UsageError("--resume goes with --lost, which says what is lost")
        kept = files.text(resume, _MAX_BYTES, "checkpoint")
        with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
            entry = recovery.resume(here, kept, list(lost), here.key(key_path))
            row = view.summary(here.ledger, entry)
        console.show(row, [f"appended entry {row['index']} (RECOVERY)"], as_json=as_json)
        return
    place = workspace.find(Path.cwd())
    head = session.remembered_heads().recall(place.log_key) if place.log_key else None
    done = recovery.salvage(place.ledger, place.receipts, output, head.size if head else 0)
    console.show(done.view(), done.lines(), as_json=as_json)
    console.finish(exits.NO if done.fault else exits.OK)


COMMANDS = (
    verify,
    audit,
    checkpoint,
    prove,
    witness,
    export,
    import_,
    recover,
)


def _verify_proof(
    proof_path: Path, entry_path: Path | None, policy_path: Path | None, as_json: bool
) -> None:
    from ledger import proving

    accepting = _policy(policy_path) if policy_path else _pinned_policy()
    entry = files.read(entry_path, _MAX_BYTES, "entry") if entry_path else None
    proven = proving.check(files.read(proof_path, _MAX_BYTES, "proof"), entry, accepting)
    console.show(proven.view(), [proven.line()], as_json=as_json)


def _policy(path: Path) -> "Policy":
    from ledger import policy

    return policy.parse(files.read(path, _MAX_BYTES, "policy"), str(path))


def _pinned_policy() -> "Policy":
    from ledger import proving
    from ledger.note import Verifier
    from receipts import workspace

    place = workspace.find(Path.cwd())
    if place.log_key is None:
        raise click.UsageError("evidence.yaml pins no log key; give --policy FILE")
    origin = place.configuration.origin
    return proving.log_only(origin, Verifier(origin, place.log_key))
