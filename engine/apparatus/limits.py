"""Every number by which the apparatus refuses or taints, with the default and where it is from.

`--limit NAME=VALUE` changes one for one run; the receipt carries all of them, so that a limit which
was loosened shows where the numbers stand.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from engine.statistics import decimal_text
from receipts.errors import UsageError
from receipts.predicates import Facts

_DIGITS = 6


@dataclass(frozen=True)
class Limits:
    """What is still quiet, what taints, and how long is waited; all are upper limits."""

    utilisation: Fraction = Fraction(0)
    """Percent of a device in a quiet sample."""
    processors: Fraction = Fraction(1, 4)
    """Processors busy in a quiet sample: a fraction of all would hide one neighbour among 64."""
    pressure: Fraction = Fraction(5, 100)
    """Share of a quiet sample in which some task waited for a processor."""
    run_pressure: Fraction = Fraction(1, 100)
    """The same share of a whole run: above it, the run is tainted."""
    steal: Fraction = Fraction(5, 1000)
    """Share of processor time that a hypervisor gave away during a run."""
    clock_drop: Fraction = Fraction(15, 100)
    """Share by which a busy device's clock may fall below its highest of the run."""
    unexplained_mib: Fraction = Fraction(256)
    """Memory of a device that no listed process holds."""
    reserved_mib: Fraction = Fraction(1024)
    """What is allowed on top where the driver does not tell its own reserve apart."""
    drain_mib: Fraction = Fraction(2048)
    """Memory of a device that counts as drained."""
    drain_seconds: Fraction = Fraction(60)
    """How long a device is waited for to be drained."""
    drain_samples: Fraction = Fraction(3)
    """How many readings in a row must be idle before a device counts as drained."""
    patience: Fraction = Fraction(3)
    """How many times its own length a quiet period is waited for."""

    def facts(self) -> Facts:
        """Return the limits as a receipt carries them."""
        named: dict[str, Fraction] = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: decimal_text(value, _DIGITS) for name, value in named.items()}


def parse(pairs: Mapping[str, str] | Iterable[tuple[str, str]]) -> Limits:
    """Return the limits with those in `pairs` changed; `UsageError` for one that is none."""
    known = {each.name.replace("_", "-"): each.name for each in fields(Limits)}
    changed: dict[str, Any] = {}
    for name, text in dict(pairs).items():
        if name not in known:
            raise UsageError(f"--limit {name[:40]!r} is unknown; known are {', '.join(known)}")
        changed[known[name]] = _number(name, text)
    return replace(Limits(), **changed)


def _number(name: str, text: str) -> Fraction:
    try:
        value = Fraction(text if len(text) <= 20 else "")
    except (ValueError, ZeroDivisionError) as error:
        raise UsageError(f"--limit {name}: {text[:40]!r} is no number; write 0.05") from error
    if not 0 <= value <= 10**9:
        raise UsageError(f"--limit {name}: {text} is not between 0 and 1000000000")
    return value
