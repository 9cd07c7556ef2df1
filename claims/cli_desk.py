"""The desk opened for a command: the ledger is verified first, with progress on a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from receipts import console

if TYPE_CHECKING:
    from claims.desk import Desk


@contextmanager
def opened(*, write: bool = False) -> "Iterator[Desk]":
    """Open the desk for reading, or with `write` for appending."""
    from claims import desk
    from ledger import verification

    with (
        console.progress("verifying the ledger", verification.expected_entries()) as progress,
        desk.open_desk(progress, write=write, ask=console.ask_passphrase) as here,
    ):
        yield here
