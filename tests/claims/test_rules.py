import re
import subprocess
import sys
from pathlib import Path

import pytest

from claims import rules
from claims.checks import ignoring
from claims.rules import RULES, Refusal
from receipts.errors import NotFoundError

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [path for path in (ROOT / "claims").rglob("*.py") if path.parent.name != "rulebook"]


def test_codes_and_names_are_unique_and_in_order():
    codes = list(RULES)
    assert codes == sorted(codes)
    assert all(re.fullmatch(r"CLM\d{3}", code) for code in codes)
    names = [rule.name for rule in RULES.values()]
    assert len(set(names)) == len(names)


def test_every_code_is_raised_somewhere_and_every_code_raised_is_a_rule():
    raised = {
        code for path in SOURCES for code in re.findall(r'"(CLM\d+)"', path.read_text("utf-8"))
    }
    assert raised == set(RULES)


@pytest.mark.parametrize("name", ["CLM305", "clm305", "too-few-repetitions", "Too-Few-Repetitions"])
def test_a_rule_is_found_by_code_or_name(name):
    assert rules.find(name).code == "CLM305"


def test_an_unknown_rule_is_told_with_the_codes_there_are():
    with pytest.raises(NotFoundError, match=r"no rule is called 'CLM999'; the codes are CLM001, "):
        rules.find("CLM999")


def test_a_rule_says_why_and_what_to_do():
    rule = rules.find("CLM401")
    assert rule.lines(brief=True) == [f"CLM401 operator-review-required: {rule.why}"]
    assert rule.lines(brief=False) == [
        "CLM401 operator-review-required",
        f"  {rule.why}",
        *(f"  bad:  {line}" for line in rule.bad.splitlines()),
        *(f"  good:  {line}" for line in rule.good.splitlines()),
        f"  {rule.remedy}",
        "  Is never set aside: no ignore and no baseline holds it.",
    ]


def test_every_rule_has_an_example_of_what_breaks_it_and_of_what_keeps_it():
    lacking = [rule.code for rule in RULES.values() if not (rule.bad and rule.good)]
    assert lacking == []
    assert [rule.code for rule in RULES.values() if rule.bad == rule.good] == []


def test_no_example_of_a_page_is_read_as_an_ignore_or_marker_of_the_page_of_rules():
    page = (ROOT / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
    assert ignoring.read("rules.md", page) == []


@pytest.mark.parametrize("code", ["CLM301", "CLM302", "CLM401", "CLM403", "CLM501", "CLM504"])
def test_what_evidence_and_operators_refuse_is_never_set_aside(code):
    assert not RULES[code].ignorable


def test_a_refusal_is_one_line_with_its_place_and_leaves_out_what_is_absent():
    refusal = Refusal("CLM102", "1 ms is wrong", "c1", "page.md:3:5")
    assert refusal.line() == "page.md:3:5: CLM102 value-differs: c1: 1 ms is wrong"
    assert Refusal("CLM301", "broken").line() == "CLM301 chain-broken: broken"
    assert set(Refusal("CLM301", "broken").view()) == {"code", "name", "message", "remedy"}


def _make_rules(*words):
    command = [sys.executable, str(ROOT / "docs" / "make_rules.py"), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_page_of_rules_is_what_the_rules_are_now():
    done = _make_rules("--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_names_every_rule_once():
    page = (ROOT / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
    assert re.findall(r"^### (CLM\d+)", page, re.MULTILINE) == list(RULES)
