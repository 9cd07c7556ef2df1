"""The verb `claims selftest`: proof that each rule can fail."""

from pathlib import Path

import click

from claims.cli_desk import opened
from receipts import console, exits
from receipts.clock import system_clock


@click.command()
@click.argument("pages", nargs=-1, type=click.Path(path_type=Path))
@console.json_option
def selftest(pages: tuple[Path, ...], as_json: bool) -> None:
    """Attack the checker on a ledger made for it; with PAGES, mutate these in their workspace.

    Exit 0: every attack was caught, every honest twin passed, every mutant was killed; 1: not so;
    3: there was nothing to mutate. Nothing of yours is written.
    """
    from claims.selftest import trial

    if not pages:
        result = trial.of_the_rules(console.progress, system_clock)
    else:
        from claims.cli_check import chosen_baseline

        with opened() as desk:
            held = chosen_baseline(desk.here.workspace, None)
            result = trial.of_pages(desk, pages, held, console.progress, system_clock)
    console.show(result.view(), result.lines(), as_json=as_json)
    if result.code == exits.UNDECIDED:
        console.note("claims: there was nothing to mutate: no page passes that binds a number")
    console.finish(result.code)
