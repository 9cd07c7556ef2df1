"""What a correction strikes beyond the entries it names: every run with these facts.

A selector (binary, commit, window, cell) is stored with what it resolved to: the receipts of the
runs and windows concerned, and the entries that cite them. Later citations of the same runs are
struck too, because the receipts stand in the correction.
"""

from collections.abc import Iterator, Mapping

from ledger.bodies import Experiment, Run
from ledger.session import Session
from receipts import receipt as receipts_format
from receipts.digest import Digest
from receipts.errors import Error, NotFoundError
from receipts.predicates import RunPredicate, WindowPredicate
from receipts.receipt import SCHEME, Receipt

NAMES = ("binary", "commit", "window", "cell")


def resolve(here: Session, wanted: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return the receipts of the runs that have all facts wanted, and the entries citing them.

    Raises `NotFoundError` when no run has them.
    """
    if "binary" in wanted:
        Digest.parse(wanted["binary"])
    struck = [uri for uri, body in _runs(here) if _has(here, uri, body, wanted)]
    if not struck:
        facts = ", ".join(f"{name} {value}" for name, value in wanted.items())
        raise NotFoundError(f"no run on record has {facts}; `receipts show` prints a run's facts")
    return struck, list(_citing(here, set(struck)))


def _runs(here: Session) -> Iterator[tuple[str, Run]]:
    for index in here.ledger.index.of_kinds("RUN"):
        body = here.ledger.entry(index).body
        if isinstance(body, Run) and body.receipt:
            yield body.receipt, body


def _citing(here: Session, struck: set[str]) -> Iterator[str]:
    for index in here.ledger.index.of_kinds("ENTRY"):
        found = here.ledger.entry(index)
        cited = found.body.evidence if isinstance(found.body, Experiment) else None
        if any(item.receipt in struck for item in cited or ()):
            yield found.id


def _has(here: Session, uri: str, body: Run, wanted: Mapping[str, str]) -> bool:
    placed = {"window": body.window, "cell": body.cell}
    if any(placed[name] != wanted[name] for name in placed if name in wanted):
        return False
    named = {name: wanted[name] for name in ("binary", "commit") if name in wanted}
    return not named or any(_agrees(run, named) for run in _measured(here, uri))


def _agrees(run: RunPredicate, named: Mapping[str, str]) -> bool:
    told = {"commit": run.identity["build_commit"]} if "build_commit" in run.identity else {}
    facts = told | run.identity
    return all(name in facts and str(facts[name]) == value for name, value in named.items())


def _measured(here: Session, uri: str) -> Iterator[RunPredicate]:
    """Yield the run of a receipt, or the run of every repetition of a window's."""
    predicate = _open(here, uri).predicate
    if isinstance(predicate, RunPredicate):
        yield predicate
    elif isinstance(predicate, WindowPredicate):
        opened = (_open(here, SCHEME + item.receipt) for item in predicate.repetitions)
        yield from (one.predicate for one in opened if isinstance(one.predicate, RunPredicate))


def _open(here: Session, uri: str) -> Receipt:
    digest = receipts_format.digest_of(uri)
    try:
        return receipts_format.parse(here.workspace.receipts.get(digest))
    except Error as error:
        raise type(error)(f"cannot tell which runs are meant: {error}") from error
