"""Every number of the source has a class: what is not rendered is named, nothing is lost."""

import re
from pathlib import Path

import pytest
from hypothesis import given

from claims.markers import classes
from claims.pages.document import parse
from claims.scanner import outside
from claims.scanner.exclusions import EXCLUSIONS
from claims.scanner.vocabulary import DEFAULT
from tests.claims.test_exclusions import CORPUS
from tests.properties.test_document_positions import PAGE

DIGITS = re.compile(r"\d+")


def classed(source: str) -> list[tuple[str, str, str | None]]:
    found = classes.classify(parse(source), DEFAULT)
    return [(one.text, one.klass, one.rule) for one in found]


@pytest.mark.parametrize(
    ("source", "number", "rule"),
    [
        ("[a](b/35)", "35", "link-target"),
        ("![a](b/35.png)", "35", "link-target"),
        ("[a]: http://a.example/35", "35", "link-target"),
        ("[a]: u\n[a]: v/35\n", "35", "link-target"),
        ("a <!-- 35 --> b", "35", "html-comment"),
        ("<!-- 35 -->", "35", "html-comment"),
        ("<td width=35>x</td>", "35", "html-attribute"),
        ("x <b id='35'>x</b>", "35", "html-attribute"),
        ("<script>\n35\n</script>", "35", "html-script"),
        ("a `x 35`", "35", "code-span"),
        ("<p><code>35</code></p>", "35", "code-span"),
        ("```\n35\n```", "35", "code-block"),
        ("```x35\n```", "35", "code-block"),
        ("    35", "35", "code-block"),
        ("---\nlayout: 35\n---\n", "35", "front-matter"),
        ("35. item\n", "35", "list-ordinal"),
        ("x[^35]\n\n[^35]: y", "35", "footnote-mark"),
        ("a&#8202;b", "8202", "entity"),
        ("| a |\n|---|\n| x | 35 |", "35", "not-rendered"),
        ("a <!-- three --> b", "three", "html-comment"),
    ],
)
def test_num_1_what_is_not_rendered_says_why(source: str, number: str, rule: str):
    assert set(classed(source)) == {(number, "excluded", rule)}
    assert rule in EXCLUSIONS


def test_classes_are_those_of_the_text_and_the_markers():
    source = "We reach 1.05×<!--claim:C16--> and −3 % on GB10, one of two.\n"
    assert classed(source) == [
        ("1.05", "bound", None),
        ("16", "excluded", "html-comment"),
        ("3", "unbound", None),
        ("10", "excluded", "identifier"),
        ("one", "excluded", "number-word"),
        ("two", "excluded", "number-word"),
    ]
    (minus,) = [one for one in classes.classify(parse(source), DEFAULT) if one.text == "3"]
    assert (minus.sign, minus.column, minus.view()["sign"]) == ("−", 37, "−")


@pytest.mark.parametrize(
    ("source", "ignored"),
    [
        ("a 3 ms\n\n<!-- claims-ignore[CLM101]: why -->\nb 4 ms\n\nc 5 ms\n", ["4"]),
        ("a 3 ms <!-- claims-ignore-line[CLM101]: why -->\nb 4 ms\n", ["3"]),
        ("a 3 ms\n\n<!-- claims-ignore-file[CLM101]: why -->\n\nb 4 ms\n", ["3", "4"]),
        ("<!-- claims-ignore[CLM101]: why -->\n| a |\n|---|\n| 3 |\n| 4 |\n\nb 5 ms\n", ["3", "4"]),
        ("a 3 ms <!-- claims-ignore-line[CLM101]: -->\n", []),
        ("a 3 ms <!-- claims-ignore-line[CLM102]: why -->\n", []),
    ],
)
def test_a_directive_ignores_what_it_reaches_and_needs_a_reason(source: str, ignored: list[str]):
    assert [text for text, klass, _ in classed(source) if klass == "ignored"] == ignored


def check_complete(source: str) -> None:
    page = parse(source)
    found = classes.classify(page, DEFAULT)
    lines = re.split(r"\r\n?|\n", source)
    for one in found:
        here = lines[one.line - 1][one.column - 1 :]
        assert here.startswith(one.text) or here[0] in "&" or "*" in here or "<" in here
    assert not [one for one in found if one.rule == "lost"]
    covered = {(one.line, one.column + at) for one in found for at in range(len(one.text))}
    inside = {(a.line, a.column) for a in found}
    for number, line in enumerate(lines, 1):
        for match in DIGITS.finditer(line):
            at = (number, match.start() + 1)
            assert at in covered or at in inside or "*" in line or "_" in line or "<" in line


@given(PAGE)
def test_no_digit_of_a_composed_page_is_lost(source: str):
    check_complete(source)


def test_no_digit_of_the_genuine_pages_is_lost():
    pages = sorted((CORPUS / "docs").glob("*.md"))
    if not pages:
        pytest.skip(f"no pages under {CORPUS}: the genuine pages were not checked")
    for page in pages:
        check_complete(Path(page).read_bytes().decode())


def test_num_4_what_nothing_explains_is_lost_and_not_skipped(monkeypatch):
    monkeypatch.setattr(outside, "_regions", lambda page: iter(()))
    (found,) = classes.classify(parse("[a](b/35)"), DEFAULT)
    assert (found.klass, found.rule) == ("unbound", "lost")
