"""The verb `claims check`: pages against the register, in the format that was asked for."""

import gc
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from claims.cli_desk import opened
from claims.remembering import answers
from receipts import console, exits, files
from receipts.errors import UsageError

if TYPE_CHECKING:
    from claims.checks.baseline import Baseline
    from claims.desk import Desk
    from claims.formats.outcome import Outcome
    from receipts.workspace import Workspace

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")
# So many unbound numbers of a page a person is told one by one.
_MOST = 25
_SUMMARY = "GITHUB_STEP_SUMMARY"


@click.command()
@click.argument("pages", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How the outcome is written.",
)
@click.option(
    "--output-file", type=click.Path(path_type=Path), help="File to write the outcome to."
)
@click.option(
    "--baseline",
    "held",
    type=click.Path(path_type=Path),
    help="Baseline that holds known findings; else that of evidence.yaml.",
)
@click.option("--fresh", is_flag=True, help="Work the answer out, even if nothing has changed.")
@console.json_option
@answers.remembered
def check(
    pages: tuple[Path, ...], form: str, output_file: Path | None, held: Path | None, as_json: bool
) -> None:
    """Check Markdown PAGES, folders of them, or the documents of evidence.yaml.

    Exit 0: every number is bound, scope or excluded, and what is bound holds; 1: findings; 3:
    there was nothing to check.
    """
    if as_json and form not in ("text", "json"):
        raise UsageError(f"--json and --format {form} ask for two things; give one of them")
    form = "json" if as_json else form
    most = _MOST if form == "text" and not output_file else None
    outcome = _outcome(pages, held, most)
    _tell(outcome, form, output_file)
    if form == "github":
        _summarise(outcome)
    if outcome.code == exits.UNDECIDED:
        console.note(f"claims: {outcome.beyond[0].message}")
    console.finish(outcome.code)


def _outcome(pages: tuple[Path, ...], held: Path | None, most: int | None) -> "Outcome":
    """Return the outcome from what was established before, or the long way."""
    from claims.recalling import desk as recalled

    def ask(desk: "Desk") -> "Outcome":
        return examine(desk, pages, chosen_baseline(desk.here.workspace, held), most)

    found = recalled.told(ask)
    if found is not None:
        return found
    from claims.recalling import noting

    with opened() as desk, noting.noted(desk) as noted:
        return ask(noted)


def examine(
    desk: "Desk", given: tuple[Path, ...], held: "Baseline | None", most: int | None = None
) -> "Outcome":
    """Return the outcome of a check of the pages given, or of the documents of evidence.yaml.

    Of each page `most` unbound numbers are told one by one, and the others counted.
    """
    from claims import examining
    from claims.checks import checking
    from claims.pages import reading

    place = desk.here.workspace
    paths = reading.pages(given) if given else reading.documents(place)
    run = checking.Run(place.root, _named(place), bool(given), held)
    pages = ((str(path), reading.text(path)) for path in paths)
    checker = desk.checker()
    # Register and ledger stay until the end: the collector need not visit them page by page.
    gc.freeze()
    return examining.examine(desk, checker, run, pages, lambda name: reading.text(Path(name)), most)


def chosen_baseline(place: "Workspace", held: Path | None) -> "Baseline | None":
    """Return the baseline that was named, or that of evidence.yaml, None where there is none."""
    from claims.checks import baseline

    configured = place.configuration.baseline
    path = held or (Path(os.path.relpath(place.root / configured)) if configured else None)
    return baseline.read(path) if path else None


def _named(place: "Workspace") -> frozenset[str]:
    from claims.pages import reading

    if not place.configuration.documents:
        return frozenset()
    found = (os.path.relpath(path, place.root) for path in reading.documents(place))
    return frozenset(Path(path).as_posix() for path in found)


def _tell(outcome: "Outcome", form: str, output_file: Path | None) -> None:
    """Write the outcome; where a tool reads stdout or a file, a person still sees what it was."""
    from claims import formats

    value: Any = formats.document(form, outcome) if form in formats.DOCUMENTS else None
    lines: Iterator[str] = formats.lines(form, outcome) if value is None else iter(())
    if output_file:
        text = (
            "".join(console.spelt(value))
            if value is not None
            else "".join(f"{line}\n" for line in lines)
        )
        files.replace(output_file, text.encode())
        console.show(None, outcome.closing(), as_json=False)
        return
    console.show(value, lines, as_json=value is not None)
    if form in ("sarif", "gitlab", "junit"):
        for line in outcome.closing():
            console.note(line)


def _summarise(outcome: "Outcome") -> None:
    """Append the job's summary to the file that GitHub names, if it names one."""
    from claims.formats import github

    path = os.environ.get(_SUMMARY)
    if not path:
        return
    with suppress(FileNotFoundError):
        room = github.SUMMARY_BYTES - Path(path).stat().st_size
        with Path(path).open("ab") as stream:
            stream.write(github.summary(outcome, room).encode())
