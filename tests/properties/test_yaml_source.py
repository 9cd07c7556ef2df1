"""Whatever bytes are given as YAML, there is a plain value or one malformed line with its place."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from receipts import canonical, yaml_source
from receipts.errors import MalformedError

PLACE = re.compile(r"^f\.yaml:[1-9][0-9]*:[1-9][0-9]*: \S.*\Z")
PIECES = ["a", "b", ": ", ":", "- ", "-", "? ", "\n", "\n  ", "\n\t", "[", "]", "{", "}", ", "]
PIECES += ["&a ", "*a", "!t ", "!!str ", "|\n", ">-\n", "'", '"', "\\", "# c\n", "%YAML 1.1\n"]
PIECES += [
    "---\n",
    "...\n",
    "~",
    "null",
    "true",
    "33.50",
    "<<: ",
    "=",
    "é",
    "\ufeff",
    "\x85",
    "\x00",
]


def check(data: bytes) -> None:
    try:
        source = yaml_source.load(data, "f.yaml")
    except MalformedError as error:
        message = str(error)
    else:
        message = source.place() + ": well formed"
        check_value(source)
    assert PLACE.match(message), message


def check_value(source: yaml_source.Source) -> None:
    plain(source.value)
    for line, column in source.places.values():
        assert line >= 1
        assert column >= 1


def plain(value: object) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            assert type(key) is str
            plain(item)
    elif isinstance(value, list):
        for item in value:
            plain(item)
    else:
        assert type(value) in (str, bool)
        canonical.encode(value)


@given(st.binary(max_size=60))
def test_arbitrary_bytes_are_a_plain_value_or_malformed_with_a_place(data):
    check(data)


@given(st.text(max_size=60))
def test_arbitrary_text_is_a_plain_value_or_malformed_with_a_place(text):
    check(text.encode())


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_pieces_of_yaml_in_any_order_are_a_plain_value_or_malformed_with_a_place(text):
    check(text.encode())


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_a_number_keeps_its_text(number):
    assert yaml_source.load(f"v: {number}\n".encode(), "f.yaml").value == {"v": str(number)}


QUOTED = st.text(
    st.characters(min_codepoint=32, max_codepoint=0xD7FF, exclude_categories=["Cc", "Zl", "Zp"])
)


@given(st.dictionaries(QUOTED, QUOTED))
def test_quoted_text_is_read_as_it_stands(value):
    doubled = {key.replace("'", "''"): item.replace("'", "''") for key, item in value.items()}
    lines = [f"'{key}': '{item}'" for key, item in doubled.items()]
    text = "{" + ",\n".join(lines) + "}"
    assert yaml_source.load(text.encode(), "f.yaml").value == value
