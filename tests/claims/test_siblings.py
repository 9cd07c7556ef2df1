"""Siblings: windows of one cell whose arms ran the same programs under the same words."""

import json

import pytest

from receipts.digest import Digest


@pytest.fixture
def second(publisher):
    """Return a function that walks the cell `luck` again, under a plan of another name, changed."""

    def walk(name, **changes):
        plan = json.loads((publisher.root / "exact.yaml").read_text())
        plan |= {"name": name, "cell": "luck", **changes}
        (publisher.root / f"{name}.yaml").write_text(json.dumps(plan))
        done = publisher.engine("ab", f"{name}.yaml", "--execute", "--name", name)
        assert done.exit_code in (0, 1), done.output
        publisher.experiment(name.upper(), f"receipt://{name}")

    return walk


def refusals(publisher, entry):
    done = publisher.judge(publisher.change, evidence=[{"entry": entry}])
    return [(one.code, one.message) for one in done.refusals]


def test_a_plan_of_another_name_scope_or_gate_is_no_other_measurement(publisher, second):
    second("one")
    second("two", scope={"lane": "greedy", "note": "again"}, exactness="tokens-and-logits")
    told = "1 other windows of cell luck, of the same programs and words, are not accounted for: "
    assert refusals(publisher, "ONE") == [("CLM323", f"{told}two")]
    assert refusals(publisher, "TWO") == [("CLM323", f"{told}one")]


def test_other_words_are_another_measurement(publisher, second):
    second("one")
    plan = json.loads((publisher.root / "exact.yaml").read_text())
    words = plan["candidate"]["command"][:-2]
    second("two", candidate={"arm": "tuned", "command": [*words, "at850-tuned", "{raw}"]})
    assert refusals(publisher, "ONE") == refusals(publisher, "TWO") == []


def test_a_void_window_and_an_entry_for_both_account_for_it(publisher, second):
    second("one")
    second("two")
    publisher.experiment("FAN", "receipt://one", verdict={"outcome": "void"})
    assert refusals(publisher, "TWO") == []
    assert [code for code, _ in refusals(publisher, "ONE")] == ["CLM503"]


def test_a_window_that_cannot_be_told_apart_counts_as_one(publisher, second):
    second("one")
    plan = json.loads((publisher.root / "exact.yaml").read_text())
    words = plan["candidate"]["command"][:-2]
    second("two", candidate={"arm": "tuned", "command": [*words, "at850-tuned", "{raw}"]})
    stored = Digest.parse(publisher.receipt("one").predicate.plan)
    publisher.place.objects.path(stored).unlink()
    assert [code for code, _ in refusals(publisher, "TWO")] == ["CLM323"]
