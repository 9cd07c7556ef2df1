"""Words that name a statistic, and the holes beside which they may stand."""

import pytest

from claims.registers import statistic_words


@pytest.mark.parametrize(
    ("wording", "statistic", "word"),
    [
        ("{value:.1f} {unit}, median of {n}.", "median", None),
        ("{value:.1f} {unit}, median of {n}.", "mean", "median"),
        ("{value:.1f} {unit}, median of {n}.", "max", "median"),
        ("An average of {value:.1f} {unit}.", "mean", None),
        ("An average of {value:.1f} {unit}.", "median", "average"),
        ("The mean is {value:.1f} {unit}.", "median", "mean"),
        ("Up to {value:.1f} {unit}.", "max", None),
        ("Up to {value:.1f} {unit}.", "median", "Up to"),
        ("Peak {value:.1f} {unit}.", "mean", "Peak"),
        ("At  least {value:.1f} {unit}.", "min", None),
        ("At least {value:.1f} {unit}.", "max", "At least"),
        ("The best is {value:.1f} {unit}.", "max", None),
        ("The best is {value:.1f} {unit}.", "median", "best"),
        ("max {value:.1f} {unit}.", "median", "max"),
        ("min {value:.1f} {unit}.", "median", "min"),
        # A word beside its own hole.
        ("{value:.1f} {unit}, at least {min:.1f}, up to {max:.1f}.", "median", None),
        ("{value:.1f} {unit}, a minimum of {min:.1f}, a maximum of {max:.1f}.", "median", None),
        ("{min:.1f} minimum, {value:.1f}, {max:.1f} maximum.", "median", None),
        ("{value:.1f} {unit}, at least {max:.1f}.", "median", "at least"),
        ("{max:.1f} {unit}; the best is {value:.1f}.", "median", "best"),
        ("{max:.1f} {unit} once, and in the long run a peak of {value:.1f}.", "median", "peak"),
        ("{ratio:.2f}×, at least {candidate.min:.1f} {unit}.", "ratio_of_medians", None),
        ("At least {ratio:.2f}× ({candidate.min:.1f}).", "ratio_of_medians", "At least"),
        ("The medians differ by {ratio:.2f}×.", "ratio_of_medians", None),
        ("On average {ratio:.2f}×.", "ratio_of_medians", "average"),
        ("{value:.1f} {unit} (p99 of {n} requests).", "p99", None),
        ("{value:.1f} {unit} (p99 of {n} requests).", "median", "p99"),
        ("{value:.1f} {unit} (p50 of {n} requests).", "median", None),
        ("The tail latency is {value:.1f} {unit}.", "median", "tail"),
        ("The tail latency is {value:.1f} {unit}.", "p99", None),
        ("At the tail end, {value:.1f} {unit}.", "median", None),
        ("The 95th percentile is {value:.1f} {unit}.", "p95", None),
        ("The 95th percentile is {value:.1f} {unit}.", "p99", "95th percentile"),
        ("{value:.1f} {unit} at p99.9.", "p99", "p99.9"),
        # No statistic at all.
        ("{value:.1f} {unit} at p16.", "median", None),
        ("On an M3 Max {value:.1f} {unit} within 5 min.", "median", None),
        ("Minimal {value:.1f} {unit}, which means little.", "median", None),
    ],
)
def test_a_word_is_the_claims_statistic_or_stands_by_its_own_hole(wording, statistic, word):
    assert statistic_words.misfit(wording, {}, statistic, "higher") == word


def test_the_best_time_is_the_least():
    wording = "At best {value:.1f} {unit}, at worst {max:.1f}."
    assert statistic_words.misfit(wording, {}, "min", "lower") is None
    assert statistic_words.misfit(wording, {}, "min", "higher") == "best"


def test_a_word_may_come_in_with_the_scope():
    wording = "At {scope.load} load {value:.1f} {unit}."
    assert statistic_words.misfit(wording, {"load": "full"}, "median", "higher") is None
    assert statistic_words.misfit(wording, {"load": "peak"}, "median", "higher") == "peak"
