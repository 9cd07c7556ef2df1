"""The gate before the figures: whether all repetitions of both arms gave the same tokens."""

from claims.recount.archive import Archive, UnavailableError
from receipts.receipt import Receipt
from receipts.statement import WindowPredicate


def gate_result(archive: Archive, window: Receipt, predicate: WindowPredicate) -> str:
    """Return `exact`, `differs` or `ungated`, from the tokens, and the logits if compared."""
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
    if not kept:
        raise UnavailableError("not recomputable", f"the rows kept no {compared}")
    return "exact" if all(len(set(values)) == 1 for values in told) else "differs"
