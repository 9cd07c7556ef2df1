"""The verbs that bring an existing repository under a register: `import-table`, `suggest`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from receipts import console, exits, files
from receipts.errors import NotFoundError, UsageError

_FILE = click.Path(path_type=Path)
_OUTPUT = click.option("--output", type=_FILE, help="New file to write the register to.")


@click.command("import-table")
@click.argument("file", type=_FILE)
@click.option("--column", "columns", multiple=True, metavar="ROLE=HEADER", help="Which is which.")
@_OUTPUT
@console.json_option
def import_table(file: Path, columns: tuple[str, ...], output: Path | None, as_json: bool) -> None:
    """Draft a register from the Markdown table of claims in FILE.

    Every row becomes a draft, what it cites recorded history. No draft holds until its `todo` is
    gone. ROLE is id, title, evidence, wording or status.
    """
    from claims.adopting import adoption
    from claims.pages import reading

    try:
        found = adoption.read(reading.text(file), _roles(columns))
    except NotFoundError as error:
        raise NotFoundError(f"{file}: {error}") from error
    rows = adoption.rows(found.drafts)
    review = sum(draft.status == "operator-review" for draft in found.drafts)
    _write(rows, _register(rows), output, as_json=as_json)
    console.note(f"{file}:{found.line}: {len(rows)} drafts, {review} of them in operator review")


@click.command()
@click.argument("file", type=_FILE)
@_OUTPUT
@console.json_option
def suggest(file: Path, output: Path | None, as_json: bool) -> None:
    """Draft register rows for the unbound numbers in the tables of FILE, with the lines to paste.

    The lines stand in comments behind the rows, so that all of it is YAML. Exit 3: no table of the
    page has a number that looks measured and has no marker.
    """
    from claims.adopting import suggest as suggesting
    from claims.pages import reading

    done = suggesting.suggest(reading.text(file))
    rows = list(done.rows)
    lines = {str(number): line for number, line in done.lines.items()}
    text = [*_register(rows), *_pasted(file, done.lines)]
    _write(rows, text, output, as_json=as_json, more={"lines": lines})
    if not rows:
        console.note(f"claims: {file} has no table with an unbound number")
        console.finish(exits.UNDECIDED)


def _register(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    from claims.adopting import yaml_text

    return list(yaml_text.register(rows))


def _pasted(file: Path, lines: Mapping[int, str]) -> Iterator[str]:
    for number, line in lines.items():
        yield f"# {file}:{number}"
        yield f"# {line}"


def _write(
    rows: list[dict[str, Any]],
    lines: list[str],
    output: Path | None,
    *,
    as_json: bool,
    more: Mapping[str, Any] | None = None,
) -> None:
    if output:
        files.write_new(output, "".join(f"{line}\n" for line in lines).encode())
        console.note(f"{output}: {len(rows)} drafts")
    if as_json or not output:
        console.show({"claims": rows, **(more or {})}, lines, as_json=as_json)


def _roles(texts: tuple[str, ...]) -> dict[str, str]:
    roles = {}
    for text in texts:
        role, _, header = text.partition("=")
        if not header:
            raise UsageError(f"--column {text!r} is not ROLE=HEADER")
        roles[role] = header
    return roles
