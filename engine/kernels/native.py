"""The native kernels through ctypes: nothing is called before both sides agree on the version."""

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels import matvec
from engine.kernels.contract import (
    VARIANTS,
    Decoded,
    How,
    Info,
    UnavailableError,
    check_decode,
    check_how,
)
from engine.kernels.model import Model
from engine.kernels.problem import EPSILON, SCALAR, Problem, check_arrays
from receipts.errors import MalformedError, SystemFailureError

ABI_VERSION = 2
_BAD_ARGUMENT, _NOT_A_NUMBER = 1, 5

_INT, _COUNT, _ARRAY = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p
_NUMBER = ctypes.POINTER(ctypes.c_int64)
_DECODE: list[Any] = [_INT, _ARRAY, _ARRAY, _COUNT, _COUNT, _ARRAY, _COUNT, _COUNT]
_DECODE += [_ARRAY, _ARRAY, _NUMBER, _ARRAY]
# The arguments after `how`, by the names in mk.h; arrays unless a size or a constant.
_SIZES = ("n", "rows", "columns")
_CONSTANTS = {"scalar": SCALAR, "epsilon": EPSILON}
ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "triad": ("a", "b", "c", "scalar", "n"),
    "matvec_i8": ("weights", "rows", "columns", "activation", "logits", "best"),
    "gemv_q8_0": ("weights", "rows", "columns", "x", "y"),
    "rmsnorm": ("x", "gain", "epsilon", "rows", "columns", "y"),
    "matvec_f32": ("weights", "rows", "columns", "x", "y"),
    "argmax_f32": ("logits", "n", "best"),
}


class _How(ctypes.Structure):
    _fields_ = (
        ("variant", _INT),
        ("threads", _INT),
        ("warmup", _INT),
        ("launches", _INT),
        ("ns", _ARRAY),
    )


class _Info(ctypes.Structure):
    _fields_ = (
        ("devices", _INT),
        ("native_error", _INT),
        ("memory_bytes", _COUNT),
        ("cache_bytes", _COUNT),
        ("bandwidth_bytes_s", _COUNT),
        ("backend", ctypes.c_char * 16),
        ("device", ctypes.c_char * 128),
        ("driver", ctypes.c_char * 64),
        ("clock", ctypes.c_char * 32),
        ("reason", ctypes.c_char * 256),
    )


class Native:
    """The kernels in the shared object at `path`.

    Raises `UnavailableError` when it does not load or speaks another version of `mk.h`.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._library = ctypes.CDLL(str(path))
            version = self._library.mk_abi_version()
            if version != ABI_VERSION:
                raise UnavailableError(
                    f"kernels {path} speak mk.h version {version}, not {ABI_VERSION}; delete them"
                )
            self._library.mk_last_error.restype = ctypes.c_char_p
            self._library.mk_get_info.argtypes = [ctypes.POINTER(_Info)]
            self._library.mk_decode.argtypes = _DECODE
            self._kernels = {name: self._kernel(name) for name in ARGUMENTS}
        except (OSError, AttributeError) as error:
            raise UnavailableError(f"kernels {path} do not load: {error}; delete them") from error

    def info(self) -> Info:
        """Say what runs the kernels; see `contract.Info`."""
        told = _Info()
        self._check(self._library.mk_get_info(told))
        return Info(
            devices=told.devices,
            clock=_text(told.clock),
            device=_text(told.device),
            driver=_text(told.driver),
            reason=_text(told.reason),
            native_error=told.native_error,
            memory=told.memory_bytes,
            cache=told.cache_bytes,
            bandwidth=told.bandwidth_bytes_s,
        )

    def launch(self, how: How, problem: Problem, outputs: Mapping[str, NDArray[Any]]) -> list[int]:
        """Solve `problem` into `outputs`, timed inside; see `contract.Kernels`."""
        check_how(how)
        check_arrays(problem, outputs)
        ns = np.empty(how.launches, dtype=np.int64)
        given = _How(
            VARIANTS.index(how.variant), how.threads, how.warmup, how.launches, ns.ctypes.data
        )
        values = {
            **problem.sizes,
            **_CONSTANTS,
            **{name: array.ctypes.data for name, array in {**problem.inputs, **outputs}.items()},
        }
        arguments = [values[name] for name in ARGUMENTS[problem.kernel]]
        self._check(self._kernels[problem.kernel](given, *arguments))
        return [int(one) for one in ns]

    def matvec(
        self, variant: str, weights: NDArray[np.int8], activation: NDArray[np.int8]
    ) -> tuple[NDArray[np.int32], int | None]:
        """Return weights × activation, and the lowest row of the largest logit (None: no rows)."""
        return matvec.solve(self, variant, weights, activation)

    def decode(self, variant: str, model: Model, prompt: Sequence[int], outputs: int) -> Decoded:
        """Return a generation, timed inside C; see `contract.Kernels`."""
        check_decode(variant, model, prompt, outputs)
        vocab, width = model.weights.shape
        given = np.array(prompt, dtype=np.int32)
        tokens = np.empty(outputs, dtype=np.int32)
        token_ns = np.empty(outputs, dtype=np.int64)
        logits = np.empty(vocab, dtype=np.int32)
        prefill_ns = ctypes.c_int64()
        status = self._library.mk_decode(
            VARIANTS.index(variant),
            model.weights.ctypes.data,
            model.embeddings.ctypes.data,
            vocab,
            width,
            given.ctypes.data,
            len(given),
            outputs,
            tokens.ctypes.data,
            token_ns.ctypes.data,
            prefill_ns,
            logits.ctypes.data,
        )
        self._check(status)
        row = logits.astype("<i4").tobytes()
        return Decoded(tokens.tolist(), token_ns.tolist(), prefill_ns.value, row)

    def _kernel(self, name: str) -> Any:
        function = getattr(self._library, f"mk_{name}")
        kinds = [
            _COUNT if one in _SIZES else ctypes.c_float if one in _CONSTANTS else _ARRAY
            for one in ARGUMENTS[name]
        ]
        function.argtypes = [ctypes.POINTER(_How), *kinds]
        return function

    def _check(self, status: int) -> None:
        if status:
            kind = (
                MalformedError if status in (_BAD_ARGUMENT, _NOT_A_NUMBER) else SystemFailureError
            )
            said = self._library.mk_last_error().decode(errors="replace")
            raise kind(f"native kernel refused: {said}")


def _text(value: bytes) -> str:
    return value.decode(errors="replace")
