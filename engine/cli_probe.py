"""The commands `engine probe link` and `engine probe fsync`: what carries the evidence."""

from pathlib import Path
from typing import Any

import click

from receipts import console

_PATH = click.Path(path_type=Path)
_RAW = click.option("--raw", type=_PATH, help="Write the raw rows to this new file.")
_RECORD = click.option("--record", is_flag=True, help="Run under the lease; leave a receipt.")
_NAME = click.option("--name", help="With --record: a unique name to cite the receipt by.")
_KEY = click.option("--key", "key_path", type=_PATH, help="With --record: key to sign with.")


@click.group()
def probe() -> None:
    """Probe a link between two hosts, or the syncs of a disk."""


@probe.command()
@click.option("--server", is_flag=True, help="Be the far end; for loopback unless --bind is given.")
@click.option("--client", metavar="HOST:PORT", help="Be the near end of the server there.")
@click.option("--bind", metavar="HOST", help="Server: the address to listen on  [127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="Server: its port; 0 takes a free one.")
@click.option("--for", "lifetime", metavar="S", help="Server: seconds until it ends  [600]")
@click.option("--seconds", metavar="S", help="Client: seconds of each stream and direction  [2]")
@click.option("--streams", type=int, help="Client: connections at once  [1]")
@click.option("--repetitions", type=int, help="Client: times that both ways are measured  [5]")
@click.option("--min-gbps", metavar="X", help="Client: exit 1 if a direction's busy rate is less.")
@_RAW
@_RECORD
@_NAME
@_KEY
@console.json_option
def link(server: bool, client: str | None, as_json: bool, **words: Any) -> None:
    """Measure the rate of a link, both ways, by the time in which the kernel had data to send.

    On one host: engine probe link --server --bind ADDRESS --port 4711; on the other:
    engine probe link --client ADDRESS:4711. The server authenticates nobody. Wireless interfaces
    are refused. A probe too short for the kernel's clock is PROBE_UNRESOLVED and exits 3.
    """
    _require_one_end(server, client, words)
    if client is None:
        _serve(words, as_json)
        return
    from engine.probes import link as near
    from engine.probes import program

    settings = near.Settings(
        *near.address(client),
        milliseconds=program.milliseconds("--seconds", words["seconds"] or "2"),
        streams=_given(words["streams"], 1),
        repetitions=_given(words["repetitions"], 5),
    )
    limit = _limit("--min-gbps", words["min_gbps"])
    command = ["engine.probes.link", client, "--seconds", words["seconds"] or "2"]
    command += ["--streams", str(settings.streams), "--repetitions", str(settings.repetitions)]
    data, noted = _probed(command, lambda: near.measure(settings), words)
    _conclude(near.judged(data, limit), noted, as_json)


@probe.command()
@click.argument("folder", metavar="DIR", type=_PATH)
@click.option("--iterations", type=int, default=200, show_default=True, help="Files made durable.")
@click.option("--bytes", "size", type=int, default=4096, show_default=True, help="Bytes in each.")
@click.option("--max-tail-ms", metavar="X", help="Exit 1 if one of them took longer.")
@click.option("--load", is_flag=True, help="Write and sync something else at the same time.")
@_RAW
@_RECORD
@_NAME
@_KEY
@console.json_option
def fsync(
    folder: Path,
    iterations: int,
    size: int,
    max_tail_ms: str | None,
    load: bool,
    as_json: bool,
    **words: Any,
) -> None:
    """Measure how long small files in DIR take until they are durable, step by step.

    A file system that is memory is NOT_DURABLE and exits 4.
    """
    from engine.probes import fsync as disk

    settings = disk.Settings(iterations, size, load)
    limit = _limit("--max-tail-ms", max_tail_ms)
    command = ["engine.probes.fsync", str(folder), "--iterations", str(iterations)]
    command += ["--bytes", str(size), *(["--load"] if load else [])]
    data, noted = _probed(command, lambda: disk.measure(folder, settings), words)
    _conclude(disk.judged(data, limit), noted, as_json)


def _require_one_end(server: bool, client: str | None, words: dict[str, Any]) -> None:
    from receipts.errors import UsageError

    if server == (client is not None):
        raise UsageError("give either --server or --client HOST:PORT")
    far, near = ("bind", "port", "lifetime"), ("seconds", "streams", "repetitions", "min_gbps")
    foreign = (*near, "raw", "record", "name", "key_path") if server else far
    for name in foreign:
        if words[name] not in (None, False):
            told = {"lifetime": "for", "key_path": "key"}.get(name, name).replace("_", "-")
            raise UsageError(
                f"--{told} is for the {'client' if server else 'server'}; leave it out"
            )


def _given(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _limit(option: str, text: str | None) -> Any:
    from engine.probes import program

    return None if text is None else program.decimal(option, text)


def _serve(words: dict[str, Any], as_json: bool) -> None:
    from engine.probes import program, server

    seconds = program.decimal("--for", words["lifetime"] or "600")
    listening = server.listen(words["bind"] or "127.0.0.1", _given(words["port"], 0))
    with listening:
        host, port = listening.getsockname()[:2]
        console.show(
            {"listening": host, "port": port}, [f"listening on {host} port {port}"], as_json=as_json
        )
        reach = "on loopback: only this host reaches it"
        if server.is_open(listening):
            reach = f"whoever reaches {host} can use it"
        console.note(f"this server authenticates nobody; {reach}; it ends in {float(seconds):g} s")
        server.Server(listening, console.note).serve(float(seconds))


def _probed(command: list[str], measure: Any, words: dict[str, Any]) -> tuple[bytes, list[str]]:
    """Return the raw file of a probe: measured here and now, or run under the lease."""
    from engine.probes import raw
    from receipts.errors import UsageError

    if words["record"]:
        if words["raw"]:
            raise UsageError("--record keeps the raw file in the object store; leave --raw out")
        return _recorded(command, words["name"], words["key_path"])
    if words["name"] or words["key_path"]:
        raise UsageError("--name and --key belong to --record; add it")
    place = raw.place(words["raw"])
    data = measure()
    raw.write(place, data)
    return data, [f"rows in {place}"] if place else []


def _recorded(
    command: list[str], name: str | None, key_path: Path | None
) -> tuple[bytes, list[str]]:
    """Run the probe as a program under the lease; return its raw file and where it is on record."""
    import sys

    from engine import runner
    from ledger import session
    from receipts.clock import system_clock
    from receipts.errors import UndecidedError
    from receipts.receipt import LOG, RAW

    cell = f"probe-{command[0].rpartition('.')[2]}"
    order = runner.Order(cell, [sys.executable, "-m", *command], name=name)
    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        outcome = runner.perform(here, here.key(key_path), order, system_clock)
        where = f"{outcome.uri} (entry {outcome.entry.index})"
        if outcome.receipt.statement.subject_digest(RAW) is None:
            log = outcome.receipt.statement.subject_digest(LOG)
            raise UndecidedError(f"{outcome.fault}, on record as {where}; receipts cat {log}")
        return here.workspace.objects.get(outcome.receipt.require(RAW)), [f"on record as {where}"]


def _conclude(judged: Any, noted: list[str], as_json: bool) -> None:
    from engine.probes import program, report

    file, gate = judged
    console.show(report.view(file, gate), report.text(file, gate), as_json=as_json)
    for line in noted:
        console.note(line)
    console.finish(program.code(gate))


@click.group("engine", cls=console.Group)
def _alone() -> None:
    """Hold the commands where they are started by themselves."""


_alone.add_command(probe)


def main() -> None:
    """Run the commands by themselves: python -m engine.cli_probe probe fsync DIR."""
    console.run(_alone)


if __name__ == "__main__":
    main()
