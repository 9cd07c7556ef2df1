"""Pages of tombstones and banners: they pass as they were written, and in no other way."""

import json
import re
from pathlib import Path

import pytest

from claims.notices import banners, notice_regions
from claims.notices.banners import Notice

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
CHANGE = "The tuned decoder runs at 1.25× the plain one (n = 5)."
PAGE = (
    f"# Results\n\n{LEVEL}<!--claim:prefill--> And on.\n\n"
    f"| a |\n|---|\n| 1.25×<!--claim:tuned--> |\n\n- {CHANGE}<!--claim:tuned-->\n"
)
FORMATS = Path(__file__).resolve().parents[2] / "docs" / "reference" / "formats"


def told(result):
    assert result.exit_code == 0, result.output
    return result


def check(publisher, text):
    """Return exit code, (code, place) of each finding, and how many numbers are under a notice."""
    result = publisher.check(text, "--json")
    (page,) = json.loads(result.stdout)["pages"]
    places = [(one["code"], one["place"].partition(":")[2]) for one in page["findings"]]
    return result.exit_code, places, page["noticed"]


@pytest.fixture
def struck(publisher):
    """A workspace whose page has a tombstone of `prefill` and banners of `tuned`."""
    p = publisher
    p.publish(p.level, p.change)
    p.experiment("BETTER", "receipt://exact")
    configuration = p.root / "evidence.yaml"
    configuration.write_text(configuration.read_text().replace("README.md", "page.md"))
    assert check(p, PAGE)[0] == 0
    told(p.ledger("retract", "CELLS", "--reason", "the machine ran at 800 MB/s"))
    told(p.ledger("supersede", "EXACT", "--reason", "a stale build", "--replacement", "BETTER"))
    told(p.claims("affected", "prefill", "--write"))
    told(p.claims("affected", "tuned", "--write"))
    return p


def text(publisher):
    return (publisher.root / "page.md").read_text()


def test_a_page_of_tombstones_and_banners_passes_and_counts_what_is_under_them(struck):
    """BAN-1, BAN-2 and BAN-10."""
    page = text(struck)
    assert page.count("claims-tombstone ") == 1
    assert page.count("claims-banner ") == 2
    code, found, noticed = check(struck, page)
    assert (code, found) == (0, [])
    # At least 163.77 tok/s and the 800 MB/s of its reason, and 1.25× twice.
    assert noticed >= 4
    assert f"{noticed} noticed" in struck.check(page).stdout.splitlines()[0]


def test_the_same_values_without_their_notices_fail(struck):
    """BAN-10."""
    bare = re.sub(r"<!-- claims-.*?-->", "", text(struck))
    code, found, noticed = check(struck, bare)
    assert (code, noticed) == (1, 0)
    codes = [one for one, _ in found]
    assert set(codes) == {"CLM101", "CLM501"}
    assert codes.count("CLM501") == 2
    assert [one for one, _ in check(struck, PAGE)[1]] == ["CLM502", "CLM501", "CLM501"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("163.77", "173.77", "CLM604"),
        ("163.77", "163.8", "CLM604"),
        ("800 MB/s", "900 MB/s", "CLM604"),
        ("Retracted", "Confirmed", "CLM604"),
        ("a stale build", "a good build", "CLM604"),
        ("(BETTER)", "(BEST)", "CLM604"),
        ("| 1.25×<", "| 1.26×<", "CLM604"),
        ("runs at 1.25×", "always runs at 1.25×", "CLM604"),
        ("claims-tombstone-end prefill", "claims-tombstone-end tuned", "CLM604"),
        ("claims-banner-end", "claims-baner-end", "CLM604"),
        ("replaced-by", "replaced by", "CLM604"),
    ],
)
def test_a_change_by_hand_is_found(struck, old, new, code):
    """BAN-3, BAN-4 and BAN-7."""
    page = text(struck)
    assert old in page
    exit_code, found, _ = check(struck, page.replace(old, new, 1))
    assert exit_code == 1
    assert code in [one for one, _ in found]


def test_one_changed_notice_is_one_finding_where_it_begins(struck):
    page = text(struck)
    line, column = next(
        (number, row.index("<!-- claims-tombstone") + 1)
        for number, row in enumerate(page.splitlines(), 1)
        if "claims-tombstone" in row
    )
    assert check(struck, page.replace("163.77", "173.77"))[1] == [("CLM604", f"{line}:{column}")]


def test_words_beside_the_notices_are_everybodys_to_change(struck):
    page = text(struck).replace("# Results", "# All results").replace("And on.", "And so on.")
    page = page.replace("| a |", "| b |")
    assert check(struck, page)[:2] == (0, [])


def test_a_banner_speaks_of_the_next_block_and_of_its_own_claim_only(struck):
    """BAN-2."""
    more = text(struck) + f"\n{CHANGE}<!--claim:tuned-->\n"
    assert [code for code, _ in check(struck, more)[1]] == ["CLM501"]
    moved = text(struck).replace("| 1.25×<", f"| {LEVEL}<!--claim:prefill--> 1.25×<")
    assert "CLM502" in [code for code, _ in check(struck, moved)[1]]


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        (LEVEL, True),
        (LEVEL.removesuffix("."), True),
        ("163.77 tok/s", True),
        ("163.8 tok/s", True),
        ("163.7717 tok/s", True),
        ("On our machine it was 164 tok/s", True),
        ("fast", True),
        ("163.7 tok/s", False),
        ("163.77 ms", False),
        ("163.7718 tok/s", False),
        ("12000 tok/s", False),
        ("163.77 tok/s, or 12000 tok/s", False),
    ],
)
def test_a_tombstone_holds_what_the_claim_said_once_and_no_other_number(struck, words, holds):
    """BAN-8."""
    (found,) = [r for r in notice_regions.find(text(struck)).found if r.kind == "tombstone"]
    notice = Notice("prefill", "retracted", found.by, "the machine ran at 800 MB/s")
    codes = [code for code, _ in check(struck, f"{banners.tombstone(notice, words)}\n")[1]]
    assert codes == ([] if holds else ["CLM604"])


def test_numbers_of_a_claim_whose_rows_are_gone_are_held_against_what_was_approved(struck):
    """BAN-8."""
    struck.raw_of(struck.receipt("cells")).unlink()
    assert check(struck, text(struck))[:2] == (0, [])
    (found,) = [r for r in notice_regions.find(text(struck)).found if r.kind == "tombstone"]
    notice = Notice("prefill", "retracted", found.by, "the machine ran at 800 MB/s")
    for words, codes in (("163.8 tok/s", []), ("163.9 tok/s", ["CLM604"])):
        found_codes = [c for c, _ in check(struck, f"{banners.tombstone(notice, words)}\n")[1]]
        assert found_codes == codes


def test_a_notice_about_a_claim_that_is_not_registered_is_refused(struck):
    page = text(struck)
    struck.write(struck.change)
    assert ("CLM010", check(struck, page)[1][0][1]) == check(struck, page)[1][0]


def test_on_a_ledger_that_does_not_verify_no_notice_excuses_anything(struck):
    page = text(struck)
    struck.flip_row(30, -20)
    assert "CLM101" in [code for code, _ in check(struck, page)[1]]


def test_the_examples_of_the_page_are_what_is_written():
    page = (FORMATS / "banners.md").read_text(encoding="utf-8")
    gone = Notice("tuned", "retracted", 40, "the machine was hot")
    old = Notice("tuned", "superseded", 40, "a stale build", 41, "J7")
    assert banners.tombstone(gone, "It is 1.25× as fast.") in page
    assert banners.banner(old, ["It is 1.25× as fast."]) in page


# --- claims that the register itself withdraws ----------------------------------------------------

ROW = {
    "id": "old",
    "sentence": "It decodes at 3.2× the plain loop.",
    "reason": "the clock was not locked",
    "replaced_by": "tuned",
}


@pytest.fixture
def rows(publisher):
    """A register that withdrew a claim, whose number it bars as well."""
    bar = {"value": "3.2", "unit": "×", "reason": "retired-baseline", "note": "its anchor missed"}
    publisher.beside = {"withdrawn": [ROW], "barred": [bar]}
    publisher.publish(publisher.level, publisher.change)
    return publisher


def test_render_writes_the_tombstone_of_a_row_and_its_page_passes_its_own_check(rows):
    """BAN-1 and BAN-5."""
    shown = rows.claims("render", "--format", "markdown").stdout
    assert "(Withdrawn: the clock was not locked. In its place: claim tuned.)" in shown
    code, found, noticed = check(rows, shown)
    assert (code, found, noticed) == (0, [], 1)
    value = json.loads(rows.claims("render", "--json").stdout)[-1]
    assert value == {
        "claim": "old", "holds": False, "sentence": ROW["sentence"], "reason": ROW["reason"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("marked", "left"),
    [
        (f"Then. {ROW['sentence']}<!--claim:old--> So.\n", "Then. ~~<!-- claims-tombstone old sha"),
        ("It ran at 3.2×<!--claim:old--> once.\n", "It ran at ~~<!-- claims-tombstone old sha"),
    ],
)
def test_affected_strikes_what_a_row_withdrew_and_writing_twice_is_writing_once(rows, marked, left):
    (rows.root / "README.md").write_text(marked)
    found = json.loads(told(rows.claims("affected", "old", "--json")).stdout)["sentences"]
    assert [one["strike"] for one in found] == [{"word": "withdrawn", "reason": ROW["reason"]}]
    assert "withdrawn by the register: the clock" in rows.claims("affected", "old").stdout
    told(rows.claims("affected", "old", "--write"))
    once = (rows.root / "README.md").read_text()
    assert once.startswith(left)
    told(rows.claims("affected", "old", "--write"))
    assert (rows.root / "README.md").read_text() == once
    assert check(rows, once)[:2] == (0, [])


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("3.2", "3.3", "CLM604"),
        ("decodes", "flies", "CLM604"),
        ("was not locked", "was fine", "CLM604"),
        ("claim tuned", "claim prefill", "CLM604"),
        (" sha256=", " by=3 sha256=", "CLM606"),
        ("claims-tombstone old", "claims-tombstone prefill", "CLM604"),
    ],
)
def test_a_tombstone_of_a_row_that_was_changed_is_refused(rows, old, new, code):
    """BAN-4, BAN-5 and BAN-7."""
    page = banners.tombstone(
        Notice("old", "withdrawn", None, ROW["reason"], label="tuned"), ROW["sentence"]
    )
    changed = page.replace(old, new)
    assert check(rows, f"It was: {page}\n")[:2] == (0, [])
    assert [one[0] for one in check(rows, f"It was: {changed}\n")[1]][:1] == [code]


@pytest.mark.parametrize("sentence", ["It decodes at 9.9× the plain loop.", "It took 12 ms."])
def test_a_tombstone_of_a_row_holds_no_number_that_the_row_never_had(rows, sentence):
    """BAN-8."""
    notice = Notice("old", "withdrawn", None, ROW["reason"], label="tuned")
    assert check(rows, f"It was: {banners.tombstone(notice, sentence)}\n")[1] == [
        ("CLM604", "1:11")
    ]


def test_a_claim_that_no_row_withdraws_has_no_such_tombstone(rows):
    """BAN-5."""
    page = banners.tombstone(Notice("prefill", "withdrawn", None, "the fan had stopped"), LEVEL)
    assert check(rows, f"It was: {page}\n")[1] == [("CLM606", "1:11")]


def test_the_barred_number_of_a_row_is_barred_beside_its_tombstone(rows):
    page = rows.claims("render", "--format", "markdown").stdout
    code, found, _ = check(rows, f"{page}\n\nIt once ran at 3.2×.\n")
    assert (code, [one[0] for one in found]) == (1, ["CLM505"])


def test_a_banner_that_names_nothing_in_its_place_is_no_banner(publisher):
    """BAN-6."""
    publisher.publish(publisher.level)
    told(publisher.ledger("retract", "CELLS", "--reason", "the fan had stopped"))
    by = json.loads(told(publisher.ledger("list", "--json")).stdout)[-1]["index"]
    notice = Notice("prefill", "retracted", by, "the fan had stopped")
    page = f"{banners.banner(notice, [LEVEL])}{LEVEL}<!--claim:prefill-->\n"
    assert check(publisher, page)[1] == [("CLM605", "1:1")]
    # The twin: what the tool writes.
    assert check(publisher, banners.tombstone(notice, LEVEL))[:2] == (0, [])
