"""Claims of no change: a margin that the plan declared, and pairs that keep within it."""

import json
from fractions import Fraction

import pytest

from claims import desk
from claims.judging import equivalence
from claims.registers import register, wording
from engine import floors
from receipts.errors import MalformedError

WORDING = "Decode is unchanged at {ratio:.3f}×, alike within ±{margin:.0f} % (n = {n})."


@pytest.fixture
def even(publisher, walk):
    """Return a function that walks arms that are so many ns apart, under a declared margin."""

    def make(*, declared="0.03", margin="0.03", ns=1001, wording=WORDING):
        plan = json.loads((publisher.root / "exact.yaml").read_text())
        command = [*plan["candidate"]["command"][:-2], f"at{ns}-tuned", "{raw}"]
        scope = {"lane": "greedy"} | ({"equivalence_margin": declared} if declared else {})
        walk("EVEN", name="even", scope=scope, candidate={"arm": "tuned", "command": command})
        changed = {"margin": margin} if margin else {}
        cited = {"evidence": [{"entry": "EVEN"}], "wording": wording}
        return {**publisher.change, "id": "even", **cited, **changed}

    return make


def test_a_change_under_the_anchors_tolerance_holds_as_no_change_and_no_page_may_call_it_a_win(
    publisher, even
):
    """REG-27."""
    claim = even()
    (sentence,) = publisher.publish(claim)
    assert sentence == "Decode is unchanged at 0.999×, alike within ±3 % (n = 5)."
    assert publisher.check(f"{sentence}<!--claim:even-->\n").exit_code == 0
    for word in ("no regression", "no change"):
        said = publisher.check(f"Decode shows {word}, 0.999×<!--claim:even--> or so.\n")
        assert said.exit_code == 0, said.output
    for word in ("faster", "slower"):
        said = publisher.check(f"Decode is {word}, 0.999×<!--claim:even--> or so.\n")
        assert "CLM407" in said.output or "CLM105" in said.output
    # The same window as a change: the anchor alone allows the baseline more.
    assert publisher.codes(publisher.change, evidence=[{"entry": "EVEN"}]) == ["CLM321"]


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"declared": None}, ["CLM216"]),
        ({"declared": "0.05"}, ["CLM216"]),
        ({"declared": "0.025"}, ["CLM216"]),
        ({"ns": 1100}, ["CLM216"]),
        ({"ns": 900}, ["CLM216"]),
        ({"wording": "Decode is unchanged at {ratio:.3f}× (n = {n})."}, ["CLM216"]),
        ({"wording": f"Decode is faster: {WORDING[10:]}"}, ["CLM105", "CLM216"]),
        ({"declared": "0.01", "margin": "0.01"}, ["CLM321"]),
        ({"declared": "0.02", "margin": "0.02"}, []),
        ({"declared": "0.020", "margin": "0.02"}, []),
    ],
)
def test_a_margin_that_nobody_declared_or_that_is_exceeded_is_refused(
    publisher, even, changes, codes
):
    """REG-27."""
    assert publisher.codes(even(**changes)) == codes


@pytest.mark.parametrize(("share", "codes"), [(Fraction(1, 1000), []), (Fraction(2), ["CLM322"])])
def test_a_noise_floor_wider_than_the_margin_is_refused(publisher, even, share, codes):
    """REG-27."""
    claim = even()
    plan = json.loads((publisher.root / "changed.yaml").read_text())
    (publisher.root / "floor.yaml").write_text(json.dumps(plan | {"name": "control"}))
    walked = publisher.engine("noise", "floor.yaml", "--windows", "1", "--execute")
    assert walked.exit_code == 0, walked.output
    differences = [share / 100, 2 * share / 100]
    told = ("decode-even", "decode_tok_s", differences, publisher.uri("control-aa-1"))
    publisher.append(**floors.contract(*told))
    assert publisher.codes(claim) == codes


def test_the_audit_computes_the_margin_of_a_sentence_itself(publisher, even):
    publisher.publish(even())
    told = json.loads(publisher.claims("audit", "--json").stdout)
    assert not [one for one in told.get("differences", ()) if "even" in json.dumps(one)]


@pytest.mark.parametrize(
    ("declared", "words", "codes"),
    [
        ("0.3", "No regression: decode runs at", []),
        ("0.3", "Decode is on par at", []),
        ("0.1", "No measurable regression: decode runs at", ["CLM216"]),
        (None, "Decode is unchanged at", ["CLM216"]),
        (None, "Without slowdown decode runs at", ["CLM216"]),
        (None, "Decode, once a regression, runs at", []),
    ],
)
def test_a_sentence_that_says_so_without_a_margin_needs_that_of_its_plan(
    publisher, even, declared, words, codes
):
    """REG-27."""
    said = f"{words} {{ratio:.2f}}× (n = {{n}})."
    assert publisher.codes(even(declared=declared, margin=None, ns=800, wording=said)) == codes


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"margin": "0"}, "0 is no share of the baseline"),
        ({"margin": "2"}, "2 is no share of the baseline"),
        ({"margin": "-0.1"}, "margin"),
        ({}, "it shows {margin}, and there is no margin"),
    ],
)
def test_a_margin_that_is_no_share_is_a_fault_of_the_register(publisher, changes, told):
    publisher.write({**publisher.change, "wording": WORDING, **changes})
    with pytest.raises(MalformedError, match=told):
        register.read([publisher.root / "claims.yaml"])


def test_a_margin_is_of_a_change_alone(publisher):
    publisher.write({**publisher.level, "margin": "0.02"})
    with pytest.raises(MalformedError, match="a margin is of a change alone"):
        register.read([publisher.root / "claims.yaml"])


TABLES = """\
{sentence}<!--claim:even-->

<!-- claim: even row=arm cols="decode:median, against plain:ratio" -->
| arm | decode (tok/s) | against plain |
| --- | --- | --- |
| plain | {plain} | {none} |
| tuned | {tuned} | 0.999× |

<!-- claim: even row=repetition cols="plain:plain, tuned:tuned, ratio:ratio" -->
| repetition | plain (tok/s) | tuned (tok/s) | ratio |
| --- | --- | --- | --- |
| median | {plain} | {tuned} | 0.999× |
"""


def test_the_arms_of_a_claim_of_no_change_stand_in_a_table(publisher, even):
    """REG-27, MRK-14: an arm alone has no margin, and the words of a table are the page's."""
    (sentence,) = publisher.publish(even())
    with desk.open_desk(lambda _: None) as opened:
        values = opened.judge.judge(opened.register.find("even")).values
    arms = {
        "plain": wording.display(values["baseline"], 0),
        "tuned": wording.display(values["candidate"], 0),
    }
    right = publisher.check(TABLES.format(sentence=sentence, none="1.000×", **arms))
    assert right.exit_code == 0, right.output
    wrong = publisher.check(TABLES.format(sentence=sentence, none="1.002×", **arms))
    assert ("CLM111" in wrong.output, "CLM216" in wrong.output) == (True, False)


def test_one_arm_is_no_pair_and_is_told_in_words(publisher, even):
    publisher.write(even())
    with desk.open_desk(lambda _: None) as opened:
        evidence = opened.judge.judge(opened.register.find("even")).evidence
    evidence.arms = dict(list(evidence.arms.items())[:1])
    assert equivalence.found("decode_tok_s", evidence, Fraction(1)) is None
