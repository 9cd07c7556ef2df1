"""The recount's own reducers against the engine's, on samples that nobody chose, and on vectors."""

import json
import os
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.recount import reducers
from claims.recount.reducers import Root
from claims.registers import wording
from engine import statistics
from engine.inference import percentiles

VALUES = st.one_of(
    st.fractions(min_value=-1000, max_value=1000, max_denominator=10**6),
    st.integers(-(10**12), 10**12).map(Fraction),
    st.floats(1e-9, 1e12).map(Fraction),
    st.integers(1, 10**9).map(lambda ns: Fraction(10**9, ns)),
)
SAMPLES = st.lists(VALUES, min_size=1, max_size=40)
PAGE = Path(__file__).parents[3] / "shared" / "vectors"
VECTORS = Path(os.environ.get("EVIDENCE_VECTORS", PAGE)) / "measurement.json"


@given(SAMPLES)
def test_every_reducer_is_the_engines(samples):
    assert set(reducers.STATISTICS) == set(statistics.STATISTICS)
    for name, reduce in reducers.STATISTICS.items():
        assert reduce(samples) == statistics.STATISTICS[name](samples), name


@given(SAMPLES, st.integers(0, 100))
def test_every_percentile_is_the_linear_one(samples, percent):
    found = reducers.percentile(samples, percent)
    assert found == percentiles.percentile(samples, percent, "linear")


@given(SAMPLES, st.sampled_from([0, 1]))
def test_a_cv_reads_as_the_engines_does_digit_for_digit(samples, ddof):
    ours = reducers.relative_deviation(samples, ddof)
    assert (None if ours is None else reducers.spell(ours)) == statistics.cv(samples, ddof)


@given(VALUES)
def test_nine_digits_read_as_the_engines_do(value):
    assert reducers.spell(value) == statistics.decimal_text(value)


@given(VALUES, st.integers(0, 9), st.booleans())
def test_a_hole_reads_as_a_sentence_fills_it(value, decimals, grouped):
    ours = reducers.display(value, decimals, grouped=grouped)
    assert ours == wording.display(value, decimals, grouped=grouped)


@given(st.fractions(min_value=0, max_value=10**6), st.integers(-3, 12))
def test_a_root_is_rounded_as_its_square_demands(square, places):
    found = reducers.rounded(Root(square), places)
    unit = Fraction(10) ** places
    low, high = Fraction(2 * found - 1, 2) / unit, Fraction(2 * found + 1, 2) / unit
    assert found == 0 or low * low <= square
    assert square <= high * high


@pytest.mark.parametrize(
    ("value", "places", "wanted"),
    [("2.5", 0, 2), ("3.5", 0, 4), ("-2.5", 0, 2), ("0.05", 1, 0), ("0.15", 1, 2), ("149", -2, 1)],
)
def test_halves_go_to_the_even_digit(value, places, wanted):
    assert reducers.rounded(Fraction(value), places) == wanted
    assert reducers.rounded(Root(Fraction(value) ** 2), places) == wanted


def test_samples_that_are_one_double_are_still_told_apart():
    near = [Fraction(1), Fraction(1) - Fraction(1, 10**30), Fraction(1) + Fraction(1, 10**30)]
    assert reducers.ordered(near) == sorted(near)
    assert reducers.median(near) == 1


def test_a_cv_of_one_sample_or_of_a_mean_of_zero_does_not_exist():
    assert reducers.relative_deviation([Fraction(5)], 1) is None
    assert reducers.relative_deviation([Fraction(5)], 0) == Root(Fraction(0))
    assert reducers.relative_deviation([Fraction(-1), Fraction(1)], 0) is None


def test_three_thousand_rates_with_denominators_of_their_own_are_summed():
    rates = [Fraction(10**9 * 48, 10**9 + 7919 * n) for n in range(3000)]
    assert reducers.spell(reducers.relative_deviation(rates, 1)) == statistics.cv(rates, 1)
    mean = reducers.mean(rates)
    assert reducers.spell(mean) == statistics.decimal_text(mean)


# --- published campaigns ------------------------------------------------------------------------

OF_ONE = {
    "median": reducers.median,
    "100*std(ddof=0)/mean": lambda x: 100 * root(x, 0),
    "100*std(ddof=1)/mean": lambda x: 100 * root(x, 1),
}
OF_TWO = {
    "median(a)/median(b)": lambda a, b: reducers.median(a) / reducers.median(b),
    "mean(a)/mean(b)": lambda a, b: reducers.mean(a) / reducers.mean(b),
    "mean(a_i/b_i)": lambda a, b: reducers.mean([x / y for x, y in zip(a, b, strict=True)]),
    "median(a_i/b_i)": lambda a, b: reducers.median([x / y for x, y in zip(a, b, strict=True)]),
}


def root(samples, ddof):
    return Fraction(reducers.spell(reducers.relative_deviation(samples, ddof)))


@pytest.mark.skipif(not VECTORS.is_file(), reason="no measurement.json at EVIDENCE_VECTORS")
def test_known_answers_of_published_campaigns_are_met():
    with VECTORS.open(encoding="utf-8") as stream:
        rows = json.load(stream, parse_float=Decimal)["rows"]
    met = 0
    for row in rows:
        reduce = OF_ONE.get(row["statistic"]) or OF_TWO.get(row["statistic"])
        if reduce:
            arms = [[Fraction(one) for one in arm] for _, arm in sorted(row["inputs"].items())]
            off = abs(reduce(*arms) - Fraction(row["expected"]))
            assert off <= max(Fraction(row["tolerance"]), Fraction(1, 10**7)), row["id"]
            met += 1
    assert met >= 20
