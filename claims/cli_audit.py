"""The verb of `claims` for auditors."""

from contextlib import ExitStack
from pathlib import Path

import click

from receipts import console

_KEY = click.option(
    "--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with, of an auditor."
)


@click.command()
@click.option("--sign", "signed", is_flag=True, help="Append the result as an AUDIT entry.")
@_KEY
@console.json_option
def audit(signed: bool, key_path: Path | None, as_json: bool) -> None:
    """Recompute every figure of every receipt, entry and claim from the raw rows.

    The reducers are of their own, and nothing is written without --sign. Exit 0: all agree; 1:
    figures differ, or a decision does not follow; 3: nothing could be recomputed, or not all of it.
    """
    if key_path is not None and not signed:
        raise click.UsageError("--key goes with --sign")
    from claims.audits import auditing
    from ledger import verification

    with ExitStack() as opened:
        with console.progress("verifying", verification.expected_entries()) as verifying:
            ask = console.ask_passphrase
            books = opened.enter_context(auditing.open_books(verifying, write=signed, ask=ask))
        key = books.here.key(key_path) if signed else None
        if key is not None:
            auditing.require_auditor(books, key)
        with console.progress("recounting", auditing.expected(books)) as counting:
            audited = auditing.recount(books, counting)
        entry = auditing.sign(books, audited.found, key) if key is not None else None
        standing = books.standing()
    value = {"head": books.report.head, **audited.view(), "ledger": standing}
    lines = [*audited.lines(), standing]
    if entry is not None:
        value |= {"entry": entry.index, "id": entry.id}
        lines.append(
            f"appended entry {entry.index} (AUDIT) over head {str(books.report.head)[:16]}…"
        )
    console.show(value, lines, as_json=as_json)
    console.finish(audited.found.code)
