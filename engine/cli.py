"""The command `engine`: run, compare and attach measurements."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from engine import (
    cli_anchor,
    cli_compare,
    cli_kernels,
    cli_probe,
    cli_report,
    cli_results,
    cli_terms,
)
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
@cli_terms.options
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
    **words: Any,
) -> None:
    """Run COMMAND once under the host's lease: engine run --cell C --execute -- CMD…

    The command writes its raw file where `{raw}` stands among its words, where the variable
    EVIDENCE_RAW says, or at --raw.
    """
    from engine import declared, run_report, runner

    facts = declared.parse(identity)
    order = runner.Order(cell, command, name=name, raw=raw, identity=facts)
    terms = cli_terms.parse(words)
    if not execute:
        console.show(*run_report.intention(order, terms), as_json=as_json)
        console.note("dry run: nothing was started; add --execute")
        return
    _run(order, terms, key_path, as_json)


@engine.command()
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("--name", help="The window's name; made from the plan's name if left out.")
@click.option("--progress-lines", is_flag=True, help="Tell each step on stderr as a JSON line.")
@click.option(
    "--serve-progress", type=click.IntRange(0, 65535), help="Serve the same as events on this port."
)
@cli_terms.options
@_EXECUTE
@_KEY
@console.json_option
def ab(
    plan: Path,
    name: str | None,
    progress_lines: bool,
    serve_progress: int | None,
    execute: bool,
    key_path: Path | None,
    as_json: bool,
    **words: Any,
) -> None:
    """Walk PLAN: two arms in the order AB BA …, an exactness gate, then the ratio of medians."""
    from engine import plan as plans
    from engine import run_report

    file, terms = plans.read(plan), cli_terms.parse(words)
    if not execute:
        console.show(*run_report.outline(file, terms), as_json=as_json)
        console.note("dry run: nothing was started; add --execute")
        return
    with _relay(progress_lines, serve_progress) as relay:
        _walk((file, terms), name, key_path, relay, as_json)


engine.add_command(cli_anchor.anchor)
engine.add_command(cli_anchor.drift)
engine.add_command(cli_anchor.noise)
engine.add_command(cli_compare.compare)
engine.add_command(cli_kernels.kernels)
engine.add_command(cli_probe.probe)
engine.add_command(cli_report.report)
engine.add_command(cli_results.attach)
engine.add_command(cli_results.env)
engine.add_command(cli_results.reconcile)


def _run(order: Any, terms: Any, key_path: Path | None, as_json: bool) -> None:
    from engine import run_report, runner
    from ledger import session
    from receipts.clock import system_clock

    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        outcome = runner.perform(here, here.key(key_path), order, system_clock, terms)
    console.show(*run_report.ran(order, outcome), as_json=as_json)
    if outcome.refusal:
        console.note(outcome.refusal)
    console.finish(outcome.exit_code)


@contextmanager
def _relay(lines: bool, port: int | None) -> Iterator[Any]:
    """Yield what tells the steps of a window to whoever asked for them."""
    from engine import progress, progress_server

    relay = progress.Relay()
    with ExitStack() as open_sinks:
        if lines:
            relay.open(progress.lines(sys.stderr.buffer))
        if port is not None:
            server = open_sinks.enter_context(progress_server.serving(port))
            relay.open(server.sink)
            console.note(f"events at http://127.0.0.1:{server.port}/events")
        yield relay


def _walk(
    planned: tuple[Any, Any], name: str | None, key_path: Path | None, relay: Any, as_json: bool
) -> None:
    from engine import matrix, report, walk, window
    from ledger import session
    from receipts.clock import system_clock

    file, terms = planned
    total = matrix.repetitions(file.plan)
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        key = here.key(key_path)
        title = name or window.free_name(here, file.plan.name, matrix.cells(file.plan))
        leased = matrix.leased(here, key, file, title, terms)
        with leased as held, console.progress(title, total) as step:
            apparatus = walk.Apparatus(here, key, held, system_clock, step, relay, terms)
            done = matrix.walk(apparatus, file, title)
    console.show(*report.walked_all(done), as_json=as_json)
    console.finish(exits.OK if all(one.passed for one in done) else exits.NO)


def main() -> None:
    """Run the command."""
    console.run(engine)


if __name__ == "__main__":
    main()
