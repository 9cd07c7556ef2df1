"""Matrix times vector by whatever kernels there are: the one problem that callers pose directly."""

from typing import TYPE_CHECKING, Any, Protocol

from engine.kernels.contract import How, check_matvec
from engine.kernels.problem import Problem, poisoned

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray


class _Launching(Protocol):
    def launch(self, how: How, problem: Problem, outputs: "Mapping[str, Any]") -> list[int]: ...


def solve(
    kernels: _Launching, variant: str, weights: "NDArray[np.int8]", activation: "NDArray[np.int8]"
) -> "tuple[NDArray[np.int32], int | None]":
    """Return weights × activation, and the lowest row of the largest logit (None: no rows)."""
    check_matvec(variant, weights, activation)
    rows, columns = weights.shape
    flat = {"weights": weights.reshape(-1), "activation": activation}
    problem = Problem("matvec_i8", {"rows": rows, "columns": columns}, flat)
    outputs = poisoned(problem)
    kernels.launch(How(variant), problem, outputs)
    return outputs["logits"], int(outputs["best"][0]) if rows else None
