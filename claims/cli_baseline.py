"""The verbs of `claims baseline`: what an existing repository may keep on its first day."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from claims import cli_check
from claims.cli_desk import opened
from receipts import console, exits, files
from receipts.errors import ConflictError

if TYPE_CHECKING:
    from claims.checks.baseline import Baseline

DEFAULT = Path("claims-baseline.json")

_PAGES = click.argument("pages", nargs=-1, type=click.Path(path_type=Path))
_FILE = click.option(
    "--baseline",
    "file",
    type=click.Path(path_type=Path),
    default=DEFAULT,
    show_default=True,
    help="The baseline file.",
)


@click.group()
def baseline() -> None:
    """Keep the findings of the first day in a file that only shrinks."""


@baseline.command()
@_PAGES
@_FILE
@console.json_option
def write(pages: tuple[Path, ...], file: Path, as_json: bool) -> None:
    """Write the findings of PAGES, or of the documents of evidence.yaml, to a new baseline.

    Exit 1: some findings are of rules that no baseline holds; they are listed.
    """
    from claims.checks import baseline as baselines
    from claims.checks import checking
    from claims.formats import concise

    if file.exists():
        raise ConflictError(f"{file} exists and never grows; `claims baseline shrink` shrinks it")
    with opened() as desk:
        outcome = cli_check.examine(desk, pages, None)
    found = list(checking.standing_findings(outcome))
    made = baselines.of(str(file), found)
    firm = [one for one in found if baselines.known(one) not in made.counts]
    if not outcome.pages:
        console.note("claims: no page was found; no baseline was written")
        console.finish(exits.UNDECIDED)
    files.write_new(file, baselines.text(made))
    lines = [concise.line(one) for one in firm]
    told = f"{file} holds {made.total} findings on {len(outcome.pages)} pages"
    rest = f"; {len(firm)} findings of rules that no baseline holds remain" if firm else ""
    value = {"file": str(file), "held": made.total, "refused": [one.view() for one in firm]}
    console.show(value, [*lines, told + rest], as_json=as_json)
    console.finish(exits.NO if firm else exits.OK)


@baseline.command()
@_PAGES
@_FILE
@console.json_option
def shrink(pages: tuple[Path, ...], file: Path, as_json: bool) -> None:
    """Take out of the baseline what PAGES, or all documents, no longer have; nothing is added."""
    from claims.checks import baseline as baselines

    before = baselines.read(file)
    with opened() as desk:
        outcome = cli_check.examine(desk, pages, before)
    paths = [page.path for page in outcome.pages]
    gone = set() if pages else {entry.file for entry in before.counts}.difference(paths)
    after = baselines.shrunk(before, outcome.held, [*paths, *gone])
    if baselines.text(after) != file.read_bytes():
        files.replace(file, baselines.text(after))
    removed = sum(before.counts.values()) - after.total
    value = {"file": str(file), "held": after.total, "removed": removed}
    console.show(value, [f"{file}: {removed} removed, {after.total} held"], as_json=as_json)


@baseline.command("compare")
@click.argument("older", type=click.Path(path_type=Path))
@_FILE
@console.json_option
def compare(older: Path, file: Path, as_json: bool) -> None:
    """Say whether the baseline grew since the OLDER one, such as that of the main branch."""
    from claims.checks import baseline as baselines

    new, old = baselines.read(file), baselines.read(older)
    grown = [*new.faults, *new.grown(old)]
    told = f"{file}: {_count(new)} held, {_count(old)} before, {len(grown)} findings"
    value = {"held": _count(new), "before": _count(old), "findings": [g.view() for g in grown]}
    console.show(value, [*(one.line() for one in grown), told], as_json=as_json)
    console.finish(exits.NO if grown else exits.OK)


def _count(one: "Baseline") -> int:
    return sum(one.counts.values())
