"""The kernels as a program: one fresh process, one kernel, one raw file that is never replaced.

    python -m engine.kernels.bench gemv_q8_0 --variant tuned --raw rows.jsonl

The raw file is canonical JSON, a value a line, as `measuring` describes it. Times are in that file
and nowhere else: what is printed is for a person who waits, not for one who measures.
`engine kernels run` is the same under a lease, with a receipt.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.kernel_work import BLOCK_NUMBERS, KERNELS
from engine.kernels.contract import MAX_LAUNCHES, MAX_THREADS, VARIANTS, How
from engine.kernels.program import guarded, require_new, within, write_rows
from receipts.canonical import MAX_INTEGER
from receipts.errors import UsageError

if TYPE_CHECKING:
    from engine.kernels.backends import Backend
    from engine.kernels.measuring import Request

BACKENDS = ("auto", "c", "cuda", "metal", "numpy")
_MAX_REPETITIONS = 1000
_MAX_MOVED = 2**34


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    options = _parser().parse_args(arguments)
    return guarded(lambda: _run(options), "size")


def _run(options: argparse.Namespace) -> str:
    path: Path = options.raw
    require_new(path)
    sizes = _sizes(options)
    # numpy and the compiler are paid for by those who measure, not by those who ask for help.
    from engine.kernels.backends import find, probe
    from engine.kernels.measuring import measure

    backend = probe() if options.backend == "auto" else find(options.backend)
    request = _request(options, sizes, backend)
    write_rows(path, measure(request, backend))
    why = f" ({backend.reason})" if backend.reason else ""
    return (
        f"mk {request.kernel} {request.how.variant} on {backend.name}{why}: "
        f"{request.repetitions} × {request.how.launches} launches in {path}"
    )


def _request(options: argparse.Namespace, sizes: dict[str, int], backend: "Backend") -> "Request":
    from engine.kernels.measuring import Request
    from engine.kernels.memory import usable_processors

    alone = backend.name != "c"
    threads = options.threads or (1 if alone else usable_processors())
    if alone and threads != 1:
        raise UsageError(f"threads are of the C kernels; {backend.name} takes 1")
    how = How(options.variant, threads, options.warmup, options.launches)
    return Request(options.kernel, how, sizes, options.seed, options.repetitions)


def _sizes(options: argparse.Namespace) -> dict[str, int]:
    kernel = KERNELS[options.kernel]
    given = {name: getattr(options, name) for name in ("n", "rows", "columns")}
    sizes = {name: value for name, value in given.items() if value is not None}
    for name, value in sizes.items():
        if name not in kernel.limits:
            raise UsageError(f"{kernel.name} has no {name}; it has {', '.join(kernel.sizes)}")
        if value > kernel.limits[name]:
            raise UsageError(f"{name} of {kernel.name} is at most {kernel.limits[name]}")
    if kernel.name == "gemv_q8_0" and sizes.get("columns", 0) % BLOCK_NUMBERS:
        raise UsageError(f"columns of {kernel.name} are a multiple of {BLOCK_NUMBERS}")
    whole = {name: sizes.get(name, 1) for name in kernel.sizes}
    if kernel.moved(whole) > _MAX_MOVED:
        raise UsageError(f"{kernel.name} of {whole} moves over {_MAX_MOVED} bytes; choose less")
    return sizes


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine.kernels.bench",
        description="Time one kernel, hold its outputs against float64 and write its raw rows.",
    )
    count = parser.add_argument
    count("kernel", choices=tuple(KERNELS), help="what is measured")
    count("--variant", choices=VARIANTS, default="tuned", help="how the same thing is computed")
    count("--backend", choices=BACKENDS, default="auto", help="auto: c, else numpy, which says so")
    count("--threads", type=within(1, MAX_THREADS), help="of the CPU; all that are usable")
    count("--n", type=within(1, 2**31 - 1), help="numbers; past the caches if left out")
    count("--rows", type=within(1, 2**31 - 1), help="likewise")
    count("--columns", type=within(1, 2**31 - 1), help="numbers in a row")
    count("--seed", type=within(0, MAX_INTEGER - _MAX_REPETITIONS), default=0, help="of the inputs")
    count("--repetitions", type=within(1, _MAX_REPETITIONS), default=5, help="with fresh inputs")
    count("--launches", type=within(1, MAX_LAUNCHES), default=20, help="measured in each")
    count("--warmup", type=within(0, MAX_LAUNCHES), default=3, help="discarded before, in each")
    count("--raw", type=Path, required=True, metavar="OUT.jsonl", help="new file for the rows")
    return parser


if __name__ == "__main__":
    sys.exit(main())
