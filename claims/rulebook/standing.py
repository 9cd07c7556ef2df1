"""Rules about what later entries did to the evidence (CLM5…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM501",
        "superseded",
        "A later entry takes the place of an entry or run that the claim rests on.",
        "Rest the claim on the later entry, and have it approved again.",
    ),
    Rule(
        "CLM502",
        "retracted",
        "An entry or run that the claim rests on was withdrawn.",
        "Withdraw the claim; what was retracted is not quoted.",
    ),
    Rule(
        "CLM503",
        "contested",
        "A correction, or a revoked key, strikes something that the claim may rest on.",
        "Restate the claim on an entry that stands.",
    ),
    Rule(
        "CLM504",
        "barred",
        "An amendment bars this metric from being quoted.",
        "Take the sentence out.",
    ),
)
