"""The verb `claims regions`: the generated text of pages, written anew."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from claims.cli_desk import opened
from receipts import console, exits
from receipts.errors import UsageError

if TYPE_CHECKING:
    from claims.publishing.regenerating import Plan


@click.command()
@click.argument("pages", nargs=-1, type=click.Path(path_type=Path))
@click.option("--write", is_flag=True, help="Replace the pages that have a stale region.")
@click.option("--check", is_flag=True, help="Name the stale regions, and exit 1 if there is one.")
@console.json_option
def regions(pages: tuple[Path, ...], write: bool, check: bool, as_json: bool) -> None:
    """Show how the generated regions of PAGES, or of all documents, would be written anew.

    A region stands between `<!-- claim:begin ID -->` and `<!-- claim:end ID -->`. Without --write
    nothing is written. Exit 1: a sentence does not hold, and no page is written; 3: no region.
    """
    from claims.pages import reading
    from claims.publishing import regenerating

    if write and check:
        raise UsageError("--write and --check ask for two things; give one of them")
    with opened() as desk:
        place = desk.here.workspace
        planned = regenerating.plan(
            desk, reading.pages(pages) if pages else reading.documents(place)
        )
    stale = bool(planned.stale)
    written = regenerating.write(planned) if write and not planned.refusals else []
    value = {
        "pages": [page.view() for page in planned.pages],
        "refusals": [one.view() for one in planned.refusals],
        "written": list(map(str, written)),
    }
    lines = [*_told(planned, check=check or write), *(f"written: {path}" for path in written)]
    summary = _summary(planned, written=bool(written))
    console.show(value, [*lines, summary], as_json=as_json)
    _notes(planned, written=bool(written), check=check)
    if not planned.count and not planned.refusals:
        console.finish(exits.UNDECIDED)
    console.finish(exits.NO if planned.refusals or (check and stale) else exits.OK)


def _told(planned: "Plan", *, check: bool) -> Iterator[str]:
    """Yield what is wrong; else each stale region, in one line or as the change that it needs."""
    if planned.refusals:
        yield from (one.line() for one in planned.refusals)
        return
    for page in planned.pages:
        if not check:
            yield from page.difference()
            continue
        for one in page.stale:
            how = "edited by hand" if one.edited else "not as its claim renders now"
            yield f"{page.path}:{one.line}:{one.column}: {one.claim}: {how}"


def _summary(planned: "Plan", *, written: bool) -> str:
    fate = f"{len(planned.stale)} {'written' if written else 'stale'}"
    done = "none written" if planned.refusals else fate
    return f"{planned.count} regions on {len(planned.pages)} pages: {done}"


def _notes(planned: "Plan", *, written: bool, check: bool) -> None:
    for code in dict.fromkeys(one.code for one in planned.refusals):
        remedy = next(one.view()["remedy"] for one in planned.refusals if one.code == code)
        console.note(f"{code}: {remedy}")
    for line in planned.beside:
        console.note(f"beside it a reader should see: {line}")
    if planned.refusals:
        console.note("claims: no page was written: not every region can be")
    elif not planned.count:
        console.note("claims: no page has a region; write <!-- claim:begin ID --> and its end")
    elif planned.stale and not written and not check:
        console.note("claims: nothing was written; --write writes it")
