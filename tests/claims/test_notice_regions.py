"""Tombstones and banners as they are found on a page, and what a change to them does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.notices import banners, notice_regions
from claims.notices.banners import Notice
from claims.pages import document

NOTICE = Notice("tuned", "retracted", 40, "the machine was hot")
INSTEAD = Notice("tuned", "superseded", 40, "a stale build", 41, "J7")
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60).filter(
    lambda text: text.strip() and " ".join(text.split()) == text
)


def one(source):
    """Return the only region of a page, which has no faulty one."""
    found = notice_regions.find(source)
    assert found.faults == ()
    (region,) = found.found
    return region


def test_a_tombstone_gives_back_what_was_put_into_it():
    text = banners.tombstone(NOTICE, "It is 1.25× as fast.")
    region = one(f"- before {text} after\n")
    assert (region.kind, region.claim, region.by, region.replacement) == (
        "tombstone",
        "tuned",
        40,
        None,
    )
    assert region.struck == "It is 1.25× as fast."
    assert region.is_intact([])
    assert region.says(NOTICE)
    assert not region.says(Notice("tuned", "retracted", 41, "the machine was hot"))
    assert region.reach == (region.start, region.end)


def test_a_banner_reaches_over_the_next_outermost_block_and_no_further():
    block = "> - It is 1.25× as fast.<!--claim:tuned-->\n> - More.\n"
    source = f"Before.\n\n{banners.banner(INSTEAD, ['x'])}{block}\nAfter.\n"
    region = one(source)
    assert source[slice(*region.reach)] == block
    assert region.is_intact(["x"])
    assert not region.is_intact(["y"])
    assert not region.is_intact([])
    assert region.says(INSTEAD)
    assert (region.first, region.last) == ((3, 1), (6, 33))


def test_a_banner_reaches_past_the_banner_of_another_claim():
    other = banners.banner(Notice("other", "superseded", 4, "old", 5), [])
    source = f"{banners.banner(INSTEAD, [])}{other}# It is 1.25×\n"
    assert [source[slice(*r.reach)] for r in notice_regions.find(source).found] == [
        "# It is 1.25×\n"
    ] * 2


@given(WORDS, WORDS)
def test_whatever_the_words_are_a_tombstone_is_one_line_that_reads_as_they_do(struck, reason):
    notice = Notice("c", "retracted", 4, reason)
    for frame in ("{}\n", "| a |\n|---|\n| {} |\n", "# {}\n", "> 1. {} More.\n"):
        source = frame.format(banners.tombstone(notice, struck))
        region = one(source)
        assert region.struck == struck
        assert region.says(notice)
        assert region.is_intact([])
        page = document.parse(source)
        words = "".join(piece.rendered for piece in (*page.fragments,))
        assert f"{struck} ({notice.told()})" in words


@given(WORDS, WORDS, st.booleans())
def test_whatever_the_words_are_a_banner_is_a_quote_that_reads_as_they_do(struck, reason, label):
    notice = Notice("c", "superseded", 4, reason, 5, "J7" if label else None)
    region = one(banners.banner(notice, [struck]) + "Text.\n")
    assert region.says(notice)
    assert region.is_intact([struck])
    words = "".join(piece.rendered for piece in document.parse(region.body).fragments)
    assert notice.told() + notice.instead() == words


@given(st.integers(min_value=0), st.characters(exclude_categories=["Cs", "Cc", "Z"]))
def test_no_character_between_the_comments_can_be_changed_unseen(place, other):
    text = banners.tombstone(NOTICE, "It is 1.25× as fast.")
    start = text.index("-->") + 3
    at = start + place % (text.rindex("<!--") - start)
    changed = text[:at] + other + text[at + 1 :]
    if changed == text:
        return
    found = notice_regions.find(f"{changed}\n")
    assert found.faults or not found.found or not found.found[0].is_intact([])


def test_wrapping_the_lines_of_a_region_anew_is_no_change():
    text = banners.tombstone(NOTICE, "It is 1.25× as fast.").replace(" as fast", "\n  as fast")
    assert one(f"{text}\n").is_intact([])
    text = banners.banner(INSTEAD, ["It is  1.25×\nas fast."], "\r\n")
    assert one(f"{text}It is.\r\n").is_intact(["It is 1.25× as fast."])


TOMBSTONE = banners.tombstone(NOTICE, "It is 1.25× as fast.")


@pytest.mark.parametrize(
    ("source", "problem", "place"),
    [
        (TOMBSTONE.replace("<!-- claims-tombstone-end tuned -->", ""), "does not end", (1, 3)),
        (TOMBSTONE.replace("-end tuned", "-end other"), "does not end", (1, 3)),
        (TOMBSTONE.replace(" by=40", " by=J4"), "is no proper tombstone", (1, 3)),
        (TOMBSTONE.replace("sha256=", "sha1="), "is no proper tombstone", (1, 3)),
        (TOMBSTONE.replace("tuned by", "tu ned by"), "is no proper tombstone", (1, 3)),
        ("a<!-- claims-tombstone-end tuned -->", "ends a tombstone that does not begin", (1, 2)),
        ("a <!-- claims-banner -->", "is no proper banner", (1, 3)),
        ("a <!-- claims-rejected -->", "does not end", (1, 3)),
    ],
)
def test_half_a_region_is_a_fault_at_its_place(source, problem, place):
    fault = notice_regions.find(f"{source}\n").faults[0]
    assert problem in fault.problem
    assert fault.place == place


@pytest.mark.parametrize(
    "source",
    [
        f"```\n{TOMBSTONE}\n```\n",
        f"    {TOMBSTONE}\n",
        "`<!-- claims-tombstone x -->`\n",
        "Text without any, <!-- claim --> or <!-- claims --> or <!-- claims-ignore -->.\n",
        "",
    ],
)
def test_what_stands_in_code_or_is_another_comment_is_no_region(source):
    assert notice_regions.find(source) == notice_regions.Regions((), ())


def test_many_comments_that_never_end_cost_no_more_than_their_length():
    found = notice_regions.find("a <!-- claims-tombstone \n\n" * 20_000)
    assert found.found == ()
