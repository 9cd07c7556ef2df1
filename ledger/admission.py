"""Whether an entry may stand where it stands: every rule but its signature, chain and uniqueness.

The writer asks before it appends, the audit asks again for every row; neither has rules of its
own.
"""

from ledger.bodies import AnyBody, Contract, Experiment, Genesis, Key
from ledger.entry import Entry
from ledger.trust import Lookup, Trust, check_key_entry
from receipts.errors import MalformedError
from receipts.keys import PublicKey


def check(entry: Entry, trust: Trust, lookup: Lookup) -> PublicKey:
    """Return the key that must have signed `entry`, if the entry may stand here; else raise.

    `trust` is the standing of every key before this entry, `lookup` gives earlier entries by id.
    """
    body = entry.body
    key = trust.admit(entry, lookup)
    if body.label:
        check_label(body.label)
    if isinstance(body, Genesis):
        _check_genesis(body)
    elif isinstance(body, Key):
        check_key_entry(trust, body)
    elif isinstance(body, Experiment):
        _check_experiment(body, lookup)
    elif isinstance(body, Contract):
        _check_contract(body, lookup)
    return key


def check_label(label: str) -> None:
    """Refuse a label that could be taken for an index or for the beginning of an id."""
    if label.isdigit() or (len(label) >= 6 and not set(label) - set("0123456789abcdef")):
        raise MalformedError(f"label {label!r} reads like an index or an id; choose another")


def _check_genesis(body: Genesis) -> None:
    if body.log_key == body.operator:
        raise MalformedError("the log key signs checkpoints and nothing else: it is no operator")


def _check_experiment(body: Experiment, lookup: Lookup) -> None:
    if body.answers:
        _require_open(lookup(body.answers).body)
    for gate in body.gate or ():
        if gate.contract and not isinstance(lookup(gate.contract).body, Contract):
            raise MalformedError(f"gate {gate.name}: {gate.contract[:16]}… is no CONTRACT entry")
    for entry_id in body.rests_on or ():
        lookup(entry_id)


def _check_contract(body: Contract, lookup: Lookup) -> None:
    for entry_id in body.retires or ():
        retired = lookup(entry_id)
        if not isinstance(retired.body, Contract):
            raise MalformedError(f"entry {retired.index} is no CONTRACT; only those are retired")
    if body.follows:
        lookup(body.follows)


def _require_open(body: AnyBody) -> None:
    if not isinstance(body, Experiment) or body.delta or body.verdict:
        raise MalformedError(f"entry {body.index} is not an open entry; only those are answered")
