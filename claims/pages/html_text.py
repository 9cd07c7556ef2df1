"""Raw HTML as its reader sees it: text, comments, tags and their readable attributes, in order.

Reading is linear whatever the markup: a tag whose quotes never close is text, as is a `<` that
opens nothing. What a browser would hide because markup is broken is thus read, not hidden.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from receipts import late as re

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
# A superscript is not the next digit of what stands before it, nor is a ruby's reading.
SPACING_TAGS = frozenset(("br", "sup", "sub", "img", "wbr", "rt", "rp", "textarea", "input"))

_RAW: dict[str, HtmlKind] = {
    **dict.fromkeys(("script", "style", "template", "pre", "svg"), "hidden"),
    "textarea": "text",
}
_EMPTY = re.compile(r"<!---?>")
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]{0,63})(?=[\s/>]|\Z)")
_QUOTED_TAG = re.compile(r"""<[^<>"']*+(?:(?:"[^"]*+"|'[^']*+')[^<>"']*+)*+>""")
_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s"'<>/=]++)(?:\s{0,8}=\s{0,8}"""
    r"""(?:"(?P<a>[^"]*+)"|'(?P<b>[^']*+)'|(?P<c>[^\s"'>][^\s>]*+)))?"""
)
_READABLE = frozenset(("alt", "title", "content", "aria-label", "aria-description", "placeholder"))


class Html(NamedTuple):
    """One part of raw HTML; `name` is the tag's in lower case, or empty."""

    kind: HtmlKind
    start: int
    end: int
    name: str = ""


def parts(html: str) -> Iterator[Html]:
    """Yield the parts of `html`, which cover it without a gap."""
    reader = _Reader(html)
    position = 0
    while position < len(html):
        start = html.find("<", position)
        if start < 0:
            yield Html("text", position, len(html))
            return
        if start > position:
            yield Html("text", position, start)
        part = reader.part(start)
        yield part
        position = part.end
        if part.kind == "open" and part.name in _RAW and html[part.end - 2] != "/":
            end = reader.raw(part.name, position)
            if end > position:
                # A browser shows what stands in a <textarea> as it is, tags and comments too.
                yield Html(_RAW[part.name], position, end, part.name)
                position = end


class _Reader:
    """Reads one part after the other; what was once sought in vain is not sought again."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._quotes_close = True
        self._tags_close = True
        self._endless: set[str] = set()

    def part(self, start: int) -> Html:
        html = self._html
        if html.startswith("<!--", start):
            # HTML closes <!--> and <!---> at once.
            empty = _EMPTY.match(html, start)
            end = empty.end() if empty else html.find("-->", start + 4) + 3
            return Html("comment", start, end if end > 2 else len(html))
        if html.startswith("<![CDATA[", start):
            end = html.find("]]>", start)
            return Html("text", start, len(html) if end < 0 else end + 3)
        name = _NAME.match(html, start)
        end = 0
        if name or html.startswith(("<!", "<?"), start):
            end = self._tag_end(start)
        if not end:
            return Html("text", start, start + 1)
        kind: HtmlKind = "close" if html.startswith("</", start) else "open"
        return Html(kind, start, end, name[1].lower() if name else "")

    def _tag_end(self, start: int) -> int:
        """Return where the tag that starts here ends, 0 if it does not."""
        html = self._html
        if self._quotes_close:
            tag = _QUOTED_TAG.match(html, start)
            if tag:
                return tag.end()
            self._quotes_close = False
        if not self._tags_close:
            return 0
        end = html.find(">", start) + 1
        self._tags_close = end > 0
        return end if end and html.find("<", start + 1, end) < 0 else 0

    def raw(self, name: str, start: int) -> int:
        """Return where text without tags ends, or hidden text, which is shown without an end."""
        if name in self._endless:
            return start
        match = re.compile(rf"</{name}\s{{0,8}}>", re.IGNORECASE).search(self._html, start)
        if match is None:
            self._endless.add(name)
            return start
        return match.start()


def readable(tag: str) -> list[tuple[str, int, int]]:
    """Return name, start and end of each attribute's value that people or crawlers read."""
    found = []
    for match in _ATTRIBUTE.finditer(tag, 1):
        name = match["name"].lower()
        group = next((group for group in "abc" if match[group]), None)
        if group and name in _READABLE and (name != "content" or tag[:5].lower() == "<meta"):
            found.append((name, *match.span(group)))
    return found
