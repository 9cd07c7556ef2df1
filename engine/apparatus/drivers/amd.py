"""AMD's driver, read from sysfs: no library, no root.

Utilisation and memory lie beside the card (`gpu_busy_percent`, `mem_info_vram_used`), the current
clock is the line of `pp_dpm_sclk` with a star, and each process of the compute driver has a folder
`/sys/class/kfd/kfd/proc/PID` with `vram_GPU` for every card. A value of all ones means that it is
not supported: it is absent, as is what cannot be read. A card's id is its `unique_id`.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from engine.apparatus import processes
from engine.apparatus.drivers.model import Holder, Reading
from receipts.errors import NotFoundError
from receipts.predicates import Facts

_AMD = "0x1002"
_CURRENT = re.compile(r"^\s*\d+:\s*(\d+)\s*[Mm]hz\s*\*", re.MULTILINE)
_UNSUPPORTED = frozenset((2**16 - 1, 2**32 - 1, 2**64 - 1))


class Amd:
    """The driver behind one sysfs; `sys` is its root, or that of a made one."""

    name = "amdgpu sysfs"

    def __init__(self, sys: Path = Path("/sys")) -> None:
        self._sys = sys

    def devices(self) -> tuple[str, ...]:
        """Return the ids of all cards that tell one."""
        return tuple(self._cards())

    def read(self, device: str) -> Reading:
        """Return what sysfs tells of the card now."""
        card, absent = self._card(device), dict[str, str]()
        return Reading(
            device=device,
            used=_count(card / "mem_info_vram_used", "used", absent),
            total=_count(card / "mem_info_vram_total", "total", absent),
            utilisation=_count(card / "gpu_busy_percent", "utilisation", absent),
            clock_mhz=_clock(card / "pp_dpm_sclk", absent),
            holders=self._holders(device, absent),
            absent={
                **absent,
                "reserved": "sysfs does not tell it",
                "throttle": "sysfs does not tell it",
                "throttled_ns": "sysfs does not tell it",
            },
        )

    def state(self, device: str) -> tuple[Facts, dict[str, str]]:
        """Return name, firmware, memory, links and power state of the card."""
        card, absent = self._card(device), dict[str, str]()
        facts: Facts = {}
        files = {
            "name": "product_name",
            "vbios": "vbios_version",
            "pci_device": "device",
            "performance_level": "power_dpm_force_performance_level",
            "power_state": "power_state",
            "link_speed": "current_link_speed",
            "link_width": "current_link_width",
            "memory_bytes": "mem_info_vram_total",
        }
        for name, file in files.items():
            try:
                text = (card / file).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                absent[name] = f"{file}: {getattr(error, 'strerror', None) or 'not text'}"
                continue
            facts[name] = int(text) if text.isdecimal() else text
        return facts, absent

    def activity(self, device: str, since: int) -> Mapping[int, int] | None:
        """Return None: sysfs does not tell which process is busy."""
        return None

    def _cards(self) -> dict[str, Path]:
        found = {}
        for path in sorted((self._sys / "class" / "drm").glob("card*")):
            card = path / "device"
            if path.name[4:].isdecimal() and _line(card / "vendor") == _AMD:
                found[_line(card / "unique_id") or f"amd-{path.name}"] = card
        return found

    def _card(self, device: str) -> Path:
        try:
            return self._cards()[device]
        except KeyError:
            raise NotFoundError(f"device {device} is no card of AMD; see `engine env`") from None

    def _holders(self, device: str, absent: dict[str, str]) -> tuple[Holder, ...] | None:
        place = self._sys / "class" / "kfd" / "kfd" / "proc"
        if not place.is_dir():
            absent["holders"] = f"{place} is not there"
            return None
        number = self._number(device)
        if number is None:
            absent["holders"] = "no node of the compute driver has the card's unique_id"
            return None
        holders = []
        for folder in sorted(place.glob("[0-9]*")):
            used = _count(folder / f"vram_{number}", "", {})
            if used:
                pid = int(folder.name)
                holders.append(Holder(pid, used, "compute", processes.name_of(pid)))
        return tuple(holders)

    def _number(self, device: str) -> str | None:
        """Return the compute driver's number for the card, found by its unique id."""
        nodes = self._sys / "class" / "kfd" / "kfd" / "topology" / "nodes"
        for node in sorted(nodes.glob("[0-9]*")):
            found = re.search(r"^unique_id (\d+)$", _line(node / "properties") or "", re.MULTILINE)
            if found and f"{int(found[1]):x}" == device.removeprefix("0x").lower().lstrip("0"):
                return _line(node / "gpu_id")
        return None


def _line(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def _count(path: Path, name: str, absent: dict[str, str]) -> int | None:
    text = _line(path)
    if text is None or not text.isdecimal():
        absent[name] = f"{path.name} is not readable"
        return None
    if int(text) in _UNSUPPORTED:
        absent[name] = f"{path.name} is not supported"
        return None
    return int(text)


def _clock(path: Path, absent: dict[str, str]) -> int | None:
    found = _CURRENT.search(_line(path) or "")
    if not found:
        absent["clock_mhz"] = f"{path.name} tells no current clock"
    return int(found[1]) if found else None
