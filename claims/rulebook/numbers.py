"""Rules about numbers on a page (CLM1…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM101",
        "unbound-number",
        "A number with a unit of this field stands on the page, and no claim is behind it.",
        "Register a claim and bind the number with `<!--claim:ID-->`, or take it out.",
        "It decodes 35.2 tok/s.",
        "It decodes 35.2 tok/s.<!--claim:tuned-rate-->",
        ignorable=True,
    ),
    Rule(
        "CLM102",
        "value-differs",
        "The number on the page is not what the evidence gives at the digits shown.",
        "Take the sentence from `claims render`.",
        "The evidence gives 35.16: It decodes 35.61 tok/s<!--claim:tuned-rate--> here.",
        "It decodes 35.2 tok/s<!--claim:tuned-rate--> here.",
    ),
    Rule(
        "CLM104",
        "unit-differs",
        "A number of the filled sentence has a unit or scale in which it is no value of the claim.",
        "Write {unit} behind the hole, × behind {ratio} and % behind {percent} and {cv}.",
        'wording: "It decodes {value:.2f}k {unit}."',
        'wording: "It decodes {value:.0f} {unit}."',
    ),
    Rule(
        "CLM105",
        "wrong-direction",
        "The sentence says faster where the ratio is below 1.",
        "Turn the sentence, or the ratio's arms, round.",
        'The ratio is 0.97: "{ratio:.2f}×, faster than the plain decoder."',
        '"{ratio:.2f}× the plain decoder, so slower."',
    ),
    Rule(
        "CLM107",
        "conflicting-values",
        "Two values are shown for one cell, and no one value rounds to both.",
        "Show one value of one window, or both with their dates and spread.",
        "TTFT is 1.493 s at 2,048 tokens. … At 2,048 tokens TTFT is 1.520 s.",
        "TTFT is 1.493 s at 2,048 tokens. … At 2,048 tokens TTFT is 1.49 s.",
        ignorable=True,
        needs_all_pages=True,
    ),
)
