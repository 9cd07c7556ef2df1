"""The quick reader of YAML says the same as the close one, or nothing."""

from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from receipts import yaml_quick, yaml_source
from receipts.errors import MalformedError

PARTS = ["a", "b", "1.50", ": ", ":", "- ", "-", "\n", "\n  ", "\n    ", "\n\n", " ", '"', "'"]
PARTS += ["[", "]", "{", "}", ", ", ",", "#", " #", "|", ">", "|-", ">+", "|2", "true", "null"]
PARTS += ["? ", "?", "key: ", '"q\\n"', "'it''s'", "x: y", "@", "`", "%", "!", "&x", "*x", "---"]
PARTS += ["...", "\n---\n", "\\", "http://x", "a:b", "<<", "=", "0x1", '"\\x41"', "é", "×", "~"]
PARTS += ["\n- ", "\n  - ", "- - ", '"a\n  b"', "[a, b]", "{a: 1}", "{a:1}", "[a:1]", "{a}"]
PARTS += ['{"a":1}', "[? a]", "\t", '"\\t"', '"\\0"', "k: >-\n  t\n", "k: |\n  t\n", "k: >#"]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=14).map("".join)


def closely(text):
    """Return what the close reader says, its fault as text."""
    with mock.patch.object(yaml_quick, "read", return_value=None):
        try:
            source = yaml_source.load(text.encode(), "f")
        except MalformedError as error:
            return str(error)
    return source.value, source.places


@settings(max_examples=1500)
@given(TEXTS)
def test_what_is_read_quickly_is_what_is_read_closely(text):
    quick = yaml_quick.read(text)
    assert quick is None or quick == closely(text)


@given(
    st.recursive(TEXTS, lambda inner: st.builds("a: [{}]\nb:\n- {{k: {}}}\n".format, inner, inner))
)
def test_the_same_holds_inside_of_lists_and_mappings(text):
    quick = yaml_quick.read(text)
    assert quick is None or quick == closely(text)


@pytest.mark.parametrize("text", ["a: 1\n", "a: [x, {b: true}]\n", "- 'y'\n- >-\n  z\n  w\n"])
def test_plain_yaml_is_read_quickly(text):
    quick = yaml_quick.read(text)
    assert quick is not None
    assert quick == closely(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: &x 1\n",
        "a: *x\n",
        "a: !t 1\n",
        "a:\n",
        "a: 1\na: 2\n",
        "a: \u2028b",
        "%YAML 1.1\n---\na: 1",
    ],
)
def test_what_is_not_plain_is_left_to_the_close_reader(text):
    assert yaml_quick.read(text) is None
