"""Pages with a decimal comma: read as they are meant, refused where they may mean two things."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.checks import spelling
from claims.numerals import decimal_comma, numbers
from claims.scanner import atoms

HEAD = "---\nlocale: {}\n---\n\n"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1.234,5 tok/s", "1,234.5 tok/s"),
        ("12,5 %", "12.5 %"),
        ("−0,75×", "−0.75×"),
        ("1,20–1,24×", "1.20–1.24×"),
        ("1.234.567 Anfragen", "1,234,567 Anfragen"),
        ("(35,2 tok/s, 35,3 tok/s)", "(35.2 tok/s, 35.3 tok/s)"),
        ("Es gibt 1,5.", "Es gibt 1.5."),
        ("0,001 s", "0.001 s"),
        *(
            (same, same)
            for same in (
                "15.08.2026", "192.168.100.200", "v1.2.3", "CUDA 12.8", "1,2,3", "Llama-3.100",
                "1,234.5", "GB10,5a", "35.2 tok/s", "1 bis 3", "Q4_K_M",
            )
        ),
    ],
)  # fmt: skip
def test_points_and_commas_change_places_inside_numbers_alone(written, read):
    assert decimal_comma.with_point(written) == read


@given(st.text(alphabet="0123456789.,- x(", max_size=30))
def test_no_character_moves_and_no_digit_changes(text):
    read = decimal_comma.with_point(text)
    assert len(read) == len(text)
    assert [c if c.isdigit() else "" for c in read] == [c if c.isdigit() else "" for c in text]


@given(st.decimals(0, 10**9, places=2, allow_nan=False))
def test_what_is_spelt_with_a_comma_has_its_value(value):
    german = f"{value:,.2f}".translate(str.maketrans(".,", ",."))
    (found,) = numbers.find(decimal_comma.with_point(f"{german} tok/s"))
    assert (found.value, found.decimals) == (value, 2)


@pytest.mark.parametrize(
    "written", ["1,234", "1.234", "999,999", "35.2", "1,234.5", "0.5", "0.234"]
)
def test_what_may_be_two_numbers_or_has_a_point_is_in_doubt(written):
    assert decimal_comma.doubt(written)


@pytest.mark.parametrize(
    "written", ["35,2", "1.234,5", "0,234", "1.234.567", "1234", "12", "1,2345"]
)
def test_what_is_one_number_is_not(written):
    assert decimal_comma.doubt(written) is None


@pytest.mark.parametrize("named", ["de", "DE", "de-DE", "de_AT", '"de"', "'de-LI'"])
def test_the_front_matter_tells_the_comma(named):
    assert spelling.read(f"{HEAD.format(named)}Es sind 1,5 ms.\n").has_comma


@pytest.mark.parametrize("page", [HEAD.format(n) for n in ("en", "dev", "fr", "de-XX", "")] + [
    "locale: de\n", "Text.\n\n---\nlocale: de\n---\n",
])  # fmt: skip
def test_nothing_else_does(page):
    text = f"{page}Es sind 1,5 ms.\n"
    read = spelling.read(text)
    assert (read.source, read.has_comma) == (text, False)


def test_only_what_people_read_changes_and_every_number_keeps_its_place():
    text = (
        f"{HEAD.format('de')}Es sind **1,5** ms, `1,5 ms`, [1,25](a/1,5.md) und\r\n"
        '![2,5 ms](b/2,5.png).\n\n<!--claim:a cols="1,5:x"-->\n```\n1,5\n```\n'
    )
    read = spelling.read(text)
    assert read.source == text.replace("**1,5**", "**1.5**").replace("[1,25]", "[1.25]").replace(
        "![2,5 ms]", "![2.5 ms]"
    )
    assert [(one.text, one.line) for one in atoms.scan(read.page)] == [
        ("1.5", 5), ("1.25", 5), ("2.5", 6),
    ]  # fmt: skip


# --- as a person calls it -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        ("163,8 tok/s<!--claim:prefill-->", []),
        ("163,77 tok/s<!--claim:prefill-->", []),
        ("164,8 tok/s<!--claim:prefill-->", ["CLM102"]),
        ("163.8 tok/s<!--claim:prefill-->", ["CLM014"]),
        ("163,8 tok/s<!--claim:prefill--> statt 1.234 ms", ["CLM014"]),
        ("163,8 tok/s<!--claim:prefill--> statt 1.234,5 ms", ["CLM101"]),
    ],
)
def test_a_german_page_is_held_against_the_evidence_in_its_own_spelling(publisher, said, codes):
    publisher.publish(publisher.level)
    done = publisher.check(f"{HEAD.format('de')}In 3 runs: {said}, dort.\n", "--json")
    (page,) = json.loads(done.stdout)["pages"]
    assert [one["code"] for one in page["findings"]] == codes


def test_a_sentence_reads_as_it_renders_with_its_comma_and_a_region_as_it_was_written(publisher):
    (sentence,) = publisher.publish(publisher.level)
    page = publisher.root / "page.md"
    german = sentence.replace("163.77", "163,77")
    page.write_text(
        f"{HEAD.format('de')}{german}<!--claim:prefill-->\n\n"
        "<!-- claim:begin prefill -->\n<!-- claim:end prefill -->\n"
    )
    assert publisher.claims("regions", "page.md", "--write").exit_code == 0
    assert sentence in page.read_text()
    assert publisher.claims("check", "page.md").exit_code == 0


def test_a_sentence_of_a_german_page_can_be_struck(publisher):
    (sentence,) = publisher.publish(publisher.level)
    page = publisher.root / "README.md"
    german = sentence.replace("163.77", "163,77")
    page.write_text(f"{HEAD.format('de')}Es war. {german}<!--claim:prefill-->\n")
    assert publisher.ledger("retract", "CELLS", "--reason", "der Lüfter stand").exit_code == 0
    assert publisher.claims("affected", "prefill", "--write").exit_code == 0
    assert "163,77" in page.read_text()
    assert publisher.claims("check").exit_code == 0, publisher.claims("check").output
    page.write_text(page.read_text().replace("163,77", "173,77"))
    assert publisher.claims("check").exit_code == 1


def test_the_listing_shows_what_stands_on_the_page(publisher):
    (publisher.root / "a.md").write_text(f"{HEAD.format('de')}Es sind 1.234,5 ms und 2 ms.\n")
    told = json.loads(publisher.claims("numbers", "a.md", "--json").stdout)["numbers"]
    assert [one["text"] for one in told] == ["1.234,5", "2"]
