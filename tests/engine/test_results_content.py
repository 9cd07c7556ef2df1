import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.results import content, detect, documents
from engine.results.refusals import REFUSALS, ResultError
from tests.fixtures import vllm


def test_a_compressed_file_is_read_as_what_it_holds():
    data = vllm.dump(vllm.serve())
    assert detect.read(gzip.compress(data)).runs[0].samples == detect.read(data).runs[0].samples


def test_members_of_a_compressed_file_follow_each_other():
    one, other = vllm.dump(vllm.serve()) + b"\n", vllm.dump(vllm.serve(seed=2))
    assert len(detect.read(gzip.compress(one) + gzip.compress(other)).runs) == 2


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (gzip.compress(b"x" * 100)[:-5], "truncated"),
        (gzip.compress(b"x" * 100)[:20] + b"\xff" * 30, "malformed"),
        (gzip.compress(b"x") + b"rest", "malformed"),
        (b"\x1f\x8b", "truncated"),
    ],
    # The bytes hold the time at which they were made, so they cannot name a test.
    ids=["cut", "spoilt", "followed", "begun"],
)
def test_a_broken_archive_is_refused_by_name(data, name):
    with pytest.raises(ResultError) as caught:
        detect.read(data)
    assert caught.value.name == name


def test_a_small_file_that_unpacks_to_a_huge_one_is_not_unpacked(monkeypatch):
    monkeypatch.setattr(content, "MAX_BYTES", 1000)
    with pytest.raises(ResultError, match="too-large: unpacked, it is over the limit of 1000"):
        detect.read(gzip.compress(b"0" * 1001))
    with pytest.raises(ResultError, match="too-large: 1001 bytes are over the limit of 1000"):
        detect.read(b"0" * 1001)


def test_the_number_of_records_is_bounded(monkeypatch):
    monkeypatch.setattr(documents, "MAX_DOCUMENTS", 3)
    with pytest.raises(ResultError, match="too-large: over 3 records"):
        documents.parse(b"{}\n" * 4)


def test_objects_are_found_between_log_lines_and_in_arrays_alike():
    found = documents.parse(
        b'start\n[INFO] x\n{"a": 1}\nnoise {"b"}\n[{"c": 3},\nlog\n{"d": 4}]\nend\n'
    )
    assert [list(value) for value in found.values] == [["a"], ["c"], ["d"]]
    assert found.noise == 5
    assert found.listed


@given(st.lists(st.dictionaries(st.text(max_size=4), st.integers(), max_size=3), max_size=5))
def test_lines_and_an_array_hold_the_same_objects(values):
    lines = "\n".join(json.dumps(value) for value in values).encode()
    array = json.dumps(values).encode()
    assert documents.parse(lines).values == documents.parse(array).values == tuple(values)


def refusal(data):
    try:
        detect.read(data)
    except ResultError as error:
        return error


@given(st.binary(max_size=200))
def test_arbitrary_bytes_raise_nothing_but_a_named_refusal(data):
    found = refusal(data)
    assert found is None or found.name in REFUSALS
    assert found is None or str(found).startswith(f"{found.name}: ")


@given(st.binary(max_size=80))
def test_reading_is_a_function_of_the_bytes(data):
    def outcome():
        try:
            return repr(detect.read(data))
        except ResultError as error:
            return str(error)

    assert outcome() == outcome()
