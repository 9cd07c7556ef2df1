"""The generated regions of several pages, all written or none."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

from claims.checks import quoting
from claims.desk import Desk
from claims.judging import qualifiers
from claims.judging.judgement import Judgement
from claims.markers.binding import Problem
from claims.pages import reading
from claims.publishing import generated, replacing
from claims.publishing.generated import Region
from claims.rules import Refusal


@dataclass(frozen=True)
class Page:
    """A page as it is, its regions, and how it reads once they are written."""

    path: Path
    source: str
    renewed: str
    regions: tuple[Region, ...]

    @property
    def stale(self) -> tuple[Region, ...]:
        """The regions that are not as they would be written."""
        return tuple(one for one in self.regions if one.stale)

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"file": str(self.path), "regions": [asdict(one) for one in self.regions]}

    def difference(self) -> list[str]:
        """Return what writing changes, as lines of a unified diff."""
        sides = (self.source.splitlines(), self.renewed.splitlines())
        return list(unified_diff(*sides, str(self.path), str(self.path), lineterm=""))


@dataclass(frozen=True)
class Plan:
    """What writing comes to: the pages, what forbids it, and what readers should see beside."""

    pages: tuple[Page, ...]
    refusals: tuple[Refusal, ...]
    beside: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many regions there are."""
        return sum(len(page.regions) for page in self.pages)

    @property
    def stale(self) -> list[tuple[Page, Region]]:
        """Every region that is not as it would be written, with its page."""
        return [(page, one) for page in self.pages for one in page.stale]


def plan(desk: Desk, paths: Iterable[Path]) -> Plan:
    """Return what writing the regions of these pages comes to; nothing is written."""
    sources = {path: reading.text(path) for path in paths}
    found = {path: generated.find(source) for path, source in sources.items()}
    named = dict.fromkeys(one.claim for page in found.values() for one in page.regions)
    done = {
        claim: desk.judge.judge(desk.register.find(claim))
        for claim in named
        if claim in desk.register.claims
    }
    refusals = [one for path, page in found.items() for one in _refused(desk, path, page, done)]
    if refusals:
        pages = (Page(path, page.source, page.source, page.regions) for path, page in found.items())
        return Plan(tuple(pages), tuple(refusals))
    sentences = {claim: str(one.sentence) for claim, one in done.items()}
    pages_, told = [], []
    for path, source in sources.items():
        new = generated.renew(source, sentences)
        told += [Refusal(p.code, p.message, p.claim, _at(path, p)) for p in new.problems]
        pages_.append(Page(path, source, new.source, new.regions))
    beside = (f"{claim}: {line}" for claim, one in done.items() for line in qualifiers.lines(one))
    return Plan(tuple(pages_), tuple(told), tuple(beside))


def write(planned: Plan) -> list[Path]:
    """Replace every page that has a stale region; return which they were."""
    changed = [page for page in planned.pages if page.renewed != page.source]
    for page in changed:
        replacing.replace(page.path, page.source, page.renewed)
    return [page.path for page in changed]


def _refused(
    desk: Desk, path: Path, found: generated.Renewed, done: dict[str, Judgement]
) -> list[Refusal]:
    """Return what is wrong with the regions of a page, and with the claims that they are of."""
    told = [Refusal(one.code, one.message, one.claim, _at(path, one)) for one in found.problems]
    for region in found.regions:
        place = _at(path, region)
        if region.claim not in done:
            told.append(quoting.absent(desk.register, region.claim, place))
            continue
        refusals = done[region.claim].refusals
        told += [Refusal(one.code, one.message, region.claim, place) for one in refusals]
    return told


def _at(path: Path, one: Problem | Region) -> str:
    return f"{path}:{one.line}:{one.column}"
