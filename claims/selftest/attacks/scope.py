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
