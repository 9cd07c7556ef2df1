"""The commands about raw files and where they come from: `attach`, `reconcile` and `env`."""

import shlex
from pathlib import Path
from typing import Any

import click

from receipts import console

_COLUMNS = click.option(
    "--columns",
    multiple=True,
    metavar="METRIC=COLUMN:UNIT",
    help="Read a CSV or JSON Lines table: which column is which metric.",
)
_SUMMARY = click.option(
    "--summary",
    type=click.Path(path_type=Path),
    help="The tool's own summary of the same run, where it writes one apart from the rows.",
)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--cell", required=True, help="What was measured.")
@click.option("--name", help="A unique name to cite the receipt by (one file only).")
@click.option(
    "--identity", multiple=True, metavar="NAME=VALUE", help="A fact about what is measured."
)
@_SUMMARY
@_COLUMNS
@click.option(
    "--policy",
    "policies",
    multiple=True,
    type=click.Choice(["exclude-failed-rows"]),
    help="What becomes of rows that failed; without it a file with such rows is not citable.",
)
@click.option(
    "--environment",
    metavar="FILE|here",
    help="The sidecar that says on what it was measured; `here` gathers this machine's.",
)
@click.option("--redact", is_flag=True, help="Take secrets out of what is stored.")
@click.option("--keep-secrets", is_flag=True, help="Store the file as it is, secrets and all.")
@click.option("--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with.")
@console.json_option
def attach(
    files: tuple[Path, ...],
    name: str | None,
    environment: str | None,
    redact: bool,
    keep_secrets: bool,
    key_path: Path | None,
    as_json: bool,
    **declarations: Any,
) -> None:
    """Make receipts for raw FILES that were measured elsewhere."""
    from engine import attach as attaching
    from engine import report
    from ledger import session
    from receipts.clock import system_clock

    if len(files) > 1 and (name or declarations["summary"]):
        raise click.UsageError(f"--{'name' if name else 'summary'} goes with one file")
    if redact and keep_secrets:
        raise click.UsageError("--redact and --keep-secrets exclude each other")
    secrets = "redact" if redact else "keep" if keep_secrets else "refuse"
    terms = attaching.terms(
        environment=environment, secrets=secrets, clock=system_clock, **declarations
    )
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        named = list(zip(files, [name] if name else attaching.names_of(here, files), strict=True))
        done = attaching.attach(here, here.key(key_path), system_clock, named, terms)
    console.show([one.view() for one in done], report.attached(done), as_json=as_json)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("summary", required=False, type=click.Path(path_type=Path))
@click.option("--all", "everything", is_flag=True, help="Show what is confirmed too.")
@_COLUMNS
@console.json_option
def reconcile(
    file: Path, summary: Path | None, everything: bool, columns: tuple[str, ...], as_json: bool
) -> None:
    """Recompute every average that the tool printed into FILE from its rows.

    Where the tool writes averages and rows apart, give both files, in either order.
    """
    from engine import raw
    from engine import reconcile as reconciling

    read = raw.read(file, summary, columns).file
    found = reconciling.reconcile(read)
    lines = reconciling.text(read, found, everything=everything)
    console.show(reconciling.view(read, found), lines, as_json=as_json)
    console.finish(reconciling.exit_code(found))


def _flags(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise click.UsageError(
            f"--server-flags: {str(error).lower()}; quote as a shell does"
        ) from error


@click.command()
@click.option("--sidecar", type=click.Path(path_type=Path), help="Write a sidecar to this file.")
@click.option("--session", help="The sitting's name; files of one session may be compared.")
@click.option("--server-flags", help="The server's options, as a shell reads them; '' for none.")
@click.option(
    "--engine", "engine_facts", multiple=True, metavar="NAME=VALUE", help="name, commit …"
)
@click.option("--model", "model_facts", multiple=True, metavar="NAME=VALUE", help="name, digest.")
@click.option("--interpreter", help="The Python whose packages were used; this one if left out.")
@click.option("--image", help="The image of the container.")
@console.json_option
def env(
    sidecar: Path | None,
    session: str | None,
    server_flags: str | None,
    engine_facts: tuple[str, ...],
    model_facts: tuple[str, ...],
    as_json: bool,
    **others: str | None,
) -> None:
    """Show the facts about this machine, and write them down beside a raw file.

    Most tools do not say on what they ran. Gather it where and when they run:
    engine env --sidecar run.json.env.json --server-flags '--tp 8'
    """
    from engine import declared
    from engine import sidecar as sidecars
    from receipts import files
    from receipts.clock import system_clock

    told = sidecars.gather(
        engine=declared.pairs("--engine", engine_facts),
        model=declared.pairs("--model", model_facts),
        server_flags=None if server_flags is None else _flags(server_flags),
        session=session,
        clock=system_clock,
        **others,
    )
    made = sidecars.make(told)
    facts = sidecars.facts(made)
    if sidecar:
        files.write_new(sidecar, sidecars.encode(made))
        console.note(f"wrote {sidecar}")
        if server_flags is None:
            console.note("server_flags left out: not told; --server-flags '' says there were none")
    lines = console.table([[name, str(value)] for name, value in facts.items()])
    console.show(facts, lines, as_json=as_json)
