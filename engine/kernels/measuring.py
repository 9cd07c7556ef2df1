"""One measurement of a kernel as the rows of a raw file: values in, rows out, nothing written.

The first row says what ran, the others what each repetition gave, with inputs of its own::

    {"format":"evidence-ledger/kernel-rows/v1","instrument":"mk","kernel":"gemv_q8_0",…}
    {"repetition":0,"ns":[2106000,…],"best":17,"output":"sha256:…","triad_ns":[5900000,…]}

Nothing is written of a repetition whose outputs are not what float64 says: a wrong answer has no
speed. Where the driver tells no bandwidth, triad is measured before each repetition, on the same
backend with the same threads: what no launch should beat. Specification:
docs/reference/formats/kernel-rows.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.kernel_work import KERNELS, TRIAD
from engine.kernels.backends import NUMPY, Backend, kernels
from engine.kernels.contract import How, Kernels
from engine.kernels.memory import array_bytes, last_level_cache
from engine.kernels.problem import Arrays, Problem, difference, largest, poisoned, pose
from receipts.digest import Digest
from receipts.errors import VerificationError

FORMAT = "evidence-ledger/kernel-rows/v1"
_TRIAD_LAUNCHES = 5


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be measured; sizes that are left out fill the memory past the caches.

    `array` is how many bytes are past the caches, where that is known better than the machine does.
    """

    kernel: str
    how: How
    sizes: Mapping[str, int]
    seed: int = 0
    repetitions: int = 1
    array: int | None = None

    def past(self, cache: int) -> int:
        """Return the bytes of an array that a cache of so many cannot hold."""
        return array_bytes(cache) if self.array is None else self.array


def measure(request: Request, backend: Backend) -> list[dict[str, Any]]:
    """Return the header and a row a repetition.

    Raises `VerificationError` for outputs that are wrong, `MalformedError` for what is refused.
    """
    able = kernels(backend)
    cache = cache_of(backend, request.how.threads)
    sizes = complete(request, cache)
    ceiling = _ceiling(request, backend, cache)
    rows = [_header(request, backend, sizes, cache, ceiling)]
    for repetition in range(request.repetitions):
        # The triad first: the kernel must not find its own inputs in the cache.
        limit = {} if ceiling is None else {"triad_ns": _launch(able, request, ceiling)[0]}
        problem = pose(request.kernel, sizes, request.seed + repetition)
        ns, outputs = _launch(able, request, problem)
        _require_right(request, backend, problem, outputs)
        told = {"repetition": repetition, "ns": ns, "best": largest(outputs)}
        rows.append(told | {"output": digest(outputs)} | limit)
    return rows


def cache_of(backend: Backend, threads: int) -> int:
    """Return the bytes of the last level of cache, 0 where nobody tells."""
    device = backend.name not in ("c", NUMPY)
    return backend.info.cache if device else last_level_cache(threads)


def complete(request: Request, cache: int) -> dict[str, int]:
    """Return the sizes asked for, the others such that no cache holds the arrays."""
    wanted = dict(request.sizes)
    if wanted.keys() == KERNELS[request.kernel].limits.keys():
        return wanted
    columns = {"columns": wanted["columns"]} if "columns" in wanted else {}
    return KERNELS[request.kernel].filling(request.past(cache), **columns) | wanted


def digest(outputs: Arrays) -> Digest:
    """Return the digest of the outputs one after the other, in the order of `mk.h`."""
    little = (array.astype(array.dtype.newbyteorder("<")) for array in outputs.values())
    return Digest.of(b"".join(array.tobytes() for array in little))


def _ceiling(request: Request, backend: Backend, cache: int) -> Problem | None:
    """Return the triad that limits the kernel; None where the driver does, or nothing can."""
    if backend.info.bandwidth or request.kernel == TRIAD or backend.name == NUMPY:
        return None
    return pose(TRIAD, KERNELS[TRIAD].filling(request.past(cache)), request.seed)


def _launch(able: Kernels, request: Request, problem: Problem) -> tuple[list[int], Arrays]:
    how = request.how
    if problem.kernel != request.kernel:
        how = How("tuned", how.threads, warmup=1, launches=_TRIAD_LAUNCHES)
    outputs = poisoned(problem)
    return able.launch(how, problem, outputs), outputs


def _require_right(request: Request, backend: Backend, problem: Problem, outputs: Arrays) -> None:
    wrong = difference(problem, outputs)
    if wrong:
        what = f"{request.kernel} {request.how.variant} on {backend.name}"
        raise VerificationError(f"{what} is wrong, and its time worth nothing: {wrong}")


def _header(
    request: Request,
    backend: Backend,
    sizes: Mapping[str, int],
    cache: int,
    ceiling: Problem | None,
) -> dict[str, Any]:
    facts = {
        "format": FORMAT,
        "instrument": "mk",
        "kernel": request.kernel,
        "variant": request.how.variant,
        "backend": backend.name,
        "reason": backend.reason,
        "compiler": backend.compiler,
        "build": backend.artefact_digest,
        "provenance": backend.provenance_digest,
        "source": backend.source_digest,
        "device": backend.info.device or None,
        "driver": backend.info.driver or None,
        **sizes,
        "threads": request.how.threads,
        "seed": request.seed,
        "warmup": request.how.warmup,
        "launches": request.how.launches,
        "clock": backend.info.clock,
        "cache_bytes": cache or None,
        "nominal_bytes_s": backend.info.bandwidth or None,
        "triad_n": ceiling.sizes["n"] if ceiling else None,
    }
    return {name: fact for name, fact in facts.items() if fact is not None}
