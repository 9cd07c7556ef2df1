"""What a page may not quote, bound or not: barred numbers, the negative space, what was withdrawn.

And how it must quote what holds, where a policy asks: a win with its misses, a sentence with the
footnote of its result, a number with the conditions that its section names.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from claims.checks.quoted import Located
from claims.checks.quoted import Quoted as Bound
from claims.checks.quoted import QuotedPage as Bindings
from claims.judging import demands, tags
from claims.judging.judgement import Judgement
from claims.pages.document import Document
from claims.pages.parts import Fragment
from claims.registers import claim_form
from claims.registers.barred import Context
from claims.registers.register import Register
from claims.rules import Refusal

_REFERENCE = re.compile(r"\s?\[\^([^\]\s]{1,100})\]")
_LEAST_DIGEST = 12
_STRUCK = {"CLM501", "CLM502", "CLM503", "CLM504"}
Judged = Mapping[str, Judgement]
Tombstones = Callable[[int], bool]
"""Says of a line whether it is in a tombstone, or under a banner that names the replacement."""


def nowhere(line: int) -> bool:
    """Say that no line is part of a tombstone."""
    del line
    return False


def findings(
    name: str,
    page: tuple[str, Document, Bindings],
    register: Register,
    judged: Judged,
    in_tombstone: Tombstones = nowhere,
) -> Iterator[Refusal]:
    """Yield what the page quotes and may not, or quotes without what belongs to it.

    `page` is its source, its document and what its markers bind; `judged` has the judgement of
    every claim that is bound there.
    """
    source, document, bindings = page
    for located in bindings.unbound:
        context = Context(located.sentence, in_tombstone=in_tombstone(located.line))
        yield from barred(name, located, context, register)
    for bound in bindings.bound:
        done = judged.get(bound.marker.claim)
        if done is not None:
            yield from _bound(name, bound, done, register, in_tombstone)
            yield from _as_the_policy_asks(name, bound, done, register, (source, document))
    yield from _not_claimed(name, document, register, judged)
    if register.policy.misses_with_wins:
        yield from _misses(name, bindings, judged, register)


def barred(
    name: str, located: Located, context: Context, register: Register, claim: str | None = None
) -> Iterator[Refusal]:
    """Yield that this number of a page may not be claimed."""
    row = register.barred_match(located.number, context)
    if row:
        yield Refusal("CLM505", row.told(), claim, f"{name}:{located.line}:{located.column}")


def absent(register: Register, claim: str, place: str) -> Refusal:
    """Return the refusal of a marker whose claim the register does not have, or has no more."""
    gone = register.withdrawn.get(claim)
    if gone is None:
        return Refusal("CLM010", "the register does not have it", claim, place)
    told = f"it was withdrawn: {gone.reason}"
    told += f"; see {gone.replaced_by}" if gone.replaced_by else ""
    return Refusal("CLM506", told, claim, place)


def _bound(
    name: str, bound: Bound, done: Judgement, register: Register, in_tombstone: Tombstones
) -> Iterator[Refusal]:
    claim = done.claim
    told = {refusal.code for refusal in done.refusals}
    if "CLM505" not in told:
        metrics = frozenset(claim_form.names(claim).values())
        # The correction that struck the evidence of a claim is told once, as its refusal.
        settled = done.holds or bool(told & _STRUCK)
        for located in bound.numbers:
            dead = in_tombstone(located.line)
            context = Context(located.sentence, metrics, done.cells, settled, dead)
            yield from barred(name, located, context, register, claim.id)
    if "CLM405" not in told and claim.tag != "measured":
        message = tags.objection(claim, bound.text)
        if message:
            yield Refusal("CLM405", message, claim.id, _place(name, bound))


def _not_claimed(
    name: str, document: Document, register: Register, judged: Judged
) -> Iterator[Refusal]:
    """Yield each block that claims what nobody does; a claim's own sentence told it already."""
    if not register.negative_space.items:
        return
    refused = {m.block for m in document.markers if _refused(judged.get(m.claim), "CLM408")}
    pieces = sorted((*document.fragments, *document.code), key=lambda piece: piece.start)
    for block, group in groupby(pieces, key=lambda piece: piece.block):
        parts = list(group)
        found = register.negative_space.find("".join(part.rendered for part in parts))
        if found and block not in refused:
            item, offset = found
            line, column = _at(parts, offset)
            told = f": {item.note}" if item.note else ""
            message = f"nobody claims {item.phrase!r}{told}"
            yield Refusal("CLM408", message, place=f"{name}:{line}:{column}")


def _at(parts: list[Fragment], offset: int) -> tuple[int, int]:
    starts, total = [], 0
    for part in parts:
        starts.append(total)
        total += len(part.rendered)
    index = bisect_right(starts, offset) - 1
    part = parts[index]
    inside = offset - starts[index] if part.text == part.rendered else 0
    return part.line, part.column + inside


def _as_the_policy_asks(
    name: str, bound: Bound, done: Judgement, register: Register, page: tuple[str, Document]
) -> Iterator[Refusal]:
    policy = register.policy
    if not done.holds or done.claim.tag != "measured" or not policy.packs:
        return
    if not bound.whole:
        text = f"{bound.text} {_around(bound, page[1])}"
        for field in demands.unsaid(done.claim, text, policy, done.values.get("n")):
            told = f"policy {policy.name}: neither the sentence nor its table says the {field}"
            yield Refusal("CLM202", told, done.claim.id, _place(name, bound))
    if policy.footnote and not _has_footnote(bound, done, page[0]):
        told = f"policy {policy.name}: no footnote behind the marker names its receipt"
        yield Refusal("CLM410", told, done.claim.id, _place(name, bound))


def _around(bound: Bound, document: Document) -> str:
    """Return the sentence of a number; in a table, all of its section: headers and caption."""
    own = [piece for piece in document.fragments if piece.block == bound.marker.block]
    if not any(piece.role == "cell" for piece in own):
        return " ".join(dict.fromkeys(located.sentence for located in bound.numbers))
    headings = [piece.start for piece in document.fragments if piece.role == "heading"]
    place = bisect_right(headings, bound.marker.start)
    first = headings[place - 1] if place else 0
    last = headings[place] if place < len(headings) else None
    pieces = (
        p for p in document.fragments if first <= p.start and (last is None or p.start < last)
    )
    return " ".join(piece.rendered for piece in pieces)


def _has_footnote(bound: Bound, done: Judgement, source: str) -> bool:
    """Say whether the footnote behind a marker names the receipt of its claim, or its entry."""
    reference = _REFERENCE.match(source, bound.marker.end)
    if reference is None:
        return False
    definition = re.search(
        rf"^\[\^{re.escape(reference[1])}\]:(.*(?:\n[ \t]+\S.*)*)", source, re.MULTILINE
    )
    return definition is not None and any(one in definition[1] for one in _ids(done))


def _ids(done: Judgement) -> Iterator[str]:
    parts = [part.evidence for part in done.evidence.parts] or [done.evidence]
    for evidence in parts:
        if evidence.receipt:
            yield evidence.receipt.digest.hex[:_LEAST_DIGEST]


def _misses(name: str, bindings: Bindings, judged: Judged, register: Register) -> Iterator[Refusal]:
    """Yield each bound win whose walk lost something that no claim on the page quotes."""
    quoted = {pair for done in judged.values() if done.holds for pair in _quoted(done)}
    told: set[str] = set()
    for bound in bindings.bound:
        done = judged.get(bound.marker.claim)
        if done is None or not done.wins or done.claim.id in told:
            continue
        told.add(done.claim.id)
        left = [miss for miss in done.misses if (miss.cell, miss.metric) not in quoted]
        if left:
            listed = "; ".join(miss.told() for miss in left[:3])
            message = f"policy {register.policy.name}: it wins, and the page leaves out: {listed}"
            yield Refusal("CLM411", message, done.claim.id, _place(name, bound))


def _quoted(done: Judgement) -> Iterator[tuple[str, str]]:
    for part in done.evidence.parts:
        yield part.cell, part.metric
    for cell in done.cells:
        yield cell, done.claim.metric


def _refused(done: Judgement | None, code: str) -> bool:
    return done is not None and any(refusal.code == code for refusal in done.refusals)


def _place(name: str, bound: Bound) -> str:
    return f"{name}:{bound.marker.line}:{bound.marker.column}"
