"""The order of repetitions: AB BA AB BA …, so that drift lands on both arms alike."""


def alternate(baseline: str, candidate: str, repetitions: int) -> list[tuple[str, int]]:
    """Return (arm, repetition) in the order in which they run; repetitions count from 0."""
    order: list[tuple[str, int]] = []
    for repetition in range(repetitions):
        pair = (baseline, candidate) if repetition % 2 == 0 else (candidate, baseline)
        order.extend((arm, repetition) for arm in pair)
    return order
