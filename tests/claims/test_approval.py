"""What is approved, by whom, and what voids it."""

import pytest

from ledger.bodies import Approval
from receipts.errors import VerificationError

SENTENCE = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."


def last(publisher):
    with publisher.open() as ledger:
        return ledger.entry(ledger.size - 1)


def message(publisher, claim=None, **changes):
    """Return the message of the only refusal, which must be for want of approval."""
    (refusal,) = publisher.judge(claim or publisher.level, approval=True, **changes).refusals
    assert refusal.code == "CLM401"
    return refusal.message


def test_an_approval_is_an_operators_entry_over_digest_and_sentence(publisher):
    publisher.write(publisher.level)
    result = publisher.claims("approve", "prefill", "--condition", "only with the table beside it")
    assert result.exit_code == 0
    entry = last(publisher)
    assert isinstance(entry.body, Approval)
    assert entry.body.sentence == SENTENCE
    assert entry.body.digest == publisher.judge().claim.approved_digest()
    assert entry.body.conditions == ["only with the table beside it"]
    assert publisher.judge(approval=True).approved_by == entry.index


def test_what_does_not_hold_cannot_be_approved(publisher):
    publisher.write({**publisher.level, "forbidden": ["reaches"]})
    before = last(publisher).index
    result = publisher.claims("approve", "prefill")
    assert result.exit_code == 1
    assert "CLM403" in result.stderr
    assert "was not approved: its sentence does not hold" in result.stderr
    assert last(publisher).index == before


def test_without_an_approval_a_claim_is_refused_however_good_its_evidence(publisher):
    assert message(publisher) == "nobody has approved it"


@pytest.mark.parametrize(
    "changes",
    [
        {"wording": "Prefill has {value:.2f} {unit} (median of {n} repetitions)."},
        {"must_retain": ["median"]},
        {"forbidden": ["fast"]},
        {"scope": {"cell": "pp2048"}},
        {"repetitions": 2},
        {"cv_limit": "0.1"},
        {
            "evidence": [
                {"entry": "BOTH", "receipt": "receipt://cells", "select": {"n_ubatch": 512}}
            ]
        },
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_change_of_anything_that_was_approved_voids_the_approval(publisher, changes):
    publisher.publish(publisher.level)
    index = last(publisher).index
    assert message(publisher, **changes) == f"entry {index} approved another version of the claim"


def test_the_owner_may_change_under_an_approval(publisher):
    publisher.publish(publisher.level)
    assert publisher.judge(approval=True, owner="somebody else").holds


def test_an_approval_of_another_sentence_is_told_with_that_sentence(publisher):
    digest = publisher.judge().claim.approved_digest()
    fields = {"claim": "prefill", "digest": digest, "sentence": "It is fast.", "title": "approved"}
    entry = publisher.append(kind="APPROVAL", decision="approved", **fields)
    assert message(publisher) == f"entry {entry.index} approved the sentence 'It is fast.'"


def test_a_withdrawn_approval_is_void_until_it_is_given_again(publisher):
    publisher.publish(publisher.level)
    assert publisher.claims("withdraw", "prefill", "--reason", "a doubt").exit_code == 0
    entry = last(publisher)
    assert entry.body.title == "withdrawn: prefill: a doubt"
    assert message(publisher) == f"approval was withdrawn by entry {entry.index}"
    publisher.publish(publisher.level)
    assert publisher.judge(approval=True).holds


def test_an_approval_is_of_one_claim(publisher):
    publisher.publish(publisher.level)
    again = {**publisher.level, "id": "again"}
    assert message(publisher, again) == "nobody has approved it"


@pytest.mark.parametrize("by", ["engineer", "runner"])
def test_an_approval_by_somebody_else_than_an_operator_is_refused_on_append(publisher, by):
    digest = publisher.judge().claim.approved_digest()
    fields = {"claim": "prefill", "digest": digest, "sentence": SENTENCE, "title": "approved"}
    with pytest.raises(VerificationError, match="is not operator"):
        publisher.append(by, kind="APPROVAL", decision="approved", **fields)
    assert message(publisher) == "nobody has approved it"
