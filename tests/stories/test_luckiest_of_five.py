"""One program against itself, five times; the luckiest window was to be the sentence."""

import json
from fractions import Fraction

from tests.stories import decoders

NAMES = [f"luck-{number}" for number in range(1, 6)]
CLAIM = {
    "id": "faster",
    "kind": "change",
    "metric": "decode_tok_s",
    "wording": "After the change it runs at {ratio:.3f}× the speed before (n = {n}).",
    "statistic": "ratio_of_medians",
}


def walked(publisher):
    """Walk the plan five times, and return the ratio of every window."""
    program = str(decoders.install(publisher.root, "noisy", decoders.NOISY))
    before, after = (
        {"arm": arm, "command": [program, "{raw}", arm]} for arm in ("before", "after")
    )
    fields = {
        "version": 2,
        "name": "luck",
        "cell": "decode",
        "repetitions": 5,
        "baseline": before,
        "candidate": after,
        "metrics": ["decode_tok_s"],
        "anchors": [decoders.anchor(publisher, "before", before["command"])],
    }
    path = publisher.root / "luck.yaml"
    path.write_text(json.dumps(fields))
    for name in NAMES:
        assert publisher.engine("ab", path, "--execute", "--name", name).exit_code in (0, 1)
    return {name: ratio(publisher, name) for name in NAMES}


def ratio(publisher, name):
    (found,) = publisher.receipt(name).predicate.comparisons
    return Fraction(found.ratio)


def test_the_luckiest_is_refused_for_its_siblings_and_all_five_are_flat(publisher):
    ratios = walked(publisher)
    luckiest = max(ratios, key=ratios.__getitem__)
    assert min(ratios.values()) < 1 < ratios[luckiest]

    publisher.experiment("LUCKIEST", f"receipt://{luckiest}")
    refusals = publisher.judge(CLAIM, evidence=[{"entry": "LUCKIEST"}]).refusals
    (siblings,) = [one for one in refusals if one.code == "CLM323"]
    for name in NAMES:
        assert (name in siblings.message) == (name != luckiest)

    noise = publisher.engine("noise", "luck.yaml", "--windows", "2", "--execute")
    assert noise.exit_code == 0, noise.output
    publisher.experiment("ALL", *(f"receipt://{name}" for name in NAMES))
    chosen = [{"entry": "ALL", "receipt": publisher.uri(luckiest)}]
    refusals = publisher.judge(CLAIM, evidence=chosen).refusals
    assert "CLM323" not in [one.code for one in refusals]
    (flat,) = [one for one in refusals if one.code == "CLM322"]
    assert "flat" in flat.message
