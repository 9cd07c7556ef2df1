"""What a table's marker says of it: `row=` and `cols=`, and what each header means by them."""

from collections.abc import Sequence
from dataclasses import dataclass

from receipts import late as re
from receipts.errors import MalformedError

_PAIR = re.compile(r"\s*(?P<header>[^:,]+?)\s*:\s*(?P<what>[A-Za-z0-9][A-Za-z0-9._-]*)\s*\Z")


@dataclass(frozen=True, slots=True)
class Layout:
    """What a table's marker says: the field that its rows select by, and each header's meaning."""

    row: str
    columns: tuple[tuple[str, str], ...]

    def meaning(self, header: str) -> str | None:
        """Return what the column with this header shows, None where the marker does not say."""
        plain = _normal(header)
        for name, what in self.columns:
            if _normal(name) == plain:
                return what
        begun = [what for name, what in self.columns if plain.startswith(_normal(name) + " ")]
        return begun[0] if len(begun) == 1 else None


def layout(arguments: Sequence[tuple[str, str]]) -> Layout:
    """Return the layout that a marker's arguments give, or raise `MalformedError`."""
    given = dict(arguments)
    unknown = [name for name in given if name not in ("row", "cols")]
    if unknown or len(given) < len(arguments):
        raise MalformedError(f"a table's marker takes row= and cols= once, not {unknown or given}")
    if "row" not in given or "cols" not in given:
        raise MalformedError("a table's marker needs row=FIELD and cols=Header:what,…")
    pairs = [_PAIR.match(part) for part in given["cols"].split(",")]
    if any(pair is None for pair in pairs):
        raise MalformedError(f"cols={given['cols']!r} is not Header:what,Header:what")
    return Layout(given["row"], tuple((p["header"], p["what"]) for p in pairs if p))


def is_headed(name: str, header: str) -> bool:
    """Say whether a name in `cols=` is the header of a column, or its beginning."""
    given, plain = _normal(name), _normal(header)
    return plain == given or plain.startswith(f"{given} ")


def _normal(header: str) -> str:
    return " ".join(header.lower().split())
