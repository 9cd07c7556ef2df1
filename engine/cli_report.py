"""The command `engine report`: windows on record again, as tables, phases and pictures."""

from pathlib import Path
from typing import Any

import click

from receipts import console, exits

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("references", metavar="WINDOW…", nargs=-1, required=True)
@click.option("--phases", is_flag=True, help="Show where the time of each repetition went.")
@click.option("--svg", type=_PATH, help="Draw the windows into this new file.")
@click.option("--png", type=_PATH, help="Draw the windows into this new file.")
@console.json_option
def report(
    references: tuple[str, ...], phases: bool, svg: Path | None, png: Path | None, as_json: bool
) -> None:
    """Show each WINDOW on record (a name or receipt://…), recomputed from its raw rows.

    With --phases a WINDOW may be the receipt of a single run, too. A window whose tokens differ has
    no timings: exit 1.
    """
    from ledger import session
    from receipts.errors import UsageError

    if phases and (svg or png):
        raise UsageError("--phases has no picture; draw the windows without it")
    with session.open_ledger() as here:
        if phases:
            console.show(*_phases(here, references), as_json=as_json)
            return
        told = _windows(here, references)
    # Drawn before anything is told: a picture that cannot be drawn is not half an answer.
    drawn = _draw(told, {"svg": svg, "png": png})
    values = [one.value for one in told]
    lines = [line for one in told for line in one.lines]
    console.show(values[0] if len(values) == 1 else values, lines, as_json=as_json)
    for path in drawn:
        console.note(f"wrote {path}")
    console.finish(exits.NO if any(one.withheld for one in told) else exits.OK)


def _windows(here: Any, references: tuple[str, ...]) -> list[Any]:
    from engine import recorded, window_report

    return window_report.tell_all(here, [recorded.window(here, one) for one in references])


def _draw(told: list[Any], wanted: dict[str, Path | None]) -> list[Path]:
    from receipts import files

    paths = {kind: path for kind, path in wanted.items() if path is not None}
    if not paths:
        return []
    from engine import plots

    cells = [cell for one in told for cell in one.cells]
    figure = plots.picture(cells, [one.withheld for one in told if one.withheld])
    for kind, path in paths.items():
        files.write_new(path, plots.render(figure, kind))  # type: ignore[arg-type]  # the options are the kinds
    return list(paths.values())


def _phases(here: Any, references: tuple[str, ...]) -> tuple[Any, list[str]]:
    from engine import phases, recorded

    repeated = [one for name in references for one in recorded.repetitions(here, name)]
    found = phases.of(repeated)
    meanings = list(phases.meanings(repeated))
    value = {"repetitions": [one.view() for one in found], "meanings": meanings}
    return value, [*console.table(phases.table(found)), *meanings]


@click.group("engine", cls=console.Group)
def _alone() -> None:
    """Hold the command where it is started by itself."""


_alone.add_command(report)


def main() -> None:
    """Run the command by itself: python -m engine.cli_report report WINDOW."""
    console.run(_alone)


if __name__ == "__main__":
    main()
