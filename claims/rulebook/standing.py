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
    Rule(
        "CLM505",
        "barred-number",
        "The number is one that may not be claimed, by the register or by a correction.",
        "Take it out; it may stand in a tombstone, which says why it is barred.",
    ),
    Rule(
        "CLM506",
        "withdrawn-claim",
        "The page still rests on a claim that was withdrawn.",
        "Leave a tombstone with the reason in its place, or bind the claim that replaced it.",
    ),
)
