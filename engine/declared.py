"""Declared facts, `--identity NAME=VALUE`: a person's word, below all that is observed or told.

A name under which a receipt puts what was observed cannot be declared, or a claim could be scoped
to a processor that nobody saw. What a raw file tells stands before what is declared about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from receipts.errors import UsageError

if TYPE_CHECKING:
    from engine.results.model import ResultFile
    from receipts.predicates import Facts

MACHINE = (
    *("host", "boot", "system", "kernel", "machine", "cpu", "cores", "memory_kib"),
    *("governor", "clock_source", "python"),
)
"""Every name that `environment.fingerprint` may use, also of what this machine does not tell."""
COMPUTED = ("program", "binary")
OBSERVED = frozenset(
    (
        *MACHINE,
        *COMPUTED,
        *("cell", "arm", "repetition", "window", "plan", "reader", "attached_on"),
    )
)


EQUIVALENCE_MARGIN = "equivalence_margin"
"""The fact of a plan's scope that declares, before its first run, what counts as no change."""


def margin(scope: Mapping[str, object]) -> Fraction | None:
    """Return the share that a plan's scope declares as no change, None where it declares none."""
    try:
        return Fraction(str(scope[EQUIVALENCE_MARGIN]))
    except (KeyError, ValueError, ZeroDivisionError):
        return None


def parse(texts: Iterable[str]) -> Facts:
    """Return the facts that `NAME=VALUE` texts declare; `UsageError` for one that cannot be."""
    facts: Facts = dict(pairs("--identity", texts))
    require(facts)
    return facts


def pairs(option: str, texts: Iterable[str]) -> dict[str, str]:
    """Return what the `NAME=VALUE` texts of an option say; `UsageError` for one that is none."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"{option} {text[:80]!r} is not NAME=VALUE")
        if name in found:
            raise UsageError(f"{option} {name} is given twice; give it once")
        found[name] = value
    return found


_GATHERED = ("devices", "driver", "container", "packages", "server_flags")
"""What only a sidecar tells, with all the parts of it."""


def declarable(name: str) -> bool:
    """Say whether a person's word is enough for the fact of this name."""
    return name not in OBSERVED and name.partition(".")[0] not in _GATHERED


def require(facts: Mapping[str, object]) -> None:
    """Return if all these names may be declared; else raise `UsageError`."""
    for name in facts:
        if not declarable(name):
            raise UsageError(
                f"--identity {name} is observed or computed and is not declared; "
                "use another name for what you know"
            )


def below(facts: Facts, file: ResultFile | None) -> tuple[Facts, list[str]]:
    """Return the facts of which `file` tells nothing, and a warning for each that it does tell."""
    runs = file.runs if file else ()
    told = {name for run in runs for name in (*run.identity, *run.config)}
    apart = [name for name in facts if name in told]
    left = {name: value for name, value in facts.items() if name not in told}
    return left, [f"declared {name} left out: the raw file tells it" for name in apart]
