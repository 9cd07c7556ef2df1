"""Quiet periods: so many samples in a row, or a refusal that says what was loud."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.apparatus import quiet
from engine.apparatus.drivers.nvidia import Nvidia
from engine.apparatus.limits import Limits
from engine.apparatus.pressure import Look
from tests.fixtures.nvml import Nvml


class Machine:
    """A machine whose counters grow as told: one (stall µs, busy ticks) for every sample."""

    def __init__(self, *grown, nvml=None):
        self.grown = list(grown)
        self.at = self.stall = self.busy = self.ticks = 0
        self.nvml = nvml
        self.slept = 0.0

    def look(self):
        return Look(self.at, {"cpu.some": self.stall}, ticks=self.ticks, busy=self.busy)

    def sleep(self, seconds):
        stall, busy = self.grown.pop(0) if self.grown else (0, 0)
        self.slept += seconds
        self.at += round(seconds * 1e9)
        self.stall += stall
        self.busy += busy
        self.ticks += 1000

    def measure(self, seconds, **limits):
        driver = Nvidia(self.nvml or Nvml())
        return quiet.measure(
            seconds,
            driver,
            ["GPU-1"],
            Limits(**limits),
            look=self.look,
            sleep=self.sleep,
        )


def test_ten_seconds_are_sixty_samples():
    machine = Machine()

    period = machine.measure(10)

    assert (period.needed, period.taken, period.idle, period.loud) == (60, 60, 60, None)
    assert machine.slept == pytest.approx(10, rel=1e-6)
    assert period.facts()["busy_bound"] == "0.0488"


def test_one_loud_sample_starts_the_count_again():
    machine = Machine(*[(0, 0)] * 30, (50_000, 0))

    period = machine.measure(10)

    assert (period.taken, period.idle, period.loud) == (91, 60, None)


def test_what_stays_loud_is_refused_after_three_times_the_period():
    period = Machine(*[(0, 1000)] * 1000).measure(10)

    assert period.taken == 180
    assert period.loud.endswith("processors are busy; try again later")
    assert period.facts()["quiet"] is False


def test_pressure_is_loud():
    period = Machine(*[(20_000, 0)] * 1000).measure(10)

    assert period.loud == "tasks wait for a processor 12.0 % of the time; try again later"


def test_a_busy_device_is_loud_and_a_limit_can_be_declared():
    assert Machine(nvml=Nvml(utilisation=4)).measure(1).loud.startswith("device GPU-1 is busy: 4 %")
    assert Machine(nvml=Nvml(utilisation=4)).measure(1, utilisation=5).loud is None


def test_a_device_that_tells_no_utilisation_proves_no_idleness():
    period = Machine(nvml=Nvml(unsupported={"utilisation"})).measure(1)

    assert (period.loud, period.idle) == (None, 0)
    assert "busy_bound" not in period.facts()


@pytest.mark.parametrize(
    ("samples", "bound"), [(1, "0.9500"), (15, "0.1811"), (59, "0.0496"), (299, "0.0100")]
)
def test_so_many_idle_samples_bound_how_busy_a_neighbour_was(samples, bound):
    assert quiet.idle_bound(samples) == bound


@given(st.integers(1, 10_000))
def test_the_bound_is_never_below_what_was_proven_and_close_to_it(samples):
    bound = Decimal(quiet.idle_bound(samples))

    assert (1 - bound) ** samples <= Decimal("0.05")
    assert (1 - bound + Decimal("0.0001")) ** samples > Decimal("0.05")
