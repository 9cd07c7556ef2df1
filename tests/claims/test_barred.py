"""Barred numbers (REG-24): the value at the digits shown, in any unit of its dimension."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.numerals.numbers import find
from claims.registers import barred, naming
from claims.registers.barred import Barred, Context, Index
from claims.registers.model import BarredRow
from receipts.errors import MalformedError

ROW = {"reason": "retired-baseline", "note": "its anchor missed"}


def index(value, unit=None, **fields):
    """Return an index of one row of a register."""
    row = {"value": value, **ROW, **({"unit": unit} if unit else {}), **fields}
    read = barred.read(BarredRow.parse(row, "row"), "claims.yaml:9:5")
    return Index([read], naming.names({}, ["deep", "shallow"]))


def meets(known, text, **context):
    (number,) = find(text)
    return known.match(number, Context(text, **context)) is not None


@pytest.mark.parametrize(
    ("value", "unit", "same", "other"),
    [
        (
            "3.24",
            "×",
            ["3.24×", "3.2×", "3.240x"],
            ["3×", "3.25×", "3.3×", "3.241×", "3.24 %", "3.24"],
        ),
        ("3.2", "×", ["3.2×", "3.20×"], ["3.24×", "3.3×", "3×"]),
        ("3", "×", ["3×", "3.0×"], ["3.1×", "30×"]),
        ("820", "ms", ["820 ms", "0.82 s", "820,000 µs"], ["0.8 s", "821 ms", "820 s"]),
        ("163.77", "tok/s", ["164 tok/s", "163.8 t/s", "0.16k tok/s"], ["163 tok/s", "160 tok/s"]),
        ("0.9768", "×", ["0.977×", "0.98×"], ["1.0×", "1×"]),
        ("-9", "%", ["−9 %", "-9%"], ["9 %", "+9 %"]),
        ("16", "GiB", ["16 GiB", "16384 MiB"], ["16 GB"]),
        ("17", None, ["17"], ["17×", "17.5", "170"]),
    ],
)
def test_a_number_is_a_barred_one_at_the_digits_shown_in_any_unit_of_its_dimension(
    value, unit, same, other
):
    known = index(value, unit)
    assert [text for text in same if not meets(known, text)] == []
    assert [text for text in other if meets(known, text)] == []


@given(
    st.decimals("0.001", "99999", places=3),
    st.integers(0, 3),
    st.sampled_from(["×", "%", "tok/s", "ms"]),
)
def test_what_is_barred_is_met_rounded_to_any_two_digits_or_more(value, places, unit):
    known = index(str(value), unit)
    shown = value.quantize(Decimal(1).scaleb(-places))
    digits = shown.adjusted() + 1 + places
    if shown and value.adjusted() + 1 + places >= 2 and digits >= 2:
        number = barred.spelled(str(shown), unit)
        assert known.match(number, Context()) is not None


@given(st.decimals("0.01", "9999", places=2), st.decimals("0.01", "9999", places=2))
def test_two_numbers_with_the_same_digits_shown_meet_only_if_they_are_equal(one, other):
    known = index(str(one), "ms")
    assert (known.match(barred.spelled(str(other), "ms"), Context()) is not None) == (one == other)


def test_a_number_of_another_metric_or_cell_is_not_barred():
    known = index("35.2", "tok/s", metric="decode_tok_s", cell="deep")
    assert meets(known, "It decodes 35.2 tok/s.")
    assert meets(known, "We reach 35.2 tok/s.")
    assert not meets(known, "Prefilling reaches 35.2 tok/s.")
    assert meets(known, "At deep it decodes 35.2 tok/s.")
    assert not meets(known, "At shallow it decodes 35.2 tok/s.")
    bound = {"metrics": frozenset({"prefill_tok_s"}), "cells": frozenset({"deep"})}
    assert not meets(known, "It decodes 35.2 tok/s.", **bound)


def test_a_tombstone_may_hold_it_and_nothing_else_may():
    known = index("35.2", "tok/s")
    assert not meets(known, "35.2 tok/s", in_tombstone=True)
    assert meets(known, "35.2 tok/s", holds=True)


def test_what_the_ledger_bars_meets_no_number_of_a_claim_that_holds():
    row = Barred(barred.spelled("35.2", "tok/s"), "superseded", "a typo", entry=7)
    known = Index([row])
    assert meets(known, "35.2 tok/s")
    assert not meets(known, "35.2 tok/s", holds=True)
    assert row.told() == "35.2 tok/s is barred by entry 7: superseded: a typo"


def test_a_unit_that_no_page_can_have_is_refused():
    with pytest.raises(MalformedError, match="'furlongs' is no unit that is known"):
        index("3", "furlongs")


def test_ten_thousand_barred_numbers_cost_a_look_up_each():
    rows = [Barred(barred.spelled(f"{n}.5", "ms"), "x", "y") for n in range(1, 10_001)]
    known = Index(rows)
    found = known.match(barred.spelled("5000.5", "ms"), Context())
    assert found is not None
    assert Fraction(found.number.value) == Fraction(10001, 2)
