"""What a text names that the evidence is not of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What is named, where it begins in the text, and what the evidence has of its kind."""

    kind: str
    named: str
    start: int
    known: tuple[str, ...]
    code: str = "CLM217"

    def told(self) -> str:
        """Return it in words."""
        return f"it names {self.named!r}, and the evidence is of {', '.join(self.known)}"
