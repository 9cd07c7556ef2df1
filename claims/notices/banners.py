"""Tombstones and banners: how a page keeps a sentence that no longer counts.

A *tombstone* stands in the place of the sentence, a *banner* above the block that holds it::

    ~~<!-- claims-tombstone tuned by=40 sha256=… -->It is 1.25× as fast.~~ (Retracted by entry 40:
    the machine was hot.)<!-- claims-tombstone-end tuned -->

    <!-- claims-banner tuned by=40 replaced-by=41 sha256=… -->
    > **Superseded by entry 40**: a stale build. In its place: entry 41 (J7).

    <!-- claims-banner-end tuned -->

    It is 1.25× as fast.<!--claim:tuned-->

A tombstone without `by` is of a claim that the register itself lists as withdrawn.

The checksum is over what stands between the comments and, of a banner, over the struck sentences
below it, white space aside: a change by hand is found. `notice_regions` finds regions on a page,
`notices` holds them against the ledger. Specification:
docs/reference/formats/banners.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from claims.pages.markup import escape


@dataclass(frozen=True, slots=True)
class Notice:
    """What is to be told of a claim: the entry that struck it, why, and what stands instead.

    Where the register itself withdraws the claim, `by` is None, and `label` the claim instead.
    """

    claim: str
    word: str
    by: int | None
    reason: str
    replacement: int | None = None
    label: str | None = None

    def told(self) -> str:
        """Return it as plain words, one line."""
        # What turns the direction of writing, or cannot be seen, is no part of a reason.
        reason = "".join(filter(str.isprintable, one_line(self.reason))).rstrip(".!?。 ")
        if self.by is not None:
            return f"{self.word.capitalize()} by entry {self.by}: {reason}."
        instead = f" In its place: claim {self.label}." if self.label else ""
        return f"{self.word.capitalize()}: {reason}.{instead}"

    def instead(self) -> str:
        """Return the words that name the replacement; none without one."""
        if self.replacement is None:
            return ""
        label = f" ({self.label})" if self.label else ""
        return f" In its place: entry {self.replacement}{label}."


def tombstone(notice: Notice, struck: str) -> str:
    """Return the tombstone that takes the place of the sentence `struck`, plain words both."""
    body = f"{escape(one_line(struck))}~~ ({escape(notice.told())})"
    by = "" if notice.by is None else f" by={notice.by}"
    begin = f"<!-- claims-tombstone {notice.claim}{by} sha256={checksum(body, ())} -->"
    return f"~~{begin}{body}<!-- claims-tombstone-end {notice.claim} -->"


def banner(notice: Notice, struck: Sequence[str], newline: str = "\n") -> str:
    """Return the banner that stands above the sentences `struck`, with the lines it needs."""
    line = banner_line(notice)
    instead = "" if notice.replacement is None else f" replaced-by={notice.replacement}"
    named = f"{notice.claim} by={notice.by}{instead} sha256={checksum(line, struck)}"
    begin, end = f"<!-- claims-banner {named} -->", f"<!-- claims-banner-end {notice.claim} -->"
    lines = (begin, line, "", end)
    return "".join(f"{one}{newline}" for one in (*lines, ""))


def banner_line(notice: Notice) -> str:
    """Return the line of a banner that people read."""
    head, _, reason = notice.told().partition(": ")
    return f"> **{head}**: {escape(reason)}{escape(notice.instead())}"


def checksum(body: str, struck: Sequence[str]) -> str:
    """Return the checksum of a region: of its text, and of the sentences below a banner."""
    lines = [one_line(text) for text in (body, *struck)]
    return sha256("\n".join(lines).encode("utf-8")).hexdigest()


def one_line(text: str) -> str:
    """Return the text with every run of white space as one space."""
    return " ".join(text.split())
