"""What a check of pages came to, as every format tells it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from claims.rules import RULES, Refusal
from receipts import exits

_CLASSES = ("bound", "excluded", "scope", "ignored", "unbound")
_NOTHING_THERE = frozenset({"CLM001", "CLM002"})


@dataclass(frozen=True, slots=True)
class Finding:
    """A refusal with what the formats tell of its place.

    `file` is the page as a person here would name it, `path` the same from the root of the
    repository. Where there is no place, `line` and the columns are 0. `sentence` is what the
    finding is known by when lines move; `reason` says why it is set aside, where it is.
    """

    refusal: Refusal
    file: str
    path: str
    line: int = 0
    column: int = 0
    end_column: int = 0
    text: str = ""
    sentence: str = ""
    reason: str = ""

    @property
    def fingerprint(self) -> str:
        """The identity that survives moved lines: of path, code, claim and sentence."""
        parts = (self.path, self.refusal.code, self.refusal.claim or "", self.sentence)
        return sha256("\0".join(parts).encode()).hexdigest()[:16]

    @property
    def title(self) -> str:
        """The code and the name of its rule."""
        return f"{self.refusal.code} {RULES[self.refusal.code].name}"

    @property
    def message(self) -> str:
        """What is wrong, with the claim that it is wrong with."""
        about = f"{self.refusal.claim}: " if self.refusal.claim else ""
        return f"{about}{self.refusal.message}"

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        view = self.refusal.view() | {"severity": self.refusal.severity}
        if self.line:
            view |= {"line": self.line, "column": self.column, "end_column": self.end_column}
        view["fingerprint"] = self.fingerprint
        return view | ({"reason": self.reason} if self.reason else {})


@dataclass(frozen=True)
class Page:
    """One page: its name, its denominators, and its findings, those that count and the others.

    `more` findings count, and `more_ignored` are set aside, without being told one by one.
    """

    name: str
    path: str
    view: Mapping[str, Any]
    summary: str
    findings: tuple[Finding, ...] = ()
    ignored: tuple[Finding, ...] = ()
    held: tuple[Finding, ...] = ()
    more: int = 0
    more_ignored: int = 0


@dataclass(frozen=True)
class Outcome:
    """All pages, what was found beyond them, and what was not looked at."""

    pages: tuple[Page, ...]
    beyond: tuple[Finding, ...]
    standing: str
    not_checked: tuple[str, ...]
    partial: str | None = None

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding that counts, page by page; those of no page come last."""
        return (*(one for page in self.pages for one in page.findings), *self.beyond)

    @cached_property
    def ignored(self) -> tuple[Finding, ...]:
        """What the pages set aside, each with its reason."""
        return tuple(one for page in self.pages for one in page.ignored)

    @cached_property
    def held(self) -> tuple[Finding, ...]:
        """What the baseline holds."""
        return tuple(one for page in self.pages for one in page.held)

    @cached_property
    def totals(self) -> dict[str, int]:
        """The denominators of all pages together, whatever the pages count."""
        counts: Counter[str] = Counter()
        claims: set[str] = set()
        for page in self.pages:
            claims.update(page.view.get("claims", ()))
            counts.update({k: v for k, v in page.view.items() if type(v) is int})
        return {
            "pages": len(self.pages),
            **counts,
            "claims_used": len(claims),
            "findings": len(self.findings) + sum(page.more for page in self.pages),
            "findings_ignored": len(self.ignored) + sum(p.more_ignored for p in self.pages),
            "findings_held": len(self.held),
        }

    @property
    def code(self) -> int:
        """The exit code: 1 for a finding, 3 where there was nothing to check."""
        errors = {f.refusal.code for f in self.findings if f.refusal.severity == "error"}
        if errors - _NOTHING_THERE or any(page.more for page in self.pages):
            return exits.NO
        return exits.UNDECIDED if errors else exits.OK

    def closing(self) -> Iterator[str]:
        """Yield what was checked and what was not, a line each; every format tells them."""
        yield self.total()
        yield self.standing
        if self.partial:
            yield self.partial
        yield f"not checked: {'; '.join(self.not_checked)}"

    def total(self) -> str:
        """Return the denominators in one line."""
        classes = {name: n for name in _CLASSES if (n := self.totals.get(name)) is not None}
        parts = ", ".join(f"{n} {name}" for name, n in classes.items() if n or name != "ignored")
        recomputed = self.totals.get("recomputed", 0)
        ignored = self.totals["findings_ignored"]
        also = f" {recomputed} changes recomputed;" if recomputed else ""
        return (
            f"{_count(len(self.pages), 'page')}, {self.totals.get('numbers', 0)} numbers"
            f"{': ' if parts else ''}{parts}; {_count(self.totals['claims_used'], 'claim')} used;"
            f"{also} {_count(self.totals['findings'], 'finding')}, {ignored} ignored, "
            f"{len(self.held)} held by the baseline"
        )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("s" if number != 1 else "")
