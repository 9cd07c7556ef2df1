"""Entries for people and for `--json`: one line, a whole entry with its banners, search results."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from ledger import preregistration
from ledger.bodies import Contract, Experiment
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.status import STANDING, Status
from ledger.trust import Trust
from receipts.errors import VerificationError

_PLACE = ("v", "index", "prev", "at", "kind", "label", "title")


def summary(ledger: Ledger, entry: Entry, status: Status | None = None) -> dict[str, Any]:
    """Return an entry in one line: place, id, kind, label, title, effective status."""
    body = entry.body
    row: dict[str, Any] = {"index": body.index, "id": entry.id, "kind": body.kind, "at": body.at}
    row |= {"label": body.label} if body.label else {}
    word = (status or ledger.status()).word_on(entry)
    if word == STANDING and is_open(entry):
        word = "answered" if ledger.index.find("answers", entry.id) else "open"
    return row | {"title": body.title, "status": word}


def is_open(entry: Entry) -> bool:
    """Say whether the entry is a hypothesis without delta and verdict."""
    body = entry.body
    return isinstance(body, Experiment) and not body.delta and not body.verdict


def rows(ledger: Ledger, kinds: Sequence[str], last: int | None) -> list[dict[str, Any]]:
    """Return the summaries of the entries of these kinds, or of the last so many of them."""
    status = ledger.status()
    indexes = ledger.index.of_kinds(*kinds)
    chosen = indexes[-last:] if last else indexes
    return [summary(ledger, ledger.entry(index), status) for index in chosen]


def cells(found: list[dict[str, Any]]) -> list[list[str]]:
    """Return summaries as the cells of a table."""
    header = ["INDEX", "ID", "KIND", "LABEL", "STATUS", "TITLE"]
    body = [
        [str(r["index"]), r["id"][:12], r["kind"], r.get("label", ""), r["status"], r["title"]]
        for r in found
    ]
    return [header, *body]


def full(ledger: Ledger, entry: Entry) -> dict[str, Any]:
    """Return an entry whole: its own text as signed, and what later rows did to it."""
    status = ledger.status()
    body = entry.body
    value = summary(ledger, entry, status)
    value["signed_by"] = entry.envelope.keyid
    effects = [effect.view() | {"banner": effect.banner()} for effect in status.effects_on(entry)]
    _require_signature(ledger, entry)
    value["effects"] = effects + list(_contested_signer(ledger, entry))
    answers = ledger.index.find("answers", entry.id)
    value |= {"answered_by": answers} if answers else {}
    value["body"] = {k: v for k, v in body.plain().items() if k not in _PLACE}
    if isinstance(body, Experiment) and body.verdict:
        obstacle = preregistration.obstacle(ledger, body)
        value["pre_registered"] = obstacle is None
        value |= {"not_pre_registered_because": obstacle} if obstacle else {}
    if isinstance(body, Experiment) and not is_open(entry):
        value["retired_contracts"] = _retired(ledger, body)
    if isinstance(body, Experiment) and body.answers:
        value["changed_meanwhile"] = _changed_meanwhile(ledger, body, body.answers)
    return value


def _require_signature(ledger: Ledger, entry: Entry) -> None:
    """Refuse to show an entry as signed whose signature does not verify."""
    signer = ledger.trust().keys.get(entry.envelope.keyid)
    try:
        if signer is None:
            raise VerificationError(f"key {entry.envelope.keyid} was never enrolled")
        entry.envelope.verify(signer.public)
    except VerificationError as error:
        raise VerificationError(f"entry {entry.index}: {error}; run `ledger verify`") from error


def _contested_signer(ledger: Ledger, entry: Entry) -> Iterator[dict[str, Any]]:
    """Yield the banner of an entry whose signer's key was revoked from its index on."""
    state = ledger.trust().keys.get(entry.envelope.keyid)
    if state and state.since is not None and entry.index >= state.since:
        reason = (
            f"its signer's key was revoked; what it signed since entry {state.since} does not count"
        )
        yield {"word": "contested", "reason": reason, "banner": f"CONTESTED: {reason}"}


def _retired(ledger: Ledger, body: Experiment) -> list[str]:
    """Return the ids of the contracts that judged the entry and have been retired."""
    contracts = [ledger.entry(index).body for index in ledger.index.of_kinds("CONTRACT")]
    retired = {old for one in contracts if isinstance(one, Contract) for old in one.retires or ()}
    judging = dict.fromkeys(gate.contract for gate in body.gate or () if gate.contract)
    return [contract for contract in judging if contract in retired]


def _changed_meanwhile(ledger: Ledger, body: Experiment, answers: str) -> list[str]:
    """Return what was changed about the rules between the hypothesis and the verdict."""
    opened = ledger.by_id(answers).index
    between = ledger.index.of_kinds("CONTRACT", "FINDING", "LOCK", start=opened + 1)
    found = (ledger.entry(index) for index in between if index < body.index)
    return [f"entry {entry.index} {entry.kind}: {entry.body.title}" for entry in found]


def text(value: dict[str, Any]) -> Iterator[str]:
    """Yield a whole entry as text, banners first."""
    for effect in value["effects"]:
        yield f"!! {effect['banner']}"
    label = f" {value['label']}" if "label" in value else ""
    yield f"entry {value['index']}{label}  {value['kind']}  {value['status']}"
    yield f"  {value['title']}"
    yield f"  id {value['id']}"
    yield f"  at {value['at']}, signed by {value['signed_by']}"
    if value.get("pre_registered"):
        yield "  pre-registered: the hypothesis and its plan precede every run that is cited"
    elif "not_pre_registered_because" in value and _states_hypothesis(value):
        yield f"  not pre-registered: {value['not_pre_registered_because']}"
    yield from (f"  answered by entry {index}" for index in value.get("answered_by", ()))
    yield from (
        f"  retired contract: {contract}" for contract in value.get("retired_contracts", ())
    )
    if "answers" in value["body"]:
        changed = value.get("changed_meanwhile") or ["none"]
        yield f"  changed between hypothesis and verdict: {'; '.join(changed)}"
    yield ""
    yield from (f"  {_moved(delta)}" for delta in value["body"].get("delta", ()))
    yield from _fields({k: v for k, v in value["body"].items() if k != "delta"}, "  ")


def found(ledger: Ledger, query: str, limit: int) -> list[dict[str, Any]]:
    """Return the entries that match a full-text query, best first, with a snippet each."""
    status = ledger.status()
    return [
        summary(ledger, ledger.entry(index), status) | {"snippet": " ".join(snippet.split())}
        for index, snippet in ledger.index.search(query, limit)
    ]


def key_rows(trust: Trust) -> list[dict[str, Any]]:
    """Return every key with its roles and whether it is valid now."""
    return [
        {"fingerprint": fingerprint, "valid": state.active, "roles": sorted(state.roles)}
        for fingerprint, state in trust.keys.items()
    ]


def _states_hypothesis(value: dict[str, Any]) -> bool:
    return any(name in value["body"] for name in ("hypothesis", "answers"))


def _fields(value: dict[str, Any], indent: str) -> Iterator[str]:
    for name, item in value.items():
        if isinstance(item, dict):
            yield f"{indent}{name}: {_inline(item)}"
        elif isinstance(item, list):
            yield f"{indent}{name}:"
            for one in item:
                yield f"{indent}  - {_inline(one)}"
        elif isinstance(item, str) and "\n" in item.strip():
            yield f"{indent}{name}:"
            yield from (f"{indent}  {line}" for line in item.strip().splitlines())
        else:
            yield f"{indent}{name}: {str(item).strip()}"


def _moved(delta: dict[str, Any]) -> str:
    """Return a delta in one line, rounded for reading; `--json` has it as it was signed."""
    old, new = delta["baseline"], delta["candidate"]
    ratio = f", ratio {_round(delta['ratio'])}" if "ratio" in delta else ""
    standing = f", {delta['standing']}" if "standing" in delta else ""
    return (
        f"delta: {delta['metric']} {old['arm']} {_round(old['value'])} → {new['arm']} "
        f"{_round(new['value'])} {delta['unit']}, {delta['polarity']} is better{ratio} "
        f"({delta['statistic']}: {delta['convention']}), n {delta['n']}{standing}"
    )


def _round(figure: str) -> str:
    return f"{Decimal(figure):.6g}"


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_inline(item)}" for name, item in value.items())
    if isinstance(value, list):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    return str(value)
