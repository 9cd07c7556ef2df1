"""The command `receipts`: make keys, and look at receipts one at a time."""

import sys
from pathlib import Path

import click

from receipts import console, exits


@click.group(cls=console.Group)
@click.version_option(package_name="evidence-ledger")
def receipts() -> None:
    """Signed, content-addressed receipts of runs: make keys, list, show and verify them."""


@receipts.command()
@click.option("--output", type=click.Path(path_type=Path), help="File to write the key to.")
@click.option("--comment", default="", help="Comment in the public key line.")
@click.option("--passphrase", is_flag=True, help="Ask for a passphrase to protect the key.")
@console.json_option
def keygen(output: Path | None, comment: str, passphrase: bool, as_json: bool) -> None:
    """Make an Ed25519 key in OpenSSH format."""
    from receipts import keys, workspace

    path = output or workspace.person_key_path()
    secret = _new_passphrase() if passphrase else None
    key = keys.generate(path, comment, secret)
    found = {
        "key": str(path),
        "public": key.public.openssh,
        "fingerprint": key.public.fingerprint,
    }
    console.show(found, [f"{path}", f"{key.public.fingerprint}"], as_json=as_json)


@receipts.command("list")
@console.json_option
def list_(as_json: bool) -> None:
    """List the receipts in the store."""
    from receipts import listing, workspace

    rows = listing.summaries(workspace.find(Path.cwd()).receipts)
    table = [["RECEIPT", "KIND", "ORIGIN", "CELL", "ARM", "REP"], *map(listing.cells, rows)]
    lines = console.table(table) if rows else ["no receipts yet; `engine run` makes one"]
    console.show(rows, lines, as_json=as_json)


@receipts.command()
@click.argument("reference")
@console.json_option
def show(reference: str, as_json: bool) -> None:
    """Show the receipt REFERENCE: a file, a digest or the beginning of one."""
    from receipts import listing, workspace

    receipt = listing.find(reference, workspace.find)
    console.show(listing.view(receipt), listing.describe(receipt), as_json=as_json)


@receipts.command()
@click.argument("references", nargs=-1, required=True)
@click.option("--key", "key_path", type=click.Path(path_type=Path), help="Public key file.")
@console.json_option
def verify(references: tuple[str, ...], key_path: Path | None, as_json: bool) -> None:
    """Verify the signatures of receipts and the digests of their files.

    Without --key the signature is checked against the person's own public key. Whether a key was
    allowed to sign is the ledger's to say: `ledger verify`.
    """
    from receipts import keys, listing, workspace
    from receipts.errors import NotFoundError

    default = workspace.person_key_path()
    own = default.with_name(default.name + ".pub")
    if key_path is None and not own.exists():
        raise NotFoundError(f"public key {own} does not exist; give --key PUBLIC.pub")
    public = keys.load_public(key_path or own)
    reports = [listing.check(ref, public, workspace.find) for ref in references]
    lines = [line for report in reports for line in report.lines()]
    console.show([report.view() for report in reports], lines, as_json=as_json)
    console.finish(exits.worst(report.code for report in reports))


@receipts.command()
@click.argument("digest")
def cat(digest: str) -> None:
    """Write the object DIGEST (a raw file, a log, a plan or a receipt) to standard output."""
    from receipts import listing, workspace

    for piece in listing.stream(digest, workspace.find(Path.cwd())):
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


@receipts.command()
@click.argument("digest")
@click.option("--reason", required=True, help="Why; it stays in the place of the bytes.")
@console.json_option
def withhold(digest: str, reason: str, as_json: bool) -> None:
    """Remove the bytes of the object or receipt DIGEST for good; its digest and REASON stay.

    Claims that rest on it are refused from then on, with the reason.
    """
    from receipts import listing, workspace
    from receipts.clock import system_clock

    gone = listing.withhold(digest, reason, workspace.find(Path.cwd()), system_clock)
    value = {"withheld": str(gone), "reason": reason}
    console.show(value, [f"withheld {gone}: {reason}"], as_json=as_json)


def _new_passphrase() -> bytes:
    text: str = click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return text.encode()


def main() -> None:
    """Run the command."""
    console.run(receipts)


if __name__ == "__main__":
    main()
