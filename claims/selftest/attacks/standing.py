"""What later rows took back, what nobody approved, and numbers that may not be claimed."""

from claims.selftest.attack import Attack


def _notice(name: str, page: str, edit: tuple[str, str]) -> Attack:
    """Return an attack that edits a notice by hand; the twin is the notice as it was written."""
    text = f"§tuned§\n\n{page}\n"
    return Attack(name, text, text.replace(" CLM604", ""), edit=edit)


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
    _notice("tombstone-number", "§struck:taken-back CLM604§", ("52.0", "62.0")),
    _notice("tombstone-reason", "§struck:taken-back CLM604§", ("had stopped", "was fine")),
    _notice("tombstone-word", "§struck:taken-back CLM604§", ("Retracted", "Confirmed")),
    _notice("banner-reason", "§struck:replaced CLM604§", ("had stopped", "was fine")),
    _notice("banner-over-another-word", "§struck:replaced CLM604§", ("reaches", "flies at")),
    _notice("banner-replacement", "§struck:replaced CLM604§", ("BETTER", "BEST")),
    _notice("tombstone-of-the-register-number", "§row:once CLM604§", ("3.2", "3.3")),
    _notice("tombstone-of-the-register-word", "§row:once CLM604§", ("ran at", "flew at")),
    _notice("tombstone-of-the-register-reason", "§row:gone CLM604§", ("had stopped", "was fine")),
    _notice(
        "tombstone-of-the-register-instead", "§row:once CLM604§", ("claim tuned", "claim loss")
    ),
    Attack(
        "barred-number-beside-its-tombstone",
        "§row:once§ It ran at ⟪CLM505⟫3.2×.\n",
        "§row:once§ It ran.\n",
    ),
    Attack(
        "tombstone-that-the-register-lacks",
        "§tuned§\n\n§unlisted:steady CLM606§\n",
        "§tuned§\n\n§steady§\n",
    ),
    Attack("banner-without-replacement", "§idle:taken-back CLM605§", "§struck:taken-back§"),
    Attack("banner-of-the-fallen", "§outdated:outdated CLM605§", "§struck:outdated§"),
    Attack(
        "tombstone-of-what-stands", "§tuned§\n\n§unjust:steady CLM606§\n", "§tuned§\n\n§steady§\n"
    ),
)
