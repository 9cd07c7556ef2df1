"""Ceilings: labelled with their N, and nothing may lie above one."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import ceiling
from receipts.errors import UndecidedError

SAMPLES = st.lists(st.integers(1, 1000), min_size=1, max_size=20)


@given(SAMPLES)
def test_the_best_is_labelled_with_its_n(samples):
    most = ceiling.ceiling(samples, "higher")
    least = ceiling.ceiling(samples, "lower")

    assert (most.value, most.label) == (max(samples), f"max_of_{len(samples)}")
    assert (least.value, least.label) == (min(samples), f"min_of_{len(samples)}")


@given(SAMPLES)
def test_every_repetition_reaches_no_more_than_its_ceiling(samples):
    for polarity in ("higher", "lower"):
        best = ceiling.ceiling(samples, polarity).value
        shares = [ceiling.share_of(Fraction(one), best, polarity) for one in samples]
        assert all(share.valid for share in shares)
        assert max(share.share for share in shares) == 1


def test_more_than_a_limit_is_invalid():
    found = ceiling.share_of(Fraction(9), Fraction(8))

    assert (found.valid, found.warnings) == (False, ("INVALID: 112.5 % of a physical limit",))


def test_nothing_has_no_ceiling():
    with pytest.raises(UndecidedError):
        ceiling.ceiling([], "higher")
    with pytest.raises(UndecidedError):
        ceiling.share_of(Fraction(0), Fraction(8))
