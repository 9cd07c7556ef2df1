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
        "The claim's tag says that nobody measured it; its figures are unavailable.",
        "Measure it and tag it `measured`, or say in words that it is a target, planned, a mock.",
        "tag: target, and a sentence that says the number was measured",
        "tag: measured, with its evidence; or a sentence that calls it a target",
    ),
    Rule(
        "CLM406",
        "unbound-words",
        "A sentence says without a digit how an engine, model, metric or machine compares: faster, "
        "matches, no regression, bit-identical, on every prompt.",
        "Bind the sentence to a claim with `<!--claim:ID-->`, or say what was done and not how it "
        "compares.",
        "It is faster than the plain decoder.",
        "It is faster than the plain decoder.<!--claim:tuned-decode-->",
        ignorable=True,
    ),
    Rule(
        "CLM407",
        "words-unsupported",
        "A bound sentence uses a word that its claim does not bear: faster of a level, no "
        "regression without an equivalence verdict, bit-identical without equal logits, fastest of "
        "two. Or a wording has neither a number nor a word that claims.",
        "Use the word that the evidence earns; declare an equivalence margin before measuring.",
        "No regression.<!--claim:tuned-decode-->   (no equivalence verdict)",
        "No regression.<!--claim:reworded-->   (alike within a margin of 2 %)",
    ),
    Rule(
        "CLM408",
        "not-claimed",
        "The sentence claims what the register says that nobody claims.",
        "Take it out, or measure it and take the phrase out of the negative space.",
        'negative_space: [{phrase: on every GPU}], "It wins on every GPU."',
        '"It wins on one H100."',
    ),
    Rule(
        "CLM410",
        "policy-not-met",
        "A policy asks for a word, a footnote or a difference that is not there.",
        "Add it, as the message says; `policy:` in the register says which packs are in force.",
        "policy: [mlperf-messaging], and a result without its footnote",
        "The result with the footnote that the policy names.",
    ),
    Rule(
        "CLM411",
        "win-without-its-misses",
        "The page quotes what a window or plan won, and not what the same one lost.",
        "Quote the miss on the same page, by a claim of its own or one over all cells.",
        "A page with the 1.05× of a window, without its cell at 0.97×.",
        "The same page, with a claim over all cells.",
    ),
)
