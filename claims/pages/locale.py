"""The locale of a page, by `locale:` in its front matter: whether its numbers have a comma."""

import re

from claims.pages import front_matter

_KEYS = frozenset(("locale",))
_WITH_COMMA = re.compile(r"de(?:[-_](?:de|at|lu|li))?", re.IGNORECASE)


def has_comma(source: str) -> bool:
    """Say whether the page's front matter tells a locale with a decimal comma."""
    end = front_matter.end(source)
    values = front_matter.values(source, end, _KEYS)
    return any(_WITH_COMMA.fullmatch(source[slice(*spans[0])]) for spans in values if spans)
