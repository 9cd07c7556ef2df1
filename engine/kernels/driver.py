"""The CUDA driver through ctypes: memory that is given back, launches, and events around them.

    driver = Driver()                      raises UnavailableError with the driver's own reason
    code = driver.load(cubin)
    with driver.memory() as memory:
        there = memory.copy(array)
        ns = driver.timed(lambda: driver.start(code, Step("triad_plain", 1, 256, (there, …))))

Nothing is linked: a machine without the driver says so when it is asked, and not before. Names and
numbers are those of `cuda.h`.
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.contract import Info, UnavailableError
from receipts.errors import SystemFailureError

LIBRARY = "libcuda.so.1"
CLOCK = "cuEvent"
_UNITS, _CLOCK_RATE, _BUS_WIDTH, _CACHE, _MAJOR, _MINOR = 16, 36, 37, 38, 75, 76
_NO_MEMORY, _NO_DRIVER, _NO_DEVICE = 2, 35, 100
_INT, _SIZE, _POINTER = ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p
_ADDRESS = ctypes.c_uint64
_WORDS: dict[str, tuple[Any, ...]] = {
    "cuInit": (ctypes.c_uint,),
    "cuDriverGetVersion": (_POINTER,),
    "cuDeviceGetCount": (_POINTER,),
    "cuDeviceGet": (_POINTER, _INT),
    "cuDeviceGetName": (_POINTER, _INT, _INT),
    "cuDeviceTotalMem_v2": (_POINTER, _INT),
    "cuDeviceGetAttribute": (_POINTER, _INT, _INT),
    "cuDevicePrimaryCtxRetain": (_POINTER, _INT),
    "cuCtxSetCurrent": (_POINTER,),
    "cuModuleLoadData": (_POINTER, _POINTER),
    "cuModuleGetFunction": (_POINTER, _POINTER, ctypes.c_char_p),
    "cuMemAlloc_v2": (_POINTER, _SIZE),
    "cuMemFree_v2": (_ADDRESS,),
    "cuMemcpyHtoD_v2": (_ADDRESS, _POINTER, _SIZE),
    "cuMemcpyDtoH_v2": (_POINTER, _ADDRESS, _SIZE),
    "cuMemsetD8Async": (_ADDRESS, ctypes.c_ubyte, _SIZE, _POINTER),
    "cuEventCreate": (_POINTER, ctypes.c_uint),
    "cuEventRecord": (_POINTER, _POINTER),
    "cuEventSynchronize": (_POINTER,),
    "cuEventElapsedTime": (_POINTER, _POINTER, _POINTER),
    "cuLaunchKernel": (_POINTER, *[ctypes.c_uint] * 7, _POINTER, _POINTER, _POINTER),
    "cuGetErrorString": (_INT, _POINTER),
}


class Place(ctypes.c_uint64):
    """An address in the device's memory, as a kernel's argument."""


@dataclass(frozen=True, slots=True)
class Step:
    """One launch: a kernel by name, its blocks and their threads, its arguments in order."""

    kernel: str
    blocks: int
    threads: int
    arguments: Sequence[Any]


class Driver:
    """The first device. Raises `UnavailableError` where there is no driver or no device."""

    def __init__(self, library: str = LIBRARY) -> None:
        try:
            self._cuda = ctypes.CDLL(library)
            for name, words in _WORDS.items():
                getattr(self._cuda, name).argtypes = words
        except (OSError, AttributeError) as error:
            raise UnavailableError(f"no CUDA driver: {error}") from error
        self.say("cuInit", 0)
        if not self._number("cuDeviceGetCount"):
            raise UnavailableError(f"CUDA error {_NO_DEVICE}: no device")
        self._device = self._number("cuDeviceGet", 0)
        context = _POINTER()
        self.say("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._device)
        self.say("cuCtxSetCurrent", context)
        self._begin, self._end = self._event(), self._event()

    def info(self) -> Info:
        """Say what the device is; its nominal bandwidth has two transfers a clock."""
        name, memory = ctypes.create_string_buffer(128), _SIZE()
        self.say("cuDeviceGetName", name, len(name), self._device)
        self.say("cuDeviceTotalMem_v2", ctypes.byref(memory), self._device)
        version = self._number("cuDriverGetVersion")
        return Info(
            devices=self._number("cuDeviceGetCount"),
            clock=CLOCK,
            device=name.value.decode(errors="replace"),
            driver=f"CUDA driver interface {version // 1000}.{version % 1000 // 10}",
            memory=memory.value,
            cache=self._attribute(_CACHE),
            bandwidth=self._attribute(_CLOCK_RATE) * 1000 * 2 * (self._attribute(_BUS_WIDTH) // 8),
        )

    @property
    def architecture(self) -> str:
        """The device's own, such as `sm_90`."""
        return f"sm_{self._attribute(_MAJOR)}{self._attribute(_MINOR)}"

    @property
    def units(self) -> int:
        """The number of its multiprocessors."""
        return self._attribute(_UNITS)

    def load(self, code: bytes) -> Callable[[Step], None]:
        """Return what launches the kernels of a cubin by name."""
        module, functions = _POINTER(), dict[str, Any]()
        self.say("cuModuleLoadData", ctypes.byref(module), code)

        def start(step: Step) -> None:
            if step.kernel not in functions:
                found = _POINTER()
                name = step.kernel.encode()
                self.say("cuModuleGetFunction", ctypes.byref(found), module, name)
                functions[step.kernel] = found
            self._launch(functions[step.kernel], step)

        return start

    def _launch(self, function: Any, step: Step) -> None:
        places = [ctypes.addressof(argument) for argument in step.arguments]
        arguments = (_POINTER * len(places))(*places)
        shape = (step.blocks, 1, 1, step.threads, 1, 1, 0)
        self.say("cuLaunchKernel", function, *shape, None, arguments, None)

    def timed(self, action: Callable[[], None]) -> int:
        """Return the nanoseconds between two events on the device around what `action` launches."""
        milliseconds = ctypes.c_float()
        self.say("cuEventRecord", self._begin, None)
        action()
        self.say("cuEventRecord", self._end, None)
        self.say("cuEventSynchronize", self._end)
        span = ctypes.byref(milliseconds), self._begin, self._end
        self.say("cuEventElapsedTime", *span)
        return int(milliseconds.value * 1e6 + 0.5)

    @contextmanager
    def memory(self) -> "Iterator[Memory]":
        """Give memory of the device that is given back at the end, whatever happens."""
        held = Memory(self)
        try:
            yield held
        finally:
            held.release()

    def fill(self, place: Place, byte: int, size: int) -> None:
        """Set every byte from `place` on, in the order of launches."""
        self.say("cuMemsetD8Async", place.value, byte, size, None)

    def _number(self, name: str, *words: Any) -> int:
        value = _INT()
        self.say(name, ctypes.byref(value), *words)
        return value.value

    def _attribute(self, which: int) -> int:
        return self._number("cuDeviceGetAttribute", which, self._device)

    def _event(self) -> Any:
        event = _POINTER()
        self.say("cuEventCreate", ctypes.byref(event), 0)
        return event

    def say(self, name: str, *words: Any) -> None:
        """Say one of the driver's words; what it answers instead of success is raised."""
        status = getattr(self._cuda, name)(*words)
        if status == 0:
            return
        told = ctypes.c_char_p()
        self._cuda.cuGetErrorString(status, ctypes.byref(told))
        why = (told.value or b"unknown").decode(errors="replace")
        sentence = f"CUDA error {status}: {why} ({name})"
        if status in (_NO_DRIVER, _NO_DEVICE):
            raise UnavailableError(sentence)
        raise SystemFailureError(sentence)


class Memory:
    """Arrays on the device, until `release`."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._held: list[Place] = []

    def take(self, size: int) -> Place:
        """Return the place of `size` bytes, of which nothing is known."""
        place = Place()
        self._driver.say("cuMemAlloc_v2", ctypes.byref(place), max(size, 1))
        self._held.append(place)
        return place

    def copy(self, array: NDArray[Any]) -> Place:
        """Return the place of a copy of `array`, which is without gaps."""
        place = self.take(array.nbytes)
        if array.nbytes:
            words = place.value, array.ctypes.data, array.nbytes
            self._driver.say("cuMemcpyHtoD_v2", *words)
        return place

    def read(self, place: Place, to: NDArray[np.generic]) -> None:
        """Copy what is at `place` into an array."""
        if to.nbytes:
            words = to.ctypes.data, place.value, to.nbytes
            self._driver.say("cuMemcpyDtoH_v2", *words)

    def release(self) -> None:
        """Give everything back."""
        for place in self._held:
            self._driver.say("cuMemFree_v2", place.value)
        self._held.clear()
