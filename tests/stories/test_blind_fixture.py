"""The decoder that lost half its context, and the prompt on which nobody could see it."""

import json

from engine import fixtures
from tests.stories import decoders

CONTEXT = 64
NATURAL = "only near the end is the first word of this story said again and only near the end"
CLAIM = {
    "id": "tuned",
    "kind": "change",
    "metric": "decode_tok_s",
    "wording": "The tuned decoder runs at {ratio:.2f}× the plain one (n = {n}).",
    "statistic": "ratio_of_medians",
}


def of_cycle():
    return [str(token) for token in fixtures.cycle(length=96, vocab=512, seed=3).prompt]


def of_text():
    """Return tokens in which what is repeated lies further back than half the context."""
    first = [str(10 + ord(letter)) for letter in NATURAL[:40]]
    return [*first, *(str(200 + n) for n in range(20)), *first[:4]]


def plan(publisher, name, prompt):
    decoder = decoders.install(publisher.root, f"{name}-decoder", decoders.COPYING)
    tuned = decoders.install(publisher.root, f"{name}-tuned", decoders.COPYING + "# tuned\n")

    def command(program, context):
        return [str(program), "{raw}", str(context), *prompt]

    broken = command(decoder, CONTEXT // 2)
    gate = {"name": "tokens", "threshold": "0.99", "defect": "half the context", "broken": broken}
    fields = {
        "version": 2,
        "name": name,
        "cell": "decode",
        "repetitions": 5,
        "baseline": {"arm": "plain", "command": command(decoder, CONTEXT)},
        "candidate": {"arm": "tuned", "command": command(tuned, CONTEXT)},
        "metrics": ["decode_tok_s"],
        "gates": [gate],
        "anchors": [decoders.anchor(publisher, name, command(decoder, CONTEXT))],
    }
    path = publisher.root / f"{name}.yaml"
    path.write_text(json.dumps(fields))
    return path


def walk(publisher, name, prompt):
    """Walk the plan, have an entry cite the window, and return what was printed."""
    result = publisher.engine("ab", plan(publisher, name, prompt), "--execute")
    publisher.experiment(name.upper(), f"receipt://{name}-1")
    return result.output


def gate_of(publisher, name):
    (found,) = publisher.receipt(f"{name}-1").predicate.gates
    return found


def test_on_a_cycle_half_the_context_scores_everything_and_on_text_it_does_not(publisher):
    shown = walk(publisher, "cycle", of_cycle())
    assert "gate tokens cannot see this defect: half the context (self 1, half the context 1)" in (
        shown
    )
    assert gate_of(publisher, "cycle").result == "blind"

    shown = walk(publisher, "text", of_text())
    assert "gate tokens is sound (self 1, half the context 0, candidate 1; threshold 0.99)" in shown
    assert gate_of(publisher, "text").broken_score == "0"


def test_a_claim_on_the_cycle_is_refused_by_name_and_on_text_it_is_not(publisher):
    walk(publisher, "cycle", of_cycle())
    walk(publisher, "text", of_text())

    assert publisher.codes(CLAIM, evidence=[{"entry": "CYCLE"}]) == ["CLM209"]
    assert publisher.codes(CLAIM, evidence=[{"entry": "TEXT"}]) == []
