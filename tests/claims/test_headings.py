"""Header and row of a cell say which statistic its number is, or nothing at all."""

import pytest

from claims.checks import headings
from claims.checks.view import header_unit

RATE, TIME = "decode_tok_s", "ttft_ms"


@pytest.mark.parametrize(
    ("text", "statistic", "metric", "word"),
    [
        ("mean (tok/s)", "median", RATE, "mean"),
        ("max", "median", RATE, "max"),
        ("p99 TTFT (ms)", "median", TIME, "p99"),
        ("average decode", "median", RATE, "average"),
        ("up to (tok/s)", "median", RATE, "up to"),
        ("median (tok/s)", "p99", TIME, "median"),
        ("slowest (tok/s)", "max", RATE, "slowest"),
        ("fastest", "min", RATE, "fastest"),
        ("fastest run", "max", TIME, "fastest"),
        ("Worst", "median", TIME, "Worst"),
        ("least", "max", RATE, "least"),
        ("Highest (tok/s)", "median", RATE, "Highest"),
    ],
)
def test_a_word_for_another_statistic_over_or_beside_a_number_is_named(
    text, statistic, metric, word
):
    assert headings.misfit(text, [statistic], metric, "tok/s") == word


@pytest.mark.parametrize(
    ("text", "statistic", "metric"),
    [
        ("median (tok/s)", "median", RATE),
        ("median speed-up", "ratio_of_medians", RATE),
        ("mean", "mean", RATE),
        ("median (min–max)", "median", RATE),
        ("TTFT, p50 / p99", "p99", TIME),
        ("slowest (tok/s)", "min", RATE),
        ("slowest (ms)", "max", TIME),
        ("fastest kernel (tok/s)", "median", RATE),
        ("best", "max", RATE),
        ("max batch size", "median", RATE),
        ("max. batch", "median", RATE),
        ("max concurrency 8", "median", TIME),
        ("average users", "median", RATE),
        ("8192 (max)", "median", RATE),
        ("peak memory (MiB)", "median", "peak_mib"),
        ("Max VRAM", "median", "peak_mib"),
        ("decode (tok/s)", "median", RATE),
        ("Pro Max", "median", RATE),
        ("", "median", RATE),
    ],
)
def test_a_word_of_its_own_statistic_or_of_a_setting_is_let_pass(text, statistic, metric):
    assert headings.misfit(text, [statistic], metric, None) is None


def test_minutes_are_no_minimum():
    assert headings.misfit("duration (min)", ["median"], "wall_ms", "min") is None
    assert headings.misfit("decode (min)", ["median"], RATE, None) == "min"


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("min (tok/s)", "tok/s"),
        ("min–max (tok/s)", "tok/s"),
        ("min", None),
        ("duration (min)", "min"),
        ("TTFT, ms", "ms"),
    ],
)
def test_a_header_gives_the_unit_and_a_minimum_is_no_minute(header, unit):
    assert header_unit(header) == unit


def test_a_row_that_sums_up_is_not_wide_and_a_header_over_everything_is():
    assert headings.says_more("All") is None
    assert headings.says_more("all-reduce (µs)") is None
    assert headings.says_more("on every GPU (tok/s)") == "every"
