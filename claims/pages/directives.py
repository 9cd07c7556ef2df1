"""What authors write to the checker: comments on the page, each as a typed value with its place.

::

    1.05×<!--claim:C16-->                     bind   what stands before it
    35.2<!--claim:C16@b512#median-->          bind   to a cell and a field of it
    <!-- claim: C2 row=depth cols=Decode:decode,Prefill:prefill -->
                                              block  the paragraph, list or table that follows
    <!-- claim:begin C2 sha256=9f… -->        begin  a generated region, with no digest yet where
                                                     a person has just typed it …
    <!-- claim:end C2 -->                     end    … and its end
    <!-- claims-ignore[CLM101]: why -->       ignore what follows; -line: its line, -file: the page

In MDX the same words stand in `{/*claim:C16*/}`. Here is only what was written; what it means, and
whether a claim has that id, is the binder's to say.
"""

from dataclasses import dataclass
from typing import Literal

from receipts import late as re

Form = Literal["bind", "block", "begin", "end", "ignore"]
Reach = Literal["next", "line", "file"]

_ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
_CELL = r"[A-Za-z0-9][A-Za-z0-9._=,-]{0,127}"
_BIND = re.compile(
    rf"\s*claim:\s*(?P<claim>{_ID})(?:@(?P<cell>{_CELL}))?(?:\#(?P<field>{_ID}))?\s*"
)
_BLOCK = re.compile(
    rf"\s*claim:\s*(?P<claim>{_ID})(?P<arguments>(?:\s+[a-z][a-z0-9_-]{{0,31}}=(?:\"[^\"]*+\"|[^\s\"]++))+)\s*"
)
_REGION = re.compile(
    rf"\s*claim:(?P<form>begin|end)\s+(?P<claim>{_ID})(?:\s+sha256=(?P<sha256>[0-9a-f]{{64}}))?\s*"
)
_IGNORE = re.compile(
    r"\s*claims-ignore(?:-(?P<reach>line|file))?"
    r"\[(?P<codes>\s*[A-Z]{3}\d{3}(?:\s*,\s*[A-Z]{3}\d{3})*)\s*\]\s*:(?P<reason>.*)",
    re.DOTALL,
)
_ARGUMENT = re.compile(r"([a-z][a-z0-9_-]*)=(?:\"([^\"]*)\"|(\S+))")
_LOOKS_LIKE_ONE = re.compile(r"\s*(?:claim\s*[:@\[]|claims?-ignore)", re.I)

_OF_REGION = re.compile(r"\s*claim:\s*(?:begin|end)\s", re.I)

ID_RULE = "an id is 1 to 64 of A-Z a-z 0-9 . _ - and starts with a letter or digit"


@dataclass(frozen=True, slots=True)
class Written:
    """What a directive says, apart from where it stands."""

    form: Form
    claim: str | None = None
    cell: str | None = None
    field: str | None = None
    arguments: tuple[tuple[str, str], ...] = ()
    sha256: str | None = None
    codes: tuple[str, ...] = ()
    reason: str = ""
    reach: Reach = "next"


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive and its place: `block` is the block that it stands in or, `alone`, behind.

    `before` is how much of the page's rendered text precedes it.
    """

    written: Written
    text: str
    start: int
    end: int
    line: int
    column: int
    block: int
    before: int
    alone: bool


def is_of_region(body: str) -> bool:
    """Say whether a comment means to begin or end a region, however it is spelt."""
    return _OF_REGION.match(body) is not None


def looks_like_one(body: str) -> bool:
    """Say whether a comment with this body means to speak to the checker."""
    return _LOOKS_LIKE_ONE.match(body) is not None


def read(body: str) -> Written | None:
    """Return what the body of a comment says, or None when it is malformed."""
    if match := _BIND.fullmatch(body):
        return Written("bind", match["claim"], match["cell"], match["field"])
    if match := _BLOCK.fullmatch(body):
        pairs = _ARGUMENT.findall(match["arguments"])
        return Written("block", match["claim"], arguments=tuple((n, a or b) for n, a, b in pairs))
    if match := _REGION.fullmatch(body):
        form: Form = "begin" if match["form"] == "begin" else "end"
        if match["sha256"] and form == "end":
            return None
        return Written(form, match["claim"], sha256=match["sha256"])
    if match := _IGNORE.fullmatch(body):
        codes = tuple(code.strip() for code in match["codes"].split(","))
        reach: Reach = "line" if match["reach"] == "line" else "file" if match["reach"] else "next"
        return Written("ignore", codes=codes, reason=" ".join(match["reason"].split()), reach=reach)
    return None
