"""Claims over cells, recounted: ranges, pairs, and how many cells there are."""

import json
from contextlib import contextmanager
from fractions import Fraction

import pytest

from claims.recount import cited, matrix
from claims.recount.archive import Archive, UnavailableError
from ledger import session


@contextmanager
def archive(publisher):
    with session.open_ledger() as here:
        yield Archive(here.ledger, publisher.place.receipts, publisher.place.objects)


@pytest.fixture
def grid(publisher):
    """Walk a plan of two cells and cite both windows under GRID; one of them is scattered."""
    plan = json.loads((publisher.root / "exact.yaml").read_text())
    del plan["cell"], plan["anchors"]
    for arm, word in (("baseline", "{slow}"), ("candidate", "{quick}")):
        plan[arm]["command"][-2] = word
    words = {
        name: {"slow": f"{name}-plain", "quick": f"{name}-tuned"} for name in ("shallow", "noisy")
    }
    plan |= {"name": "grid", "cells": [{"cell": c, "words": w} for c, w in words.items()]}
    (publisher.root / "grid.yaml").write_text(json.dumps(plan))
    done = publisher.engine("ab", "grid.yaml", "--execute", "--name", "grid")
    assert done.exit_code in (0, 1), done.output
    publisher.experiment("GRID", "receipt://grid.shallow", "receipt://grid.noisy")
    return publisher


TOLD = {
    "kind": "matrix",
    "metric": "decode_tok_s",
    "statistic": "ratio_of_medians",
    "evidence": [{"entry": "GRID"}],
}


def rates(publisher, window, arm):
    """Return the decode rates of one arm of a window, worked out from the raw files by hand."""
    found = []
    for made in publisher.repetitions(window):
        if made.predicate.arm == arm:
            row = json.loads(publisher.raw_of(made).read_text().splitlines()[1])
            found.append(Fraction(4 * 10**9, sum(row["token_ns"])))
    return found


def test_the_holes_of_a_matrix_are_filled_from_the_rows(grid):
    with archive(grid) as opened:
        values, cells = matrix.fill(opened, TOLD | {"metrics": {"time": "token_ms"}})
    arms = {
        cell: [rates(grid, f"grid.{cell}", arm) for arm in ("plain", "tuned")]
        for cell in ("shallow", "noisy")
    }
    ratios = [sorted(new)[2] / sorted(old)[2] for old, new in arms.values()]
    pairs = [b / a for old, new in arms.values() for a, b in zip(old, new, strict=True)]
    assert [one.name for one in cells] == ["shallow", "noisy"]
    assert (values["ratio.min"], values["ratio.max"]) == (min(ratios), max(ratios))
    assert values["ratio.mean"] == sum(ratios) / 2
    assert (values["pair.min"], values["pair.max"]) == (min(pairs), max(pairs))
    assert min(pairs) < min(ratios)
    assert (values["n"], values["cells"], values["cells.planned"]) == ("5", "2", "2")
    assert values["time.min"] == values["ratio.min"]


def test_one_cell_of_an_entry_is_picked_by_its_name(grid):
    with archive(grid) as opened:
        some = TOLD | {"evidence": [{"entry": "GRID", "cell": "noisy"}]}
        values, cells = matrix.fill(opened, some)
        assert [one.name for one in cells] == ["noisy"]
        assert (values["cells"], values["cells.planned"]) == ("1", "2")
        assert len(cited.spread(opened, {"entry": "GRID"})) == 2
        with pytest.raises(UnavailableError, match="cites 0 receipts"):
            cited.find(opened, {"entry": "GRID", "cell": "deep"})


def test_a_cell_whose_tokens_differ_enters_no_range(grid):
    grid.experiment("MIXED", "receipt://exact", "receipt://other")
    with archive(grid) as opened:
        values, cells = matrix.fill(opened, TOLD | {"evidence": [{"entry": "MIXED"}]})
    assert [one.counts for one in cells] == [True, False]
    assert (values["cells"], values["ratio.min"]) == ("1", values["ratio.max"])


def test_what_is_no_window_is_no_cell(grid):
    with archive(grid) as opened, pytest.raises(UnavailableError, match="this is none"):
        matrix.fill(opened, TOLD | {"evidence": [{"entry": "STEADY"}]})


def test_a_plan_that_is_gone_leaves_it_open(grid):
    digest = grid.receipt("grid.shallow").predicate.plan
    (grid.root / "evidence" / "objects" / digest[7:9] / digest[7:]).unlink()
    with archive(grid) as opened, pytest.raises(UnavailableError, match="is not in the store"):
        matrix.fill(opened, TOLD)


def test_a_reference_that_names_nothing_is_unreadable(grid):
    with archive(grid) as opened:
        for ref in ({"entry": "NOBODY"}, {"entry": "GRID", "receipt": "receipt://nobody"}):
            with pytest.raises(UnavailableError) as caught:
                cited.find(opened, ref)
            assert caught.value.outcome == "unreadable"
