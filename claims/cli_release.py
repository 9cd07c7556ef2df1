"""The verbs of `claims` for a release: lock, findings, release check."""

from pathlib import Path

import click

from claims.cli_desk import opened
from receipts import console, exits

_KEY = click.option("--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with.")


@click.group("lock", cls=console.Group)
def lock_group() -> None:
    """The release lock: which switches are on."""


@lock_group.command("show")
@console.json_option
def lock_show(as_json: bool) -> None:
    """Show the lock; exit 1 while publish is off."""
    from claims.publishing import lock
    from ledger import session

    with session.open_ledger() as here:
        now = lock.read(here.ledger)
    by = "" if now.entry is None else f" (entry {now.entry})"
    lines = [f"{name:9}  {'on' if on else 'off'}" for name, on in now.switches.items()]
    console.show(now.view(), [*lines, f"{now.reason}{by}"], as_json=as_json)
    console.finish(exits.OK if now.is_on("publish") else exits.NO)


@lock_group.command("set")
@click.argument("switches", nargs=-1, required=True, metavar="SWITCH=on|off…")
@click.option("--reason", help="Why.")
@_KEY
@console.json_option
def lock_set(
    switches: tuple[str, ...], reason: str | None, key_path: Path | None, as_json: bool
) -> None:
    """Turn SWITCHES on or off, the others stay as they are; takes an operator's key."""
    from claims.publishing import lock
    from ledger import session

    given = dict(_switch(text) for text in switches)
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        entry = lock.set_(here, given, reason, here.key(key_path))
        now = lock.read(here.ledger)
    on = ", ".join(name for name, state in now.switches.items() if state) or "none"
    console.show(now.view(), [f"lock set by entry {entry.index}; on: {on}"], as_json=as_json)


def _switch(text: str) -> tuple[str, bool]:
    name, _, state = text.partition("=")
    if state not in ("on", "off") or not name:
        raise click.UsageError(f"{text!r} is not SWITCH=on or SWITCH=off, such as publish=on")
    return name, state == "on"


@click.group("findings", cls=console.Group)
def findings_group() -> None:
    """Findings: what stops a release until it is resolved."""


@findings_group.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only those that stop a release.")
@console.json_option
def findings_list(only_open: bool, as_json: bool) -> None:
    """List the findings with what their rows together make of them."""
    from claims.publishing import findings
    from ledger import session

    with session.open_ledger() as here:
        every = findings.read(here)
    shown = [one for one in every if one.is_open or not only_open]
    table = [["ID", "SEVERITY", "STATUS", "ENTRY", "TITLE"], *(one.cells() for one in shown)]
    count = f"{sum(one.is_open for one in every)} open of {len(every)}"
    console.show([one.view() for one in shown], [*console.table(table), count], as_json=as_json)


@findings_group.command("open")
@click.argument("name", metavar="ID")
@click.option("--title", help="What was found, in one line.")
@click.option(
    "--severity",
    type=click.Choice(["low", "medium", "high", "critical"]),
    help="How grave it is; as before where it is opened again.",
)
@_KEY
@console.json_option
def findings_open(
    name: str, title: str | None, severity: str | None, key_path: Path | None, as_json: bool
) -> None:
    """Open the finding ID, or open it again."""
    from claims.publishing import findings
    from ledger import session

    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        grave = next((one for one in findings.SEVERITIES if one == severity), None)
        entry = findings.open_(here, name, grave, title, here.key(key_path))
    value = {"id": name, "entry": entry.index}
    console.show(value, [f"opened by entry {entry.index}: {name}"], as_json=as_json)


@findings_group.command("close")
@click.argument("name", metavar="ID")
@click.option(
    "--evidence",
    multiple=True,
    required=True,
    metavar="receipt://…",
    help="A receipt that shows that it is resolved.",
)
@click.option("--fence", required=True, help="What keeps it from coming back, in a sentence.")
@_KEY
@console.json_option
def findings_close(
    name: str, evidence: tuple[str, ...], fence: str, key_path: Path | None, as_json: bool
) -> None:
    """Close the finding ID; a high or critical one takes an operator's key."""
    from claims.publishing import findings
    from ledger import session

    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        entry = findings.close(here, name, evidence, fence, here.key(key_path))
    value = {"id": name, "entry": entry.index}
    console.show(value, [f"closed by entry {entry.index}: {name}"], as_json=as_json)


@click.group("release", cls=console.Group)
def release_group() -> None:
    """Whether what is claimed may be released."""


@release_group.command("check")
@click.option("--audited", is_flag=True, help="Ask for a fresh AUDIT entry that says all holds.")
@console.json_option
def release_check(audited: bool, as_json: bool) -> None:
    """Answer the one question of a release, part by part.

    Lock, findings, claims, documents, ledger. Exit 0: yes; 1: no; 3: it cannot be decided.
    """
    from claims.publishing import release

    with opened() as desk:
        found = release.check(desk, audited=audited)
    word = release.answer(found.code)
    value = {
        "release": word,
        "parts": [part.view() for part in found.parts],
        "conditions": list(found.conditions),
    }
    lines = [line for part in found.parts for line in part.lines()]
    lines += [f"condition: {condition}" for condition in found.conditions]
    console.show(value, [*lines, f"release: {word}"], as_json=as_json)
    console.finish(found.code)


COMMANDS = (lock_group, findings_group, release_group)
