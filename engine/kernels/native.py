"""The C kernels through ctypes: nothing is called before both sides agree on the version."""

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.contract import (
    VARIANTS,
    Decoded,
    UnavailableError,
    check_decode,
    check_matvec,
)
from engine.kernels.model import Model
from receipts.errors import MalformedError, SystemFailureError

ABI_VERSION = 1
_BAD_ARGUMENT = 1

_VARIANT, _COUNT, _ARRAY = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p
_NUMBER = ctypes.POINTER(ctypes.c_int64)
_MATVEC: list[Any] = [_VARIANT, _ARRAY, _COUNT, _COUNT, _ARRAY, _ARRAY, _NUMBER]
_DECODE: list[Any] = [_VARIANT, _ARRAY, _ARRAY, _COUNT, _COUNT, _ARRAY, _COUNT, _COUNT]
_DECODE += [_ARRAY, _ARRAY, _NUMBER, _ARRAY]


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
            self._library.mk_matvec.argtypes = _MATVEC
            self._library.mk_decode.argtypes = _DECODE
        except (OSError, AttributeError) as error:
            raise UnavailableError(f"kernels {path} do not load: {error}; delete them") from error

    def matvec(
        self, variant: str, weights: NDArray[np.int8], activation: NDArray[np.int8]
    ) -> tuple[NDArray[np.int32], int | None]:
        """Return the logits and the lowest row of the largest; see `contract.Kernels`."""
        check_matvec(variant, weights, activation)
        rows, columns = weights.shape
        logits = np.empty(rows, dtype=np.int32)
        best = ctypes.c_int64()
        status = self._library.mk_matvec(
            VARIANTS.index(variant),
            weights.ctypes.data,
            rows,
            columns,
            activation.ctypes.data,
            logits.ctypes.data,
            best,
        )
        self._check(status)
        return logits, best.value if rows else None

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

    def _check(self, status: int) -> None:
        if status:
            kind = MalformedError if status == _BAD_ARGUMENT else SystemFailureError
            raise kind(f"C kernel refused: {self._library.mk_last_error().decode()}")
