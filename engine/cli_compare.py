"""The command `engine compare`. Its exit codes are those of the field's two-column tool, 2 to 6."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from receipts import console

_Command = TypeVar("_Command", bound=Callable[..., Any])
_PATH = click.Path(path_type=Path)


def _select(name: str, help_text: str) -> Callable[[_Command], _Command]:
    return click.option(name, multiple=True, metavar="NAME=VALUE", help=help_text)


@click.command()
@click.argument("a", type=_PATH)
@click.argument("b", type=_PATH)
@click.option("--variable", multiple=True, metavar="NAME", help="A field that is meant to differ.")
@_select("--select", "Compare only the runs with this field, in both files.")
@_select("--select-a", "Likewise, in A alone.")
@_select("--select-b", "Likewise, in B alone.")
@click.option("--profile", type=_PATH, help="A YAML file of the fields that must be known.")
@click.option("--columns", multiple=True, help="How to read tables; see engine reconcile.")
@click.option(
    "--policy",
    multiple=True,
    type=click.Choice(["exclude-failed-rows"]),
    help="What becomes of rows that failed.",
)
@click.option("--env-a", type=_PATH, help="A's sidecar, if not A.env.json.")
@click.option("--env-b", type=_PATH, help="B's sidecar, if not B.env.json.")
@click.option("--no-environment", is_flag=True, help="Compare without sidecars; not publishable.")
@click.option(
    "--control",
    nargs=2,
    multiple=True,
    type=_PATH,
    metavar="A1 A2",
    help="Two files of the same code: the noise floor.",
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["text", "markdown"]),
    default="text",
    help="How to print the outcome.",
)
@click.option("--cell", default="compare", show_default=True, help="What was measured.")
@click.option("--no-record", is_flag=True, help="Leave no receipt and no entry.")
@click.option("--key", "key_path", type=_PATH, help="Key to sign with.")
@console.json_option
def compare(
    a: Path,
    b: Path,
    variable: tuple[str, ...],
    select: tuple[str, ...],
    select_a: tuple[str, ...],
    select_b: tuple[str, ...],
    profile: Path | None,
    columns: tuple[str, ...],
    policy: tuple[str, ...],
    env_a: Path | None,
    env_b: Path | None,
    no_environment: bool,
    control: tuple[tuple[Path, Path], ...],
    layout: str,
    cell: str,
    no_record: bool,
    key_path: Path | None,
    as_json: bool,
) -> None:
    """Compare raw file B with raw file A: first whether they may be compared, then what moved.

    Positive always means that B is better. Exits 0 if compared, 2 USAGE, 3 MISSING_ARM,
    4 PROFILE_MISMATCH, 5 ZERO_BASELINE, 6 PROFILE_UNVERIFIABLE. Where there is a ledger, the
    outcome, refusal included, is a signed receipt and an entry.
    """
    from engine.comparison import compare_report, comparing
    from engine.comparison.outcome import Asked
    from receipts.clock import format_time, system_clock

    if no_environment and (env_a or env_b):
        raise click.UsageError("--no-environment goes without --env-a and --env-b")
    _require_label(cell)
    started = format_time(system_clock())
    asked = Asked(variable, comparing.required(profile), frozenset(policy))
    shared = comparing.selection(select)
    found = comparing.run(
        comparing.Choice(a, env_a, {**shared, **comparing.selection(select_a)}, columns),
        comparing.Choice(b, env_b, {**shared, **comparing.selection(select_b)}, columns),
        asked,
        control,
        environment=not no_environment,
    )
    value = compare_report.view(found)
    code = found.outcome.exit_code
    if not no_record and _has_ledger():
        entered, failed = _record(found, cell, started, key_path)
        value |= entered
        code = code or failed
    lines = compare_report.markdown(found) if layout == "markdown" else compare_report.text(found)
    told = [f"receipt {value['receipt']} (entry {value['entry']})"] if "entry" in value else []
    console.show(value, [*lines, *told], as_json=as_json)
    console.finish(code)


def _require_label(cell: str) -> None:
    from receipts.errors import MalformedError, UsageError
    from receipts.shape import Labelled

    try:
        Labelled.parse({"label": cell}, "--cell")
    except MalformedError as error:
        raise UsageError(str(error)) from error


def _has_ledger() -> bool:
    from receipts import workspace
    from receipts.errors import NotFoundError

    try:
        place = workspace.find(Path.cwd())
    except NotFoundError:
        return False
    return place.ledger.exists() or place.configuration.genesis is not None


def _record(
    found: Any, cell: str, started: str, key_path: Path | None
) -> tuple[dict[str, Any], int]:
    """Return where the outcome is on record; else say why it is not, and what to exit with.

    The codes 2 to 6 are taken by refusals: a failure to record is told by another.
    """
    from engine.comparison import compare_record
    from ledger import session
    from receipts import exits
    from receipts.clock import format_time, system_clock
    from receipts.errors import Error

    try:
        with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
            times = (started, format_time(system_clock()))
            receipt, entry = compare_record.record(here, here.key(key_path), found, cell, times)
    except Error as error:
        console.note(f"not on record: {error}; --no-record compares without a ledger")
        return {}, exits.NO if error.exit_code in range(2, 7) else error.exit_code
    return {"receipt": receipt.uri if receipt else None, "entry": entry.index}, exits.OK


@click.group("engine", cls=console.Group)
def _alone() -> None:
    """Hold the command where it is started by itself."""


_alone.add_command(compare)


def main() -> None:
    """Run the command by itself: python -m engine.cli_compare compare A B."""
    console.run(_alone)


if __name__ == "__main__":
    main()
