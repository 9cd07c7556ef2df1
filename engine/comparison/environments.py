"""Two environment sidecars side by side: what differs, and what could not be told.

The first is an answer, the second is none: nothing that one side leaves out ever counts as a
difference, and while a fact of `REQUIRED` is left out nobody can call the two equal.
"""

from collections.abc import Collection
from dataclasses import dataclass

from engine.sidecar import Sidecar, facts
from receipts.predicates import Facts, Scalar

REQUIRED = (
    *("host", "boot", "container.id", "devices", "driver", "packages.digest", "server_flags"),
)
"""What must be known on both sides before two environments can be called equal."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact that both sides tell, and tell differently; None is a package not installed."""

    field: str
    a: Scalar | None
    b: Scalar | None


@dataclass(frozen=True, slots=True)
class Untold:
    """A fact that one side or both do not tell: why not, and None on the side that tells it."""

    field: str
    a: str | None
    b: str | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two environments side by side. Nothing in `untold` is ever in `differs`."""

    same_session: bool
    differs: tuple[Difference, ...]
    packages: tuple[Difference, ...]
    """Which packages are behind a difference of `packages.digest`."""
    untold: tuple[Untold, ...]
    """Of `REQUIRED`: while any is left, nobody can say that the environments are equal."""
    one_sided: tuple[Untold, ...]
    """Of all others, those that exactly one side tells: a remark."""

    def undeclared(self, variables: Collection[str] = ()) -> tuple[Difference, ...]:
        """Return what differs although it is none of the declared `variables`.

        A variable covers its own parts: `engine` covers `engine.commit`.
        """
        return tuple(d for d in self.differs if not _covered(d.field, variables))


def compare(a: Sidecar, b: Sidecar) -> Comparison:
    """Return where `a` and `b` differ, and what one of them does not tell."""
    left, right = facts(a), facts(b)
    both = [name for name in left if name in right]
    single = sorted((left.keys() ^ right.keys()) - set(REQUIRED))
    counted = "devices" in left and "devices" in right and left["devices"] != right["devices"]
    return Comparison(
        same_session=same_session(a, b),
        differs=tuple(
            Difference(n, left[n], right[n]) for n in sorted(both) if left[n] != right[n]
        ),
        packages=_packages(a, b),
        untold=tuple(
            _untold(n, a, b, left, right) for n in REQUIRED if n not in left or n not in right
        ),
        one_sided=tuple(
            _untold(n, a, b, left, right)
            for n in single
            if not (counted and n.startswith("devices."))
        ),
    )


def same_session(a: Sidecar, b: Sidecar) -> bool:
    """Say whether both name one session, in one boot of one container as far as they tell."""
    sittings = [(side.session, side.boot, side.container and side.container.id) for side in (a, b)]
    return a.session is not None and sittings[0] == sittings[1]


def _packages(a: Sidecar, b: Sidecar) -> tuple[Difference, ...]:
    if a.packages is None or b.packages is None:
        return ()
    left, right = a.packages, b.packages
    names = sorted(left.keys() | right.keys())
    pairs = [Difference(name, left.get(name), right.get(name)) for name in names]
    return tuple(pair for pair in pairs if pair.a != pair.b)


def _untold(name: str, a: Sidecar, b: Sidecar, left: Facts, right: Facts) -> Untold:
    return Untold(
        name,
        None if name in left else _reason(a, name),
        None if name in right else _reason(b, name),
    )


def _reason(sidecar: Sidecar, name: str) -> str:
    told = sidecar.absent or {}
    return told.get(name) or told.get(name.partition(".")[0]) or "no reason given"


def _covered(field: str, variables: Collection[str]) -> bool:
    return any(field == name or field.startswith(f"{name}.") for name in variables)
