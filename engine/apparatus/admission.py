"""Around one run: who is there before it, what happens during it, what is left after it.

1. forbidden words, a lock that does not hold   refused before anything is asked
2. the driver's holders, the process list       refused, exit 75
3. a measured quiet period                      refused, exit 75
4. the run itself, sampled once a second        taints; void by a wireless connection
5. drain and a second quiet period              a holder that is left: exit 75, the run is kept
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.apparatus import drain, forbidden, holders, machine, pressure, processes, quiet
from engine.apparatus.lease import Lease
from engine.apparatus.pressure import Look
from engine.apparatus.sampling import Sampler
from engine.apparatus.terms import Terms
from receipts.errors import HeldError
from receipts.predicates import Apparatus, Connection, Facts


@dataclass
class Watch:
    """What was seen around a run, while it grows and when it is complete."""

    terms: Terms
    lease: Lease
    taints: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    quiet: Facts = field(default_factory=dict)
    found: holders.Found = field(default_factory=lambda: holders.Found((), (), None))
    samples: Facts = field(default_factory=dict)
    rows: bytes = b""
    drained: Facts = field(default_factory=dict)
    devices: Facts = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    connections: list[Connection] = field(default_factory=list)
    void: str | None = None
    """Why the run counts for nothing, however it ended; None where it may count."""
    refusal: str | None = None
    """Who is still on a device after the run, None when nobody is."""

    interrupted: bool = False

    def apparatus(self) -> Apparatus:
        """Return what a receipt says about all this."""
        described = machine.describe()
        return Apparatus(
            terms=self.terms.facts(),
            machine=described.facts | self.devices,
            absent=described.absent | self.absent,
            quiet=self.quiet,
            samples=self.samples,
            holders=list(self.found.holders),
            residents=list(self.found.residents),
            drained=self.drained,
            connections=self.connections or None,
        )


def admit(terms: Terms, lease: Lease, command: Sequence[str]) -> Watch:
    """Return the watch over a run that may start; raise the refusal of one that may not.

    `ForbiddenError` for the command itself, `HeldError` for everything that may pass.
    """
    watch = Watch(terms, lease, warnings=list(lease.notes))
    watch.taints += forbidden.require(command, admit_profiler=terms.admit_profiler)
    if faults := lease.faults():
        raise HeldError(f"{faults[0]}; nothing was started")
    readings = [terms.asked().read(device) for device in terms.devices]
    watch.found = holders.judge(readings, terms.residents, terms.limits, processes.suspects())
    if watch.found.refusal:
        raise HeldError(watch.found.refusal)
    _describe(watch, "before")
    _be_quiet(watch, "before")
    return watch


@contextmanager
def over(watch: Watch) -> Iterator[Sampler]:
    """Sample while the run runs; afterwards drain, be quiet, and note what became of it all."""
    terms = watch.terms
    first = pressure.look()
    sampler = Sampler(terms.asked(), watch.lease, terms.devices, terms.residents, terms.limits)
    with sampler:
        yield sampler
        last = pressure.look()
    try:
        _conclude(watch, sampler, first, last)
    except KeyboardInterrupt:
        # The run is over and goes on record; only what comes after it was cut short.
        watch.interrupted = True
        watch.taints.append("interrupted after the run, before it was known to be quiet")


def _conclude(watch: Watch, sampler: Sampler, first: Look, last: Look) -> None:
    terms, span = watch.terms, pressure.between(first, last)
    watch.taints += [*sampler.taints(), *span.taints(terms.limits)]
    watch.warnings += sampler.warnings()
    watch.samples = sampler.facts() | span.facts | pressure.told(last)
    watch.rows = sampler.rows()
    watch.absent |= {f"samples.{name}": why for name, why in last.absent.items()}
    watch.absent |= sampler.absent()
    watch.connections = sampler.connections.listed()
    watch.void = next(iter(sampler.connections.voids()), None)
    if terms.devices:
        _drain(watch)
        _describe(watch, "after")
    if watch.refusal is None:
        _be_quiet(watch, "after")
    lost = [fault for fault in watch.lease.faults() if fault not in watch.taints]
    watch.taints += lost


def _drain(watch: Watch) -> None:
    terms = watch.terms
    # The group has been ended with its leader (`process`); what is left is others'.
    done = drain.drain(terms.asked(), terms.devices, terms.limits, residents=terms.residents)
    watch.drained = done.facts() | {f"holder.{at}": told for at, told in enumerate(done.holders)}
    if done.refusal:
        watch.refusal = done.refusal
        watch.taints.append(done.refusal)


def _be_quiet(watch: Watch, when: str) -> None:
    terms = watch.terms
    if not terms.quiet:
        return
    period = quiet.measure(terms.quiet, terms.asked(), terms.devices, terms.limits)
    watch.quiet |= {f"{when}.{name}": value for name, value in period.facts().items()}
    if period.loud is None:
        return
    if when == "before":
        raise HeldError(f"not quiet before the run: {period.loud}")
    watch.taints.append(f"not quiet after the run: {period.loud}")


def _describe(watch: Watch, when: str) -> None:
    for device in watch.terms.devices:
        facts, absent = watch.terms.asked().state(device)
        watch.devices |= {f"{device}.{when}.{name}": value for name, value in facts.items()}
        told: dict[str, Any] = {f"{device}.{name}": why for name, why in absent.items()}
        watch.absent |= told
