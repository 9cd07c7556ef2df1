"""The picture of repetitions: every dot, in its place, and the same in words."""

import re
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from claims.site import plot

SAMPLES = st.lists(
    st.fractions(min_value=Fraction(1, 1000), max_value=10**7, max_denominator=1000),
    min_size=1,
    max_size=60,
)


def places(path):
    return [(float(x), float(y)) for x, y in re.findall(r"M([\d.-]+) ([\d.-]+)h\.1", path)]


def arm(name, samples):
    return plot.Arm(name, samples, sorted(samples)[len(samples) // 2], "median")


@given(SAMPLES, SAMPLES)
def test_every_repetition_has_a_dot_inside_and_a_larger_value_is_never_lower(one, other):
    drawn = plot.draw([arm("plain", one), arm("tuned", other)], "tok/s")
    seen = []
    for samples, series in zip((one, other), drawn.series, strict=True):
        dots = places(series.path)
        assert len(dots) == len(samples)
        assert [x for x, _ in dots] == sorted(x for x, _ in dots)
        seen += zip(samples, dots, strict=True)
    assert all(drawn.left <= x <= plot.RIGHT for _, (x, _) in seen)
    assert all(plot.TOP <= y <= plot.BOTTOM for _, (_, y) in seen)
    ordered = sorted(seen, key=lambda item: item[0])
    assert all(above[1][1] <= below[1][1] for below, above in pairwise(ordered))


@given(SAMPLES)
def test_the_lowest_and_the_highest_stand_at_the_ends_of_the_scale(samples):
    drawn = plot.draw([arm("run", samples)], "ms")
    heights = [y for _, y in places(drawn.series[0].path)]
    if min(samples) == max(samples):
        assert set(heights) == {(plot.TOP + plot.BOTTOM) / 2}
        assert len(drawn.marks) == 1
    else:
        assert (min(heights), max(heights)) == (plot.TOP, plot.BOTTOM)
        assert len(drawn.marks) == 2


def test_arms_stand_side_by_side_so_that_equal_values_are_both_seen():
    drawn = plot.draw([arm("plain", [Fraction(5)] * 3), arm("tuned", [Fraction(5)] * 3)], "ms")
    plain, tuned = (places(series.path) for series in drawn.series)
    assert not {*plain} & {*tuned}


def test_of_many_requests_dots_that_would_cover_each_other_are_drawn_once():
    samples = [Fraction(n % 7 + 1) for n in range(20_000)]
    drawn = plot.draw([arm("run", samples)], "ms")
    assert 0 < drawn.series[0].path.count("M") <= 7 * 352
    assert "run: 20000 from 1 to 7 ms" in drawn.alternative


def test_the_words_say_how_many_from_where_to_where_and_what_is_taken():
    drawn = plot.draw([arm("plain", [Fraction(3), Fraction(1), Fraction(2)])], "tok/s")
    assert drawn.alternative == (
        "One dot for each repetition or request, in the order of the record. "
        "plain: 3 from 1 to 3 tok/s, median 2 tok/s."
    )
    assert (drawn.first, drawn.last) == ("0", "2")


def test_a_long_number_has_room_beside_the_scale():
    drawn = plot.draw([arm("plain", [Fraction(1_234_567), Fraction(998_004)])], "tok/s")
    assert [text for _, text in drawn.marks] == ["998,004", "1,234,567"]
    assert drawn.left >= 6 * len("1,234,567")
