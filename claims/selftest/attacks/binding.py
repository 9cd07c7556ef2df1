"""Numbers without a claim, and markers that bind nothing, the wrong thing, or two things."""

from claims.selftest.attack import Attack
from claims.selftest.attacks.regions import region

_LINK = "Prefill gives [{} tok/s](docs/claims.md#claim-steady) there.\n"
_NOTE = "Prefill gives {} tok/s[^steady] there.\n\n[^steady]: as measured.\n"

ATTACKS = (
    Attack(
        "unbound",
        "Prefill gives ⟪CLM101⟫35.16 tok/s there.\n",
        "Prefill gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "unbound-in-a-heading", "# A gain of ⟪CLM101⟫33 %\n\n§tuned§\n", "# A gain\n\n§tuned§\n"
    ),
    Attack(
        "unbound-in-a-table",
        "§tuned§\n\n| a |\n|---|\n| ⟪CLM101⟫533.8 tok/s |\n",
        "§tuned§\n\n| a |\n|---|\n| 533.8 tok/s<!--claim:tuned-rate--> |\n",
    ),
    Attack(
        "unbound-beside-a-bound-one",
        "It gives 33 %<!--claim:tuned-->, and memory falls by ⟪CLM101⟫23.4 %.\n",
        "It gives 33 %<!--claim:tuned-->, and memory falls.\n",
    ),
    Attack(
        "unbound-after-the-sentence",
        "§tuned§ It even gives ⟪CLM101⟫2.5×.\n",
        "§tuned§ It even gives more.\n",
    ),
    Attack("unbound-word", "§tuned§ It is ⟪CLM101⟫twice as fast.\n", "§tuned§ It is.\n"),
    Attack("unbound-without-unit", "§tuned§ The score is ⟪CLM101⟫87.\n", "§tuned§ The score is.\n"),
    Attack(
        "unbound-in-an-item",
        "- §tuned§\n- latency is ⟪CLM101⟫12 ms\n",
        "- §tuned§\n- latency is low\n",
    ),
    Attack(
        "unbound-in-a-quote",
        "> Latency is ⟪CLM101⟫12 ms.\n\n§tuned§\n",
        "> Latency is.\n\n§tuned§\n",
    ),
    Attack(
        "unknown-claim",
        "Prefill gives 35.16 tok/s⟪CLM010⟫<!--claim:stead--> there.\n",
        "Prefill gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "unknown-claim-by-case",
        "Prefill gives 35.16 tok/s⟪CLM010⟫<!--claim:Steady--> there.\n",
        "Prefill gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "two-claims",
        "Prefill gives 35.16 tok/s<!--claim:steady-->⟪CLM011⟫<!--claim:tuned--> there.\n",
        "Prefill gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "marker-of-another-claim",
        "Prefill gives 35.16 tok/s⟪CLM405⟫<!--claim:target--> there.\n",
        "Prefill gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "marker-before-its-line",
        "⟪CLM012⟫<!--claim:steady--> Prefill gives ⟪CLM101⟫35.16 tok/s.\n",
        "Prefill gives 35.16 tok/s<!--claim:steady-->.\n",
    ),
    Attack(
        "marker-alone",
        "§tuned§\n\n⟪CLM012⟫<!--claim:steady-->\n",
        "§tuned§\n\n<!--claim:steady-->\n§steady§\n",
    ),
    Attack(
        "marker-without-id",
        "§tuned§\n\nIt holds.⟪CLM012⟫<!--claim:-->\n",
        "§tuned§\n\nIt holds.<!-- the claim -->\n",
    ),
    Attack(
        "marker-of-two-words",
        "§tuned§\n\nIt holds.⟪CLM012⟫<!--claim:two words-->\n",
        "§tuned§\n\nIt holds.<!--two words-->\n",
    ),
    Attack(
        "marker-in-capitals",
        "§tuned§\n\nIt holds.⟪CLM012⟫<!--CLAIM:tuned-->\n",
        "§tuned§\n\nIt holds.<!--CLAIMS-->\n",
    ),
    Attack(
        "marker-behind-a-space",
        "Prefill reaches ⟪CLM101⟫35.2 tok/s (median of ⟪CLM101⟫5 runs). "
        "⟪CLM012⟫<!--claim:steady--> So.\n",
        "§steady§ So.\n",
    ),
    Attack(
        "marker-that-never-ends",
        "§tuned§\n\nPrefill gives ⟪CLM101⟫35.16 tok/s<!--claim:steady there.\n",
        "§tuned§\n\nPrefill gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "marker-without-a-number",
        "§tuned§\n\nIt was run often⟪CLM404⟫<!--claim:steady--> there.\n",
        "§tuned§\n\nIt was run at 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "link-to-a-claim",
        _LINK.format("⟪CLM102⟫38.16"),
        _LINK.format("35.16"),
    ),
    Attack(
        "footnote-of-a-claim",
        _NOTE.format("⟪CLM102⟫38.16"),
        _NOTE.format("35.16"),
    ),
    Attack(
        "comment-above-a-list",
        "<!--claim:steady-->\n- 35.16 tok/s\n- ⟪CLM102⟫38.16 tok/s\n",
        "<!--claim:steady-->\n- 35.16 tok/s\n- 35.2 tok/s\n",
    ),
    Attack("region-edited", *region("35.2", "35.3")),
    Attack("region-of-another-word", *region("reaches", "achieves")),
    Attack(
        "region-without-end",
        "⟪CLM040⟫<!-- claim:begin steady sha256=" + "0" * 64 + " -->\nIt holds.\n\n§tuned§\n",
        "It holds.\n\n§tuned§\n",
    ),
    Attack(
        "region-without-begin",
        "§tuned§\n\n⟪CLM040⟫<!-- claim:end steady -->\n",
        "§tuned§\n",
    ),
    Attack(
        "layout-without-a-table",
        '⟪CLM012⟫<!-- claim: tuned row=arm cols="a:min" -->\nNo table.\n\n§tuned§\n',
        "No table.\n\n§tuned§\n",
    ),
)
