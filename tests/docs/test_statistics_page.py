"""The worked example of docs/explanation/statistics.md is what the engine computes there."""

import json
import os
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from engine.inference import pairs, walsh
from engine.inference.pairs import Pairs
from engine.statistics import cv, mean, summarize

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "statistics.md"
DEFAULT = ROOT.parent / "shared" / "vectors"
VECTORS = Path(os.environ.get("EVIDENCE_VECTORS", DEFAULT)) / "measurement.json"
METRICS = ("decode", "prefill")
ROW = re.compile(r"\| (decode|prefill), (A|B) \|((?: [\d.]+ \|){5})")


@pytest.fixture(scope="module")
def page():
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def samples(page):
    """Return the repetitions that the page prints, by metric and arm."""
    found = {(m[1], m[2]): re.findall(r"[\d.]+", m[3]) for m in ROW.finditer(page)}
    assert len(found) == 4
    return found


def analysed(samples, metric) -> Pairs:
    return pairs.analyse(samples[metric, "A"], samples[metric, "B"], "higher", [True] * 5)


def arm_row(samples, metric, arm):
    found = summarize(samples[metric, arm])
    cvs = [f"{100 * float(cv(samples[metric, arm], ddof)):.3f} %" for ddof in (1, 0)]
    ends = [f"{float(end):.4f}" for end in (found.median, found.minimum, found.maximum)]
    return f"| {metric}, {arm} | {ends[0]} | {' | '.join(cvs)} | {ends[1]} | {ends[2]} |"


def ends(interval):
    return f"{interval.low:.6f} to {interval.high:.6f}"


def means(samples, metric):
    a, b = samples[metric, "A"], samples[metric, "B"]
    return float(mean(a) / mean(b)), float(mean(pairs.pair_ratios(a, b, "higher")))


def trend(one):
    return f"{100 * one.slope:+.3f} % (p {one.p:.2f})"


RATIOS = {
    "**ratio of medians**": lambda s, m: f"**{float(analysed(s, m).comparison.ratio):.6f}**",
    "Hodges–Lehmann": lambda s, m: f"{analysed(s, m).estimate:.6f}",
    "Walsh interval": lambda s, m: ends(analysed(s, m).interval),
    "attained by it": lambda s, m: f"{100 * float(analysed(s, m).interval.confidence):.2f} %",
    "t on logarithms, 95 %": lambda s, m: ends(analysed(s, m).student),
    "Fieller, 95 %": lambda s, m: ends(analysed(s, m).fieller),
    "ratio of means": lambda s, m: f"{means(s, m)[0]:.6f}",
    "mean of pair ratios": lambda s, m: f"{means(s, m)[1]:.6f}",
    "detectable": lambda s, m: f"{100 * analysed(s, m).detectable:.3f} %",
    "correlation of the arms": lambda s, m: f"{analysed(s, m).correlation:+.2f}",
    "drift of A a repetition": lambda s, m: trend(analysed(s, m).candidate_drift),
    "drift of B a repetition": lambda s, m: trend(analysed(s, m).baseline_drift),
    "drift of the ratio": lambda s, m: trend(analysed(s, m).drift),
    "p by sign flips": lambda s, m: f"{float(analysed(s, m).sign_flip_p):.4f}",
    "p of Mann and Whitney": lambda s, m: f"{float(analysed(s, m).mann_whitney_p):.4f}",
}


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("arm", ["A", "B"])
def test_the_row_of_an_arm_is_what_its_repetitions_give(page, samples, metric, arm):
    assert arm_row(samples, metric, arm) in page


@pytest.mark.parametrize("name", RATIOS)
def test_each_figure_of_the_comparison_is_what_the_pairs_give(page, samples, name):
    decode, prefill = (RATIOS[name](samples, metric) for metric in METRICS)

    assert f"| {name} | {decode} | {prefill} |" in page


def test_the_page_prints_every_doubt_of_the_window(page, samples):
    told = " ".join(page.split())

    for metric in METRICS:
        for warning in analysed(samples, metric).warnings:
            assert warning in told, warning


def test_the_table_of_attainable_confidence_is_the_exact_one(page):
    row = next(line for line in page.splitlines() if line.startswith("| attained |"))
    header = next(line for line in page.splitlines() if line.startswith("| pairs |"))
    sizes = [int(cell) for cell in re.findall(r"\d+", header)]

    printed = re.findall(r"([\d.]+) %", row)
    assert printed == [f"{100 * float(walsh.attained(n)):.2f}" for n in sizes]


def test_the_repetitions_are_those_that_were_published(samples):
    if not VECTORS.is_file():
        pytest.skip("no measurement.json at EVIDENCE_VECTORS: the repetitions were not compared")
    with VECTORS.open() as file:
        rows = json.load(file, parse_float=Decimal)["rows"]
    for metric in METRICS:
        row = next(row for row in rows if row["id"] == f"j3.{metric}.ratio_of_medians")
        for arm, name in (("A", "a"), ("B", "b")):
            assert [Fraction(x) for x in samples[metric, arm]] == list(
                map(Fraction, row["inputs"][name])
            )
