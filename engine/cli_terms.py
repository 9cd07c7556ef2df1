"""The options that say on what terms a command runs: devices, quiet, deadline, limits."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from engine.apparatus.terms import Terms

_QUIET_SECONDS = 10.0
_OPTIONS = (
    click.option("--device", multiple=True, metavar="ID", help="A device to lease, by its id."),
    click.option("--resident", multiple=True, metavar="NAME=MIB", help="A process that may stay."),
    click.option(
        "--quiet", type=float, help="Seconds of measured quiet; 10 with --device, else 0."
    ),
    click.option("--deadline", type=float, help="Seconds after which a command is ended."),
    click.option("--limit", multiple=True, metavar="NAME=VALUE", help="A limit of the apparatus."),
    click.option("--admit-profiler", is_flag=True, help="Admit `nsys profile --output=FILE CMD…`."),
)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that `parse` reads."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def parse(words: Mapping[str, Any]) -> "Terms":
    """Return the terms that these options give."""
    from engine import declared
    from engine.apparatus import holders, limits
    from engine.apparatus.terms import Terms

    wanted = _QUIET_SECONDS if words["device"] else 0.0
    return Terms(
        devices=words["device"],
        residents=[holders.parse(text) for text in words["resident"]],
        quiet=wanted if words["quiet"] is None else words["quiet"],
        deadline=words["deadline"],
        limits=limits.parse(declared.pairs("--limit", words["limit"])),
        admit_profiler=words["admit_profiler"],
    )
