"""What is published goes on record, all of it or nothing."""

import json
from hashlib import sha256

import pytest

from claims import desk
from claims.publishing import publication
from ledger.bodies import Published
from receipts.errors import ConflictError

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
CHANGE = "The tuned decoder runs at 1.25× the plain one (n = 5)."


@pytest.fixture
def ready(publisher):
    """A workspace with an open lock and two good pages."""
    p = publisher
    p.publish(p.level, p.change)
    assert p.claims("lock", "set", "publish=on").exit_code == 0
    (p.root / "docs").mkdir()
    (p.root / "docs" / "one.md").write_text(f"{LEVEL}<!--claim:prefill-->\n")
    (p.root / "two.md").write_text(f"{CHANGE}<!--claim:tuned--> {LEVEL}<!--claim:prefill-->\n")
    return p


def size(publisher):
    with publisher.open() as ledger:
        return ledger.size


def bodies(publisher):
    with publisher.open() as ledger:
        found = map(ledger.entry, ledger.index.of_kinds("PUBLISHED"))
        return [entry.body for entry in found]


def test_each_page_is_an_entry_over_page_register_head_and_claims(ready):
    """RLS-5."""
    with ready.open() as ledger:
        head = ledger.entry(ledger.size - 1).id
    result = ready.claims("publish", "docs/one.md", "two.md", "--json")
    assert result.exit_code == 0
    one, two = bodies(ready)
    assert isinstance(one, Published)
    assert (one.title, two.title) == ("published: docs/one.md", "published: two.md")
    page = (ready.root / "docs" / "one.md").read_bytes()
    assert one.page == f"sha256:{sha256(page).hexdigest()}"
    register = (ready.root / "claims.yaml").read_bytes()
    assert one.claims_register == two.claims_register == f"sha256:{sha256(register).hexdigest()}"
    assert one.head == two.head == head
    assert (one.claims, two.claims) == (["prefill"], ["prefill", "tuned"])
    assert [e["index"] for e in json.loads(result.stdout)["entries"]] == [one.index, two.index]


def test_the_digest_of_several_registers_is_that_of_their_sha256sum_lines(ready):
    """RLS-5."""
    (ready.root / "more.yaml").write_text("version: 1\nclaims: []\n")
    configuration = ready.root / "evidence.yaml"
    one, two = "registers: [claims.yaml]", "registers: [claims.yaml, more.yaml]"
    assert one in configuration.read_text()
    configuration.write_text(configuration.read_text().replace(one, two))
    names = ("claims.yaml", "more.yaml")
    digests = [sha256((ready.root / name).read_bytes()).hexdigest() for name in names]
    lines = "".join(f"{digest}  {name}\n" for digest, name in zip(digests, names, strict=True))
    wanted = f"sha256:{sha256(lines.encode()).hexdigest()}"
    assert publication.register_digest(ready.place) == wanted


@pytest.mark.parametrize(
    "harm",
    [
        lambda p: p.claims("lock", "set", "publish=off"),
        lambda p: p.claims("findings", "open", "F1", "--severity", "low", "--title", "x"),
        lambda p: p.ledger("retract", "EXACT", "--reason", "hot"),
        lambda p: p.claims("withdraw", "tuned", "--reason", "a doubt"),
        lambda p: (p.root / "two.md").write_text("It has 99 tok/s.\n"),
    ],
    ids=["locked", "finding", "retracted", "withdrawn", "unbound"],
)
def test_nothing_is_appended_when_anything_fails(ready, harm):
    """RLS-6."""
    harm(ready)
    before = size(ready)
    result = ready.claims("publish", "docs/one.md", "two.md")
    assert result.exit_code == 1
    assert "nothing was published" in result.stderr
    assert size(ready) == before


def test_a_page_without_anything_to_check_is_not_published(ready):
    """RLS-6."""
    (ready.root / "empty.md").write_text("Nothing to see here.\n")
    before = size(ready)
    assert ready.claims("publish", "empty.md").exit_code == 3
    assert ready.claims("publish", "absent.md").exit_code == 4
    assert size(ready) == before


def test_a_dry_run_says_what_would_be_appended_and_appends_nothing(ready):
    before = size(ready)
    result = ready.claims("publish", "two.md", "--dry-run", "--json")
    assert result.exit_code == 0
    value = json.loads(result.stdout)
    assert (value["published"], value["entries"]) == (False, [])
    assert size(ready) == before
    assert ready.claims("publish", "two.md").exit_code == 0
    (body,) = bodies(ready)
    (planned,) = value["bodies"]
    assert {name: getattr(body, name) for name in planned} == planned


def test_a_page_that_is_named_twice_is_published_once(ready):
    assert ready.claims("publish", "two.md", "docs/../two.md").exit_code == 0
    assert len(bodies(ready)) == 1


def test_a_page_outside_the_workspace_is_not_published(ready, tmp_path):
    (tmp_path / "far.md").write_text(f"{LEVEL}<!--claim:prefill-->\n")
    result = ready.claims("publish", tmp_path / "far.md")
    assert result.exit_code == 4
    assert "only pages beside or below evidence.yaml" in result.stderr


def test_publishing_takes_an_operators_key(ready):
    """RLS-5."""
    before = size(ready)
    result = ready.claims("publish", "two.md", "--key", ready.key_file("engineer"))
    assert result.exit_code == 1
    assert "is not operator" in result.stderr
    assert size(ready) == before


def test_the_conditions_of_approvals_are_shown(ready):
    words = ("--condition", "only with the table")
    assert ready.claims("approve", "tuned", *words).exit_code == 0
    result = ready.claims("publish", "two.md", "--dry-run")
    assert "condition: tuned: only with the table (approved by entry " in result.stdout


def test_nothing_is_published_from_a_ledger_that_does_not_verify(ready):
    ready.flip_row(30, -20)
    result = ready.claims("publish", "two.md")
    assert result.exit_code == 1
    assert "CLM301" in result.stderr


def test_it_is_the_last_publication_of_a_page_that_counts(ready):
    assert ready.claims("publish", "two.md").exit_code == 0
    (ready.root / "two.md").write_text(f"{CHANGE}<!--claim:tuned-->\n")
    assert ready.claims("publish", "two.md").exit_code == 0
    with ready.open() as ledger:
        known = publication.published(ledger)
    assert known["two.md"].entry == bodies(ready)[-1].index


def test_nothing_is_published_when_the_ledger_grew_after_it_was_verified(ready):
    """RLS-6."""
    with desk.open_desk(lambda _: None, write=True) as opened:
        planned = publication.plan(opened, [ready.root / "docs" / "one.md", ready.root / "two.md"])
        ready.append(kind="LOCK", title="closed", state="contained")
        before = size(ready)
        with pytest.raises(ConflictError, match="the ledger grew meanwhile"):
            publication.publish(opened, planned, ready.keys["operator"])
    assert size(ready) == before
    assert bodies(ready) == []
