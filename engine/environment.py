"""What machine this is: the facts that a receipt carries. What cannot be read is left out.

Two arms are compared field by field, so a fact that is absent on both sides is equal, and one that
is absent on one side differs.
"""

import os
import platform
import re
from pathlib import Path

from receipts.statement import Facts

_CPU = re.compile(r"^(?:model name|Model|Hardware)\s*:\s*(.+)$", re.MULTILINE)
_MEMORY = re.compile(r"^MemTotal:\s*(\d+) kB$", re.MULTILINE)


def fingerprint() -> Facts:
    """Return the facts about host, processor, kernel and interpreter."""
    facts: dict[str, str | int | None] = {
        "host": platform.node() or None,
        "boot": _read(Path("/proc/sys/kernel/random/boot_id")),
        "system": platform.system(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "cpu": _match(_CPU, _read(Path("/proc/cpuinfo"))) or platform.processor() or None,
        "cores": _cores(),
        "memory_kib": _integer(_match(_MEMORY, _read(Path("/proc/meminfo")))),
        "governor": _read(Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
        "clock_source": _read(
            Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
        ),
        "python": platform.python_version(),
    }
    return {name: value for name, value in facts.items() if value is not None}


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def _match(pattern: re.Pattern[str], text: str | None) -> str | None:
    found = pattern.search(text) if text else None
    return found[1].strip() if found else None


def _integer(text: str | None) -> int | None:
    return int(text) if text else None


def _cores() -> int | None:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()
