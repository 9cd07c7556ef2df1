"""Rules about numbers on a page (CLM1…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM101",
        "unbound-number",
        "A number with a unit of this field stands on the page, and no claim is behind it.",
        "Register a claim and bind the number with <!--claim:ID-->, or take it out.",
    ),
    Rule(
        "CLM102",
        "value-differs",
        "The number on the page is not what the evidence gives at the digits shown.",
        "Take the sentence from `claims render`.",
    ),
    Rule(
        "CLM104",
        "unit-differs",
        "A number of the filled sentence has a unit or scale in which it is no value of the claim.",
        "Write {unit} behind the hole, × behind {ratio} and % behind {percent} and {cv}.",
    ),
    Rule(
        "CLM105",
        "wrong-direction",
        "The sentence says faster where the ratio is below 1.",
        "Turn the sentence, or the ratio's arms, round.",
    ),
    Rule(
        "CLM108",
        "number-in-code-span",
        "A result stands between backticks, where numbers are not checked.",
        "Take the backticks away and bind the number.",
    ),
)
