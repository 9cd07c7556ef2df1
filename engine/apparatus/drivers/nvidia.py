"""NVIDIA's driver, asked through NVML (`nvidia-ml-py`, extra `nvidia`), which is never a must.

Three lists of processes (compute, graphics, MPS), because each shows only its own; memory by
version 2 of the call, where what the driver reserves for itself stands apart from what is used.
Process numbers are those of the host, also inside a container. Every call may say *not supported*,
most of all on a part of a divided device (MIG): then the field is absent, with the reason.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.apparatus import processes
from engine.apparatus.drivers.model import Holder, Reading
from receipts.errors import NotFoundError, UndecidedError
from receipts.predicates import Facts

_NO_INSTANCE = 0xFFFFFFFF
_NOT_FOUND = 6
_LISTS = {
    "compute": "nvmlDeviceGetComputeRunningProcesses_v3",
    "graphics": "nvmlDeviceGetGraphicsRunningProcesses_v3",
    "mps": "nvmlDeviceGetMPSComputeRunningProcesses_v3",
}
_Ask = Callable[[], Any]


class Nvidia:
    """The driver behind one NVML module; `nvml` is that module, or a recorded one."""

    name = "nvml"

    def __init__(self, nvml: Any = None) -> None:
        self._nvml = nvml if nvml is not None else importlib.import_module("pynvml")
        self._ask("nvml", self._nvml.nvmlInit, {}, fatal=True)

    def devices(self) -> tuple[str, ...]:
        """Return the ids of all devices, and of the parts of those that are divided."""
        count = self._ask("devices", self._nvml.nvmlDeviceGetCount, {}, fatal=True)
        handles = [self._nvml.nvmlDeviceGetHandleByIndex(at) for at in range(count)]
        found = [*handles, *(part for handle in handles for part in self._parts(handle))]
        return tuple(_text(self._nvml.nvmlDeviceGetUUID(handle)) for handle in found)

    def read(self, device: str) -> Reading:
        """Return what NVML tells of the device now."""
        nvml, handle = self._nvml, self._handle(device)
        absent: dict[str, str] = {}
        memory = self._memory(handle, absent)
        rates = self._ask("utilisation", lambda: nvml.nvmlDeviceGetUtilizationRates(handle), absent)
        clock = nvml.NVML_CLOCK_SM
        thermal = nvml.NVML_PERF_POLICY_THERMAL
        lost = self._ask(
            "throttled_ns", lambda: nvml.nvmlDeviceGetViolationStatus(handle, thermal), absent
        )
        return Reading(
            device=device,
            used=_whole(memory, "used"),
            reserved=_whole(memory, "reserved"),
            total=_whole(memory, "total"),
            utilisation=_whole(rates, "gpu"),
            clock_mhz=self._ask(
                "clock_mhz", lambda: nvml.nvmlDeviceGetClockInfo(handle, clock), absent
            ),
            throttle=self._ask("throttle", lambda: self._reasons(handle), absent),
            throttled_ns=_whole(lost, "violationTime"),
            holders=self._holders(handle, absent),
            absent=absent,
        )

    def state(self, device: str) -> tuple[Facts, dict[str, str]]:
        """Return name, driver, firmware, modes, clocks, power, heat and links of the device."""
        handle, absent = self._handle(device), dict[str, str]()
        facts: Facts = {}
        for name, ask in self._questions(handle).items():
            value = self._ask(name, ask, absent)
            if value is not None:
                facts[name] = value if isinstance(value, int) else _text(value)
        return facts, absent

    def activity(self, device: str, since: int) -> Mapping[int, int] | None:
        """Return each process's share of the multiprocessors since `since`, in percent."""
        handle = self._handle(device)
        try:
            samples = self._nvml.nvmlDeviceGetProcessUtilization(handle, since)
        except self._nvml.NVMLError as error:
            # Not found: no process has run anything since.
            return {} if getattr(error, "value", None) == _NOT_FOUND else None
        found: dict[int, int] = {}
        for each in samples:
            found[int(each.pid)] = max(found.get(int(each.pid), 0), int(each.smUtil))
        return found

    def _handle(self, device: str) -> Any:
        try:
            return self._nvml.nvmlDeviceGetHandleByUUID(device.encode())
        except self._nvml.NVMLError as error:
            raise NotFoundError(f"device {device}: {error}; see `engine env`") from error

    def _parts(self, handle: Any) -> Iterator[Any]:
        nvml, absent = self._nvml, dict[str, str]()
        count = self._ask("parts", lambda: nvml.nvmlDeviceGetMaxMigDeviceCount(handle), absent)
        for at in range(count or 0):
            part = self._ask("part", self._call("nvmlDeviceGetMigDeviceHandleByIndex", handle, at))
            if part is not None:
                yield part

    def _memory(self, handle: Any, absent: dict[str, str]) -> Any:
        nvml = self._nvml
        version = getattr(nvml, "nvmlMemory_v2", None)
        told = dict[str, str]()
        found = self._ask(
            "used", lambda: nvml.nvmlDeviceGetMemoryInfo(handle, version=version), told
        )
        if found is not None:
            return found
        # Version 1 counts what is reserved as used: more is unexplained, so it errs on refusing.
        absent["reserved"] = told["used"]
        return self._ask("used", lambda: nvml.nvmlDeviceGetMemoryInfo(handle), absent)

    def _reasons(self, handle: Any) -> int:
        nvml = self._nvml
        current = getattr(nvml, "nvmlDeviceGetCurrentClocksEventReasons", None)
        return int((current or nvml.nvmlDeviceGetCurrentClocksThrottleReasons)(handle))

    def _holders(self, handle: Any, absent: dict[str, str]) -> tuple[Holder, ...] | None:
        found: dict[tuple[int, str | None], Holder] = {}
        answered = False
        for kind, call in _LISTS.items():
            listed = self._ask(f"holders.{kind}", self._call(call, handle), absent)
            answered = answered or listed is not None
            for each in listed or ():
                holder = self._holder(each, kind)
                found.setdefault((holder.pid, holder.instance), holder)
        return tuple(found.values()) if answered else None

    def _holder(self, each: Any, kind: str) -> Holder:
        used = each.usedGpuMemory
        parts = [("gi", each.gpuInstanceId), ("ci", each.computeInstanceId)]
        named = [f"{part} {number}" for part, number in parts if number not in (None, _NO_INSTANCE)]
        return Holder(
            pid=int(each.pid),
            used=None if used is None else int(used),
            kind=kind,
            name=self._name(int(each.pid)),
            instance=" ".join(named) or None,
        )

    def _name(self, pid: int) -> str | None:
        if processes.shares_numbers_with_driver() and (name := processes.name_of(pid)):
            return name
        told = self._ask("name", lambda: self._nvml.nvmlSystemGetProcessName(pid))
        return _text(told).rpartition("/")[2][:80] or None if told else None

    def _questions(self, handle: Any) -> dict[str, _Ask]:
        nvml = self._nvml
        plain = {
            "name": "Name",
            "vbios": "VbiosVersion",
            "persistence": "PersistenceMode",
            "compute_mode": "ComputeMode",
            "p_state": "PerformanceState",
            "power_mw": "PowerUsage",
            "power_limit_mw": "EnforcedPowerLimit",
            "power_default_mw": "PowerManagementDefaultLimit",
            "energy_mj": "TotalEnergyConsumption",
            "pcie_generation": "CurrPcieLinkGeneration",
            "pcie_generation_max": "MaxPcieLinkGeneration",
            "pcie_width": "CurrPcieLinkWidth",
            "pcie_width_max": "MaxPcieLinkWidth",
            "pcie_replays": "PcieReplayCounter",
            "fan_percent": "FanSpeed",
        }
        asked = {n: self._call(f"nvmlDeviceGet{c}", handle) for n, c in plain.items()}
        for name, clock in (("sm", nvml.NVML_CLOCK_SM), ("memory", nvml.NVML_CLOCK_MEM)):
            asked[f"clock_{name}_mhz"] = self._call("nvmlDeviceGetClockInfo", handle, clock)
            asked[f"clock_{name}_max_mhz"] = self._call("nvmlDeviceGetMaxClockInfo", handle, clock)
        heat = self._call("nvmlDeviceGetTemperature", handle, nvml.NVML_TEMPERATURE_GPU)
        return asked | {
            "temperature_c": heat,
            "pci": lambda: nvml.nvmlDeviceGetPciInfo(handle).busId,
            "memory_bytes": lambda: int(nvml.nvmlDeviceGetMemoryInfo(handle).total),
            "bar1_bytes": lambda: int(nvml.nvmlDeviceGetBAR1MemoryInfo(handle).bar1Total),
            "mig": lambda: nvml.nvmlDeviceGetMigMode(handle)[0],
            "ecc": lambda: nvml.nvmlDeviceGetEccMode(handle)[0],
            "ecc_pending": lambda: nvml.nvmlDeviceGetEccMode(handle)[1],
            "ecc_uncorrected": lambda: nvml.nvmlDeviceGetTotalEccErrors(handle, 1, 1),
            "remapped_rows": lambda: sum(map(int, nvml.nvmlDeviceGetRemappedRows(handle)[:2])),
            "driver": self._call("nvmlSystemGetDriverVersion"),
            "nvml": self._call("nvmlSystemGetNVMLVersion"),
            "cuda_driver": self._call("nvmlSystemGetCudaDriverVersion"),
        }

    def _call(self, name: str, *arguments: Any) -> _Ask:
        """Return the call, looked up when it is made: older libraries lack some."""
        return lambda: getattr(self._nvml, name)(*arguments)

    def _ask(
        self,
        field: str,
        ask: _Ask,
        absent: dict[str, str] | None = None,
        *,
        fatal: bool = False,
    ) -> Any:
        """Return the answer, or None with its reason in `absent`."""
        try:
            return ask()
        except (self._nvml.NVMLError, AttributeError, TypeError, ValueError) as error:
            if fatal:
                raise UndecidedError(f"NVML cannot tell {field}: {error}") from error
            if absent is not None:
                absent[field] = str(error)[:160] or type(error).__name__
            return None


def _whole(told: Any, name: str) -> int | None:
    value = getattr(told, name, None)
    return None if value is None else int(value)


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
