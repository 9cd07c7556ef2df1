"""Known answers of measurement.json: 134 figures of published campaigns, and what is wrong there.

Every row is computed by the engine and compared within its tolerance. Then the figure that was
printed for it is held against that, by the same code whatever the answer: it follows, or it is
reported as inconsistent, or what it would need is named as missing. `parse_float=Decimal` keeps the
digits as printed, so that 3232.0 has one decimal.
"""

import json
import os
import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from engine.comparison import profile
from engine.comparison.compare import change
from engine.comparison.outcome import CODES
from engine.inference import (
    cells,
    contamination,
    feasibility,
    noise,
    pairs,
    percentiles,
    permutation,
    printed,
    rates,
    trend,
    verdict,
)
from engine.inference.printed import Operand
from engine.statistics import cv, mean, median, minimum, ratio_of_medians

DEFAULT = Path(__file__).parents[3] / "shared" / "vectors"
VECTORS = Path(os.environ.get("EVIDENCE_VECTORS", DEFAULT)) / "measurement.json"
AT_LEAST = 134

pytestmark = pytest.mark.skipif(
    not VECTORS.is_file(), reason="no measurement.json at EVIDENCE_VECTORS: nothing was compared"
)

# Verdict of the row -> what the engine must say of the printed figure, and of how many rows.
EXPECTED = {
    ("reproduces", "follows"): 63,
    ("reproduces", "no figure of its own"): 10,
    ("derived", "nothing printed"): 41,
    ("inconsistent", "inconsistent"): 11,
    ("does-not-reproduce-printed", "inconsistent"): 4,
    ("depends-on-ddof", "inconsistent"): 1,
    ("consistent-only-with-ddof0", "inconsistent"): 1,
    ("reproduces-but-flawed", "flawed"): 1,
    ("not-fully-recomputable", "not recomputable"): 1,
    ("not-recomputable", "not recomputable"): 1,
}


@pytest.fixture(scope="module")
def rows():
    with VECTORS.open() as file:
        return json.load(file, parse_float=Decimal)["rows"]


# --- computing ---------------------------------------------------------------------------------


def percent(candidate, baseline, polarity="higher"):
    return 100 * ratio_of_medians([candidate], [baseline], polarity).change


def convention(arms, polarity):
    figure = 100 * change(Fraction(arms["A"]), Fraction(arms["B"]), polarity)
    assert figure == percent(arms["B"], arms["A"], polarity)
    return figure


def speed_words(a, b):
    comparison = ratio_of_medians([b], [a], "lower")
    return {
        "time_reduction_pct": 100 * comparison.change,
        "speedup_x": comparison.ratio,
        "faster_pct": 100 * (comparison.ratio - 1),
    }


def logs(a, b):
    return pairs.log_ratios(a, b, "higher")


def ends(interval):
    return {"lo": interval.low, "hi": interval.high}


def walsh_interval(a, b, requested):
    found = pairs.walsh_interval(logs(a, b), Fraction(requested))
    return ends(found) | {"attained": found.confidence}


def detectable(a, b, alpha, power):
    assert float(power) == pairs.POWER
    return 100 * pairs.detectable(logs(a, b), 1 - Fraction(alpha))


def drift(values):
    found = trend.slope(values)
    return {"slope_pct_per_rep": 100 * found.slope, "p": found.p}


def samuelson(mean, cv_pct, min, n, mean_ulp, cv_ulp):
    found = feasibility.samuelson(text(mean, mean_ulp), f"{cv_pct} %", text(min, mean_ulp), n)
    assert Decimal(cv_ulp) == Decimal(1).scaleb(cv_pct.as_tuple().exponent)
    return {
        "z_ddof0": found.distance[0],
        "z_ddof1": found.distance[1],
        "zmax": found.limit,
        "feasible_ddof0": 0 in found.possible,
        "feasible_ddof1": 1 in found.possible,
    }


def text(value, ulp):
    """Return the figure with the decimals that it was printed with; JSON lost its zeros."""
    return str(value.quantize(ulp))


def student(mean, cv_pct_ddof0, n):
    found = feasibility.student(str(mean), f"{cv_pct_ddof0} %", 0, n)
    return {"t": found.t, "p_one_sided": found.p, "ci95_lo": found.low}


def ranges(**arms):
    found = {}
    for arm, ratios in arms.items():
        one = [cells.Cell(str(r), "ratio", Fraction(r), 5, exact=True) for r in ratios]
        matrix = cells.judge(one, arm)
        found[arm] = [matrix.low.ratio, matrix.high.ratio]
    return found


def split(r_obs, num_shift, den_shift):
    found = contamination.of_shifts(r_obs, num_shift, den_shift)
    return {
        "log_total": found.log_observed,
        "log_true": found.log_true,
        "log_num": found.log_numerator,
        "log_den": found.log_denominator,
    }


def median_of_eight(x):
    methods = {"linear/median": "linear", "lower(nearest-rank)": "nearest-rank", "higher": "higher"}
    return {name: percentiles.percentile(x, 50, method) for name, method in methods.items()}


def clock_rates(tokens, t1_ms, t2_ms):
    start, end = Fraction(t1_ms), Fraction(t2_ms)
    return {
        "exact": rates.per_second(tokens, start, end),
        "bc_scale1": rates.per_second_cut(tokens, start, end, places=1),
    }


COMPUTE = {
    "median": lambda x: median(x),
    "100*std(ddof=0)/mean": lambda x: 100 * Fraction(cv(x, 0)),
    "100*std(ddof=1)/mean": lambda x: 100 * Fraction(cv(x, 1)),
    "median(a)/median(b)": lambda a, b: ratio_of_medians(a, b, "higher").ratio,
    "mean(a)/mean(b)": lambda a, b: mean(a) / mean(b),
    "mean(a_i/b_i)": lambda a, b: mean(pairs.pair_ratios(a, b, "higher")),
    "median(a_i/b_i)": lambda a, b: median(pairs.pair_ratios(a, b, "higher")),
    "exp(median of Walsh averages of log pair ratios)": lambda a, b: (
        pairs.analyse(a, b, "higher").estimate
    ),
    "exp([w_(k+1),w_(M-k)]); n=5 -> k=0": walsh_interval,
    "exp(mean(d) -+ t_{.975,4} s_d/sqrt 5), d=log(a/b), ddof=1": lambda a, b: ends(
        pairs.student_interval(logs(a, b))
    ),
    "Fieller with covariance term": lambda a, b: ends(pairs.fieller(a, b, "higher")),
    "100*(exp((t_{.975,n-1}+t_{.8,n-1})*s_d/sqrt n)-1)": detectable,
    "exact sign-flip on mean(d)": lambda a, b: permutation.sign_flip(logs(a, b)),
    "exact two-sided U": lambda a, b: permutation.mann_whitney(a, b),
    "OLS slope of d_i on rep, t(3)": lambda a, b: drift(logs(a, b)),
    "OLS slope of log x on rep": lambda x: drift(logs(x, [1] * len(x))),
    "100*(a/b-1)": lambda a, b: percent(a, b),
    "(B-A)/|A|*100": lambda **arms: convention(arms, "higher"),
    "(A-B)/|A|*100": lambda **arms: convention(arms, "lower"),
    "max|delta|": lambda delta_pct: noise.floor([Fraction(d) for d in delta_pct]).maximum,
    "t_{.975,m}*sqrt(mean(delta^2)), mean known 0, df=m": lambda delta_pct: (
        noise.floor([Fraction(d) for d in delta_pct]).t_rule
    ),
    "1/(m+1)": lambda m: noise.exceedance(m),
    "codes": lambda: dict(CODES),
    "11+15": lambda: len(profile.DEFAULT),
    "6 named + 3 x concurrency{1,8,32}": lambda: len(profile.SWEEP),
    "named in the sentence": lambda: int(FIELDS.computed),
    "items described in the text": lambda: int(WITHDRAWN.computed),
    "[min,max]": ranges,
    "p50 of 8 per-request rows": median_of_eight,
    "97s -> 17s": speed_words,
    "|x_i-mean| <= s0*sqrt(n-1)": samuelson,
    "(n*mean-min)/(n-1)": lambda mean, min, n: (
        feasibility.mean_of_others(str(mean), str(min), n).nominal
    ),
    "one-sided t(4) that mean ratio>1, lower 95 % (two-sided) limit": student,
    "one-sided sign test 4/5": lambda k, n: permutation.sign_test(k, n),
    "1/(1-0.125)": lambda: contamination.inflation(Fraction("0.125")),
    "(1+delta)/(1-d)-1": lambda true_delta_pct, denominator_defect_pct: (
        100
        * contamination.observed_change(
            Fraction(true_delta_pct) / 100, Fraction(denominator_defect_pct) / 100
        )
    ),
    "ln(r_obs)=ln(r_true)+ln(1/(1-d))": split,
    "1-0.05**(1/15)": lambda n, busy: feasibility.idle_bound(n, busy),
    "tokens/((t2-t1)/1000) exact vs bc scale=1": clock_rates,
    "119.84/118.27-1": lambda: noise.spread([Fraction("119.84"), Fraction("118.27")]),
    "median(10 HEAD runs)": lambda: [printed.read(x).nominal for x in ("3590.8", "3580.7")],
    "1 BOS + 8 body ids": lambda: 1 + 8,
    "(99-75)/75; (99-75)/87": lambda: [evaluate("(99-75)/75"), evaluate("(99-75)/87")],
}
# Single-stream fields that the seed names; it says that there are 11.
FIELDS = printed.counted(
    11,
    [
        *("concurrency", "requests", "warmup requests", "input tokens", "output tokens"),
        *("temperature", "top_p", "streaming", "ignore_eos", "seed"),
    ],
)
# Withdrawals that the seed describes; it says that there are 4.
WITHDRAWN = printed.counted(4, ["the accuracy gate", "the W4A8 build"])
COMPARISON = re.compile(r"([\d.]+) (<|<=|>) ([\d.]+)")
EXPRESSION = re.compile(r"[\d.()+*/ -]+")


def operand(expression):
    """Return an expression over printed decimals; whole numbers are counts, and exact."""
    decimals = re.sub(r"\d+\.\d+", lambda m: f"printed.read('{m[0]}')", expression)
    exact = re.sub(r"(?<![\d.'])\d+(?![\d.'])", lambda m: f"Fraction({m[0]})", decimals)
    return eval(exact, {"printed": printed, "Fraction": Fraction})


def evaluate(expression):
    found = operand(expression)
    return found.nominal if isinstance(found, Operand) else found


def compared(found):
    one, sign, other = found.groups()
    below = printed.less(printed.read(one), printed.read(other))
    return not below if sign == ">" else below


def computed(row, rows):
    """Return our figure for a row; a row that nothing computes is an error of this test."""
    statistic = row["statistic"]
    if statistic in COMPUTE:
        return COMPUTE[statistic](**row["inputs"])
    if statistic == "max of the J3 CVs under 0.2 %?":
        return {f"ddof{ddof}_max": max(j3_cvs(rows, ddof)) for ddof in (0, 1)}
    if statistic == "min J3 CV":
        return min(j3_cvs(rows, 0))
    if found := COMPARISON.fullmatch(statistic):
        return compared(found)
    assert EXPRESSION.fullmatch(statistic), f"nothing computes {row['id']}: {statistic}"
    return evaluate(statistic)


def j3_cvs(rows, ddof):
    """Return the CVs of the four arms of J3, in percent."""
    name = re.compile(r"j3\.\w+_(decode|prefill)\.median")
    arms = [row["inputs"]["x"] for row in rows if name.fullmatch(row["id"])]
    assert len(arms) == 4
    return [100 * Fraction(cv(samples, ddof)) for samples in arms]


def assert_close(ours, expected, tolerance):
    if isinstance(ours, dict):
        assert ours.keys() == expected.keys()
        for name, value in ours.items():
            assert_close(value, expected[name], tolerance)
    elif isinstance(ours, list):
        for value, other in zip(ours, expected, strict=True):
            assert_close(value, other, tolerance)
    elif isinstance(expected, bool):
        assert ours is expected
    else:
        assert abs(Fraction(ours) - Fraction(expected)) <= tolerance


# --- holding what was printed against it -------------------------------------------------------

# Rows whose text prints no figure of its own: words, or the operands once more.
WORDS = {
    "s1.kquant_vs_nvfp4": "the gap is called small",
    "s1.wrong_clock": "prints the operands",
    "s1.window_half": "half",
    "s1.ferrite_spread": "one figure between two readings, 27.6 % and 32 %",
    "s2.vram": "prints the operands",
    "s2.refusals": "the range of the codes",
    "s2.w4a8": "prints the operands",
    "s3.llama_cv": "prints the operands",
    "s3.live_lo": "called the real tax",
    "s3.live_hi": "called the real tax",
}
# What the page prints where JSON or prose hide it: a last zero, a number word, a unit.
PRINTED = {
    "s1.thirteen_points": "13 pp",
    "s1.cycle8_ids9": "9",
    "s3.headline_ratio": "1.080",
    "s3.headline_ratio_from_headline": "1.080",
    "s3.mem": "+1454 MiB",
}


def text_of(row):
    """Return the figure that was printed for a row, with % where it is one."""
    figure = row["printed"]
    if row["id"] in PRINTED:
        return PRINTED[row["id"]]
    if isinstance(figure, str):
        return figure
    in_percent = row["statistic"].startswith("100*")
    return f"{figure} %" if in_percent else str(figure)


def of_operands(row, rows):
    """Return what the printed figure is held against, with the rounding of its operands."""
    statistic, inputs = row["statistic"], row["inputs"]
    if statistic == "100*(a/b-1)":
        return printed.read(str(inputs["a"])) / printed.read(str(inputs["b"])) - 1
    if row["id"] == "s3.headline_ratio_from_headline":
        return printed.read("~3581") / printed.read("3323.29")
    if row["id"] == "s3.mem":
        return printed.read("57189 MiB") - printed.read("55735 MiB")
    if EXPRESSION.fullmatch(statistic) and statistic not in COMPUTE:
        return operand(statistic)
    share = statistic.startswith("100*") or "pct" in str(inputs)
    ours = computed(row, rows)
    return ours / 100 if share else ours


def of_limits(row, rows):
    """Return whether printed bounds hold what they bound; None where the row prints no bound."""
    inputs = row["inputs"]
    if row["statistic"] == "max|delta|":
        sizes = [abs(Fraction(delta)) for delta in inputs["delta_pct"]]
        return not printed.outside(sizes, high=str(row["printed"]))
    if row["id"] == "s1.cv_under_0p2":
        return not any(printed.outside(j3_cvs(rows, ddof), high="0.2") for ddof in (0, 1))
    if row["id"] == "s1.clean_cv_range":
        return not printed.outside(j3_cvs(rows, 0), low="0.1", high="1.4")
    if row["id"] == "s1.matrix_ranges":
        limits = re.findall(r"([\d.]+)-([\d.]+)", row["printed"])
        arms = zip(inputs.values(), limits, strict=True)
        return not any(printed.outside([Fraction(x) for x in a], *ends) for a, ends in arms)
    return None


def standing(row, rows):
    """Say what the engine makes of the printed figure of a row."""
    if row["verdict"] == "derived":
        return "nothing printed"
    if row["id"] in SPECIAL:
        return SPECIAL[row["id"]](row)
    if row["id"] in WORDS:
        return "no figure of its own"
    within = of_limits(row, rows)
    if within is not None:
        return "follows" if within else "inconsistent"
    if isinstance(row["printed"], list):
        one_by_one = zip(row["printed"], computed(row, rows).values(), strict=True)
        judged = [printed.follows(str(text), value) for text, value in one_by_one]
    else:
        judged = [printed.follows(text_of(row), of_operands(row, rows))]
    return "inconsistent" if any(one.inconsistent for one in judged) else "follows"


def flawed(row):
    above = printed.Described(printed.read("570.122"), "mean", {"tokens": "131008"})
    below = printed.Described(printed.read("137.405"), "median", {"tokens": "130815"})
    ratio, warnings = printed.quotient(above, below)
    assert printed.follows(str(row["printed"]), ratio).standing == "follows"
    assert warnings == (
        "numerator is a mean, denominator a median",
        "numerator at tokens 131008, denominator at tokens 130815",
    )
    return "flawed"


def flat(row):
    """-0.83 % at c32 was called flat under a floor of 0.4 % that was measured at c1 and c8."""
    moved, where = Fraction("-0.0083"), [{"concurrency": "1"}, {"concurrency": "8"}]
    assert verdict.flat(moved, Fraction("0.004"), where, {"concurrency": "32"}).flat is None
    under = verdict.flat(moved, Fraction("0.004"), where, {"concurrency": "8"})
    by_t = noise.floor([Fraction("-0.0033"), Fraction("0.0039")])
    assert verdict.flat(moved, by_t, where, {"concurrency": "8"}).flat is True
    return "follows" if under.flat else "inconsistent"


def one_ddof_only(row):
    found = feasibility.samuelson("1.0274", "1.39 %", "0.9990", 5)
    assert found.warnings == (
        "an extreme as far from the mean is possible only if the CV has ddof 0",
    )
    return "inconsistent" if found.possible != (0, 1) else "follows"


SPECIAL = {
    "s1.payoff_4149": flawed,
    "s1.samuelson_65536": one_ddof_only,
    "s2.flat_vs_floor": flat,
    "s2.single_fields": lambda row: FIELDS.standing,
    "s2.four_withdrawals": lambda row: WITHDRAWN.standing,
    "s3.two_medians": lambda row: (
        "inconsistent" if printed.agree("3590.8", "3580.7").inconsistent else "follows"
    ),
}


# --- the tests ---------------------------------------------------------------------------------


def test_every_known_answer_is_met_within_its_tolerance(rows):
    met = []
    for row in rows:
        # the expected values are doubles, so a tolerance of 0 still means to the double
        tolerance = max(Fraction(row["tolerance"]), Fraction(1, 10**12))
        assert_close(computed(row, rows), row["expected"], tolerance)
        met.append(row["id"])
    assert len(set(met)) == AT_LEAST


def test_every_printed_figure_follows_or_is_reported_or_is_named_as_not_recomputable(rows):
    found = Counter((row["verdict"], standing(row, rows)) for row in rows)

    assert found == EXPECTED
    assert sum(found.values()) == AT_LEAST


def test_every_rule_of_this_test_is_for_a_row(rows):
    ids = {row["id"] for row in rows}

    assert {*WORDS, *PRINTED, *SPECIAL} <= ids
    assert COMPUTE.keys() <= {row["statistic"] for row in rows}


def test_only_ddof_0_gives_the_cvs_that_were_printed(rows):
    for row in rows:
        if row["id"].endswith("cv_pct_ddof0"):
            assert feasibility.ddof_of(row["inputs"]["x"], f"{row['printed']} %") == (0,)


def test_a_floor_under_what_was_seen_is_rounded_up(rows):
    row = next(row for row in rows if row["id"] == "s2.aa_max_ttft")
    largest = noise.floor([Fraction(one) for one in row["inputs"]["delta_pct"]]).maximum

    assert printed.outside([largest], high=str(row["printed"])) == [largest]
    assert noise.round_up(largest, 1) == "0.8"


def test_mebibytes_printed_as_megabytes_contradict():
    moved = printed.read("57189 MiB") - printed.read("55735 MiB")

    assert printed.follows("+1454 MB", moved).standing == "contradicts"
    assert printed.follows("+1525 MB", moved).standing == "follows"


def test_a_truncated_percentage_is_told_from_one_that_is_wrong():
    cut = printed.read("2819.3") / printed.read("3227.6") - 1
    wrong = printed.read("2267") / printed.read("1493") - 1

    assert printed.follows("-12.6 %", cut).standing == "truncated"
    assert printed.follows("30 %", wrong).standing == "contradicts"
    assert minimum([cut.low, cut.high]) < cut.nominal
