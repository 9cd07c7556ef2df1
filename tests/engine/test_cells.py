"""Matrices: one line for each thing that keeps PASS away, and what enters a range."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import cells
from engine.inference.cells import Cell
from receipts.errors import Error, UndecidedError

RATIOS = st.lists(st.fractions(Fraction(1, 2), 2, max_denominator=10_000), min_size=1, max_size=8)
DEFINITION = "decode_tok_s, ratio of medians"


def cell(name, ratio, **fields):
    given = {"definition": DEFINITION, "n": 6, "exact": True, "natural": True} | fields
    return Cell(name=name, ratio=Fraction(ratio), **given)


def kinds(matrix):
    return [kind for kind, _ in matrix.findings]


def test_a_matrix_of_winners_passes_at_its_scope_with_the_minimum_beside_the_mean():
    found = cells.judge([cell("d512", "1.05"), cell("d65536", "1.02")], "decode, 2 depths")

    assert found.passed
    assert found.sentence == (
        "decode, 2 depths: ratio 1.02 to 1.05, mean 1.035, minimum 1.02 at d65536"
    )


@pytest.mark.parametrize(
    ("other", "kind", "sentence"),
    [
        (cell("d8", "0.999"), "MISS", "d8: ratio 0.999 is below 1"),
        (cell("d8", "1.2", n=1), "SINGLE_SAMPLE", "d8†: a single repetition joins no range"),
        (
            cell("d8", "1.2", exact=False),
            "NOT_EXACT",
            "d8: not exact in every repetition; its times are withheld",
        ),
    ],
)
def test_each_defect_is_a_line_of_its_own_and_no_pass(other, kind, sentence):
    found = cells.judge([cell("d512", "1.05"), other], "decode")

    assert not found.passed
    assert found.findings == ((kind, sentence),)


def test_four_defects_are_four_lines():
    found = cells.judge(
        [
            cell("a", "0.99", natural=False),
            cell("b", "1.1", n=1),
            cell("c", "1.1", exact=False),
            cell("d", "1.1", natural=False),
        ],
        "speculative decode",
        speculative=True,
    )

    assert kinds(found) == ["MISS", "SINGLE_SAMPLE", "NOT_EXACT", "NO_NATURAL_TEXT"]
    assert len({sentence for _, sentence in found.findings}) == 4


def test_a_natural_cell_that_does_not_count_completes_no_speculative_lane():
    lane = [cell("a", "1.1", natural=False), cell("b", "1.1", natural=True, n=1)]

    assert "NO_NATURAL_TEXT" in kinds(cells.judge(lane, "lane", speculative=True))


@given(RATIOS, st.fractions(Fraction(1, 2), 2), st.booleans())
def test_daggered_and_inexact_cells_enter_no_range_and_no_mean(ratios, stray, single):
    counted = [cell(f"c{at}", ratio) for at, ratio in enumerate(ratios)]
    other = cell("stray", stray, n=1) if single else cell("stray", stray, exact=False)

    found, without = cells.judge([*counted, other], "x"), cells.judge(counted, "x")

    assert (found.low, found.high, found.mean) == (without.low, without.high, without.mean)
    assert found.geometric_mean == without.geometric_mean
    assert not found.passed


@given(RATIOS)
def test_it_passes_exactly_if_no_ratio_is_below_one(ratios):
    found = cells.judge([cell(f"c{at}", ratio) for at, ratio in enumerate(ratios)], "x")

    assert found.passed == (min(ratios) >= 1)
    assert found.low.ratio <= found.mean <= found.high.ratio
    assert float(found.low.ratio) * 0.999999 <= found.geometric_mean
    assert found.geometric_mean <= float(found.mean) * 1.000001


def test_cells_of_different_quantities_have_no_mean():
    found = cells.judge([cell("a", "1.1"), cell("b", "1.2", definition="ttft_ms, p99")], "x")

    assert (found.mean, found.geometric_mean) == (None, None)
    assert "different quantities" in found.warnings[0]
    assert found.sentence == "x: ratio 1.1 to 1.2, minimum 1.1 at a"


def test_no_cell_is_no_pass():
    found = cells.judge([], "x")

    assert (found.passed, found.sentence) == (False, "x: no cell counts")
    assert kinds(found) == ["NO_CELL"]


def test_a_repetition_across_parity_a_dropped_gate_and_blind_fixtures_are_told():
    found = cells.judge(
        [cell("a", "1.03", lowest=Fraction("0.999"), exact=None, cannot_see=("half a context",))],
        "x",
    )

    assert found.passed
    assert found.warnings == (
        "a: a repetition lies on the other side of parity (0.999)",
        "without an exactness gate in some cells",
        "the fixtures cannot see half a context",
    )


def test_at_every_cell_names_the_cells_where_it_does_not_hold():
    assert cells.at_every_cell({"a": 1.01, "b": 1.0}) == ("b",)
    assert cells.at_every_cell({"a": 1.01, "b": 1.002}) == ()
    with pytest.raises(UndecidedError, match="no cell"):
        cells.at_every_cell({})


def test_holm_of_a_worked_example():
    # sorted .01 .02 .03 .04 times 4 3 2 1, never falling
    found = cells.holm(
        {"a": Fraction(1, 100), "b": Fraction(4, 100), "c": Fraction(3, 100), "d": Fraction(2, 100)}
    )

    assert found == {
        "a": Fraction(4, 100),
        "b": Fraction(6, 100),
        "c": Fraction(6, 100),
        "d": Fraction(6, 100),
    }


@given(st.dictionaries(st.text(max_size=3), st.fractions(0, 1), max_size=6))
def test_holm_never_lowers_a_p_and_keeps_their_order(p_values):
    found = cells.holm(p_values)

    assert list(found) == list(p_values)
    assert all(p_values[name] <= found[name] <= 1 for name in p_values)
    ordered = sorted(p_values, key=lambda name: p_values[name])
    assert [found[name] for name in ordered] == sorted(found.values())


def test_a_guard_is_held_in_every_repetition_or_names_those_below():
    values = [Fraction(x) for x in ("0.8", "0.71", "0.69")]

    assert cells.guard(values, Fraction("0.6")).held
    found = cells.guard(values, Fraction("0.7"))
    assert (found.held, found.below, found.minimum) == (False, (2,), Fraction("0.69"))
    with pytest.raises(UndecidedError, match="no repetition"):
        cells.guard([], Fraction(1))


def test_a_single_sample_is_marked():
    assert cells.mark("1.05", 1) == "1.05†"
    assert cells.mark("1.05", 2) == "1.05"
    with pytest.raises(Error, match="no repetition"):
        cells.mark("1.05", 0)


def test_a_geometric_mean_of_nothing_is_undecided():
    with pytest.raises(UndecidedError, match="above zero"):
        cells.geometric_mean([])
