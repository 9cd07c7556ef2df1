"""No accelerator: a driver without devices, which says so and knows nothing else."""

from collections.abc import Mapping
from typing import NoReturn

from engine.apparatus.drivers.model import Reading
from receipts.errors import NotFoundError
from receipts.predicates import Facts


class Nothing:
    """The driver of a machine on which none was found; `why` says how that was seen."""

    name = "none"

    def __init__(self, why: str = "no driver was found") -> None:
        self.why = why

    def devices(self) -> tuple[str, ...]:
        """Return no device."""
        return ()

    def read(self, device: str) -> Reading:
        """Refuse: there is no device."""
        self._refuse(device)

    def state(self, device: str) -> tuple[Facts, dict[str, str]]:
        """Refuse: there is no device."""
        self._refuse(device)

    def activity(self, device: str, since: int) -> Mapping[int, int] | None:
        """Refuse: there is no device."""
        self._refuse(device)

    def _refuse(self, device: str) -> NoReturn:
        raise NotFoundError(f"device {device} is not here: {self.why}")
