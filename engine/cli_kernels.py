"""The command `engine kernels`: what can be measured here, built, verified, and run on record."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from engine.kernel_work import KERNELS
from engine.kernels.bench import BACKENDS
from engine.kernels.contract import MAX_LAUNCHES, MAX_THREADS, VARIANTS
from receipts import console, exits

_NATIVE = tuple(name for name in BACKENDS if name not in ("auto", "numpy"))
_DECODE = "decode"
_BACKEND = click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default="auto",
    show_default=True,
    help="What runs it; auto is c, or numpy where there is no compiler, which is told.",
)
_SETTINGS = ("backend", "variant", "threads", "n", "rows", "columns", "seed")
_COUNTS = ("repetitions", "launches", "warmup")


@click.group()
def kernels() -> None:
    """Measure this machine with small kernels whose answers are known."""


@kernels.command("list")
@console.json_option
def list_(as_json: bool) -> None:
    """Say which backends can run here and, where one cannot, exactly why."""
    found = [_described(name) for name in (*_NATIVE, "numpy")]
    lines = console.table(
        [
            ["backend", "available", "what"],
            *([one["backend"], "yes" if one["available"] else "no", _what(one)] for one in found),
        ]
    )
    table = console.table(
        [
            ["kernel", "exact", "what"],
            *([one.name, "yes" if one.exact else "no", one.meaning] for one in KERNELS.values()),
        ]
    )
    told = [{"kernel": one.name, "exact": one.exact} for one in KERNELS.values()]
    console.show({"backends": found, "kernels": told}, [*lines, "", *table], as_json=as_json)


@kernels.command()
@click.argument("backends", nargs=-1, type=click.Choice(_NATIVE))
@console.json_option
def build(backends: tuple[str, ...], as_json: bool) -> None:
    """Build BACKENDS (c if left out), once for all that may differ, with their provenance.

    A device is not needed: what was built here can be carried to where there is one.
    """
    from engine import provenance
    from engine.kernels.backends import make

    value, lines = [], []
    for name in backends or ("c",):
        made = make(name)
        path = made.path or Path()
        said = provenance.read(path)
        sources = {one.name: f"{one.algorithm}:{one.digest}" for one in said.dependencies}
        value.append(
            {
                "backend": name,
                "path": str(path),
                "build": made.artefact_digest,
                "provenance": made.provenance_digest,
                "compiler": made.compiler,
                "flags": list(made.flags),
                "sources": sources,
            }
        )
        lines += [f"{name}  {made.artefact_digest}", f"  {path}", f"  by {made.compiler}"]
        lines += [f"  from {source} {digest}" for source, digest in sources.items()]
    console.show(value, lines, as_json=as_json)


@kernels.command()
@click.argument("names", nargs=-1, type=click.Choice((*KERNELS, _DECODE)))
@_BACKEND
@click.option("--seed", type=click.IntRange(0, 2**53), default=0, help="Of shapes and inputs.")
@click.option("--cases", type=click.IntRange(1, 1000), default=25, help="Shapes beside the edges.")
@console.json_option
def verify(names: tuple[str, ...], backend: str, seed: int, cases: int, as_json: bool) -> None:
    """Hold kernels (all if left out) against float64 on many shapes; exit 1 if one is wrong."""
    from engine.kernels import verifying

    found = _backend(backend)
    done = list(verifying.verify(found, names or verifying.NAMES, seed, cases))
    header = ["kernel", "variant", "held to", "cases", "result"]
    rows = [
        [
            one.kernel,
            one.variant,
            "the bit" if one.exact else "its bound",
            str(one.cases),
            one.fault or "right",
        ]
        for one in done
    ]
    told = f"backend {found.name}" + (f": {found.reason}" if found.reason else "")
    value = {"backend": found.name, "reason": found.reason, "kernels": [_plain(x) for x in done]}
    console.show(value, [told, *console.table([header, *rows])], as_json=as_json)
    console.finish(exits.NO if any(one.fault for one in done) else exits.OK)


@kernels.command()
@click.argument("kernel", type=click.Choice(tuple(KERNELS)))
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    default="tuned",
    show_default=True,
    help="How the same thing is computed.",
)
@_BACKEND
@click.option("--threads", type=click.IntRange(1, MAX_THREADS), help="Of the CPU  [all usable]")
@click.option("--n", type=click.IntRange(min=1), help="Numbers  [past the caches]")
@click.option("--rows", type=click.IntRange(min=1), help="Rows  [past the caches]")
@click.option("--columns", type=click.IntRange(min=1), help="Numbers in a row  [4096]")
@click.option("--seed", type=click.IntRange(min=0), help="Of the inputs  [0]")
@click.option("--repetitions", type=click.IntRange(1, 1000), help="With fresh inputs  [5]")
@click.option("--launches", type=click.IntRange(1, MAX_LAUNCHES), help="Measured in each  [20]")
@click.option("--warmup", type=click.IntRange(0, MAX_LAUNCHES), help="Discarded in each  [3]")
@click.option("--cell", help="What is measured; the kernel's name if left out.")
@click.option("--name", help="A unique name to cite the receipt by.")
@click.option("--device", multiple=True, metavar="ID", help="A device to lease, by its id.")
@click.option("--execute", is_flag=True, help="Really run; without it the plan is shown.")
@click.option("--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with.")
@console.json_option
def run(
    kernel: str,
    cell: str | None,
    name: str | None,
    device: tuple[str, ...],
    execute: bool,
    key_path: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Measure KERNEL in a fresh process under the host's lease, and leave a receipt.

    Its outputs are held against float64 first: a wrong answer has no speed. Exit 1 as well when a
    time is above what the hardware can do.
    """
    from engine import run_report, runner
    from engine.apparatus.terms import Terms

    order = runner.Order(cell or kernel, _command(kernel, settings), name=name)
    terms = Terms(devices=device)
    if not execute:
        console.show(*run_report.intention(order, terms), as_json=as_json)
        console.note("dry run: nothing was started; add --execute")
        return
    _run(order, terms, key_path, as_json)


def _run(order: Any, terms: Any, key_path: Path | None, as_json: bool) -> None:
    from engine import run_report, runner
    from ledger import session
    from receipts.clock import system_clock

    with session.open_ledger(write=True, ask=console.ask_passphrase) as here:
        outcome = runner.perform(here, here.key(key_path), order, system_clock, terms)
        kept = _keep_provenance(here, outcome)
    value, lines = run_report.ran(order, outcome)
    share, told, invalid = _share(outcome)
    value |= share | ({"provenance": kept} if kept else {})
    lines += told + ([f"  where its binary comes from: receipts cat {kept}"] if kept else [])
    console.show(value, lines, as_json=as_json)
    console.finish(exits.NO if invalid else outcome.exit_code)


def _command(kernel: str, settings: Mapping[str, Any]) -> list[str]:
    command = ["{python}", "-m", "engine.kernels.bench", kernel]
    for name in (*_SETTINGS, *_COUNTS):
        if settings[name] is not None:
            command += [f"--{name}", str(settings[name])]
    return [*command, "--raw", "{raw}"]


def _keep_provenance(here: Any, outcome: Any) -> str | None:
    """Store the provenance that the raw file names, so that the receipt leads to the sources."""
    from engine.kernels.backends import provenance_file

    wanted = outcome.file.runs[0].identity.get("provenance") if outcome.file else None
    data = provenance_file(str(wanted), os.environ) if wanted else None
    return None if data is None else here.workspace.objects.put(data)


def _share(outcome: Any) -> tuple[dict[str, Any], list[str], bool]:
    """Return the share of the limit as fields and lines, and whether a note bars the times."""
    from engine.results import kernel_rows

    if outcome.file is None:
        return {}, [], False
    measured = outcome.file.runs[0]
    ceiling = kernel_rows.limit(measured)
    lines = [f"  {'INVALID ' if note.bars else ''}{note}" for note in measured.notes]
    invalid = any(note.bars for note in measured.notes)
    if ceiling is None:
        return {"limit": None}, lines, invalid
    rates = sorted(measured.samples["gb_s"])
    share = f"{float(100 * rates[len(rates) // 2] / ceiling[0]):.1f}"
    limit = f"{float(ceiling[0]):.1f}"
    lines = [f"  {share} % of {limit} GB/s ({ceiling[1]})", *lines]
    return {"share_percent": share, "limit_gb_s": limit, "limit": ceiling[1]}, lines, invalid


def _described(name: str) -> dict[str, Any]:
    from engine.kernels.backends import make
    from engine.kernels.contract import UnavailableError

    try:
        made = make(name)
    except UnavailableError as error:
        return {"backend": name, "available": False, "reason": str(error)}
    info = made.info
    told: dict[str, Any] = {"backend": name, "available": info.devices > 0}
    facts = {
        "reason": info.reason,
        "native_error": info.native_error,
        "device": info.device,
        "driver": info.driver,
        "memory_bytes": info.memory,
        "cache_bytes": info.cache,
        "nominal_bytes_s": info.bandwidth,
        "compiler": made.compiler,
        "build": made.artefact_digest,
        "path": str(made.path) if made.path else None,
    }
    return told | {fact: value for fact, value in facts.items() if value}


def _what(one: Mapping[str, Any]) -> str:
    if not one["available"]:
        return str(one["reason"])
    told = [one.get("device"), one.get("compiler")]
    return ", ".join(text for text in told if text) or "slow, and says nothing about the hardware"


def _backend(name: str) -> Any:
    from engine.kernels.backends import find, probe
    from engine.kernels.contract import UnavailableError
    from receipts.errors import UndecidedError

    if name == "auto":
        return probe()
    try:
        return find(name)
    except UnavailableError as error:
        raise UndecidedError(f"nothing was verified on {name}: {error}") from error


def _plain(one: Any) -> dict[str, Any]:
    value: dict[str, Any] = {"kernel": one.kernel, "variant": one.variant, "exact": one.exact}
    value |= {"cases": one.cases, "right": one.fault is None}
    return value | ({"fault": one.fault} if one.fault else {})
