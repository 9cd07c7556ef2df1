"""The command `claims numbers`: every number of a page, and what the scanner takes it for."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from receipts import console, exits

if TYPE_CHECKING:
    from claims.markers.classes import Classed
    from claims.scanner.vocabulary import Vocabulary

MAX_BYTES = 64 * 1024 * 1024
_CONTEXT = 32


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--class", "only", multiple=True, help="Show only this class; may be given twice.")
@console.json_option
def numbers(files: tuple[Path, ...], only: tuple[str, ...], as_json: bool) -> None:
    """Show every number of the Markdown FILES with its class and the rule that excludes it.

    Works without evidence.yaml; where there is one, its vocabulary is used. Exit 1: a number of a
    page is lost, that is, nothing says why it was not read.
    """
    from claims.markers import classes

    known = _vocabulary()
    unknown = set(only) - set(classes.CLASSES)
    if unknown:
        raise click.UsageError(f"{sorted(unknown)[0]!r} is none of {', '.join(classes.CLASSES)}")
    values: list[Any] = []
    lines: list[str] = []
    lost = False
    for path in files:
        text, found = _read(path, known)
        lost = lost or any(one.rule == "lost" for one in found)
        shown = [one for one in found if not only or one.klass in only]
        values.append({"numbers": [one.view() for one in shown]})
        lines += [*_lines(path, text, shown), f"{path}: {classes.summary(found)}"]
    if len(files) > 1:
        values = [{"file": str(path), **value} for path, value in zip(files, values, strict=True)]
    console.show(values if len(files) > 1 else values[0], lines, as_json=as_json)
    console.finish(exits.NO if lost else exits.OK)


def _read(path: Path, known: "Vocabulary") -> "tuple[str, list[Classed]]":
    from claims.markers import classes
    from claims.pages import document
    from receipts import files
    from receipts.errors import MalformedError

    text = files.text(path, MAX_BYTES, "page")
    try:
        return text, classes.classify(document.parse(text), known)
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from error


def _vocabulary() -> "Vocabulary":
    """Return the default vocabulary, with the project's own names where there is a project.

    The project is sought here first, because reading it takes heavy imports.
    """
    from claims.scanner import vocabulary

    here = Path.cwd()
    if not any((folder / "evidence.yaml").is_file() for folder in (here, *here.parents)):
        return vocabulary.DEFAULT
    from claims.recalling import whole

    known = whole.phrases()
    if known is not None:
        return vocabulary.Vocabulary(phrases=known)
    from claims.scanner import vocabulary_file
    from receipts import workspace

    place = workspace.find(here)
    names = place.configuration.vocabulary
    return vocabulary_file.read(place.root / name for name in names)


def _lines(path: Path, text: str, found: "list[Classed]") -> Iterator[str]:
    source = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rows = [
        [
            f"{path}:{one.line}:{one.column}",
            f"{one.sign}{one.text}",
            one.klass,
            one.rule or "",
            _context(source[one.line - 1], one.column - 1, len(one.text)),
        ]
        for one in found
    ]
    widths = [max((len(row[at]) for row in rows), default=0) for at in range(4)]
    for row in rows:
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*padded, row[4]]).rstrip()


def _context(line: str, at: int, length: int) -> str:
    """Return what stands around the number, in one line."""
    start, end = max(0, at - _CONTEXT), at + length + _CONTEXT
    before = "…" if start else ""
    after = "…" if end < len(line) else ""
    return f"{before}{line[start:end].strip()}{after}"
