"""What is said about a refused claim, without its number and with everything else."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.numerals import numbers
from claims.registers import wording
from claims.site.withholding import Withheld, unfilled

CLAIM = Withheld(
    (Fraction("1.24938"), Fraction(998004), Fraction(25)), (Fraction("35.36"), Fraction(5))
)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the ratio is 1.249", "the ratio is [withheld]"),
        ("it has value 998,004 tok/s", "it has value [withheld] tok/s"),
        ("entry 7 approved the sentence '1.27×'", "entry 7 approved the sentence '[withheld]×'"),
        ("we saw 12 tok/s then", "we saw [withheld] tok/s then"),
        ("it was 12 % faster", "it was [withheld] % faster"),
        ("1 of 998004", "1 of [withheld]"),
    ],
)
def test_a_number_that_may_be_the_claim_is_left_out(said, told):
    assert CLAIM.in_words(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "there are 3 repetitions, the claim needs 5",
        "candidate.cv is 35.36 %, the limit is 5 %",
        "entry J1 is retracted by entry 41: compiled meanwhile on 2026-11-30",
        "tuned repetition 1 has token 5 at 3, plain repetition 0 has 4",
        "the evidence has n_ubatch 512, the claim says '256'",
        "",
    ],
)
def test_what_is_no_result_stays(said):
    assert CLAIM.in_words(said) == said


def test_of_a_run_everything_is_told_but_the_values():
    assert CLAIM.in_notes("waited in 4.08 % of the run") == "waited in 4.08 % of the run"
    assert CLAIM.in_notes("at 1.25 of plain") == "at [withheld] of plain"


@given(st.fractions(min_value=0, max_value=10**6), st.integers(0, 6), st.booleans())
def test_no_rounding_of_a_value_gets_through(value, decimals, grouped):
    shown = wording.display(value, decimals, grouped=grouped)
    texts = [f"it has value {shown} tok/s here"]
    texts += [f"it has value {shown} here"] if decimals or round(value) >= 100 else []
    for text in texts:
        told = Withheld((value,)).in_words(text)
        assert numbers.find(told) == []
        assert told.startswith("it has value [withheld]")


def test_a_wording_keeps_its_conditions_and_loses_its_numbers():
    template = "On {scope.cpu} it runs at {value:,.1f} {unit}\n (n = {n})."
    assert unfilled(template, {"cpu": "an <EPYC>"}, "tok/s") == (
        "On an <EPYC> it runs at [unavailable] tok/s (n = [unavailable])."
    )
