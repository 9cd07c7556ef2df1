"""The parser that scans against the parser that renders: which text is prose, cell, code or HTML.

Both read CommonMark with tables. Where they differ on the genuine pages, the reason is listed here,
and a difference without a reason fails.
"""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from claims.pages import document, front_matter
from tests.claims.test_exclusions import CORPUS
from tests.properties.test_document_positions import PAGE

WORD = re.compile(r"\w+")
INLINE = frozenset(("Emphasis", "Strong", "Strikethrough", "Link"))
KINDS = {"TableCell": "cell", "CodeBlock": "code", "HtmlBlock": "html"}
Words = Counter[tuple[str, str]]


def by_the_renderer(source: str) -> Words:
    words: Words = Counter()
    cell = False
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(source):
        if token.type in {"td_open", "th_open"}:
            cell = True
        elif token.type in {"td_close", "th_close"}:
            cell = False
        elif token.type in {"fence", "code_block"}:
            words.update(("code", word) for word in WORD.findall(token.content))
        elif token.type == "html_block":
            words.update(("html", word) for word in WORD.findall(token.content))
        elif token.type == "inline":
            _inline(words, token.children or [], "cell" if cell else "prose")
    return words


def _inline(words: Words, children: list[Token], kind: str) -> None:
    text: list[str] = []
    for child in children:
        if child.type == "text":
            text.append(child.content)
        elif child.type == "image":
            text.append(f" {child.content} ")
        elif child.type == "code_inline":
            words.update(("code", word) for word in WORD.findall(child.content))
        elif child.type == "html_inline":
            words.update(("html", word) for word in WORD.findall(child.content))
        elif child.type in {"softbreak", "hardbreak"}:
            text.append(" ")
    words.update((kind, word) for word in WORD.findall("".join(text)))


def by_the_scanner(source: str) -> Words:
    words: Words = Counter()
    kinds = ["prose"]
    text: list[str] = []
    for kind, name, content in _events(source):
        if kind in {"Text", "Html"}:
            text.append(content)
        elif kind in {"Code", "InlineHtml"}:
            where = "code" if kind == "Code" else "html"
            words.update((where, word) for word in WORD.findall(content))
        elif name == "Image":
            text.append(" ")
        elif kind in {"Start", "End"} and name not in INLINE:
            words.update((kinds[-1], word) for word in WORD.findall("".join(text)))
            text.clear()
            kinds = [*kinds, KINDS.get(name, kinds[-1])] if kind == "Start" else kinds[:-1]
    return words


def _events(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind, name of the tag and content of every event; a break is text."""
    for event, _ in document.MARKDOWN.events_with_range(source):
        ((kind, content),) = event.items() if isinstance(event, dict) else [("Text", " ")]
        yield kind, next(iter(content)) if isinstance(content, dict) else content, content


def differing(source: str) -> Words:
    """Return the words of which one grammar has more than the other, whoever it is."""
    body = front_matter.end(source)
    text = re.sub(r"\r\n?", "\n", source[body:])
    one, two = by_the_renderer(text), by_the_scanner(text)
    return (one - two) + (two - one)


# The scanner reads alerts and task boxes as what they are; the renderer prints their words.
UNDERSTOOD = {("prose", word) for word in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION", "x")}


def test_the_two_grammars_agree_on_every_word_of_the_genuine_pages():
    pages = sorted((CORPUS / "docs").glob("*.md"))
    if not pages:
        pytest.skip(f"no pages under {CORPUS}: the two grammars were not compared")
    for page in pages:
        assert set(differing(page.read_bytes().decode())) <= UNDERSTOOD, page.name


@given(PAGE)
def test_the_two_grammars_agree_on_every_word_of_a_composed_page(source: str):
    plain = source.replace("[^1]", "").replace("\ufeff", "")
    assert not set(differing(plain)) - UNDERSTOOD


def test_a_task_box_and_an_alert_are_the_differences_that_are_understood():
    assert set(differing("- [x] done\n\n> [!NOTE]\n> text\n")) == {
        ("prose", "x"),
        ("prose", "NOTE"),
    }
