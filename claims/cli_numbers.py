"""The command `claims numbers`: every number of a page, and what the scanner takes it for."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from receipts import console, exits

if TYPE_CHECKING:
    from claims.checks.page import Checker
    from claims.checks.spelling import Spelling
    from claims.markers.classes import Classed
    from claims.scanner.vocabulary import Vocabulary

MAX_BYTES = 64 * 1024 * 1024
_CONTEXT = 32
# A marker, a link to a claim, a footnote: without one no claim is bound, and no number is scope.
_MARKED = re.compile(r"claim|\[\^", re.IGNORECASE)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--class", "only", multiple=True, help="Show only this class; may be given twice.")
@console.json_option
def numbers(files: tuple[Path, ...], only: tuple[str, ...], as_json: bool) -> None:
    """Show every number of the Markdown FILES with its class and the rule that excludes it.

    Works without evidence.yaml; where there is one, its vocabulary is used, and for a page with
    markers its registers. Exit 1: a number of a page is lost, that is, no search for digits finds
    it, or nothing says why it was not read.
    """
    from claims.markers import classes
    from claims.scanner import vocabulary

    in_project = _is_in_project()
    known = _vocabulary() if in_project else vocabulary.DEFAULT
    unknown = set(only) - set(classes.CLASSES)
    if unknown:
        raise click.UsageError(f"{sorted(unknown)[0]!r} is none of {', '.join(classes.CLASSES)}")
    values: list[Any] = []
    lines: list[str] = []
    lost = False
    for path, text, found in _read(files, known, in_project=in_project):
        lost = lost or any(one.rule == "lost" for one in found)
        shown = [one for one in found if not only or one.klass in only]
        values.append({"numbers": [one.view() for one in shown]})
        lines += [*_lines(path, text, shown), f"{path}: {classes.summary(found)}"]
    if len(files) > 1:
        values = [{"file": str(path), **value} for path, value in zip(files, values, strict=True)]
    console.show(values if len(files) > 1 else values[0], lines, as_json=as_json)
    console.finish(exits.NO if lost else exits.OK)


def _read(
    paths: tuple[Path, ...], vocabulary: "Vocabulary", *, in_project: bool
) -> "Iterator[tuple[Path, str, list[Classed]]]":
    from claims.checks import spelling
    from claims.markers import classes
    from receipts import files
    from receipts.errors import MalformedError

    with ExitStack() as opened:
        register = _Register(opened, in_project=in_project)
        for path in paths:
            text = files.text(path, MAX_BYTES, "page")
            try:
                spelt = spelling.read(text)
                known = register.classes(str(path), text)
                found = classes.classify(spelt.page, vocabulary, known)
                found = [_as_written(spelt, one) for one in found]
            except MalformedError as error:
                raise MalformedError(f"{path}: {error}") from error
            yield path, text, found


def _as_written(spelt: "Spelling", one: "Classed") -> "Classed":
    start = spelt.page.places.line_starts[one.line - 1] + one.column - 1
    return replace(one, text=spelt.as_written(start, one.text))


class _Register:
    """What the registers say of the numbers of pages; opened for the first page with a marker."""

    def __init__(self, opened: ExitStack, *, in_project: bool) -> None:
        self._opened = opened
        self._in_project = in_project

    def classes(self, name: str, text: str) -> dict[int, str]:
        """Return the classes that only the register tells, by rendered offset."""
        if not self._in_project or not _MARKED.search(text) or self._checker is None:
            return {}
        done = self._checker.check(name, text)
        return {**dict.fromkeys(done.unbound, "unbound"), **done.class_at}

    @cached_property
    def _checker(self) -> "Checker | None":
        """What checks pages; None, with a word on why, where there is nothing to check against."""
        from claims.cli_desk import opened
        from receipts.errors import Error

        try:
            return self._opened.enter_context(opened()).checker()
        except Error as error:
            console.note(f"claims: without the register, so no number is told as scope: {error}")
            return None


def _is_in_project() -> bool:
    here = Path.cwd()
    return any((folder / "evidence.yaml").is_file() for folder in (here, *here.parents))


def _vocabulary() -> "Vocabulary":
    """Return the default vocabulary with the project's own names, from memory where it knows."""
    from claims.recalling import whole
    from claims.scanner import vocabulary

    known = whole.phrases()
    if known is not None:
        return vocabulary.Vocabulary(phrases=known)
    from claims.scanner import vocabulary_file
    from receipts import workspace

    place = workspace.find(Path.cwd())
    return vocabulary_file.read(place.root / name for name in place.configuration.vocabulary)


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
