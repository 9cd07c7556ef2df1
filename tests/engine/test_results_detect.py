import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results import content, detect
from receipts.errors import MalformedError


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}",
        b"[\n]\n",
        b'{"ttfts": [0.1]}',
        b"\x00\xff" * 100,
        b'{"build_commit": 1}'[:8],
    ],
)
def test_a_file_of_no_known_tool_is_refused_with_the_readers_there_are(data):
    with pytest.raises(
        MalformedError, match=r"no tool that can be read; readers: rows, |truncated|not-text"
    ):
        detect.read(data)


def test_a_file_over_the_limit_is_refused_unread(monkeypatch):
    monkeypatch.setattr(content, "MAX_BYTES", 10)
    with pytest.raises(MalformedError, match="too-large: 11 bytes are over the limit of 10"):
        detect.read(b'{"samples_n')


def test_text_that_quotes_a_record_inside_a_string_is_not_a_record():
    quoted = b'{"generated": "{\\"build_commit\\": 1}"}'
    with pytest.raises(MalformedError, match="no tool"):
        detect.read(quoted)


RECORD = {
    "build_commit": "0123abcd",
    "n_prompt": 0,
    "n_gen": 8,
    "avg_ts": 40.5,
    "stddev_ts": 0.5,
    "avg_ns": 200,
    "samples_ns": [200, 201],
    "samples_ts": [4e7, 3.98e7],
}
LINES = "".join(json.dumps(record) + "\n" for record in (RECORD, RECORD)).encode()
ARRAY = json.dumps([RECORD, RECORD], indent=2).encode()
FRAGMENTS = st.sampled_from(
    [
        b"",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b'"',
        b"\n",
        b"null",
        b"-",
        b"e9",
        b"NaN",
        b"0",
        b'"":',
        b"\xff",
    ]
)


@settings(max_examples=400)
@given(st.data())
def test_damage_is_refused_or_read_but_never_an_accident(data):
    whole = data.draw(st.sampled_from([LINES, ARRAY]))
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 12)))
    damaged = whole[:start] + data.draw(FRAGMENTS) + whole[end:]

    try:
        runs = detect.read(damaged).runs
    except MalformedError:
        runs = ()
    assert all(sample > 0 for run in runs for values in run.samples.values() for sample in values)
