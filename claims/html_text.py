"""Raw HTML as its reader sees it: text, comments, tags and their readable attributes, in order.

Reading is linear whatever the markup: a tag whose quotes never close is text, as is a `<` that
opens nothing. What a browser would hide because markup is broken is thus read, not hidden.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

HtmlKind = Literal["text", "comment", "open", "close", "hidden"]

BLOCK_TAGS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
        "hr",
        "html",
        "body",
        "legend",
        "li",
        "link",
        "main",
        "meta",
        "nav",
        "ol",
        "option",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "title",
        "tr",
        "ul",
    ]
)
"""Tags that part what stands before them from what follows."""
HEADING_TAGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
CELL_TAGS = frozenset(("td", "th"))
CODE_TAGS = frozenset(("code", "kbd", "samp", "tt", "var"))
# A superscript is not the next digit of what stands before it.
SPACING_TAGS = frozenset(("br", "sup", "sub", "img", "wbr"))
READABLE = ("alt", "title", "content")

_HIDDEN = frozenset(("script", "style", "template", "pre", "textarea", "svg"))
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]{0,63})(?=[\s/>]|\Z)")
_QUOTED_TAG = re.compile(r"""<[^<>"']*+(?:(?:"[^"]*+"|'[^']*+')[^<>"']*+)*+>""")
_ATTRIBUTE = re.compile(
    r"""[\s"'/](?P<name>alt|title|content)\s{0,8}=\s{0,8}(?:"(?P<a>[^"]*+)"|'(?P<b>[^']*+)')""",
    re.IGNORECASE,
)


class Html(NamedTuple):
    """One part of raw HTML; `name` is the tag's in lower case, or empty."""

    kind: HtmlKind
    start: int
    end: int
    name: str = ""


def parts(html: str) -> Iterator[Html]:
    """Yield the parts of `html`, which cover it without a gap."""
    position = 0
    quotes_close = True
    while position < len(html):
        start = html.find("<", position)
        if start < 0:
            yield Html("text", position, len(html))
            return
        if start > position:
            yield Html("text", position, start)
        part, quotes_close = _part(html, start, quotes_close=quotes_close)
        yield part
        position = part.end
        if part.kind == "open" and part.name in _HIDDEN and html[part.end - 2] != "/":
            hidden = _hidden(html, part.name, position)
            if hidden > position:
                yield Html("hidden", position, hidden, part.name)
                position = hidden


def _part(html: str, start: int, *, quotes_close: bool) -> tuple[Html, bool]:
    if html.startswith("<!--", start):
        end = html.find("-->", start + 4)
        return Html("comment", start, len(html) if end < 0 else end + 3), quotes_close
    if html.startswith("<![CDATA[", start):
        end = html.find("]]>", start)
        return Html("text", start, len(html) if end < 0 else end + 3), quotes_close
    name = _NAME.match(html, start)
    if not name and not html.startswith(("<!", "<?"), start):
        return Html("text", start, start + 1), quotes_close
    end = -1
    if quotes_close:
        tag = _QUOTED_TAG.match(html, start)
        end = tag.end() if tag else -1
        # A tag that never closes was read to its end; it must not be read again for each `<`.
        quotes_close = tag is not None
    if end < 0:
        end = html.find(">", start) + 1
        stop = html.find("<", start + 1, end or None)
        if not end or stop >= 0:
            return Html("text", start, start + 1), quotes_close
    kind: HtmlKind = "close" if html.startswith("</", start) else "open"
    return Html(kind, start, end, name[1].lower() if name else ""), quotes_close


def _hidden(html: str, name: str, start: int) -> int:
    """Return where the text that a browser does not show ends; without an end it is shown."""
    match = re.compile(rf"</{name}\s{{0,8}}>", re.IGNORECASE).search(html, start)
    return match.start() if match else start


def readable(tag: str) -> list[tuple[str, int, int]]:
    """Return name, start and end of each attribute's value that people or crawlers read."""
    found = []
    for match in _ATTRIBUTE.finditer(tag):
        group = "a" if match["a"] is not None else "b"
        if match["name"].lower() != "content" or tag[:5].lower() == "<meta":
            found.append((match["name"].lower(), *match.span(group)))
    return found
