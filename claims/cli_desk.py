"""What the command modules of claims share: the desk, opened with progress on a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from receipts import console

if TYPE_CHECKING:
    from claims.desk import Desk

KEY = click.option("--key", "key_path", type=click.Path(path_type=Path), help="Key to sign with.")


@contextmanager
def opened(*, write: bool = False) -> "Iterator[Desk]":
    """Open the desk; the ledger is verified first, with progress on a terminal."""
    from claims import desk
    from ledger import verification

    with (
        console.progress("verifying the ledger", verification.expected_entries()) as progress,
        desk.open_desk(progress, write=write, ask=console.ask_passphrase) as opened_desk,
    ):
        yield opened_desk
