"""Of many unbound numbers on a page a person is told some, and how many there are."""

import json

import pytest

MANY = 40
ROWS = "".join(f"It runs at {n}.5 tok/s today.\n\n" for n in range(10, 10 + MANY))


@pytest.fixture
def page(publisher):
    publisher.write(publisher.level)
    return publisher


def codes(text):
    return text.count("CLM101 unbound-number")


def test_the_first_are_told_in_words_and_all_are_counted(page):
    result = page.check(ROWS, "--fresh")
    assert result.exit_code == 1
    assert codes(result.stdout) == 25
    assert "page.md: …and 15 more CLM101 on this page; --format concise lists all" in result.stdout
    assert "CLM101 (40): " in result.stdout
    assert "40 unbound; 0 claims used; 40 findings" in result.stdout


def test_a_page_with_few_is_told_whole(page):
    result = page.check(ROWS[: len(ROWS) // 2], "--fresh")
    assert codes(result.stdout) == MANY // 2
    assert "more CLM101" not in result.stdout


@pytest.mark.parametrize("form", ["concise", "junit"])
def test_formats_for_tools_tell_every_one(page, form):
    assert page.check(ROWS, "--fresh", "--format", form).stdout.count("tok/s stands in") >= MANY


def test_json_tells_every_one_and_the_same_totals(page):
    told = json.loads(page.check(ROWS, "--fresh", "--json").stdout)
    assert len(told["pages"][0]["findings"]) == told["totals"]["findings"] == MANY


def test_an_ignore_reaches_what_is_not_told_and_is_not_called_unused(page):
    directive = "<!-- claims-ignore[CLM101]: a limit, no result -->\n"
    rows = ROWS.split("\n\n")[:-1]
    last = page.check("\n\n".join([*rows[:-1], directive + rows[-1]]) + "\n", "--fresh")
    assert "…and 14 more CLM101" in last.stdout
    assert "ignored: page.md: …and 1 more CLM101" in last.stdout
    assert "39 findings, 1 ignored" in last.stdout
    assert "CLM091" not in last.stdout


def test_where_the_first_are_set_aside_the_rest_still_refuse_the_page(page):
    rows = ROWS.split("\n\n")[:-1]
    ignore = "<!-- claims-ignore-line[CLM101]: a limit, no result -->"
    text = "\n\n".join([*(f"{row} {ignore}" for row in rows[:30]), *rows[30:]]) + "\n"
    result = page.check(text, "--fresh")
    assert result.exit_code == 1
    assert "10 findings, 30 ignored" in result.stdout


def test_a_page_on_which_all_are_set_aside_passes(page):
    text = "<!-- claims-ignore-file[CLM101]: history; nothing is claimed -->\n\n" + ROWS
    result = page.check(text, "--fresh")
    assert result.exit_code == 0, result.stdout
    assert "0 findings, 40 ignored" in result.stdout
