"""Numbers with units: what is one, what is only a part of a name, and what rounding leaves open."""

from decimal import Decimal
from fractions import Fraction

import pytest

from ledger import quantity
from ledger.quantity import Quantity


def found(text: str) -> list[tuple[str, str | None]]:
    return [(str(q.value), q.unit) for q in quantity.find(quantity.plain(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30.7 → 294 tok/s @2K", [("30.7", "tok/s"), ("294", "tok/s")]),
        ("176→8.5 ms/layer", [("176", "ms/layer"), ("8.5", "ms/layer")]),
        ("100->120 t/s", [("100", "tok/s"), ("120", "tok/s")]),
        ("1,204.50 tokens/s", [("1204.50", "tok/s")]),
        ("**47.2 → 48.2** (+2.0%)", [("47.2", None), ("48.2", None), ("2.0", "%")]),
        ("−2.3/−4.7%", [("-2.3", "%"), ("-4.7", "%")]),
        ("1.52x and 2.43×", [("1.52", "×"), ("2.43", "×")]),
        ("12 µs, 12 μs, 12us", [("12", "µs")] * 3),
        ("1.2 s → 850 ms", [("1.2", "s"), ("850", "ms")]),
        ("+22.6 pp", [("22.6", "pp")]),
        ("~~+26%~~ +11%", [("11", "%")]),
        ("512MiB", [("512", "MiB")]),
        ("70 ± 1.2 → 80 ms ± 3 ms", [("70", "ms"), ("80", "ms")]),
        ("3&nbsp;ms", [("3", "ms")]),
    ],
)
def test_numbers_are_read_with_their_units(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "tg128", "KD=8", "@2K", "@ 2,048:", "7B", "q4_K", "4-warp", "32×32", "4xA100", "LDS.64",
        "2026-09-06", "#123", "r7–r8", "wide-16", "GB10", "sm_120", "±2%",
    ],
)  # fmt: skip
def test_digits_of_a_name_are_no_number(text: str) -> None:
    assert found(text) == []


def test_a_range_has_two_ends_and_one_unit() -> None:
    (q,) = quantity.find("43.2–45.1 ms")
    assert (q.value, q.until, q.unit) == (Decimal("43.2"), Decimal("45.1"), "ms")
    assert [end.value for end in q.ends()] == [q.value, q.until]


def test_a_thousand_written_k_keeps_its_place() -> None:
    (q,) = quantity.find("45.5k tok/s")
    assert (q.value, q.interval()) == (45500, (45450, 45550))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("42.2", "42.15", "42.25"),
        ("~42.2", "42.05", "42.35"),
        ("≈ 942", "940.5", "943.5"),
        ("~1400", "1250", "1550"),
        ("1400", "1399.5", "1400.5"),
        ("−0.30", "-0.305", "-0.295"),
        ("10–15", "9.5", "15.5"),
    ],
)
def test_the_interval_is_what_rounding_leaves_open(text: str, low: str, high: str) -> None:
    (q,) = quantity.find(text)
    assert q.interval() == (Fraction(low), Fraction(high))


@pytest.mark.parametrize(
    ("unit", "polarity"),
    [("tok/s", "up"), ("ms", "down"), ("MiB", "down"), ("GB/s", "up"), ("ms/layer", "down")],
)
def test_rates_are_better_up_and_times_and_memory_down(unit: str, polarity: str) -> None:
    known = quantity.unit(unit)
    assert known is not None
    assert known.polarity == polarity


def test_a_unit_that_nobody_knows_has_no_direction() -> None:
    assert quantity.unit("M/GMAC") is None
    assert quantity.unit(None) is None


def test_a_quantity_can_be_made_by_hand() -> None:
    assert Quantity("5.0 ms", Decimal("5.0"), 1, "ms").interval() == (
        Fraction("4.95"),
        Fraction("5.05"),
    )
