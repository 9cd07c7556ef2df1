"""Rules about what later entries did to the evidence (CLM5…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM501",
        "superseded",
        "A later entry takes the place of an entry or run that the claim rests on.",
        "Rest the claim on the later entry, and have it approved again.",
        "A claim on J1, after `ledger supersede J1 --replacement J2`",
        "A claim on J2",
    ),
    Rule(
        "CLM502",
        "retracted",
        "An entry or run that the claim rests on was withdrawn.",
        "Withdraw the claim; what was retracted is not quoted.",
        "A claim on J1, after `ledger retract J1`",
        'The claim withdrawn: claims withdraw tuned-decode --reason "J1 was retracted"',
    ),
    Rule(
        "CLM503",
        "contested",
        "A correction, or a revoked key, strikes something that the claim may rest on.",
        "Restate the claim on an entry that stands.",
        "A claim on J1, after a correction struck J1's delta",
        "A claim on the entry that restates it",
    ),
    Rule(
        "CLM504",
        "barred",
        "An amendment bars this metric from being quoted.",
        "Take the sentence out.",
        "A decode ratio, after an amendment bars that metric for its cell",
        "The wall-clock ratio of the same cell",
    ),
    Rule(
        "CLM505",
        "barred-number",
        "The number is one that may not be claimed, by the register or by a correction.",
        "Take it out; it may stand in a tombstone, which says why it is barred.",
        'barred: [{value: 1.65, unit: ×, …}], "It decodes at 1.65×."',
        "A tombstone that says why 1.65× is barred.",
    ),
    Rule(
        "CLM506",
        "withdrawn-claim",
        "The page still rests on a claim that was withdrawn.",
        "Have `claims affected ID --write` leave a tombstone in its place, or bind the claim that "
        "replaced it.",
        "It decodes at 1.05×.<!--claim:gone-->, after the claim was withdrawn",
        "The tombstone that `claims affected` wrote.",
    ),
)
