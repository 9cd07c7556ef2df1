"""The command `engine`: run, compare and attach measurements."""

from pathlib import Path
from typing import Any

import click

from engine import cli_anchor, cli_compare, cli_results
from receipts import console, exits

_KEY = click.option("--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with.")
_EXECUTE = click.option("--execute", is_flag=True, help="Really run; without it the plan is shown.")
_IDENTITY = click.option(
    "--identity", multiple=True, metavar="NAME=VALUE", help="A fact about what is measured."
)


@click.group(cls=console.Group)
@click.version_option(package_name="evidence-ledger")
def engine() -> None:
    """Run measurements under a lease; every run leaves a signed receipt."""


@engine.command()
@click.option("--cell", required=True, help="What is measured, such as decode-p16.")
@click.option("--name", help="A unique name to cite the receipt by.")
@click.option("--raw", type=click.Path(path_type=Path), help="The raw file the command writes.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@_IDENTITY
@_EXECUTE
@_KEY
@console.json_option
def run(
    cell: str,
    name: str | None,
    raw: Path | None,
    command: tuple[str, ...],
    identity: tuple[str, ...],
    execute: bool,
    key_path: Path | None,
    as_json: bool,
) -> None:
    """Run COMMAND once under the host's lease: engine run --cell C --execute -- CMD…

    The command writes its raw file where `{raw}` stands among its words, where the variable
    EVIDENCE_RAW says, or at --raw.
    """
    from engine import declared, report, runner

    facts = declared.parse(identity)
    order = runner.Order(cell, command, name=name, raw=raw, identity=facts)
    if not execute:
        console.show(*report.intention(order), as_json=as_json)
        console.note("dry run: nothing was started; add --execute")
        return
    _run(order, key_path, as_json)


@engine.command()
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("--name", help="The window's name; made from the plan's name if left out.")
@_EXECUTE
@_KEY
@console.json_option
def ab(plan: Path, name: str | None, execute: bool, key_path: Path | None, as_json: bool) -> None:
    """Walk PLAN: two arms in the order AB BA …, an exactness gate, then the ratio of medians."""
    from engine import plan as plans
    from engine import report

    file = plans.read(plan)
    if not execute:
        console.show(*report.outline(file), as_json=as_json)
        console.note("dry run: nothing was started; add --execute")
        return
    _walk(file, name, key_path, as_json)


engine.add_command(cli_anchor.anchor)
engine.add_command(cli_anchor.noise)
engine.add_command(cli_compare.compare)
engine.add_command(cli_results.attach)
engine.add_command(cli_results.env)
engine.add_command(cli_results.reconcile)


def _run(order: Any, key_path: Path | None, as_json: bool) -> None:
    from engine import lease, report, runner
    from ledger import session
    from receipts.clock import system_clock

    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        key = here.key(key_path)
        with lease.acquire(order.cell) as held:
            outcome = runner.run(here, key, held, order, system_clock)
    console.show(*report.ran(order, outcome), as_json=as_json)
    console.finish(exits.NO if outcome.fault else exits.OK)


def _walk(file: Any, name: str | None, key_path: Path | None, as_json: bool) -> None:
    from engine import lease, matrix, report, window
    from ledger import session
    from receipts.clock import system_clock

    total = matrix.repetitions(file.plan)
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        key = here.key(key_path)
        title = name or window.free_name(here, file.plan.name)
        with lease.acquire(file.plan.name) as held, console.progress(title, total) as step:
            apparatus = window.Apparatus(here, key, held, system_clock, step)
            done = matrix.walk(apparatus, file, title)
    console.show(*report.walked_all(done), as_json=as_json)
    console.finish(exits.OK if all(one.passed for one in done) else exits.NO)


def main() -> None:
    """Run the command."""
    console.run(engine)


if __name__ == "__main__":
    main()
