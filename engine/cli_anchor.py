"""The commands about what a delta is held against: `engine anchor` and `engine noise`."""

from pathlib import Path

import click

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
@click.option("--execute", is_flag=True, help="Really run; without it the command is shown.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@_KEY
@console.json_option
def check(
    label: str, execute: bool, command: tuple[str, ...], key_path: Path | None, as_json: bool
) -> None:
    """Measure the anchor LABEL again: engine anchor check LABEL --execute -- CMD…"""
    from engine import anchor as anchors
    from engine import engagement, lease, report, runner
    from ledger import session
    from receipts.clock import system_clock

    order = runner.Order(f"anchor.{label}", command)
    if not execute:
        console.show(*report.intention(order), as_json=as_json)
        console.note("dry run: nothing was started; add --execute")
        return
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        known = anchors.find(here.ledger, here.workspace.receipts, label)
        with lease.acquire(order.cell) as held:
            outcome = runner.run(here, here.key(key_path), held, order, system_clock)
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
@click.option("--windows", default=3, show_default=True, help="A/A windows of each cell.")
@click.option("--execute", is_flag=True, help="Really run; without it the plan is shown.")
@_KEY
@console.json_option
def noise(plan: Path, windows: int, execute: bool, key_path: Path | None, as_json: bool) -> None:
    """Walk the baseline of PLAN against itself and record the noise floor of every cell."""
    from engine import floors, lease, matrix, report
    from engine import plan as plans
    from engine.window import Apparatus
    from ledger import session
    from receipts.clock import system_clock

    file = plans.read(plan)
    if not execute:
        console.show(*report.outline(file), as_json=as_json)
        console.note(f"dry run: {windows} A/A windows of each cell; add --execute")
        return
    total = windows * matrix.repetitions(file.plan)
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        key = here.key(key_path)
        with lease.acquire(file.plan.name) as held, console.progress("A/A", total) as step:
            apparatus = Apparatus(here, key, held, system_clock, step)
            walked = matrix.controls(apparatus, file, windows)
        bodies = [floors.contract(*found) for found in matrix.differences(walked)]
        entries = [here.ledger.append(body, key) for body in bodies]
    pairs = list(zip(entries, bodies, strict=True))
    lines = [f"appended entry {entry.index}: {body['title']}" for entry, body in pairs]
    value = [{"entry": entry.index, "id": entry.id, **body} for entry, body in pairs]
    console.show(value, lines, as_json=as_json)
