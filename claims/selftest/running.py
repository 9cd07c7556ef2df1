"""Attacks made and twins checked; what was not as it must be, by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims.checks import baseline
from claims.checks.baseline import Baseline
from claims.formats.outcome import Outcome
from claims.selftest.arena import Arena, Setting
from claims.selftest.attack import PAGE, Attack, Due, written
from receipts import exits
from receipts.errors import Error

_BASELINE = "baseline.json"


@dataclass(frozen=True, slots=True)
class Failure:
    """An attack that was not refused as it must be, or a twin that was."""

    name: str
    is_twin: bool
    due: tuple[Due, ...]
    found: tuple[Due, ...]
    page: str
    messages: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield it as text: what was due, what was found, and the page."""
        what = "the twin is refused" if self.is_twin else "it is not refused as it must be"
        yield f"{self.name}: {what}"
        yield f"  due:   {_told(self.due)}"
        yield f"  found: {_told(self.found)}"
        yield from (f"         {message}" for message in self.messages)
        yield from (f"  | {line}" for line in self.page.splitlines())

    def view(self) -> dict[str, object]:
        """Return it as plain values."""
        return {
            "name": self.name,
            "twin": self.is_twin,
            "due": [list(one) for one in self.due],
            "found": [list(one) for one in self.found],
            "page": self.page,
        }


def run(arena: Arena, attack: Attack) -> Iterator[Failure]:
    """Make one attack and check its twin; yield what is not as it must be."""
    setting = arena[attack.setting]
    text, due = written(attack.page, setting, attack.edit)
    due = sorted([*due, *((code, 0, 0) for code in attack.beyond)])
    yield from _one(setting, attack, (text, attack.held), due)
    other = arena[attack.twin_setting or attack.setting]
    text, _ = written(attack.twin, other)
    yield from _one(other, attack, (text, attack.twin_held), None)


def _one(
    setting: Setting, attack: Attack, given: tuple[str, str | None], wanted: list[Due] | None
) -> Iterator[Failure]:
    """Check one page; where nothing is `wanted`, it is a twin and must be clean."""
    text, held = given
    due = wanted or []
    pages = {PAGE: text} if text else {}
    try:
        outcome = setting.examine(pages, _baseline(setting, held))
    except Error as error:
        yield Failure(attack.name, wanted is None, tuple(due), (), text, (str(error),))
        return
    found = findings(outcome)
    code = exits.OK if wanted is None else _code(due)
    if found != due or outcome.code != code:
        told = tuple(one.refusal.line() for one in outcome.findings)
        yield Failure(attack.name, wanted is None, tuple(due), tuple(found), text, told)


def findings(outcome: Outcome) -> list[Due]:
    """Return every error of an outcome as code, line and column; 0 and 0 for one of no page."""
    errors = [one for one in outcome.findings if one.refusal.severity == "error"]
    return sorted(
        (one.refusal.code, one.line, one.column) if one.file.endswith(PAGE) else
        (one.refusal.code, 0, 0)
        for one in errors
    )  # fmt: skip


def _code(due: Sequence[Due]) -> int:
    nothing = {"CLM001", "CLM002"}
    return exits.UNDECIDED if {code for code, *_ in due} <= nothing else exits.NO


def _baseline(setting: Setting, held: str | None) -> Baseline | None:
    if held is None:
        return None
    path = setting.root / _BASELINE
    path.write_text(held, encoding="utf-8")
    return baseline.read(path)


def _told(due: Sequence[Due]) -> str:
    listed = (f"{code} at {line}:{column}" if line else code for code, line, column in due)
    return ", ".join(listed) or "nothing"
