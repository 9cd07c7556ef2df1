"""The grammar of claims without digits: forms of words, letters of words, and rules over them."""

import random
import re
from re import _parser as parser

import pytest

from claims.words import forms, grammar, lexicon, tagging
from claims.words.letters import TABLE, letter
from tests.claims.test_literals import spell

WAYS = [way for rule in grammar.RULES for way in rule.ways]


def letters(sentence, *own):
    return tagging.Tagged(sentence, sentence.lower(), sentence, own).letters


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Our decoder never falls behind llama.cpp on any prompt.", "STnLNpug,"),
        ("Prefill is every bit as fast as in vLLM.", "WbykFkpN,"),
        ("Time to first token is lower than before.", "MbCtp,"),
        ("The latency budget of Frobnicator", "doppX".replace("pp", "zp")),
        ("It doesn't hurt.", "inH,"),
    ],
)
def test_a_sentence_is_a_letter_for_each_word(sentence, expected):
    assert letters(sentence) == expected


def test_names_of_the_project_are_names():
    assert letters("So Frobnicator Two is out.", "frobnicator two") == letters("So vLLM is out.")


def test_in_code_a_name_is_a_name_and_nothing_else_is_said():
    struck = "we run \ufffc\ufffc\ufffc\ufffc \ufffc\ufffc\ufffc\ufffc\ufffc\ufffc."
    said = tagging.Tagged("we run vllm faster.", "we run vllm faster.", struck)
    assert said.letters == "SbNX,"


def test_each_word_knows_its_place():
    sentence = "Ours no longer lags, though."
    said = tagging.Tagged(sentence, sentence.lower(), sentence)
    assert [sentence[a:b] for a, b in said.spans] == [
        "Ours",
        "no longer",
        "lags",
        ",",
        "though",
        ".",
    ]


@pytest.mark.parametrize(
    "sentence",
    ["It's on par (at 1,024 tokens/s), no slower.", "It's  on par\x0b(at 1,024), no slower ."],
)
def test_the_place_of_a_word_does_not_depend_on_the_white_space_around_it(sentence):
    said = tagging.Tagged(sentence, sentence.lower(), sentence)
    assert len(said.spans) == len(said.letters) == len(said.heads)
    found = [" ".join(sentence[a:b].lower().split()) for a, b in said.spans]
    assert found[:4] == ["it's", "on par", "(", "at"]
    assert [one for one in found if one[0].isalnum()][-2:] == ["no", "slower"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("23.45,", "1.0,"), ("(1,024)", "(9,1)"), ("3.5×", "11.25×"), ("2-4", "8-64")],
)
def test_numbers_of_one_shape_have_the_same_letters(one, other):
    assert letters(f"At {one} we") == letters(f"At {other} we")


def test_figures_alone_may_not_match_any_rule():
    assert grammar.likely({"#", "o", ","}) == 0
    assert lexicon.likely([]) == 0


@pytest.mark.parametrize(
    ("form", "word", "expected"),
    [
        (forms.verb, "beat", {"beat", "beats", "beaten", "beating"}),
        (forms.verb, "carry", {"carries", "carried", "carrying"}),
        (forms.verb, "drop", {"dropped", "dropping"}),
        (forms.noun, "penalty", {"penalty", "penalties"}),
        (forms.noun, "loss", {"loss", "losses"}),
        (forms.comparative, "snappy", {"snappier"}),
        (forms.superlative, "fine", {"finest"}),
        (forms.comparative, "big", {"bigger"}),
    ],
)
def test_a_word_has_its_forms(form, word, expected):
    assert expected <= set(form(word))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("qwen2.5-7b", "N"),
        ("h100", "N"),
        ("vllm's", "N"),
        ("regression-free", "ζ"),
        ("lock-free", "U"),
        ("latency-neutral", "U"),
        ("zero-overhead", "U"),
        ("compile-overhead", "o"),
        ("hundred-fold", "2"),
        ("higher-throughput", "M"),
        ("tokens/s", "M"),
        ("zippier", "Q"),
        ("server", "T"),
        ("wasn't", "n"),
        ("1,024", "#"),
        ("strangely", "y"),
        ("…", ","),
    ],
)
def test_a_word_of_no_group_is_read_by_its_parts(word, expected):
    assert letter(word) == expected


@pytest.mark.parametrize("way", WAYS)
def test_a_rule_is_tried_on_whatever_it_matches(way):
    nodes, draw = parser.parse(way), random.Random(way)
    texts = [spell(nodes, draw) for _ in range(100)]
    place = WAYS.index(way)
    for text in texts:
        if re.search(way, text):
            assert grammar.likely(set(text)) >> place & 1, text


def test_every_letter_of_a_rule_is_one_that_a_word_can_have():
    known = set(TABLE.values()) | set("o#,QXNyn2.")
    used = {
        one for way in WAYS for one in re.sub(r"\\.|\(\?[:=!<]+|\{.*?\}|[][^$|()?*+~,]", "", way)
    }
    assert used - known == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "Our decoder no longer lags behind.",
        "It is on par with vLLM!",
        "A (fast) one, to the letter.",
    ],
)
def test_what_is_seen_at_a_glance_holds_every_letter(sentence):
    chunks = sentence.lower().split()
    assert set(letters(sentence)) <= tagging.seen(chunks) | tagging.phrases(chunks) | {"o", "X"}
