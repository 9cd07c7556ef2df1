"""Teacher-forced rows of logits: 66 tokens of prompt, 32 forced ones, every bit compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exactness import first_row_difference, row_digests
from engine.kernels import forced
from engine.kernels.backends import kernels, probe
from engine.kernels.model import model_of, prompt_of
from receipts.digest import Digest
from receipts.errors import UndecidedError

VOCAB, PROMPT, FORCED = 97, 66, 32
ABLE = kernels(probe({"EVIDENCE_NO_COMPILER": "1"}))
MODEL = model_of(0, VOCAB, 66)
TOKENS = prompt_of(0, VOCAB, PROMPT), prompt_of(1, VOCAB, FORCED)


@pytest.fixture(scope="module")
def plain():
    return b"".join(forced.rows(ABLE, "plain", MODEL, *TOKENS))


def test_all_rows_of_two_variants_are_equal(plain):
    tuned = b"".join(forced.rows(ABLE, "tuned", MODEL, *TOKENS))

    assert len(row_digests(plain, VOCAB)) == FORCED
    assert row_digests(tuned, VOCAB) == row_digests(plain, VOCAB)
    assert first_row_difference(plain, tuned, VOCAB, PROMPT) is None


def test_rows_do_not_depend_on_what_the_decoder_would_have_chosen(plain):
    free = ABLE.decode("plain", MODEL, TOKENS[0], FORCED)
    whole = b"".join(forced.rows(ABLE, "plain", MODEL, TOKENS[0], free.tokens))

    assert row_digests(whole, VOCAB)[-1] == Digest.of(free.logits)
    assert row_digests(whole, VOCAB)[0] == row_digests(plain, VOCAB)[0]
    assert row_digests(whole, VOCAB)[1] != row_digests(plain, VOCAB)[1]


@given(st.integers(0, FORCED - 1), st.integers(0, VOCAB - 1), st.integers(0, 31))
def test_one_flipped_bit_names_position_and_index(plain, row, index, bit):
    flipped = bytearray(plain)
    flipped[4 * (row * VOCAB + index) + bit // 8] ^= 1 << bit % 8

    found = first_row_difference(plain, bytes(flipped), VOCAB, PROMPT)

    assert found is not None
    assert found.startswith(f"position {PROMPT + row}, index {index}: 0x")
    ours, theirs = (int(text, 16) for text in found.partition(": ")[2].split(" and "))
    assert ours ^ theirs == 1 << bit
    digests = zip(row_digests(plain, VOCAB), row_digests(bytes(flipped), VOCAB), strict=True)
    assert [a != b for a, b in digests] == [place == row for place in range(FORCED)]


def test_rows_of_other_counts_or_widths_are_not_compared(plain):
    with pytest.raises(UndecidedError, match="32 and 31 logit rows"):
        first_row_difference(plain, plain[: -4 * VOCAB], VOCAB)
    for bad in (b"", plain[:-1], plain[:-4]):
        with pytest.raises(UndecidedError, match="are no logit rows of 97 numbers"):
            row_digests(bad, VOCAB)
