"""Rules about scope, arms and statistics (CLM2…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM201",
        "scope-not-established",
        "The claim names a condition that the evidence does not carry, or carries otherwise.",
        "Take the condition out, or cite evidence that was measured under it.",
        "scope: {model: 70B}, on evidence of a 7B model",
        "scope: {model: 7B}",
    ),
    Rule(
        "CLM203",
        "wider-than-scope",
        "The sentence claims more than the conditions under which the evidence was measured.",
        "Name the conditions instead, or measure the others too.",
        "It decodes at 1.05× on every GPU.<!--claim:tuned-decode-->",
        "It decodes at 1.05× on one H100.<!--claim:tuned-decode-->",
    ),
    Rule(
        "CLM205",
        "statistic-differs",
        "The sentence names another statistic (median, average, peak, …) than the number is.",
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
)
