"""One number on a page against the claim that it is bound to: right, or wrong in a known way."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from claims.checks import fitting
from claims.checks.fitting import Told
from claims.checks.offer import Figure, Offer
from claims.checks.said import Said
from claims.numerals import numbers

LEVEL = Offer(
    "muser",
    "level",
    "median",
    "higher",
    "decode_tok_s",
    "tok/s",
    (
        Figure("value", Fraction("35.1586"), "tok/s"),
        Figure("min", Fraction("35.0851"), "tok/s"),
        Figure("max", Fraction("35.1939"), "tok/s"),
        Figure("cv", Fraction("0.131"), "%"),
    ),
    5,
    least=Fraction("35.0851"),
    most=Fraction("35.1939"),
    decimals=4,
    error=Fraction("0.02"),
    arm="muser",
    names=("llama", "muser"),
)
OTHER = Offer(
    "llama", "level", "median", "higher", "decode_tok_s", "tok/s",
    (Figure("value", Fraction("33.4261"), "tok/s"),), 5, arm="llama", names=("llama", "muser"),
)  # fmt: skip
RATIO = Fraction("35.1586") / Fraction("33.4261")


def change(ratio=RATIO, polarity="higher"):
    return Offer(
        "decode",
        "change",
        "ratio_of_medians",
        polarity,
        "decode_tok_s" if polarity == "higher" else "token_ms",
        "tok/s" if polarity == "higher" else "ms",
        (
            Figure("ratio", ratio, "×"),
            Figure("percent", 100 * (ratio - 1), "%"),
            Figure("baseline", Fraction("33.4261"), "tok/s"),
            Figure("candidate", Fraction("35.1586"), "tok/s"),
        ),
        5,
        least=ratio - Fraction("0.003"),
        most=ratio + Fraction("0.002"),
        baseline="llama",
        candidate="muser",
        names=("llama", "muser"),
    )


def told(text, *, owner=None, side=None):
    """Return the only number of `text`, or the one behind `|`, with the words around it."""
    place = text.index("|") if "|" in text else 0
    text = text.replace("|", "")
    number = next(one for one in numbers.find(text) if one.start >= place)
    return Told(number, Said(text[: number.start], text[number.after :]), owner, side)


def code(text, offer, others=(), **words):
    found = fitting.judge(told(text, **words), offer, others)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("decodes at 35.1586 tok/s", None),
        ("decodes at 35.16 tok/s", None),
        ("decodes at 35 tok/s", None),
        ("decodes at 35.16", None),
        ("decodes at 35.1 tok/s", "CLM103"),
        ("decodes at 35.159 tok/s", None),
        ("decodes at 35.1587 tok/s", "CLM102"),
        ("decodes at 35.15860 tok/s", "CLM213"),
        ("decodes at 35.1586 ms", "CLM104"),
        ("decodes at 35.16 %", "CLM104"),
        ("decodes at 33.9 tok/s", "CLM102"),
        ("decodes at −35.16 tok/s", "CLM102"),
        ("decodes at 33.4261 tok/s", "CLM109"),
        ("at least 35.08 tok/s", None),
        ("at least 35.1 tok/s", "CLM110"),
        ("more than 35 tok/s", None),
        ("more than 35.1 tok/s", "CLM110"),
        ("up to 35.16 tok/s", "CLM110"),
        ("up to 35.19 tok/s", None),
        ("never more than 35.2 tok/s", None),
        ("at most 35.16 tok/s", "CLM110"),
        ("about 35 tok/s", None),
        ("~36 tok/s", None),
        ("~37 tok/s", "CLM102"),
        ("a minimum of 35.0851 tok/s", None),
        ("with 35.0851 tok/s", "CLM102"),
        ("with a CV of 0.131 %", None),
    ],
)
def test_a_level_is_judged_in_its_unit_at_its_digits_under_its_words(text, wanted):
    assert code(text, LEVEL, [LEVEL, OTHER]) == wanted


MEMORY = Offer(
    "kv", "level", "median", "lower", "peak_mib", "MiB",
    (Figure("value", Fraction(15978), "MiB"),), 5,
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted", "said"),
    [
        ("needs 15.6 GiB", None, ""),
        ("needs 15,978 MiB", None, ""),
        ("needs 16.8 GB", None, ""),
        ("needs 15.6 GB", "CLM104", "the value in GiB, the page says GB"),
        ("needs 15,978 MB", "CLM104", "the value in MiB, the page says MB"),
        ("needs 15.6 MiB", "CLM104", "the value in GiB, the page says MiB"),
        ("needs 15.5 GiB", "CLM102", "it has value 15.6 GiB"),
        ("needs 14.9 GiB", "CLM102", "it has value 15.6 GiB"),
        ("needs 14.9 ms", "CLM102", "it has value 15978.0 MiB"),
    ],
)
def test_a_value_in_another_unit_is_told_in_the_unit_of_the_page(text, wanted, said):
    finding = fitting.judge(told(text), MEMORY)
    assert (finding[0] if finding else None) == wanted
    assert said in (finding[1] if finding else "")


def test_a_value_of_the_claim_itself_is_no_value_of_another_that_has_it_too():
    other = replace(change(), claim="both", figures=(Figure("ratio.max", RATIO, "×"),))
    finding = fitting.judge(told("runs at 1.05× it", side="llama"), change(), [other])
    assert finding is not None
    assert finding[0] == "CLM105"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("runs at 1.051831×", "CLM213"),
        ("is 5.1830755 % faster", "CLM213"),
        ("runs at 1.0518×", None),
        ("is 5.18 % faster", None),
    ],
)
def test_digits_of_a_change_that_its_pairs_do_not_bear_are_too_many(text, wanted):
    assert code(text, replace(change(), error=Fraction("0.002"))) == wanted


def test_too_many_digits_are_told_before_how_the_last_one_is_rounded():
    rough = replace(LEVEL, decimals=None, error=Fraction("0.6"))
    cut = replace(rough, figures=(Figure("value", Fraction("35.158695165"), "tok/s"),))
    assert code("decodes at 35.15869516 tok/s", cut) == "CLM213"
    assert code("decodes at 35.158 tok/s", cut) == "CLM103"


def test_a_right_number_beside_the_other_engines_name_is_that_engines():
    assert code("llama.cpp decodes at 35.16 tok/s", LEVEL, owner="llama") == "CLM109"
    assert code("Muser decodes at 35.16 tok/s", LEVEL, owner="muser") is None


@pytest.mark.parametrize(
    ("text", "side", "wanted"),
    [
        ("runs at 1.05×", None, None),
        ("runs at 1.05183× it", None, None),
        ("is 5.2 % faster", None, None),
        ("gains +5.2 %", None, None),
        ("reaches 105.2 % of it", None, None),
        ("is 1.05× as fast", None, None),
        ("runs at 1.1×", None, "CLM103"),
        ("runs at 1×", None, "CLM103"),
        ("runs at 1.05183 %", None, "CLM104"),
        ("is 105 % faster", None, "CLM104"),
        ("gains 0.05×", None, "CLM104"),
        ("runs at 0.95×", None, "CLM105"),
        ("is 5.2 % slower", None, "CLM105"),
        ("loses −5.2 %", None, "CLM105"),
        ("runs at 2×", None, "CLM102"),
        ("llama.cpp runs at 0.95× Muser", "llama", None),
        ("llama.cpp runs at 1.05× Muser", "llama", "CLM105"),
        ("llama.cpp is 4.9 % slower than Muser", "llama", None),
        ("llama.cpp is 5.2 % faster than Muser", "llama", "CLM105"),
        ("at least 1.04×", None, None),
        ("at least 1.05×", None, "CLM110"),
        ("up to 1.1×", None, None),
        ("up to 1.06×", None, "CLM110"),
    ],
)
def test_a_change_is_told_in_one_of_its_forms_and_no_other(text, side, wanted):
    assert code(text, change(), side=side) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("is 1.86× as fast", None),
        ("is 86 % faster", None),
        ("has 186 % of the speed", None),
        ("is 186 % faster", "CLM104"),
        ("runs at 0.86×", "CLM104"),
        ("runs at 86×", "CLM104"),
        ("reaches 86 % of the speed", "CLM104"),
    ],
)
def test_the_three_forms_of_one_change_are_told_apart(text, wanted):
    assert code(text, change(Fraction("1.86"))) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("is 1.9× as fast", None),
        ("is 2× as fast", "CLM103"),
        ("is nearly 2× as fast", None),
        ("is about 2× as fast", None),
        ("is 1.86× slower", "CLM105"),
        ("saves 86 % of the rate", "CLM104"),
        ("saves 46 % of the time", None),
    ],
)
def test_a_whole_multiple_is_said_of_what_comes_to_it_and_a_loss_of_no_gain(text, wanted):
    assert code(text, change(Fraction("1.86"))) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("gains 1.73 tok/s", None),
        ("is 1.73 tok/s faster", None),
        ("raises the rate by 1.73 tok/s", None),
        ("gains 35.16 tok/s", "CLM105"),
        ("is 35.16 tok/s faster", "CLM105"),
        ("rises by 35.16 tok/s", "CLM105"),
        ("rises to 35.16 tok/s", None),
    ],
)
def test_a_difference_is_of_both_arms_and_no_value_itself(text, wanted):
    assert code(text, change()) == wanted
    assert code(text, LEVEL) == (None if "to 35" in text else wanted or "CLM102")


@pytest.mark.parametrize(
    ("text", "end", "wanted"),
    [
        ("gains 24 %", None, None),
        ("gains 24 %", "low", None),
        ("gains 86 %", "high", None),
        ("gains 86 %", "low", "CLM102"),
        ("gains 96 %", "high", "CLM102"),
    ],
)
def test_the_ends_of_a_matrix_are_told_in_percent_as_well(text, end, wanted):
    ends = (Figure("ratio.min", Fraction("1.24"), "×"), Figure("ratio.max", Fraction("1.86"), "×"))
    matrix = Offer("all", "matrix", "ratio_of_medians", "higher", "decode_tok_s", "tok/s", ends, 6)
    here = told(text)
    found = fitting.judge(Told(here.number, here.said, end=end), matrix)
    assert (found and found[0]) == wanted


def test_a_denied_number_is_refused_and_its_bound_is_not():
    assert code("does not reach 35.16 tok/s", LEVEL) == "CLM112"
    assert code("never falls below 35.08 tok/s", LEVEL) is None
    assert code("is no longer 35.16 tok/s", change()) == "CLM112"
    assert code("is no longer 33.43 tok/s", change()) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("costs 3.2 % of the rate", None),
        ("lowers the rate by 3.2 %", None),
        ("drops to 96.8 % of the rate", None),
        ("raises the rate by 3.2 %", "CLM105"),
        ("is 3.2 % slower", None),
        ("changes by −3.2 %", None),
        ("is 3.2 % faster", "CLM105"),
        ("changes by 3.2 %", "CLM105"),
        ("gains 0.968×", "CLM105"),
        ("runs at 0.968×", None),
    ],
)
def test_a_loss_keeps_its_sign_or_its_word(text, wanted):
    assert code(text, change(Fraction("0.968"))) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("takes 20 % less time", None),
        ("is 1.25× faster", None),
        ("takes 0.8× the time", None),
        ("changes latency by −20 %", None),
        ("takes 20 % longer", "CLM105"),
        ("takes 25 % less time", "CLM104"),
        ("is 25 % faster", None),
        ("is 20 % faster", "CLM104"),
        ("comes 1.25× as fast", None),
        ("takes 80 % of the time", None),
        ("needs 125 % of the time", "CLM104"),
        ("takes 1.25× the time", "CLM105"),
        ("has 1.25× the latency", "CLM105"),
        ("has 0.80× the latency", None),
        ("comes 1.25× as slowly", "CLM105"),
        ("latency falls to 80 % of plain", None),
        ("raises the latency by 20 %", "CLM105"),
        ("latency: +20 %", "CLM105"),
    ],
)
def test_where_less_is_better_the_quotient_of_the_times_is_right_as_well(text, wanted):
    assert code(text, change(Fraction("1.25"), "lower")) == wanted


@pytest.mark.parametrize(
    ("text", "owner", "wanted"),
    [
        ("llama.cpp 33.43 tok/s", "llama", None),
        ("Muser 33.43 tok/s", "muser", "CLM109"),
        ("from 33.43 tok/s", None, None),
    ],
)
def test_the_medians_of_a_change_belong_to_their_arms(text, owner, wanted):
    assert code(text, change(), owner=owner) == wanted


@pytest.mark.parametrize(
    ("text", "name", "word"),
    [
        ("the median of 35.2", "value", None),
        ("on average 35.2", "value", "average"),
        ("a mean {of} 35.2", "value", "mean"),
        ("a minimum of 35.2", "min", None),
    ],
)
def test_a_word_for_another_statistic_is_found_in_the_pages_own_sentence(text, name, word):
    start = text.index("35.2")
    shown = [(start, start + 4, name)]
    assert fitting.statistic_misfit(text, shown, "median", "higher") == word


@pytest.mark.parametrize("decimals", range(2, 41))
def test_a_bound_of_however_many_decimals_is_told_with_another_number_than_its_own(decimals):
    number = f"35.09{'0' * (decimals - 2)}"
    code, message = fitting.judge(told(f"at least {number} tok/s"), LEVEL)
    broken = message.partition("one repetition was ")[2].partition(";")[0]
    assert (code, Decimal(broken) < Decimal(number)) == ("CLM110", True)


@pytest.mark.parametrize(
    ("text", "told_so"),
    [
        ("at least 35.09 tok/s", "one repetition was 35.085; 35.08 would hold"),
        ("at least 35.1 tok/s", "one repetition was 35.09; 35.0 would hold"),
        ("under 35.19 tok/s", "one repetition was 35.194; 35.20 would hold"),
        ("under 35 tok/s", "one repetition was 35.2; 36 would hold"),
    ],
)
def test_a_bound_that_is_not_kept_is_told_in_digits_that_show_it_with_the_one_that_holds(
    text, told_so
):
    (_, message) = fitting.judge(told(text), LEVEL)
    assert message.endswith(told_so)
