"""`claims check` as its users run it: ignores, baselines, formats, files, and exit codes."""

import json
import re

import pytest

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
BOUND = f"{LEVEL}<!--claim:prefill-->\n"
LOOSE = "It did 5 ms.\n"
IGNORED = "<!-- claims-ignore[CLM101]: a limit, no result -->\nIt stops at 500 ms.\n"


@pytest.fixture
def approved(publisher):
    publisher.publish(publisher.level)
    return publisher


def check(p, text, *options, name="README.md"):
    (p.root / name).write_text(text, encoding="utf-8")
    return p.claims("check", *options)


def codes(result):
    return [f["code"] for page in json.loads(result.stdout)["pages"] for f in page["findings"]]


# --- ignores --------------------------------------------------------------------------------------


def test_an_ignored_number_passes_is_counted_and_is_listed_with_its_reason(approved):
    result = check(approved, BOUND + "\n" + IGNORED)
    assert result.exit_code == 0
    assert "ignored: README.md:4:13: CLM101" in result.stdout
    assert "reason: a limit, no result" in result.stdout
    assert "0 findings, 1 ignored, 0 held by the baseline" in result.stdout
    value = json.loads(approved.claims("check", "--json").stdout)
    assert [one["reason"] for one in value["ignored"]] == ["a limit, no result"]
    assert value["totals"]["findings_ignored"] == 1
    (page,) = value["pages"]
    assert (page["ignored"], page["unbound"]) == (1, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (IGNORED, []),
        (IGNORED.replace(": a limit, no result", ""), ["CLM090", "CLM101"]),
        (IGNORED.replace("CLM101", "CLM107"), ["CLM091", "CLM101"]),
        (IGNORED.replace("CLM101", "CLM401"), ["CLM092", "CLM101"]),
        (IGNORED.replace("500 ms", "never"), ["CLM091"]),
    ],
)
def test_what_is_wrong_with_an_ignore_has_its_own_code(approved, text, expected):
    result = check(approved, BOUND + "\n" + text, "--json")
    assert codes(result) == expected
    assert result.exit_code == (1 if expected else 0)


def test_no_ignore_makes_an_unapproved_sentence_pass(publisher):
    publisher.write(publisher.level)
    text = f"<!-- claims-ignore[CLM401]: the operator is on leave -->\n{BOUND}"
    result = check(publisher, text, "--json")
    assert codes(result) == ["CLM092", "CLM401"]
    assert result.exit_code == 1


# --- baseline -------------------------------------------------------------------------------------


def test_the_first_day_is_held_and_the_second_day_must_not_be_worse(approved):
    p = approved
    assert check(p, BOUND + LOOSE).exit_code == 1
    result = p.claims("baseline", "write")
    assert (result.exit_code, result.stdout) == (
        0,
        "claims-baseline.json holds 1 findings on 1 pages\n",
    )
    held = ("--baseline", "claims-baseline.json")
    passed = p.claims("check", *held)
    assert passed.exit_code == 0
    assert re.search(r"^README\.md: .*; 0 findings, 0 ignored, 1 held", passed.stdout, re.MULTILINE)
    assert "0 findings, 0 ignored, 1 held by the baseline" in passed.stdout
    # Moved and reflowed is the same debt, a changed or further number is not.
    assert check(p, f"New.\n\n{BOUND}\n{LOOSE.replace(' ', chr(10))}", *held).exit_code == 0
    assert check(p, BOUND + LOOSE.replace("5", "6"), *held).exit_code == 1
    assert check(p, f"{BOUND}\n{LOOSE}\n{LOOSE}", *held).exit_code == 1


def test_what_is_gone_must_leave_the_baseline_and_does_so_by_shrink(approved):
    p = approved
    check(p, BOUND + LOOSE)
    p.claims("baseline", "write")
    result = check(p, BOUND, "--baseline", "claims-baseline.json", "--json")
    assert (result.exit_code, codes(result)) == (1, ["CLM096"])
    assert p.claims("baseline", "shrink").stdout == "claims-baseline.json: 1 removed, 0 held\n"
    assert p.claims("check", "--baseline", "claims-baseline.json").exit_code == 0


def test_shrinking_takes_nothing_up(approved):
    check(approved, BOUND + LOOSE)
    approved.claims("baseline", "write")
    before = (approved.root / "claims-baseline.json").read_bytes()
    check(approved, BOUND + LOOSE + "\nAnd 7 ms.\n")
    assert approved.claims("baseline", "shrink").exit_code == 0
    assert (approved.root / "claims-baseline.json").read_bytes() == before


def test_a_page_that_is_gone_leaves_the_baseline_too(approved):
    path = approved.root / "evidence.yaml"
    path.write_text(path.read_text().replace("[README.md]", '["*.md"]'))
    check(approved, LOOSE, name="old.md")
    check(approved, BOUND)
    assert approved.claims("baseline", "write").exit_code == 0
    (approved.root / "old.md").unlink()
    assert "1 removed, 0 held" in approved.claims("baseline", "shrink").stdout


def test_a_baseline_is_never_written_over(approved):
    check(approved, BOUND + LOOSE)
    approved.claims("baseline", "write")
    check(approved, BOUND + LOOSE + "\nAnd 7 ms.\n")
    result = approved.claims("baseline", "write")
    assert result.exit_code == 4
    assert "claims-baseline.json exists and never grows" in result.stderr


def test_a_baseline_names_what_it_cannot_hold_and_says_no(publisher):
    publisher.write(publisher.level)
    check(publisher, BOUND + LOOSE)
    result = publisher.claims("baseline", "write")
    assert result.exit_code == 1
    assert "README.md:1:56: CLM401" in result.stdout
    assert "holds 1 findings on 1 pages; 1 findings of rules that no baseline holds remain" in (
        result.stdout
    )
    assert publisher.claims("check", "--baseline", "claims-baseline.json").exit_code == 1


def test_a_grown_baseline_is_told_from_the_one_of_the_main_branch(approved):
    check(approved, BOUND + LOOSE)
    approved.claims("baseline", "write", "--baseline", "old.json")
    check(approved, f"{BOUND}\n{LOOSE}\nAnd 7 ms.\n")
    approved.claims("baseline", "write", "--baseline", "new.json")
    grown = approved.claims("baseline", "compare", "old.json", "--baseline", "new.json")
    assert grown.exit_code == 1
    assert grown.stdout.startswith("README.md:1:1: CLM095 baseline-grew: CLM101 in 'And 7 ms.'")
    assert (
        approved.claims("baseline", "compare", "new.json", "--baseline", "old.json").exit_code == 0
    )


def test_the_baseline_of_the_configuration_is_used_from_every_folder(approved, monkeypatch):
    check(approved, BOUND + LOOSE)
    approved.claims("baseline", "write")
    with (approved.root / "evidence.yaml").open("a") as file:
        file.write("baseline: claims-baseline.json\n")
    assert approved.claims("check").exit_code == 0
    (approved.root / "docs").mkdir()
    monkeypatch.chdir(approved.root / "docs")
    assert approved.claims("check").exit_code == 0
    (approved.root / "claims-baseline.json").unlink()
    result = approved.claims("check")
    assert (result.exit_code, "baseline does not exist" in result.stderr) == (4, True)


# --- what is there to check -----------------------------------------------------------------------


def test_a_folder_stands_for_the_pages_in_it_and_an_empty_one_for_none(approved):
    (approved.root / "docs" / ".hidden").mkdir(parents=True)
    (approved.root / "docs" / "node_modules").mkdir()
    for name in ("b.md", "a.mdx", "no.txt", ".hidden/x.md", "node_modules/y.md"):
        (approved.root / "docs" / name).write_text(LOOSE)
    value = json.loads(approved.claims("check", "docs", "--json").stdout)
    assert [page["file"] for page in value["pages"]] == ["docs/a.mdx", "docs/b.md"]
    (approved.root / "empty").mkdir()
    result = approved.claims("check", "empty")
    assert result.exit_code == 3
    assert result.stdout.startswith("CLM001 no-page: ")
    assert len([line for line in result.stderr.splitlines() if "from memory" not in line]) == 1


def test_a_pattern_of_the_configuration_that_finds_nothing_is_no_success(approved):
    path = approved.root / "evidence.yaml"
    path.write_text(path.read_text().replace("[README.md]", '["handbook/**/*.md"]'))
    assert approved.claims("check").exit_code == 3
    (approved.root / "handbook" / "deep").mkdir(parents=True)
    check(approved, BOUND, name="handbook/deep/a.md")
    assert approved.claims("check").exit_code == 0


def test_a_page_that_is_no_text_is_told_with_its_line_and_byte(approved):
    (approved.root / "a.md").write_bytes(b"It did 5 ms.\nna\xefve\n")
    result = approved.claims("check", "a.md")
    assert result.exit_code == 4
    assert result.stderr == (
        "claims: a.md:2: not UTF-8 text at byte 15 (invalid continuation byte); save it as UTF-8\n"
    )


def test_a_run_of_some_pages_says_that_it_is_partial_and_one_of_all_does_not(approved):
    path = approved.root / "evidence.yaml"
    path.write_text(path.read_text().replace("[README.md]", "[README.md, b.md]"))
    check(approved, BOUND, name="b.md")
    check(approved, BOUND)
    partial = approved.claims("check", "b.md")
    assert "partial run: 1 of the 2 documents of evidence.yaml were given" in partial.stdout
    assert "partial" not in approved.claims("check").stdout
    assert "partial" not in approved.claims("check", "b.md", "README.md").stdout
    assert json.loads(approved.claims("check", "b.md", "--json").stdout)["partial"]


def test_what_was_not_looked_at_is_counted(approved):
    text = BOUND + "\n![9 ms](x.png)\n\n```\n999 tok/s\n```\n\n~~~\n1 ms\n~~~\n"
    closing = check(approved, text).stdout.splitlines()[-1]
    assert closing.startswith(
        "not checked: numbers drawn in images (images: 1); numbers in code blocks (blocks: 2); "
    )


# --- formats on the command line ------------------------------------------------------------------


@pytest.mark.parametrize("form", ["json", "sarif", "gitlab"])
def test_a_json_format_is_one_document_on_stdout_and_the_same_in_a_file(approved, form):
    (approved.root / "README.md").write_text(LOOSE)
    shown = approved.claims("check", "--format", form)
    filed = approved.claims("check", "--format", form, "--output-file", "out.json")
    assert (shown.exit_code, filed.exit_code) == (1, 1)
    assert json.loads(shown.stdout) == json.loads((approved.root / "out.json").read_text())
    assert filed.stdout.startswith("1 page, 1 numbers: 0 bound, ")
    assert "1 unbound; 0 claims used; 1 finding, 0 ignored" in filed.stdout


def test_an_output_file_is_replaced_and_a_folder_that_is_not_there_is_told(approved):
    (approved.root / "out.txt").write_text("old")
    check(approved, BOUND, "--format", "concise", "--output-file", "out.txt")
    assert (approved.root / "out.txt").read_text().startswith("1 page, ")
    result = approved.claims("check", "--output-file", "nowhere/out.txt")
    assert (result.exit_code, len(result.stderr.splitlines())) == (4, 1)


def test_json_and_another_format_do_not_go_together(approved):
    result = check(approved, BOUND, "--json", "--format", "sarif")
    assert (result.exit_code, result.stdout) == (2, "")


def test_the_summary_of_a_job_is_appended_where_github_says(approved, monkeypatch, tmp_path):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    check(approved, LOOSE, "--format", "github")
    text = summary.read_text()
    assert text.startswith("before\n## claims check\n")
    assert "| README\\.md:1:8 | CLM101 unbound\\-number |" in text
    check(approved, LOOSE, "--format", "concise")
    assert summary.read_text() == text


def test_a_summary_file_that_is_nearly_full_is_not_overfilled(approved, monkeypatch, tmp_path):
    summary = tmp_path / "summary.md"
    summary.write_bytes(b"x" * (1024 * 1024 - 600))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert check(approved, (LOOSE + "\n") * 50, "--format", "github").exit_code == 1
    assert summary.stat().st_size <= 1024 * 1024


@pytest.mark.parametrize("form", ["text", "concise", "github", "sarif", "junit", "gitlab", "json"])
def test_nothing_checked_is_never_success_in_any_format(approved, form):
    result = check(approved, "No numbers.\n", "--format", form)
    assert result.exit_code == 3
    assert "CLM002" in result.stdout


def test_of_a_single_page_the_denominators_are_told_once(approved):
    (approved.root / "a.md").write_text(BOUND)
    (approved.root / "b.md").write_text(BOUND)
    one = approved.claims("check", "a.md").stdout
    two = approved.claims("check", "a.md", "b.md").stdout
    assert (one.count(" numbers: "), two.count(" numbers: ")) == (1, 3)
