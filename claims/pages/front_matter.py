"""Front matter: the YAML block that opens a page, and those of its values that people read."""

from collections.abc import Collection, Iterator

from receipts import late as re

READ = frozenset(
    ("title", "subtitle", "description", "summary", "excerpt", "abstract", "tagline", "headline")
)
"""Keys whose values a site shows or hands to crawlers."""

# The parser's own option takes any `---` pair in mid-page for metadata and hides what is between;
# so front matter is only what opens the page and whose first line is a key or a comment.
_FRONT_MATTER = re.compile(
    r"\ufeff?---[ \t]*(?:\r\n?|\n)(?=#|[\w-]+[ \t]*:)"
    r".*?(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)",
    re.DOTALL,
)
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
_KEY = re.compile(
    r"(?P<indent>[ \t]*)(?:- )?[\"']?(?P<key>[\w-]{1,64})[\"']?[ \t]*:(?=\s|\Z)[ \t]*"
)
_BLOCK = re.compile(r"[|>][-+0-9]{0,2}[ \t]*(?:#.*)?\Z")


def end(source: str) -> int:
    """Return where the body starts: behind front matter, or behind a byte order mark."""
    match = _FRONT_MATTER.match(source)
    if match:
        return match.end()
    return 1 if source.startswith("\ufeff") else 0


def values(source: str, stop: int, keys: Collection[str] = READ) -> Iterator[list[tuple[int, int]]]:
    """Yield, for each value to be read in `source[:stop]`, the spans of its lines' text."""
    lines = [m.span() for m in _LINE.finditer(source, 0, stop) if m.end() > m.start()]
    at = 0
    while at < len(lines):
        start, line_end = lines[at]
        at += 1
        key = _KEY.match(source, start, line_end)
        if not key or key["key"].lower() not in keys:
            continue
        spans = [_trimmed(source, key.end(), line_end)]
        if _BLOCK.match(source[slice(*spans[0])]):
            spans = []
        while at < len(lines) and _continues(source, lines[at], len(key["indent"])):
            spans.append(_trimmed(source, *lines[at]))
            at += 1
        yield [span for span in spans if span[0] < span[1]]


def _continues(source: str, line: tuple[int, int], indent: int) -> bool:
    text = source[slice(*line)]
    return not text.strip() or len(text) - len(text.lstrip(" \t")) > indent


def _trimmed(source: str, start: int, end: int) -> tuple[int, int]:
    text = source[start:end]
    start += len(text) - len(text.lstrip())
    end -= len(text) - len(text.rstrip())
    if end - start >= 2 and source[start] in "\"'" and source[end - 1] == source[start]:
        return start + 1, end - 1
    return start, max(start, end)
