import pytest

from engine.schedule import alternate


@pytest.mark.parametrize(
    ("repetitions", "order"),
    [
        (0, ""),
        (1, "A0 B0"),
        (2, "A0 B0 B1 A1"),
        (5, "A0 B0 B1 A1 A2 B2 B3 A3 A4 B4"),
    ],
)
def test_the_arms_alternate_in_mirrored_pairs(repetitions, order):
    walked = " ".join(f"{arm}{number}" for arm, number in alternate("A", "B", repetitions))

    assert walked == order
