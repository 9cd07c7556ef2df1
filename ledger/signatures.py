"""Check many signatures: a few at once, many in worker processes, one a core."""

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Self

from receipts.keys import Signed, failing

BATCH = 1000


class Signatures:
    """A queue of signatures; `blame` is called with the number of each that does not verify."""

    def __init__(self, blame: Callable[[int], None]) -> None:
        self.count = 0
        self._blame = blame
        self._batch: list[Signed] = []
        self._pool: Executor | None = None
        self._pending: list[Future[list[int]]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is None:
            self._report(failing(self._batch))
        else:
            self._submit(self._pool)
            self._drain(0)
            self._pool.shutdown()

    def check(self, signed: Signed) -> None:
        """Take one signature into the queue."""
        self.count += 1
        self._batch.append(signed)
        if len(self._batch) >= BATCH:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(cores(), mp_context=get_context("spawn"))
            self._submit(self._pool)
            self._drain(4 * cores())

    def _submit(self, pool: Executor) -> None:
        # Plain tuples travel between processes at a third of the cost.
        self._pending.append(pool.submit(failing, [signed[:] for signed in self._batch]))
        self._batch = []

    def _drain(self, limit: int) -> None:
        """Wait for the oldest batches until no more than `limit` are on their way."""
        while len(self._pending) > limit:
            self._report(self._pending.pop(0).result())

    def _report(self, failed: list[int]) -> None:
        for number in failed:
            self._blame(number)


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
