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
    ),
    Rule(
        "CLM602",
        "open-finding",
        "A finding is open. Findings are resolved; they are neither waived nor deferred.",
        "Resolve it: `claims findings close ID --evidence receipt://… --fence …`.",
    ),
    Rule(
        "CLM604",
        "notice-changed",
        "A tombstone, a banner or a generated page is not what was written from the ledger.",
        "Have it written again: `claims affected ID --write`, `claims rejected --output FILE`; or "
        "restore the page.",
    ),
    Rule(
        "CLM605",
        "replacement-fallen",
        "What a banner names in the claim's place is not in the ledger, or fell itself.",
        "`claims affected ID --write` names what stands now, or writes a tombstone.",
    ),
    Rule(
        "CLM606",
        "nothing-struck",
        "A tombstone or banner speaks of a claim that the entry it names does not strike.",
        "`claims affected ID --write` takes it out and puts the sentence back with its marker.",
    ),
    Rule(
        "CLM607",
        "audit-stale",
        "No auditor's entry covers what was recorded last, or it does not say that all holds.",
        "Have an auditor recount: `claims audit --sign`.",
    ),
)
