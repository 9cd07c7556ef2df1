"""Rates: every clock beside the others, absent ones absent, cut-off arithmetic recognised."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import rates
from receipts.errors import Error, UndecidedError

SECOND = 10**9
TIMES = st.integers(1, 10**6).map(Fraction)


@given(st.integers(1, 1000), TIMES, TIMES)
def test_a_rate_times_its_time_is_the_count(count, start, taken):
    assert rates.per_second(count, start, start + taken) * taken == 1000 * count


def test_a_calculator_with_one_decimal_inflates_a_rate_by_a_fifth():
    start, end = Fraction("128.015"), Fraction("485.782")

    assert float(rates.per_second(56, start, end)) == pytest.approx(156.5265, abs=1e-4)
    assert rates.per_second_cut(56, start, end, places=1) == Fraction("186.6")


def test_no_time_gives_no_rate():
    with pytest.raises(UndecidedError, match="no time passed"):
        rates.per_second(5, Fraction(2), Fraction(2))
    with pytest.raises(UndecidedError, match="at 1 decimals"):
        rates.per_second_cut(5, Fraction(0), Fraction(90), places=1)


def test_a_link_has_a_rate_for_each_clock_and_pauses_are_told():
    times = {"busy": SECOND, "send": SECOND // 2, "receive": SECOND, "wall": 4 * SECOND}
    found = rates.link(SECOND, times)

    assert found.gbit_s == {"busy": 8, "send": 16, "receive": 8, "wall": 2}
    assert found.warnings == ("wall is no rate of the link: it paused for 75 % of the time",)


def test_a_busy_time_of_few_ticks_is_absent():
    found = rates.link(2**20, {"busy": 8_000_000, "wall": 8_000_000})

    assert found.gbit_s["busy"] is None
    assert "busy rate is absent: 2 ticks cannot resolve 1 %, 100 are needed" in found.warnings


def test_a_clock_that_was_not_read_is_absent_and_not_zero():
    found = rates.link(2**20, {"busy": None, "wall": 8_000_000})

    assert [found.gbit_s[clock] for clock in ("busy", "send", "receive")] == [None] * 3
    assert len(found.warnings) == 3
    with pytest.raises(Error, match="clock 'cpu' is unknown"):
        rates.link(1, {"cpu": 1})


def test_phases_and_their_remainder_make_the_wall_time():
    found = rates.phases({"prefill": 30, "decode": 50}, 100)

    assert (found.remainder, found.warnings) == (20, ())


@pytest.mark.parametrize(
    ("parts", "wall", "warning"),
    [
        ({"prefill": None, "decode": 50}, 100, "prefill is absent"),
        ({"decode": 50}, None, "wall is absent"),
    ],
)
def test_an_absent_phase_leaves_no_remainder(parts, wall, warning):
    found = rates.phases(parts, wall)

    assert (found.remainder, found.warnings) == (None, (warning,))


def test_phases_longer_than_the_wall_time_are_told():
    assert "10 ns more than the wall time" in rates.phases({"decode": 110}, 100).warnings[0]
