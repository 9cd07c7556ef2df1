"""What a rule is."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A rule: its code, its name, why it exists, the remedy, and what breaks and what keeps it.

    `ignorable` says whether a page may set it aside with a reason, and a baseline may hold it. What
    the evidence, an operator or the register says no to is never set aside on a page. A rule that
    compares pages with each other is judged only where all pages are at hand.
    """

    code: str
    name: str
    why: str
    remedy: str
    bad: str = ""
    good: str = ""
    ignorable: bool = False
    needs_all_pages: bool = False

    def lines(self, *, brief: bool) -> list[str]:
        """Return the rule as text; in brief, one line."""
        head = f"{self.code} {self.name}"
        return [f"{head}: {self.why}"] if brief else [head, *self._body()]

    def _body(self) -> Iterator[str]:
        yield f"  {self.why}"
        for name, example in (("bad", self.bad), ("good", self.good)):
            yield from (f"  {name}:  {line}" for line in example.splitlines())
        yield f"  {self.remedy}"
        yield f"  {self.standing}"

    @property
    def standing(self) -> str:
        """Say whether a page or a baseline may set the rule aside."""
        if self.ignorable:
            return f"May be set aside with a reason: `<!-- claims-ignore[{self.code}]: why -->`"
        return "Is never set aside: no ignore and no baseline holds it."
