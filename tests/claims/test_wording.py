import re
from fractions import Fraction

import pytest

from claims.registers import wording
from receipts.errors import MalformedError

VALUES = {"value": Fraction(70194, 1000), "n": 3, "unit": "tok/s", "scope.cell": "p16"}


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        ("{value:.1f} {unit}", "70.2 tok/s"),
        ("{value:.3f}", "70.194"),
        ("{value:.0f}", "70"),
        ("median of {n} on {scope.cell}", "median of 3 on p16"),
        ("  two\n  lines of {value:.0f}\t{unit} ", "two lines of 70 tok/s"),
        ("no holes", "no holes"),
    ],
)
def test_a_sentence_is_its_template_with_the_holes_filled(template, sentence):
    assert wording.fill(template, VALUES) == sentence


def test_large_numbers_are_grouped_on_request_only():
    values = {"value": Fraction(12345678, 10)}
    assert wording.fill("{value:,.1f}", values) == "1,234,567.8"
    assert wording.fill("{value:.1f}", values) == "1234567.8"


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{ratio:.2f}", "the evidence has no ratio, which the wording needs"),
        ("{value}", "a measured number needs its digits"),
        ("{n:.1f}", "is not a measured number and takes no digits"),
        ("{unit:.1f}", "is not a measured number and takes no digits"),
    ],
)
def test_what_cannot_be_filled_is_said(template, told):
    with pytest.raises(MalformedError, match=told):
        wording.fill(template, VALUES)


def test_what_fills_a_hole_is_never_read_as_a_hole():
    values = {"scope.x": "{value:.1f}{scope.x}", "value": Fraction(1)}
    assert wording.fill("{scope.x}", values) == "{value:.1f}{scope.x}"


@pytest.mark.parametrize(
    "template",
    [
        "{value:.1f} {unit} (median of {n}, {min:.1f} to {max:.1f}, CV {cv:.1f} %)",
        "H100 with Q4_K_M, 512 tokens, 16 GiB, since 2026-08-15: {value:,.0f} {unit}",
        "{scope.gpu} reaches {value:.1f} tok/s",
    ],
)
def test_names_dates_sizes_and_units_behind_holes_are_no_typed_measurements(template):
    wording.check_template(template, "level")


def test_a_change_has_the_holes_of_both_arms():
    both = "{ratio:.2f}× {percent:.1f} % {baseline:.1f} {candidate:.1f} {n} {unit}"
    sides = "{baseline.min:.1f} {baseline.max:.1f} {candidate.cv:.1f} {scope.lane}"
    wording.check_template(f"{both} {sides}", "change")
    with pytest.raises(MalformedError, match=r"unknown hole \{value\}"):
        wording.check_template("{value:.1f}", "change")


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("It holds on every model.", "every"),
        ("All GPUs gain.", "All"),
        ("It is always faster.", "always"),
        ("It wins across the board.", "across the board"),
        ("In every run it wins on any GPU.", "any"),
        ("All 5 repetitions agree.", None),
        ("Every repetition agrees.", None),
        ("It holds in all of 6 runs.", None),
        ("A small overall anytime recall.", None),
        ("It does not fail at all.", None),
        ("At all sizes it is good.", "all"),
        ("All of them agree.", None),
        ("All 3 of them agree.", None),
        ("All the three runs agree.", None),
        ("All machines in 3 runs agree.", "All"),
        ("Every model of the runs agrees.", "Every"),
    ],
)
def test_a_word_that_claims_more_than_one_scope_is_found(sentence, word):
    assert wording.says_more(sentence) == word


@pytest.mark.parametrize(
    ("sentence", "ratio", "word"),
    [
        ("It is faster.", "9/10", "faster"),
        ("It speeds up decoding.", "9/10", "speeds up"),
        ("Two speedups.", "9/10", "speedups"),
        ("It is slower.", "11/10", None),
        ("The slowdown is over.", "11/10", None),
        ("It is not faster.", "9/10", None),
        ("It is not much faster.", "9/10", None),
        ("It is no faster.", "9/10", None),
        ("It runs without a speed-up.", "9/10", None),
        ("It isn't faster.", "9/10", None),
        ("It is not small, and faster.", "9/10", "faster"),
        ("No doubt it is faster.", "9/10", "faster"),
        ("It is not faster, it wins.", "9/10", "wins"),
        ("A 2 % speedup.", "99/100", "speedup"),
        ("It outperforms the other.", "1/2", "outperforms"),
        ("It is faster.", "11/10", None),
        ("It is slower.", "9/10", None),
        ("It is faster or slower.", "1", None),
        ("It is level.", "1/2", None),
    ],
)
def test_a_word_against_the_ratio_is_found(sentence, ratio, word):
    assert wording.wrong_direction(sentence, Fraction(ratio)) == word


@pytest.mark.parametrize(
    ("sentence", "n", "states"),
    [
        ("median of 3 repetitions", 3, True),
        ("n = 3", 3, True),
        ("(n=3)", 3, True),
        ("n = 3.5", 3, False),
        ("n = 31", 3, False),
        ("3 fresh repetitions", 3, True),
        ("3 reps", 3, True),
        ("a 3-run median", 3, True),
        ("on 3 machines", 3, False),
        ("on 3 machines in some runs", 3, False),
        ("13 runs", 3, False),
        ("1,003 runs", 3, False),
        ("3.5 runs", 3, False),
        ("2.3 runs", 3, False),
        ("3 runners", 3, False),
        ("35.0 tok/s", 35, False),
        ("3.0 of them", 3, False),
        ("3 ms", 3, False),
        ("median of 4", 3, False),
        ("a Single Sample", 1, True),
        ("1 repetition", 1, False),
        ("a single sample", 2, False),
    ],
)
def test_a_sentence_states_its_count_or_does_not(sentence, n, states):
    assert wording.states_count(sentence, n) is states


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [
        ("35.16", 1, "35.2"),
        ("0.125", 2, "0.12"),
        ("0.135", 2, "0.14"),
        ("2.5", 0, "2"),
        ("-2.5", 0, "-2"),
        ("-0.04", 1, "0.0"),
        ("999.96", 1, "1000.0"),
        ("1/3", 9, "0.333333333"),
    ],
)
def test_a_number_is_rounded_half_even(value, decimals, shown):
    assert wording.display(Fraction(value), decimals) == shown


@pytest.mark.parametrize(
    ("template", "kind", "lacks"),
    [
        ("{value:.1f} {unit}", "level", None),
        ("{min:.1f} {unit}", "level", "lacks {value}"),
        ("{ratio:.1f}×", "change", None),
        ("{percent:.1f} %", "change", None),
        ("{baseline:.1f} to {candidate:.1f} {unit}", "change", None),
        ("{candidate:.1f} {unit}", "change", "lacks {ratio}"),
        ("{baseline.min:.1f} {candidate.max:.1f} {unit}", "change", "lacks {ratio}"),
    ],
)
def test_a_wording_shows_the_number_that_it_is_about(template, kind, lacks):
    if lacks is None:
        wording.check_statistic(template, kind)
    else:
        with pytest.raises(MalformedError, match=lacks):
            wording.check_statistic(template, kind)


@pytest.mark.parametrize(
    ("template", "first"),
    [
        ("It reaches {value:.1f} {unit}.", None),
        ("It reaches {value:.1f} {unit}", None),
        ("It (vs. the plain one, e.g. no. 5) reaches {value:.1f} {unit}.", None),
        ("It reaches {value:.1f}. So it holds.", "It reaches {value:.1f}."),
        ("With CUDA, etc. it reaches {value:.1f} {unit}.", "With CUDA, etc."),
        ("On {scope.maker} GPUs {value:.1f} {unit}.", "On Any Corp."),
    ],
)
def test_a_wording_is_one_sentence(template, first):
    if first is None:
        wording.check_one_sentence(template, {})
    else:
        told = re.escape(f"more than one sentence: the first is '{first}'")
        with pytest.raises(MalformedError, match=told):
            wording.check_one_sentence(template, {"maker": "Any Corp."})


def test_a_measurement_has_its_digits_in_the_register():
    for hole in ("value", "min", "cv"):
        with pytest.raises(MalformedError, match=f"{hole}.* without its digits; write"):
            wording.check_template(f"It reaches {{{hole}}} {{unit}} ({{n}} runs).", "level")
    wording.check_template("It reaches {value:.1f} {unit} ({n} runs, {scope.x}).", "level")
