"""Rules about scope, arms and statistics (CLM2…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM201",
        "scope-not-established",
        "The claim, or the page beside its number, names a condition that the evidence does not "
        "carry, or carries otherwise.",
        "Take the condition out, or cite evidence that was measured under it.",
        "scope: {model: 70B}, on evidence of a 7B model",
        "scope: {model: 7B}",
    ),
    Rule(
        "CLM202",
        "scope-not-said",
        "The sentence does not say a condition that the policy wants to be read with the number.",
        "Put it into the claim's scope and into its wording: {scope.NAME}, {comparator.commit}.",
        "It decodes at 1.05×.   (the policy wants the depth)",
        "At 2,048 tokens it decodes at 1.05×.",
    ),
    Rule(
        "CLM203",
        "wider-than-scope",
        "The sentence claims more than the conditions under which the evidence was measured.",
        "Name the conditions instead, or measure the others too.",
        "It decodes at 1.05×<!--claim:tuned-decode--> on every GPU.",
        "It decodes at 1.05×<!--claim:tuned-decode--> on one H100.",
    ),
    Rule(
        "CLM204",
        "sides-differ",
        "The sides of a ratio differ in a condition that the claim gives both, or does not name.",
        "Measure both under it, or say each side's own in baseline_scope and candidate_scope.",
        "scope: {batch: 1}, where the baseline ran with batch 8",
        "baseline_scope: {batch: 8}, candidate_scope: {batch: 1}",
    ),
    Rule(
        "CLM205",
        "statistic-differs",
        "The sentence names another statistic (median, average, peak, …) than the number is, or "
        "does not tell that it is a maximum, a minimum or a percentile.",
        "Name the claim's own, or put the word's own hole next to it: at least {min:.1f}.",
        'statistic: mean, wording: "It decodes up to {value:.1f} {unit}."',
        'statistic: mean, wording: "It decodes {value:.1f} {unit} on average."',
    ),
    Rule(
        "CLM206",
        "arms-differ",
        "The repetitions are not those of one window: other conditions, order, place or receipt.",
        "Measure both arms in one window: `engine ab`.",
        "A ratio of a run of Monday over a run of Friday.",
        "A ratio of two arms of the window that `engine ab` walked.",
    ),
    Rule(
        "CLM207",
        "plan-differs",
        "The window says of itself what its plan does not, or the plan is not about the metric.",
        "Name a metric of the plan, or measure under a plan that says what you want to claim.",
        "metric: prefill_tok_s, where the plan says metrics: [decode_tok_s]",
        "metric: decode_tok_s",
    ),
    Rule(
        "CLM208",
        "not-engaged",
        "An arm did not prove that it ran what it is said to be, or both arms are one.",
        "Look at the logs of that arm; a window that compares an arm with itself shows noise.",
        "A candidate whose log never says that its kernel was loaded.",
        "A candidate whose log has the pattern that the plan's `engaged:` asks for.",
    ),
    Rule(
        "CLM209",
        "blind-gate",
        "An accuracy gate of the window cannot see the defect it is there for, or was failed.",
        "Use a fixture on which the broken arm fails; what both arms pass shows nothing.",
        "An accuracy gate that the arm with half its context passes too.",
        "A gate on natural text, which the broken arm fails.",
    ),
    Rule(
        "CLM210",
        "comparator-unknown-or-old",
        "What the change is measured against is not named, is another commit, or is too old.",
        "Name it in `comparator` with the commit that was measured; an old one is measured anew.",
        "comparator: {name: llama.cpp}",
        "comparator: {name: llama.cpp, commit: 89e0aa6, date: 2026-08-01}",
    ),
    Rule(
        "CLM211",
        "count-differs",
        "The page tells another number of repetitions than the evidence has.",
        "Write how many repetitions there are, or bind the sentence to the claim that has them.",
        "It reaches 35.2 tok/s<!--claim:tuned-rate--> (median of 9 runs).   (there were 6)",
        "It reaches 35.2 tok/s<!--claim:tuned-rate--> (median of 6 runs).",
    ),
    Rule(
        "CLM212",
        "undated-window",
        "Several windows of one cell are shown, and this one stands without its date or spread.",
        "Write the date of the window and its range beside the value.",
        "1.05×<!--claim:may--> … 1.07×<!--claim:june-->",
        "May 3: 1.05× (1.04–1.06)<!--claim:may--> … June 9: 1.07× (1.06–1.08)",
    ),
    Rule(
        "CLM213",
        "over-precise",
        "The number has more digits than the rows carry, or than its standard error leaves any "
        "meaning.",
        "Show fewer digits.",
        "It decodes 35.160000 tok/s<!--claim:tuned-rate--> here.   (runs between 34 and 36)",
        "It decodes 35.2 tok/s<!--claim:tuned-rate--> here.",
    ),
    Rule(
        "CLM214",
        "minimum-not-shown",
        "A pair or a cell lies on the other side of parity, or below what is shown, and is not "
        "shown itself.",
        "Show it in the same sentence: {pair.min} of a window, {ratio.min} over cells.",
        "It decodes at 1.05× on the mean.   (one pair: 0.98)",
        "It decodes at 1.05× on the mean, at least 0.98×.",
    ),
    Rule(
        "CLM215",
        "cells-left-out",
        "The claim leaves out cells of the plan, and the sentence does not say so.",
        "Name them, or write {cells} of {cells.planned} cells; better, cite every cell.",
        'wording: "{ratio:.2f}×.", over three of six cells',
        'wording: "{ratio:.2f}× in {cells} of {cells.planned} cells."',
    ),
    Rule(
        "CLM216",
        "no-change-unproven",
        "A claim of no change has no margin that its plan declared beforehand, pairs beyond it, or "
        "a sentence that keeps it to itself.",
        "Write `equivalence_margin` into the scope of the plan, measure, give the claim that "
        "`margin`, and show {margin}.",
        'margin: "0.02", over a plan whose scope has no equivalence_margin',
        'margin: "0.02", and "{ratio:.3f}×, alike within ±{margin:.0f} % (n = {n})."',
    ),
    Rule(
        "CLM217",
        "other-hardware-or-model",
        "The sentence or table row of a number names hardware, a model or a quantization, and the "
        "evidence is of another.",
        "Name what was measured, or bind the number to the claim that was measured there.",
        "On an RTX 4090 it decodes 35.2 tok/s<!--claim:tuned-rate-->.   (gpu: H100)",
        "On an H100 it decodes 35.2 tok/s<!--claim:tuned-rate-->.",
    ),
)
