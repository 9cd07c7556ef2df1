"""A load on a disk: write a mebibyte and sync it, over and over, in a file of at most 64 MiB.

    python -m engine.probes.load PATH

It says `ready` after the first sync and ends when its standard input does, and so never outlives
the probe that started it.
"""

import os
import select
import sys
from pathlib import Path

from receipts import files

PIECE = 1024 * 1024
PIECES = 64


def run(path: Path) -> None:
    """Write to the new file at `path` until standard input ends."""
    data = os.urandom(PIECE)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    place = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        os.pwrite(descriptor, data, place * PIECE)
        files.sync(descriptor)
        if place == 0:
            sys.stdout.write("ready\n")
            sys.stdout.flush()
        place = (place + 1) % PIECES


if __name__ == "__main__":
    run(Path(sys.argv[1]))
