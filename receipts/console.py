"""How all four commands speak: exit codes, results on stdout, everything else on stderr.

Results go to stdout, as text or, with `--json`, as one JSON document and nothing else. Errors are
one line. A traceback appears only with exit 70, which says that the bug is ours.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from unicodedata import category

import click

from receipts import files
from receipts import late as re
from receipts.errors import Error, UsageError
from receipts.exits import BUG, INTERRUPTED, SYSTEM

# Controls beyond ASCII, marks that turn the direction of writing, and bytes of file names that no
# UTF-8 can hold; JSON itself escapes the rest.
_UNSAFE = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# So many pieces of JSON, of a few characters each, are written at once.
_PIECES = 8192
_Command = TypeVar("_Command", bound=Callable[..., Any])


class Group(click.Group):
    """A command group that turns our errors into one line and their exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; map what went wrong."""
        try:
            return super().invoke(ctx)
        except Error as error:
            _fail(ctx, str(error), error.exit_code)
        except (KeyboardInterrupt, click.Abort):
            _fail(ctx, "interrupted; what was finished is on record", INTERRUPTED)
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                ctx.exit(SYSTEM)
            place = f"{error.filename}: " if error.filename else ""
            _fail(ctx, f"{place}{error.strerror or error}", SYSTEM)


def run(group: click.Group) -> NoReturn:
    """Run a command group as a program: what nobody caught is our bug, and says so."""
    try:
        group.main()
    except Exception:
        import traceback

        traceback.print_exc()
        click.echo("this is a bug in evidence-ledger; please report the lines above", err=True)
        sys.exit(BUG)


def json_option(command: _Command) -> _Command:
    """Add `--json` to a command."""
    option = click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
    )
    return option(command)


def show(value: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Print `value` as JSON or `lines` as text, whichever was asked for."""
    if as_json:
        for text in spelt(value):
            click.echo(_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text), nl=False)
    else:
        for line in lines:
            click.echo(_plain(line))


def spelt(value: Any) -> Iterator[str]:
    """Yield a value as JSON, a stretch at a time.

    It may hold objects with a `view()` of plain values: each is asked for its own when it is its
    turn, so that a long answer is never held as a whole.
    """
    pieces = json.JSONEncoder(ensure_ascii=False, indent=2, default=_view).iterencode(value)
    while stretch := "".join(islice(pieces, _PIECES)):
        yield stretch
    yield "\n"


def _view(value: Any) -> Any:
    if not hasattr(value, "view"):
        raise TypeError(f"{type(value).__name__} has no view to write as JSON")
    return value.view()


def note(message: str) -> None:
    """Tell the person something that is not the result."""
    click.echo(_plain(message), err=True)


def write(text: str) -> None:
    """Print a text of several lines, each without what could do something to a terminal."""
    for line in text.splitlines():
        click.echo(_plain(line))


def deliver(output: Path | None, text: str) -> None:
    """Write text as it is to the new file at `output`, to stdout where none is named."""
    if output is None:
        write(text)
    else:
        files.write_new(output, text.encode())


def can_edit() -> bool:
    """Say whether an editor can be opened: there is a terminal, or one was named."""
    return sys.stdin.isatty() or bool(os.environ.get("VISUAL") or os.environ.get("EDITOR"))


def edit(text: str) -> str | None:
    """Let the person edit `text` in $EDITOR; None when it was not saved."""
    return click.edit(text, extension=".yaml", require_save=True)


def ask_passphrase(path: str) -> bytes:
    """Ask for the passphrase of the key at `path`; without a terminal there is nobody to ask."""
    if not sys.stdin.isatty():
        raise UsageError(f"key {path} needs a passphrase, and there is no terminal to ask on")
    text: str = click.prompt(f"Passphrase of {path}", hide_input=True, err=True)
    return text.encode()


def finish(code: int) -> None:
    """Leave with `code`."""
    click.get_current_context().exit(code)


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[int], None]]:
    """Yield a function that is told how much more is done; draws on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield bar.update


def table(rows: list[list[str]]) -> list[str]:
    """Return lines with columns aligned to their widest cell; the first row is the header."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _fail(ctx: click.Context, message: str, code: int) -> NoReturn:
    name = ctx.find_root().info_name or "evidence-ledger"
    click.echo(f"{name}: {_plain(message)}", err=True)
    ctx.exit(code)


def _plain(line: str) -> str:
    """Return the line without what a stranger's bytes could do to a terminal or to its lines."""
    if line.isprintable():
        return line
    kept = (c if c.isprintable() or category(c) == "Zs" else ascii(c)[1:-1] for c in line)
    return "".join(kept)
