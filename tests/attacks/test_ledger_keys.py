"""Entries by the wrong hands: refused when appended, and found by verify when forced in.

`founded.force` writes a row, its tree hashes and a checkpoint as the writer would, but asks no
check: it is what somebody does who has the log key and can write to the file.
"""

import sqlite3
from contextlib import closing
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import log, merkle, store
from ledger.checkpoint import Checkpoint, sign
from ledger.entry import PAYLOAD_TYPE, encode, validate
from receipts import canonical, envelope
from receipts.errors import MalformedError, UnknownKeyError, VerificationError
from receipts.keys import from_private

FIRST = {"title": "again", "origin": "perf.example.org/engine"}
DIGEST = "sha256:" + "0" * 64


def line(founded, name):
    return founded.keys[name].public.openssh


def ids(founded):
    return [row[1] for row in founded.rows()["entry"]]


def run(phase="admitted"):
    return {"kind": "RUN", "phase": phase, "cell": "decode"}


def correction(founded, target, **fields):
    wrong = {"kind": "CORRECTION", "targets": [ids(founded)[target]], "reason": "it was wrong"}
    return wrong | fields


LOCK = {"kind": "LOCK", "state": "open"}
CONTRACT = {"kind": "CONTRACT", "rules": ["needs-anchor"]}
APPROVAL = {
    "kind": "APPROVAL",
    "claim": "c2",
    "digest": DIGEST,
    "sentence": "Fast.",
    "decision": "approved",
}
PUBLISHED = {
    "kind": "PUBLISHED",
    "page": DIGEST,
    "claims_register": DIGEST,
    "head": "0" * 64,
    "claims": ["c1"],
}
AUDIT = {
    "kind": "AUDIT",
    "head": "0" * 64,
    "checked": {"entries": 15},
    "differences": [],
    "evidence_verdict": "holds",
    "decision_verdict": "undecided",
}
RECOVERY = {"kind": "RECOVERY", "checkpoint": "text", "lost": ["entry 9"]}
FINDING = {"kind": "FINDING", "id": "F1", "severity": "critical", "status": "open"}
CLOSED = {**FINDING, "status": "closed", "resolution": "fixed"}

# Who signs what, and why it is refused. `{key}` is the signer's fingerprint.
REFUSED = [
    ("stranger", {}, UnknownKeyError, "key {key} is not enrolled in this ledger"),
    ("log", {}, UnknownKeyError, "key {key} is not enrolled in this ledger"),
    ("retired", {}, VerificationError, "key {key} is no longer valid (retired or revoked)"),
    ("revoked", {}, VerificationError, "key {key} is no longer valid (retired or revoked)"),
    ("retired", run(), VerificationError, "key {key} is no longer valid (retired or revoked)"),
    ("runner", {}, VerificationError, "key {key} is not engineer; its roles: runner"),
    ("auditor", {}, VerificationError, "key {key} is not engineer; its roles: auditor"),
    ("engineer", run(), VerificationError, "key {key} is not runner; its roles: engineer"),
    ("engineer", run("finished"), VerificationError, "is not runner; its roles: engineer"),
    ("runner", run("attached"), VerificationError, "is not engineer; its roles: runner"),
    ("engineer", LOCK, VerificationError, "is not operator; its roles: engineer"),
    ("engineer", CONTRACT, VerificationError, "is not operator; its roles: engineer"),
    ("auditor", APPROVAL, VerificationError, "is not operator; its roles: auditor"),
    ("engineer", PUBLISHED, VerificationError, "is not operator; its roles: engineer"),
    ("engineer", RECOVERY, VerificationError, "is not operator; its roles: engineer"),
    ("engineer", AUDIT, VerificationError, "is not auditor; its roles: engineer"),
    ("operator", AUDIT, VerificationError, "is not auditor; its roles: engineer, operator, runner"),
    ("runner", FINDING, VerificationError, "is not engineer; its roles: runner"),
    ("engineer", CLOSED, VerificationError, "is not operator; its roles: engineer"),
]


@pytest.mark.parametrize(("signer", "fields", "error", "sentence"), REFUSED)
def test_ent_8_an_entry_by_the_wrong_key_is_refused_and_found_when_forced(
    founded, signer, fields, error, sentence
):
    sentence = sentence.replace("{key}", founded.keys[signer].public.fingerprint)
    before = founded.path.read_bytes()
    with pytest.raises(error) as refused:
        founded.append(signer, **fields)
    assert sentence in str(refused.value)
    assert founded.path.read_bytes() == before
    index = founded.force(signer, **fields)
    report = founded.audit()
    assert report.code == 1
    assert [finding.index for finding in report.findings] == [index]
    assert sentence in report.findings[0].message


@pytest.mark.parametrize(
    ("signer", "fields"),
    [
        ("operator", CLOSED),
        ("engineer", {**CLOSED, "severity": "low"}),
        ("engineer", FINDING),
        ("auditor", AUDIT),
        ("runner", run()),
        ("runner", run("finished")),
        ("engineer", run("attached")),
        ("operator", LOCK),
        ("operator", CONTRACT),
        ("operator", APPROVAL),
        ("operator", PUBLISHED),
        ("operator", RECOVERY),
    ],
)
def test_an_entry_by_the_right_key_is_taken_and_verifies(founded, signer, fields):
    entry = founded.append(signer, **fields)
    assert entry.index == 15
    assert founded.audit().findings == []


@pytest.mark.parametrize(
    ("name", "code", "sentence"),
    [
        ("stranger", 4, "is not enrolled in this ledger"),
        ("retired", 1, "is no longer valid (retired or revoked)"),
        ("revoked", 1, "is no longer valid (retired or revoked)"),
        ("runner", 1, "is not engineer; its roles: runner"),
    ],
)
def test_ent_8_the_program_refuses_the_wrong_key_in_one_line(founded, name, code, sentence):
    before = founded.path.read_bytes()
    done = founded.process("add", "--title", "x", "--key", founded.key_file(name))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (code, "", 1)
    assert sentence in done.stderr
    assert founded.path.read_bytes() == before


CORRECTIONS = [
    ("engineer", 3, {}, "is not operator; its roles: engineer"),
    ("runner", 4, {}, "is not operator; its roles: runner"),
    ("retired", 9, {}, "is no longer valid"),
    ("stranger", 4, {}, "is not enrolled"),
    ("operator", 0, {}, "entry 0 is GENESIS; GENESIS, KEY, LOCK, APPROVAL are not corrected"),
    ("operator", 1, {}, "entry 1 is KEY"),
    ("operator", 6, {}, "entry 6 is LOCK"),
    ("operator", 7, {}, "entry 7 is APPROVAL"),
    ("operator", 6, {"kind": "RETRACTION"}, "entry 6 is LOCK"),
    ("operator", 7, {"kind": "SUPERSEDED"}, "entry 7 is APPROVAL"),
    ("operator", 1, {"kind": "AMENDMENT"}, "entry 1 is KEY"),
]


@pytest.mark.parametrize(("signer", "target", "fields", "sentence"), CORRECTIONS)
def test_ent_9_a_correction_by_others_or_of_the_untouchable_is_refused_and_found(
    founded, signer, target, fields, sentence
):
    fields = correction(founded, target, **fields)
    before = founded.path.read_bytes()
    with pytest.raises((VerificationError, UnknownKeyError, MalformedError), match=sentence):
        founded.append(signer, **fields)
    assert founded.path.read_bytes() == before
    index = founded.force(signer, **fields)
    found = founded.audit().findings
    assert [finding.index for finding in found] == [index]
    assert sentence in found[0].message


def test_ent_9_an_author_corrects_what_is_theirs_and_an_operator_corrects_everybody(founded):
    founded.append("engineer", **correction(founded, 4))
    founded.append("operator", **correction(founded, 4))
    founded.append("operator", **correction(founded, 9))
    mixed = {"targets": [ids(founded)[3], ids(founded)[4]]}
    with pytest.raises(VerificationError, match="is not operator"):
        founded.append("engineer", **correction(founded, 4, **mixed))
    founded.append("operator", **correction(founded, 4, **mixed))
    assert founded.audit().findings == []


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"targets": ["f" * 64]}, "no earlier entry|no entry has the id"),
        ({"targets": []}, "names at least one target"),
        ({"targets": None, "selector": {"cell": "decode"}}, "names at least one target"),
    ],
)
def test_ent_9_a_correction_of_nothing_is_refused_and_found(founded, fields, sentence):
    fields = {k: v for k, v in correction(founded, 4, **fields).items() if v is not None}
    with pytest.raises(Exception, match=sentence):
        founded.append("operator", **fields)
    founded.force("operator", **fields)
    assert founded.audit().code == 1


def test_ent_10_the_last_operator_cannot_be_removed_in_any_way(founded):
    operator = line(founded, "operator")
    ways = (
        {"action": "retire", "reason": "left"},
        {"action": "revoke", "reason": "lost", "since": 3},
        {"action": "enrol", "roles": ["engineer"]},
    )
    for way in ways:
        before = founded.path.read_bytes()
        with pytest.raises(MalformedError, match="the last operator cannot be removed"):
            founded.append(kind="KEY", key=operator, **way)
        assert founded.path.read_bytes() == before
    for way in ways:
        data = founded.path.read_bytes()
        index = founded.force(kind="KEY", key=operator, **way)
        found = founded.audit().findings
        assert [(f.index, "last operator" in f.message) for f in found] == [(index, True)]
        founded.path.write_bytes(data)


def test_ent_10_with_a_second_operator_the_first_can_go(founded):
    founded.append(kind="KEY", action="enrol", key=line(founded, "second"), roles=["operator"])
    retire = {"kind": "KEY", "action": "retire", "key": line(founded, "operator")}
    founded.append("second", **retire, reason="left")
    with pytest.raises(VerificationError, match="no longer valid"):
        founded.append("operator")
    assert founded.audit().findings == []


@pytest.mark.parametrize(
    ("fields", "error", "sentence"),
    [
        ({"action": "enrol"}, MalformedError, "enrolled with at least one role"),
        ({"action": "enrol", "roles": []}, MalformedError, "enrolled with at least one role"),
        ({"action": "retire", "reason": "?"}, UnknownKeyError, "is not enrolled"),
        ({"action": "revoke", "reason": "?"}, UnknownKeyError, "is not enrolled"),
    ],
)
def test_ent_10_a_key_entry_that_makes_no_sense_is_refused_and_found(
    founded, fields, error, sentence
):
    fields = {"kind": "KEY", "key": line(founded, "stranger"), **fields}
    with pytest.raises(error, match=sentence):
        founded.append(**fields)
    index = founded.force(**fields)
    assert [(f.index, sentence in f.message) for f in founded.audit().findings] == [(index, True)]


def test_ent_7_a_second_genesis_is_refused_and_found(founded):
    keys = {"log_key": line(founded, "log"), "operator": line(founded, "operator")}
    with pytest.raises(MalformedError, match="GENESIS stands elsewhere than at index 0"):
        founded.append(kind="GENESIS", **FIRST, **keys)
    index = founded.force(kind="GENESIS", **FIRST, **keys)
    found = founded.audit().findings
    assert [(f.index, "elsewhere than at index 0" in f.message) for f in found] == [(index, True)]


def test_ent_7_a_ledger_that_does_not_begin_with_genesis_is_found(tmp_path, founded):
    path = tmp_path / "bare.db"
    place = {"v": 1, "index": 0, "prev": "0" * 64, "at": "2026-11-29T12:00:00.000Z"}
    body = validate({**place, "kind": "ENTRY", "title": "first"})
    raw = encode(body, founded.keys["operator"])
    with store.create(path) as fresh:
        fresh.add_entry(0, envelope.parse(raw).digest.hex, merkle.leaf_hash(raw), raw)
    founded.path.write_bytes(path.read_bytes())
    messages = [str(finding) for finding in founded.audit().findings]
    assert "entry 0: malformed: the first entry must be GENESIS" in messages


def test_ent_7_genesis_by_another_key_than_the_operator_it_names_is_refused(tmp_path, founded):
    keys = founded.keys
    fields = {**FIRST, "operator": line(founded, "engineer")}
    with pytest.raises(VerificationError, match="not signed by the operator it names"):
        log.create(tmp_path / "new.db", fields, keys["operator"], keys["log"], founded.clock)
    assert not (tmp_path / "new.db").exists()


def test_chk_7_a_checkpoint_by_another_key_is_found(founded):
    opened = store.open_for_writing(founded.path)
    place = {"v": 1, "index": 15, "prev": opened.state()[1], "at": "2026-11-29T12:00:00.000Z"}
    raw = encode(validate({**place, "kind": "ENTRY", "title": "x"}), founded.keys["operator"])
    founded.force_bytes(raw, opened, signer="stranger")
    found = founded.audit().findings
    assert [(f.code, f.message) for f in found] == [
        (
            "checkpoint",
            "checkpoint 16: it must carry exactly one signature, by the log's key",
        )
    ]


def test_chk_7_a_checkpoint_whose_signature_is_another_checkpoints_is_found(founded):
    notes = dict(founded.rows()["checkpoint"])
    stolen = notes[15].split("\n\n")[0] + "\n\n" + notes[14].split("\n\n")[1]
    founded.harm(("UPDATE checkpoint SET note = ? WHERE size = 15", stolen))
    found = [str(finding) for finding in founded.audit().findings]
    assert found == ["ledger: checkpoint: checkpoint 15: the signature does not verify"]


def test_chk_7_a_checkpoint_of_another_root_or_origin_is_found(founded):
    for origin, root in (("perf.example.org/engine", bytes(32)), ("elsewhere", None)):
        data = founded.path.read_bytes()
        real = founded.head().root
        signed = sign(Checkpoint(origin, 15, root or real), founded.keys["log"])
        founded.harm(("UPDATE checkpoint SET note = ? WHERE size = 15", signed))
        found = [str(finding) for finding in founded.audit().findings]
        assert found == ["ledger: checkpoint: checkpoint 15: it is not of these entries"]
        founded.path.write_bytes(data)


def rewrite(founded, index, change):
    """Rewrite entry `index` and everything after it consistently, without anybody's key.

    Ids, `prev` links, leaf hashes, the tree and the checkpoints' roots all fit afterwards; only the
    signatures cannot, for nobody but their owners can make them.
    """
    entries = [founded.entry(i) for i in range(15)]
    notes = dict(founded.rows()["checkpoint"])
    founded.harm(*(f"DELETE FROM {table}" for table in ("checkpoint", "tree", "entry")))
    opened = store.open_for_writing(founded.path)
    prev = "0" * 64
    for entry in entries:
        fields = entry.body.plain() | {"prev": prev}
        raw = entry.raw
        if entry.index >= index:
            fields |= change if entry.index == index else {}
            raw = canonical.encode(
                canonical.decode(entry.raw) | {"payload": spelled(canonical.encode(fields))}
            )
        place = envelope.parse(raw)
        tree = merkle.Frontier.at(entry.index, opened.node)
        opened.append(entry.index, place.digest.hex, merkle.leaf_hash(raw), raw, tree)
        size = entry.index + 1
        fresh = sign(
            Checkpoint("perf.example.org/engine", size, merkle.root(size, opened.node)),
            founded.keys["stranger"],
        )
        text, signature = fresh.split("\n\n")[0], notes[size].split("\n\n")[1]
        opened.add_checkpoint(size, f"{text}\n\n{signature}")
        prev = place.digest.hex
    opened.close()


def spelled(payload):
    return canonical.decode(envelope.sign(KEYLESS, PAYLOAD_TYPE, payload))["payload"]


KEYLESS = from_private(Ed25519PrivateKey.from_private_bytes(bytes(32)))


def test_led_5_a_consistent_rewrite_without_keys_is_found_at_its_first_entry(founded):
    rewrite(founded, 4, {"title": "ten times faster"})
    report = founded.audit()
    broken = {f.index for f in report.findings if f.index is not None}
    assert broken == set(range(4, 15))
    # Entry 5 corrects entry 4 by its id, and that id is gone.
    codes = {f.index: f.code for f in report.findings}
    assert codes == dict.fromkeys(range(4, 15), "signature") | {5: "malformed", None: "checkpoint"}
    assert founded.invoke("verify").exit_code == 1


def test_a_rewrite_that_changes_nothing_is_sound(founded):
    before = founded.rows()
    rewrite(founded, 15, {})
    assert founded.rows() == before
    assert founded.audit().findings == []


def test_led_5_a_signature_by_another_entry_or_stripped_is_found(founded):
    raw = founded.rows()["entry"][4][3]
    value = canonical.decode(raw)
    other = canonical.decode(founded.rows()["entry"][3][3])
    for signatures, codes in (
        ([], {"id", "leaf", "malformed"}),
        (value["signatures"] * 2, {"id", "leaf", "malformed"}),
        ([{**value["signatures"][0], "sig": other["signatures"][0]["sig"]}], {"id", "signature"}),
        (other["signatures"], {"id", "signature"}),
    ):
        data = founded.path.read_bytes()
        changed = canonical.encode(value | {"signatures": signatures})
        founded.harm(("UPDATE entry SET envelope = ? WHERE idx = 4", changed))
        found = {f.code for f in founded.audit().findings if f.index == 4}
        assert codes <= found
        founded.path.write_bytes(data)


def test_ent_4_an_entry_that_continues_another_chain_is_found(founded):
    """The envelope is signed by the right key, but for another place."""
    again = "INSERT INTO entry SELECT 15, id, leaf_hash, envelope FROM entry WHERE idx = 4"
    with (
        closing(sqlite3.connect(founded.path)) as database,
        pytest.raises(sqlite3.IntegrityError, match="a new id"),
    ):
        database.execute(again)
    for fields in ({"index": 99}, {"prev": "e" * 64}):
        data = founded.path.read_bytes()
        body = validate({**founded.entry(4).body.plain(), "index": 15, "label": "J9", **fields})
        index = founded.force_bytes(encode(body, founded.keys["engineer"]))
        codes = {f.code for f in founded.audit().findings if f.index == index}
        assert codes <= {"index", "chain"}
        assert codes
        founded.path.write_bytes(data)


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"label": "J1"}, "label"), ({**run("attached"), "name": "same"}, "name")],
)
def test_ent_5_a_label_or_a_name_used_twice_is_found(founded, fields, code):
    first = founded.force(**fields)
    second = founded.force(**fields)
    found = {(finding.index, finding.code) for finding in founded.audit().findings}
    assert (second, code) in found
    assert ((first, code) in found) is (code == "label")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"v": 2}, "v"),
        ({"kind": "NOTE"}, "kind|NOTE"),
        ({"remark": "x"}, "unknown field"),
        ({"gate": [{"name": "g", "result": "pass", "more": "x"}]}, "gate.0.more: unknown field"),
        ({"index": "15"}, "index"),
        ({"v": True}, "v"),
        ({"title": ""}, "title"),
        ({"at": "2026-11-29 12:00"}, "at"),
        ({"label": "J9\n"}, "label"),
    ],
)
def test_ent_3_an_unknown_field_kind_or_version_is_found(founded, fields, sentence):
    place = {"v": 1, "index": 15, "prev": ids(founded)[-1], "at": "2026-11-29T12:00:00.000Z"}
    payload = canonical.encode({**place, "kind": "ENTRY", "title": "x", **fields})
    index = founded.force_bytes(envelope.sign(founded.keys["operator"], PAYLOAD_TYPE, payload))
    found = founded.audit().findings
    assert [finding.index for finding in found] == [index]
    assert found[0].code == "malformed"
    assert any(part in found[0].message for part in sentence.split("|"))


def test_ent_2_an_entry_over_the_limit_is_refused_and_found_when_forced(founded):
    fields = {"kind": "ENTRY", "title": "x", "change": "y" * 49_000}
    before = founded.path.read_bytes()
    with pytest.raises(MalformedError, match="the limit is 48,963"):
        founded.append(**fields)
    assert founded.path.read_bytes() == before
    place = {"v": 1, "index": 15, "prev": ids(founded)[-1], "at": "2026-11-29T12:00:00.000Z"}
    payload = canonical.encode({**place, **fields})
    index = founded.force_bytes(envelope.sign(founded.keys["operator"], PAYLOAD_TYPE, payload))
    found = founded.audit().findings
    assert [(f.index, "over the limit of 65535" in f.message) for f in found] == [(index, True)]


def test_ent_6_a_stored_id_or_leaf_hash_that_is_not_of_the_bytes_is_found(founded):
    raw = founded.rows()["entry"][4][3]
    assert founded.rows()["entry"][4][1] == sha256(raw).hexdigest()
    assert founded.rows()["entry"][4][2] == sha256(b"\0" + raw).digest()
    for column, value, code in (("id", "0" * 64, "id"), ("leaf_hash", bytes(32), "leaf")):
        data = founded.path.read_bytes()
        founded.harm((f"UPDATE entry SET {column} = ? WHERE idx = 4", value))
        assert (4, code) in {(f.index, f.code) for f in founded.audit().findings}
        founded.path.write_bytes(data)


@pytest.mark.parametrize(
    ("payload_type", "payload", "sentence"),
    [
        ("application/json", b"{}", "payload type 'application/json' is not that of an entry"),
        (PAYLOAD_TYPE, b"[]", "entry body is not an object"),
        (PAYLOAD_TYPE, b'{"v": 1}', "not in canonical form"),
        (PAYLOAD_TYPE, b'{"v":1.0}', "is a float"),
        (PAYLOAD_TYPE, b'{"v":1,"v":1}', "not in canonical form"),
        (PAYLOAD_TYPE, b'{"v":null}', "has no place in canonical JSON"),
        (PAYLOAD_TYPE, b"\xff", "not canonical JSON"),
    ],
)
def test_ent_1_an_envelope_around_anything_else_is_found(founded, payload_type, payload, sentence):
    index = founded.force_bytes(envelope.sign(founded.keys["operator"], payload_type, payload))
    found = founded.audit().findings
    assert [finding.index for finding in found] == [index]
    assert sentence in found[0].message
