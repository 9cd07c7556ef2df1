"""Which driver this machine has: NVML where the library and a driver answer, sysfs for AMD, none.

A machine with a device that nobody can be asked about is not one without a device: asking for that
device is refused with the reason, never answered with silence.
"""

import importlib.util
from pathlib import Path

from engine.apparatus.drivers.amd import Amd
from engine.apparatus.drivers.model import Driver
from engine.apparatus.drivers.nothing import Nothing
from engine.apparatus.drivers.nvidia import Nvidia
from receipts.errors import Error, NotFoundError

_NVIDIA_LOADED = Path("/proc/driver/nvidia/version")
_EXTRA = "install the extra [nvidia]"


def find(devices: tuple[str, ...] = (), sys: Path = Path("/sys")) -> Driver:
    """Return the driver that knows all `devices`; without any, the first one that answers."""
    reasons: list[str] = []
    candidates: list[Driver] = []
    nvidia = _nvidia(reasons)
    candidates += [nvidia] if nvidia else []
    candidates.append(Amd(sys))
    for driver in candidates:
        there = driver.devices()
        if there and set(devices) <= set(there):
            return driver
        reasons.append(f"{driver.name} has {', '.join(there) or 'no device'}")
    if devices:
        raise NotFoundError(f"device {', '.join(devices)} is not here: {'; '.join(reasons)}")
    return Nothing("; ".join(reasons))


def _nvidia(reasons: list[str]) -> Driver | None:
    if importlib.util.find_spec("pynvml") is None:
        loaded = _NVIDIA_LOADED.exists()
        reasons.append(f"nvidia-ml-py is not installed{f': {_EXTRA}' if loaded else ''}")
        return None
    try:
        return Nvidia()
    except Error as error:
        reasons.append(str(error))
        return None
