import statistics
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import figures
from engine.results.model import ResultFile, Run
from receipts.errors import NotFoundError, UndecidedError


def run(samples, **config):
    exact = {name: tuple(Fraction(str(x)) for x in values) for name, values in samples.items()}
    return Run({}, config, exact, (), (), (), {}, ())


def made(identity, **config):
    exact = {"decode_tok_s": (Fraction(1),)}
    return Run(identity, config, exact, (), (), (), {}, ())


def file(*runs):
    return ResultFile("rows", runs, ())


def test_a_lone_run_gives_the_median_of_every_metric_and_needs_no_selection():
    found = figures.of_file(file(run({"decode_tok_s": [3, 1, 2], "ttft_ms": ["0.5", "0.25"]}, n=1)))

    assert [figure.plain() for figure in found] == [
        {"metric": "decode_tok_s", "statistic": "median", "value": "2", "unit": "tok/s", "n": 3},
        {"metric": "ttft_ms", "statistic": "median", "value": "0.375", "unit": "ms", "n": 2},
    ]


def test_the_runs_of_one_file_are_told_apart_by_what_varies():
    runs = [
        run({"decode_tok_s": [1]}, n_ubatch=256, flash=True, n_gen=128),
        run({"decode_tok_s": [2]}, n_ubatch=512, flash=True, n_gen=128),
        run({"decode_tok_s": [3]}, n_ubatch=512, flash=False, n_gen=128),
    ]

    found = figures.of_file(file(*runs))

    assert [(figure.value, figure.select) for figure in found] == [
        ("1", {"n_ubatch": 256, "flash": True}),
        ("2", {"n_ubatch": 512, "flash": True}),
        ("3", {"n_ubatch": 512, "flash": False}),
    ]


def test_runs_of_one_setting_are_told_apart_by_what_was_measured():
    runs = [
        made({"backends": backend, "test_time": f"2025-01-0{number}"}, n_ubatch=512)
        for number, backend in enumerate(["CUDA", "ROCm"], start=1)
    ]

    found = figures.of_file(file(*runs))

    assert [figure.select for figure in found] == [{"backends": "CUDA"}, {"backends": "ROCm"}]
    assert figures.alike(file(*runs)) == []


def test_the_moment_tells_runs_apart_where_nothing_else_does():
    runs = [made({"test_time": f"2025-01-0{number}"}, n_ubatch=512) for number in (1, 2)]

    found = figures.of_file(file(*runs))

    selected = [{"test_time": "2025-01-01"}, {"test_time": "2025-01-02"}]
    assert [figure.select for figure in found] == selected


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 3), st.sampled_from("xy"))))
def test_no_two_runs_carry_one_selection_unless_they_are_said_to_be_alike(cells):
    runs = [made({"backends": b, "test_time": t}, n=n) for b, n, t in cells]

    found = figures.of_file(file(*runs))
    selected = {tuple(sorted((figure.select or {}).items())) for figure in found}

    assert len(selected) + len(figures.alike(file(*runs))) == len(runs)


def test_a_setting_that_only_some_runs_have_is_absent_where_it_is_absent():
    runs = [run({"decode_tok_s": [1]}, n=1), run({"decode_tok_s": [2]}, n=1, extra=5)]

    assert [figure.select for figure in figures.of_file(file(*runs))] == [{}, {"extra": 5}]


def test_thousands_of_runs_in_one_file_take_no_quadratic_time():
    settings = {f"s{number}": 0 for number in range(30)}
    runs = [run({"decode_tok_s": [1]}, **settings, n=number) for number in range(5000)]

    found = figures.of_file(file(*runs))

    assert [figure.select for figure in found] == [{"n": number} for number in range(5000)]


def test_a_comparison_has_both_arms_and_says_how_it_was_made():
    slow, fast = run({"ttft_ms": [8, 10, 9]}), run({"ttft_ms": [4, 5, 6]})

    found = figures.compare("ttft_ms", ("plain", slow), ("tuned", fast))

    assert (found.metric, found.unit, found.polarity) == ("ttft_ms", "ms", "lower")
    assert found.statistic == "ratio_of_medians"
    assert found.convention == "median(baseline) / median(candidate), above 1 the candidate wins"
    assert (found.ratio, found.change) == ("1.8", "0.444444444")
    assert found.baseline.plain() == {
        "arm": "plain",
        "value": "9",
        "n": 3,
        "cv": found.baseline.cv,
        "min": "8",
        "max": "10",
    }
    assert found.candidate.arm == "tuned"
    assert "candidate: fewer than 5 repetitions (n = 3)" in found.warnings


POSITIVE = st.lists(st.integers(1, 10**6), min_size=5, max_size=9)


@given(POSITIVE, POSITIVE, st.sampled_from(["decode_tok_s", "ttft_ms"]))
def test_the_candidate_wins_above_one_whatever_the_polarity(baseline, candidate, metric):
    arms = ("plain", run({metric: baseline})), ("tuned", run({metric: candidate}))

    found = figures.compare(metric, *arms)

    mine, theirs = statistics.median(candidate), statistics.median(baseline)
    better = mine / theirs if metric == "decode_tok_s" else theirs / mine
    assert float(found.ratio) == pytest.approx(better, rel=1e-8)
    assert (Decimal(found.ratio) > 1) == (better > 1)
    assert (Decimal(found.change) > 0) == (better > 1)


def test_a_metric_that_the_rows_do_not_give_is_undecided_and_not_zero():
    arms = ("plain", run({"ttft_ms": [1]})), ("tuned", run({"ttft_ms": [1]}))

    with pytest.raises(
        UndecidedError, match="arm plain has no samples of prefill_ms; its rows give"
    ):
        figures.compare("prefill_ms", *arms)


def test_a_metric_outside_the_vocabulary_is_refused():
    arms = ("plain", run({"speed": [1]})), ("tuned", run({"speed": [1]}))

    with pytest.raises(NotFoundError, match="no metric is called 'speed'"):
        figures.compare("speed", *arms)


def test_the_figure_of_scores_is_their_mean():
    [figure] = figures.of_file(file(run({"accuracy": [0, 0, 1, 0]})))
    assert (figure.statistic, figure.value, figure.n) == ("mean", "0.25", 4)
