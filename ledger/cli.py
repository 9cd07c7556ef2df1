"""The command `ledger`: append, read, correct and verify entries."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ledger import cli_audit, cli_campaign
from receipts import console

if TYPE_CHECKING:
    from ledger.session import Session

_KINDS = (
    "GENESIS",
    "KEY",
    "RUN",
    "ENTRY",
    "CORRECTION",
    "AMENDMENT",
    "SUPERSEDED",
    "RETRACTION",
    "CONTRACT",
    "APPROVAL",
    "LOCK",
    "FINDING",
    "PUBLISHED",
    "AUDIT",
    "RECOVERY",
)
_KEY = click.option("--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with.")


def _complete_reference(ctx: click.Context, param: click.Parameter, text: str) -> list[str]:
    """Offer the labels that begin with what is typed."""
    from ledger import session
    from receipts.errors import Error

    try:
        with session.open_ledger() as here:
            return [label for label in here.ledger.index.values("label") if label.startswith(text)]
    except Error:
        return []


_REFERENCE = click.argument("reference", shell_complete=_complete_reference)


@click.group(cls=console.Group)
@click.version_option(package_name="evidence-ledger")
def ledger() -> None:
    """The append-only, hash-chained ledger of what was believed, changed, gated and measured."""


@ledger.command()
@click.option("--origin", help="The log's name, such as perf.example.org/engine.")
@console.json_option
def init(origin: str | None, as_json: bool) -> None:
    """Find or make evidence.yaml, a key and the ledger with its genesis entry."""
    from ledger import founding, session
    from receipts.clock import system_clock

    known = session.remembered_heads()
    done = founding.found(Path.cwd(), origin, known, system_clock, console.ask_passphrase)
    value = {
        "made": done.made,
        "found": done.found,
        "origin": done.workspace.configuration.origin,
        "ledger": str(done.workspace.ledger),
        "configuration": str(done.workspace.root / "evidence.yaml"),
        "genesis": done.genesis,
        "key": str(done.key),
        "fingerprint": done.fingerprint,
        "log_key": str(done.log_key),
    }
    lines = [*(f"made  {what}" for what in done.made), *(f"found {what}" for what in done.found)]
    console.show(value, lines, as_json=as_json)


@ledger.command()
@click.option("--title", help="What the entry is about, in one line.")
@click.option("--label", help="A unique name to cite it by, such as J3.")
@click.option("--hypothesis", help="What was believed.")
@click.option("--change", help="What was changed.")
@click.option("--gate", multiple=True, metavar="NAME=pass", help="A gate and its result.")
@click.option("--verdict", metavar="OUTCOME[:SENTENCE]", help="What was concluded.")
@click.option("--evidence", multiple=True, metavar="receipt://…", help="A receipt it rests on.")
@click.option("--plan", help="Digest of the plan, for a hypothesis recorded before its runs.")
@click.option("--expected", help="The delta that is expected, with its threshold.")
@click.option("--answers", help="The open entry that this one closes.")
@click.option("--rests-on", multiple=True, help="An entry that this one's conclusion rests on.")
@click.option("--commit", help="The commit that the change is in.")
@click.option("--notes", type=click.Path(path_type=Path), help="A file with longer text to store.")
@click.option("--from", "source", metavar="FILE|-", help="Read the entry from YAML.")
@_KEY
@console.json_option
def add(source: str | None, key_path: Path | None, as_json: bool, **options: Any) -> None:
    """Append an entry: from options, from a YAML file, from stdin, or written in $EDITOR."""
    from ledger import authoring, session, view

    given = {name: value for name, value in options.items() if value not in (None, ())}
    if not given and source is None and not console.can_edit():
        raise click.UsageError("without a terminal there is no editor: give --title or --from")
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        entry = authoring.add(here, given, source, key_path, console.edit)
        _show_appended(here, view.summary(here.ledger, entry), as_json)


def _correction(name: str, help_text: str) -> None:
    """Add the verb `name`, which appends the correction of its kind."""

    @ledger.command(name, help=help_text)
    @click.argument("targets", nargs=-1, shell_complete=_complete_reference)
    @click.option("--reason", required=True, help="Why.")
    @click.option("--title", help="One line; made from what is corrected if left out.")
    @click.option("--label", help="A unique name for this entry.")
    @click.option("--affects", multiple=True, help="A field that is struck.")
    @click.option("--leaves", multiple=True, help="A field that stands.")
    @click.option("--restated", multiple=True, metavar="FIELD=TEXT", help="How it should read.")
    @click.option("--bars", multiple=True, help="A metric that may no longer be quoted.")
    @click.option("--replacement", help="The entry that takes its place.")
    @click.option("--binary", help="Also what was measured with the binary of this digest.")
    @click.option("--commit", help="Also what was measured at this commit.")
    @click.option("--window", help="Also what was measured in this window.")
    @click.option("--cell", help="Also what was measured of this cell.")
    @_KEY
    @console.json_option
    def command(
        targets: tuple[str, ...], key_path: Path | None, as_json: bool, **options: Any
    ) -> None:
        from ledger import authoring, session, view

        with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
            given = {option: value for option, value in options.items() if value not in (None, ())}
            entry = authoring.correct(here, name, targets, given, key_path)
            _show_appended(here, view.summary(here.ledger, entry), as_json)


_correction("correct", "Say that a fact in TARGETS was stated wrongly, and how it should read.")
_correction("amend", "Narrow or bar what TARGETS state.")
_correction("supersede", "Say that something later takes the place of TARGETS.")
_correction("retract", "Withdraw TARGETS; retracting a correction lifts it.")


@ledger.command()
@click.option("--from", "source", metavar="FILE|-", required=True, help="The contract, in YAML.")
@_KEY
@console.json_option
def contract(source: str, key_path: Path | None, as_json: bool) -> None:
    """Put gates and protocol rules in force from here on."""
    from ledger import authoring, session, view

    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        entry = authoring.contract(here, source, key_path)
        _show_appended(here, view.summary(here.ledger, entry), as_json)


@ledger.group(cls=console.Group)
def key() -> None:
    """Say which keys may sign what."""


@key.command("enrol")
@click.argument("public", type=click.Path(path_type=Path))
@click.option("--role", "roles", multiple=True, required=True, help="engineer, runner, …")
@click.option("--title", default="a key is enrolled", help="One line.")
@_KEY
@console.json_option
def key_enrol(
    public: Path, roles: tuple[str, ...], title: str, key_path: Path | None, as_json: bool
) -> None:
    """Enrol the key in the file PUBLIC with the roles given; enrolling again replaces them."""
    _key_entry("enrol", str(public), {"roles": list(roles), "title": title}, key_path, as_json)


@key.command("retire")
@click.argument("public")
@click.option("--reason", required=True, help="Why.")
@_KEY
@console.json_option
def key_retire(public: str, reason: str, key_path: Path | None, as_json: bool) -> None:
    """End a key's rights; what it signed before stays valid. PUBLIC: a file or a fingerprint."""
    fields = {"reason": reason, "title": "a key is retired"}
    _key_entry("retire", public, fields, key_path, as_json)


@key.command("revoke")
@click.argument("public")
@click.option("--reason", required=True, help="Why.")
@click.option("--since", type=int, help="Index from which its entries are contested.")
@_KEY
@console.json_option
def key_revoke(
    public: str, reason: str, since: int | None, key_path: Path | None, as_json: bool
) -> None:
    """End a key's rights because it cannot be trusted. PUBLIC: a file or a fingerprint."""
    fields: dict[str, Any] = {"reason": reason, "title": "a key is revoked"}
    fields |= {} if since is None else {"since": since}
    _key_entry("revoke", public, fields, key_path, as_json)


@key.command("list")
@console.json_option
def key_list(as_json: bool) -> None:
    """List the keys, their roles and whether they are valid now."""
    from ledger import session, view

    with session.open_ledger() as here:
        rows = view.key_rows(here.ledger.trust())
    table = [["FINGERPRINT", "VALID", "ROLES"]]
    table += [
        [row["fingerprint"], "yes" if row["valid"] else "no", ", ".join(row["roles"])]
        for row in rows
    ]
    console.show(rows, console.table(table), as_json=as_json)


@ledger.command("list")
@click.option(
    "--kind",
    type=click.Choice(_KINDS, case_sensitive=False),
    help="Only entries of this kind.",
)
@click.option("--last", type=click.IntRange(min=1), help="Only the last so many.")
@click.option("--no-runs", is_flag=True, help="Leave out the RUN entries.")
@console.json_option
def list_(kind: str | None, last: int | None, no_runs: bool, as_json: bool) -> None:
    """List the entries, one a line."""
    from ledger import session, view

    with session.open_ledger() as here:
        kinds = (kind.upper(),) if kind else tuple(k for k in _KINDS if k != "RUN" or not no_runs)
        rows = view.rows(here.ledger, kinds, last)
    console.show(rows, console.table(view.cells(rows)), as_json=as_json)


@ledger.command()
@_REFERENCE
@console.json_option
def show(reference: str, as_json: bool) -> None:
    """Show one entry with the banners of what later entries did to it."""
    from ledger import session, view

    with session.open_ledger() as here:
        entry = here.ledger.resolve(reference)
        value = view.full(here.ledger, entry)
    console.show(value, view.text(value), as_json=as_json)


@ledger.command()
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    help="At most so many.",
)
@console.json_option
def search(words: tuple[str, ...], limit: int, as_json: bool) -> None:
    """Search the full text of all entries."""
    from ledger import session, view

    with session.open_ledger() as here:
        rows = view.found(here.ledger, " ".join(words), limit)
    lines = [
        line
        for row in rows
        for line in (f"{row['index']}  {row['kind']}  {row['title']}", f"    {row['snippet']}")
    ]
    console.show(rows, lines or ["no entry has these words"], as_json=as_json)


for _command in (*cli_audit.COMMANDS, *cli_campaign.COMMANDS):
    ledger.add_command(_command)


def _key_entry(
    action: str, public: str, fields: dict[str, Any], key_path: Path | None, as_json: bool
) -> None:
    from ledger import authoring, session, view

    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        entry = authoring.key(here, action, public, fields, key_path)
        _show_appended(here, view.summary(here.ledger, entry), as_json)


def _show_appended(here: "Session", row: dict[str, Any], as_json: bool) -> None:
    if here.ledger.log_signer is None:
        console.note("pending: the log key is not here, so no checkpoint covers this entry yet")
    label = f" {row['label']}" if "label" in row else ""
    place = f"{row['index']}{label} ({row['kind']}, {row['id'][:16]}…)"
    console.show(row, [f"appended entry {place}: {row['title']}"], as_json=as_json)


def main() -> None:
    """Run the command."""
    console.run(ledger)


if __name__ == "__main__":
    main()
