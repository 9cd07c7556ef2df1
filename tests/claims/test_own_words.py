"""The words of a wording are held against the evidence, as those of a page are (REG-29)."""

from fractions import Fraction

import pytest

from claims.registers import wording

FILE = {"evidence": [{"entry": "STEADY"}], "repetitions": 5}
FALSE_CHANGES = {
    "The plain decoder runs at {ratio:.2f}× the tuned one.": "CLM105",
    "Tuned is {percent:.0f} % slower than plain.": "CLM105",
    "Tuned decodes {baseline:.0f} {unit}, plain {candidate:.0f} {unit}.": "CLM109",
    "Tuned lifts decode from {candidate:.0f} to {baseline:.0f} {unit}.": "CLM109",
    "Tuned prefills at {ratio:.2f}× plain.": "CLM109",
    "Tuned doubles decode, {ratio:.2f}×.": "CLM407",
    "The tokens are bit-identical to the last logit at {ratio:.2f}×.": "CLM407",
    "Tuned decodes at {ratio:.2f}× plain (medians of 50 runs each).": "CLM211",
}
TRUE_CHANGES = [
    "The tuned decoder runs at {ratio:.2f}× the plain one.",
    "Plain is {percent:.0f} % slower than tuned.",
    "Tuned is {percent:.0f} % faster than plain (medians of {n} each).",
    "Tuned decodes {candidate:.0f} {unit}, plain {baseline:.0f} {unit}.",
    "Tuned lifts decode from {baseline:.0f} to {candidate:.0f} {unit}.",
    "It runs at {ratio:.2f}×, one pair at {pair.min:.2f}× (n = {n}).",
    "Tuned is faster: {ratio:.2f}× plain, {pair.min:.2f} to {pair.max:.2f}× pair by pair.",
    "{ratio:.2f}×: tuned decodes {candidate:.0f} ({candidate.min:.0f}–{candidate.max:.0f}) {unit}.",
]
FALSE_LEVELS = {
    "Decode reaches {value:.1f} {unit}.": "CLM109",
    "Prefill reaches {value:.1f} {unit} (median of 50 runs).": "CLM211",
    "Prefill reaches {value:.9f} {unit}.": "CLM213",
    "With a ubatch of 4096 prefill reaches {value:.1f} {unit}.": "CLM201",
    "Prefill reaches {value:.1f} {unit} whatever the load.": "CLM203",
    "Prefill typically reaches {max:.2f} {unit}, {value:.1f} {unit} at the median.": "CLM205",
    "Prefill is lossless at {value:.1f} {unit}.": "CLM407",
}
TRUE_LEVELS = [
    "Prefill reaches {value:.1f} {unit} (median of {n} runs).",
    "With a ubatch of 512 prefill reaches {value:.1f} {unit}.",
    "On a card of 80 GiB prefill reaches {value:.1f} {unit}.",
    "Prefill reaches {value:.1f} {unit} ({min:.1f} to {max:.1f}, {n} repetitions, cv {cv:.2f} %).",
    "Prefill reaches {value:.1f} {unit}, minimum {min:.1f}, maximum {max:.1f}.",
    "Prefill peaks at {max:.2f} {unit}, {value:.1f} {unit} at the median.",
    "Prefill never exceeds {max:.1f} {unit}, {value:.1f} {unit} at the median.",
]


def codes(publisher, claim, words, **changes):
    return publisher.codes(claim, wording=words, **changes)


@pytest.mark.parametrize(("words", "code"), FALSE_CHANGES.items())
def test_a_change_that_its_evidence_does_not_bear_is_refused(shared_publisher, words, code):
    assert codes(shared_publisher, shared_publisher.change, words)[:1] == [code]


@pytest.mark.parametrize("words", TRUE_CHANGES)
def test_a_change_that_its_evidence_bears_holds(shared_publisher, words):
    assert codes(shared_publisher, shared_publisher.change, words) == []


@pytest.mark.parametrize(("words", "code"), FALSE_LEVELS.items())
def test_a_level_that_its_evidence_does_not_bear_is_refused(shared_publisher, words, code):
    assert codes(shared_publisher, shared_publisher.level, words, **FILE)[:1] == [code]


@pytest.mark.parametrize("words", TRUE_LEVELS)
def test_a_level_that_its_evidence_bears_holds(shared_publisher, words):
    assert codes(shared_publisher, shared_publisher.level, words, **FILE) == []


def test_a_maximum_is_told_as_one(shared_publisher):
    most = {"statistic": "max", **FILE}
    for words, wanted in (("reaches", ["CLM205"]), ("peaks at", []), ("reaches up to", [])):
        said = f"Prefill {words} {{value:.1f}} {{unit}} ({{n}} runs)."
        assert codes(shared_publisher, shared_publisher.level, said, **most) == wanted


def test_nobody_approves_words_that_the_evidence_does_not_bear(shared_publisher):
    words = "The plain decoder runs at {ratio:.2f}× the tuned one."
    shared_publisher.write({**shared_publisher.change, "wording": words})
    refused = shared_publisher.claims("approve", "tuned")
    assert (refused.exit_code, "CLM105" in refused.stderr) == (1, True)
    assert "CLM105" in shared_publisher.claims("why", "tuned").stdout


def test_what_fills_a_hole_is_found_in_the_sentence():
    values = {"value": Fraction(70, 2), "unit": "tok/s", "scope.x": "two  words"}
    template = " With {scope.x},\n it reaches {value:.1f} {unit}. "
    sentence = wording.fill(template, values)
    told = [(one.name, sentence[one.start : one.stop]) for one in wording.placed(template, values)]
    assert told == [("scope.x", "two words"), ("value", "35.0"), ("unit", "tok/s")]
