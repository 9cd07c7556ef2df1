import json
import math
import tracemalloc
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results import documents
from engine.results.refusals import ResultError
from engine.results.source_json import NonFinite, Window

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(st.text(max_size=5), inner, max_size=6)
        | st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=40)
    ),
    max_leaves=30,
)


def plain(value):
    """Return the value with packed columns as lists."""
    if isinstance(value, array):
        return value.tolist()
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def refused(text, size=1 << 20):
    with pytest.raises(ResultError) as caught:
        Window(text.encode(), size).value()
    return caught.value


@given(VALUES, st.integers(1, 300), st.booleans(), st.sampled_from([None, 0, 1]))
def test_every_window_sees_what_json_sees(value, size, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    window = Window(text.encode("utf-8", "surrogatepass") if ascii_only else _safe(text), size)
    found = plain(window.value())
    assert json.dumps(found) == json.dumps(json.loads(text if ascii_only else _safe(text)))
    assert window.skip_space() == ""


def _safe(text):
    return text.encode("utf-8", "replace")


@settings(max_examples=300)
@given(st.binary(max_size=60), st.integers(1, 20))
def test_arbitrary_bytes_are_read_alike_by_every_window_or_refused(data, size):
    def outcome(window):
        try:
            return json.dumps(plain(Window(data, window).document()))
        except ResultError as error:
            return error.name

    small, large = outcome(size), outcome(1 << 20)
    # Bytes with several faults are refused for the one that the window meets first.
    named = {"malformed", "truncated", "duplicate-keys", "not-text"}
    assert small == large or {small, large} <= named


def test_numbers_and_lists_of_numbers_are_packed_where_they_are_many():
    rows = [[0.5 + at, 0.25] for at in range(400)]
    found = Window(json.dumps({"itls": rows, "flat": [1.5] * 900}).encode(), 256).value()
    assert isinstance(found["itls"][0], array)
    assert isinstance(found["flat"], array)
    assert plain(found) == {"itls": rows, "flat": [1.5] * 900}


def test_a_list_that_is_not_of_numbers_alone_is_no_column():
    mixed = [0.5] * 300 + ["… omitted"] + [0.5] * 300
    found = Window(json.dumps({"times": mixed}).encode(), 256).value()
    assert found == {"times": mixed}


def test_memory_stays_far_below_the_size_of_the_file():
    data = json.dumps({"itls": [[0.012345678901 + at / 1e9] * 64 for at in range(2000)]}).encode()
    data += b" " * (4 << 20)
    tracemalloc.start()
    value = Window(data).value()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(value["itls"]) == 2000
    assert peak < 2 * len(data)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ('{"a": 1, "a": 2}', "duplicate-keys", "key 'a' appears twice"),
        ('{"a": {"b": 1, "b": 1}}', "duplicate-keys", "key 'b' appears twice"),
        ("[" * 65 + "]" * 65, "too-deep", "line 1: nested over 64 levels"),
        ("[" * 200_000, "too-deep", "nested"),
        ("9" * 5000, "not-a-number", "longer than any result"),
        ('{"a": 1', "truncated", "ends inside"),
        ('{"a": tru', "truncated", "ends inside"),
        ('{"a": 1.', "truncated", "ends inside"),
        ('{"a": "x', "truncated", "ends inside"),
        ("", "truncated", "ends inside"),
        ('{"a": 1,}', "malformed", "not JSON"),
        ('\n\n{"a": -nan}', "malformed", "line 3: not JSON"),
        ("{'a': 1}", "malformed", "not JSON"),
    ],
)
@pytest.mark.parametrize("size", [1 << 20, 3, 16])
def test_what_is_not_strict_json_has_a_name(text, name, said, size):
    if size == 3 and name == "too-deep":
        size = 64  # a window of three characters never sees two hundred thousand at once
    window = Window(text.encode(), size)
    window.skip_space()
    with pytest.raises(ResultError) as caught:
        window.value()
    assert caught.value.name == name
    assert said in caught.value.detail


@pytest.mark.parametrize(
    "line", ['{"a":1,"a":2}', '{"a" :1,"b":2,"b":3}', '{"x": "\\":","a":1,"a":2}']
)
def test_a_key_twice_in_a_line_among_lines_is_found(line):
    with pytest.raises(ResultError, match=r"duplicate-keys: key '[ab]' appears twice"):
        documents.parse(f'{{"c":1}}\n{line}\n{{"c":1}}'.encode())


def test_a_key_twice_in_an_object_larger_than_the_window_is_found():
    text = json.dumps({"a": [0.5] * 100, "b": [0.5] * 100})[:-1] + ', "a": 1}'
    assert refused(text, 32).name == "duplicate-keys"


def test_bytes_that_are_no_text_are_refused_with_their_place():
    with pytest.raises(ResultError, match=r"not-text: not UTF-8: .* at byte 7"):
        Window(b'{"a": "\xff"}')


def test_a_character_cut_by_the_window_is_whole():
    assert Window('"é😀"'.encode(), 2).value() == "é😀"


def test_what_json_does_not_know_keeps_its_name():
    found = Window(b'{"rate": Infinity, "mean": NaN, "low": -Infinity, "huge": 1e999}').value()
    assert found["rate"] == "Infinity"
    assert isinstance(found["mean"], NonFinite)
    assert isinstance(found["low"], NonFinite)
    assert math.isinf(found["huge"])


def test_a_byte_order_mark_is_no_content():
    assert Window(b"\xef\xbb\xbf[1]").value() == [1]
