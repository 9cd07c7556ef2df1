"""Which anchors vouch for the baseline of a window."""

import json

import pytest

from claims.judging import anchoring
from claims.judging.chain import RefusedError
from engine import plan
from receipts.predicates import WindowPredicate


@pytest.fixture
def judged(publisher):
    """Return what judges the anchors of a window, had its plan given them these words."""
    window = publisher.receipt("exact").predicate
    assert isinstance(window, WindowPredicate)
    fields = json.loads((publisher.root / "exact.yaml").read_text())

    def judge(*words):
        command = [*fields["baseline"]["command"][:-2], *words]
        anchors = [{**fields["anchors"][0], "command": command}]
        planned = plan.parse(json.dumps(fields | {"anchors": anchors}).encode(), "plan")
        anchoring.require_own_words(planned, list(window.anchors), "decode_tok_s")

    return judge


def test_an_anchor_that_ran_the_baselines_own_command_vouches_for_it(judged):
    judged("exact-plain", "{raw}")


@pytest.mark.parametrize(
    "words", [("other-plain", "{raw}"), ("exact-plain", "{raw}", "--fast"), ("{raw}",)]
)
def test_one_that_ran_its_binary_with_other_words_does_not(judged, words):
    with pytest.raises(RefusedError, match="no anchor of decode_tok_s ran the command of the arm"):
        judged(*words)
