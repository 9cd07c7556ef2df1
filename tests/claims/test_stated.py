"""What a page states without digits, against its markers and the claims behind them."""

from fractions import Fraction

import pytest

from claims import desk
from claims.checks import support
from claims.checks.page import Checker
from claims.checks.support import Grounds
from claims.pages.document import parse
from claims.scanner.vocabulary import Vocabulary
from claims.words import wordless

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
CHANGE = "The tuned decoder runs at 1.25× the plain one (n = 5)."


@pytest.fixture(scope="module")
def page(shared_publisher):
    """Return a checker of pages: code and line:column of each finding; two claims are approved."""
    p = shared_publisher
    p.publish(p.level, p.change)
    with desk.open_desk(lambda _: None) as here:
        names = Vocabulary(phrases={"Frobnicator": "name"})
        checker = Checker(here.register, here.judge, names, resolver=here.resolver())

        def check(text):
            found = checker.check("page.md", f"{text}\n").findings
            return [(f.code, f.place.partition(":")[2]) for f in found]

        yield check


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It is faster than vLLM.", [("CLM406", "1:7")]),
        ("# Faster than vLLM", [("CLM406", "1:3")]),
        ("| a |\n|---|\n| bit-identical |", [("CLM406", "3:3")]),
        ("![decode beats vLLM](a.png)", [("CLM406", "1:10")]),
        ("So.\nIt is\nfaster than vLLM, and beats SGLang.", [("CLM406", "3:1")]),
        ("It is faster than vLLM. It beats SGLang.", [("CLM406", "1:7"), ("CLM406", "1:28")]),
        ("Frobnicator was one of the faster ones.", [("CLM406", "1:28")]),
        ("Is it faster than vLLM?", []),
        ("It is 5 % faster than vLLM.", [("CLM101", "1:7")]),
        ("Decode is faster, 1.25×<!--claim:tuned--> or so.", []),
        ("At 1.25×<!--claim:tuned--> the decoder is faster.", []),
        ("Decode is faster, 1.25×<!--claim:tuned--> or so. And faster.", []),
        ("Decode is faster, 1.25×<!--claim:tuned--> or so. It beats vLLM.", [("CLM406", "1:53")]),
        ("Decode is the fastest, 1.25×<!--claim:tuned--> or so.", [("CLM407", "1:15")]),
        ("Decode is twice as fast, 1.25×<!--claim:tuned--> or so.", [("CLM102", "1:11")]),
        ("Decode matches vLLM, 1.25×<!--claim:tuned--> or so.", [("CLM407", "1:8")]),
        ("Decode is flat, 1.25×<!--claim:tuned--> or so.", [("CLM407", "1:11")]),
        ("Lossless, decode gains 25 %<!--claim:tuned--> or so.", []),
        ("Bit-identical, decode gains 25 %<!--claim:tuned--> or so.", [("CLM407", "1:1")]),
        ("Prefill is faster at 163.8 tok/s<!--claim:prefill--> (n = 3).", [("CLM407", "1:12")]),
        ("It gains 25 %<!--claim:tuned--> and wins on every prompt.", [("CLM203", "1:14")]),
        ("On every prompt it gains 25 %<!--claim:tuned--> or so.", [("CLM203", "1:30")]),
        (f"{CHANGE}<!--claim:tuned-->", []),
        ("It is faster.<!--claim:nobody-->", [("CLM010", "1:14")]),
    ],
)
def test_a_claiming_word_is_bound_and_borne_or_named_at_its_place(page, text, wanted):
    assert page(text) == wanted


def test_the_message_names_the_word_and_what_it_is_about(publisher):
    publisher.publish(publisher.level)
    line = publisher.check("It beats vLLM.\n").stdout.splitlines()[0]
    assert line == ("page.md:1:4: CLM406 unbound-words: it says 'beats' of vLLM: 'It beats vLLM.'")
    assert "1 claims without digits" in publisher.check("It beats vLLM.\n").stdout


def test_an_equivalence_margin_in_the_plan_bears_the_words_of_no_change(publisher, walk):
    text = "Decode shows no regression, 1.25×<!--claim:tuned--> or so.\n"
    for margin, borne in (("0.3", True), ("0.1", False)):
        scope = {"lane": "greedy", "equivalence_margin": margin}
        label = "WIDE" if borne else "NARROW"
        walk(label, name=label.lower(), scope=scope)
        publisher.publish({**publisher.change, "evidence": [{"entry": label}]})
        assert ("CLM407" in publisher.check(text).stdout) is not borne


def word(sentence):
    (found,) = wordless.find(parse(f"{sentence}\n"))
    return found


@pytest.mark.parametrize(
    ("sentence", "grounds", "borne"),
    [
        ("Decode is faster.", Grounds(True, Fraction(101, 100)), True),
        ("Decode is faster.", Grounds(True, Fraction(1)), False),
        ("Decode is faster.", Grounds(True, Fraction(99, 100)), False),
        ("Decode is faster.", Grounds(False), False),
        ("vLLM is faster than ours.", Grounds(True, Fraction(99, 100)), True),
        ("vLLM is slower.", Grounds(True, Fraction(2)), True),
        ("Throughput doubled.", Grounds(True, Fraction(195, 100)), True),
        ("Throughput doubled.", Grounds(True, Fraction(19, 10)), False),
        ("Throughput tripled.", Grounds(True, Fraction(2)), False),
        ("It lowers the rate.", Grounds(True, Fraction(9, 10)), True),
        ("It raises the rate.", Grounds(True, Fraction(11, 10)), True),
        ("It raises the rate.", Grounds(True, Fraction(9, 10)), False),
        ("It lowers the latency.", Grounds(True, Fraction(11, 10), polarity="lower"), True),
        ("It lowers the latency.", Grounds(True, Fraction(9, 10), polarity="lower"), False),
        ("It raises the latency.", Grounds(True, Fraction(9, 10), polarity="lower"), True),
        ("Decode is unchanged.", Grounds(True, Fraction(1)), False),
        ("Decode is unchanged.", Grounds(True, Fraction(1), equivalent=True), True),
        ("Decode is flat.", Grounds(True, Fraction(1), flat=True), True),
        ("Decode is flat.", Grounds(True, Fraction(2)), False),
        ("Decode is lossless.", Grounds(True, Fraction(1), "tokens"), True),
        ("Decode is lossless.", Grounds(True, Fraction(1), "text"), False),
        ("Decode is lossless.", Grounds(True, Fraction(1)), False),
        ("Decode is bit-identical.", Grounds(True, Fraction(1), "tokens"), False),
        ("Decode is bit-identical.", Grounds(True, Fraction(1), "tokens-and-logits"), True),
        ("Decode is the fastest.", Grounds(True, Fraction(9)), False),
    ],
)
def test_grounds_bear_a_word_or_do_not(sentence, grounds, borne):
    assert (support.unsupported(word(sentence), grounds) is None) is borne
