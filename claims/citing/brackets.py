"""What stands in brackets, read as a citation: its form, what it names, and what is malformed.

Nothing is looked up here. `[docs/method.md §Warm-up]` names a section of a file, whether or not
there is such a file; `[1]` and `[see below]` name nothing of ours.
"""

from dataclasses import dataclass, replace
from typing import Literal

from receipts import late as re

Form = Literal["ledger", "claims", "receipt", "file", "section"]
SCHEME = "receipt://"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words in quotation marks, and where they stand, from the first mark to behind the last."""

    words: str
    line: int
    column: int
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation: its form, what it names, what else it says of that, and where it stands.

    `items` are the parts between commas that are no quotes. `problem` says what is malformed.
    A *tentative* citation counts only where what it names exists: `[README.md]`, `[llama.cpp]`.
    Citations of one `group` stand next to each other and share the words before them.
    """

    form: Form
    text: str
    target: str
    items: tuple[str, ...]
    inside: tuple[Quote, ...]
    before: Quote | None
    start: int
    end: int
    line: int
    column: int
    sentence: str
    group: int
    lines: tuple[tuple[int, int], ...] = ()
    tentative: bool = False
    problem: str | None = None


def read(body: str, quotes: tuple[Quote, ...], *, is_link: bool) -> Citation | None:
    """Return the citation that this text in brackets is, None where it names nothing of ours.

    Of the text of a link, words alone are no citation: "[ledger format](…)" is only a link.
    """
    base = replace(blank(body.strip()), inside=quotes)
    bare = " ".join(QUOTE.sub(" ", body).split())
    for reader in (_ledger, _claims, _receipt, _section, _file):
        made = reader(base, bare)
        if made:
            return _checked(_of_link(made) if is_link else made, body)
    return None


def blank(text: str) -> Citation:
    """Return a citation with this text, and nothing read from it yet."""
    return Citation("ledger", text, "", (), (), None, 0, 0, 0, 0, "", 0)


def has_dots(text: str) -> bool:
    """Say whether an ellipsis stands there, which names nothing."""
    return _DOTS.search(text) is not None


QUOTE = re.compile(r"\"([^\"]{1,600})\"|“([^“”]{1,600})”|„([^„“”]{1,600})[“”]|«([^«»]{1,600})»")
_LEDGER = re.compile(r"ledger(?:[\s,:]+|\s*(?=§))(?=\S)", re.IGNORECASE)
_CLAIMS = re.compile(r"claims?\s+(?:#\s*)?(?=\S)", re.IGNORECASE)
_RECEIPT = re.compile(r"receipts?\s+(?=\S)", re.IGNORECASE)
_CLAIM_ID = re.compile(r"#?\s*([A-Za-z0-9][A-Za-z0-9._-]{0,63})")
_PATH = re.compile(r"(?P<path>[^\s\[\]\"“”:§,#]+)(?P<lines>:\S*|#L\d\S*)?")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_HOST = re.compile(r"\.(?:com|org|net|io|dev|local|ai)\Z")
_LINES = re.compile(r"(\d{1,9})(?:[-–](\d{1,9}))?")
_DOTS = re.compile(r"…|\.\.\.")


def _of_link(made: Citation) -> Citation:
    """Return the citation that is a link's text: in words alone, it may be only a link."""
    sure = made.form in ("section", "file") or made.inside or "#" in made.text
    return made if sure or any(map(str.isdigit, made.text)) else replace(made, tentative=True)


def _checked(made: Citation, body: str) -> Citation:
    if made.problem:
        return made
    rest = QUOTE.sub("", body)
    if any(mark in rest for mark in '"“”„«»'):
        return replace(made, problem="a quotation mark has no partner")
    if _DOTS.search(rest) and made.form != "file":
        return replace(made, problem="an ellipsis names nothing")
    return made


def _ledger(base: Citation, bare: str) -> Citation | None:
    head = _LEDGER.match(bare) or _LEDGER.match(base.text)
    if not head:
        return None
    items = _items(re.sub(r"\Aledger\b[\s,:]*", "", bare, flags=re.IGNORECASE))
    problem = None if items or base.inside else "it names no entry"
    return replace(base, form="ledger", items=items, problem=problem)


def _claims(base: Citation, bare: str) -> Citation | None:
    head = _CLAIMS.match(bare)
    if not head:
        return None
    named = "#" in bare
    ids = [_CLAIM_ID.fullmatch(item) for item in _items(bare[len(bare.split()[0]) :])]
    if not all(ids) or not ids:
        told = "a claim is cited as [claims #ID]"
        return replace(base, form="claims", problem=told) if named else None
    items = tuple(one[1] for one in ids if one)
    is_unsure = not named and not bare.lower().startswith("claims")
    return replace(base, form="claims", items=items, tentative=is_unsure)


def _receipt(base: Citation, bare: str) -> Citation | None:
    head = _RECEIPT.match(bare)
    if not head and not bare.startswith("receipt://"):
        return None
    items = _items(bare[head.end() :] if head else bare)
    name = items[0].removeprefix("receipt://") if items else ""
    if " " in name and not base.inside and not any(map(str.isdigit, name)):
        return None  # "[receipt of the goods]"
    problem = None if name and " " not in name else "a receipt is cited by one name or digest"
    return replace(base, form="receipt", target=name, items=items[1:], problem=problem)


def _section(base: Citation, bare: str) -> Citation | None:
    place, mark, heading = bare.partition("§")
    if not mark:
        return None
    heading = heading.strip() or next((quote.words for quote in base.inside[:1]), "")
    inside = base.inside if bare.partition("§")[2].strip() else base.inside[1:]
    problem = None if heading else "no heading stands behind §"
    words = place.strip().rstrip(",:")
    return replace(
        base, form="section", target=words, items=(heading,), inside=inside, problem=problem
    )


def _file(base: Citation, bare: str) -> Citation | None:
    head = _PATH.match(bare)
    if not head or "://" in bare:
        return None
    path, told = head["path"], head["lines"]
    extension = _EXTENSION.search(path)
    if not extension and not (told and "/" in path and told[1:2].isdigit()):
        return None
    if _HOST.search(path) and not base.inside and "/" not in path:
        return None
    rest = bare[head.end() :].strip().lstrip(",").strip()
    if rest and not told and not base.inside:
        return None
    numbers, problem = line_ranges(told, rest)
    sure = bool(told or base.inside or ("/" in path and not rest))
    return replace(
        base, form="file", target=path, lines=numbers, tentative=not sure, problem=problem
    )


def line_ranges(told: str | None, rest: str) -> tuple[tuple[tuple[int, int], ...], str | None]:
    """Return the ranges of lines in ":3-10" and ", 14" behind it, or else what is wrong."""
    if told is None:
        return (), f"{rest!r} is no line" if rest else None
    text = f"{told.lstrip(':#')},{rest}".replace("L", "")
    ranges = []
    for part in (part.strip() for part in text.split(",") if part.strip()):
        found = _LINES.fullmatch(part)
        if not found:
            return (), f"{part!r} is no line"
        first, last = int(found[1]), int(found[2] or found[1])
        if not 0 < first <= last:
            return (), f"{part!r} is no range of lines"
        ranges.append((first, last))
    return tuple(ranges), None if ranges else "no line stands behind the colon"


def _items(text: str) -> tuple[str, ...]:
    return tuple(item for item in (part.strip() for part in text.split(",")) if item)
