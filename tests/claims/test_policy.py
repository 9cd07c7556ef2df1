"""Policy packs (PACK-1 to PACK-5: PACK-2, PACK-3, PACK-4): shipped ones and own ones, strictly."""

import json
import re
from pathlib import Path

import pytest

from claims.registers import policy
from receipts.errors import Error, NotFoundError

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/formats/policy-pack.md"
OWN = {"version": 1, "name": "own", "about": "of a test"}


@pytest.fixture
def own(tmp_path):
    """Return a function that writes an own pack and reads it."""

    def make(**fields):
        (tmp_path / "own.yaml").write_text(json.dumps({**OWN, **fields}))
        return policy.pack("own.yaml", tmp_path)

    return make


def test_the_example_of_the_format_page_is_a_pack(tmp_path):
    (example,) = re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    (tmp_path / "release-notes.yaml").write_text(example)
    assert policy.pack("release-notes.yaml", tmp_path).comparator_days == 90


def test_the_shipped_packs_are_read_by_name(tmp_path):
    assert policy.shipped() == ["mlperf-messaging", "strict"]
    packs = [policy.pack(name, tmp_path) for name in policy.shipped()]
    assert [one.name for one in packs] == policy.shipped()


def test_packs_together_ask_for_all_that_each_asks_for(own, tmp_path):
    mine = own(say=["comparator"], comparator_days=30, repetitions=9, facts={"model": ["m"]})
    both = policy.together([policy.pack("strict", tmp_path), mine])
    assert (both.comparator_days, both.repetitions) == (30, 9)
    assert both.say == ("hardware", "model", "comparator", "commit", "repetitions")
    assert both.facts["model"][-1] == "m"
    assert (both.misses_with_wins, both.footnote, both.unverified) == (True, False, None)
    assert both.name == "strict, own"


def test_mlperf_messaging_asks_for_footnote_differences_and_the_word(tmp_path):
    found = policy.together([policy.pack("mlperf-messaging", tmp_path)])
    assert (found.footnote, found.differences, found.unverified) == (True, True, "unverified")
    assert found.derived("decode_tok_s")
    assert not found.derived("ttft_ms")


def test_without_a_pack_nothing_is_asked_for():
    none = policy.Policy()
    assert (none.say, none.repetitions, none.comparator_days) == ((), 1, None)
    assert not any((none.derived("decode_tok_s"), none.footnote, none.misses_with_wins))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"say": ["colour"]}, "'colour' is no field of `facts`; there are comparator, commit"),
        ({"primary": ["speed"]}, "speed"),
        ({"shout": True}, "shout: unknown field"),
        ({"version": 2}, "version"),
        ({"comparator_days": 0}, "comparator_days"),
    ],
    ids=str,
)
def test_a_fault_in_an_own_pack_is_told_with_its_place(own, fields, told):
    with pytest.raises(Error, match=r"own\.yaml:1:\d+: ") as error:
        own(**fields)
    assert told in str(error.value)


def test_an_unknown_pack_is_told_with_the_ones_there_are(tmp_path):
    with pytest.raises(NotFoundError, match="there are mlperf-messaging, strict, or give"):
        policy.pack("lenient", tmp_path)
