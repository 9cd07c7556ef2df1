"""Policy packs: what a claim must name, and how a page must quote it, beyond what holds everywhere.

::

    version: 1
    name: strict
    about: "…"
    facts: {hardware: [gpu, gpu_info, cpu]}     # which facts of a scope count as a field
    say: [hardware, comparator, commit, repetitions]
    comparator_days: 180
    misses_with_wins: true

`say` lists fields that every sentence names: of `facts`, or `comparator`, `commit`, `repetitions`.
Where several packs are in force, each of their demands is. Specification:
docs/reference/formats/policy-pack.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import Field

from claims.registers.model import Words
from engine import metrics
from receipts import files, yaml_source
from receipts.errors import Error, NotFoundError
from receipts.shape import Label, Shape, Whole

OWN = ("comparator", "commit", "repetitions")
"""Fields that are no facts of a scope."""
_SUFFIX = ".yaml"


class Pack(Shape):
    """One pack: switches and required fields; what it leaves out it does not ask for."""

    version: Annotated[Whole, Field(ge=1, le=1)]
    name: Label
    about: Words
    facts: dict[Label, list[Words]] = Field(default_factory=dict)
    say: list[Label] = Field(default_factory=list)
    comparator_days: Annotated[Whole, Field(ge=1)] | None = None
    repetitions: Annotated[Whole, Field(ge=1)] | None = None
    misses_with_wins: bool = False
    footnote: bool = False
    differences: bool = False
    unverified: Words | None = None
    primary: list[Words] | None = None


@dataclass(frozen=True)
class Policy:
    """The packs in force, read as one: each demand of each."""

    packs: tuple[Pack, ...] = ()
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the packs are called together."""
        return ", ".join(one.name for one in self.packs)

    @property
    def say(self) -> tuple[str, ...]:
        """The fields that a sentence names."""
        return tuple(dict.fromkeys(name for one in self.packs for name in one.say))

    @property
    def comparator_days(self) -> int | None:
        """The most days since the comparator's commit, None where nobody asks."""
        return min((p.comparator_days for p in self.packs if p.comparator_days), default=None)

    @property
    def repetitions(self) -> int:
        """The least number of repetitions, said or not; 1 where nobody asks."""
        return max((p.repetitions for p in self.packs if p.repetitions), default=1)

    @property
    def misses_with_wins(self) -> bool:
        """Whether a page that quotes a window's win must name its misses."""
        return any(one.misses_with_wins for one in self.packs)

    @property
    def footnote(self) -> bool:
        """Whether a sentence on a page needs a footnote with the id of its result."""
        return any(one.footnote for one in self.packs)

    @property
    def differences(self) -> bool:
        """Whether a sentence names everything in which the sides of a ratio differ."""
        return any(one.differences for one in self.packs)

    @property
    def unverified(self) -> str | None:
        """The word that a sentence carries while no auditor has vouched for its entry."""
        return next((one.unverified for one in self.packs if one.unverified), None)

    def derived(self, metric: str) -> bool:
        """Say whether the metric is none of those that a pack counts as measured directly."""
        return any(one.primary is not None and metric not in one.primary for one in self.packs)


def shipped() -> list[str]:
    """Return the names of the packs that come with the package."""
    found = (item.name for item in resources.files("claims.packs").iterdir())
    return sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX))


def together(packs: Sequence[Pack]) -> Policy:
    """Return the policy of these packs, which is all that any of them asks for."""
    facts: dict[str, tuple[str, ...]] = {}
    for one in packs:
        for name, listed in one.facts.items():
            facts[name] = tuple(dict.fromkeys((*facts.get(name, ()), *listed)))
    return Policy(tuple({one.name: one for one in packs}.values()), facts)


def pack(name: str, folder: Path) -> Pack:
    """Return a shipped pack by name, or an own one by its file.

    An own pack is named by a path that ends in `.yaml`, from the `folder` of its register.
    """
    if name.endswith(_SUFFIX):
        path = folder / name
        source = yaml_source.load(files.read(path, yaml_source.MAX_BYTES, "policy"), str(path))
    elif name in shipped():
        item = resources.files("claims.packs") / f"{name}{_SUFFIX}"
        source = yaml_source.load(item.read_bytes(), f"policy {name}")
    else:
        known = ", ".join(shipped())
        raise NotFoundError(f"no policy is called {name!r}; there are {known}, or give a .yaml")
    found = source.parse(Pack)
    for place, message in _faults(found):
        raise source.fault(place, message)
    return found


def _faults(found: Pack) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for number, name in enumerate(found.say):
        if name not in OWN and name not in found.facts:
            offered = ", ".join((*OWN, *found.facts))
            yield ("say", number), f"{name!r} is no field of `facts`; there are {offered}"
    for number, name in enumerate(found.primary or ()):
        try:
            metrics.metric(name)
        except Error as error:
            yield ("primary", number), str(error)
