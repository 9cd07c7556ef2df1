"""Numbers that Markdown and HTML could hide from a scanner: the claim beside them holds."""

from claims.selftest.attack import Attack


def _beside(name: str, hidden: str, harmless: str) -> Attack:
    """Return an attack that stands on a page with a claim that holds."""
    return Attack(name, f"§tuned§\n\n{hidden}\n", f"§tuned§\n\n{harmless}\n")


ATTACKS = (
    _beside("code-span", "It gives ⟪CLM108⟫`35.2 tok/s`.", "It prints `tok/s`."),
    _beside("code-span-of-two", "It gives ⟪CLM108⟫``9000 tok/s``.", "It runs ``-t 9000``."),
    _beside("entity-for-a-digit", "Latency: ⟪CLM013⟫&#49;2 ms.", "Latency: low."),
    _beside("entity-for-a-point", "Latency: ⟪CLM101⟫1&#46;2 ms.", "Latency: low&#46;"),
    _beside("escaped", "Latency: ⟪CLM101⟫12\\.5 ms.", "Latency: low\\."),
    _beside("emphasis", "Latency: **⟪CLM101⟫12** ms.", "Latency: **low**."),
    _beside("emphasis-inside", "Latency: ⟪CLM101⟫1**2** ms.", "Latency: l**o**w."),
    _beside("no-break-space", "Latency: ⟪CLM101⟫12&nbsp;ms.", "Latency:&nbsp;low."),
    _beside("narrow-space", "Latency: ⟪CLM101⟫12\u202fms.", "Latency:\u202flow."),
    _beside("html-paragraph", "<p>Latency: ⟪CLM101⟫12 ms</p>", "<p>Latency: low</p>"),
    _beside(
        "html-cell",
        "<table><tr><td>⟪CLM101⟫12 ms</td></tr></table>",
        "<table><tr><td>low</td></tr></table>",
    ),
    _beside("html-inline", "Latency: <b>⟪CLM101⟫12</b> ms.", "Latency: <b>low</b>."),
    _beside(
        "html-details", "<details>\n\n⟪CLM101⟫12 ms\n\n</details>", "<details>\n\nlow\n\n</details>"
    ),
    _beside("alt-text", "![faster by ⟪CLM101⟫9 %](x.png)", "![a plot](x.png)"),
    _beside("link-text", "[a gain of ⟪CLM101⟫9 %](x.md)", "[a gain](x.md)"),
    _beside("link-title", '[a](x.md "a gain of ⟪CLM101⟫9 %")', '[a](x.md "a gain")'),
    _beside("footnote-text", "So.[^1]\n\n[^1]: At ⟪CLM101⟫12 ms.", "So.[^1]\n\n[^1]: At once."),
    _beside("nested-list", "- a\n  - b\n    - ⟪CLM101⟫12 ms", "- a\n  - b\n    - c"),
    _beside("quoted-list", "> - ⟪CLM101⟫12 ms", "> - low"),
    _beside("strikethrough", "~~⟪CLM101⟫12 ms~~", "~~low~~"),
    _beside("broken-line", "Latency:\n⟪CLM101⟫12\nms.", "Latency:\nlow."),
    _beside("setext-heading", "⟪CLM101⟫12 ms\n---", "Low\n---"),
    _beside("full-width-digits", "Latency: ⟪CLM101⟫１２ ms.", "Latency: low."),
    _beside("superscript", "Latency: ⟪CLM101⟫12 ms².", "Latency: low."),
    _beside("code-that-ends", "```\n12 ms\n```\n⟪CLM101⟫12 ms", "```\n12 ms\n```\nlow"),
    Attack(
        "front-matter",
        "---\ndescription: a gain of ⟪CLM101⟫87 %\n---\n\n§tuned§\n",
        "---\ndescription: a gain\n---\n\n§tuned§\n",
    ),
    Attack(
        "crlf",
        "§tuned§\r\n\r\nLatency is ⟪CLM101⟫12 ms.\r\n",
        "§tuned§\r\n\r\nLatency is low.\r\n",
    ),
    Attack(
        "byte-order-mark",
        "\ufeff§tuned§\n\nLatency is ⟪CLM101⟫12 ms.\n",
        "\ufeff§tuned§\n\nLatency is low.\n",
    ),
    Attack(
        "bound-number-in-bold",
        "We saw **⟪CLM102⟫1.38**×<!--claim:tuned--> there.\n",
        "We saw **1.33**×<!--claim:tuned--> there.\n",
    ),
    Attack(
        "bound-number-in-html",
        "We saw <b>⟪CLM102⟫1.38</b>×<!--claim:tuned--> there.\n",
        "We saw <b>1.33</b>×<!--claim:tuned--> there.\n",
    ),
)
