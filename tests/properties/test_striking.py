"""Notices on any page: nothing but what they name is touched, and they come off again."""

from hypothesis import given
from hypothesis import strategies as st

from claims.markers import quotes
from claims.notices import notice_regions, striking
from claims.notices.banners import Notice
from claims.pages import document

GONE = Notice("c", "retracted", 7, "it was hot")
OLD = Notice("c", "superseded", 7, "an older build", 8)
PLAIN = ["It", "runs", "5 ms", "~5 s", "1.25×", "快い", "a_b"]
WORD = st.sampled_from(
    [*PLAIN, "**fast**", "`pp512`", "&lt;", "*now*", "\\|", "**5** ms", "*on", "off*"]
)
MARK = st.sampled_from(["", "", "<!--claim:c-->", "<!--claim:c-->", "<!--claim:x-->"])


@st.composite
def sentence(draw):
    words = " ".join(draw(st.lists(WORD, min_size=1, max_size=5)))
    stop = draw(st.sampled_from(["", ".", "!", "。"]))
    return f"So {words}{stop}{draw(MARK)}"


TEXT = st.lists(sentence(), min_size=1, max_size=3).map(" ".join)
BLOCK = st.one_of(
    TEXT,
    TEXT.map("# {}".format),
    TEXT.map(lambda text: f"{text}\n==="),
    st.lists(TEXT, min_size=1, max_size=3).map(lambda rows: "\n".join(f"- {row}" for row in rows)),
    TEXT.map(lambda text: f"1. one\n   - {text}\n\n   more"),
    TEXT.map(lambda text: f"> {text}\n>\n> more"),
    st.lists(TEXT, min_size=1, max_size=3).map(
        lambda rows: "\n".join(["| a | b |", "|---|---|", *(f"| {row} | 5 |" for row in rows)])
    ),
    TEXT.map("```\n{}\n```".format),
    TEXT.map("<div>\n{}\n</div>".format),
    st.just("---"),
)


@st.composite
def pages(draw):
    front = draw(st.sampled_from(["", "---\ntitle: x\n---\n"]))
    joint = draw(st.sampled_from(["\n\n", "\n\n\n"]))
    source = front + joint.join(draw(st.lists(BLOCK, min_size=1, max_size=4)))
    return source.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))) + draw(
        st.sampled_from(["", "\n"])
    )


def quoted(source, claim):
    return [one for one in quotes.read(document.parse(source)) if one.claim == claim]


@given(pages())
def test_banners_cover_every_sentence_and_leave_every_byte(source):
    done = striking.strike(source, OLD)
    assert striking.uncovered(document.parse(done.source), "c") == []
    assert striking.lift(done.source, "c") == source
    assert striking.strike(done.source, OLD).source == done.source
    assert len(quoted(done.source, "x")) == len(quoted(source, "x"))


@given(pages())
def test_tombstones_take_every_sentence_but_those_that_are_told(source):
    done = striking.strike(source, GONE)
    assert len(quoted(done.source, "c")) == len(done.left)
    assert len(quoted(done.source, "x")) == len(quoted(source, "x"))
    found = notice_regions.find(done.source)
    assert found.faults == ()
    assert len(found.found) == len(quoted(source, "c")) - len(done.left)
    assert all(one.is_intact([]) and one.says(GONE) for one in found.found)
    assert striking.strike(done.source, GONE).source == done.source
    assert len(quoted(striking.lift(done.source, "c"), "c")) == len(quoted(source, "c"))
