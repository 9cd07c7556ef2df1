"""Parts and dozens in words have the value that they say."""

from decimal import Decimal

import pytest

from claims.numerals import number_words


@pytest.mark.parametrize(
    ("words", "value"),
    [
        *(("half", "0.5"), ("one and a half", "1.5"), ("Two and a half", "2.5"), ("dozen", "12")),
        *(("two dozen", "24"), ("couple", "2"), ("three quarters", "0.75"), ("third", "0.333")),
        *(("two thirds", "0.667"), ("thirty-five", "35"), ("a house", None)),
    ],
)
def test_parts_and_dozens_have_their_value(words: str, value: str | None):
    assert number_words.value(words) == (None if value is None else Decimal(value))
