import pytest

from engine.metrics import METRICS, metric
from receipts.errors import NotFoundError


def test_a_metric_says_its_unit_and_which_side_wins():
    rate, time = metric("decode_tok_s"), metric("ttft_ms")

    assert (rate.unit, rate.polarity) == ("tok/s", "higher")
    assert (time.unit, time.polarity) == ("ms", "lower")


def test_the_suffix_of_every_id_agrees_with_its_unit_and_polarity():
    suffixes = {"tok/s": ("_tok_s", "higher"), "ms": ("_ms", "lower")}
    for name, entry in METRICS.items():
        suffix, polarity = suffixes[entry.unit]
        assert name == entry.id
        assert name.endswith(suffix)
        assert entry.polarity == polarity


def test_an_unknown_metric_is_refused_with_the_known_ones():
    with pytest.raises(NotFoundError, match=r"tokens_per_second.*decode_tok_s.*token_ms"):
        metric("tokens_per_second")
