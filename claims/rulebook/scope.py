"""Rules about scope, arms and statistics (CLM2…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM201",
        "scope-not-established",
        "The claim names a condition that the evidence does not carry, or carries otherwise.",
        "Take the condition out, or cite evidence that was measured under it.",
    ),
    Rule(
        "CLM202",
        "scope-not-said",
        "The sentence does not say a condition that the policy wants to be read with the number.",
        "Put it into the claim's scope and into its wording: {scope.NAME}, {comparator.commit}.",
    ),
    Rule(
        "CLM203",
        "wider-than-scope",
        "The sentence claims more than the conditions under which the evidence was measured.",
        "Name the conditions instead, or measure the others too.",
    ),
    Rule(
        "CLM204",
        "sides-differ",
        "The sides of a ratio differ in a condition that the claim gives both, or does not name.",
        "Measure both under it, or say each side's own in baseline_scope and candidate_scope.",
    ),
    Rule(
        "CLM205",
        "statistic-differs",
        "The sentence names another statistic (median, average, peak, …) than the number is.",
        "Name the claim's own, or put the word's own hole next to it: at least {min:.1f}.",
    ),
    Rule(
        "CLM206",
        "arms-differ",
        "The repetitions are not those of one window: other conditions, order, place or receipt.",
        "Measure both arms in one window: `engine ab`.",
    ),
    Rule(
        "CLM207",
        "plan-differs",
        "The window says of itself what its plan does not, or the plan is not about the metric.",
        "Name a metric of the plan, or measure under a plan that says what you want to claim.",
    ),
    Rule(
        "CLM208",
        "not-engaged",
        "An arm did not prove that it ran what it is said to be, or both arms are one.",
        "Look at the logs of that arm; a window that compares an arm with itself shows noise.",
    ),
    Rule(
        "CLM209",
        "blind-gate",
        "An accuracy gate of the window cannot see the defect it is there for, or was failed.",
        "Use a fixture on which the broken arm fails; what both arms pass shows nothing.",
    ),
    Rule(
        "CLM210",
        "comparator-unknown-or-old",
        "What the change is measured against is not named, is another commit, or is too old.",
        "Name it in `comparator` with the commit that was measured; an old one is measured anew.",
    ),
    Rule(
        "CLM211",
        "count-differs",
        "The page tells another number of repetitions than the evidence has.",
        "Write how many repetitions there are, or bind the sentence to the claim that has them.",
    ),
    Rule(
        "CLM212",
        "undated-window",
        "Several windows of one cell are shown, and this one stands without its date or spread.",
        "Write the date of the window and its range beside the value.",
    ),
    Rule(
        "CLM213",
        "over-precise",
        "The number has more digits than the rows carry, or than its standard error leaves any "
        "meaning.",
        "Show fewer digits.",
    ),
    Rule(
        "CLM214",
        "minimum-not-shown",
        "A pair or a cell lies on the other side of parity, or below the mean, and is not shown.",
        "Show it in the same sentence: {pair.min} of a window, {ratio.min} over cells.",
    ),
    Rule(
        "CLM215",
        "cells-left-out",
        "The claim leaves out cells of the plan, and the sentence does not say so.",
        "Name them, or write {cells} of {cells.planned} cells; better, cite every cell.",
    ),
)
