"""Words: paraphrases, words that are required or forbidden, and claims without any digit."""

from claims.selftest.attack import Attack


def _word(name: str, page: str, twin: str) -> Attack:
    """Return an attack in words alone, on a page with a claim that holds."""
    return Attack(name, f"§tuned§\n\n{page}\n", f"§tuned§\n\n{twin}\n")


def _noted(code: str, note: str) -> str:
    """Return the sentence with a footnote that names this."""
    return f"§messaging{code and ' '}{code}§[^1]\n\n[^1]: {note}\n"


_NOTED = _noted("", "receipt §receipt:messaging§")
ATTACKS = (
    Attack(
        "paraphrase",
        "The tuned decoder flies at 1.33× the plain one (n = 5).⟪CLM404⟫<!--claim:tuned-->\n",
        "§tuned§\n",
    ),
    Attack(
        "word-added",
        "The tuned decoder easily runs at 1.33× the plain one (n = 5).⟪CLM404⟫<!--claim:tuned-->\n",
        "§tuned§\n",
    ),
    Attack(
        "word-left-out",
        "Tuned runs at 1.33× the plain one (n = 5).⟪CLM404⟫<!--claim:tuned-->\n",
        "§tuned§\n",
    ),
    Attack(
        "names-swapped",
        "The plain decoder runs at 1.33× the tuned one (n = 5).⟪CLM404⟫<!--claim:tuned-->\n",
        "§tuned§\n",
    ),
    Attack(
        "statistic-swapped",
        "Prefill reaches 35.2 tok/s (mean of 5 runs).⟪CLM404⟫<!--claim:steady-->\n",
        "§steady§\n",
    ),
    Attack(
        "wide-words-around-the-sentence",
        "On every GPU the tuned decoder runs at 1.33× the plain one (n = 5).⟪CLM203⟫"
        "<!--claim:tuned-->\n",
        "§tuned§\n",
    ),
    Attack(
        "required-words-dropped",
        "Prefill reaches 35.2 tok/s (n = 5).⟪CLM404⟫<!--claim:retaining-->\n",
        "§retaining§\n",
    ),
    Attack("claim-required-words", "§not-retaining CLM402§\n", "§retaining§\n"),
    Attack("claim-forbidden-words", "§forbidden CLM403§\n", "§forbidding§\n"),
    Attack("claim-wrong-unit", "§wrong-unit CLM104§\n", "§steady§\n"),
    Attack("claim-wrong-form", "§wrong-form CLM104§\n", "§tuned§\n"),
    Attack("claim-turned-round", "§turned-round CLM105§\n", "§tuned§\n"),
    Attack("claim-told-a-loss", "§told-a-loss CLM105§\n", "§tuned§\n"),
    Attack("claim-of-other-metric", "§other-metric CLM109§\n", "§steady§\n"),
    Attack("claim-of-more-runs", "§more-runs CLM211§\n", "§steady§\n"),
    Attack("claim-too-fine", "§too-fine CLM213§\n", "§steady§\n"),
    Attack("claim-of-other-batch", "§other-batch CLM201§\n", "§steady§\n"),
    Attack("claim-of-more-cells", "§more-cells CLM201§\n", "§grid§\n"),
    Attack("claim-unsaid-most", "§unsaid-most CLM205§\n", "§most§\n"),
    Attack("claim-faster-loss", "§faster-loss CLM105§\n", "§loss§\n"),
    Attack("claim-upgraded", "§upgraded CLM405§\n", "§target§\n"),
    Attack("claim-unlabelled", "§unlabelled CLM405§\n", "§target§\n"),
    Attack("claim-not-claimed", "§unclaimed CLM408§\n", "§steady§\n"),
    Attack(
        "target-told-as-measured",
        "The target is measured.⟪CLM405⟫<!--claim:target-->\n",
        "§target§\n",
    ),
    _word("negative-space", "It saves ⟪CLM408⟫battery life.", "We do not claim battery life."),
    _word("faster-in-words", "It is ⟪CLM406⟫faster than vLLM.", "It was compared with vLLM."),
    _word("faster-in-a-heading", "# ⟪CLM406⟫Faster than vLLM", "# Against vLLM"),
    _word("beats", "It ⟪CLM406⟫beats SGLang.", "It meets SGLang."),
    _word("no-regression", "Decode shows ⟪CLM406⟫no regression.", "Decode shows a plot."),
    _word("bit-identical", "The output is ⟪CLM406⟫bit-identical.", "The output is long."),
    _word("in-alt-text", "![decode ⟪CLM406⟫beats vLLM](a.png)", "![decode of vLLM](a.png)"),
    _word("in-a-cell", "| a |\n|---|\n| ⟪CLM406⟫bit-identical |", "| a |\n|---|\n| long |"),
    Attack(
        "fastest-of-two",
        "Decode is the ⟪CLM407⟫fastest, 1.33×<!--claim:tuned--> or so.\n",
        "Decode is faster, 1.33×<!--claim:tuned--> or so.\n",
    ),
    Attack(
        "twice-as-fast",
        "Decode is ⟪CLM102⟫twice as fast, 1.33×<!--claim:tuned--> or so.\n",
        "Decode is faster, 1.33×<!--claim:tuned--> or so.\n",
    ),
    Attack(
        "bit-identical-on-tokens",
        "⟪CLM407⟫Bit-identical, decode gains 33 %<!--claim:tuned--> or so.\n",
        "Lossless, decode gains 33 %<!--claim:tuned--> or so.\n",
    ),
    Attack(
        "flat-that-is-none",
        "Decode is ⟪CLM407⟫flat, 1.33×<!--claim:tuned--> or so.\n",
        "Decode is up, 1.33×<!--claim:tuned--> or so.\n",
    ),
    Attack(
        "words-without-a-claim",
        "Tuned was run often.⟪CLM404⟫<!--claim:tuned-->\n",
        "Tuned is faster.<!--claim:tuned-->\n",
    ),
    Attack(
        "words-turned-round",
        "Plain is ⟪CLM105⟫faster than tuned.<!--claim:tuned-->\n",
        "Plain is slower than tuned.<!--claim:tuned-->\n",
    ),
    Attack(
        "words-without-the-candidate",
        "Without tuned, decode is ⟪CLM105⟫faster<!--claim:tuned--> here.\n",
        "Without tuned, decode is slower<!--claim:tuned--> here.\n",
    ),
    Attack(
        "words-of-a-loss",
        "Tuned ⟪CLM105⟫raises the decode rate.<!--claim:loss-->\n",
        "Tuned lowers the decode rate.<!--claim:loss-->\n",
    ),
    Attack(
        "words-against-a-stranger",
        "<!-- claim: tuned -->\nTuned is ⟪CLM109⟫faster than vLLM.\n",
        "<!-- claim: tuned -->\nTuned is faster than plain.\n",
    ),
    Attack(
        "words-against-another-release",
        "- Tuned is ⟪CLM109⟫faster than the previous release.<!--claim:tuned-->\n",
        "- Tuned is faster than the plain decoder.<!--claim:tuned-->\n",
    ),
    Attack(
        "words-of-another-metric",
        "# Prefill is ⟪CLM109⟫faster<!--claim:tuned-->\n",
        "# Decode is faster<!--claim:tuned-->\n",
    ),
    Attack(
        "words-of-memory",
        "| a |\n|---|\n| ⟪CLM109⟫less memory than plain<!--claim:tuned--> |\n",
        "| a |\n|---|\n| less time than plain<!--claim:tuned--> |\n",
    ),
    Attack(
        "words-of-a-level",
        "Prefill is ⟪CLM407⟫faster<!--claim:steady--> here.\n",
        "Prefill reaches 35.2 tok/s<!--claim:steady--> here.\n",
    ),
    Attack(
        "words-of-twice-as-much",
        "Tuned ⟪CLM102⟫doubles the decode rate.<!--claim:tuned-->\n",
        "Tuned raises the decode rate.<!--claim:tuned-->\n",
    ),
    Attack(
        "words-of-no-regression",
        "⟪CLM407⟫No regression.<!--claim:tuned-->\n",
        "No regression.<!--claim:even-->\n",
    ),
    Attack(
        "words-of-equal-logits",
        "Tuned gives ⟪CLM407⟫bit-identical logits.<!--claim:tuned-->\n",
        "Tuned gives the same tokens as plain.<!--claim:tuned-->\n",
    ),
    Attack(
        "words-of-every-prompt",
        "Tuned is faster on every prompt.⟪CLM203⟫<!--claim:tuned-->\n",
        "Tuned is faster than plain.[^tuned]\n\n[^tuned]: See the register.\n",
    ),
    Attack(
        "words-in-another-row",
        "| arm | decode |\n|---|---|\n| plain | ✓ ⟪CLM105⟫faster<!--claim:tuned--> |\n",
        "| arm | decode |\n|---|---|\n| tuned | ✓ faster<!--claim:tuned--> |\n",
    ),
    Attack("claim-in-words", "§in-words-swapped CLM105§\n", "§in-words§\n"),
    Attack("claim-in-no-words", "§in-no-words CLM407§\n", "§in-words§\n"),
    Attack("policy-unverified", "§verified CLM410§\n", _NOTED, "messaging"),
    Attack("policy-underived", "§underived CLM410§\n", _NOTED, "messaging"),
    Attack("policy-no-footnote", "§messaging CLM410§\n", _NOTED, "messaging"),
    Attack("policy-other-footnote", _noted("CLM410", "steady"), _NOTED, "messaging"),
)
