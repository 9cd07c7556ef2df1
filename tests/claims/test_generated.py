"""Generated regions written anew: only what stands between their comments, and only once."""

import json

import pytest

from claims.markers import binding
from claims.pages import document, regions
from claims.publishing import generated
from claims.scanner import atoms

SENTENCES = {"C16": "It runs at 1.05× the plain loop.", "C17": "- *Prefill* | gives 35.2 tok/s."}
FRESH = "<!-- claim:begin C16 -->\n<!-- claim:end C16 -->\n"


def read(source):
    """Return what the page binds in regions, and the codes of what is wrong with it."""
    page = document.parse(source)
    found = binding.bind(page, atoms.scan(page))
    return {one.claim: one.text for one in found.bound}, [one.code for one in found.problems]


@pytest.mark.parametrize(
    "page",
    [
        FRESH,
        "Before.\n\n" + FRESH + "\nAfter.\n",
        FRESH.replace("\n", "\r\n"),
        FRESH.replace("\n", "\r"),
        "> " + FRESH.replace("\n", "\n> ", 1),
        "- item\n\n  " + FRESH.replace("\n", "\n  ", 1),
        "{/* claim:begin C16 */}\n{/* claim:end C16 */}\n",
        FRESH.replace("\n", "\n\nOld words of 12 ms.\n\n", 1),
        regions.write("C16", "It runs at 1.04× the plain loop."),
        regions.write("C16", SENTENCES["C16"]).replace("1.05", "1.06"),
        regions.write("C17", SENTENCES["C16"]),
        "\ufeff" + FRESH,
    ],
)
def test_a_region_reads_as_its_claim_once_it_is_written_and_writing_twice_is_writing_once(page):
    done = generated.renew(page, SENTENCES)
    (region,) = done.regions
    assert region.stale
    assert read(done.source) == ({region.claim: " ".join(SENTENCES[region.claim].split())}, [])
    again = generated.renew(done.source, SENTENCES)
    assert again.source == done.source
    assert not again.regions[0].stale


@pytest.mark.parametrize(
    "page",
    [
        FRESH,
        FRESH.replace(" -->", " sha256=0 -->", 1),
        FRESH.replace("begin C16", "begin C16 C17"),
        FRESH.replace("begin C16", "begin"),
        FRESH.replace("end C16", "end C17"),
        FRESH.replace("<!-- claim:end C16 -->\n", ""),
    ],
)
def test_a_region_that_was_never_written_or_does_not_pair_is_told_as_a_region(page):
    """MRK-15."""
    assert set(read(page)[1]) == {"CLM040"}


def test_the_check_of_a_region_that_was_just_typed_says_how_it_is_written():
    page = document.parse(FRESH)
    (problem,) = binding.bind(page, atoms.scan(page)).problems
    assert "run `claims regions --write`" in problem.message


def test_what_stands_around_a_region_keeps_its_bytes():
    before, after = "A  page\t\r\nof 3\n\n", "\n\r\n* after *   \n"
    done = generated.renew(before + FRESH + after, SENTENCES)
    assert done.source.startswith(before + "<!-- claim:begin C16 sha256=")
    assert done.source.endswith("<!-- claim:end C16 -->\n" + after)


@pytest.mark.parametrize(
    "change", [lambda s: s, lambda s: s.replace("\n", "\r\n"), lambda s: "x\n\n" + s]
)
def test_a_region_that_is_right_keeps_its_bytes_under_any_line_ending(change):
    page = change(regions.write("C16", SENTENCES["C16"]))
    done = generated.renew(page, SENTENCES)
    assert (done.source, [one.stale for one in done.regions]) == (page, [False])


def test_only_what_was_written_and_then_changed_is_edited():
    edited = regions.write("C16", SENTENCES["C16"]).replace("runs", "flies")
    old = regions.write("C16", "It ran at 1.01×.")
    found = [generated.find(page).regions[0].edited for page in (FRESH, old, edited)]
    assert found == [False, False, True]


@pytest.mark.parametrize(
    "page",
    [
        FRESH.partition("<!-- claim:end")[0],
        "<!-- claim:end C16 -->\n",
        FRESH.replace("end C16", "end C17"),
        FRESH + "\n" + FRESH,
        FRESH.replace("\n", "\n" + FRESH.replace("C16", "C17"), 1),
        "Words <!-- claim:begin C16 -->\n<!-- claim:end C16 -->\n",
    ],
)
def test_regions_that_do_not_pair_or_share_their_line_are_named_and_left(page):
    done = generated.renew(page, SENTENCES)
    assert done.source == page
    assert done.problems
    assert {one.code for one in done.problems} == {"CLM040"}


def test_comments_in_code_are_no_regions():
    page = f"```markdown\n{FRESH}```\n\n`<!-- claim:begin C16 -->`\n"
    done = generated.renew(page, SENTENCES)
    assert (done.source, done.regions, done.problems) == (page, (), ())


# --- as a person calls it -------------------------------------------------------------------------


def called(publisher, *words):
    done = publisher.claims("regions", *words)
    return done.exit_code, done.stdout


@pytest.fixture
def page(publisher):
    """A page with two regions that were never written, of claims that hold."""
    publisher.publish(publisher.level, publisher.change)
    fresh = FRESH.replace("C16", "prefill") + "\n" + FRESH.replace("C16", "tuned")
    path = publisher.root / "page.md"
    path.write_text(f"# Page\n\n{fresh}")
    path.chmod(0o600)
    return path


def test_nothing_is_written_until_it_is_asked_for_and_then_the_page_passes_its_check(
    publisher, page
):
    """MRK-15."""
    before = page.read_bytes()
    code, shown = called(publisher, "page.md")
    assert (code, page.read_bytes()) == (0, before)
    assert "\n+The tuned decoder runs at 1.25× the plain one (n = 5).\n" in shown
    code, shown = called(publisher, "page.md", "--check")
    assert (code, page.read_bytes()) == (1, before)
    assert "page.md:3:1: prefill: not as its claim renders now\n" in shown

    assert called(publisher, "page.md", "--write")[0] == 0
    assert page.stat().st_mode & 0o777 == 0o600
    written = page.read_bytes()
    assert publisher.claims("check", "page.md").exit_code == 0
    assert called(publisher, "page.md", "--check") == (0, "2 regions on 1 pages: 0 stale\n")
    assert called(publisher, "page.md", "--write") == (0, "2 regions on 1 pages: 0 stale\n")
    assert page.read_bytes() == written


def test_an_edit_by_hand_is_named_and_written_over(publisher, page):
    assert called(publisher, "page.md", "--write")[0] == 0
    whole = page.read_text()
    page.write_text(whole.replace("163.77", "173.77"))
    code, shown = called(publisher, "page.md", "--check")
    assert code == 1
    assert "page.md:3:1: prefill: edited by hand\n" in shown
    assert called(publisher, "page.md", "--write")[0] == 0
    assert page.read_text() == whole


def test_where_one_claim_does_not_hold_no_page_is_written(publisher, page):
    good = publisher.root / "good.md"
    good.write_text(FRESH.replace("C16", "prefill"))
    assert publisher.claims("withdraw", "tuned", "--reason", "the fan had stopped").exit_code == 0
    before = page.read_bytes(), good.read_bytes()
    code, shown = called(publisher, "good.md", "page.md", "--write")
    assert code == 1
    assert "page.md:6:1: CLM401 " in shown
    assert (page.read_bytes(), good.read_bytes()) == before


@pytest.mark.parametrize(
    ("page", "words", "code"),
    [
        (FRESH, (), 1),
        ("No region is here.\n", (), 3),
        (FRESH, ("--write", "--check"), 2),
    ],
)
def test_an_unknown_claim_is_refused_and_a_page_without_regions_is_undecided(
    publisher, page, words, code
):
    publisher.publish(publisher.level)
    (publisher.root / "other.md").write_text(page)
    assert called(publisher, "other.md", *words)[0] == code
    assert (publisher.root / "other.md").read_text() == page


def test_without_pages_it_is_about_the_documents_and_json_names_each_region(publisher, page):
    (publisher.root / "README.md").write_text(FRESH.replace("C16", "prefill"))
    code, shown = called(publisher, "README.md", "page.md", "--json")
    told = json.loads(shown)
    assert code == 0
    assert [(p["file"], len(p["regions"])) for p in told["pages"]] == [
        ("README.md", 1),
        ("page.md", 2),
    ]
    assert told["pages"][1]["regions"][0] == {
        "claim": "prefill", "line": 3, "column": 1, "stale": True, "edited": False,
    }  # fmt: skip
    assert told["written"] == []
