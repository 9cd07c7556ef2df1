"""Canonical JSON: what is refused, one by one."""

import pytest

from receipts import canonical
from receipts.errors import MalformedError


def test_the_example_is_spelled_as_the_specification_says():
    value = {"value": "33.50", "n": 6, "cell": "decode-p16"}
    assert canonical.encode(value) == b'{"cell":"decode-p16","n":6,"value":"33.50"}'


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (1.5, "float 1.5 has no place"),
        (1.0, "float 1.0 has no place"),
        (float("nan"), "float nan has no place"),
        (float("inf"), "float inf has no place"),
        (None, "NoneType None has no place"),
        ({"a": None}, "NoneType None has no place"),
        ((1,), "tuple"),
        (b"x", "bytes"),
        ({1: "x"}, "object key 1 is not an ASCII string"),
        ({"é": 1}, "object key 'é' is not an ASCII string"),
        (2**53, "outside ±"),
        (-(2**53), "outside ±"),
        ("\ud800", "not encodable as JSON"),
        ({"\ud800": 1}, "not an ASCII string"),
    ],
)
def test_a_value_outside_the_subset_is_not_encoded(value, sentence):
    with pytest.raises(MalformedError, match=sentence):
        canonical.encode(value)


def test_a_value_that_contains_itself_is_not_encoded():
    value = []
    value.append(value)
    with pytest.raises(MalformedError, match="nested deeper than 64 levels"):
        canonical.encode(value)


def test_bytes_over_the_callers_limit_are_refused_before_they_are_read():
    assert canonical.decode(b"[1]", max_bytes=3) == [1]
    with pytest.raises(MalformedError, match="JSON of 3 bytes is over the limit of 2"):
        canonical.decode(b"[1]", max_bytes=2)


def test_true_is_not_one():
    assert canonical.encode([True, 1, False, 0]) == b"[true,1,false,0]"
    assert canonical.decode(b"[true,1]")[0] is True


def test_an_error_is_one_line():
    for data in (b'{"a":1,\n"a":2}', b'"\\ud800\n"', b'{"a\\n":null}', b"\xff\n"):
        with pytest.raises(MalformedError) as caught:
            canonical.decode(data)
        assert "\n" not in str(caught.value)
