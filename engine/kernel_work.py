"""The kernels that can be measured: their sizes, and what each launch moves and computes.

    KERNELS["gemv_q8_0"].moved({"rows": 4096, "columns": 4096})  ->  bytes of one launch

Bytes are counted once for each array that is read or written, as STREAM counts them: what a cache
reads again, or reads before it is overwritten, is not in it. Pure; the reader of raw files uses it
too, so that a rate follows from sizes and times alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

Sizes = Mapping[str, int]

BLOCK_NUMBERS = 32
BLOCK_BYTES = 34
USUAL_COLUMNS = 4096
TRIAD = "triad"


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel of `mk.h`; `exact` kernels give the same bits however they are run.

    `moved` gives the bytes of a launch, `operations` its floating-point operations (0: none).
    `limits` are the greatest sizes, which are counts of at least 1 where something is measured.
    """

    name: str
    exact: bool
    limits: Mapping[str, int]
    moved: Callable[[Sizes], int]
    operations: Callable[[Sizes], int]
    meaning: str

    @property
    def sizes(self) -> tuple[str, ...]:
        """The names of its sizes."""
        return tuple(self.limits)

    def filling(self, size: int, columns: int = USUAL_COLUMNS) -> dict[str, int]:
        """Return sizes at which the largest array has at least `size` bytes."""
        if "n" in self.limits:
            return {"n": -(-size // 4)}
        row = self.moved({"rows": 2, "columns": columns}) - self.moved(
            {"rows": 1, "columns": columns}
        )
        return {"rows": -(-size // row), "columns": columns}


def _q8_bytes(numbers: int) -> int:
    return numbers // BLOCK_NUMBERS * BLOCK_BYTES


_MATRIX = {"rows": 2**31 - 1, "columns": 131_071}
_VECTOR = {"n": 2**31 - 1}


def _product(sizes: Sizes) -> int:
    return sizes["rows"] * sizes["columns"]


_ALL = (
    Kernel(
        name=TRIAD,
        exact=True,
        limits=_VECTOR,
        moved=lambda s: 12 * s["n"],
        operations=lambda s: 2 * s["n"],
        meaning="a = b + s · c in float: the bandwidth of the memory",
    ),
    Kernel(
        name="matvec_i8",
        exact=True,
        limits=_MATRIX,
        moved=lambda s: _product(s) + s["columns"] + 4 * s["rows"],
        operations=lambda _: 0,
        meaning="int8 matrix times vector, and the row of the largest: the heart of the decoder",
    ),
    Kernel(
        name="gemv_q8_0",
        exact=False,
        limits=_MATRIX,
        moved=lambda s: (
            s["rows"] * _q8_bytes(s["columns"]) + _q8_bytes(s["columns"]) + 4 * s["rows"]
        ),
        operations=lambda s: 2 * _product(s),
        meaning="matrix times vector in q8_0 blocks: what limits the decoding of quantised models",
    ),
    Kernel(
        name="rmsnorm",
        exact=False,
        limits=_MATRIX,
        moved=lambda s: 8 * _product(s) + 4 * s["columns"],
        operations=lambda s: 4 * _product(s),
        meaning="rows divided by their root mean square: launches and small sums",
    ),
    Kernel(
        name="matvec_f32",
        exact=False,
        limits=_MATRIX,
        moved=lambda s: 4 * (_product(s) + s["columns"] + s["rows"]),
        operations=lambda s: 2 * _product(s),
        meaning="float matrix times vector, whose variants add in other orders on purpose",
    ),
    Kernel(
        name="argmax_f32",
        exact=True,
        limits=_VECTOR,
        moved=lambda s: 4 * s["n"],
        operations=lambda _: 0,
        meaning="the lowest index of the largest logit: an instrument of exactness",
    ),
)

KERNELS: Mapping[str, Kernel] = MappingProxyType({kernel.name: kernel for kernel in _ALL})
