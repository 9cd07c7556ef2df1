import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exactness import compare
from engine.results.model import Run
from receipts.errors import UndecidedError


def run(*tokens, logits=None):
    kept = tuple(logits if logits is not None else ("sha256:0",) * len(tokens))
    return Run({}, {}, {}, (), tokens=tuple(map(tuple, tokens)), logits=kept)


def difference(baseline, candidate, compared="tokens"):
    found = compare({"plain": baseline, "tuned": candidate}, compared)
    assert found.result == ("differs" if found.first_difference else "exact")
    assert found.compared == compared
    return found.first_difference


def test_equal_tokens_in_every_repetition_are_exact():
    assert difference(run([1, 2], [1, 2]), run([1, 2], [1, 2])) is None


@pytest.mark.parametrize(
    ("baseline", "candidate", "sentence"),
    [
        ([[1, 2]], [[1, 3]], "tuned repetition 0 has token 3 at 1, plain repetition 0 has 2"),
        (
            [[1, 2]],
            [[1, 2], [9, 9]],
            "tuned repetition 1 has token 9 at 0, plain repetition 0 has 1",
        ),
        (
            [[1, 2], [1, 7]],
            [[8, 2]],
            "plain repetition 1 has token 7 at 1, plain repetition 0 has 2",
        ),
        ([[1, 2]], [[1]], "tuned repetition 0 has token none at 1, plain repetition 0 has 2"),
        ([[1]], [[1, 2]], "tuned repetition 0 has token 2 at 1, plain repetition 0 has none"),
    ],
)
def test_the_first_difference_is_named(baseline, candidate, sentence):
    assert difference(run(*baseline), run(*candidate)) == sentence


def test_logits_count_only_where_the_plan_says_so():
    baseline = run([1], [1], logits=["sha256:a", "sha256:a"])
    candidate = run([1], [1], logits=["sha256:a", "sha256:b"])

    assert difference(baseline, candidate) is None
    sentence = "tuned repetition 1 has other logits after equal tokens"
    assert difference(baseline, candidate, "tokens-and-logits") == sentence


def test_a_token_is_named_before_a_logit():
    baseline = run([1, 2], logits=["sha256:a"])

    found = difference(baseline, run([1, 3], logits=["sha256:b"]), "tokens-and-logits")

    assert "has token 3 at 1" in found


def fed(tokens, *forced, digest="sha256:f"):
    return run(tokens)._replace(config={"forced.digest": digest}, forced=tuple(map(tuple, forced)))


def test_what_is_chosen_after_fed_tokens_is_compared_place_by_place_and_counted():
    plain, tuned = fed([1], [5, 6, 7, 8]), fed([1], [5, 6, 7, 8], [5, 9, 7, 2])

    assert difference(plain, tuned) is None
    assert difference(plain, tuned, "tokens-and-forced") == (
        "fed with the same tokens, tuned repetition 1 would choose 9 at 1, plain repetition 0 6; "
        "both choose alike at 2 of 4 places"
    )
    assert difference(plain, fed([1], [5, 6, 7, 8]), "tokens-and-forced") is None


def test_behind_tokens_that_differ_the_fed_ones_still_say_how_far_both_agree():
    found = difference(fed([1, 2], [5, 6, 7]), fed([1, 3], [5, 0, 7]), "tokens-and-forced")

    tokens, _, forced = found.partition("; ")
    assert tokens == "tuned repetition 0 has token 3 at 1, plain repetition 0 has 2"
    assert forced.endswith("both choose alike at 2 of 3 places")


def test_arms_that_were_fed_other_tokens_cannot_be_compared():
    other = fed([1], [5], digest="sha256:g")

    with pytest.raises(UndecidedError, match="arms plain, tuned were fed other tokens"):
        compare({"plain": fed([1], [5]), "tuned": other}, "tokens-and-forced")


@pytest.mark.parametrize(
    ("candidate", "compared", "sentence"),
    [
        (run(), "tokens", "arm tuned kept no tokens: exactness cannot be decided"),
        (run([1], logits=[]), "tokens-and-logits", "arm tuned kept no tokens-and-logits"),
        (run([1]), "tokens-and-forced", "arm tuned kept no tokens-and-forced"),
    ],
)
def test_what_was_not_kept_is_not_exact(candidate, compared, sentence):
    with pytest.raises(UndecidedError, match=sentence):
        compare({"plain": fed([1], [5]), "tuned": candidate}, compared)


TOKENS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), min_size=1, max_size=4)


@given(TOKENS, TOKENS)
def test_exact_means_that_there_is_one_sequence_of_tokens(baseline, candidate):
    found = difference(run(*baseline), run(*candidate))

    assert (found is None) == (len({tuple(tokens) for tokens in baseline + candidate}) == 1)
