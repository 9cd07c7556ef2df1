import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import fixtures
from engine.kernels.model import splitmix64
from receipts.errors import UsageError

SEEDS = st.integers(0, 2**53 - 1)


@given(SEEDS, st.integers(1, 300), st.integers(20, 5000))
def test_a_cycle_repeats_eight_different_tokens_of_the_vocabulary(seed, length, vocab):
    tokens = fixtures.cycle(length, vocab, seed).prompt

    assert len(tokens) == length
    assert all(3 <= token < vocab for token in tokens)
    assert all(tokens[place] == tokens[place - 8] for place in range(8, length))
    assert len(set(tokens)) == min(length, 8)


@given(SEEDS, st.integers(1, 300), st.integers(4, 5000))
def test_zipf_draws_within_the_vocabulary_and_its_prefixes_are_the_shorter_prompts(
    seed, length, vocab
):
    tokens = fixtures.zipf(length, vocab, seed).prompt

    assert len(tokens) == length
    assert all(3 <= token < vocab for token in tokens)
    assert fixtures.zipf(length + 5, vocab, seed).prompt[:length] == tokens


def test_zipf_has_the_frequencies_of_its_law():
    tokens = fixtures.zipf(60_000, 103, seed=5).prompt
    counts = sorted((tokens.count(token) for token in set(tokens)), reverse=True)
    harmonic = sum(1 / rank for rank in range(1, 101))

    for rank in (1, 2, 5, 10):
        expected = 60_000 / rank / harmonic
        assert abs(counts[rank - 1] - expected) < 0.05 * expected + 3 * expected**0.5


@given(SEEDS, st.integers(1, 200))
def test_sentences_are_words_of_the_list_and_begin_with_a_capital(seed, words):
    text = fixtures.sentences(words, seed).prompt

    assert len(text.split(" ")) == words
    assert text[0].isupper()
    assert text.isascii()


def test_no_fixture_calls_itself_natural_and_each_says_what_it_cannot_see():
    made = [fixtures.cycle(9, 99, 0), fixtures.zipf(9, 99, 0), fixtures.sentences(9, 0)]

    assert {fixture.kind for fixture in made} == {"synthetic"}
    assert all(fixture.cannot_see and all(fixture.cannot_see) for fixture in made)
    assert len({fixture.digest for fixture in made}) == 3
    assert fixtures.given((1, 2), "prompt.json").cannot_see
    assert fixtures.given("text", "prompt.txt", "natural", ["code"]).plain() == {
        "kind": "natural",
        "generator": "file prompt.txt",
        "digest": fixtures.given("text", "another").digest,
        "cannot_see": ["code"],
    }


def test_a_fixture_without_anything_that_it_cannot_see_is_refused():
    with pytest.raises(UsageError, match="does not say what it misses"):
        fixtures.Fixture("synthetic", "perfect", (1,), ())


def test_a_seed_names_the_same_prompt_for_ever():
    assert fixtures.cycle(9, 512, 7).prompt == (201, 11, 461, 299, 233, 129, 241, 169, 201)
    assert fixtures.zipf(4, 512, 7).prompt == (3, 413, 208, 96)
    assert fixtures.sentences(7, 7).prompt == "Every river beside the road measured an"


def test_the_numbers_are_those_of_the_kernels_generator():
    draws = fixtures._words(12345)
    assert [next(draws) for _ in range(5)] == splitmix64(12345, 5).tolist()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20).map(tuple), st.integers(0, 50))
def test_a_rotated_prompt_has_the_same_tokens_from_another_place(prompt, places):
    rotated = fixtures.rotated(prompt, places)

    assert sorted(rotated) == sorted(prompt)
    assert fixtures.rotated(rotated, len(prompt) - places % len(prompt)) == prompt
    assert fixtures.rotated("a b c", 1) == "b c a"


@pytest.mark.parametrize(
    ("length", "vocab", "lowest"), [(0, 99, 3), (65_537, 99, 3), (8, 3, 3), (8, 2**21, 3)]
)
def test_prompts_out_of_bounds_are_refused(length, vocab, lowest):
    for make in (fixtures.cycle, fixtures.zipf):
        with pytest.raises(UsageError):
            make(length, vocab, 0, lowest)


def test_a_vocabulary_too_small_for_a_cycle_is_refused():
    with pytest.raises(UsageError, match="7 tokens are too few for a cycle of 8"):
        fixtures.cycle(8, 10, 0)
