"""What struck a claim: everything that it rests on counts, and nothing that it does not."""

import pytest

from claims import desk
from receipts.errors import NotFoundError


def strikes(publisher, claim, **changes):
    """Return (word, index of the entry that struck it) for the claim, the gravest first."""
    publisher.write({**claim, **changes})
    with desk.open_desk(lambda _: None) as opened:
        return [(one.word, one.by) for one in opened.strikes.of(claim["id"])]


def correct(publisher, *words):
    """Append a correction, return its index."""
    done = publisher.ledger(*words, "--reason", "hot")
    assert done.exit_code == 0, done.output
    with publisher.open() as ledger:
        return ledger.size - 1


def runs(publisher, uri):
    with publisher.open() as ledger:
        return [str(index) for index in ledger.index.find("run", uri)]


def test_what_stands_is_struck_by_nothing(publisher):
    assert strikes(publisher, publisher.level) == []
    assert strikes(publisher, publisher.change) == []


def test_a_claim_is_struck_through_the_run_of_one_repetition_and_through_its_anchor(publisher):
    p = publisher
    (run, *_) = runs(p, f"receipt://{p.repetitions('exact')[2].digest}")
    by = correct(p, "retract", run)
    assert strikes(p, p.change) == [("retracted", by)]
    correct(p, "retract", str(by))
    assert strikes(p, p.change) == []
    by = correct(p, "retract", "plain-anchor")
    assert strikes(p, p.change) == [("retracted", by)]


def test_another_receipt_of_the_same_entry_is_not_what_the_claim_rests_on(publisher):
    p = publisher
    cited = [{"entry": "BOTH", "receipt": "receipt://cells", "select": {"n_ubatch": 512}}]
    (run, *_) = runs(p, p.uri("steady"))
    correct(p, "retract", run)
    assert strikes(p, p.level, evidence=cited) == []
    (run, *_) = runs(p, p.uri("cells"))
    by = correct(p, "retract", run)
    assert strikes(p, p.level, evidence=cited) == [("retracted", by)]


def test_a_binary_that_is_struck_strikes_what_was_measured_with_it(publisher):
    p = publisher
    binary = p.repetitions("exact")[0].predicate.identity["binary"]
    by = correct(p, "supersede", "--binary", binary)
    assert strikes(p, p.change)[0] == ("superseded", by)
    assert strikes(p, p.level) == []


def test_the_gravest_reason_comes_first(publisher):
    p = publisher
    p.publish(p.level)
    assert p.claims("withdraw", "prefill", "--reason", "a doubt").exit_code == 0
    with p.open() as ledger:
        withdrawn = ledger.size - 1
    contested = correct(p, "correct", "CELLS", "--affects", "delta")
    retracted = correct(p, "retract", "CELLS")
    superseded = correct(p, "supersede", "CELLS")
    assert strikes(p, p.level) == [
        ("superseded", superseded),
        ("retracted", retracted),
        ("contested", contested),
        ("withdrawn", withdrawn),
    ]


def test_a_withdrawal_by_a_key_that_was_stolen_strikes_nothing(publisher):
    p = publisher
    p.publish(p.level)
    line = p.keys["second"].public.openssh
    p.append(kind="KEY", action="enrol", key=line, roles=["operator"], title="a second operator")
    words = ("withdraw", "prefill", "--reason", "mine", "--key", p.key_file("second"))
    assert p.claims(*words).exit_code == 0
    with p.open() as ledger:
        signed = ledger.size - 1
    assert strikes(p, p.level) == [("withdrawn", signed)]
    revoked = {"action": "revoke", "key": line, "reason": "stolen", "since": signed}
    p.append(kind="KEY", title="a key is revoked", **revoked)
    assert strikes(p, p.level) == []


def test_a_claim_that_names_no_entry_and_one_that_is_not_registered(publisher):
    p = publisher
    assert strikes(p, p.level, evidence=[{"entry": "NOBODY"}]) == []
    with desk.open_desk(lambda _: None) as opened, pytest.raises(NotFoundError):
        opened.strikes.of("nobody")


def test_the_successor_is_what_stands_at_the_end_of_the_chain(publisher):
    p = publisher
    ids = {}
    for label in ("N1", "N2", "N3"):
        ids[label] = p.experiment(label, "receipt://exact").id
    correct(p, "supersede", "N1", "--replacement", "N2")
    correct(p, "supersede", "N2", "--replacement", "N3")

    def successor(entry_id):
        p.write(p.change)
        with desk.open_desk(lambda _: None) as opened:
            found = opened.strikes.successor(entry_id)
            return found.body.label if found else None

    assert successor(ids["N1"]) == successor(ids["N3"]) == "N3"
    assert successor("0" * 64) is None
    last = correct(p, "retract", "N3")
    assert successor(ids["N1"]) is None
    correct(p, "retract", str(last))
    correct(p, "supersede", "N3", "--replacement", "N1")
    assert successor(ids["N1"]) is None
