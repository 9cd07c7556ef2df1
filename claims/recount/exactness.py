"""The gate before the figures: whether all repetitions of both arms gave the same tokens."""

from claims.recount.archive import Archive, UnavailableError
from receipts.predicates import WindowPredicate
from receipts.receipt import Receipt

NO_RATIO = "arms whose tokens differ have no ratio, and their timings are not shown"


def gate_result(archive: Archive, window: Receipt, predicate: WindowPredicate) -> str:
    """Return `exact`, `differs` or `ungated`, from the tokens, and what else was compared."""
    compared = predicate.exactness.compared
    if compared == "none":
        return "ungated"
    runs = [
        run
        for arm in (predicate.baseline, predicate.candidate)
        for _, run in archive.arm(window, predicate, arm).parts
    ]
    told: list[list[object]] = [[tokens for run in runs for tokens in run.tokens]]
    kept = all(run.tokens for run in runs)
    if compared == "tokens-and-logits":
        told.append([digest for run in runs for digest in run.logits])
        kept = kept and all(run.logits for run in runs)
    if compared == "tokens-and-forced":
        told.append([chosen for run in runs for chosen in run.forced])
        fed = {run.config.get("forced.digest") for run in runs}
        kept = kept and all(run.forced for run in runs) and len(fed) == 1
    if not kept:
        raise UnavailableError("not recomputable", f"the rows kept no {compared}")
    return "exact" if all(len(set(values)) == 1 for values in told) else "differs"


def require_exact(archive: Archive, window: Receipt, predicate: WindowPredicate) -> None:
    """Refuse a window whose tokens differ: nothing is computed from it."""
    if gate_result(archive, window, predicate) == "differs":
        raise UnavailableError("not recomputable", NO_RATIO)
