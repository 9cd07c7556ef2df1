"""One yes or no over everything that a release rests on."""

import json

import pytest

FOUND = ("--severity", "low", "--title", "a typo")
LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."


@pytest.fixture
def ready(publisher):
    """A workspace that may be released."""
    p = publisher
    p.publish(p.level)
    (p.root / "README.md").write_text(f"{LEVEL}<!--claim:prefill-->\n")
    assert p.claims("lock", "set", "publish=on").exit_code == 0
    return p


def check(publisher, *options):
    """Return the exit code and the answer of each part."""
    result = publisher.claims("release", "check", "--json", *options)
    value = json.loads(result.stdout)
    return result.exit_code, {part["part"]: part["answer"] for part in value["parts"]}


YES = dict.fromkeys(("lock", "findings", "claims", "documents", "ledger", "audit"), "yes")


def test_when_every_part_says_yes_the_answer_is_yes(ready):
    """RLS-7."""
    assert check(ready) == (0, YES)
    assert ready.claims("release", "check").stdout.endswith("release: yes\n")


@pytest.mark.parametrize(
    ("part", "harm"),
    [
        ("lock", lambda p: p.claims("lock", "set", "publish=off")),
        ("findings", lambda p: p.claims("findings", "open", "F", *FOUND)),
        ("claims", lambda p: p.write(p.level, p.change)),
        ("documents", lambda p: (p.root / "README.md").write_text("It has 99 tok/s.\n")),
    ],
)
def test_one_part_that_says_no_is_a_no(ready, part, harm):
    """RLS-7."""
    harm(ready)
    code, answers = check(ready)
    assert code == 1
    assert answers == YES | {part: "no"}
    assert ready.claims("release", "check").stdout.endswith("release: no\n")


def test_what_fell_is_named_under_its_part(ready):
    assert ready.ledger("retract", "CELLS", "--reason", "hot").exit_code == 0
    code, answers = check(ready)
    assert (code, answers["claims"], answers["documents"]) == (1, "no", "no")
    lines = ready.claims("release", "check").stdout.splitlines()
    assert sum("CLM502 retracted: prefill" in line for line in lines) == 2


def test_a_withdrawn_claim_is_not_asked_about_but_a_page_that_has_it_is(ready):
    p = ready
    p.publish(p.level, p.change)
    assert p.claims("withdraw", "tuned", "--reason", "a doubt").exit_code == 0
    assert check(p) == (0, YES)
    (p.root / "README.md").write_text("It runs 1.25×<!--claim:tuned--> so.\n")
    code, answers = check(p)
    assert (code, answers["documents"]) == (1, "no")


def test_what_cannot_be_decided_is_no_yes(ready):
    """RLS-7."""
    for head in (ready.home / ".local/state/evidence-ledger/heads").iterdir():
        head.unlink()
    code, answers = check(ready)
    assert (code, answers) == (3, YES | {"ledger": "undecided"})
    assert ready.claims("release", "check").stdout.endswith("release: undecided\n")


def test_documents_without_anything_to_check_are_undecided_and_absent_ones_an_error(ready):
    (ready.root / "README.md").write_text("Nothing to see here.\n")
    assert check(ready) == (3, YES | {"documents": "undecided"})
    (ready.root / "README.md").unlink()
    assert check(ready) == (4, YES | {"documents": "undecided"})


def test_a_register_without_claims_is_undecided(ready):
    assert ready.claims("withdraw", "prefill", "--reason", "x").exit_code == 0
    assert check(ready)[1]["claims"] == "undecided"
    ready.write()
    assert check(ready)[1]["claims"] == "undecided"


def test_a_ledger_that_does_not_verify_is_a_no(ready):
    ready.flip_row(30, -20)
    code, answers = check(ready)
    assert (code, answers["ledger"]) == (1, "no")


def test_conditions_of_approvals_are_shown(ready):
    assert ready.claims("approve", "prefill", "--condition", "with the table").exit_code == 0
    assert "condition: prefill: with the table" in ready.claims("release", "check").stdout


def test_an_auditors_entry_is_asked_for_only_where_somebody_asks(ready):
    """RLS-7."""
    assert check(ready, "--audited") == (1, YES | {"audit": "no"})
    line = ready.keys["auditor"].public.openssh
    ready.append(kind="KEY", action="enrol", key=line, roles=["auditor"], title="an auditor")
    with ready.open() as ledger:
        head = ledger.entry(ledger.size - 1).id
    verdicts = {"evidence_verdict": "holds", "decision_verdict": "holds"}
    ready.append("auditor", kind="AUDIT", head=head, checked={}, differences=[], **verdicts)
    assert check(ready, "--audited") == (0, YES)
    assert ready.claims("lock", "set", "tag=on").exit_code == 0
    assert check(ready, "--audited") == (0, YES)
    ready.experiment("LATER", "receipt://cells")
    assert check(ready, "--audited") == (1, YES | {"audit": "no"})
