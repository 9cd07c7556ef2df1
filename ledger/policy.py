"""An auditor's policy: which logs count, which witnesses, and how many of them must have cosigned.

::

    # kept by the auditor, never read from the ledger
    log perf.example.org/engine+b9b0e9a1+AQOhB7/z…
    witness north witness.example.org/w1+0bd8a5d6+BIE5dw6o…
    witness south witness.example.net/w2+5c4ff0a3+BIqI49XJ…
    group both all north south
    quorum both

A line is made of words with spaces or tabs between them; empty lines and lines that start with `#`
are passed over. Names here are the auditor's own; groups and the quorum refer to lines above them.
A checkpoint is accepted if one of the logs signed it under its origin and the quorum cosigned it.
Source: https://c2sp.org/tlog-policy. Specification: docs/reference/formats/policy.md.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ledger import note
from ledger.checkpoint import Checkpoint, parse_checkpoint
from ledger.cosignature import Witness, time_of
from ledger.note import Verifier
from receipts.errors import MalformedError, VerificationError

MAX_BYTES = 256 * 1024
MAX_LOGS = MAX_WITNESSES = MAX_GROUPS = 64
NONE = "none"
_NOT_TEXT = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_THRESHOLD = re.compile(r"[1-9][0-9]{0,8}")


class Group(NamedTuple):
    """Members, each a witness or a group, of which at least `threshold` must have cosigned."""

    threshold: int
    members: tuple[str, ...]


class Cosigned(NamedTuple):
    """A witness of the policy, by the auditor's name for it, and when it cosigned."""

    name: str
    witness: Witness
    time: int
    """POSIX seconds; the earliest if it cosigned repeatedly."""


@dataclass(frozen=True)
class Policy:
    """What an auditor accepts; `quorum` is None if no cosignature is asked for."""

    logs: tuple[Verifier, ...]
    witnesses: Mapping[str, Witness]
    groups: Mapping[str, Group]
    quorum: str | None


def accept(signed: str, policy: Policy) -> tuple[Checkpoint, list[Cosigned]]:
    """Return the checkpoint in `signed`, and which witnesses cosigned it, in the policy's order.

    Raises `MalformedError` for a note or checkpoint out of form, `VerificationError` for a known
    key whose signature fails, a checkpoint that its log did not sign, and a quorum that is not met.
    """
    opened = note.open_known(signed, [*policy.logs, *policy.witnesses.values()])
    checkpoint = parse_checkpoint(opened.text)
    signers = {signer for signer, _ in opened.verified}
    if not any(log in signers for log in policy.logs if log.name == checkpoint.origin):
        raise VerificationError(
            f"checkpoint of {checkpoint.origin!r} is signed by no log of that name in the policy"
        )
    cosigned = [
        Cosigned(
            name, witness, min(time_of(data) for who, data in opened.verified if who == witness)
        )
        for name, witness in policy.witnesses.items()
        if witness in signers
    ]
    present = {one.name for one in cosigned}
    if policy.quorum is not None and not _met(policy.quorum, policy, present):
        raise VerificationError(
            f"checkpoint is cosigned by {len(present)} of {len(policy.witnesses)} witnesses; "
            f"the policy's quorum {policy.quorum!r} is not met"
        )
    return checkpoint, cosigned


def parse(data: bytes, source: str = "policy") -> Policy:
    """Return the policy that `data` spells; `source` names it in errors, with the line.

    Raises `MalformedError` for unknown words, keys that are not Ed25519, a key that stands twice,
    a name that is not defined above, a name that is a member twice, no log, or not one quorum.
    """
    draft = _Draft()
    for number, line in enumerate(_lines(data, source), 1):
        words = re.findall(r"[^ \t]+", line)
        if not words or words[0].startswith("#"):
            continue
        try:
            read = _READERS.get(words[0])
            if read is None:
                raise MalformedError(
                    f"unknown word {words[0]!r}; write log, witness, group, quorum"
                )
            read(draft, words[1:])
        except MalformedError as error:
            raise MalformedError(f"{source}:{number}: {error}") from error
    if not draft.logs:
        raise MalformedError(f"{source}: no log; add a line `log VKEY`")
    if draft.quorum is None:
        raise MalformedError(f"{source}: no quorum; end with `quorum NAME` or `quorum none`")
    quorum = None if draft.quorum == NONE else draft.quorum
    return Policy(tuple(draft.logs), draft.witnesses, draft.groups, quorum)


def _lines(data: bytes, source: str) -> list[str]:
    if len(data) > MAX_BYTES:
        raise MalformedError(f"{source}: larger than {MAX_BYTES} bytes")
    if not data.endswith(b"\n"):
        raise MalformedError(f"{source}: the last line does not end in a newline; is it complete?")
    lines = []
    for number, raw in enumerate(data[:-1].split(b"\n"), 1):
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise MalformedError(f"{source}:{number}: not UTF-8 text") from error
        if found := _NOT_TEXT.search(line):
            raise MalformedError(f"{source}:{number}: control character {found[0]!r}")
        lines.append(line)
    return lines


@dataclass
class _Draft:
    """What the lines so far have defined."""

    logs: list[Verifier] = field(default_factory=list)
    witnesses: dict[str, Witness] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    quorum: str | None = None
    keys: set[bytes] = field(default_factory=set)
    members: set[str] = field(default_factory=set)

    def log(self, words: list[str]) -> None:
        if len(words) not in (1, 2):
            raise MalformedError("a log is written `log VKEY [URL]`")
        if len(self.logs) == MAX_LOGS:
            raise MalformedError(f"more than {MAX_LOGS} logs")
        log = Verifier.parse(words[0])
        self._take_key(log)
        self.logs.append(log)

    def witness(self, words: list[str]) -> None:
        if len(words) not in (2, 3):
            raise MalformedError("a witness is written `witness NAME VKEY [URL]`")
        if len(self.witnesses) == MAX_WITNESSES:
            raise MalformedError(f"more than {MAX_WITNESSES} witnesses")
        self._check_new(words[0])
        witness = Witness.parse(words[1])
        self._take_key(witness)
        self.witnesses[words[0]] = witness

    def group(self, words: list[str]) -> None:
        if len(words) < 3:
            raise MalformedError("a group is written `group NAME all|any|NUMBER MEMBER…`")
        if len(self.groups) == MAX_GROUPS:
            raise MalformedError(f"more than {MAX_GROUPS} groups")
        name, threshold, *members = words
        self._check_new(name)
        for member in members:
            self._check_defined(member)
            if member in self.members:
                raise MalformedError(f"{member!r} is a member already; it would count twice")
            self.members.add(member)
        self.groups[name] = Group(_threshold(threshold, len(members)), tuple(members))

    def end(self, words: list[str]) -> None:
        if len(words) != 1:
            raise MalformedError("a quorum is written `quorum NAME` or `quorum none`")
        if self.quorum is not None:
            raise MalformedError("a second quorum; there is one")
        if words[0] != NONE:
            self._check_defined(words[0])
        self.quorum = words[0]

    def _take_key(self, verifier: Verifier) -> None:
        """Refuse a key that stands above: two names would make one signer look like two."""
        if verifier.key.raw in self.keys:
            raise MalformedError(
                f"the key of {verifier.name!r} stands twice, if under another name"
            )
        self.keys.add(verifier.key.raw)

    def _check_new(self, name: str) -> None:
        if name == NONE or name in self.witnesses or name in self.groups:
            raise MalformedError(f"the name {name!r} is taken")

    def _check_defined(self, name: str) -> None:
        if name not in self.witnesses and name not in self.groups:
            raise MalformedError(f"{name!r} is not defined above")


_READERS: dict[str, Callable[[_Draft, list[str]], None]] = {
    "log": _Draft.log,
    "witness": _Draft.witness,
    "group": _Draft.group,
    "quorum": _Draft.end,
}


def _threshold(word: str, members: int) -> int:
    if word in ("all", "any"):
        return members if word == "all" else 1
    if not _THRESHOLD.fullmatch(word) or int(word) > members:
        raise MalformedError(f"{word!r} is not all, any, or a number from 1 to {members}")
    return int(word)


def _met(name: str, policy: Policy, present: set[str]) -> bool:
    """Say whether a witness cosigned, or enough members of a group; no name is met twice."""
    if name in policy.witnesses:
        return name in present
    threshold, members = policy.groups[name]
    return sum(_met(member, policy, present) for member in members) >= threshold
