"""An answer is said again only where nothing that it rests on has changed."""

import json
import os
import sqlite3
import time
from contextlib import closing

import pytest

SENTENCE = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
PAGE = f"{SENTENCE}<!--claim:prefill-->\n"
AGAIN = "answered from memory"


@pytest.fixture
def checked(publisher):
    """Return a publisher whose page was checked, long enough ago for its files to be old."""
    publisher.publish(publisher.level)
    time.sleep(0.06)
    first = publisher.check(PAGE)
    assert first.exit_code == 0
    assert AGAIN not in first.stderr
    return publisher


def again(publisher, *options):
    return publisher.claims("check", "page.md", *options)


def test_the_same_question_gets_the_same_answer_and_says_on_which_head_it_rests(checked):
    first, second = again(checked, "--fresh"), again(checked)
    assert (second.exit_code, second.stdout) == (first.exit_code, first.stdout)
    with closing(sqlite3.connect(checked.ledger_file)) as database:
        (head,) = database.execute("SELECT id FROM entry ORDER BY idx DESC LIMIT 1").fetchone()
    assert f"head {head[:16]}" in second.stderr


def test_findings_are_remembered_with_their_exit_code(checked):
    checked.check(PAGE.replace("163.77", "163.78"))
    result = again(checked)
    assert (result.exit_code, AGAIN in result.stderr) == (1, True)
    assert "CLM103" in result.stdout


def test_json_stays_json(checked):
    for _ in range(2):
        assert json.loads(again(checked, "--json").stdout)["pages"][0]["bound"] == 2


def appended(p):
    p.append(kind="ENTRY", label="MORE", hypothesis="more")


def retracted(p):
    p.ledger("retract", "CELLS", "--reason", "wrong")


def edited_row(p):
    p.flip_row(40, 300)


def edited_raw(p):
    p.flip(p.raw_of(p.receipt("cells")), 10)


def raw_taken_away(p):
    p.raw_of(p.receipt("cells")).unlink()


def edited_receipt(p):
    p.flip(p.file_of(p.uri("cells")), 60)


def edited_page(p):
    (p.root / "page.md").write_text(PAGE.replace("163.77", "163.87"), encoding="utf-8")


def edited_page_of_the_same_age(p):
    path = p.root / "page.md"
    stat = path.stat()
    edited_page(p)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def edited_register(p):
    path = p.root / "claims.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")


def edited_configuration(p):
    path = p.root / "evidence.yaml"
    path.write_text(path.read_text() + "# more\n")


def ledger_taken_away(p):
    p.ledger_file.unlink()


def a_vocabulary_named(p):
    path = p.root / "evidence.yaml"
    path.write_text(path.read_text() + "vocabulary: [names.yaml]\n")


@pytest.mark.parametrize(
    "change",
    [
        appended, retracted, edited_row, edited_raw, raw_taken_away, edited_receipt, edited_page,
        edited_page_of_the_same_age, edited_register, edited_configuration, ledger_taken_away,
        a_vocabulary_named,
    ],
)  # fmt: skip
def test_whatever_the_answer_rests_on_makes_it_be_worked_out_again(checked, change):
    change(checked)
    assert AGAIN not in again(checked).stderr


def test_a_forged_or_cut_answer_is_no_answer(checked):
    folder = checked.home / ".cache" / "evidence-ledger" / "answers"
    (path,) = folder.glob("*.json")
    data = path.read_bytes()
    path.write_bytes(data[:-40])
    assert AGAIN not in again(checked).stderr
    path.write_bytes(data.replace(b'"code": 0', b'"code": 3'))
    assert AGAIN not in again(checked).stderr


@pytest.mark.parametrize("mode", [0o660, 0o602])
def test_an_answer_that_somebody_else_may_have_written_is_no_answer(checked, mode):
    (path,) = (checked.home / ".cache" / "evidence-ledger" / "answers").glob("*.json")
    path.chmod(mode)
    assert AGAIN not in again(checked).stderr


def test_answers_are_kept_for_their_owner_alone_whatever_the_mask(publisher):
    publisher.publish(publisher.level)
    time.sleep(0.06)
    before = os.umask(0o002)
    try:
        publisher.check(PAGE)
    finally:
        os.umask(before)
    assert AGAIN in again(publisher).stderr


def test_a_link_that_leads_elsewhere_is_another_answer_though_the_bytes_are_the_same(checked):
    (checked.root / "inside.log").write_text("one\n")
    (checked.root.parent / "outside.log").write_text("one\n")
    link = checked.root / "linked.log"
    link.symlink_to("inside.log")
    time.sleep(0.06)
    page = f"{PAGE}\nSee [linked.log:1].\n"
    assert checked.check(page).exit_code == 0
    link.unlink()
    link.symlink_to("../outside.log")
    assert "CLM705" in again(checked).stdout


def test_a_file_that_was_sought_in_vain_is_looked_for_again(checked):
    missing = checked.check(f"{PAGE}\nSee [run.log:1].\n")
    assert "CLM701" in missing.stdout
    (checked.root / "run.log").write_text("one\n")
    assert again(checked).exit_code == 0
