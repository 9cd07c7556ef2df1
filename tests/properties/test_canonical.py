"""One value has one spelling, and nothing else is read."""

import json

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from receipts import canonical
from receipts.errors import MalformedError

INTEGERS = st.integers(-canonical.MAX_INTEGER, canonical.MAX_INTEGER)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = st.text(st.characters(max_codepoint=127))
VALUES = st.recursive(
    TEXTS | INTEGERS | st.booleans(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    max_leaves=20,
)
# JSON as others write it: any spacing, any key order, floats and nulls among it.
LOOSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
PIECES = [b"{", b"}", b"[", b"]", b",", b":", b'"', b'"a"', b"1", b"-", b"0", b".5", b"e9", b" "]
PIECES += [
    b"null",
    b"true",
    b"NaN",
    b"Infinity",
    b"\\u00",
    b"\\ud800",
    b"\xc3\xa9",
    b"\xef\xbb\xbf",
]


def check(data: bytes) -> None:
    """Either the bytes are what we write for their value, or they are malformed."""
    try:
        value = canonical.decode(data)
    except MalformedError:
        return
    assert canonical.encode(value) == data


@given(VALUES)
def test_we_write_what_the_rfc8785_package_writes(value):
    assert canonical.encode(value) == rfc8785.dumps(value)


@given(VALUES)
def test_what_is_written_is_read_back(value):
    assert canonical.decode(canonical.encode(value)) == value


@given(st.binary())
@example(b"")
@example(b"\xef\xbb\xbf1")
def test_arbitrary_bytes_are_ours_or_malformed(data):
    check(data)


@given(st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_pieces_of_json_in_any_order_are_ours_or_malformed(data):
    check(data)


@given(LOOSE, st.booleans(), st.sampled_from([None, 1]))
def test_json_as_others_write_it_is_ours_or_malformed(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    check(text.encode("utf-8", "surrogatepass"))


@given(VALUES, st.data())
def test_good_bytes_with_one_edit_are_ours_or_malformed(value, data):
    good = canonical.encode(value)
    at = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 3))
    put = data.draw(st.binary(max_size=3) | st.sampled_from(PIECES))
    check(good[:at] + put + good[at + cut :])


@given(LOOSE)
def test_a_value_is_encoded_and_read_back_or_malformed(value):
    try:
        data = canonical.encode(value)
    except MalformedError:
        return
    assert canonical.decode(data) == value


@given(VALUES, VALUES)
def test_different_values_have_different_bytes(one, other):
    same = canonical.encode(one) == canonical.encode(other)
    # In Python 1 == True, in JSON they differ; repr tells them apart, once the keys are sorted.
    assert same == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))


@pytest.mark.parametrize("depth", [63, 64, 65, 66, 70, 1000, 10_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_encode_and_decode_agree_on_depth(depth, opening, closing):
    data = opening * depth + b"1" + closing * depth
    if depth <= canonical.MAX_DEPTH:
        assert canonical.encode(canonical.decode(data)) == data
    else:
        with pytest.raises(MalformedError):
            canonical.decode(data)
