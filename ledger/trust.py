"""Who may sign what: a fold of GENESIS and KEY entries, in the order of the ledger.

A key's rights begin after the entry that enrols it and end with the one that retires or revokes it,
so that old signatures stay valid when a key is retired. Revoking names, in `since`, the index from
which the key's entries are contested. Enrolling again replaces the roles.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from ledger.bodies import CORRECTIONS, AnyBody, Correcting, Finding, Genesis, Key, Run
from ledger.entry import Entry
from receipts.errors import MalformedError, UnknownKeyError, VerificationError
from receipts.keys import PublicKey

ROLES: Mapping[str, str] = MappingProxyType(
    {
        "GENESIS": "operator",
        "KEY": "operator",
        "RUN": "runner",
        "ENTRY": "engineer",
        "CONTRACT": "operator",
        "APPROVAL": "operator",
        "LOCK": "operator",
        "FINDING": "engineer",
        "PUBLISHED": "operator",
        "AUDIT": "auditor",
        "RECOVERY": "operator",
    }
)
UNTOUCHABLE = ("GENESIS", "KEY", "LOCK", "APPROVAL")
_GRAVE = ("high", "critical")
Lookup = Callable[[str], Entry]


@dataclass(frozen=True)
class KeyState:
    """One key's standing after some entry."""

    public: PublicKey
    roles: frozenset[str]
    active: bool
    since: int | None = None


class Trust:
    """The standing of every key after the entries applied so far."""

    def __init__(self) -> None:
        self.genesis: Genesis | None = None
        self.keys: dict[str, KeyState] = {}

    def signer(self, fingerprint: str) -> KeyState:
        """Return the standing of the key, or raise `UnknownKeyError`."""
        state = self.keys.get(fingerprint)
        if state is None:
            raise UnknownKeyError(f"key {fingerprint} is not enrolled in this ledger")
        return state

    def require(self, fingerprint: str, role: str | None) -> KeyState:
        """Return the key's standing if it is valid now and holds `role` (None: any); else raise."""
        state = self.signer(fingerprint)
        if not state.active:
            raise VerificationError(f"key {fingerprint} is no longer valid (retired or revoked)")
        if role is not None and role not in state.roles:
            held = ", ".join(sorted(state.roles)) or "none"
            raise VerificationError(f"key {fingerprint} is not {role}; its roles: {held}")
        return state

    def admit(self, entry: Entry, lookup: Lookup) -> PublicKey:
        """Return the key that must have signed `entry`, if that key may sign it here; else raise.

        `lookup` gives earlier entries by id: a correction is for its targets' author or for an
        operator. The signature itself is checked by the caller.
        """
        body = entry.body
        if isinstance(body, Genesis):
            return _genesis_key(entry, body)
        if self.genesis is None:
            raise MalformedError("the first entry must be GENESIS")
        signer = entry.envelope.keyid
        if isinstance(body, CORRECTIONS):
            authors = {target.envelope.keyid for target in targets(body, lookup)}
            # Striking runs fells whatever cites them, also what others wrote.
            role = None if authors == {signer} and not body.runs else "operator"
        else:
            role = _role(body)
        return self.require(signer, role).public

    def apply(self, body: AnyBody) -> None:
        """Fold one entry that has been admitted."""
        if isinstance(body, Genesis):
            self.genesis = body
            operator = PublicKey.parse(body.operator)
            self._set(KeyState(operator, frozenset({"operator"}), active=True))
        elif isinstance(body, Key):
            self._apply_key(body)

    def _apply_key(self, body: Key) -> None:
        public = PublicKey.parse(body.key)
        if body.action == "enrol":
            former = self.keys.get(public.fingerprint)
            since = former.since if former else None
            self._set(KeyState(public, frozenset(body.roles or ()), active=True, since=since))
            return
        state = self.signer(public.fingerprint)
        contested = [index for index in (state.since, body.since) if index is not None]
        self._set(replace(state, active=False, since=min(contested, default=None)))

    def _set(self, state: KeyState) -> None:
        self.keys[state.public.fingerprint] = state


def targets(body: Correcting, lookup: Lookup) -> list[Entry]:
    """Return the entries that a correction names; refuse those that cannot be corrected."""
    found = [lookup(target) for target in (*(body.targets or ()), *(body.resolved or ()))]
    if not found and not body.runs:
        raise MalformedError("a correction names at least one target, or runs by a selector")
    for target in found:
        if target.kind in UNTOUCHABLE:
            raise MalformedError(
                f"entry {target.index} is {target.kind}; {', '.join(UNTOUCHABLE)} are not corrected"
            )
    return found


def check_key_entry(trust: Trust, body: Key) -> None:
    """Refuse a KEY entry that makes no sense where it stands."""
    fingerprint = PublicKey.parse(body.key).fingerprint
    if trust.genesis and body.key == trust.genesis.log_key:
        raise MalformedError("the log key signs checkpoints and nothing else: it gets no role")
    if (body.since is not None and body.action != "revoke") or (
        body.roles and body.action != "enrol"
    ):
        raise MalformedError("`since` goes with revoke and `roles` with enrol")
    if body.action == "enrol":
        if not body.roles:
            raise MalformedError("a key is enrolled with at least one role (--role)")
        if "operator" in body.roles:
            return
    else:
        trust.signer(fingerprint)
    operators = [k for k, s in trust.keys.items() if s.active and "operator" in s.roles]
    if operators == [fingerprint]:
        raise MalformedError("the last operator cannot be removed; enrol another one first")


def _role(body: AnyBody) -> str:
    if isinstance(body, Run) and body.phase == "attached":
        return "engineer"
    if isinstance(body, Finding) and body.status == "closed" and body.severity in _GRAVE:
        return "operator"
    return ROLES[body.kind]


def _genesis_key(entry: Entry, body: Genesis) -> PublicKey:
    if entry.index != 0:
        raise MalformedError("GENESIS stands elsewhere than at index 0")
    operator = PublicKey.parse(body.operator)
    if operator.fingerprint != entry.envelope.keyid:
        raise VerificationError("GENESIS is not signed by the operator it names")
    return operator
