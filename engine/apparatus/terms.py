"""On what terms a command runs, beside what it is: devices, residents, quiet, deadline, limits.

The terms are fixed before the run and stand in the plan that a dry run prints and in the receipt.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from engine.apparatus.drivers import found
from engine.apparatus.drivers.model import Driver
from engine.apparatus.drivers.nothing import Nothing
from engine.apparatus.holders import Resident
from engine.apparatus.limits import Limits
from engine.statistics import decimal_text
from receipts.errors import UsageError

_LONGEST_SECONDS = 10**7


@dataclass(frozen=True)
class Terms:
    """The terms of a run; without any the host alone is leased and nothing is waited for."""

    driver: Driver | None = None
    """Who is asked about the devices; found by `resolved` where none is given."""
    devices: Sequence[str] = ()
    residents: Sequence[Resident] = ()
    quiet: float = 0
    """Seconds of measured quiet before and after the run; 0: none."""
    deadline: float | None = None
    limits: Limits = field(default_factory=Limits)
    admit_profiler: bool = False

    def __post_init__(self) -> None:
        """Refuse times that are none."""
        for option, value in (("--quiet", self.quiet), ("--deadline", self.deadline)):
            if value is not None and not 0 <= value <= _LONGEST_SECONDS:
                raise UsageError(f"{option} {value:g} is not between 0 and {_LONGEST_SECONDS} s")
        if self.deadline == 0:
            raise UsageError("--deadline 0 leaves no time; give seconds or leave it out")
        if self.residents and not self.devices:
            raise UsageError("--resident without --device: name the device that it may stay on")

    def resolved(self) -> "Terms":
        """Return these terms with the driver that knows the devices; `NotFoundError` if none does.

        Without devices nobody is asked.
        """
        if self.driver is not None:
            return self
        return replace(self, driver=found.find(tuple(self.devices)) if self.devices else Nothing())

    def asked(self) -> Driver:
        """Return the driver that is asked."""
        return self.driver or Nothing()

    def plan(self) -> dict[str, Any]:
        """Return the terms as a dry run prints them."""
        told: dict[str, Any] = {
            "devices": sorted(self.devices),
            "residents": [f"{each.name}={each.most // 2**20}" for each in self.residents],
            "quiet_seconds": float(self.quiet),
            "profiler_admitted": self.admit_profiler,
            "automatic_retry": False,
            "limits": self.limits.facts(),
        }
        return told | ({} if self.deadline is None else {"deadline_seconds": self.deadline})

    def facts(self) -> dict[str, str | int | bool]:
        """Return the terms as a receipt carries them."""
        told: dict[str, str | int | bool] = {"driver": self.asked().name}
        told |= {"quiet_seconds": _text(self.quiet), "profiler_admitted": self.admit_profiler}
        told |= {} if self.deadline is None else {"deadline_seconds": _text(self.deadline)}
        return told | {f"limit.{name}": value for name, value in self.limits.facts().items()}


def _text(seconds: float) -> str:
    return decimal_text(Fraction(seconds), 9)
