"""What later rows took back, what nobody approved, and numbers that may not be claimed."""

from claims.selftest.attack import Attack

ATTACKS = (
    Attack("superseded", "§replaced CLM501§\n", "§better§\n"),
    Attack("retracted", "§taken-back CLM502§\n", "§steady§\n"),
    Attack("contested", "§contested CLM503§\n", "§steady§\n"),
    Attack("barred-metric", "§barred CLM504§\n", "§steady§\n"),
    Attack("unapproved", "§unapproved CLM401§\n", "§steady§\n"),
    Attack("approved-otherwise", "§reworded CLM401§\n", "§steady§\n"),
    Attack("approval-withdrawn", "§unapproving CLM401§\n", "§steady§\n"),
    Attack("barred-number", "§tuned§\n\nIt ran at ⟪CLM505⟫3.2×.\n", "§tuned§\n\nIt ran.\n"),
    Attack(
        "barred-number-rounded",
        "§tuned§\n\nIt ran at ⟪CLM505⟫3.20x.\n",
        "§tuned§\n\nIt ran often.\n",
    ),
    Attack(
        "withdrawn-claim",
        "§tuned§\n\nIt runs at twice that.⟪CLM506⟫<!--claim:gone-->\n",
        "§tuned§\n\nIt runs.\n",
    ),
)
