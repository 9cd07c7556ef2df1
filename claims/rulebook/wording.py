"""Rules about wording and approval (CLM4…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM401",
        "operator-review-required",
        "No operator has approved this sentence as it reads now.",
        "An operator runs `claims approve ID`.",
    ),
    Rule(
        "CLM402",
        "required-words-missing",
        "The sentence lacks words that the register says it must retain.",
        "Put them back.",
    ),
    Rule(
        "CLM403",
        "forbidden-words",
        "The sentence has words that the register forbids for this claim.",
        "Take them out.",
    ),
    Rule(
        "CLM404",
        "wording-differs",
        "The sentence on the page is not the one that was approved.",
        "Take the sentence from `claims render`, or have the new wording approved.",
    ),
    Rule(
        "CLM405",
        "not-measured",
        "The claim's tag says that nobody measured it; its figures are unavailable.",
        "Measure it and tag it `measured`, or say in words that it is a target, planned, a mock.",
    ),
    Rule(
        "CLM408",
        "not-claimed",
        "The sentence claims what the register says that nobody claims.",
        "Take it out, or measure it and take the phrase out of the negative space.",
    ),
    Rule(
        "CLM410",
        "policy-not-met",
        "A policy asks for a word, a footnote or a difference that is not there.",
        "Add it, as the message says; `policy:` in the register says which packs are in force.",
    ),
    Rule(
        "CLM411",
        "win-without-its-misses",
        "The page quotes what a window or plan won, and not what the same one lost.",
        "Quote the miss on the same page, by a claim of its own or one over all cells.",
    ),
    Rule(
        "CLM406",
        "unbound-words",
        "A sentence says without a digit how an engine, model, metric or machine compares: faster, "
        "matches, no regression, bit-identical, on every prompt.",
        "Bind the sentence to a claim with <!--claim:ID-->, or say what was done and not how it "
        "compares.",
    ),
    Rule(
        "CLM407",
        "words-unsupported",
        "A bound sentence uses a word that its claim does not bear: faster below 1, no regression "
        "without an equivalence verdict, bit-identical without equal logits, fastest of two.",
        "Use the word that the evidence earns; declare an equivalence margin before measuring.",
    ),
)
