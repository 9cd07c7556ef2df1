from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.metrics import METRICS
from engine.results import units

TIMES = units.convertible("ms")
BYTES = units.convertible("MiB")
RATES = units.convertible("GB/s")


@pytest.mark.parametrize(
    ("unit", "target", "factor"),
    [
        ("s", "ms", 1000),
        ("µs", "ms", Fraction(1, 1000)),
        ("us", "ms", Fraction(1, 1000)),
        ("\u03bcs", "ms", Fraction(1, 1000)),
        ("ns", "µs", Fraction(1, 1000)),
        ("GiB", "MiB", 1024),
        ("MB", "MiB", Fraction(15625, 16384)),
        ("tok/ms", "tok/s", 1000),
        ("req/min", "req/s", Fraction(1, 60)),
        ("GFLOP/s", "TFLOP/s", Fraction(1, 1000)),
        ("B/ns", "GB/s", 1),
        ("mJ", "J", Fraction(1, 1000)),
        ("%", "%", 1),
    ],
)
def test_a_unit_converts_by_an_exact_factor(unit, target, factor):
    assert units.factor(unit, target) == factor


@pytest.mark.parametrize(
    ("unit", "target"),
    [("s", "tok/s"), ("tok", "tok/s"), ("ms", "J"), ("x", "ms"), ("", "ms"), ("s/s", "ms")],
)
def test_nothing_converts_between_dimensions(unit, target):
    assert units.factor(unit, target) is None


@given(*[st.sampled_from([TIMES, BYTES, RATES]).flatmap(st.sampled_from)] * 2)
def test_there_and_back_is_one(one, other):
    there, back = units.factor(one, other), units.factor(other, one)
    assert (there is None) == (back is None)
    assert there is None or there * back == 1


def test_every_unit_of_a_metric_can_be_declared():
    for metric in METRICS.values():
        assert units.factor(metric.unit, metric.unit) == 1
        assert metric.unit in units.convertible(metric.unit)


def test_times_and_rates_are_timed_and_amounts_are_not():
    assert units.is_timed("ms")
    assert units.is_timed("tok/s")
    assert not units.is_timed("MiB")
    assert not units.is_timed("1")
