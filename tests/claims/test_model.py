import pytest

from claims.registers.model import FLOOR, Claim
from receipts import canonical
from receipts.digest import Digest
from receipts.errors import MalformedError

BASE = {
    "id": "c1",
    "kind": "level",
    "wording": "It reaches {value:.1f} {unit}.",
    "metric": "decode_tok_s",
    "statistic": "median",
    "evidence": [{"entry": "J1"}],
}


def claim(**changes) -> Claim:
    return Claim.parse({**BASE, **changes}, "claim")


def test_a_claim_needs_five_repetitions_unless_it_says_otherwise():
    assert claim().repetitions == FLOOR == 5
    assert claim(repetitions=3).repetitions == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "ratio"},
        {"statistic": "best"},
        {"evidence": [{"receipt": "receipt://x"}]},
        {"repetitions": 0},
        {"wording": ""},
        {"id": "no spaces"},
        {"cv_limit": "5 %"},
        {"tag": "sealed"},
        {"value": "35.2"},
        {"must_retain": [""]},
    ],
    ids=str,
)
def test_a_claim_of_another_shape_is_malformed(changes):
    with pytest.raises(MalformedError):
        claim(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "c2"},
        {"wording": "It has {value:.1f} {unit}."},
        {"metric": "prefill_tok_s"},
        {"statistic": "max"},
        {"evidence": [{"entry": "J2"}]},
        {"evidence": [{"entry": "J1", "select": {"n_ubatch": "512"}}]},
        {"evidence": [{"entry": "J1", "receipt": "receipt://x"}]},
        {"evidence": [{"entry": "J1", "arm": "tuned"}]},
        {"scope": {"cell": "p16"}},
        {"repetitions": 4},
        {"cv_limit": "0.05"},
        {"must_retain": ["median"]},
        {"forbidden": ["fast"]},
        {"tag": "target"},
        {"kind": "matrix", "cells": "all"},
        {"metrics": {"decode": "decode_tok_s"}},
        {"cells": ["deep"]},
        {"baseline_scope": {"engine": "a"}},
        {"candidate_scope": {"engine": "a"}},
        {"comparator": {"name": "llama.cpp"}},
        {"derived": "from the time of a request"},
        {"evidence": [{"entry": "J1", "cell": "deep"}]},
    ],
    ids=str,
)
def test_an_approval_is_of_everything_that_could_change_the_sentence_or_its_ground(changes):
    assert claim(**changes).approved_digest() != claim().approved_digest()


def test_the_owner_may_change_without_a_new_approval():
    assert claim(owner="somebody else").approved_digest() == claim().approved_digest()


def test_an_approval_of_a_claim_without_the_newer_fields_is_still_one():
    fields = {**BASE, "scope": {}, "repetitions": 5, "must_retain": [], "forbidden": []}
    fields |= {"tag": "measured"}
    assert claim().approved_digest() == Digest.of(canonical.encode(fields))
