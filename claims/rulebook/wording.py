"""Rules about wording and approval (CLM4…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM401",
        "operator-review-required",
        "No operator has approved this sentence as it reads now.",
        "An operator runs `claims approve ID`.",
        "A claim in the register that nobody approved.",
        "claims approve tuned-decode",
    ),
    Rule(
        "CLM402",
        "required-words-missing",
        "The sentence lacks words that the register says it must retain.",
        "Put them back.",
        'must_retain: [synthetic], "It decodes at 1.05×."',
        'must_retain: [synthetic], "On synthetic prompts it decodes at 1.05×."',
    ),
    Rule(
        "CLM403",
        "forbidden-words",
        "The sentence has words that the register forbids for this claim.",
        "Take them out.",
        'forbidden: [lossless], "Lossless, at 1.05×."',
        'forbidden: [lossless], "At 1.05×, with equal tokens."',
    ),
    Rule(
        "CLM404",
        "wording-differs",
        "The sentence on the page is not the one that was approved.",
        "Take the sentence from `claims render`, or have the new wording approved.",
        "Decoding flies at 1.05×.<!--claim:tuned-decode-->",
        "Decode runs at 1.05×.<!--claim:tuned-decode-->",
    ),
    Rule(
        "CLM405",
        "not-measured",
        "The claim's tag says that nobody measured it; it renders as unavailable.",
        "Measure it, and tag it `measured` with its evidence.",
        "tag: target, and a sentence with a number in it",
        "tag: measured, with its evidence",
    ),
)
