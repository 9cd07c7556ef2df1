from fractions import Fraction
from pathlib import Path

import pytest

from engine import figures, plan, report
from engine.results.model import Run
from engine.runner import Order
from engine.walk import Walk
from receipts import receipt
from receipts.digest import Digest
from receipts.predicates import Exactness, Repetition, WindowPredicate

PLAN = """\
version: 1
name: tuned-vs-plain
cell: decode
baseline:  {arm: plain, command: [./plain, "{raw}"]}
candidate: {arm: tuned, command: [./tuned, "{raw}"]}
repetitions: 5
metrics: [token_ms]
"""


@pytest.fixture
def file(home):
    Path("plan.yaml").write_text(PLAN)
    return plan.read(Path("plan.yaml"))


def samples(*values):
    exact = tuple(Fraction(value) for value in values)
    return Run({}, {}, {"token_ms": exact}, (), (), (), {}, ())


@pytest.fixture
def walked(file, signing_key):
    """Make a finished walk whose arms had these samples, or whose tokens differed."""

    def make(plain, tuned, difference=None):
        compared = [figures.compare("token_ms", ("plain", plain), ("tuned", tuned))]
        exactness = Exactness(
            result="differs" if difference else "exact",
            compared="tokens",
            first_difference=difference,
        )
        time = "2026-11-29T10:00:00.000Z"
        order = [Repetition(arm="plain", repetition=0, receipt=Digest.of(b"run"))]
        predicate = WindowPredicate(
            origin="witnessed",
            cell="decode",
            window="w-1",
            plan=file.digest,
            baseline="plain",
            candidate="tuned",
            repetitions=order,
            exactness=exactness,
            environment={},
            lease={},
            started_at=time,
            finished_at=time,
            comparisons=[] if difference else compared,
        )
        made = receipt.make(signing_key, {"plan": file.digest}, predicate)
        done = Walk("w-1", file.plan, order=order, exactness=exactness, receipt=made)
        return report.walked(done)

    return make


def test_an_intention_says_what_would_run_and_that_it_does_not():
    order = Order("c", ["./run", "{raw}"], name="n")

    value, lines = report.intention(order)

    command = ["./run", "{raw}"]
    assert value == {"cell": "c", "command": command, "executes": False, "name": "n"}
    assert lines == ["cell     c", "command  ./run {raw}"]


def test_an_outline_shows_digest_order_and_gate(file):
    value, lines = report.outline(file)

    assert value["plan"] == Digest.of(PLAN.encode())
    assert value["executes"] is False
    assert (value["repetitions"], value["metrics"], value["scope"]) == (5, ["token_ms"], {})
    assert "cv_limit" not in value
    assert lines == [
        f"plan      {Digest.of(PLAN.encode())}",
        "cell      decode",
        "baseline  plain: ./plain {raw}",
        "candidate tuned: ./tuned {raw}",
        "repeated  5 times each arm",
        "order     plain/0 tuned/0 tuned/1 plain/1 plain/2 tuned/2 tuned/3 plain/3 plain/4 tuned/4",
        "gate      tokens identical, before any timing",
        "metrics   token_ms",
        "cv_limit  none",
        "scope     none",
    ]


def test_a_window_is_a_table_with_n_cv_ddof_and_the_convention_of_its_ratio(walked):
    value, lines = walked(samples(10, 10, 10, 10, 10), samples("7.5", 8, 8, 8, "8.5"))

    assert value["comparisons"][0]["ratio"] == "1.25"
    assert lines[1:] == [
        "unanchored: no recorded value stands behind the baseline, so no change is claimed",
        "token_ms (ms, lower is better), exact in every repetition",
        "  arm            n      median  CV ddof 1         min         max",
        "  plain          5          10     0.00 %          10          10",
        "  tuned          5           8     4.42 %         7.5         8.5",
        "  ratio 1.25 = median(baseline) / median(candidate), above 1 the candidate wins",
        "  warning: candidate: coefficient of variation above 3 % (4.42 %, ddof 1)",
    ]


def test_a_dispersion_that_does_not_exist_is_absent_and_not_zero(walked):
    _, lines = walked(samples(10), samples(8))

    assert "  plain          1          10     absent          10          10" in lines
    assert any("coefficient of variation undefined" in line for line in lines)


def test_a_window_that_differs_shows_its_difference_and_withholds_the_rest(walked):
    value, lines = walked(samples(10), samples(8), difference="tuned repetition 0 has token 3 at 1")

    assert value["comparisons"] == []
    assert lines[1:] == [
        "NOT EXACT: tuned repetition 0 has token 3 at 1",
        "1 of 10 repetitions ran; every timing is withheld",
    ]


def test_a_void_window_says_why_and_nothing_else(file):
    value, lines = report.walked(Walk("w-1", file.plan, fault="plain repetition 0 failed: x"))

    assert value == {"window": "w-1", "cell": "decode", "void": "plain repetition 0 failed: x"}
    assert lines == ["window w-1 is void: plain repetition 0 failed: x"]
