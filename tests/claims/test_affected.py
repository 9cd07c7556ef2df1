"""Which sentences a correction strikes, and the notices that are put onto them."""

import json
import re

import pytest

from claims import desk
from claims.publishing import affected
from receipts.errors import ConflictError

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
CHANGE = "The tuned decoder runs at 1.25× the plain one (n = 5)."
PAGES = {
    "a.md": f"# A\n\nBefore. {CHANGE}<!--claim:tuned--> After.\n",
    "b.md": "| a | b |\n|---|---|\n| x | 1.25×<!--claim:tuned--> |\n",
    "c.md": "- one\r\n- We reach 1.2×<!--claim:tuned--> here.\r\n\r\n"
    f"{LEVEL}<!--claim:prefill-->\r\n",
}
BANNER = re.compile(r"<!-- claims-banner .*?<!-- claims-banner-end tuned -->\s+", re.DOTALL)
TOMBSTONE = re.compile(r"~~<!-- claims-tombstone tuned .*?-->(.*?)~~ \(.*?-end tuned -->")
PLACES = [("a.md", 3, 9), ("b.md", 3, 7), ("c.md", 2, 3)]


def write(publisher, name, text):
    (publisher.root / name).write_bytes(text.encode())


def read(publisher, name):
    return (publisher.root / name).read_bytes().decode()


def supersede(publisher, *options):
    done = publisher.ledger("supersede", "EXACT", "--reason", "a stale build", *options)
    assert done.exit_code == 0, done.output


@pytest.fixture
def published(publisher):
    """Three published pages with a sentence, a cell and a number of the claim `tuned`."""
    publisher.publish(publisher.level, publisher.change)
    publisher.experiment("BETTER", "receipt://exact")
    for name, text in PAGES.items():
        write(publisher, name, text)
    assert publisher.claims("lock", "set", "publish=on").exit_code == 0
    done = publisher.claims("publish", *PAGES)
    assert done.exit_code == 0, done.output
    return publisher


def listed(publisher, reference, *options):
    done = publisher.claims("affected", reference, "--json", *options)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def codes(publisher, *pages):
    """Return exit code and the codes found on these pages."""
    done = publisher.claims("check", *pages, "--json")
    found = json.loads(done.stdout)["pages"]
    return done.exit_code, [finding["code"] for one in found for finding in one["findings"]]


# --- three published pages, one SUPERSEDED --------------------------------------------------------


def test_each_struck_sentence_is_listed_with_its_place_and_a_banner_makes_its_page_pass(published):
    p = published
    supersede(p, "--replacement", "BETTER")
    found = listed(p, "EXACT")["sentences"]
    assert [(s["file"], s["line"], s["column"]) for s in found] == PLACES
    assert {s["strike"]["word"] for s in found} == {"superseded"}
    assert [s["published"]["changed"] for s in found] == [False] * 3
    assert codes(p, *PAGES) == (1, ["CLM501"] * 3)
    assert [codes(p, name) for name in PAGES] == [(1, ["CLM501"])] * 3

    assert listed(p, "EXACT", "--write")["written"] == list(PAGES)
    assert codes(p, *PAGES) == (0, [])
    assert all("In its place: entry" in read(p, name) for name in PAGES)
    assert [s["notice"] for s in listed(p, "EXACT")["sentences"]] == ["banner"] * 3
    assert [s["published"]["changed"] for s in listed(p, "EXACT")["sentences"]] == [True] * 3


def test_without_a_replacement_tombstones_take_the_place_of_the_sentences(published):
    p = published
    supersede(p)
    assert listed(p, "EXACT", "--write")["written"] == list(PAGES)
    assert codes(p, *PAGES) == (0, [])
    assert "<!--claim:tuned-->" not in "".join(read(p, name) for name in PAGES)
    found = listed(p, "EXACT")["sentences"]
    assert [s["text"] for s in found] == [CHANGE, "1.25×", "1.2×"]
    assert [s["notice"] for s in found] == ["tombstone"] * 3


def test_the_same_through_programs_of_their_own(published):
    p = published
    supersede(p, "--replacement", "BETTER")
    done = p.process("claims", "affected", "EXACT")
    assert done.returncode == 0, done.stderr
    for name, line, column in PLACES:
        assert f"\n{name}:{line}:{column}: tuned: " in f"\n{done.stdout}"
    assert p.process("claims", "check", *PAGES).returncode == 1
    assert p.process("claims", "affected", "EXACT", "--write").returncode == 0
    assert p.process("claims", "check", *PAGES).returncode == 0


@pytest.mark.parametrize("replacement", [(), ("--replacement", "BETTER")])
def test_writing_twice_is_writing_once_and_what_is_not_struck_keeps_its_bytes(
    published, replacement
):
    """BAN-11."""
    p = published
    supersede(p, *replacement)
    assert listed(p, "EXACT", "--write")["written"] == list(PAGES)
    once = {name: read(p, name) for name in PAGES}
    assert listed(p, "EXACT", "--write")["written"] == []
    assert {name: read(p, name) for name in PAGES} == once
    for name, text in PAGES.items():
        bare = BANNER.sub("", once[name])
        bare = TOMBSTONE.sub(r"\1<!--claim:tuned-->", bare)
        assert bare == text


def test_a_page_keeps_its_mode_and_is_reached_through_a_link(published):
    p = published
    real = p.root / "real.md"
    (p.root / "a.md").rename(real)
    (p.root / "a.md").symlink_to("real.md")
    real.chmod(0o640)
    supersede(p)
    listed(p, "EXACT", "--write")
    assert (p.root / "a.md").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert "claims-tombstone" in real.read_text()


# --- what a reference stands for ------------------------------------------------------------------


def test_claim_entry_receipt_run_and_correction_lead_to_the_same_sentences(published):
    p = published
    first = [listed(p, ref)["sentences"] for ref in ("tuned", "EXACT", "receipt://exact")]
    assert [(s["file"], s["line"], s["column"]) for s in first[0]] == PLACES
    assert first[0] == first[1] == first[2]
    assert all("strike" not in s for s in first[0])
    supersede(p)
    with p.open() as ledger:
        correction = str(ledger.size - 1)
    assert listed(p, correction) == listed(p, "tuned")


def test_a_receipt_of_one_repetition_strikes_what_rests_on_its_window(published):
    p = published
    uri = f"receipt://{p.repetitions('exact')[3].digest}"
    assert [s["claim"] for s in listed(p, uri)["sentences"]] == ["tuned"] * 3


def test_what_rests_on_a_struck_entry_in_turn_is_contested_and_listed(published):
    p = published
    with p.open() as ledger:
        exact = ledger.resolve("EXACT").id
    p.experiment("LATER", "receipt://exact", rests_on=[exact])
    later = {**p.change, "id": "later", "evidence": [{"entry": "LATER"}]}
    p.publish(p.level, p.change, later)
    write(p, "a.md", f"{CHANGE}<!--claim:later-->\n")
    supersede(p)
    found = {s["claim"]: s["strike"]["word"] for s in listed(p, "EXACT")["sentences"]}
    assert found == {"later": "contested", "tuned": "superseded"}
    listed(p, "later", "--write")
    assert codes(p, "a.md") == (0, [])


def test_a_reference_that_names_nothing_and_one_that_nothing_rests_on(published):
    assert published.claims("affected", "nobody").exit_code == 4
    assert listed(published, "BARE")["sentences"] == []


def test_pages_that_are_gone_are_told(published):
    (published.root / "b.md").unlink()
    gone = listed(published, "tuned")["gone"]
    assert [line.partition(":")[0] for line in gone] == ["README.md", "b.md"]
    assert "published by entry" in gone[1]


def test_nothing_is_written_from_a_ledger_that_does_not_verify(published):
    supersede(published)
    published.flip_row(30, -20)
    done = published.claims("affected", "EXACT", "--write")
    assert done.exit_code == 1
    assert "CLM301" in done.stderr
    assert {name: read(published, name) for name in PAGES} == PAGES


# --- reasons to strike ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "word", "code"),
    [
        (("retract", "EXACT", "--reason", "hot"), "retracted", "CLM502"),
        (("amend", "EXACT", "--reason", "hot", "--bars", "decode_tok_s"), "barred", "CLM504"),
        (("correct", "EXACT", "--reason", "hot", "--affects", "delta"), "contested", "CLM503"),
    ],
)
def test_every_way_to_strike_has_its_tombstone(published, words, word, code):
    p = published
    assert p.ledger(*words).exit_code == 0
    assert codes(p, *PAGES) == (1, [code] * 3)
    assert {s["strike"]["word"] for s in listed(p, "tuned", "--write")["sentences"]} == {word}
    assert codes(p, *PAGES) == (0, [])
    assert f"({word.capitalize()} by entry " in read(p, "a.md")


def test_a_harmless_correction_strikes_nothing(published):
    words = ("correct", "EXACT", "--reason", "a typo", "--restated", "title=exact")
    assert published.ledger(*words).exit_code == 0
    assert all("strike" not in s for s in listed(published, "EXACT", "--write")["sentences"])
    assert {name: read(published, name) for name in PAGES} == PAGES


def test_a_withdrawn_approval_is_a_reason_too(published):
    p = published
    assert p.claims("withdraw", "tuned", "--reason", "too | <b>good</b> to be true").exit_code == 0
    assert codes(p, *PAGES) == (1, ["CLM401"] * 3)
    listed(p, "tuned", "--write")
    assert codes(p, *PAGES) == (0, [])
    assert r"too \| \<b\>good\</b\> to be true.)" in read(p, "b.md")


# --- when things move on --------------------------------------------------------------------------


def test_when_the_replacement_falls_the_banner_is_refused_until_it_is_written_again(published):
    """BAN-6."""
    p = published
    supersede(p, "--replacement", "BETTER")
    listed(p, "EXACT", "--write")
    p.experiment("BEST", "receipt://exact")
    done = p.ledger("supersede", "BETTER", "--reason", "older", "--replacement", "BEST")
    assert done.exit_code == 0
    assert codes(p, *PAGES) == (1, ["CLM605"] * 3)
    listed(p, "EXACT", "--write")
    assert codes(p, *PAGES) == (0, [])
    assert "(BEST)" in read(p, "a.md")
    assert p.ledger("retract", "BEST", "--reason", "wrong").exit_code == 0
    listed(p, "EXACT", "--write")
    assert codes(p, *PAGES) == (0, [])
    assert all("claims-tombstone" in read(p, name) for name in PAGES)


def test_when_the_correction_is_lifted_the_notices_are_refused(published):
    """BAN-5."""
    p = published
    supersede(p)
    with p.open() as ledger:
        correction = str(ledger.size - 1)
    listed(p, "EXACT", "--write")
    assert p.ledger("retract", correction, "--reason", "it was fresh").exit_code == 0
    assert codes(p, *PAGES) == (1, ["CLM606"] * 3)
    assert listed(p, "tuned", "--write")["written"] == list(PAGES)
    assert {name: read(p, name) for name in PAGES} == PAGES
    assert codes(p, *PAGES) == (0, [])


def test_two_claims_in_one_block_get_a_banner_each(published):
    p = published
    also = {**p.change, "id": "also"}
    p.publish(p.level, p.change, also)
    text = f"{CHANGE}<!--claim:tuned--> {CHANGE}<!--claim:also--> {LEVEL}<!--claim:prefill-->\n"
    write(p, "a.md", text)
    supersede(p, "--replacement", "BETTER")
    listed(p, "EXACT", "--write")
    assert read(p, "a.md").count("<!-- claims-banner ") == 2
    assert read(p, "a.md").endswith(text)
    assert codes(p, "a.md") == (0, [])
    listed(p, "EXACT", "--write")
    assert read(p, "a.md").count("<!-- claims-banner ") == 2


def test_a_sentence_that_cannot_be_struck_is_told_and_the_others_are_struck(published):
    p = published
    odd = f"It *runs. The tuned* runs at 1.25×.<!--claim:tuned-->\n\n{CHANGE}<!--claim:tuned-->\n"
    write(p, "a.md", odd)
    supersede(p)
    done = p.claims("affected", "tuned", "--write")
    assert done.exit_code == 1
    assert "a.md:1:11: tuned: it shares its markup with its neighbours" in done.stderr
    assert read(p, "a.md").count("claims-tombstone ") == 1
    assert codes(p, "b.md", "c.md") == (0, [])


def test_a_page_that_changes_while_it_is_written_is_left_alone(published):
    p = published
    supersede(p)
    with desk.open_desk(lambda _: None) as opened:
        found = affected.find(opened, "tuned")
        write(p, "a.md", "Somebody else was here.\n")
        with pytest.raises(ConflictError, match=r"a\.md was changed meanwhile"):
            affected.write(opened, found)
    assert read(p, "a.md") == "Somebody else was here.\n"


def test_a_publication_of_a_page_elsewhere_is_not_followed(published):
    p = published
    (p.root.parent / "far.md").write_text(f"{CHANGE}<!--claim:tuned-->\n")
    fields = {"page": "sha256:" + "0" * 64, "claims_register": "sha256:" + "0" * 64}
    for name in ("../far.md", str(p.root.parent / "far.md"), "x/../../far.md"):
        title = f"published: {name}"
        p.append(kind="PUBLISHED", title=title, head="0" * 64, claims=["tuned"], **fields)
    supersede(p)
    found = listed(p, "tuned", "--write")
    assert {one["file"] for one in found["sentences"]} == set(PAGES)
    assert "far.md" not in "".join(found["gone"])
