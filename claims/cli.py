"""The command `claims`: render, check, approve and explain what is claimed."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from claims import (
    cli_adopt,
    cli_audit,
    cli_baseline,
    cli_check,
    cli_numbers,
    cli_publish,
    cli_regions,
    cli_release,
    cli_selftest,
    cli_site,
)
from claims.cli_desk import opened as _desk
from receipts import console, exits, files

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

_KEY = click.option("--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with.")
_FORMAT = click.option(
    "--format",
    "output",
    type=click.Choice(["text", "markdown"]),
    default="text",
    show_default=True,
    help="How sentences are written.",
)


def _complete_claim(ctx: click.Context, param: click.Parameter, text: str) -> list[str]:
    """Offer the claims whose id begins with what is typed."""
    from claims.recalling import whole

    known = whole.ids()
    if known is not None:
        return [claim for claim in known if claim.startswith(text)]
    from claims.registers import register
    from receipts import workspace
    from receipts.errors import Error

    try:
        place = workspace.find(Path.cwd())
        paths = [place.root / name for name in place.configuration.registers]
        return [claim for claim in register.read(paths).claims if claim.startswith(text)]
    except Error:
        return []


_CLAIM = click.argument("claim", shell_complete=_complete_claim)


@click.group(cls=console.Group)
@click.version_option(package_name="evidence-ledger")
def claims() -> None:
    """Claims, the evidence under them, and the refusal of every sentence that lacks it."""


@claims.command()
@click.argument("ids", nargs=-1, shell_complete=_complete_claim)
@_FORMAT
@click.option(
    "--output", "file", type=click.Path(path_type=Path), help="File to replace, if all hold."
)
@cli_site.option
@console.json_option
def render(
    ids: tuple[str, ...], output: str, file: Path | None, site: Path | None, as_json: bool
) -> None:
    """Render the sentences of claims IDS, or of all; refuse by name those that do not hold."""
    from claims import render as rendering
    from claims import trail

    if site is not None:
        alone = not ids and file is None and output == "text"
        done = cli_site.write(_desk, site, alone=alone, as_json=as_json)
        _tell_refusals(done)
        console.finish(exits.OK if all(judgement.holds for judgement in done) else exits.NO)
    with _desk() as desk:
        withdrawn = [] if ids else desk.taken_back()
        done = desk.judgements(ids, but={one.notice.claim for one in withdrawn})
        footnotes = desk.register.policy.footnote
        standing = desk.standing()
        text = rendering.render(done, output, standing, withdrawn, footnotes=footnotes)
    # Where everything was withdrawn, nothing holds.
    code = exits.worst(exits.OK if one.holds else exits.NO for one in done) if done else exits.NO
    if file is None or as_json:
        value = [*map(trail.view, done), *(one.view() for one in withdrawn)]
        console.show(value, text.splitlines(), as_json=as_json)
    if file and code == exits.OK:
        files.replace(file, text.encode())
    elif file:
        console.note(f"{file} was left as it was: not every sentence holds")
    _tell_refusals(done)
    console.finish(code)


@claims.command()
@_CLAIM
@console.json_option
def why(claim: str, as_json: bool) -> None:
    """Show the chain of CLAIM from the sentence down to the raw rows."""
    from claims import trail

    with _desk() as desk:
        done = desk.judgements((claim,))[0]
    console.show(trail.view(done), trail.text(done), as_json=as_json)
    console.finish(exits.OK if done.holds else exits.NO)


@claims.command()
@_CLAIM
@click.option("--condition", "conditions", multiple=True, help="A condition of the approval.")
@_KEY
@console.json_option
def approve(claim: str, conditions: tuple[str, ...], key_path: Path | None, as_json: bool) -> None:
    """Approve the sentence of CLAIM as it reads now; only one that holds can be approved."""
    from claims.publishing import approval

    with _desk(write=True) as desk:
        judgement = desk.judge.judge(desk.register.find(claim), approval=False)
        if not judgement.holds:
            _tell_refusals([judgement])
            console.note(f"claims: {claim} was not approved: its sentence does not hold")
            console.finish(exits.NO)
        entry = approval.approve(desk, judgement, conditions, key_path)
    value = {"claim": claim, "entry": entry.index, "id": entry.id, "sentence": judgement.sentence}
    lines = [f"approved by entry {entry.index}: {judgement.sentence}"]
    console.show(value, lines, as_json=as_json)


@claims.command()
@_CLAIM
@click.option("--reason", required=True, help="Why.")
@_KEY
@console.json_option
def withdraw(claim: str, reason: str, key_path: Path | None, as_json: bool) -> None:
    """Withdraw the approval of CLAIM; its sentence is refused from then on."""
    from claims.publishing import approval

    with _desk(write=True) as desk:
        entry = approval.withdraw(desk, claim, reason, key_path)
    value = {"claim": claim, "entry": entry.index, "id": entry.id}
    console.show(value, [f"withdrawn by entry {entry.index}: {claim}"], as_json=as_json)


@claims.command()
@click.argument("codes", nargs=-1)
@console.json_option
def explain(codes: tuple[str, ...], as_json: bool) -> None:
    """Explain the rules with these CODES, or list all."""
    from dataclasses import asdict

    from claims import rules

    chosen = [rules.find(code) for code in codes] or list(rules.RULES.values())
    lines = [line for rule in chosen for line in rule.lines(brief=not codes)]
    console.show([asdict(rule) for rule in chosen], lines, as_json=as_json)


def _tell_refusals(done: "list[Judgement]") -> None:
    for judgement in done:
        for refusal in judgement.refusals:
            console.note(f"REFUSED {refusal.line()}")
            console.note(f"        {refusal.view()['remedy']}")


for _command in (
    cli_check.check,
    cli_numbers.numbers,
    cli_baseline.baseline,
    cli_adopt.import_table,
    cli_adopt.suggest,
    cli_audit.audit,
    cli_regions.regions,
    cli_selftest.selftest,
    *cli_publish.COMMANDS,
    *cli_release.COMMANDS,
):
    claims.add_command(_command)


def main() -> None:
    """Run the command."""
    console.run(claims)


if __name__ == "__main__":
    main()
