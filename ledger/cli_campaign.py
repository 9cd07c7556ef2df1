"""The verbs of `ledger` for campaigns that were recorded elsewhere: bring them in, lint, print."""

from pathlib import Path

import click

from receipts import console

_FILE = click.Path(path_type=Path)
_KEY = click.option("--key", "key_path", type=_FILE, help="Key to sign with.")
_COLUMNS = click.option(
    "--column", "columns", multiple=True, metavar="ROLE=HEADER", help="Which column is which."
)


@click.command()
@click.option("--output", type=_FILE, help="File to write it to.")
def table(output: Path | None) -> None:
    """Print the campaign as a Markdown table, corrections bound to the rows they are about."""
    from ledger import campaign, session

    with session.open_ledger() as here:
        console.deliver(output, "".join(f"{line}\n" for line in campaign.table(here.ledger)))


@click.command("lint-table")
@click.argument("file", type=_FILE)
@_COLUMNS
@console.json_option
def lint_table(file: Path, columns: tuple[str, ...], as_json: bool) -> None:
    """Recompute every printed change of the campaign table in FILE from its printed operands.

    Exit 1 when a change contradicts its operands, 3 when nothing could be recomputed.
    """
    from ledger import campaign, linting

    linted = linting.lint(campaign.read(file, _roles(columns)))
    console.show(linted.view(), linted.lines(), as_json=as_json)
    console.finish(linted.code)


@click.command("import-table")
@click.argument("file", type=_FILE)
@_COLUMNS
@_KEY
@console.json_option
def import_table(
    file: Path, columns: tuple[str, ...], key_path: Path | None, as_json: bool
) -> None:
    """Append an entry for every row of the campaign table in FILE, as recorded history."""
    from ledger import campaign, linting, session

    found = campaign.read(file, _roles(columns))
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        entries = campaign.bring_table(here, file, found, here.key(key_path))
    linted = linting.lint(found)
    rows = len(found.rows)
    value = {
        "entries": rows,
        "corrections": len(entries) - rows,
        "first": entries[0].index,
        "last": entries[-1].index,
        **linted.view(),
    }
    head = f"{rows} entries of recorded history, {len(entries) - rows} corrections"
    console.show(value, [head, *linted.lines()], as_json=as_json)


@click.command("import-findings")
@click.argument("file", type=_FILE)
@_KEY
@console.json_option
def import_findings(file: Path, key_path: Path | None, as_json: bool) -> None:
    """Append a FINDING for every finding in the JSON FILE."""
    from ledger import campaign, session

    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        entries = campaign.bring_findings(here, file, here.key(key_path))
    value = {"findings": len(entries), "first": entries[0].index, "last": entries[-1].index}
    console.show(value, [f"{len(entries)} findings recorded"], as_json=as_json)


@click.command("import-lock")
@click.argument("file", type=_FILE)
@_KEY
@console.json_option
def import_lock(file: Path, key_path: Path | None, as_json: bool) -> None:
    """Append a LOCK with the switches of the release lock in the JSON FILE."""
    from ledger import campaign, session, view

    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        entry = campaign.bring_lock(here, file, here.key(key_path))
        row = view.summary(here.ledger, entry)
    console.show(row, [f"appended entry {row['index']} (LOCK)"], as_json=as_json)


COMMANDS = (table, lint_table, import_table, import_findings, import_lock)


def _roles(texts: tuple[str, ...]) -> dict[str, str]:
    roles = {}
    for text in texts:
        role, found, header = text.partition("=")
        if not found or not header:
            raise click.UsageError(f"--column {text!r} is not ROLE=HEADER")
        roles[role] = header
    return roles
