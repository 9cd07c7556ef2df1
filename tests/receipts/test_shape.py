"""Shapes: strict, frozen, and plain in the end."""

import pytest
from pydantic import ValidationError

from receipts.errors import MalformedError
from receipts.shape import Shape


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
        ({"x": 1}, "point: y: Field required"),
        ({"x": 1, "y": 2, "z": 3}, "point: z: unknown field"),
        ({}, r"point: x: Field required \(and 1 more\)"),
        ({"x": "1", "y": 2}, "point: x: Input should be a valid integer"),
        ({"x": True, "y": 2}, "point: x: Input should be a valid integer"),
        ({"x": 1.0, "y": 2}, "point: x: Input should be a valid integer"),
        ([], "point: value: "),
        (None, "point: value: "),
    ],
)
def test_the_first_fault_is_told_with_its_place(value, sentence):
    with pytest.raises(MalformedError, match=sentence):
        Point.parse(value, "point")


def test_a_shape_does_not_change():
    with pytest.raises(ValidationError):
        Point(x=1, y=2).x = 3
