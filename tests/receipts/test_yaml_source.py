"""YAML: what is kept as it stands, and where every fault is."""

import time

import pytest
from pydantic import Field

from receipts import yaml_source
from receipts.errors import MalformedError, NotFoundError
from receipts.shape import Shape


def load(text):
    data = text if isinstance(text, bytes) else text.encode()
    return yaml_source.load(data, "claims.yaml")


NUMBERS = ["33.50", "1.0", "007", "+7", "-0", "1e3", "1_000", "0x1F", "0o17", ".5", "5.", ".inf"]
NUMBERS += [".nan", "12:30", "2026-11-29", "３"]


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_keeps_its_text(text):
    assert load(f"value: {text}\n").value == {"value": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("False", False), ("'true'", "true"), ("yes", "yes"), ("off", "off")],
)
def test_true_and_false_are_truth_values_and_yes_is_a_word(text, value):
    assert load(f"a: {text}").value == {"a": value}


def test_line_ends_and_a_byte_order_mark_make_no_difference():
    unix = load("a: 1\nb:\n  - |\n    x\n    y\n")
    assert load("a: 1\r\nb:\r\n  - |\r\n    x\r\n    y\r\n").value == unix.value
    assert load(b"\xef\xbb\xbf" + b"a: 1\n").value == {"a": "1"}


FAULTS = [
    ("a: 1\nb: 2\na: 3\n", "3:1", "the key 'a' stands twice"),
    ("a:\n  b: 1\n  b: 1\n", "3:3", "the key 'b' stands twice"),
    ("1: x\n1: y\n", "2:1", "the key '1' stands twice"),
    ("a: &x 1\n", "1:4", "anchors (&x) are not allowed"),
    ("[&x a, &x b]\n", "1:2", "anchors (&x) are not allowed"),
    ("a: 1\nb: *x\n", "2:4", "aliases (*x) are not allowed"),
    ("a: !!str 5\n", "1:4", "the tag tag:yaml.org,2002:str is not allowed"),
    ("a: !!bool banana\n", "1:4", "the tag tag:yaml.org,2002:bool is not allowed"),
    ("a: !!python/object:os.system x\n", "1:4", "is not allowed"),
    ("a: !x 5\n", "1:4", "the tag !x is not allowed"),
    ("!!map {a: 1}\n", "1:1", "the tag tag:yaml.org,2002:map is not allowed"),
    ("!k a: 1\n", "1:1", "the tag !k is not allowed"),
    ("%YAML 1.1\n---\na: y\n", "2:1", "directives (%) are not allowed"),
    ("%TAG ! tag:x,2000:\n---\na: 1\n", "2:1", "directives (%) are not allowed"),
    ("a:\nb: 1\n", "1:1", "the value is empty"),
    ("a: ~\n", "1:1", "the value is empty"),
    ("b: 1\na: null\n", "2:1", "the value is empty"),
    ("a: [1, ]\nb: [null]\n", "2:5", "the value is empty"),
    ("-\n- x\n", "1:2", "the value is empty"),
    ("? [a]\n: b\n", "1:1", "a key must be plain text"),
    ("a: [1\n", "2:1", "expected ',' or ']'"),
    ("a: 1\n\tb: 2\n", "2:1", "found character '\\t'"),
    ("a: b: c\n", "1:5", "mapping values are not allowed"),
    ("a: 1\n---\nb: 2\n", "2:1", "another document"),
    ("a: @x\n", "1:4", "found character '@'"),
    ('a: "\\ud800"\n', "1:1", "half a surrogate pair"),
    ("a: 1\nb: x\x01\n", "2:5", "the character U+0001 is not allowed"),
    (b"a: 1\nb: \xff\n", "2:4", "not UTF-8 text"),
    (b"a: \xed\xa0\x80\n", "1:4", "not UTF-8 text"),
    (b"\xff\xfea\x00:\x00", "1:1", "not UTF-8 text"),
    ("", "1:1", "the document is empty"),
    ("# only a comment\n", "1:1", "the document is empty"),
    ("[" * 33 + "]" * 33, "1:33", "nested deeper than 32 levels"),
    ("[" * 10_000, "1:33", "nested deeper than 32 levels"),
    ("{a: " * 10_000, "1:129", "nested deeper than 32 levels"),
    ("".join(" " * n + "a:\n" for n in range(40)), "33:33", "nested deeper than 32 levels"),
]


@pytest.mark.parametrize(("text", "place", "sentence"), FAULTS)
def test_a_fault_is_told_in_one_line_with_file_line_and_column(text, place, sentence):
    with pytest.raises(MalformedError) as caught:
        load(text)
    message = str(caught.value)
    assert message.startswith(f"claims.yaml:{place}: ")
    assert sentence in message
    assert "\n" not in message


def test_nesting_up_to_the_limit_is_read():
    assert load("[" * 32 + "]" * 32).value is not None


def test_a_file_over_the_limit_is_refused_before_it_is_parsed():
    with pytest.raises(MalformedError, match=r"claims\.yaml: larger than 1048576 bytes"):
        load(b"a" * (yaml_source.MAX_BYTES + 1))


def test_an_alias_bomb_is_refused_at_once():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    start = time.monotonic()
    with pytest.raises(MalformedError, match=r"claims.yaml:1:5: anchors"):
        load("\n".join(lines))
    assert time.monotonic() - start < 5


class Row(Shape):
    """One row of a register."""

    name: str
    n: int
    tags: list[str] = Field(default_factory=list)


class Register(Shape):
    """A register of rows."""

    rows: list[Row]


def test_a_document_becomes_a_shape_and_text_a_number_where_the_shape_wants_one():
    read = load("rows:\n  - name: '1'\n    n: 6\n").parse(Register)
    assert read.rows == [Row(name="1", n=6)]


@pytest.mark.parametrize(
    ("text", "place", "sentence"),
    [
        ("rows:\n  - name: x\n    n: 6\n    m: 7\n", "4:5", "rows.0.m: unknown field"),
        ("rows:\n  - name: x\n    n: six\n", "3:5", "rows.0.n: must be a whole number"),
        ("rows:\n  - name: x\n", "2:5", "rows.0.n: is missing"),
        ("rows:\n  - name: x\n    n: 1\n    tags: a\n", "4:5", "rows.0.tags: "),
        ("rows: x\n", "1:1", "rows: must be a list"),
        ("x\n", "1:1", "value: "),
    ],
)
def test_a_fault_of_shape_is_told_with_the_place_of_its_field(text, place, sentence):
    with pytest.raises(MalformedError) as caught:
        load(text).parse(Register)
    assert str(caught.value).startswith(f"claims.yaml:{place}: {sentence}")


def test_a_place_that_is_unknown_is_that_of_the_part_around_it():
    source = load("a:\n  b: 1\n")
    assert source.place(("a", "b")) == "claims.yaml:2:3"
    assert source.place(("a", "c", "d")) == "claims.yaml:1:1"
    assert source.place(("z",)) == "claims.yaml:1:1"
    assert str(source.fault(("a", "b"), "wrong")) == "claims.yaml:2:3: wrong"


def test_a_file_is_read_and_named_in_its_errors(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text("a: 33.50\n")
    assert yaml_source.read(path).value == {"a": "33.50"}
    path.write_text("a:\n")
    with pytest.raises(MalformedError, match=f"^{path}:1:1: "):
        yaml_source.read(path)
    with pytest.raises(NotFoundError, match=r"absent.yaml: the YAML file does not exist"):
        yaml_source.read(tmp_path / "absent.yaml")
