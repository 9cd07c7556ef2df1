"""The self-test as a whole: of the checker on a ledger made for it, or of somebody's own pages."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from claims import examining
from claims.checks.baseline import Baseline
from claims.checks.checking import Run
from claims.checks.page import Checker
from claims.desk import Desk
from claims.formats.outcome import Outcome
from claims.pages import reading
from claims.scanner import vocabulary_file
from claims.scanner.vocabulary import DEFAULT
from claims.selftest import attacks, demo_page, killing, mutants, releasing, running, stage
from claims.selftest.arena import MAIN, Arena, Setting, open_arena
from claims.selftest.killing import Examine
from claims.selftest.pages import PageReading
from claims.selftest.result import Result
from claims.selftest.running import Failure
from claims.selftest.stage import Stage
from receipts import exits
from receipts.clock import Clock

Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Draws how far something is; from name and length, a function that is told how much more."""

_STEPS = 2


def of_the_rules(progress: Progress, clock: Clock) -> Result:
    """Attack the checker, and kill the mutants of the built-in pages."""
    started, result = clock(), Result()
    with stage.open_stage() as place, progress("making a ledger", _STEPS) as tick:
        tick(1)
        with open_arena(place) as arena:
            tick(1)
            _attack(arena, result, progress)
            _mutate(arena, result, progress)
            _release(place, arena, result)
    result.seconds = (clock() - started).total_seconds()
    return result


def _attack(arena: Arena, result: Result, progress: Progress) -> None:
    result.attacks = len(attacks.ALL)
    result.attacked = frozenset(code for one in attacks.ALL for code in one.codes)
    with progress("attacks", result.attacks) as tick:
        for one in attacks.ALL:
            tick(1)
            _sort(running.run(arena, one), result)


def _release(place: Stage, arena: Arena, result: Result) -> None:
    result.attacks += len(releasing.ATTACKS)
    result.attacked |= frozenset(releasing.ATTACKS.values())
    _sort(releasing.run(place, arena[MAIN]), result)


def _sort(found: Iterable[Failure], result: Result) -> None:
    """Tell attacks that were not caught from twins that were refused."""
    for failure in found:
        (result.refused if failure.is_twin else result.missed).append(failure)


def _mutate(arena: Arena, result: Result, progress: Progress) -> None:
    setting = arena[MAIN]
    for name, text in demo_page.pages(setting).items():
        page = PageReading(name, text, setting.desk, DEFAULT)
        kill(page, partial(_examined, setting, name), result, progress)


def _examined(setting: Setting, name: str, source: str) -> Outcome:
    return setting.examine({name: source})


def of_pages(
    desk: Desk,
    given: Sequence[Path],
    held: Baseline | None,
    progress: Progress,
    clock: Clock,
) -> Result:
    """Kill the mutants of these pages in their own workspace, in which nothing is written."""
    started, result = clock(), Result()
    place = desk.here.workspace
    words = vocabulary_file.read(place.root / name for name in place.configuration.vocabulary)
    checker = desk.checker()
    run = Run(place.root, given=True, baseline=held)
    for path in _pages(desk, given):
        page = PageReading(str(path), reading.text(path), desk, words)
        examine = partial(_checked, desk, checker, run, page.name)
        kill(page, examine, result, progress)
    result.seconds = (clock() - started).total_seconds()
    return result


def _checked(desk: Desk, checker: Checker, run: Run, name: str, source: str) -> Outcome:
    return examining.examine(desk, checker, run, [(name, source)], lambda _: source)


def _pages(desk: Desk, given: Sequence[Path]) -> Iterable[Path]:
    return reading.pages(given) if given else reading.documents(desk.here.workspace)


def kill(page: PageReading, examine: Examine, result: Result, progress: Progress) -> None:
    """Make the mutants of one page and add up what became of them."""
    if examine(page.source).code != exits.OK:
        result.skipped.append(page.name)
        return
    made = list(mutants.make(page))
    result.mutants += len(made)
    with progress(f"mutants of {page.name}", len(made)) as tick:
        found = killing.survivors(page.name, page.source, made, examine, tick)
        result.survivors.extend(found)
