from array import array
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import statistics
from engine.samples import Column

DOUBLES = st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=30)


def test_a_column_reads_seconds_as_milliseconds_and_times_as_rates():
    assert Column(array("d", [0.5, 0.25]), 1000) == (500, 250)
    assert Column([200, 400], Fraction(8 * 10**9), inverse=True)[1] == 2 * 10**7
    assert Column([1, 2, 3])[1:] == (2, 3)
    assert Column([1]) != (2,)
    assert repr(Column([1, 2, 3, 4])) == "<Column of 4: 1, 2, 3, …>"


@given(DOUBLES, st.sampled_from([1, 1000, Fraction(1, 10**6)]), st.booleans())
def test_statistics_of_a_column_are_those_of_its_values(raw, factor, inverse):
    column = Column(array("d", raw), factor, inverse=inverse)
    values = list(column)
    for name, function in statistics.STATISTICS.items():
        assert function(column) == function(values), name
    assert statistics.variance(column, 0) == statistics.variance(values, 0)
    assert list(column.ordered()) == sorted(values)


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=30), st.integers(0, 100))
def test_a_percentile_is_what_numpy_calls_linear(raw, percent):
    np = pytest.importorskip("numpy")
    ours = statistics.percentile(raw, percent)
    theirs = float(np.percentile(raw, percent))
    assert abs(float(ours) - theirs) <= 1e-9 * theirs
    assert min(raw) <= ours <= max(raw)


def test_columns_that_are_equal_have_one_hash():
    assert hash(Column([1, 2])) == hash(Column([1000, 2000], Fraction(1, 1000)))
