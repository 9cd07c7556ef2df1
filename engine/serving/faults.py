"""A repetition that does not count: its fault by name, and what was measured before it."""

from engine.results.stream_faults import FAULTS
from receipts.errors import Error


class FaultError(Error):
    """A named reason why a streamed request is no measurement; exit code 1."""

    exit_code = 1

    def __init__(self, name: str, detail: str) -> None:
        if name not in FAULTS:
            raise ValueError(f"{name} is no fault that has a name")
        super().__init__(f"{name}: {detail}")
        self.name = name
        self.detail = detail
