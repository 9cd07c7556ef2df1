"""The register and its ledger, opened together."""

import pytest

from claims import desk
from receipts.errors import MalformedError, NotFoundError, VerificationError


def codes(opened):
    return [[r.code for r in done.refusals] for done in opened.judgements(())]


def opened(publisher):
    return desk.open_desk(lambda _: None)


def test_all_claims_are_judged_in_the_order_of_the_register_or_those_that_are_named(publisher):
    publisher.write(publisher.change, publisher.level)
    with opened(publisher) as here:
        assert [done.claim.id for done in here.judgements(())] == ["tuned", "prefill"]
        assert [done.claim.id for done in here.judgements(("prefill",))] == ["prefill"]
        with pytest.raises(NotFoundError, match="no claim is called 'nobody'"):
            here.judgements(("nobody",))


def test_an_empty_register_is_said(publisher):
    publisher.write()
    with opened(publisher) as here, pytest.raises(NotFoundError, match="holds no claim"):
        here.judgements(())


def test_a_register_that_is_not_there_is_said(publisher):
    with pytest.raises(NotFoundError, match=r"register .*claims\.yaml does not exist"):
        opened(publisher).__enter__()


def test_a_fault_of_the_register_is_told_from_where_the_person_stands(publisher, monkeypatch):
    publisher.write({**publisher.level, "value": "1"})
    with pytest.raises(MalformedError, match=r"^claims\.yaml:1:\d+: "):
        opened(publisher).__enter__()
    (publisher.root / "docs").mkdir()
    monkeypatch.chdir(publisher.root / "docs")
    with pytest.raises(MalformedError, match=r"^/.*/claims\.yaml:1:\d+: "):
        opened(publisher).__enter__()


def test_the_standing_says_what_the_ledger_is_anchored_to(publisher):
    publisher.write(publisher.level)
    with opened(publisher) as here:
        size = here.report.entries
        assert here.standing() == (
            f"ledger: {size} entries verified, anchored to the remembered head at {size}"
        )
    for head in (publisher.home / ".local/state/evidence-ledger/heads").iterdir():
        head.unlink()
    with opened(publisher) as here:
        assert here.standing() == (
            f"ledger: {size} entries verified, unanchored: rollback not excluded"
        )


def test_every_claim_is_refused_on_a_ledger_that_does_not_verify(publisher):
    publisher.write(publisher.level, publisher.change)
    publisher.flip_row(6, -20)
    with opened(publisher) as here:
        assert codes(here) == [["CLM301"], ["CLM301"]]


def test_a_rolled_back_ledger_is_refused_although_it_is_whole(publisher):
    publisher.write(publisher.level)
    copy = publisher.ledger_file.read_bytes()
    publisher.ledger("retract", "CELLS", "--reason", "wrong")
    publisher.ledger_file.chmod(0o644)
    publisher.ledger_file.write_bytes(copy)
    with opened(publisher) as here:
        assert codes(here) == [["CLM301"]]


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("index", [0, 1, 5, 60])
def test_damage_is_either_refused_or_told_in_one_line_that_names_the_entry(
    publisher, index, cached
):
    publisher.write(publisher.level)
    if not cached:
        publisher.ledger_file.with_suffix(".index").unlink()
    publisher.flip_row(index, 2)
    result = publisher.claims("render")
    assert (result.exit_code, result.stdout) == (1, "")
    told = result.stderr.splitlines()
    if told[0].startswith("REFUSED"):
        assert told[0].startswith(f"REFUSED CLM301 chain-broken: prefill: entry {index}: ")
    else:
        (line,) = told
        assert line.startswith(f"claims: the ledger does not verify: entry {index}: ")


def test_what_cannot_be_read_at_all_is_told_by_what_does_not_verify(publisher):
    publisher.write(publisher.level)
    publisher.flip_row(0, 2)
    with pytest.raises(VerificationError, match=r"the ledger does not verify: entry 0: "):
        opened(publisher).__enter__()
