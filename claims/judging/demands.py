"""What a policy asks of one sentence beyond its evidence: what it must say, and of what it warns.

A field is said when the sentence holds the value of one of its facts, in the claim's own scope or
a side's: what is not scoped is not established, and what is not said is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from claims.judging.scope import Objection, all_differences
from claims.registers import facts, wording

if TYPE_CHECKING:
    from claims.judging.judgement import Judgement
    from claims.registers.model import Claim
    from claims.registers.policy import Policy
    from ledger.log import Ledger
    from receipts.predicates import Facts

_SHORT_COMMIT = 7


def objections(
    done: Judgement, sentence: str, policy: Policy, ledger: Ledger
) -> Iterator[Objection]:
    """Yield every demand of the policy that a sentence does not meet, as code and words."""
    if not policy.packs:
        return
    claim, n = done.claim, done.values.get("n")
    for name in unsaid(claim, sentence, policy, n):
        yield "CLM202", f"policy {policy.name}: it does not say the {name}"
    if isinstance(n, int) and n < policy.repetitions:
        yield "CLM305", f"there are {n} repetitions, policy {policy.name} asks {policy.repetitions}"
    yield from _unverified(done, sentence, policy, ledger)
    if policy.derived(claim.metric):
        yield from _derived(claim, sentence, policy)
    if policy.differences and claim.kind != "level":
        yield from _differences(done, sentence, policy)


def unsaid(claim: Claim, text: str, policy: Policy, n: object) -> list[str]:
    """Return the fields that the policy asks for and the text does not say.

    `text` is the sentence, and on a page its table's headers and caption too; `n` the number of
    repetitions.
    """
    known = {**claim.scope, **(claim.baseline_scope or {}), **(claim.candidate_scope or {})}
    return [name for name in policy.say if not _said(name, claim, known, text, policy, n)]


def _said(name: str, claim: Claim, known: Facts, text: str, policy: Policy, n: object) -> bool:
    from claims.registers.policy import OWN

    if name in OWN:
        return _said_own(name, claim, text, n)
    return any(holds(text, facts.text(known[fact])) for fact in policy.facts[name] if fact in known)


def _said_own(name: str, claim: Claim, text: str, n: object) -> bool:
    if name == "repetitions":
        return isinstance(n, int) and wording.states_count(text, n)
    if claim.kind == "level":
        return True  # a level has no comparator
    one = claim.comparator
    if name == "comparator":
        return one is not None and holds(text, one.name)
    commit = one.commit if one else None
    return commit is not None and commit[:_SHORT_COMMIT] in text


def holds(text: str, words: str) -> bool:
    """Say whether a text holds these words, as words."""
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    return re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) is not None


def _unverified(
    done: Judgement, sentence: str, policy: Policy, ledger: Ledger
) -> Iterator[Objection]:
    entry = done.evidence.entry
    word = policy.unverified
    if word and entry and not _audited(ledger, entry.index) and not holds(sentence, word):
        told = f"no auditor has vouched for entry {entry.index}"
        yield "CLM410", f"policy {policy.name}: {told}, and the sentence does not say {word!r}"


def _audited(ledger: Ledger, entry: int) -> bool:
    """Say whether an AUDIT after the entry found that the evidence holds."""
    from ledger.bodies import Audit

    later = (ledger.entry(index).body for index in ledger.index.of_kinds("AUDIT") if index > entry)
    return any(isinstance(body, Audit) and body.evidence_verdict == "holds" for body in later)


def _derived(claim: Claim, sentence: str, policy: Policy) -> Iterator[Objection]:
    if claim.derived is None:
        yield "CLM410", f"policy {policy.name}: {claim.metric} is derived; say from what: `derived`"
    elif not holds(sentence, "derived"):
        yield "CLM410", f"policy {policy.name}: {claim.metric} is derived, and it does not say so"


def _differences(done: Judgement, sentence: str, policy: Policy) -> Iterator[Objection]:
    own: Mapping[str, object] = done.claim.baseline_scope or {}
    for name in all_differences(done.evidence.sides):
        sides = [scope[name] for scope in _sides(done.claim) if name in scope]
        if name not in own:
            told = f"the sides differ in {name}; name it in baseline_scope and candidate_scope"
            yield "CLM410", f"policy {policy.name}: {told}"
        elif not all(holds(sentence, facts.text(value)) for value in sides):
            told = f"the sides differ in {name}, and it does not say how"
            yield "CLM410", f"policy {policy.name}: {told}"


def _sides(claim: Claim) -> tuple[Facts, Facts]:
    return claim.baseline_scope or {}, claim.candidate_scope or {}
