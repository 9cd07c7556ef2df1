"""What decides how fast this machine is, beyond what identifies it (`engine.environment`).

Every fact may be absent, and then stands in `absent` with the reason: a virtual machine has no
frequency driver, a container no mitigations file, and neither is the same as *off*. Only what holds
still is here, so that two runs can be compared; what moves is in `pressure`. Paths are those
of Linux; elsewhere most of it is absent.
"""

import hashlib
import importlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from engine.apparatus import pressure
from receipts.predicates import Facts, Scalar

ROOT = Path("/")
_CPU = "sys/devices/system/cpu"
_FILES: Mapping[str, str] = {
    "smt": f"{_CPU}/smt/control",
    "frequency_driver": f"{_CPU}/cpu0/cpufreq/scaling_driver",
    "frequency_governor": f"{_CPU}/cpu0/cpufreq/scaling_governor",
    "frequency_min_khz": f"{_CPU}/cpu0/cpufreq/scaling_min_freq",
    "frequency_max_khz": f"{_CPU}/cpu0/cpufreq/scaling_max_freq",
    "boost": f"{_CPU}/cpufreq/boost",
    "no_turbo": f"{_CPU}/intel_pstate/no_turbo",
    "thp": "sys/kernel/mm/transparent_hugepage/enabled",
    "aslr": "proc/sys/kernel/randomize_va_space",
    "swappiness": "proc/sys/vm/swappiness",
    "numa_nodes": "sys/devices/system/node/online",
    "clocks_available": "sys/devices/system/clocksource/clocksource0/available_clocksource",
}
_SELECTED = re.compile(r"\[([^\]]+)\]")
BLAS_VARIABLES = (
    *("OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "OMP_DYNAMIC", "OMP_WAIT_POLICY"),
    *("OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_NUM_THREADS"),
    *("MKL_DEBUG_CPU_TYPE", "MKL_ENABLE_INSTRUCTIONS", "BLIS_NUM_THREADS", "GOTO_NUM_THREADS"),
    *("VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS", "KMP_AFFINITY", "GOMP_CPU_AFFINITY"),
    *("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GGML_CUDA_FORCE_MMQ"),
    *("LD_PRELOAD", "MALLOC_ARENA_MAX", "PYTHONHASHSEED"),
)
"""Variables of the environment by which the same binary runs at another speed."""


class _UntoldError(Exception):
    """A fact that is not to be had; the message says why."""


@dataclass(frozen=True)
class Described:
    """The facts that could be read, and why the others could not."""

    facts: Facts
    absent: dict[str, str]


def describe(root: Path = ROOT) -> Described:
    """Return what is known of this machine's speed; `root` is where its files are read."""
    facts: Facts = {}
    absent: dict[str, str] = {}
    for name, ask in _questions(root).items():
        try:
            facts[name] = ask()
        except (OSError, _UntoldError) as error:
            absent[name] = getattr(error, "strerror", None) or str(error) or "not readable"
    facts |= {
        f"variable.{name}": os.environ[name][:200] for name in BLAS_VARIABLES if name in os.environ
    }
    return Described({name: _encodable(value) for name, value in facts.items()}, absent)


def _questions(root: Path) -> dict[str, Callable[[], Scalar]]:
    asked: dict[str, Callable[[], Scalar]] = {
        name: _file(root / path) for name, path in _FILES.items()
    }
    return asked | {
        "affinity": _affinity,
        "cores_online": lambda: _text(root / _CPU / "online"),
        "microcode": lambda: _field(root, "microcode"),
        "cpu_flags": lambda: _digest(_field(root, "flags|Features")),
        "hypervisor": lambda: "hypervisor" in _field(root, "flags|Features").split(),
        "mitigations": lambda: _digest(_mitigations(root)),
        "swap_kib": lambda: _memory(root, "SwapTotal"),
        "cpu_quota": lambda: _quota(root),
        "power": lambda: _power(root),
        "clock_resolution_ns": lambda: _resolution(),
        "blas": _blas,
    }


def _file(path: Path) -> Callable[[], Scalar]:
    def ask() -> Scalar:
        text = _text(path)
        selected = _SELECTED.search(text)
        text = selected[1] if selected else text
        return int(text) if text.isdecimal() and len(text) < 16 else text

    return ask


def _text(path: Path) -> str:
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not text:
        raise _UntoldError(f"{path.name} is empty")
    return text[:400]


def _field(root: Path, names: str) -> str:
    text = (root / "proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    found = re.search(rf"^(?:{names})\s*:\s*(.+)$", text, re.MULTILINE)
    if not found:
        raise _UntoldError("/proc/cpuinfo does not tell it")
    return found[1].strip()


def _affinity() -> str:
    if not hasattr(os, "sched_getaffinity"):
        raise _UntoldError("this system tells no affinity")
    return ",".join(_ranges(sorted(os.sched_getaffinity(0))))


def _ranges(numbers: list[int]) -> Iterator[str]:
    start = None
    for number in numbers:
        start = number if start is None else start
        if number + 1 not in numbers:
            yield str(start) if start == number else f"{start}-{number}"
            start = None


def _mitigations(root: Path) -> str:
    found = sorted((root / _CPU / "vulnerabilities").glob("*"))
    if not found:
        raise _UntoldError("the kernel lists no vulnerabilities")
    return "".join(f"{path.name}: {_text(path)}\n" for path in found)


def _memory(root: Path, name: str) -> int:
    text = (root / "proc/meminfo").read_text(encoding="utf-8", errors="replace")
    found = re.search(rf"^{name}: +(\d+) kB$", text, re.MULTILINE)
    if not found:
        raise _UntoldError(f"/proc/meminfo has no {name}")
    return int(found[1])


def _quota(root: Path) -> str:
    """Return how many processors the control group may use: `1.5`, or `max`."""
    for path in pressure.cgroup_files("cpu.max", root):
        if path.is_file():
            quota, _, period = _text(path).partition(" ")
            return "max" if quota == "max" else _processors(quota, period)
    for path in pressure.cgroup_files("cpu.cfs_quota_us", root):
        if path.is_file():
            quota = _text(path)
            period = _text(path.with_name("cpu.cfs_period_us"))
            return "max" if quota.startswith("-") else _processors(quota, period)
    raise _UntoldError("the control group has neither cpu.max nor cpu.cfs_quota_us")


def _processors(quota: str, period: str) -> str:
    if not quota.isdecimal() or not period.isdecimal() or not int(period):
        raise _UntoldError(f"the quota {quota[:20]!r} of {period[:20]!r} is no share")
    return format((Decimal(quota) / Decimal(period)).normalize(), "f")


def _power(root: Path) -> str:
    for path in sorted((root / "sys/class/power_supply").glob("*/online")):
        return "mains" if _text(path) == "1" else "battery"
    raise _UntoldError("no power supply is listed")


def _resolution() -> int:
    return round(time.get_clock_info("monotonic").resolution * 10**9)


def _blas() -> str:
    """Return which linear algebra this process has loaded; numpy is not imported to find out."""
    if "numpy" not in sys.modules:
        raise _UntoldError("this process has loaded none; the command's own is in its log")
    try:
        threadpoolctl: Any = importlib.import_module("threadpoolctl")
    except ImportError:
        raise _UntoldError("threadpoolctl is not installed") from None
    pools: list[dict[str, Any]] = threadpoolctl.threadpool_info()
    told = [
        f"{each.get('internal_api')} {each.get('version')} {each.get('architecture', '')}".strip()
        for each in pools
    ]
    if not told:
        raise _UntoldError("threadpoolctl sees none")
    return "; ".join(sorted(set(told)))[:400]


def _digest(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _encodable(value: Scalar) -> Scalar:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8", "replace")
    return value
