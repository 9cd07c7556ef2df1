"""The pages of a site: the index and one page a claim, as bytes, from nothing but values.

The same ledger, register and time give the same bytes. Every word that somebody wrote is escaped,
and the pages forbid themselves, by a content security policy, to run or to fetch anything.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markdown_it import MarkdownIt
from markupsafe import Markup

from claims.desk import Desk
from claims.judging.judge import Judgement
from claims.registers.model import NotClaimed, Withdrawn
from claims.registers.register import Register
from claims.site import view
from claims.site.record import Event, Record
from claims.site.view import ClaimView, Gallery
from claims.site.withholding import Withheld
from ledger.bodies import Genesis
from receipts.clock import Clock, format_time
from receipts.errors import ConflictError

INDEX = "index.html"
# Controls, what turns the direction of writing, and what no UTF-8 can hold.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What all of the site rests on: the ledger, how it stands, and when that was looked at."""

    origin: str
    generated_at: str
    intact: bool
    anchored: bool
    told: str
    head: str | None
    root: str | None
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """A claim that was decided on and stands in the register no more."""

    id: str
    decision: Event


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A claim that the register keeps as withdrawn, without its number; `instead` has a page."""

    id: str
    reason: str
    at: str | None
    instead: str | None


def build(desk: Desk, done: Sequence[Judgement], clock: Clock) -> dict[str, bytes]:
    """Return the pages, and the scripts that verify their chains, by file name.

    Raises `ConflictError` for a claim whose page would be the index.
    """
    standing = _standing(desk, clock)
    record = Record(desk.here.ledger if standing.intact else None)
    gallery = Gallery(desk.here.workspace, record, anchored=standing.anchored)
    views = [gallery.view(judgement) for judgement in done]
    pages = {one.file: _page("site_claim.html.j2", claim=one, ledger=standing) for one in views}
    pages |= {one.script_file: one.script.encode() for one in views if one.script is not None}
    if INDEX in pages:
        raise ConflictError("claim index would have the page of the register itself; rename it")
    withdrawn = desk.register.withdrawn
    known = desk.register.claims.keys() | withdrawn.keys()
    gone = [_gone(record, name) for name in record.claims() if name not in known]
    counts = {state: _count(views, state) for state in ("holds", "stated", "refused", "withdrawn")}
    index = _page(
        "site_index.html.j2",
        claims=views,
        counts=counts,
        gone=gone,
        taken_back=[_taken_back(one, desk.register) for one in withdrawn.values()],
        negative_space=[_not_claimed(item) for item in desk.register.negative_space.items],
        ledger=standing,
    )
    return {**pages, INDEX: index}


def _standing(desk: Desk, clock: Clock) -> Standing:
    report = desk.report
    genesis = desk.here.ledger.entry(0).body if not report.findings else None
    return Standing(
        origin=genesis.origin if isinstance(genesis, Genesis) else "unknown",
        generated_at=format_time(clock()),
        intact=not report.findings,
        anchored=bool(report.anchored_to),
        told=desk.standing().removeprefix("ledger: "),
        head=report.head,
        root=report.tree_head.root.hex() if report.tree_head else None,
        faults=tuple(map(str, report.findings)),
    )


def _gone(record: Record, claim: str) -> Gone:
    return Gone(claim, view.decided(record.decisions(claim)[-1], Withheld(()).in_words))


def _taken_back(one: Withdrawn, register: Register) -> TakenBack:
    instead = one.replaced_by if one.replaced_by in register.claims else None
    return TakenBack(one.id, Withheld(()).in_words(one.reason), one.at, instead)


def _not_claimed(item: NotClaimed) -> str:
    return f"{item.phrase}: {item.note}" if item.note else item.phrase


def _count(views: Sequence[ClaimView], state: str) -> int:
    return sum(one.state == state for one in views)


def _page(name: str, **values: object) -> bytes:
    return _template(name).render(**values).encode()


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=PackageLoader("claims.templates", ""),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_visible,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[[str], str]] = {
        "day": lambda at: at[:10],
        "moment": _moment,
        "code": _code,
    }
    environment.filters.update(filters)
    return environment.get_template(name)


def _visible(value: object) -> object:
    """Return a value that is printed, with what no reader sees in it spelled out."""
    if type(value) is not str:
        return value
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", value)


def _code(text: str) -> str:
    """Return words of a rule as HTML, with what stands in backticks as code."""
    return Markup(_markdown().renderInline(text))  # noqa: S704 - escaped by the renderer


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("zero").enable("backticks")


def _moment(at: str) -> str:
    """Return a time as a person reads it, to the second."""
    return f"{at[:10]} {at[11:19]} UTC"
