"""The option `--site` of `claims render`: the whole register as a folder of pages."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from receipts import console
from receipts.clock import system_clock
from receipts.errors import UsageError

if TYPE_CHECKING:
    from claims.desk import Desk
    from claims.judging.judge import Judgement

_Command = TypeVar("_Command", bound=Callable[..., Any])


def option(command: _Command) -> _Command:
    """Add `--site` to a command."""
    found = click.option(
        "--site",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder for static pages of the whole register, refused claims named as such.",
    )
    return found(command)


def write(
    open_desk: Callable[[], "AbstractContextManager[Desk]"],
    site: Path,
    *,
    alone: bool,
    as_json: bool,
) -> "list[Judgement]":
    """Write the site of all claims to the folder, tell what was done, return the judgements."""
    from claims.site import folder, pages

    if not alone:
        raise UsageError("--site is of the whole register: leave out claims, --format and --output")
    folder.require_ours(site)
    with open_desk() as desk:
        done = desk.judgements(())
        made = pages.build(desk, done, system_clock)
        standing = desk.standing()
    written = folder.write(site, made)
    holds = sum(judgement.holds for judgement in done)
    value = {
        "site": str(site),
        "files": written.files,
        "written": written.written,
        "removed": list(written.removed),
        "left": list(written.left),
        "claims": {judgement.claim.id: judgement.holds for judgement in done},
        "ledger": standing,
    }
    counted = f"{len(done)} claims: {holds} hold, {len(done) - holds} do not"
    told = f"{site}: {written.files} files; {counted}"
    console.show(
        value, [told, *(f"removed {name}" for name in written.removed), standing], as_json=as_json
    )
    for name in written.left:
        console.note(f"{site / name} was changed by somebody and is left; its claim is gone")
    return done
