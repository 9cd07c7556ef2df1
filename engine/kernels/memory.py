"""How much the caches of this machine can hold, so that a measurement reaches past them.

Linux tells it below /sys; what it does not tell is not guessed. The last level is counted once for
each set of processors that shares it, and for no more sets than there are threads to fill them.
"""

import os
import re
from pathlib import Path

_SYSFS = Path("/sys/devices/system/cpu")
_SIZE = re.compile(r"(\d{1,9})([KMG]?)", re.ASCII)
_FACTORS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}

# STREAM wants each array four times as large as the caches.
_TIMES_CACHE = 4
LEAST_ARRAY = 128 * 2**20
MOST_ARRAY = 2**30


def last_level_cache(threads: int, folder: Path = _SYSFS) -> int:
    """Return the bytes of the last level of cache that so many threads can fill; 0: not told."""
    found: dict[int, dict[str, int]] = {}
    for index in folder.glob("cpu[0-9]*/cache/index[0-9]*"):
        told = [_text(index / name) for name in ("level", "shared_cpu_list", "size")]
        if not all(told) or not told[0].isdecimal() or not (size := _SIZE.fullmatch(told[2])):
            continue
        found.setdefault(int(told[0]), {})[told[1]] = int(size[1]) * _FACTORS[size[2]]
    if not found:
        return 0
    sets = sorted(found[max(found)].values(), reverse=True)
    return sum(sets[:threads])


def array_bytes(cache: int) -> int:
    """Return how large an array is to be beside a cache of so many bytes (0: not told)."""
    return min(max(LEAST_ARRAY, _TIMES_CACHE * cache), MOST_ARRAY)


def usable_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
