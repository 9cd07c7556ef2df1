from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.numerals.numbers import UNITS, find, is_measurement


def read(text: str) -> list[tuple[str, str | None]]:
    return [(number.text, number.unit) for number in find(text)]


def test_the_example_at_the_head_of_the_module_holds():
    text = "1.20–1.24× at 1,234.5 tok/s, +12 % on GB10 with Q4_K_M since 2026-08-15"
    assert read(text) == [("1.20", "×"), ("1.24", "×"), ("1,234.5", "tok/s"), ("+12", "%")]


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("1,234.50", "1234.50", 2),
        ("1,234,567", "1234567", 0),
        (".5", "0.5", 1),
        ("1e-4", "0.0001", 4),
        ("2.5e3", "2500", -2),
        ("+3", "3", 0),
        ("-3", "-3", 0),
        ("−3.0", "-3.0", 1),
        ("–3", "-3", 0),
        ("35k tok/s", "35000", -3),
        ("1.2 million tokens per second", "1200000", -5),
        ("３５ tok/s", "35", 0),
        ("131k", "131000", -3),
        ("1.5M", "1500000", -5),
        ("2 million", "2000000", -6),
        ("10^6", "1000000", -6),
        ("10^-3", "0.001", 3),
        ("½", "0.5", 1),
        ("1½", "1.5", 1),
    ],
)
def test_value_and_last_digit_are_exact(text: str, value: str, decimals: int):
    (number,) = find(text)
    assert (number.value, number.decimals) == (Decimal(value), decimals)


@pytest.mark.parametrize(
    "text",
    [
        *("Q4_K_M", "GB10", "INT8", "v0.6.0", "H100", "llama-3.1-8B", "Qwen2.5-7B", "SHA-256"),
        *("#4879", "pp512", "2026-08-15", "2026-08-15T10:00:00Z", "2026/08/15", "12:30", "9:05:01"),
        *("https://a.example/35?x=3", "www.a.example/3", "10.0.0.1", "10.0.0.1:80", "0.6.0-rc1"),
        *("3e8f1a2", "1234e567", "deadbeef12", "0x1F", "1_000", "8x7B", "2x32", "7B"),
        *("4-bit", "1st", "1990s", "sm_120"),
    ],
)
def test_digits_inside_a_name_a_date_or_an_address_are_no_number(text: str):
    assert find(text) == []
    assert find(f"({text}), {text}.") == []


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        *(("35 tok/s", "tok/s"), ("35 t/s", "tok/s"), ("35tokens/sec", "tok/s")),
        *(("35 Tokens per  second", "tok/s"), ("35 tokens/s/user", "tok/s/user")),
        *(("35 tok/s/GPU", "tok/s/GPU"), ("3 requests/second", "req/s")),
        *(("3 us", "µs"), ("3 µs", "µs"), ("3 μs", "µs"), ("35-ms", "ms"), ("2 s", "s")),
        *(("3 ms/token", "ms/token"), ("5 min", "min"), ("24h", "h"), ("64 B", "B")),
        *(("24GB", "GB"), ("3 GiB/s", "GiB/s"), ("8 Gbit/s", "Gbps"), ("3 kB", "KB")),
        *(
            ("3 TFLOPS", "TFLOP/s"),
            ("3 PFLOPs/sec", "PFLOP/s"),
            ("330W", "W"),
            ("2 J/tok", "J/token"),
        ),
        *(("12 %", "%"), ("12\u00a0%", "%"), ("12\u202f%", "%"), ("12\u2009percent", "%")),
        *(
            ("2 pp", "pp"),
            ("1.05×", "×"),
            ("1.05x", "×"),
            ("1.05 ×", "×"),
            ("3X.", "×"),
            ("6.1 PPL", "ppl"),
        ),
        *(("1.317†", None), ("3 nats", "nats"), ("2 percentage points", "pp")),
        *(("35 tok/s/node", "tok/s/node"), ("5 s/step", "s/step"), ("35\u200btok/s", "tok/s")),
        *(("35 tok/s的", "tok/s"), ("35", None), ("35 apples", None), ("35 msx", None)),
    ],
)
def test_units_have_one_canonical_spelling(text: str, unit: str | None):
    (number,) = find(text)
    assert number.unit == unit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9–38%", [("9", "%"), ("38", "%")]),
        ("9-38 ms", [("9", "ms"), ("38", "ms")]),
        ("3~28x", [("3", "×"), ("28", "×")]),
        ("5% ~ 15%", [("5", "%"), ("15", "%")]),
        ("5%-15%", [("5", "%"), ("15", "%")]),
        ("5 to 10 ms", [("5", "ms"), ("10", "ms")]),
        ("between 5 and 10 ms", [("5", "ms"), ("10", "ms")]),
        ("Between 5 and −10 ms", [("5", "ms"), ("−10", "ms")]),
        ("35 ± 2 tok/s", [("35", "tok/s"), ("2", "tok/s")]),
        ("0.97 → 0.98 → 1.02×", [("0.97", "×"), ("0.98", "×"), ("1.02", "×")]),
        ("9.41/8.52/8.31 Gbps", [("9.41", "Gbps"), ("8.52", "Gbps"), ("8.31", "Gbps")]),
        ("9.1%/26.4%", [("9.1", "%"), ("26.4", "%")]),
        ("65k/131k", [("65k", None), ("131k", None)]),
        ("5/5", [("5", None), ("5", None)]),
        ("15 of 15", [("15", None), ("15", None)]),
        ("1 → −3 %", [("1", "%"), ("−3", "%")]),
    ],
)
def test_in_a_range_the_last_unit_holds_for_all(text: str, expected: list[tuple[str, str]]):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("46.6 against 25.0 tok/s", ["tok/s", "tok/s"]),
        ("46.6 vs. 25.0 tok/s", ["tok/s", "tok/s"]),
        ("46.6 instead of 25.0 tok/s", ["tok/s", "tok/s"]),
        ("of 2048 against 25.0 tok/s", [None, "tok/s"]),
        ("46.60 against 25.0 tok/s", [None, "tok/s"]),
        ("1.86 times as fast", ["×"]),
        ("1.86 times", ["×"]),
        ("3 times faster", ["×"]),
        ("3 times the rate", ["×"]),
        ("measured 5 times", [None]),
        ("measured 5 times as a check", [None]),
        ("133.5 tokens a second", ["tok/s"]),
        ("133.5 tok per second", ["tok/s"]),
        ("5.8 k tok/s", ["tok/s"]),
    ],
)
def test_times_and_what_is_set_against_another_have_their_unit(text: str, units: list[str | None]):
    assert [number.unit for number in find(text)] == units


def test_what_only_stands_beside_a_unit_does_not_take_it():
    assert read("batch 32 – 35 tok/s") == [("32", None), ("35", "tok/s")]
    assert read("12, 35 tok/s") == [("12", None), ("35", "tok/s")]
    assert read("in 5 and 10 ms") == [("5", None), ("10", "ms")]
    assert read("between 5, 7 and 10 ms") == [("5", None), ("7", None), ("10", "ms")]
    assert read("between 5 runs and 10 ms") == [("5", None), ("10", "ms")]
    assert read("2 x 32 and 2 × 32 GB") == [("2", None), ("32", None), ("2", None), ("32", "GB")]
    assert read("0.61 s/1.06 s") == [("0.61", "s"), ("1.06", "s")]


@pytest.mark.parametrize("text", ["1.05-fold", "1.05 fold", "1.05fold", "1.05-Fold gain"])
def test_a_fold_is_a_multiple(text: str):
    assert read(text) == [("1.05", "×")]


@pytest.mark.parametrize("text", ["3 folds", "3-folder", "3 foldable ones"])
def test_what_only_begins_like_a_fold_is_none(text: str):
    assert all(unit is None for _, unit in read(text))


def test_a_missing_space_after_a_full_stop_hides_no_number():
    assert read("It is faster.1.05× now, at n=5, 速度35 tok/s") == [
        ("1.05", "×"),
        ("5", None),
        ("35", "tok/s"),
    ]


def test_rates_ratios_and_latencies_are_measurements_and_sizes_are_not():
    measured = {"tok/s", "req/s", "ms", "s", "×", "%", "pp", "GB/s", "TFLOP/s", "W", "J", "ppl"}
    assert all(map(is_measurement, measured | {"tok/s/node", "s/step"}))
    assert not any(map(is_measurement, [None, "B", "GiB", "min", "h", "GB/rank"]))


def test_a_second_is_a_thousand_milliseconds_and_a_byte_is_eight_bits():
    assert UNITS["s"].dimension == UNITS["ms"].dimension
    assert UNITS["s"].factor == 1000 * UNITS["ms"].factor
    assert UNITS["h"].factor == 60 * UNITS["min"].factor == 3600
    assert UNITS["GB/s"].factor == 8 * UNITS["Gbps"].factor
    assert UNITS["GiB"].factor == Fraction(1024**3)
    assert len({UNITS[name].dimension for name in ("%", "pp", "×", "tok/s", "tok/s/GPU")}) == 5


PIECES = st.sampled_from(
    [*"1.,-–−+ x×ekB%/:→±~a_#v速T\u00a0", "23", "1,234", "tok/s", "ms", "to ", "://"]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text())
def test_numbers_are_where_they_say_in_order_and_apart(text: str):
    end = 0
    for number in find(text):
        assert end <= number.start < number.end
        assert text[number.start : number.end] == number.text
        assert -number.decimals == number.value.as_tuple().exponent
        end = number.end


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3), st.sampled_from(sorted(UNITS)))
def test_whatever_is_written_plainly_is_read_back(value: Decimal, unit: str):
    (number,) = find(f"It is {value:f} {unit}, it seems.")
    assert (number.value, number.decimals, number.unit) == (value, 3, unit)
