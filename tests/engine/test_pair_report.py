"""How the pairs of a window are told, and by what they are judged."""

from fractions import Fraction

from engine import declared, pair_report
from engine.inference import pairs
from engine.pair_report import Terms

BASELINE = (100.0, 100.2, 99.9, 100.1, 100.0, 99.8, 100.3, 100.0)
ALIKE = (100.1, 100.1, 100.0, 100.0, 99.9, 100.0, 100.2, 100.1)


def alike():
    return pairs.analyse(ALIKE, BASELINE, "higher")


def test_pairs_within_the_margin_of_the_plan_are_equivalent_and_without_one_nothing_is_told():
    found = alike()

    with_margin = next(pair_report.lines(found, Terms(None, Fraction("0.02"))))
    without = next(pair_report.lines(found, Terms(None)))

    assert "EQUIVALENT: " in with_margin
    assert "lies within ±2 %" in with_margin
    assert "INCONCLUSIVE: " in without
    assert "no change beyond 0 %, and no margin of equivalence was declared" in without


def test_a_margin_that_the_pairs_exceed_is_named():
    told = next(pair_report.lines(alike(), Terms(None, Fraction("0.0001"))))

    assert "neither a change beyond 0 % nor equivalence within ±0.01 %" in told


def test_the_margin_stands_in_the_values_only_where_it_was_declared():
    found = alike()

    assert pair_report.view(found, Terms(None, Fraction("0.02")))["margin"] == "0.02"
    assert "margin" not in pair_report.view(found, Terms(None))


def test_a_plan_declares_its_margin_as_a_share():
    assert declared.margin({"equivalence_margin": "0.02"}) == Fraction(1, 50)
    assert declared.margin({"equivalence_margin": "2 %"}) is None
    assert declared.margin({}) is None
