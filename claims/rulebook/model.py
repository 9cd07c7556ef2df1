"""What a rule is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A rule: its code, its name, why it exists, and the remedy."""

    code: str
    name: str
    why: str
    remedy: str

    def lines(self, *, brief: bool) -> list[str]:
        """Return the rule as text; in brief, one line."""
        head = f"{self.code} {self.name}"
        return [f"{head}: {self.why}"] if brief else [head, f"  {self.why}", f"  {self.remedy}"]
