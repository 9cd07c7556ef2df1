"""Claims over the cells of a plan (REG-21, REG-22, REG-23): one range, and no cell forgotten."""

import json
from fractions import Fraction

import pytest

from claims.judging import matrix
from claims.judging.chain import Evidence, Part
from claims.registers.model import Claim

MATRIX = {
    "id": "grid",
    "kind": "matrix",
    "wording": (
        "The tuned decoder runs at {ratio.min:.2f}–{ratio.max:.2f}× the plain one "
        "over {cells} depths (n = {n})."
    ),
    "metric": "decode_tok_s",
    "statistic": "ratio_of_medians",
    "evidence": [{"entry": "ALL"}],
    "scope": {"lane": "greedy"},
}
LEFT = MATRIX["wording"].replace("{cells} depths", "{cells} of {cells.planned} depths")


def told(publisher, **changes):
    return [(one.code, one.message) for one in publisher.judge(MATRIX, **changes).refusals]


def test_a_range_over_all_cells_is_what_the_cells_give_alone(publisher, cells):
    cells(shallow=800, deep=900)
    done = publisher.judge(MATRIX)
    assert done.refusals == []
    ratios = [
        publisher.judge(publisher.change, evidence=[{"entry": label}]).values["ratio"]
        for label in ("SHALLOW", "DEEP")
    ]
    assert (done.values["ratio.min"], done.values["ratio.max"]) == (min(ratios), max(ratios))
    assert done.values["ratio.mean"] == sum(ratios) / 2
    assert done.values["ratio.min"] == Fraction(1002, 902)
    assert (done.values["n"], done.values["cells"], done.values["cells.planned"]) == (5, 2, 2)
    assert done.sentence == (
        "The tuned decoder runs at 1.11–1.25× the plain one over 2 depths (n = 5)."
    )


def test_an_entry_for_each_cell_is_as_good_as_one_for_all(publisher, cells):
    cells(shallow=800, deep=900)
    each = [{"entry": "SHALLOW"}, {"entry": "DEEP"}]
    named = [{"entry": "ALL", "cell": "deep"}, {"entry": "ALL", "cell": "shallow"}]
    wanted = publisher.judge(MATRIX).sentence
    assert publisher.judge(MATRIX, evidence=each).sentence == wanted
    assert publisher.judge(MATRIX, evidence=named, cells="all").sentence == wanted


def test_a_claim_over_cells_is_approved_rendered_and_checked_on_a_page(publisher, cells):
    cells(shallow=800, deep=900)
    (sentence,) = publisher.publish(MATRIX)
    page = publisher.root / "page.md"
    words = ("render", "--format", "markdown", "--output", "page.md")
    assert publisher.claims(*words).exit_code == 0
    assert f"{sentence}<!--claim:grid-->" in page.read_text()
    told = publisher.claims("check", "page.md")
    assert told.exit_code == 0, told.output
    table = "| a |\n|---|\n| 1.11–1.25×<!--claim:grid--> |\n"
    assert publisher.check(table).exit_code == 0
    told = "In every cell it is 1.11–1.25×<!--claim:grid--> so.\n"
    assert publisher.check(told).exit_code == 0
    assert "CLM203" in publisher.check(told.replace("cell", "GPU")).stdout
    wrong = publisher.check(table.replace("1.25", "1.35"))
    assert (wrong.exit_code, "CLM102" in wrong.stdout) == (1, True)
    assert "deep plain" in publisher.claims("why", "grid").stdout
    assert json.loads(publisher.claims("why", "grid", "--json").stdout)["holds"] is True


def test_several_metrics_have_holes_of_their_own_names(publisher, cells):
    cells(shallow=800, deep=900)
    both = {"decode": "decode_tok_s"}
    wording = "It runs at {decode.min:.2f}–{decode.max:.2f}× (n = {n})."
    assert publisher.judge(MATRIX, metrics=both, wording=wording).sentence == (
        "It runs at 1.11–1.25× (n = 5)."
    )


def test_every_cell_of_the_plan_is_cited_or_the_sentence_says_which_are_not(publisher, cells):
    cells(shallow=800, middle=850, deep=900)
    some = [{"entry": "SHALLOW"}, {"entry": "DEEP"}]
    listed = ["shallow", "deep"]
    assert told(publisher, evidence=some) == [
        ("CLM324", "no window of middle is cited; the plan has shallow, middle, deep")
    ]
    (code, message) = told(publisher, evidence=some, cells=listed)[0]
    assert (code, message[:40]) == ("CLM215", "middle of the plan is left out, and the ")
    assert told(publisher, evidence=some, cells=listed, wording=LEFT) == []
    named = MATRIX["wording"].replace("(n", "without middle (n")
    assert told(publisher, evidence=some, cells=listed, wording=named) == []
    assert told(publisher, cells=listed, wording=LEFT) == [
        ("CLM324", "middle is cited and stands not in `cells`")
    ]


def test_a_mean_is_shown_with_its_minimum(publisher, cells):
    cells(shallow=800, deep=900)
    mean = "The tuned decoder runs at a mean {ratio.mean:.2f}× (n = {n})."
    assert told(publisher, wording=mean) == [
        ("CLM214", "it shows {ratio.mean} without {ratio.min}")
    ]
    both = mean.replace("(n", "and a minimum {ratio.min:.2f}× (n")
    assert told(publisher, wording=both) == []


def test_a_cell_that_does_not_hold_alone_refuses_the_whole_by_its_name(publisher, cells):
    cells(shallow=800, deep=1000)
    (code, message) = told(publisher)[0]
    assert (code, message.split(":")[0]) == ("CLM321", "cell deep")
    assert "narrowest anchor allows" in message


def test_a_miss_is_in_the_range_and_no_word_may_deny_it(publisher, cells):
    cells(shallow=800, deep=1200)
    assert publisher.judge(MATRIX).sentence == (
        "The tuned decoder runs at 0.83–1.25× the plain one over 2 depths (n = 5)."
    )
    faster = MATRIX["wording"].replace("runs at", "is faster:")
    assert [code for code, _ in told(publisher, wording=faster)] == ["CLM105"]
    every = faster.replace("(n", "in every cell (n")
    assert [code for code, _ in told(publisher, wording=every)] == ["CLM105", "CLM203"]


def test_what_holds_in_every_cell_may_say_so(publisher, cells):
    cells(shallow=800, deep=900)
    every = MATRIX["wording"].replace("runs at", "is faster in all {cells} cells:")
    assert told(publisher, wording=every) == []
    wide = MATRIX["wording"].replace("(n", "on every machine (n")
    assert [code for code, _ in told(publisher, wording=wide)] == ["CLM203"]


def test_windows_of_two_plans_or_of_one_cell_are_no_matrix(publisher, cells):
    cells("one", "A-", shallow=800, deep=900)
    cells("two", "B-", other=800, further=850)
    mixed = [{"entry": "A-SHALLOW"}, {"entry": "A-DEEP"}, {"entry": "B-OTHER"}]
    assert told(publisher, evidence=mixed) == [
        ("CLM325", "the windows are of several plans: one.shallow, one.deep, two.other")
    ]
    twice = [{"entry": "A-SHALLOW"}, {"entry": "A-ALL", "cell": "shallow"}]
    assert told(publisher, evidence=twice) == [
        ("CLM325", "two windows of the cell shallow are cited; a matrix has one of each")
    ]


def test_a_speculative_lane_needs_a_cell_of_natural_text(publisher, cells):
    plan_scope = {"lane": "speculative"}
    exact = publisher.root / "exact.yaml"
    exact.write_text(json.dumps(json.loads(exact.read_text()) | {"scope": plan_scope}))
    cells(shallow=800, deep=900)
    assert told(publisher, scope=plan_scope) == [
        ("CLM324", "a speculative lane without a cell of natural text is incomplete")
    ]


def test_a_file_of_cells_is_no_matrix(publisher):
    steady = [{"entry": "STEADY"}]
    assert [code for code, _ in told(publisher, evidence=steady)] == ["CLM318"]


def test_a_cell_of_a_single_repetition_enters_no_range():
    claim = Claim.parse(MATRIX, "claim")
    evidence = Evidence(planned=("a", "b"))
    evidence.parts = [Part(cell, "ratio", "decode_tok_s", Evidence()) for cell in ("a", "b")]
    ratios = iter([({"ratio": Fraction(3), "n": 1}), ({"ratio": Fraction(2), "n": 5})])
    values = matrix.compute(claim, evidence, lambda *_: next(ratios))
    assert (values["ratio.max"], values["cells"], values["n"]) == (2, 1, 5)


@pytest.mark.parametrize("field", ["metrics", "cells"])
def test_what_is_of_a_matrix_is_refused_elsewhere(publisher, field):
    from receipts.errors import MalformedError

    value = {"metrics": {"decode": "decode_tok_s"}, "cells": ["a"]}[field]
    with pytest.raises(MalformedError, match=f"claim tuned: {field} is of a matrix alone"):
        publisher.judge(publisher.change, **{field: value})
