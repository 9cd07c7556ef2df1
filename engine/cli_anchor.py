"""The commands about what a delta is held against: `engine anchor` and `engine noise`."""

import dataclasses
import shlex
from pathlib import Path
from typing import Any

import click

from engine import cli_terms
from receipts import console, exits

_KEY = click.option("--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with.")


@click.group()
def anchor() -> None:
    """Recorded values that a window measures again before it compares anything."""


@anchor.command()
@click.argument("label")
@click.option("--evidence", required=True, metavar="receipt://…", help="Where it was measured.")
@click.option("--metric", required=True, help="Which metric of the receipt is recorded.")
@click.option("--tolerance", required=True, help="How far off counts as the same: 0.02 is 2 %.")
@click.option("--select", multiple=True, metavar="NAME=VALUE", help="Which cell of the raw file.")
@_KEY
@console.json_option
def record(
    label: str,
    evidence: str,
    metric: str,
    tolerance: str,
    select: tuple[str, ...],
    key_path: Path | None,
    as_json: bool,
) -> None:
    """Record the median of METRIC in a receipt as the anchor LABEL, in a CONTRACT entry."""
    from engine import anchor as anchors
    from engine import declared
    from ledger import session

    where = declared.pairs("--select", select)
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        body = anchors.contract(here, label, evidence, metric, tolerance, where)
        entry = here.ledger.append(body, here.key(key_path))
    value = {"entry": entry.index, "id": entry.id, **body}
    console.show(value, [f"appended entry {entry.index} {label}: {body['title']}"], as_json=as_json)


@anchor.command()
@click.argument("label")
@cli_terms.options
@click.option("--execute", is_flag=True, help="Really run; without it the command is shown.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@_KEY
@console.json_option
def check(
    label: str,
    execute: bool,
    command: tuple[str, ...],
    key_path: Path | None,
    as_json: bool,
    **words: Any,
) -> None:
    """Measure the anchor LABEL again: engine anchor check LABEL --execute -- CMD…"""
    from engine import anchor as anchors
    from engine import engagement, report, run_report, runner
    from engine.apparatus import lease
    from ledger import session
    from receipts.clock import system_clock

    order, terms = runner.Order(f"anchor.{label}", command), cli_terms.parse(words)
    if not execute:
        console.show(*run_report.intention(order, terms), as_json=as_json)
        console.note("dry run: nothing was started; add --execute")
        return
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        known = anchors.find(here.ledger, here.workspace.receipts, label)
        with lease.acquire(order.cell, devices=terms.devices) as held:
            outcome = runner.run(here, here.key(key_path), held, order, system_clock, terms=terms)
    if outcome.fault or outcome.file is None:
        console.show(*report.ran(order, outcome), as_json=as_json)
        console.finish(exits.NO)
        return
    run, binary = outcome.file.runs[0], engagement.binary(outcome)
    result = anchors.judge(known, "baseline", run, binary, outcome.receipt.digest)
    console.show(result.plain(), [anchors.told(result)], as_json=as_json)
    console.finish(exits.OK if result.result == "held" else exits.NO)


@click.command()
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--windows",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="A/A windows of each cell.",
)
@cli_terms.options
@click.option("--execute", is_flag=True, help="Really run; without it the plan is shown.")
@_KEY
@console.json_option
def noise(
    plan: Path, windows: int, execute: bool, key_path: Path | None, as_json: bool, **words: Any
) -> None:
    """Walk the baseline of PLAN against itself and record the noise floor of every cell."""
    from engine import floors, matrix, run_report
    from engine import plan as plans
    from engine.walk import Apparatus
    from ledger import session
    from receipts.clock import system_clock

    file, terms = plans.read(plan), cli_terms.parse(words)
    if not execute:
        control = dataclasses.replace(file, plan=file.plan.control())
        console.show(*run_report.outline(control, terms), as_json=as_json)
        console.note(f"dry run: {windows} A/A windows of each cell; add --execute")
        return
    total = windows * matrix.repetitions(file.plan)
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        key = here.key(key_path)
        leased = matrix.leased(here, key, file, f"{file.plan.name}-aa", terms)
        with leased as held, console.progress("A/A", total) as step:
            apparatus = Apparatus(here, key, held, system_clock, step, terms=terms)
            walked = matrix.controls(apparatus, file, windows)
        bodies = [floors.contract(*found) for found in matrix.differences(walked)]
        entries = [here.ledger.append(body, key) for body in bodies]
    pairs = list(zip(entries, bodies, strict=True))
    lines = [f"appended entry {entry.index}: {body['title']}" for entry, body in pairs]
    value = [{"entry": entry.index, "id": entry.id, **body} for entry, body in pairs]
    console.show(value, lines, as_json=as_json)


@anchor.command()
@click.argument("commit")
@click.option("--build", "command", required=True, help="The build command; no shell reads it.")
@click.option("--output", required=True, help="The file that the build writes, inside the tree.")
@click.option(
    "--repository", default=".", type=click.Path(path_type=Path), help="The git repository."
)
@console.json_option
def rebuild(commit: str, command: str, output: str, repository: Path, as_json: bool) -> None:
    """Build a baseline from a clean checkout of COMMIT, with its provenance beside it."""
    from engine import rebuild as rebuilding

    made = rebuilding.rebuild(repository, commit, command, output)
    value = {
        "commit": made.commit,
        "binary": str(made.binary),
        "digest": made.digest,
        "provenance": str(made.provenance),
    }
    console.show(value, [f"{name:11} {text}" for name, text in value.items()], as_json=as_json)


@click.command()
@click.argument("binaries", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--command", required=True, help="What is run, with {binary} and {raw} in it.")
@click.option("--metric", required=True, help="Which metric of the raw file is compared.")
@click.option("--repetitions", default=6, show_default=True, help="Of each binary, in turns.")
@click.option("--window", help="A window whose baseline should have been the first binary.")
@cli_terms.options
@click.option("--execute", is_flag=True, help="Really run; without it the order is shown.")
@_KEY
@console.json_option
def drift(
    binaries: tuple[Path, ...],
    command: str,
    window: str | None,
    execute: bool,
    key_path: Path | None,
    as_json: bool,
    **words: Any,
) -> None:
    """Measure BINARIES that should be one program against each other, in turns.

    With --window, the ratio of that window is taken apart: what of it came from its baseline.
    """
    from engine import drift as drifting
    from engine.apparatus import lease
    from engine.walk import Apparatus
    from ledger import session
    from receipts.clock import system_clock

    terms, asked = cli_terms.parse(words), (words["metric"], words["repetitions"])
    wanted = drifting.Asked(binaries, shlex.split(command), *asked)
    drifting.check(wanted)
    if not execute:
        named = [drifting.word(binary) for binary in binaries]
        order = [named[place] for r in (0, 1) for place in drifting.turn(len(named), r)]
        console.show({"order": order, "executes": False}, order, as_json=as_json)
        console.note("dry run: nothing was started; add --execute")
        return
    total = wanted.repetitions * len(binaries)
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        seen = drifting.seen(here, window, wanted) if window else None
        leased = lease.acquire("drift", devices=terms.devices)
        with leased as held, console.progress("drift", total) as step:
            apparatus = Apparatus(here, here.key(key_path), held, system_clock, step, terms=terms)
            builds = drifting.measure(apparatus, wanted)
    value, lines = drifting.report(builds, seen, wanted.metric)
    console.show(value, lines, as_json=as_json)
    console.finish(exits.NO if any(build.differs for build in builds) else exits.OK)
