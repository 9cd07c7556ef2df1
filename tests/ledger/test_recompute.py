"""Operands that are far from a printed change are told without exact arithmetic."""

from hypothesis import given
from hypothesis import strategies as st

from ledger import quantity, recompute

_PRINTED = st.builds(
    lambda digits, places: f"{digits / 10**places:.{places}f}",
    st.integers(1, 99_999),
    st.integers(0, 3),
)


@given(
    _PRINTED,
    _PRINTED,
    _PRINTED,
    st.sampled_from(["×", "%"]),
    st.sampled_from(["", "+", "-"]),
    st.sampled_from(["tok/s", "ms", None]),
)
def test_what_is_far_follows_by_no_reading(change, old, new, unit, sign, kind):
    (printed,) = quantity.find(f"{sign}{change}{unit}")
    before, after = (quantity.find(f"{text} {kind}" if kind else text)[0] for text in (old, new))
    if recompute.is_far(printed, before, after):
        for words in (frozenset(), frozenset(["slower"])):
            for reading in recompute.readings(printed, words, before, after):
                assert recompute.grade(printed, reading) == "other"


@given(st.integers(1, 5000), st.integers(1, 5000), st.integers(0, 3))
def test_what_was_computed_from_its_operands_is_never_far(old, new, places):
    before, after = (quantity.find(f"{value} tok/s")[0] for value in (old, new))
    for text in (f"{new / old:.{places}f}×", f"{(new / old - 1) * 100:+.{places}f}%"):
        found = quantity.find(text)
        assert not found or not recompute.is_far(found[0], before, after)
