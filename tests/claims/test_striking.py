"""How a notice is put onto a page: in the sentence's place, every other word left alone."""

import pytest

from claims.markers import quotes
from claims.notices import notice_regions, striking
from claims.notices.banners import Notice
from claims.pages import document

GONE = Notice("c", "retracted", 7, "hot")
OLD = Notice("c", "superseded", 7, "older", 8)


def words(source):
    page = document.parse(source)
    pieces = sorted((*page.fragments, *page.code), key=lambda one: one.start)
    return " ".join("".join(piece.rendered for piece in pieces).split())


def struck(source):
    """Return the sentence in the only tombstone that takes a claim's place on the page."""
    done = striking.strike(source, GONE)
    assert done.left == ()
    changed = done.source
    (region,) = notice_regions.find(changed).found
    assert region.is_intact([])
    assert region.says(GONE)
    assert "<!--claim:c-->" not in changed
    return region.struck


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("It is 5 ms fast.<!--claim:c-->", 1, 1),
        ("One. It is 5 ms fast.<!--claim:c--> More.", 1, 6),
        ("One.  It is\n5 ms\nfast.<!--claim:c-->", 1, 7),
        ("# It is 5 ms fast<!--claim:c-->", 1, 3),
        ("> - **It** is 5 ms fast.<!--claim:c-->", 1, 7),
        ("a\r\n\r\n| x | 5 ms<!--claim:c--> |\r\n|---|---|\r\n", 3, 7),
        ("| x |\n|---|\n| 5 ms<!--claim:c--> |", 3, 3),
        ("\ufeff---\ntitle: x\n---\nIt is 5&nbsp;ms fast.<!--claim:c-->", 4, 1),
        ("&copy; is 5 ms fast.<!--claim:c-->", 1, 1),
        ("快いです。It is 5 ms fast.<!--claim:c-->", 1, 6),
        ("One 5 ms<!--claim:x--> and 6 ms<!--claim:c-->.", 1, 24),
    ],
)
def test_a_quote_begins_with_the_first_character_that_its_marker_governs(source, line, column):
    (quote,) = [one for one in quotes.read(document.parse(source)) if one.claim == "c"]
    assert quote.place == (line, column)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("It is 5 ms fast.<!--claim:c-->\n", "It is 5 ms fast."),
        ("One. It is 5 ms fast.<!--claim:c--> Two.\n", "It is 5 ms fast."),
        ("We say 5 ms<!--claim:c--> here.\n", "5 ms"),
        ("We say **5** ms<!--claim:c--> here.\n", "5 ms"),
        ("We *say **5 ms**<!--claim:c--> here* too.\n", "5 ms"),
        ("**It is 5 ms fast.**<!--claim:c--> Two.\n", "It is 5 ms fast."),
        ("**It is 5 ms fast.<!--claim:c--> Two.**\n", "It is 5 ms fast."),
        ("See [5 ms](x.md)<!--claim:c--> here.\n", "5 ms"),
        ("`fast` is 5 ms now.<!--claim:c-->\n", "fast is 5 ms now."),
        ("| a | b |\n|---|---|\n| x | 5 ms<!--claim:c--> |\n", "5 ms"),
        ("| a | b |\n|---|---|\n| x \\| y is 5 ms<!--claim:c--> | z |\n", "x | y is 5 ms"),
        ("- one\n- It is\n  5 ms fast.<!--claim:c-->\n- two\n", "It is 5 ms fast."),
        ("> It is 5 ms fast.<!--claim:c-->\n> More.\n", "It is 5 ms fast."),
        ("Head 5 ms<!--claim:c-->\n====\n", "5 ms"),
        ("It is 5&nbsp;ms &lt; 6.<!--claim:c-->\r\n", "It is 5 ms < 6."),
        ("快い。5 ms の文です。<!--claim:c--> 次。\n", "5 ms の文です。"),
    ],
)
def test_a_tombstone_takes_the_place_of_sentence_or_number_and_of_nothing_else(source, text):
    assert struck(source) == text
    changed = striking.strike(source, GONE).source
    told = f"{text} (Retracted by entry 7: hot.)"
    assert words(changed).count(told) == 1
    before = words(source.replace("<!--claim:c-->", ""))
    assert "".join(words(changed).replace(f" ({GONE.told()})", "").split()) == "".join(
        before.split()
    )


def test_every_sentence_of_the_claim_is_struck_and_those_of_others_are_not():
    source = "5 ms<!--claim:c--> and 6 ms<!--claim:x-->.\n\n- It is 5 ms fast.<!--claim:c-->\n"
    changed = striking.strike(source, GONE).source
    assert [one.struck for one in notice_regions.find(changed).found] == [
        "5 ms",
        "It is 5 ms fast.",
    ]
    assert [one.claim for one in document.parse(changed).markers] == ["x"]


@pytest.mark.parametrize(
    "source",
    ["It *is 5 ms. So it* is 6 ms fast.<!--claim:c-->\n", "![It is 5 ms](p.png)<!--claim:c-->\n"],
)
def test_a_sentence_that_shares_its_markup_with_its_neighbours_is_left_to_a_person(source):
    more = f"{source}\n- 7 ms<!--claim:c--> so.\n"
    done = striking.strike(more, GONE)
    assert done.source.startswith(source)
    assert [one.struck for one in notice_regions.find(done.source).found] == ["7 ms"]
    ((line, _),) = done.left
    assert line == 1


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "block",
    [
        "It is 5 ms fast.<!--claim:c-->",
        "- a\n- b\n  - It is 5 ms fast.<!--claim:c-->",
        "| a |\n|---|\n| 5 ms<!--claim:c--> |",
        "> one\n>\n> It is 5 ms fast.<!--claim:c-->",
        "## 5 ms<!--claim:c-->",
        "Head 5 ms<!--claim:c-->\n---",
        "[^1]: It is 5 ms fast.<!--claim:c-->",
    ],
)
def test_a_banner_stands_right_above_the_outermost_block(block, newline):
    source = f"# Title\nBefore.\n\n{block}\n\nAfter [^1].\n".replace("\n", newline)
    changed = striking.strike(source, OLD).source
    (region,) = notice_regions.find(changed).found
    assert striking.uncovered(document.parse(changed), "c") == []
    assert changed[region.end :].startswith(newline * 2 + block.replace("\n", newline))
    assert changed[: region.start] + changed[region.end + 2 * len(newline) :] == source
    assert striking.strike(changed, OLD).source == changed
    assert "\n" not in changed.replace(newline, "")


def test_a_banner_gives_way_to_what_is_told_now():
    source = "It is 5 ms fast.<!--claim:c-->\n"
    changed = striking.strike(source, OLD).source
    newer = striking.strike(changed, Notice("c", "superseded", 7, "older", 9)).source
    assert "In its place: entry 9." in newer
    assert newer.count("claims-banner ") == 1
    assert striking.strike(changed, GONE) == striking.strike(source, GONE)


def test_a_page_without_the_claim_is_left_as_it_is():
    source = "It is 5 ms fast.<!--claim:x-->\n"
    assert striking.strike(source, GONE).source == source
    assert striking.strike(source, OLD).source == source


@pytest.mark.parametrize("notice", [GONE, OLD])
@pytest.mark.parametrize(
    "source",
    [
        "# A\n\nBefore. It is 5 ms fast.<!--claim:c--> After.\n",
        "| a |\n|---|\n| 5 ms<!--claim:c--> |\n\n- We say 6 ms<!--claim:c--> here.\n",
        "It is 5 ms fast.<!--claim:c-->\r\n\r\n> 7 ms<!--claim:x--> so.\r\n",
    ],
)
def test_lifting_gives_the_page_back_as_it_was(source, notice):
    assert striking.lift(striking.strike(source, notice).source, "c") == source
    assert striking.lift(source, "c") == source


def test_a_tombstone_that_somebody_changed_is_not_lifted():
    changed = striking.strike("It is 5 ms fast.<!--claim:c-->\n", GONE).source
    harmed = changed.replace("5 ms", "4 ms")
    assert striking.lift(harmed, "c") == harmed
    other = striking.strike("It is 5 ms fast.<!--claim:c-->\n", GONE).source
    assert striking.lift(other, "x") == other
