"""Rules about what surrounds a release: lock, findings, notices (CLM6…).

CLM603 is left free for good: there are no waivers, so none can expire.
"""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM601",
        "release-locked",
        "The publish switch of the release lock is off; without a LOCK entry everything is.",
        "An operator opens it: `claims lock set publish=on --reason …`.",
        "claims publish README.md   (no LOCK entry)",
        'claims lock set publish=on --reason "release 1.2"',
    ),
    Rule(
        "CLM602",
        "open-finding",
        "A finding is open. Findings are resolved; they are neither waived nor deferred.",
        "Resolve it: `claims findings close ID --evidence receipt://… --fence …`.",
        "claims release check   (F-3 is open)",
        'claims findings close F-3 --evidence receipt://fixed --fence "…"',
    ),
    Rule(
        "CLM604",
        "notice-changed",
        "A tombstone, a banner or a generated page is not what was written from the ledger.",
        "Have it written again: `claims affected ID --write`, `claims rejected --output FILE`; or "
        "restore the page.",
        "A word edited inside a tombstone.",
        "The tombstone as it was written.",
    ),
    Rule(
        "CLM605",
        "replacement-fallen",
        "What a banner names in the claim's place is nothing, not in the ledger, or fell itself.",
        "`claims affected ID --write` names what stands now, or writes a tombstone.",
        "A banner that names J2, after J2 was retracted.",
        "A banner that names J3, which stands.",
    ),
    Rule(
        "CLM606",
        "nothing-struck",
        "A tombstone or banner speaks of a claim that the entry it names does not strike.",
        "`claims affected ID --write` takes it out and puts the sentence back with its marker.",
        "A tombstone of J1, after the retraction of J1 was itself retracted.",
        "The sentence with its marker again.",
    ),
    Rule(
        "CLM607",
        "audit-stale",
        "No auditor's entry covers what was recorded last, or it does not say that all holds.",
        "Have an auditor recount: `claims audit --sign`.",
        "claims release check   (40 entries since the last AUDIT)",
        "claims audit --sign",
    ),
)
