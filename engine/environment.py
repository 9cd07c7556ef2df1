"""What machine this is: the facts that a receipt carries. What cannot be read is left out.

Two arms are compared field by field, so a fact that is absent on both sides is equal, and one that
is absent on one side differs. `container`, `devices`, `driver` and `packages` ask for more than a
receipt carries, for the sidecar (`engine.sidecar`): each returns what it found, or raises
`UnknownError` with the reason why that is not known, which is not the same as "there is none".
"""

import importlib.metadata
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from receipts.errors import UndecidedError
from receipts.predicates import Facts

NONE = "none"
"""There is none, and this was seen: no container, no accelerator's driver."""
TIMEOUT_SECONDS = 20

_CPU = re.compile(r"^(?:model name|Model|Hardware)\s*:\s*(.+)$", re.MULTILINE)
_MEMORY = re.compile(r"^MemTotal:\s*(\d+) kB$", re.MULTILINE)

_HEX_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_MOUNTED_ID = re.compile(r"/(?:overlay-)?containers/([0-9a-f]{64})/")
_SHORT_ID = re.compile(r"[0-9a-f]{12}")
_NVIDIA_VERSION = re.compile(r"Kernel Module(?: for \S+)?\s+([0-9]+(?:\.[0-9]+)+)")
_SMI_FIELDS = {
    "index": "index",
    "name": "name",
    "uuid": "uuid",
    "memory_mib": "memory.total",
    "driver": "driver_version",
    "firmware": "vbios_version",
}
_SMI_SILENT = re.compile(r"\[.*\]|N/A|")
_DRM = Path("/sys/class/drm")
_AMD, _NVIDIA = "0x1002", "0x10de"


class UnknownError(UndecidedError):
    """A fact about this machine that could not be found out; the message says why."""


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


def container() -> str:
    """Return the id of the container this process is in, `none` where it is in none."""
    if platform.system() != "Linux":
        return NONE
    groups, mounts = _read(Path("/proc/self/cgroup")), _read(Path("/proc/self/mountinfo"))
    marked = any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv"))
    return container_of(groups, mounts, platform.node(), marked=marked)


def container_of(groups: str | None, mounts: str | None, host: str, *, marked: bool) -> str:
    """Return the id that these texts of the kernel tell; `marked` says that a container is sure."""
    found = _HEX_ID.search(groups or "") or _MOUNTED_ID.search(mounts or "")
    if found:
        return found[found.re.groups]
    if not marked and groups is not None and mounts is not None:
        return NONE
    if marked:
        # Some runtimes hide the id from what runs inside; the name they give it is what is left.
        return host if _SHORT_ID.fullmatch(host) else f"hostname:{host}"
    raise UnknownError("/proc/self is not readable: cgroup and mounts name none")


def devices() -> list[Facts]:
    """Return the accelerators of NVIDIA and AMD, [] where it was seen that there are none."""
    if platform.system() != "Linux":
        raise UnknownError(f"no driver is asked on {platform.system()}")
    vendors = [_read(card / "vendor") for card in _cards()]
    nvidia = Path("/proc/driver/nvidia/version").exists() or _NVIDIA in vendors
    found = [*(_nvidia() if nvidia or shutil.which("nvidia-smi") else []), *_amd()]
    return [{**device, "index": index} for index, device in enumerate(found)]


def driver(found: list[Facts] | None = None) -> str:
    """Return the driver of the accelerators `found`, and what the kernel says where it is silent.

    `none` where there are no accelerators; in-tree drivers are of the kernel's version.
    """
    told = sorted({str(device["driver"]) for device in found or () if "driver" in device})
    if told:
        return ", ".join(told)
    version = _match(_NVIDIA_VERSION, _read(Path("/proc/driver/nvidia/version")))
    if version:
        return f"nvidia {version}"
    if found == []:
        return NONE
    raise UnknownError("neither the devices nor /proc/driver/nvidia/version tell a driver")


def packages(interpreter: str | None = None) -> dict[str, str]:
    """Return name and version of every distribution that `interpreter` would import.

    Without one, those of this process. Of two of one name the first on the path counts.
    """
    if interpreter is None:
        pairs = [(each.name, each.version) for each in importlib.metadata.distributions()]
    else:
        command = [interpreter, "-m", "pip", "list", "--format", "json"]
        command += ["--disable-pip-version-check"]
        pairs = _listed(_output(command), interpreter)
    found: dict[str, str] = {}
    for name, version in pairs:
        if name and version:
            found.setdefault(name, version)
    return found


def python_of(interpreter: str) -> str:
    """Return the version of `interpreter`, a command that understands Python."""
    program = "import platform; print(platform.python_version())"
    return _output([interpreter, "-c", program]).strip()


def smi_devices(text: str) -> list[Facts]:
    """Return the devices in the answer of nvidia-smi, one comma-separated line each."""
    found: list[Facts] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        values = [value.strip() for value in line.split(",")]
        if len(values) != len(_SMI_FIELDS):
            raise UnknownError(f"nvidia-smi answered {line[:80]!r}")
        told = zip(_SMI_FIELDS, values, strict=True)
        found.append({n: _device_fact(n, v) for n, v in told if not _SMI_SILENT.fullmatch(v)})
    return found


def _device_fact(name: str, value: str) -> str | int:
    if name == "driver":
        return f"nvidia {value}"
    return int(value) if name in ("index", "memory_mib") and value.isdecimal() else value


def _nvidia() -> list[Facts]:
    query = f"--query-gpu={','.join(_SMI_FIELDS.values())}"
    return smi_devices(_output(["nvidia-smi", query, "--format=csv,noheader,nounits"]))


def _amd() -> Iterator[Facts]:
    cards = [card for card in _cards() if _read(card / "vendor") == _AMD]
    version = _read(Path("/sys/module/amdgpu/version")) or f"kernel {platform.release()}"
    for card in cards:
        memory = _integer(_read(card / "mem_info_vram_total"))
        facts: dict[str, str | int | None] = {
            "name": _read(card / "product_name") or f"{_AMD}:{_read(card / 'device')}",
            "uuid": _read(card / "unique_id"),
            "memory_mib": memory // 2**20 if memory else None,
            "driver": f"amdgpu {version}",
            "firmware": _read(card / "vbios_version"),
        }
        yield {name: value for name, value in facts.items() if value is not None}


def _cards() -> list[Path]:
    cards = [path for path in _DRM.glob("card*") if path.name[4:].isdecimal()]
    return [path / "device" for path in sorted(cards, key=lambda path: int(path.name[4:]))]


def _listed(text: str, interpreter: str) -> list[tuple[str, str]]:
    try:
        return [(item["name"], item["version"]) for item in json.loads(text)]
    except (ValueError, TypeError, KeyError) as error:
        raise UnknownError(f"{interpreter}: pip listed no packages that can be read") from error


def _output(command: list[str]) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the driver's tool, or the interpreter that was named
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        told = getattr(error, "strerror", None) or type(error).__name__
        raise UnknownError(f"{command[0]}: {told}") from error
    if done.returncode != 0:
        told = (done.stderr.strip() or done.stdout.strip() or "no word").splitlines()[-1][:160]
        raise UnknownError(f"{command[0]} ended with {done.returncode}: {told}")
    return done.stdout
