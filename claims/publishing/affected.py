"""Which sentences on which pages rest on an entry, a receipt or a claim, and what became of them.

The pages are those that were published and the documents that `evidence.yaml` names, as they are
now. A correction stands for whatever it strikes.
"""

import os
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claims.desk import Desk
from claims.markers import quotes
from claims.notices import notice_regions, striking
from claims.notices.strikes import Basis, Strike
from claims.pages import document, reading
from claims.publishing import publication, replacing
from claims.publishing.publication import Publication
from claims.rules import Refusal
from ledger import citation
from ledger.bodies import CORRECTIONS
from ledger.entry import Entry
from receipts.digest import Digest
from receipts.errors import NotFoundError, VerificationError
from receipts.receipt import SCHEME

_BRIEF = 80


@dataclass(frozen=True)
class Page:
    """A page as it is now, and as it was published last."""

    path: Path
    source: str
    published: Publication | None

    @property
    def changed(self) -> bool:
        """Say whether it was changed since it was published."""
        now = Digest.of(self.source.encode("utf-8"))
        return self.published is not None and self.published.digest != now


@dataclass(frozen=True)
class Sentence:
    """A sentence that rests on what was asked about, where it stands, and what struck it."""

    page: Page
    line: int
    column: int
    claim: str
    text: str
    strike: Strike | None
    under: str | None
    """The notice that is on the page already: tombstone or banner."""

    def line_of_text(self) -> str:
        """Return it in one line."""
        brief = self.text if len(self.text) <= _BRIEF else f"{self.text[: _BRIEF - 1]}…"
        fate = "it stands"
        if self.strike:
            fate = self.strike.told()
        under = f"; under a {self.under}" if self.under else ""
        place = f"{self.page.path}:{self.line}:{self.column}"
        return f"{place}: {self.claim}: {brief!r}, {fate}{under}"

    def view(self) -> dict[str, Any]:
        """Return it as plain values, absent fields left out."""
        was = self.page.published
        fields: dict[str, Any] = {
            "file": str(self.page.path),
            "line": self.line,
            "column": self.column,
            "claim": self.claim,
            "text": self.text,
            "notice": self.under,
        }
        if self.strike:
            by = {} if self.strike.by is None else {"by": self.strike.by}
            fields["strike"] = {"word": self.strike.word, **by, "reason": self.strike.reason}
        if was:
            told = {"entry": was.entry, "page": was.digest, "changed": self.page.changed}
            fields["published"] = told
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True)
class Affected:
    """What rests on a reference: claims, pages and sentences."""

    claims: tuple[str, ...]
    pages: tuple[Page, ...]
    sentences: tuple[Sentence, ...]
    gone: tuple[str, ...]
    """What is known of pages that are not there."""

    def lines(self) -> Iterator[str]:
        """Yield it as text: the sentences page by page, and what is known of each page."""
        for page in self.pages:
            here = [one for one in self.sentences if one.page is page]
            yield from (one.line_of_text() for one in here)
            if here:
                yield f"{page.path}: {_history(page)}"
        yield from self.gone
        named = ", ".join(self.claims) or "none"
        struck = sum(one.strike is not None for one in self.sentences)
        counts = f"{len(self.sentences)} sentences, {struck} struck, on {len(self.pages)} pages"
        yield f"{counts}; claims: {named}"


def find(desk: Desk, reference: str) -> Affected:
    """Return what rests on a claim, an entry, a receipt, or on what a correction strikes.

    Raises `VerificationError` on a ledger that does not verify: nothing it says is put on a page.
    """
    if desk.report.findings:
        refusal = Refusal("CLM301", str(desk.report.findings[0]))
        raise VerificationError(refusal.line())
    claims = tuple(_claims(desk, reference))
    pages, gone = _pages(desk)
    found = tuple(one for page in pages for one in _sentences(desk, page, claims))
    return Affected(claims, pages, found, gone)


def write(desk: Desk, affected: Affected) -> tuple[list[Path], list[str]]:
    """Put a notice over every struck sentence, and take off those over what stands again.

    Returns the pages that were replaced, each at once, and `FILE:LINE:COLUMN: claim` of every
    sentence that could not be struck. Raises `ConflictError` when a page changed meanwhile.
    """
    written: list[Path] = []
    left: list[str] = []
    for page in affected.pages:
        source = page.source
        here = {one.claim: one.strike for one in affected.sentences if one.page is page}
        for claim, strike in here.items():
            if strike is None:
                source = striking.lift(source, claim)
                continue
            done = striking.strike(source, desk.strikes.notice(claim, strike))
            source = done.source
            left += [f"{page.path}:{line}:{column}: {claim}" for line, column in done.left]
        if source != page.source:
            replacing.replace(page.path, page.source, source)
            written.append(page.path)
    return written, left


def _history(page: Page) -> str:
    if page.published is None:
        return "never published"
    since = "changed since" if page.changed else "as it was published"
    return f"published by entry {page.published.entry} as {page.published.digest}, {since}"


def _claims(desk: Desk, reference: str) -> Iterator[str]:
    if reference in desk.register.claims or reference in desk.register.withdrawn:
        yield reference
        return
    ids, receipts = _named(desk, reference)
    for claim in desk.register.claims:
        if _rests(desk.strikes.basis(claim), ids, receipts):
            yield claim


def _named(desk: Desk, reference: str) -> tuple[set[str], set[str]]:
    """Return the ids of the entries and the URIs of the receipts that a reference stands for."""
    ledger = desk.here.ledger
    if reference.startswith(SCHEME):
        return set(), {citation.resolve(ledger, reference)}
    entry: Entry = ledger.resolve(reference)
    body = entry.body
    if isinstance(body, CORRECTIONS):
        return {*(body.targets or ()), *(body.resolved or ())}, set(body.runs or ())
    receipt = getattr(body, "receipt", None)
    return {entry.id}, {receipt} if receipt else set()


def _rests(basis: Basis, ids: set[str], receipts: set[str]) -> bool:
    entries = basis.asked.keys() | basis.grounds.keys()
    return not ids.isdisjoint(entries) or not receipts.isdisjoint(basis.receipts)


def _pages(desk: Desk) -> tuple[tuple[Page, ...], tuple[str, ...]]:
    place = desk.here.workspace
    known = publication.published(desk.here.ledger)
    documents = map(posixpath.normpath, place.configuration.documents)
    names = dict.fromkeys((*documents, *known))
    pages, gone = [], []
    for name in names:
        was = known.get(name)
        path = Path(os.path.relpath(place.root / name))
        try:
            pages.append(Page(path, reading.text(path), was))
        except NotFoundError:
            # A page that was published and deleted is worth a word, and no reason to stop.
            told = f"published by entry {was.entry}" if was else "named in evidence.yaml"
            gone.append(f"{path}: {told}, and not there now")
    return tuple(pages), tuple(gone)


def _sentences(desk: Desk, page: Page, claims: tuple[str, ...]) -> Iterator[Sentence]:
    quoted = [one for one in quotes.read(document.parse(page.source)) if one.claim in claims]
    covered = striking.under_banners(page.source, quoted)
    found: list[Sentence] = []
    for quote in quoted:
        line, column = quote.place
        strike = _strike(desk, quote.claim)
        under = "banner" if quote.marker in covered else None
        found.append(Sentence(page, line, column, quote.claim, quote.text, strike, under))
    for region in notice_regions.find(page.source).found:
        if region.kind == "tombstone" and region.claim in claims:
            strike, (line, column) = _strike(desk, region.claim), region.first
            told = (region.claim, region.struck)
            found.append(Sentence(page, line, column, *told, strike, "tombstone"))
    yield from sorted(found, key=lambda one: (one.line, one.column))


def _strike(desk: Desk, claim: str) -> Strike | None:
    return next(iter(desk.strikes.of(claim)), None)
