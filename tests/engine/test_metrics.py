import pytest

from engine.metrics import METRICS, metric
from receipts.errors import NotFoundError


def test_a_metric_says_its_unit_and_which_side_wins():
    rate, time = metric("decode_tok_s"), metric("ttft_ms")

    assert (rate.unit, rate.polarity) == ("tok/s", "higher")
    assert (time.unit, time.polarity) == ("ms", "lower")


def test_the_suffix_of_every_id_agrees_with_its_unit_and_polarity():
    suffixes = {
        "tok/s": ("_tok_s", "higher"),
        "req/s": ("requests_per_s", "higher"),
        "1/s": ("_per_s", "higher"),
        "TFLOP/s": ("tflop_s", "higher"),
        "GB/s": ("gb_s", "higher"),
        "Gbit/s": ("_gbps", "higher"),
        "ms": ("_ms", "lower"),
        "µs": ("_us", "lower"),
        "ns": ("_ns", "lower"),
        "MiB": ("_mib", "lower"),
        "B": ("_bytes", "lower"),
        "J": ("joules", "lower"),
    }
    for name, entry in METRICS.items():
        suffix, polarity = suffixes.get(entry.unit, ("", entry.polarity))
        assert name == entry.id
        assert name.endswith(suffix)
        assert entry.polarity == polarity
        assert entry.unit in suffixes or entry.unit == "1"


def test_an_unknown_metric_is_refused_with_the_known_ones():
    with pytest.raises(NotFoundError, match=r"tokens_per_second.*decode_tok_s.*token_ms"):
        metric("tokens_per_second")
