"""Sentences that say more than the conditions, counts and statistics of their evidence."""

from claims.selftest.attack import Attack


def _around(name: str, page: str, twin: str) -> Attack:
    """Return an attack with words around a number that is right."""
    return Attack(name, page.replace("@", "1.33×⟪CLM203⟫<!--claim:tuned-->") + "\n",
                  twin.replace("@", "1.33×<!--claim:tuned-->") + "\n")  # fmt: skip


ATTACKS = (
    _around("every-gpu", "On every GPU it gives @ there.", "On one H100 it gives @ there."),
    _around("all-prompts", "For all prompts it gives @ there.", "For one prompt it gives @ there."),
    _around("always", "It always gives @ there.", "It gave @ there."),
    _around("any-model", "It gives @ on any model.", "It gives @ on one model."),
    _around("in-general", "In general it gives @ there.", "In short it gives @ there."),
    _around("across-the-board", "It gives @ across the board.", "It gives @ across the room."),
    Attack(
        "other-depth",
        "At a depth of ⟪CLM201⟫4,096 it gives 1.33×<!--claim:tuned--> there.\n",
        "At a depth of 2,048 it gives 1.33×<!--claim:tuned--> there.\n",
    ),
    Attack(
        "other-prompt",
        "With ⟪CLM201⟫8192 prompt tokens it gives 1.33×<!--claim:tuned--> there.\n",
        "With 2048 prompt tokens it gives 1.33×<!--claim:tuned--> there.\n",
    ),
    Attack(
        "other-count",
        "Over ⟪CLM211⟫nine runs it gives 1.33×<!--claim:tuned--> there.\n",
        "Over five runs it gives 1.33×<!--claim:tuned--> there.\n",
    ),
    Attack(
        "other-count-in-digits",
        "It gives 1.33×<!--claim:tuned--> there (median of ⟪CLM211⟫50 runs).\n",
        "It gives 1.33×<!--claim:tuned--> there (median of 5 runs).\n",
    ),
    Attack(
        "other-count-as-n",
        "It gives 35.16 tok/s<!--claim:steady--> there (n = ⟪CLM211⟫12).\n",
        "It gives 35.16 tok/s<!--claim:steady--> there (n = 5).\n",
    ),
    Attack(
        "other-count-of-pairs",
        "Over ⟪CLM211⟫ten pairs it gives 1.33×<!--claim:tuned--> there.\n",
        "Over ten runs it gives 1.33×<!--claim:tuned--> there.\n",
    ),
    Attack(
        "twice-the-count-of-a-level",
        "It gives 35.16 tok/s<!--claim:steady--> there (median of ⟪CLM211⟫ten runs).\n",
        "It gives 35.16 tok/s<!--claim:steady--> there (median of five runs).\n",
    ),
    Attack(
        "vague-count",
        "It gives 35.16 tok/s<!--claim:steady--> there (median of ⟪CLM211⟫dozens of runs).\n",
        "It gives 35.16 tok/s<!--claim:steady--> there (median of several runs).\n",
    ),
    Attack(
        "other-count-in-a-column",
        "| prefill (tok/s) | n |\n|---|---|\n| 35.16<!--claim:steady--> | ⟪CLM211⟫512 |\n",
        "| prefill (tok/s) | n |\n|---|---|\n| 35.16<!--claim:steady--> | 5 |\n",
    ),
    Attack(
        "other-count-before-a-table",
        "Medians of ⟪CLM211⟫512 runs:\n\n| tok/s |\n|---|\n| 35.16<!--claim:steady--> |\n",
        "Medians of 5 runs:\n\n| tok/s |\n|---|\n| 35.16<!--claim:steady--> |\n",
    ),
    Attack(
        "other-number-of-cells",
        "Across ⟪CLM211⟫three depths it gives 0.93–1.33×<!--claim:grid--> there.\n",
        "Across two depths it gives 0.93–1.33×<!--claim:grid--> there.\n",
    ),
    Attack(
        "depth-of-another-fact",
        "With prompts of ⟪CLM201⟫512 tokens prefill gives 35.16 tok/s<!--claim:steady--> there.\n",
        "With prompts of 2,048 tokens prefill gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "batch-of-another-fact",
        "With micro-batches of ⟪CLM201⟫2,048 it gives 35.16 tok/s<!--claim:steady--> there.\n",
        "With micro-batches of 512 it gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "batch-of-another-claim",
        "With a micro-batch of 512 it gives 35.16 tok/s<!--claim:steady-->.\n\n"
        "With a micro-batch of ⟪CLM201⟫512 it gives 119.4 tok/s<!--claim:narrow--> in 3 runs.\n",
        "With a micro-batch of 512 it gives 35.16 tok/s<!--claim:steady-->.\n\n"
        "With a micro-batch of 256 it gives 119.4 tok/s<!--claim:narrow--> in 3 runs.\n",
    ),
    Attack(
        "batches-swapped-in-a-table",
        "| ubatch | tok/s (3 runs) |\n|---|---|\n| ⟪CLM201⟫256 | 163.1<!--claim:few--> |\n"
        "| ⟪CLM201⟫512 | 119.4<!--claim:narrow--> |\n",
        "| ubatch | tok/s (3 runs) |\n|---|---|\n| 512 | 163.1<!--claim:few--> |\n"
        "| 256 | 119.4<!--claim:narrow--> |\n",
    ),
    Attack(
        "batches-swapped-in-a-sentence",
        "In 3 runs each it gives 163.1 tok/s<!--claim:few--> with micro-batches of ⟪CLM201⟫256 and "
        "119.4 tok/s<!--claim:narrow--> with micro-batches of ⟪CLM201⟫512.\n",
        "In 3 runs each it gives 163.1 tok/s<!--claim:few--> with micro-batches of 512 and "
        "119.4 tok/s<!--claim:narrow--> with micro-batches of 256.\n",
    ),
    Attack(
        "word-of-another-claim",
        "With an ⟪CLM201⟫f16 cache it gives 35.2 tok/s<!--claim:cached-small--> there.\n",
        "With a q8_0 cache it gives 35.2 tok/s<!--claim:cached-small--> there.\n",
    ),
    Attack(
        "few-and-not-said",
        "Prefill gives 163.1 tok/s⟪CLM305⟫<!--claim:few--> there.\n",
        "Prefill gives 163.1 tok/s<!--claim:few--> there, in 3 runs.\n",
    ),
    Attack(
        "mean-for-a-median",
        "The mean is 35.16 tok/s⟪CLM205⟫<!--claim:steady--> there.\n",
        "The median is 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "average-for-a-median",
        "On average it is 35.16 tok/s⟪CLM205⟫<!--claim:steady--> there.\n",
        "In the median it is 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "tail-for-a-median",
        "At p99 it is 35.16 tok/s⟪CLM205⟫<!--claim:steady--> there.\n",
        "At p50 it is 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "mean-behind-the-marker",
        "Prefill gives 35.16 tok/s⟪CLM205⟫<!--claim:steady--> (mean of 5 runs).\n",
        "Prefill gives 35.16 tok/s<!--claim:steady--> (median of 5 runs).\n",
    ),
    Attack(
        "average-behind-the-marker",
        "Prefill gives 35.16 tok/s⟪CLM205⟫<!--claim:steady--> on average.\n",
        "Prefill gives 35.13 tok/s<!--claim:mean--> on average.\n",
    ),
    Attack(
        "other-hardware",
        "On an ⟪CLM217⟫RTX 4090 it gives 1.33×<!--claim:tuned--> there.\n",
        "On an H100 it gives 1.33×<!--claim:tuned--> there.\n",
    ),
    Attack(
        "other-hardware-behind",
        "It gives 1.33×<!--claim:tuned--> on one ⟪CLM217⟫A100.\n",
        "It gives 1.33×<!--claim:tuned--> on one H100, and not on an A100.\n",
    ),
    Attack(
        "other-hardware-in-a-row",
        "| gpu | prefill |\n|---|---|\n| RTX 4090 | 35.16 tok/s⟪CLM217⟫<!--claim:steady--> |\n",
        "| gpu | prefill |\n|---|---|\n| H100 | 35.16 tok/s<!--claim:steady--> |\n",
    ),
    Attack(
        "other-model",
        "With ⟪CLM217⟫Llama-3.1-70B prefill gives 35.16 tok/s<!--claim:on-a-model--> there.\n",
        "With Llama-3.1-8B prefill gives 35.16 tok/s<!--claim:on-a-model--> there.\n",
    ),
    Attack(
        "other-hardware-over-a-column",
        "| | RTX 4090 |\n|---|---|\n| prefill | 35.16 tok/s⟪CLM217⟫<!--claim:steady--> |\n",
        "| | H100 |\n|---|---|\n| prefill | 35.16 tok/s<!--claim:steady--> |\n",
    ),
    Attack(
        "every-gpu-over-a-column",
        "| | on every GPU |\n|---|---|\n| prefill | ⟪CLM203⟫35.16 tok/s<!--claim:steady--> |\n",
        "| | on one GPU |\n|---|---|\n| prefill | 35.16 tok/s<!--claim:steady--> |\n",
    ),
    Attack(
        "mean-over-a-column",
        "| | mean (tok/s) |\n|---|---|\n| prefill | ⟪CLM205⟫35.16<!--claim:steady--> |\n",
        "| | median (tok/s) |\n|---|---|\n| prefill | 35.16<!--claim:steady--> |\n",
    ),
    Attack(
        "tail-beside-a-number",
        "| | tok/s |\n|---|---|\n| p99 | ⟪CLM205⟫35.16<!--claim:steady--> |\n",
        "| | tok/s |\n|---|---|\n| p50 | 35.16<!--claim:steady--> |\n",
    ),
    Attack(
        "other-size-alone",
        "A ⟪CLM217⟫70B model gives 35.16 tok/s<!--claim:on-a-model--> there.\n",
        "An 8B model gives 35.16 tok/s<!--claim:on-a-model--> there.\n",
    ),
    Attack(
        "other-family-alone",
        "⟪CLM217⟫Gemma gives 35.16 tok/s<!--claim:on-a-model--> there.\n",
        "It gives 35.16 tok/s<!--claim:on-a-model--> with a Gemma-style template.\n",
    ),
    Attack(
        "several-cards",
        "On ⟪CLM217⟫two H100s it gives 35.16 tok/s<!--claim:steady--> there.\n",
        "On one H100 it gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "other-machine",
        "On the ⟪CLM217⟫DGX Spark it gives 35.16 tok/s<!--claim:steady--> there.\n",
        "On the H100 it gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "other-quantization",
        "With ⟪CLM217⟫Q8_0 weights it gives 35.16 tok/s<!--claim:quantized--> there.\n",
        "With Q4_K_M weights it gives 35.16 tok/s<!--claim:quantized--> there.\n",
    ),
    Attack(
        "other-commit-beside",
        "At commit ⟪CLM201⟫deadbeef1 it gives 35.16 tok/s<!--claim:steady--> there.\n",
        "At commit 0a1b2c3 it gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack("claim-on-other-hardware", "§on-other-hardware CLM217§\n", "§steady§\n"),
    Attack("claim-of-other-model", "§of-other-model CLM217§\n", "§on-a-model§\n"),
    Attack("claim-other-scope", "§other-scope CLM201§\n", "§scoped§\n"),
    Attack("claim-no-such-fact", "§no-such-fact CLM201§\n", "§scoped§\n"),
    Attack("claim-one-sided", "§one-sided CLM204§\n", "§sided§\n"),
    Attack("claim-everywhere", "§everywhere CLM203§\n", "§tuned§\n"),
    Attack("claim-faster-level", "§faster-level CLM203§\n", "§steady§\n"),
    Attack("claim-up-to", "§upto CLM205§\n", "§steady§\n"),
    Attack("claim-averaged", "§averaged CLM205§\n", "§mean§\n"),
    Attack("claim-too-few", "§too-few CLM305§\n", "§few§\n"),
    Attack("claim-few-unsaid", "§few-unsaid CLM305§\n", "§few§\n"),
    Attack("claim-tail-of-five", "§tail CLM305§\n", "§steady§\n"),
    Attack("claim-crossing-hidden", "§crossing CLM214§\n", "§crossing-shown§\n"),
    Attack("claim-cells-unsaid", "§unsaid-cells CLM215§\n", "§some-cells§\n"),
    *(
        Attack(f"claim-{name}", f"§{name} CLM216§\n", "§even§\n")
        for name in (
            "margin-undeclared",
            "margin-of-another-plan",
            "margin-exceeded",
            "margin-unsaid",
            "margin-of-a-win",
        )
    ),
    Attack("claim-no-margin", "⟪CLM407⟫§no-margin CLM216§\n", "§even§\n"),
    Attack(
        "win-of-no-change",
        "Decode is ⟪CLM407⟫faster, at 1.004×<!--claim:even--> or so.\n",
        "Decode shows no regression, at 1.004×<!--claim:even--> or so.\n",
    ),
    Attack(
        "another-margin",
        "Decode is unchanged within ±⟪CLM102⟫1 %<!--claim:even--> here.\n",
        "Decode is unchanged within ±2 %<!--claim:even--> here.\n",
    ),
    Attack("claim-other-commit", "§other-commit CLM210§\n", "§compared§\n"),
    Attack(
        "window-undated",
        "§first§\n\n"
        "The tuned decoder runs at ⟪CLM212⟫1.02× the plain one (n = 5).<!--claim:undated-->\n",
        "§first§\n\n§second§\n",
        "dated",
    ),
    Attack("policy-hardware", "§no-hardware CLM202§\n", "§strict§\n", "strict"),
    Attack("policy-model", "§no-model CLM202§\n", "§strict§\n", "strict"),
    Attack("policy-repetitions", "§no-n CLM202§\n", "§strict§\n", "strict"),
    Attack("policy-old-comparator", "§old CLM210§\n", "§strict§\n", "strict"),
    Attack("policy-win-without-misses", "§short CLM411§\n", "§short§\n\n§whole§\n", "misses"),
)
