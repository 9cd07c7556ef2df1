"""Every fragment stands in the source where it says, whatever the page is made of."""

import html
import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.markers.binding import bind
from claims.pages.document import Document, parse
from claims.scanner.atoms import scan

CORPUS = Path(
    os.environ.get(
        "EVIDENCE_CORPUS", Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
    )
)
LINE_END = re.compile(r"\r\n?|\n")


def check_places(document: Document) -> None:
    source = document.source
    lines = LINE_END.split(source)
    for fragment in (*document.fragments, *document.code, *document.asides):
        assert fragment.text
        assert source[fragment.start : fragment.start + len(fragment.text)] == fragment.text
        first_line = LINE_END.split(fragment.text)[0]
        assert lines[fragment.line - 1][fragment.column - 1 :].startswith(first_line)
    for marker in document.markers:
        assert lines[marker.line - 1][marker.column - 1 :].startswith("<!--")
        assert source[marker.start : marker.end].endswith("-->")
    for bad in document.bad_markers:
        assert lines[bad.line - 1][bad.column - 1 :].startswith("<!--")


def check_numbers(document: Document) -> None:
    lines = LINE_END.split(document.source)
    found = scan(document)
    bindings = bind(document, found)
    governed = [atom for bound in bindings.bound for atom in bound.atoms]
    due = {atom.begin for atom in found if atom.rule is None}
    assert {atom.begin for atom in (*bindings.left, *governed)} == due
    for atom in found:
        # A number may be broken by markup, but it starts with a character of its own or, rarely,
        # with an entity.
        here = lines[atom.line - 1][atom.column - 1]
        assert here in {atom.text[0], "&"}


# Words that must be read start with w, those that must not with z.
WORD = st.integers(0, 999).map("w{}".format)
HIDDEN = st.integers(0, 999).map("z{}".format)
ODD = (
    "35.2 tok/s|1.05×|\\*|\\_|&amp;|&nbsp;|&#x1F680;|速度更快。|🚀|e\u0301|\t|1,234 ms.|−3 %|"
    "a\u2028b|\x0b|5 & 6|x < y|~~w5~~|[w6]|w7[^1]"
)
PLAIN = WORD | st.sampled_from(ODD.split("|"))
INLINE = st.one_of(
    PLAIN,
    WORD.map("**{}**".format),
    WORD.map("*{}* ~~x~~".format),
    HIDDEN.map("`{}`".format),
    HIDDEN.map("<!--claim:{}-->".format),
    HIDDEN.map("<span class={}>".format),
    st.tuples(WORD, HIDDEN).map("[{0[0]} 3](https://e.example/{0[1]})".format),
    st.tuples(WORD, HIDDEN).map("![{0[0]}]({0[1]}.png '{0[0]}')".format),
)
LINE = st.tuples(WORD, st.lists(INLINE, max_size=6)).map(lambda t: " ".join([t[0], *t[1]]))
PARAGRAPH = st.lists(LINE, min_size=1, max_size=3).flatmap(
    lambda lines: st.sampled_from(["\n", "  \n", "\\\n", "\n\t"]).map(lambda end: end.join(lines))
)
CELL = LINE.map(lambda line: line.replace("\n", " ") + r" \| w1\|w2")
ROW = st.tuples(CELL, CELL).map("| {0[0]} | {0[1]} |".format)
TABLE = st.tuples(ROW, st.lists(ROW, max_size=3)).map(
    lambda t: "\n".join([t[0], "|:--|--:|", *t[1]])
)
LEAF = st.one_of(
    PARAGRAPH,
    st.tuples(st.integers(1, 6), LINE).map(lambda t: "#" * t[0] + " " + t[1]),
    TABLE,
    HIDDEN.map("```text\n{} 35 tok/s\n```".format),
    st.tuples(WORD, HIDDEN).map("<div id='{0[1]}'>\n{0[0]} 35 tok/s\n</div>".format),
    HIDDEN.map("<!--claim:{}-->".format),
    WORD.map("<!-- x --> {}".format),
    LINE.map("{}\n===".format),
    LINE.map(">{}\n>w1".format),
)


def indented(text: str, first: str, rest: str) -> str:
    return first + f"\n{rest}".join(text.split("\n"))


BLOCKS = st.recursive(
    LEAF,
    lambda inner: st.one_of(
        inner.map(lambda text: indented(text, "> ", "> ")),
        inner.map(lambda text: indented(text, "- ", "  ")),
        inner.map(lambda text: indented(text, "10. ", "    ")),
        st.lists(inner, min_size=2, max_size=3).map("\n\n".join),
    ),
    max_leaves=8,
)
PAGE = st.tuples(
    st.sampled_from(["", "\ufeff"]),
    st.sampled_from(["", "---\ntitle: w1 é\nlayout: z1\n---\n"]),
    st.lists(BLOCKS, max_size=4).map("\n\n".join),
    st.sampled_from(["\n", "\r\n", "\r"]),
).map(lambda t: t[0] + (t[1] + t[2]).replace("\n", t[3]))


@given(PAGE)
def test_every_fragment_of_a_composed_page_is_where_it_says(source: str):
    document = parse(source)
    check_places(document)
    check_numbers(document)


@given(PAGE)
def test_what_a_reader_sees_is_read_and_what_is_hidden_is_not(source: str):
    page = parse(source)
    read = "\0".join(fragment.text for fragment in (*page.fragments, *page.asides))
    assert sorted(re.findall(r"w\d+", read)) == sorted(re.findall(r"w\d+", source))
    assert not re.search(r"z\d", read)


@given(PAGE)
def test_rendered_text_differs_from_its_source_only_by_entities_and_breaks(source: str):
    for fragment in parse(source).fragments:
        if fragment.text != fragment.rendered:
            assert fragment.rendered in {html.unescape(fragment.text), " "}


@given(st.text(st.sampled_from("a1 \n\r\t>*_`[]()!<-#|&;:\\~=\ufeff\0é🚀速"), max_size=60))
def test_every_fragment_of_arbitrary_punctuation_is_where_it_says(source: str):
    document = parse(source)
    check_places(document)
    check_numbers(document)


def test_every_fragment_of_the_genuine_pages_is_where_it_says():
    pages = sorted((CORPUS / "docs").glob("*.md"))
    if not pages:
        pytest.skip(f"no pages under {CORPUS}: the genuine pages were not checked")
    read = 0
    for page in pages:
        document = parse(page.read_bytes().decode("utf-8"))
        check_places(document)
        check_numbers(document)
        read += len(document.fragments)
    assert read > 1000


HOSTILE = {
    "quotes": ">" * 10_000 + " 35 tok/s",
    "brackets": "[" * 10_000 + "1" + "]" * 10_000,
    "links": "[" * 10_000 + "1" + "](u)" * 10_000,
    "images": "![" * 10_000 + "1" + "](u)" * 10_000,
    "lists": "- " * 10_000 + "35 tok/s",
    "emphasis": "*a " * 10_000,
    "one line of numbers": "x 35 tok/s. " * 90_000,
    "one sentence": "x 35 tok/s " * 90_000,
    "one line of markers": "3 ms<!--claim:a-->" * 50_000,
    "unclosed comments": "<!--claim:" * 50_000,
    "entities": "&amp;" * 100_000,
    "full stops": "." * 1_000_000 + "x",
    "digits": "9" * 1_000_000 + " tok/s",
    "thousands": "1," + "111," * 250_000 + "1111",
    "points": "1." * 400_000,
    "hyphens": "a-" * 400_000 + "1",
    "hexadecimals": "1a" * 400_000,
    "spaces": "1" + " " * 1_000_000 + "tok/s",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_is_read_in_bounded_time(name: str):
    begin = time.process_time()
    document = parse(HOSTILE[name])
    bind(document, scan(document))
    assert time.process_time() - begin < 10
    assert len(document.fragments) <= 100_000
