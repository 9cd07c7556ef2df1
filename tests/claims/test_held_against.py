"""What a change is held against: an arm of its evidence, and nothing that was not measured."""

import pytest

from claims.checks import held_against
from claims.checks.held_against import Known
from claims.checks.said import Said

KNOWN = Known(("plain", "fused"), frozenset({"scalar", "h100"}), releases=False)


def stranger(text, unit="%", known=KNOWN):
    before, _, after = text.partition("|")
    return held_against.stranger(Said(before, after), unit, known)


@pytest.mark.parametrize(
    "text",
    [
        "Fused is | faster than llama.cpp.",
        "Fused beats Hugging Face Transformers by |.",
        "Fused outperforms vLLM by |.",
        "Fused beats faster-whisper by |.",
        "Fused is | faster than the previous release.",
        "Fused is | as fast as paged decoding.",
        "Compared with vLLM, fused gains |.",
        "Over SGLang, fused gains |.",
        "Fused reaches | of SGLang.",
        "Fused reaches | of the speed of eager mode.",
        "A gain of | over the reference implementation.",
        "Fused is | faster than the M3.",
    ],
)
def test_what_nobody_measured_is_named(text):
    assert stranger(text)


@pytest.mark.parametrize("text", ["Fused decodes at | llama.cpp.", "We see | vLLM 0.11.0 here."])
def test_an_engine_right_behind_a_multiple_is_what_it_is_of(text):
    assert stranger(text, "×")


@pytest.mark.parametrize(
    "text",
    [
        "Fused is | faster than plain.",
        "Fused is | faster than the plain kernel on the H100.",
        "Fused is | faster than the baseline.",
        "Fused is | faster than before.",
        "Fused is | faster than it was.",
        "Fused is | faster than expected.",
        "Fused is | faster than its unfused twin.",
        "Fused is | faster than the scalar path.",
        "Fused is | as fast as the one before.",
        "Compared with plain, fused gains |.",
        "Fused gains | over 6 repetitions.",
        "Fused gains | over both depths.",
        "Fused gains | over what we had.",
        "Fused reaches | of the rate of plain.",
        "Fused reaches | of it.",
        "Paging costs | of the rate.",
        "Fused beats plain by |.",
        "Fused gives | the throughput at depth 2048.",
        "A gain of | over the kernel that it replaces.",
    ],
)
def test_the_baseline_may_be_called_by_its_name_or_by_what_it_is(text):
    assert stranger(text) is None


@pytest.mark.parametrize("text", ["a | speed-up", "| faster at depth 2048", "| plain", "| here"])
def test_words_behind_a_multiple_are_no_comparator_by_themselves(text):
    assert stranger(text, "×") is None


def test_a_release_is_the_baseline_only_where_the_arms_are_of_two():
    text = "Fused is | faster than the previous release."
    assert stranger(text, known=Known(("old", "new"), frozenset(), releases=True)) is None
