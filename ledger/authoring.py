"""What a person does to a ledger: add, correct, set a contract, say which keys count."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ledger import draft, entry, selection
from ledger.entry import Entry
from ledger.session import Session
from receipts import keys, workspace, yaml_source
from receipts.clock import system_clock
from receipts.errors import Error, MalformedError, NotFoundError
from receipts.keys import PublicKey
from receipts.yaml_source import Source

Editor = Callable[[str], str | None]
_KINDS = {
    "correct": "CORRECTION",
    "amend": "AMENDMENT",
    "supersede": "SUPERSEDED",
    "retract": "RETRACTION",
}


def add(
    here: Session, given: dict[str, Any], source: str | None, key_path: Path | None, edit: Editor
) -> Entry:
    """Append an ENTRY from options, from the YAML in `source`, or from what `edit` returns."""
    if source is None and not given:
        return _add_edited(here, key_path, edit)
    fields: dict[str, Any] = {}
    document = _read(source) if source else None
    if document:
        fields = draft.from_source(document)
    return _append(here, fields | _options(here, given), document, key_path)


def correct(
    here: Session, verb: str, targets: tuple[str, ...], given: dict[str, Any], key_path: Path | None
) -> Entry:
    """Append the correction that `verb` stands for, on `targets` and on what a selector finds."""
    fields: dict[str, Any] = {"kind": _KINDS[verb], "reason": given["reason"]}
    wanted = {name: given[name] for name in selection.NAMES if name in given}
    named = f"{verb} {', '.join((*targets, *map(' '.join, wanted.items())))}"
    fields["title"] = given.get("title") or (named if len(named) <= 500 else f"{named[:499]}…")
    if targets:
        fields["targets"] = [here.ledger.resolve(target).id for target in targets]
    if wanted:
        fields["selector"] = wanted
        fields["runs"], fields["resolved"] = selection.resolve(here, wanted)
    fields |= {name: given[name] for name in ("label",) if name in given}
    fields |= {name: list(given[name]) for name in ("affects", "leaves", "bars") if name in given}
    if "restated" in given:
        fields["restated"] = dict(_assignment(text) for text in given["restated"])
    if "replacement" in given:
        fields["replacement"] = here.ledger.resolve(given["replacement"]).id
    return here.ledger.append(entry.relax(fields), here.key(key_path))


def contract(here: Session, source: str, key_path: Path | None) -> Entry:
    """Append the CONTRACT that the YAML in `source` spells."""
    document = _read(source)
    fields = {**draft.from_source(document), "kind": "CONTRACT"}
    for name in ("retires", "follows"):
        if name in fields:
            fields[name] = _ids(here, fields[name])
    with draft.placed(document):
        relaxed = entry.relax(fields)
    return here.ledger.append(relaxed, here.key(key_path))


def key(
    here: Session, action: str, public: str, fields: dict[str, Any], key_path: Path | None
) -> Entry:
    """Append a KEY entry about the key in the file `public`, or with that fingerprint."""
    known = here.ledger.trust().keys.get(public)
    found: PublicKey = known.public if known else keys.load_public(Path(public))
    body = {"kind": "KEY", "action": action, "key": found.openssh, **fields}
    return here.ledger.append(body, here.key(key_path))


def _add_edited(here: Session, key_path: Path | None, edit: Editor) -> Entry:
    text = edit(draft.template())
    if not text or text == draft.template():
        raise MalformedError("the draft was left as it was; nothing was appended")
    try:
        document = yaml_source.load(text.encode(), "draft")
        return _append(here, draft.from_source(document), document, key_path)
    except Error as error:
        kept = _keep(text)
        raise type(error)(f"{error}; the draft is kept: ledger add --from {kept}") from error


def _append(
    here: Session, fields: dict[str, Any], document: Source | None, key_path: Path | None
) -> Entry:
    with draft.placed(document):
        done = draft.complete(fields, here.ledger, here.workspace.receipts)
    return here.ledger.append(done, here.key(key_path))


def _options(here: Session, given: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {n: text for n, text in given.items() if isinstance(text, str)}
    if "verdict" in fields:
        fields["verdict"] = draft.verdict(fields["verdict"])
    if "gate" in given:
        fields["gate"] = [draft.gate(text) for text in given["gate"]]
    if "rests_on" in given:
        fields["rests_on"] = list(given["rests_on"])
    if "evidence" in given:
        fields["evidence"] = [{"receipt": text} for text in given["evidence"]]
    if "notes" in given:
        if not given["notes"].is_file():
            raise NotFoundError(f"notes {given['notes']} is not a file")
        fields["notes"] = here.workspace.objects.put_file(given["notes"])
    return fields


def _read(source: str) -> Source:
    if source == "-":
        return yaml_source.load(sys.stdin.buffer.read(yaml_source.MAX_BYTES + 1), "stdin")
    return yaml_source.read(Path(source))


def _ids(here: Session, value: Any) -> Any:
    if isinstance(value, list):
        return [here.ledger.resolve(str(item)).id for item in value]
    return here.ledger.resolve(str(value)).id


def _assignment(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name or not value:
        raise MalformedError(f"{text!r} is not FIELD=TEXT")
    return name, value


def _keep(text: str) -> Path:
    folder = workspace.state_dir() / "drafts"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{system_clock():%Y%m%d-%H%M%S-%f}.yaml"
    path.write_text(text, encoding="utf-8")
    return path
