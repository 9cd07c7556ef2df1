from fractions import Fraction

import pytest

from engine.results.model import ResultFile, Run, select
from receipts.errors import Error, NotFoundError


def run(**config):
    return Run(
        identity={"model": "tiny"},
        config=config,
        samples={"decode_ms": (Fraction(1),)},
        rows=({},),
        tokens=(),
        logits=(),
    )


CELLS = ResultFile(
    reader="x",
    runs=tuple(run(n_ubatch=size, flash=flash) for size in (256, 512) for flash in (False, True)),
)


def test_the_one_run_that_agrees_in_all_fields_is_selected():
    assert select(CELLS, {"n_ubatch": 512, "flash": True}) is CELLS.runs[3]


def test_values_are_compared_as_text():
    assert select(CELLS, {"n_ubatch": "256", "flash": "false", "model": "tiny"}) is CELLS.runs[0]


def test_a_file_with_one_run_needs_no_condition():
    single = ResultFile(reader="x", runs=CELLS.runs[:1])
    assert select(single, {}) is CELLS.runs[0]


def test_several_matches_are_refused_with_what_tells_them_apart():
    with pytest.raises(Error) as caught:
        select(CELLS, {"n_ubatch": 512})
    assert str(caught.value) == (
        "2 of 4 runs match n_ubatch=512; told apart by flash (false, true)"
    )


def test_repeated_runs_that_no_field_tells_apart_are_refused():
    twins = ResultFile(reader="x", runs=(run(n=1), run(n=1)))
    with pytest.raises(Error, match="2 of 2 runs match no condition; told apart by no field"):
        select(twins, {})


def test_no_match_is_refused_with_the_values_there_are():
    with pytest.raises(NotFoundError) as caught:
        select(CELLS, {"n_ubatch": 1024})
    assert str(caught.value) == (
        "none of 4 runs matches n_ubatch=1024; there is n_ubatch (256, 512)"
    )


def test_an_unknown_field_is_refused_with_the_known_ones():
    with pytest.raises(NotFoundError, match="'ubatch'; known fields: model, n_ubatch, flash"):
        select(CELLS, {"ubatch": 512})


def test_a_field_that_only_some_runs_have_never_matches_the_others():
    mixed = ResultFile(reader="x", runs=(run(mmap=True), run(load="none")))
    assert select(mixed, {"mmap": True}) is mixed.runs[0]
    with pytest.raises(Error, match=r"mmap \(true, absent\); load \(absent, none\)"):
        select(mixed, {"model": "tiny"})


def test_long_and_unprintable_values_of_a_file_stay_one_short_line():
    odd = ResultFile(reader="x", runs=(run(a="x\ny"), run(a="z" * 999)))
    with pytest.raises(Error) as caught:
        select(odd, {})
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()
