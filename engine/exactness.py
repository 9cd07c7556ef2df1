"""The gate before any timing: all repetitions of both arms must have produced the same tokens.

Where the engine keeps the last logit row, its digest can be compared as well; where it was fed
given tokens, what it would have chosen at each place, also behind the first difference. That
difference is named by arm, repetition and position; no timing of arms that differ is printed
anywhere.
"""

from collections.abc import Mapping

from engine.results.model import Run
from receipts.digest import Digest
from receipts.errors import UndecidedError
from receipts.predicates import Exactness

FORCED = "tokens-and-forced"


def compare(runs: Mapping[str, Run], compared: str) -> Exactness:
    """Compare every repetition of every arm with the first repetition of the first arm.

    `compared` is `tokens`, `tokens-and-logits`, `tokens-and-forced`, or `none` where the plan
    dropped the gate. Raises `UndecidedError` when an arm kept no tokens, or was fed others than the
    first arm: what cannot be compared is not exact.
    """
    if compared == "none":
        return Exactness(result="ungated", compared=compared)
    for arm, run in runs.items():
        require_kept(arm, run, compared)
    differences = [_first_difference(runs, logits=compared == "tokens-and-logits")]
    if compared == FORCED:
        _require_fed_alike(runs)
        differences.append(_forced_difference(runs))
    if difference := "; ".join(each for each in differences if each):
        return Exactness(result="differs", compared=compared, first_difference=difference)
    return Exactness(result="exact", compared=compared)


def require_kept(arm: str, run: Run, compared: str) -> None:
    """Return if `run` kept what is to be compared; else raise `UndecidedError`."""
    kept = {"tokens-and-logits": run.logits, FORCED: run.forced}.get(compared, run.tokens)
    if not (run.tokens and kept):
        raise UndecidedError(f"arm {arm} kept no {compared}: exactness cannot be decided")


def _first_difference(runs: Mapping[str, Run], *, logits: bool) -> str | None:
    reference_arm, reference = next(iter(runs.items()))
    for arm, run in runs.items():
        for repetition, tokens in enumerate(run.tokens):
            place = _differs(reference.tokens[0], tokens)
            if place is not None:
                ours, theirs = _at(tokens, place), _at(reference.tokens[0], place)
                return (
                    f"{arm} repetition {repetition} has token {ours} at {place}, "
                    f"{reference_arm} repetition 0 has {theirs}"
                )
        for repetition, digest in enumerate(run.logits if logits else ()):
            if digest != reference.logits[0]:
                return f"{arm} repetition {repetition} has other logits after equal tokens"
    return None


def _require_fed_alike(runs: Mapping[str, Run]) -> None:
    fed = {arm: run.config.get("forced.digest") for arm, run in runs.items()}
    if len(set(fed.values())) > 1:
        raise UndecidedError(f"arms {', '.join(fed)} were fed other tokens: nothing to compare")


def _forced_difference(runs: Mapping[str, Run]) -> str | None:
    """Return where another token would have been chosen first, and at how many places the same."""
    reference_arm, reference = next(iter(runs.items()))
    wanted = reference.forced[0]
    for arm, run in runs.items():
        for repetition, chosen in enumerate(run.forced):
            place = _differs(wanted, chosen)
            if place is not None:
                same = sum(a == b for a, b in zip(wanted, chosen, strict=False))
                return (
                    f"fed with the same tokens, {arm} repetition {repetition} would choose "
                    f"{_at(chosen, place)} at {place}, {reference_arm} repetition 0 "
                    f"{_at(wanted, place)}; both choose alike at {same} of {len(wanted)} places"
                )
    return None


def _differs(one: tuple[int, ...], other: tuple[int, ...]) -> int | None:
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return place
    return min(len(one), len(other)) if len(one) != len(other) else None


def _at(tokens: tuple[int, ...], place: int) -> str:
    return str(tokens[place]) if place < len(tokens) else "none"


def row_digests(rows: bytes, width: int) -> list[Digest]:
    """Return the SHA-256 of every logit row; `rows` are 4-byte little-endian numbers, row-major."""
    size = _row_bytes(rows, width)
    return [Digest.of(rows[start : start + size]) for start in range(0, len(rows), size)]


def first_row_difference(one: bytes, other: bytes, width: int, start: int = 0) -> str | None:
    """Return where two runs fed with the same tokens first have another logit, None for nowhere.

    Rows are compared bit by bit: 0 and -0 differ, and so do two NaNs of other bits. `start` is the
    position of the first row in the sequence.
    """
    size = _row_bytes(one, width)
    if _row_bytes(other, width) != size or len(one) != len(other):
        rows = f"{len(one) // size} and {len(other) // size}"
        raise UndecidedError(f"{rows} logit rows: exactness cannot be decided")
    place = next(
        (at for at in range(0, len(one), size) if one[at : at + size] != other[at : at + size]),
        None,
    )
    if place is None:
        return None
    index = next(
        at for at in range(place, place + size, 4) if one[at : at + 4] != other[at : at + 4]
    )
    bits = [int.from_bytes(rows[index : index + 4], "little") for rows in (one, other)]
    position = start + place // size
    return f"position {position}, index {(index - place) // 4}: {bits[0]:#010x} and {bits[1]:#010x}"


def _row_bytes(rows: bytes, width: int) -> int:
    if not rows or width < 1 or len(rows) % (4 * width):
        raise UndecidedError(f"{len(rows)} bytes are no logit rows of {width} numbers")
    return 4 * width
