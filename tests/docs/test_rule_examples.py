"""The examples of the rules hold as pages: the bad one is refused by its rule, the good one passes.

What stands behind three spaces in brackets is said to the reader, and is not on the page. Examples
that are no page (a register, a command, a state of the ledger) have their pairs in
`tests/attacks/test_claim_refusals.py`.
"""

import re

import pytest

from claims import desk
from claims.checks.page import Checker
from claims.rules import RULES
from tests.claims.paired import measure

PLAIN = (33.3, 33.4, 33.48, 33.48, 33.5, 33.6)
TUNED = (34.9, 35.1, 35.15, 35.17, 35.2, 35.3)
LOSS, ALIKE = (32.3, 32.4, 32.47, 32.48, 32.5, 32.6), (33.31, 33.4, 33.5, 33.47, 33.5, 33.6)
PAGES = (
    "CLM010", "CLM012", "CLM101", "CLM102", "CLM103", "CLM104", "CLM105", "CLM106", "CLM108",
    "CLM109", "CLM110", "CLM112", "CLM203",
    "CLM211", "CLM213", "CLM217", "CLM404", "CLM406", "CLM407",
)  # fmt: skip
_TO_THE_READER = re.compile(r" {3}\(.*\)$", re.MULTILINE)
# A table shows numbers to compute with, which its rule leaves unbound.
_LEFT_UNBOUND = {"CLM106": {"CLM101"}}


def claim(name, entry, wording, **fields):
    said = {"metric": "decode_tok_s", "statistic": "ratio_of_medians", "kind": "change"}
    evidence = [{"entry": entry}]
    return {"id": name, "wording": wording, "evidence": evidence, **said, **fields}


@pytest.fixture(scope="module")
def codes(shared_publisher):
    """Return what a page is refused by, with the claims of the examples in the register."""
    p = shared_publisher
    scope = {"lane": "greedy", "gpu": "H100"}
    measure(p, "WON", ("plain", PLAIN), ("tuned", TUNED), cell="decode-1", scope=scope)
    measure(p, "LOST", ("plain", PLAIN), ("tuned", LOSS), cell="decode-2", scope=scope)
    even = {**scope, "equivalence_margin": "0.02"}
    measure(p, "EVEN", ("plain", PLAIN), ("tuned", ALIKE), cell="decode-3", scope=even)
    level = {"kind": "level", "statistic": "median", "evidence": [{"entry": "WON", "arm": "tuned"}]}
    within = "Decode is unchanged within ±{margin:.0f} %."
    p.publish(
        claim("tuned-decode", "WON", "Decode runs at {ratio:.2f}×."),
        claim("tuned-rate", "WON", "It decodes {value:.1f} {unit}.", **level),
        claim("long-prompts", "LOST", "Long prompts run at {ratio:.2f}×."),
        claim("reworded", "EVEN", within, margin="0.02"),
    )
    with desk.open_desk(lambda _: None) as here:
        checker = Checker(here.register, here.judge, resolver=here.resolver())

        def check(example):
            page = f"{_TO_THE_READER.sub('', example)}\n"
            return {found.code for found in checker.check("page.md", page, 100).findings}

        yield check


@pytest.mark.parametrize("code", PAGES)
def test_the_bad_example_of_a_rule_is_refused_by_it(codes, code):
    assert code in codes(RULES[code].bad)


@pytest.mark.parametrize("code", PAGES)
def test_the_good_example_of_a_rule_passes(codes, code):
    assert codes(RULES[code].good) - _LEFT_UNBOUND.get(code, set()) == set()


def test_an_example_with_a_marker_is_a_page_that_is_tried():
    marked = {code for code, rule in RULES.items() if "<!--claim:" in rule.bad + rule.good}
    # Two claims at one number, windows of two days, a claim that was withdrawn.
    assert marked - {*PAGES} <= {"CLM011", "CLM212", "CLM506"}
