"""Whose number a sentence says it is."""

import pytest

from claims.checks import arms
from claims.numerals import numbers

NAMES = ("muser", "llama")


def owners(text):
    spans = [(one.start, one.after) for one in numbers.find(text)]
    owned = arms.owners(text, spans, arms.mentions(text, NAMES))
    return {text[spans[i][0] : spans[i][1]]: arm for i, arm in owned.items()}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Muser decodes at 35.2 tok/s.", {"35.2 tok/s": "muser"}),
        ("Muser 35.2, llama.cpp 33.4", {"35.2": "muser", "33.4": "llama"}),
        ("35.2 tok/s for Muser and 33.4 for llama.cpp", {"35.2 tok/s": "muser", "33.4": "llama"}),
        ("35.2 tok/s (Muser), 33.4 (llama)", {"35.2 tok/s": "muser", "33.4": "llama"}),
        ("Muser and llama.cpp reach 35.2 and 33.4", {"35.2": "muser", "33.4": "llama"}),
        ("Muser and llama.cpp reach 35.2, 33.4 and 9", {}),
        ("Over llama.cpp, Muser reaches 35.2", {"35.2": "muser"}),
        ("Llama-3.1-8B decodes at 35.2 tok/s", {}),
        ("It decodes at 35.2 tok/s", {}),
        ("Muser 35.2 tok/s (llama: 33.4 tok/s)", {"35.2 tok/s": "muser", "33.4 tok/s": "llama"}),
        ("Without Muser it runs at 33.4 tok/s", {"33.4 tok/s": "without muser"}),
        ("With Muser turned off, 33.4 tok/s", {"33.4 tok/s": "without muser"}),
        ("MUSER: 35.2 tok/s, more than llama.cpp", {"35.2 tok/s": "muser"}),
    ],
)
def test_each_number_is_tied_to_the_arm_that_its_sentence_gives_it(text, wanted):
    assert owners(text) == wanted


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Muser runs at 1.05× llama.cpp", "muser"),
        ("llama.cpp runs at 0.95× Muser", "llama"),
        ("It runs at 1.05× the llama one", "muser"),
        ("Compared with llama.cpp, Muser gains 5 %", "muser"),
        ("It gains 5 %", None),
        ("Disabling Muser makes it 5 % slower", "llama"),
        ("The first token of Muser comes 5 % faster", "muser"),
    ],
)
def test_a_comparison_is_about_the_arm_that_is_not_held_against(text, side):
    assert arms.side(arms.mentions(text, NAMES), "llama", "muser") == side


@pytest.mark.parametrize(
    ("owner", "own", "meant"),
    [
        ("muser", NAMES, "muser"),
        ("without muser", NAMES, "llama"),
        ("without muser", ("muser",), "without muser"),
        ("without muser", ("other",), None),
        (None, NAMES, None),
    ],
)
def test_without_one_arm_of_a_window_the_other_runs(owner, own, meant):
    assert arms.meant(owner, own) == meant


def test_a_label_is_found_however_it_is_joined():
    assert [one.arm for one in arms.mentions("Our v_2 and V2 and v-2", ("v2",))] == ["v2"] * 3
    assert arms.mentions("anything", ()) == []
