"""`claims render --site`: exit codes, what it prints, and what it refuses to touch."""

import json

import pytest


@pytest.fixture
def approved(publisher):
    publisher.publish(publisher.level, publisher.change)
    return publisher


def test_a_site_of_claims_that_all_hold_is_written_with_exit_0(approved):
    result = approved.claims("render", "--site", "site")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "site: 5 files; 2 claims: 2 hold, 0 do not"
    assert lines[1].startswith("ledger: ")
    names = {path.name for path in (approved.root / "site").iterdir()}
    assert names == {
        *("index.html", "prefill.html", "tuned.html"),
        *("prefill.verify.sh", "tuned.verify.sh", "site.sha256"),
    }


def test_a_refused_claim_is_on_the_site_and_the_exit_code_is_1(approved):
    approved.write(approved.level, {**approved.change, "evidence": [{"entry": "OTHER"}]})
    result = approved.claims("render", "--site", "site")
    assert result.exit_code == 1
    assert result.stdout.startswith("site: 5 files; 2 claims: 1 hold, 1 do not\n")
    assert result.stderr.startswith("REFUSED CLM320 not-exact: tuned: ")
    page = (approved.root / "site" / "tuned.html").read_text(encoding="utf-8")
    assert "CLM320 not-exact" in page
    assert "1.25×" not in page


def test_json_prints_what_was_written_and_nothing_else(approved):
    result = approved.claims("render", "--site", "site", "--json")
    value = json.loads(result.stdout)
    assert (value["site"], value["files"], value["written"]) == ("site", 5, 5)
    assert value["claims"] == {"prefill": True, "tuned": True}
    assert (value["removed"], value["left"]) == ([], [])


def test_the_page_of_a_claim_that_left_is_removed_by_the_next_run(approved):
    approved.claims("render", "--site", "site")
    approved.write(approved.level)
    result = approved.claims("render", "--site", "site")
    assert result.exit_code == 0
    assert "removed tuned.html" in result.stdout.splitlines()
    assert not (approved.root / "site" / "tuned.html").exists()


def test_a_page_that_was_edited_is_told_on_stderr(approved):
    approved.claims("render", "--site", "site")
    (approved.root / "site" / "tuned.html").write_text("by hand")
    approved.write(approved.level)
    result = approved.claims("render", "--site", "site")
    assert "tuned.html was changed by somebody and is left" in result.stderr


@pytest.mark.parametrize(
    "words", [("prefill",), ("--output", "page.md"), ("--format", "markdown"), ("prefill", "tuned")]
)
def test_a_site_is_of_the_whole_register(approved, words):
    result = approved.claims("render", "--site", "site", *words)
    assert result.exit_code == 2
    assert "--site is of the whole register" in result.stderr
    assert not (approved.root / "site").exists()
    assert not (approved.root / "page.md").exists()


def test_a_folder_of_somebody_else_is_refused_before_the_ledger_is_read(approved):
    before = {path: path.read_bytes() for path in approved.root.rglob("*") if path.is_file()}
    result = approved.claims("render", "--site", ".")
    assert result.exit_code == 4
    assert "it is no site of ours" in result.stderr
    assert {path: path.read_bytes() for path in before} == before


def test_without_a_claim_there_is_no_site(publisher):
    publisher.write()
    result = publisher.claims("render", "--site", "site")
    assert result.exit_code == 4
    assert "the register holds no claim" in result.stderr
    assert not (publisher.root / "site").exists()


def test_a_broken_ledger_gives_a_site_that_claims_nothing(approved):
    approved.flip_row(5, 40)
    result = approved.claims("render", "--site", "site")
    assert result.exit_code == 1
    index = (approved.root / "site" / "index.html").read_text(encoding="utf-8")
    assert "The ledger does not verify" in index
    assert "163.77" not in index


def test_it_works_as_a_program(approved):
    done = approved.process("claims", "render", "--site", "site")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("site: 5 files; 2 claims")
