"""The verbs of `claims` for what is in public: publish, affected, rejected."""

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click

from claims.cli_desk import opened
from receipts import console, exits, files
from receipts.errors import VerificationError

if TYPE_CHECKING:
    from claims.publishing.publication import Plan

_PAGES = click.Path(path_type=Path)
_KEY = click.option("--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with.")


@click.command()
@click.argument("pages", nargs=-1, required=True, type=_PAGES)
@click.option("--dry-run", is_flag=True, help="Show what would be appended, and append nothing.")
@_KEY
@console.json_option
def publish(pages: tuple[Path, ...], dry_run: bool, key_path: Path | None, as_json: bool) -> None:
    """Put on record that PAGES are published, if all of them hold and the lock is open.

    One PUBLISHED entry for each page, all or none. Exit 1: refused; 3: there was nothing to check.
    """
    from claims.publishing import publication

    with opened(write=not dry_run) as desk:
        planned = publication.plan(desk, pages)
        refused = bool(planned.findings) or planned.is_empty
        entries = []
        if not refused and not dry_run:
            entries = publication.publish(desk, planned, desk.here.key(key_path))
    lines = [finding.line() for finding in planned.findings]
    lines += [one.summary() for one in planned.checked]
    lines += [f"condition: {condition}" for condition in planned.conditions]
    lines += [] if refused else _told(planned, [entry.index for entry in entries])
    value = {
        "published": bool(entries),
        "entries": [{"index": entry.index, "id": entry.id} for entry in entries],
        "bodies": planned.bodies,
        "findings": [finding.view() for finding in planned.findings],
        "conditions": planned.conditions,
    }
    console.show(value, lines, as_json=as_json)
    _finish(planned)


def _told(planned: "Plan", indexes: list[int]) -> list[str]:
    told = []
    for body, index in zip_longest(planned.bodies, indexes):
        name = body["title"].removeprefix("published: ")
        by = "would be published" if index is None else f"published by entry {index}"
        told.append(f"{by}: {name} ({body['page']})")
    return told


def _finish(planned: "Plan") -> None:
    if planned.findings:
        for code in dict.fromkeys(finding.code for finding in planned.findings):
            remedy = next(f.view()["remedy"] for f in planned.findings if f.code == code)
            console.note(f"{code}: {remedy}")
        console.note("claims: nothing was published")
        console.finish(exits.NO)
    if planned.is_empty:
        console.note("claims: nothing was checked on these pages, and nothing was published")
        console.finish(exits.UNDECIDED)


@click.command()
@click.argument("reference")
@click.option(
    "--write", is_flag=True, help="Put banners or tombstones over the struck ones, and on no other."
)
@console.json_option
def affected(reference: str, write: bool, as_json: bool) -> None:
    """List the sentences that rest on REFERENCE, on published pages and the documents.

    REFERENCE is a claim, an entry, a receipt, or a correction, which stands for what it strikes.
    """
    from claims.publishing import affected as affecting

    with opened() as desk:
        found = affecting.find(desk, reference)
        written, left = affecting.write(desk, found) if write else ([], [])
    value = {
        "claims": list(found.claims),
        "sentences": [one.view() for one in found.sentences],
        "gone": list(found.gone),
        "written": [str(path) for path in written],
        "left": left,
    }
    lines = [*found.lines(), *(f"written: {path}" for path in written)]
    console.show(value, lines, as_json=as_json)
    for one in left:
        console.note(f"{one}: it shares its markup with its neighbours; take it out by hand")
    console.finish(exits.NO if left else exits.OK)


@click.command()
@click.option("--output", type=_PAGES, help="File to replace with the page.")
@console.json_option
def rejected(output: Path | None, as_json: bool) -> None:
    """Write the page of levers that were rejected or reverted, or that missed."""
    from claims.notices import rejected as rejecting
    from ledger import session, verification

    with console.progress("verifying the ledger", verification.expected_entries()) as progress:
        report = verification.verify((), progress, remember=False)
    if report.findings:
        raise VerificationError(f"the ledger does not verify: {report.findings[0]}")
    with session.open_ledger(cached=False) as here:
        text = rejecting.page(here.ledger)
    if output is not None:
        files.replace(output, text.encode("utf-8"))
    shown = [f"written: {output}"] if output else text.splitlines()
    console.show({"page": text, "output": output and str(output)}, shown, as_json=as_json)


COMMANDS = (publish, affected, rejected)
