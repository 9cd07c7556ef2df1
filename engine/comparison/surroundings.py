"""On what the arms were measured, side by side: sidecars in, differences out.

What differs must be a declared variable. What one side does not tell of the required facts cannot
be verified, and neither can an arm without a sidecar. Controls are held against arm A: a noise
floor of another machine is none.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from engine import sidecar
from engine.comparison import environments, profile
from engine.comparison.arms import PREFIX, Session, Surroundings
from engine.comparison.environments import Untold
from engine.comparison.profile import Difference
from engine.sidecar import Sidecar

_PACKAGES = 3  # how many of those that differ are named
_REMEDY = "name one with --env-a and --env-b, or say --no-environment"


@dataclass(frozen=True, eq=False)
class Placed:
    """An arm and its sidecar; `fault` says what is wrong with it, or that none is there."""

    arm: str
    sidecar: Sidecar | None
    fault: str | None = None


def compare(
    a: Placed, b: Placed, variables: Collection[str] = (), controls: Sequence[Placed] = ()
) -> Surroundings:
    """Return how the environments of A and B compare, and those of all controls with A's."""
    found = [each for arm in (a, b, *controls) for each in _missing(arm)]
    if a.sidecar and b.sidecar:
        found += _apart(a.sidecar, b.sidecar, variables)
    for control in controls:
        if a.sidecar and control.sidecar:
            met = _apart(a.sidecar, control.sidecar, variables)
            found += [_within(f"A against {control.arm}", one) for one in met]
    if not a.sidecar or not b.sidecar:
        return Surroundings(tuple(found))
    told = environments.compare(a.sidecar, b.sidecar)
    return Surroundings(
        differences=tuple(found),
        session=_session(a.sidecar, b.sidecar, same=told.same_session),
        fields=len({*sidecar.facts(a.sidecar), *sidecar.facts(b.sidecar)}),
        remarks=tuple(f"{PREFIX}{_lacking(one)}" for one in told.one_sided),
    )


def _session(a: Sidecar, b: Sidecar, *, same: bool) -> Session:
    if a.session is None or b.session is None:
        return "not told"
    return "one" if same else "cross-session"


def _missing(arm: Placed) -> Iterator[Difference]:
    if arm.sidecar is None:
        sentence = f"environment of {arm.arm}: {arm.fault or 'no sidecar'}; {_REMEDY}"
        yield Difference("unverifiable", "environment", sentence)


def _apart(a: Sidecar, b: Sidecar, variables: Collection[str]) -> Iterator[Difference]:
    """Yield the required facts that are not told, and those that differ and are no variables."""
    found = environments.compare(a, b)
    for untold in found.untold:
        yield Difference("unverifiable", untold.field, f"{PREFIX}{_lacking(untold)}")
    for one in found.undeclared([variable.removeprefix(PREFIX) for variable in variables]):
        values = f"is {_shown(one.a)} in A and {_shown(one.b)} in B"
        if one.field == "packages.digest":
            values = f"differs: {', '.join(_packages(found))}"
        yield Difference("differs", one.field, f"{PREFIX}{one.field} {values}")


def _packages(found: environments.Comparison) -> list[str]:
    named = [f"{one.field} {_shown(one.a)} and {_shown(one.b)}" for one in found.packages]
    more = [f"{len(named) - _PACKAGES} more"] if len(named) > _PACKAGES else []
    return [*named[:_PACKAGES], *more]


def _within(place: str, found: Difference) -> Difference:
    return found._replace(sentence=f"{place}: {found.sentence}")


def _lacking(untold: Untold) -> str:
    sides = [("A", untold.a), ("B", untold.b)]
    told = [f"in {arm} ({profile.shown(why)})" for arm, why in sides if why is not None]
    return f"{untold.field} is absent {' and '.join(told)}"


def _shown(value: object) -> str:
    return "absent" if value is None else profile.shown(str(value))
