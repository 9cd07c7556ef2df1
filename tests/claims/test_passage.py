"""A stretch of text read once for all the numbers in it."""

from claims.checks.displayed import Displayed, Value
from claims.checks.passage import FAR, Passage
from claims.numerals import numbers

NAMES = ("llama.cpp", "muser")
TEXT = "In decode Muser runs at 35.2 tok/s and llama.cpp at 33.4 tok/s, 5 runs each."


def test_only_measured_numbers_are_told_apart_and_found_by_any_of_their_characters():
    passage = Passage(TEXT)
    at = TEXT.index("35.2")
    assert [TEXT[start:stop] for start, stop in passage.spans] == ["35.2 tok/s", "33.4 tok/s"]
    assert [passage.index(place) for place in (at - 1, at, at + 9, at + 10)] == [None, 0, 0, None]
    assert passage.index(TEXT.index("5 runs")) is None


def test_each_number_is_the_arms_that_stands_before_it():
    found = Passage(TEXT).arms(NAMES)
    assert found.owned == {0: "muser", 1: "llama.cpp"}
    assert found.several
    assert found.alone is None
    assert Passage("Muser (tok/s)").arms(NAMES).alone == "muser"


def test_a_metric_counts_up_to_the_number_before():
    text = "Prefill reaches 163.5 tok/s; decode is at 35.2 tok/s."
    told = Passage(text).metrics
    first, second = Passage(text).spans
    assert told.contradicted("decode_tok_s", *first) == "Prefill"
    assert told.contradicted("decode_tok_s", *second) == ""
    assert told.contradicted("prefill_tok_s", *second) == "decode"
    assert Passage("Prefill (tok/s)").heading.contradicted_by_header("decode_tok_s") == "Prefill"


def other(metric, text):
    """Return the words that give the only number of a text to another metric."""
    (number,) = numbers.find(text)
    return Passage(text).metrics.contradicted(metric, number.start, number.after)


def test_a_metric_by_its_plain_name_is_one_where_the_sentence_is_about_it():
    assert other("ttft_ms", "The end-to-end latency is 47.9 ms.") == "end-to-end latency"
    assert other("decode_tok_s", "Training runs at 133.5 tok/s.") == "Training"
    assert other("peak_mib", "Disk usage is 15.6 GiB.") == "Disk usage"
    assert other("decode_tok_s", "The accuracy is 86 %.") == "accuracy"
    assert other("decode_tok_s", "It needs 86 % less energy.") == "less energy"
    assert other("decode_tok_s", "With no loss of accuracy it gains 86 %.") == ""
    assert other("peak_mib", "Decode needs 15.6 GiB of memory.") == ""
    assert other("e2e_ms", "The end-to-end latency is 47.9 ms.") == ""


def test_what_is_of_each_token_or_request_is_no_other_metric():
    assert other("ttft_ms", "It takes 47.9 ms per token.") == "per token"
    assert other("peak_mib", "It needs 15.6 GiB per request.") == "per request"
    assert other("itl_ms", "It takes 47.9 ms per token.") == ""
    assert other("e2e_ms", "It takes 47.9 ms per request.") == ""


def test_articles_without_an_end_leave_a_metric_set_aside():
    text = f"35.2 tok/s after {'the ' * 200}prefill"
    assert Passage(text).metrics.contradicted("decode_tok_s", 0, 10) == ""
    text = f"35.2 tok/s by {'the ' * 200}prefill"
    assert Passage(text).metrics.contradicted("decode_tok_s", 0, 10) == "prefill"


def test_the_words_of_a_sentence_without_an_end_are_cut():
    said = Passage("a" * 20_000).said(10_000, 10_001)
    assert (len(said.before), len(said.after)) == (FAR, FAR)


def test_a_displayed_value_is_kept_once_with_all_its_offsets():
    one, other = (
        Value(("level", "m"), "w", None, "median", numbers.find(text)[0], "C1")
        for text in ("35.2 tok/s", "35 tok/s")
    )
    shown = Displayed()
    for value, begin in ((one, 3), (other, 70_000), (one, 9)):
        shown.add(value, begin, 2)
    assert list(shown) == [(one, 3, 2), (other, 70_000, 2), (one, 9, 2)]
    assert shown.values == [one, other]
