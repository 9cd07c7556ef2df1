"""Rules about numbers on a page (CLM1…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM101",
        "unbound-number",
        "A number stands on the page: no claim is behind it, and no named rule says it is none.",
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
        "CLM103",
        "misrounded",
        "The digits are those of the value cut off, rounded the wrong way, or rounded until they "
        "tell another change: 35.1 for 35.16, 1.1× for 1.05.",
        "Round half-even at the digits shown, or show more of them; the message has the number.",
        "Of 35.16: It decodes 35.1 tok/s<!--claim:tuned-rate--> here.",
        "It decodes 35.2 tok/s<!--claim:tuned-rate--> here.",
    ),
    Rule(
        "CLM104",
        "unit-differs",
        "A number has a unit, a scale or a form in which it is no value of the claim: ms for "
        "tok/s, GB for GiB, 86× or 186 % faster for 1.86×.",
        "Take the form that the message gives; in a wording, {unit} behind the hole, × behind "
        "{ratio}, % behind {percent} and {cv}.",
        "It decodes 35.2 ms<!--claim:tuned-rate--> here.",
        "It decodes 35.2 tok/s<!--claim:tuned-rate--> here.",
    ),
    Rule(
        "CLM105",
        "wrong-direction",
        "The words say faster where it is slower, or the ratio is turned round, or a sign is lost.",
        "Turn the sentence, or the ratio's arms, round; write the minus, or say slower.",
        "The ratio is 0.97: It is faster<!--claim:tuned-decode-->.",
        "It runs at 0.97× the plain one<!--claim:tuned-decode-->.",
    ),
    Rule(
        "CLM106",
        "derived-differs",
        "A change or ratio printed in a table does not follow from the numbers printed beside it.",
        "Compute it again from the operands, or show the operands that it is of.",
        "| before | after | change |\n|---|---|---|\n| 10.0 | 12.0 | +25 % |",
        "| before | after | change |\n|---|---|---|\n| 10.0 | 12.0 | +20 % |",
        ignorable=True,
    ),
    Rule(
        "CLM107",
        "conflicting-values",
        "Two places show different values for one cell of one window.",
        "Show one value everywhere, or say in both places which statistic it is.",
        "TTFT is 1.493 s at 2,048 tokens. … At 2,048 tokens TTFT is 1.520 s.",
        "TTFT is 1.493 s at 2,048 tokens. … At 2,048 tokens TTFT is 1.49 s.",
        ignorable=True,
        needs_all_pages=True,
    ),
    Rule(
        "CLM108",
        "number-in-code-span",
        "A result stands between backticks, where numbers are not checked.",
        "Take the backticks away and bind the number.",
        "It reaches `35.2 tok/s`.",
        "It reaches 35.2 tok/s.<!--claim:tuned-rate-->",
        ignorable=True,
    ),
    Rule(
        "CLM109",
        "quantity-of-another",
        "The number is right, but of another claim or arm than the one that it stands beside.",
        "Swap the numbers, the markers or the names.",
        "The plain decoder reaches 35.2 tok/s<!--claim:tuned-rate-->.",
        "The tuned decoder reaches 35.2 tok/s<!--claim:tuned-rate-->.",
    ),
    Rule(
        "CLM110",
        "bound-not-kept",
        "The number is said to be a floor, a ceiling or a peak, and the repetitions say otherwise.",
        "Use the least or most of all repetitions, or drop “at least”, “up to”, “under”.",
        "At least 35.2 tok/s<!--claim:tuned-rate-->, where one run gave 34.9.",
        "At least 34.9 tok/s<!--claim:tuned-least--> in all runs.",
    ),
    Rule(
        "CLM111",
        "cell-differs",
        "A cell of a bound table is not what the evidence gives for its row and column.",
        "Correct the cell; `row=` and `cols=` say what stands behind it.",
        "The cell of 4,096 shows the value of 2,048.",
        "Each cell shows the value of its own row and column.",
    ),
)
