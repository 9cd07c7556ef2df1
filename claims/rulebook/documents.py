"""Rules about a page and its markers (CLM0…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM010",
        "unknown-claim",
        "A marker names a claim that the register does not have.",
        "Register the claim, or correct the marker's id.",
    ),
    Rule(
        "CLM012",
        "misplaced-marker",
        "A marker is malformed, binds nothing, or turns its line into raw HTML.",
        "Glue the marker to the end of the sentence or number: 1.05×<!--claim:ID-->",
    ),
    Rule(
        "CLM013",
        "lost-number",
        "A digit of the page is spelt as an entity, so that no search of the source finds it.",
        "Write the digit itself.",
    ),
)
