"""Sentences that claim without a digit, bound by a marker: their words against the evidence."""

from fractions import Fraction

import pytest

from claims import desk
from claims.checks import changes, leaning, sides
from claims.checks.leaning import Said
from claims.checks.page import Checker
from claims.checks.sides import Sides
from claims.numerals import numbers
from tests.claims.paired import measure

PLAIN, TUNED = (400, 401, 399, 400, 400, 400), (500, 501, 499, 500, 502, 500)
LOSS, ALIKE = (380, 381, 379, 380, 380, 380), (400, 401, 399, 401, 401, 400)


def change(name, entry, **fields):
    said = {"metric": "decode_tok_s", "statistic": "ratio_of_medians"}
    wording = "The tuned decoder runs at {ratio:.2f}× the plain one (n = {n})."
    return {
        "id": name, "kind": "change", "wording": wording, "evidence": [{"entry": entry}],
        **said, **fields,
    }  # fmt: skip


@pytest.fixture(scope="module")
def page(shared_publisher):
    """Return a checker of pages: code and line:column of each finding.

    Bound may be `tuned` (1.25×), `loss` (0.95×), `even` (alike within 2 %), `prefill` (a level) and
    `worded`, whose approved sentence is "Tuned is faster than plain."
    """
    p = shared_publisher
    measure(p, "WON", ("plain", PLAIN), ("tuned", TUNED))
    measure(p, "LOST", ("plain", PLAIN), ("tuned", LOSS), cell="decode-d4096")
    even = {"lane": "greedy", "equivalence_margin": "0.02"}
    measure(p, "EVEN", ("plain", PLAIN), ("tuned", ALIKE), cell="decode-d512", scope=even)
    alike = "Decode is alike within ±{margin:.0f} % at {ratio:.3f}× (n = {n})."
    p.publish(
        p.level,
        change("tuned", "WON"),
        change("loss", "LOST"),
        change("even", "EVEN", margin="0.02", wording=alike),
        change("worded", "WON", wording="Tuned is faster than plain."),
    )
    with desk.open_desk(lambda _: None) as here:
        checker = Checker(here.register, here.judge, resolver=here.resolver())

        def check(text):
            found = checker.check("page.md", f"{text}\n").findings
            return [(f.code, f.place.partition(":")[2]) for f in found]

        yield check


@pytest.mark.parametrize(
    "text",
    [
        "It is faster than the plain decoder.<!--claim:tuned-->",
        "Tuned is faster<!--claim:tuned--> than plain.",
        "- ✓ faster<!--claim:tuned-->",
        "# Faster than plain<!--claim:tuned-->",
        "| a |\n|---|\n| ✓ faster<!--claim:tuned--> |",
        "![decode is faster than plain](a.png)<!--claim:tuned-->",
        "<!-- claim: tuned -->\nTuned is faster than plain.",
        "<!-- claim: tuned -->\n- Tuned is faster than plain.\n- Tuned gives the same tokens.",
        "<!-- claim: tuned -->\n| arm | decode |\n|---|---|\n| tuned | faster |",
        "<!-- claim: tuned -->\n| arm | decode |\n|---|---|\n| tuned | 500 tok/s |",
        "Tuned is faster than plain.[^tuned]\n\n[^tuned]: See the register.",
        "It is [faster than plain](claims.md#tuned).",
        "It was run often, see [the register](claims.md#tuned).",
        "<p>Tuned is faster than plain.<!--claim:tuned--></p>",
        "Tuned is faster, and the tokens are the same.<!--claim:tuned-->",
        "Tuned gives the same tokens as plain.<!--claim:tuned-->",
        "Tuned is faster and does not change the tokens.<!--claim:tuned-->",
        "Plain is slower than tuned.<!--claim:tuned-->",
        "Plain trails tuned.<!--claim:tuned-->",
        "Without tuned, decode is slower.<!--claim:tuned-->",
        "Decode is faster with tuned than with plain.<!--claim:tuned-->",
        "Going from plain to tuned makes decode faster.<!--claim:tuned-->",
        "Compared with plain, tuned is faster.<!--claim:tuned-->",
        "Tuned is faster than before.<!--claim:tuned-->",
        "Tuned raises decode throughput.<!--claim:tuned-->",
        "Decode is faster thanks to tuned.<!--claim:tuned-->",
        "Tuned replaces plain, which was slower.<!--claim:tuned-->",
        "Tuned is faster at a depth of 2,048.<!--claim:tuned-->",
        "Outputs are identical.<!--claim:tuned-->",
        "Tuned lowers decode latency.<!--claim:tuned-->",
        "Tuned lowers the decode rate.<!--claim:loss-->",
        "Decode is slower.<!--claim:loss-->",
        "Decode is faster<!--claim:tuned-->, and elsewhere it is slower<!--claim:loss-->.",
        "Decode is unchanged.<!--claim:even-->",
        "No regression.<!--claim:even-->",
        "Decode is as fast as plain.<!--claim:even-->",
        "Tuned is faster than plain.<!--claim:worded-->",
        "# Tuned is faster than plain<!--claim:worded-->",
        "Tuned is faster than plain<!--claim:tuned--> by 25 %<!--claim:tuned-->.",
    ],
)
def test_words_that_the_claim_bears_pass_wherever_they_stand(page, text):
    assert page(text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It was run often.<!--claim:tuned-->", [("CLM404", "1:18")]),
        ("Tuned is not faster than plain.<!--claim:tuned-->", [("CLM404", "1:32")]),
        ("<!-- claim: tuned -->\n- Run often.\n- Run twice.", [("CLM404", "1:1")] * 2),
        ("Plain is faster than tuned.<!--claim:tuned-->", [("CLM105", "1:10")]),
        ("Decode trails plain.<!--claim:tuned-->", [("CLM105", "1:8")]),
        ("Without tuned, decode is faster.<!--claim:tuned-->", [("CLM105", "1:26")]),
        ("Decode is slower.<!--claim:tuned-->", [("CLM105", "1:11")]),
        ("Decode is faster.<!--claim:loss-->", [("CLM105", "1:11")]),
        ("Tuned raises the decode rate.<!--claim:loss-->", [("CLM105", "1:7")]),
        ("Tuned lowers the decode rate.<!--claim:tuned-->", [("CLM105", "1:7")]),
        ("Tuned is an order of magnitude faster.<!--claim:tuned-->", [("CLM407", "1:32")]),
        ("Tuned is faster than vLLM.<!--claim:tuned-->", [("CLM109", "1:10")]),
        ("Compared with vLLM, tuned is faster.<!--claim:tuned-->", [("CLM109", "1:30")]),
        ("vLLM is faster than plain.<!--claim:tuned-->", [("CLM109", "1:9")]),
        ("Tuned is faster than the last release.<!--claim:tuned-->", [("CLM109", "1:10")]),
        ("It is [faster than vLLM](claims.md#tuned).", [("CLM109", "1:8")]),
        ("![decode is faster than vLLM](a.png)<!--claim:tuned-->", [("CLM109", "1:13")]),
        ("Tuned gives the same tokens as vLLM.<!--claim:tuned-->", [("CLM109", "1:17")]),
        ("Prefill is faster.<!--claim:tuned-->", [("CLM109", "1:12")]),
        ("Model loading is faster.<!--claim:tuned-->", [("CLM109", "1:18")]),
        ("Tuned is cheaper.<!--claim:tuned-->", [("CLM109", "1:10")]),
        ("Tuned replaces plain, which was faster.<!--claim:tuned-->", [("CLM105", "1:33")]),
        ("Decode is faster, 1.26.<!--claim:tuned-->", [("CLM101", "1:19")]),
        ("Memory use is lower.<!--claim:tuned-->", [("CLM109", "1:15")]),
        ("Accuracy is unchanged.<!--claim:even-->", [("CLM109", "1:13")]),
        ("Decode is faster.<!--claim:even-->", [("CLM407", "1:11")]),
        ("Prefill is faster, in 3 runs.<!--claim:prefill-->", [("CLM407", "1:12")]),
        ("Decode is unchanged.<!--claim:tuned-->", [("CLM407", "1:11")]),
        ("Tuned is bit-identical.<!--claim:tuned-->", [("CLM407", "1:10")]),
        ("Tuned is the fastest.<!--claim:tuned-->", [("CLM407", "1:14")]),
        ("Tuned is faster on every prompt.<!--claim:tuned-->", [("CLM203", "1:33")]),
        ("Tuned is faster over ten runs.<!--claim:tuned-->", [("CLM211", "1:22")]),
        ("At depth 4097 tuned is faster.<!--claim:tuned-->", [("CLM201", "1:10")]),
        ("Plain is faster than tuned.<!--claim:worded-->", [("CLM105", "1:10")]),
        ("Decode is faster,<!--claim:tuned--> by 26 %.", [("CLM101", "1:40")]),
    ],
)
def test_words_that_the_claim_does_not_bear_are_refused_at_their_place(page, text, wanted):
    """MRK-28."""
    assert page(text) == wanted


@pytest.mark.parametrize(
    ("header", "row", "word", "code"),
    [
        ("decode", "tuned", "faster", None),
        ("decode", "plain", "slower", None),
        ("vs. plain", "tuned", "faster", None),
        ("plain", "decode", "slower", None),
        ("decode", "plain", "faster", "CLM105"),
        ("plain", "decode", "faster", "CLM105"),
        ("decode", "vLLM", "faster", "CLM109"),
        ("vs. vLLM", "tuned", "faster", "CLM109"),
        ("prefill", "tuned", "faster", "CLM109"),
    ],
)
def test_words_of_a_cell_are_of_what_its_column_and_row_name(page, header, row, word, code):
    table = f"| | {header} |\n|---|---|\n| {row} | {word}<!--claim:tuned--> |"
    assert [found for found, _ in page(table)] == ([code] if code else [])


@pytest.mark.parametrize(
    ("wording", "code"),
    [
        ("Tuned is faster than plain.", None),
        ("Tuned gives the same tokens as plain (n = {n}).", None),
        ("Plain is faster than tuned.", "CLM105"),
        ("Tuned is faster than vLLM.", "CLM109"),
        ("Prefill is faster with tuned.", "CLM109"),
        ("Tuned is bit-identical to plain.", "CLM407"),
        ("Tuned was run {n} times.", "CLM407"),
    ],
)
def test_a_wording_without_a_number_is_judged_by_its_words_before_it_is_approved(
    publisher, wording, code
):
    assert publisher.codes(publisher.change, wording=wording) == ([code] if code else [])


SIDES = Sides("plain", "fused", frozenset(["plain", "fused"]))


def said(sentence, word, kind="faster"):
    at = sentence.index(word)
    return Said(kind, sentence, at, at + len(word))


@pytest.mark.parametrize(
    ("sentence", "word", "kind", "better"),
    [
        ("Fused is faster", "faster", "faster", 1),
        ("Fused is worse", "worse", "more", -1),
        ("Fused raises throughput", "raises", "faster", 1),
        ("Fused raises latency", "raises", "faster", -1),
        ("Fused cuts the time to the first token", "cuts", "faster", 1),
        ("Decode dropped", "dropped", "faster", -1),
        ("Fused halves the time", "halves", "factor", 1),
        ("Fused halves the rate", "halves", "factor", -1),
        ("Fused is twice as slow", "twice as slow", "factor", -1),
        ("Fused takes twice as long", "twice as long", "factor", -1),
        ("Fused uses less memory", "less", "more", 1),
        ("Less memory bandwidth", "Less", "more", -1),
    ],
)
def test_a_word_leans_as_it_and_its_quantity_say(sentence, word, kind, better):
    assert leaning.of(said(sentence, word, kind), "higher") == better


@pytest.mark.parametrize(
    ("sentence", "arm"),
    [
        ("Fused is faster", "fused"),
        ("It is faster than plain", "fused"),
        ("Plain is faster", "plain"),
        ("Plain is beaten by fused", "fused"),
        ("Without fused it is faster", "plain"),
        ("Instead of plain, fused is faster", "fused"),
        ("It is faster than with plain", "fused"),
        ("It is faster", None),
    ],
)
def test_a_sentence_is_about_the_arm_that_it_does_not_hold_against_another(sentence, arm):
    word = "faster" if "faster" in sentence else "beaten"
    assert sides.about(said(sentence, word), SIDES) == arm


@pytest.mark.parametrize(
    ("sentence", "strange"),
    [
        ("faster than plain", None),
        ("faster than the plain one on an H100", None),
        ("faster than without it", None),
        ("faster than the baseline", None),
        ("faster than vLLM", "vLLM"),
        ("faster than the previous release", "previous release"),
        ("faster than it was on the old card", "it"),
        ("faster as well as smaller", None),
        ("as fast as SGLang in all runs", "SGLang"),
        ("faster, against nothing we know", "nothing we know"),
    ],
)
def test_what_is_held_against_is_a_side_of_the_change_or_named(sentence, strange):
    assert sides.strange(said(sentence, "fast"), SIDES) == strange


@pytest.mark.parametrize(
    ("number", "code"),
    [("1.001×", None), ("1.0×", None), ("1×", None), ("±2 %", None), ("±1 %", "CLM102")],
)
def test_a_claim_of_no_change_shows_its_ratio_rounded_and_its_own_margin(page, number, code):
    text = f"Decode is unchanged within {number}<!--claim:even--> here."
    if "×" in number:
        text = f"Decode is unchanged at {number}<!--claim:even--> here."
    assert [found for found, _ in page(text)] == ([code] if code else [])


def test_a_ratio_of_no_change_is_not_rounded_by_as_much_as_its_margin():
    (one,) = numbers.find("1.0×")
    assert not changes.dishonest_digits(one, Fraction(1004, 1000), Fraction(2, 100))
    assert changes.dishonest_digits(one, Fraction(1012, 1000), Fraction(2, 100))
    assert changes.dishonest_digits(one, Fraction(1004, 1000))


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("<p>Prefill reaches 164 tok/s<!--claim:prefill-->, in 3 runs.</p>", []),
        ("<p>Prefill reaches <b>164</b> tok/s<!--claim:prefill--> in 3 runs.</p>", []),
        ("<p>Prefill reaches 171 tok/s<!--claim:prefill-->, in 3 runs.</p>", ["CLM102"]),
        ("<p>Prefill reaches 171<!-- a --> tok/s<!--claim:prefill--> in 3 runs.</p>", ["CLM102"]),
        ("<div>\n<!-- a note -->\nIt reaches 171 tok/s.\n</div>", ["CLM101"]),
    ],
)
def test_a_comment_in_a_line_of_html_ends_no_sentence(page, text, codes):
    assert [code for code, _ in page(text)] == codes
