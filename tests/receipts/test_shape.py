"""Shapes: strict, frozen, and plain in the end."""

from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError

from receipts.errors import MalformedError
from receipts.shape import Label, LimitText, Shape, Time, Whole


class Point(Shape):
    """Two numbers and a name that may be absent."""

    x: int
    y: int
    name: str | None = None


def test_a_field_that_is_absent_stays_absent():
    assert Point.parse({"x": 1, "y": 2}, "point").plain() == {"x": 1, "y": 2}


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"x": 1}, "point: y: is missing"),
        ({"x": 1, "y": 2, "z": 3}, "point: z: unknown field"),
        ({}, r"point: x: is missing \(and 1 more\)"),
        ({"x": "1", "y": 2}, "point: x: must be a whole number"),
        ({"x": True, "y": 2}, "point: x: must be a whole number"),
        ({"x": 1.0, "y": 2}, "point: x: must be a whole number"),
        ([], "point: value: must be a mapping of fields"),
        (None, "point: value: must be a mapping of fields"),
        ({"x": 1, "y": 2, "name": 3}, "point: name: must be text"),
    ],
)
def test_the_first_fault_is_told_with_its_place(value, sentence):
    with pytest.raises(MalformedError, match=sentence):
        Point.parse(value, "point")


def test_a_shape_does_not_change():
    with pytest.raises(ValidationError):
        Point(x=1, y=2).x = 3


class Form(Shape):
    """One field of every kind, each of them with a default."""

    label: Label = "a"
    kind: Literal["red", "blue"] = "red"
    only: Literal["one"] = "one"
    listed: list[int] = Field(default_factory=lambda: [1], min_length=1, max_length=2)
    facts: dict[str, int] = Field(default_factory=dict)
    count: Annotated[Whole, Field(ge=5, le=9)] = 5
    limit: LimitText = "0.1"
    words: Annotated[str, Field(min_length=2, max_length=3)] = "ab"
    sure: bool = True
    at: Time = "2025-01-01T00:00:00.000Z"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("label", "two words", "is not of the required form: 'two words'"),
        ("label", "x" * 99, f"is not of the required form: '{'x' * 59}…"),
        ("label", "a\n", r"is not of the required form: 'a\n'"),
        ("kind", "green", "must be one of 'red' or 'blue'"),
        ("only", "two", "must be 'one'"),
        ("listed", "x", "must be a list"),
        ("listed", [], "must have at least 1"),
        ("listed", [1, 2, 3], "must have at most 2"),
        ("facts", [], "must be a mapping of fields"),
        ("count", 4, "must be at least 5"),
        ("count", 10, "must be at most 9"),
        ("count", True, "must be a whole number"),
        ("limit", "-0.1", "must not be below zero"),
        ("limit", "ten", "is not of the required form: 'ten'"),
        ("words", "a", "must have at least 2 characters"),
        ("words", "abcd", "must have at most 3 characters"),
        ("sure", "yes", "must be true or false"),
        ("label", {}, "must be text"),
    ],
)
def test_a_fault_is_told_in_our_words(field, value, sentence):
    with pytest.raises(MalformedError) as caught:
        Form.parse({field: value}, "form")
    assert str(caught.value) == f"form: {field}: {sentence}"


def test_a_time_that_no_calendar_has_is_told_without_the_library_s_preface():
    with pytest.raises(MalformedError, match=r"^form: at: (?!Value error)"):
        Form.parse({"at": "2025-02-30T00:00:00.000Z"}, "form")


@pytest.mark.parametrize("text", ["6.0", "1_000", " 6", "+6", "06", "6e0", "six", ""])
def test_a_whole_number_has_one_spelling(text):
    with pytest.raises(ValidationError):
        Form.model_validate({"count": text}, strict=False)
    assert Form.model_validate({"count": "6"}, strict=False).count == 6
