"""The attack matrix of the ledger: every attack, how it is played, the exit code and the sentence.

Each row goes through the verb that a person would use. The ledger has fifteen entries and a
remembered head unless a row says otherwise. Where another file plays an attack over all its
variants, the row here is its shortest form.
"""

import base64
import re
import shutil
import sqlite3
from contextlib import closing
from hashlib import sha256

import pytest

from ledger import merkle, store
from ledger.checkpoint import Checkpoint, open_checkpoint, sign
from ledger.cosignature import Witness
from ledger.entry import PAYLOAD_TYPE, decode, encode, validate
from ledger.note import Verifier
from receipts import canonical, envelope, receipt
from receipts.digest import Digest

ORIGIN = "perf.example.org/engine"
NAMES = "witness.example.org/w1"


# --- what the attacker does ---------------------------------------------------------------------


def replay(f, start, held, *, size=15):
    """Write history anew from entry `start` on, in earnest, with the keys in `held`.

    Every entry whose author's key is held is signed again for its new place, with the ids that it
    names followed to their new ones; the others are left out. The first is a false one. Tree and,
    with the log key, checkpoints are what a writer would have made; the first key fills up with
    entries to the old `size`. Without keys (None) the old signatures are kept.
    """
    owner = {key.public.fingerprint: name for name, key in f.keys.items()}
    old = [decode(row[3]) for row in f.rows()["entry"]]
    f.harm(
        ("DELETE FROM entry WHERE idx >= ?", start),
        ("DELETE FROM tree WHERE ((idx + 1) << level) > ?", start),
        ("DELETE FROM checkpoint WHERE size > ?", start),
    )
    moved = {}
    opened = store.open_for_writing(f.path)
    for entry in old[start:]:
        by = owner[entry.envelope.keyid]
        if held is not None and by not in held:
            continue
        index, prev = opened.state()
        fields = followed(entry.body.plain(), moved) | {"index": index, "prev": prev}
        fields |= {} if moved else {"title": "ten times faster"}
        raw = encode(validate(fields), f.keys[by])
        if held is None:
            kept = {"signatures": canonical.decode(entry.raw)["signatures"]}
            raw = canonical.encode(canonical.decode(raw) | kept)
        moved[entry.id] = sha256(raw).hexdigest()
        put(f, opened, index, raw, covered="log" in (held or ()))
    opened.close()
    while f.head().size < size:
        f.force(held[0], covered="log" in held)


def followed(fields, moved):
    text = canonical.encode(fields).decode()
    for old, new in moved.items():
        text = text.replace(old, new)
    return canonical.decode(text.encode())


def put(f, opened, index, raw, *, covered):
    with opened.transaction():
        tree = merkle.Frontier.at(index, opened.node)
        opened.append(index, sha256(raw).hexdigest(), merkle.leaf_hash(raw), raw, tree)
        if covered:
            found = Checkpoint(ORIGIN, index + 1, merkle.root(index + 1, opened.node))
            opened.add_checkpoint(index + 1, sign(found, f.keys["log"]))


def sql(*statements):
    return lambda f: f.harm(*statements)


def envelope_of(f, index):
    return f.rows()["entry"][index][3]


def consistent(f, index, raw):
    """Put `raw` into row `index` with the id and leaf hash that belong to it."""
    values = (sha256(raw).hexdigest(), merkle.leaf_hash(raw), raw, index)
    f.harm(("UPDATE entry SET id = ?, leaf_hash = ?, envelope = ? WHERE idx = ?", *values))


def edited(f, index, change):
    value = canonical.decode(envelope_of(f, index))
    consistent(f, index, canonical.encode(value | change(value)))


def faster(payload):
    fields = canonical.decode(base64.b64decode(payload)) | {"title": "ten times faster"}
    return base64.b64encode(canonical.encode(fields)).decode()


def flip_sql(f):
    raw = bytearray(envelope_of(f, 4))
    raw[100] ^= 1
    f.harm(("UPDATE entry SET envelope = ? WHERE idx = 4", bytes(raw)))


def flip_file(f):
    data = f.path.read_bytes()
    place = data.index(envelope_of(f, 4)) + 100
    f.path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])


def swap(f):
    rows = f.rows()["entry"]
    columns = "id = ?, leaf_hash = ?, envelope = ?"
    f.harm(
        "UPDATE entry SET id = 'x' WHERE idx = 3",
        (f"UPDATE entry SET {columns} WHERE idx = 9", *rows[3][1:]),
        (f"UPDATE entry SET {columns} WHERE idx = 3", *rows[9][1:]),
    )


def duplicate(f):
    _, entry_id, leaf, raw = f.rows()["entry"][4]
    f.harm(("INSERT INTO entry VALUES (15, ?, ?, ?)", entry_id[::-1], leaf, raw))


def insert_between(f):
    f.harm("UPDATE entry SET idx = idx + 100 WHERE idx > 4")
    f.harm("UPDATE entry SET idx = idx - 99 WHERE idx > 100")
    raw = envelope_of(f, 4)
    f.harm(("INSERT INTO entry VALUES (5, 'x', ?, ?)", merkle.leaf_hash(raw), raw))


def roll_back(f):
    copy = f.path.with_name("older.db")
    shutil.copyfile(f.path, copy)
    f.append(title="a miss that should be forgotten")
    shutil.move(copy, f.path)


def fork(f):
    """Two entries of the same index by the right people; only one of them was seen first."""
    copy = f.path.with_name("older.db")
    shutil.copyfile(f.path, copy)
    f.append(title="a miss")
    shutil.move(copy, f.path)
    f.force("operator", title="a hit")


def everything_deleted(f):
    f.harm(*(f"DELETE FROM {table}" for table in ("checkpoint", "tree", "entry")))


def other_key(f):
    fields = decode(envelope_of(f, 14)).body.plain() | {"title": "by somebody else"}
    consistent(f, 14, encode(validate(fields), f.keys["stranger"]))


def truncate_file(f):
    data = f.path.read_bytes()
    f.path.write_bytes(data[: len(data) // 2])


def replace_row(f):
    """What the stock connection does: recursive triggers are off, so no delete trigger fires."""
    with closing(sqlite3.connect(f.path)) as database:
        for index in (14, 15):
            row = (index, f.rows()["entry"][14][1], b"l", b"e")
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                database.execute("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)", row)
    database = sqlite3.connect(f.path)
    database.execute("DROP TRIGGER entry_in_order")
    database.execute("INSERT OR REPLACE INTO entry VALUES (14, 'x', x'00', x'00')")
    database.commit()
    database.close()


def drop_triggers(f):
    with closing(sqlite3.connect(f.path)) as database:
        database.execute("DROP TRIGGER entry_no_update")


def forged_last(f):
    f.force("stranger", title="ten times faster")


def by(name):
    return lambda f: f.force(name, title="signed too late")


def log_key_forks(f):
    found = Checkpoint(ORIGIN, 15, bytes(32))
    f.harm(("UPDATE checkpoint SET note = ? WHERE size = 15", sign(found, f.keys["log"])))


def checkpoint_by_an_engineer(f):
    found = Checkpoint(ORIGIN, 15, f.head().root)
    f.harm(("UPDATE checkpoint SET note = ? WHERE size = 15", sign(found, f.keys["engineer"])))


def bad_checkpoint(change):
    def attack(f):
        signed = f.rows()["checkpoint"][-1][1]
        f.harm(("UPDATE checkpoint SET note = ? WHERE size = 15", change(signed)))

    return attack


def body(change):
    """Sign a body in another spelling with the right key: the writer's own checks are not asked."""

    def attack(f):
        index, prev = f.head().size, f.entry(14).id
        place = {"v": 1, "index": index, "prev": prev, "at": "2026-11-29T12:00:00.000Z"}
        fields = {**place, "kind": "ENTRY", "title": "one more"}
        payload = change(canonical.encode(fields))
        f.force_bytes(envelope.sign(f.keys["operator"], PAYLOAD_TYPE, payload))

    return attack


def envelope_bytes(change):
    return lambda f: consistent(f, 14, change(envelope_of(f, 14)))


def sig_tail(raw):
    """Set a bit of the base64 that decoding ignores: the same signature, other bytes."""
    at = raw.rindex(b'=="}')
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return raw[: at - 1] + letters[letters.index(raw[at - 1]) ^ 1 :][:1] + raw[at:]


# --- the matrix: name, how, exit code, sentence ---------------------------------------------------

VERIFY = [
    # the eleven of the peers
    ("edit an entry", flip_sql, 1, r"entry 4: id: the stored id is not SHA-256 of the bytes"),
    ("drop a middle entry", sql("DELETE FROM entry WHERE idx = 7"), 1, "entry 7: index: the row"),
    ("swap two entries", swap, 1, "entry 3: index: the signed index is 9"),
    (
        "drop the last entries",
        sql(
            "DELETE FROM entry WHERE idx > 11",
            "DELETE FROM tree WHERE ((idx + 1) << level) > 12",
            "DELETE FROM checkpoint WHERE size > 12",
        ),
        1,
        "12 entries, the remembered head saw 15: truncated or rolled back",
    ),
    ("delete everything", everything_deleted, 1, "0 entries, the remembered head saw 15"),
    (
        "no file",
        lambda f: f.path.unlink(),
        4,
        "is gone, and evidence.yaml pins it: restore it from a backup",
    ),
    ("an empty file", lambda f: f.path.write_bytes(b""), 1, "is not a ledger"),
    (
        "strip the signatures",
        lambda f: edited(f, 4, lambda _: {"signatures": []}),
        1,
        "entry 4: malformed: not an envelope",
    ),
    ("sign with another key", other_key, 1, "entry 14: malformed: key SHA256:.* is not enrolled"),
    (
        "edit a value and its hash",
        lambda f: edited(f, 14, lambda v: {"payload": faster(v["payload"])}),
        1,
        "entry 14: signature: the signature does not verify",
    ),
    ("cut the file in half", truncate_file, 1, "damaged"),
    # the eight of the logs
    ("flip a byte in the file", flip_file, 1, "entry 4: id: the stored id is not SHA-256"),
    ("roll back to an older copy", roll_back, 1, "has 15 entries, the remembered head saw 16"),
    ("a forged last row", forged_last, 1, "entry 15: malformed: key SHA256:.* is not enrolled"),
    ("REPLACE past the triggers", replace_row, 1, "entry 14: id: the stored id"),
    ("change an index column", sql("UPDATE entry SET idx = 99 WHERE idx = 14"), 1, "the index 99"),
    ("change the id column", sql("UPDATE entry SET id = 'x' WHERE idx = 4"), 1, "entry 4: id:"),
    (
        "change a leaf hash",
        sql("UPDATE entry SET leaf_hash = zeroblob(32) WHERE idx = 4"),
        1,
        "entry 4: leaf: the stored leaf hash is not that of the bytes",
    ),
    # and more
    ("duplicate a row", duplicate, 1, "entry 15: index: the signed index is 4"),
    ("insert a row between", insert_between, 1, "entry 5: index: the signed index is 4"),
    ("a row below zero", sql("UPDATE entry SET idx = -1 WHERE idx = 14"), 1, "the index -1"),
    ("drop a trigger", drop_triggers, 1, "schema: tables or triggers differ"),
    (
        "change a subtree's hash",
        sql("UPDATE tree SET hash = zeroblob(32) WHERE level = 1 AND idx = 2"),
        1,
        "tree: stored subtree hashes differ",
    ),
    ("delete a subtree", sql("DELETE FROM tree WHERE level = 2"), 1, "tree"),
    (
        "a fork of the same size",
        fork,
        1,
        "not those the remembered head saw: history was rewritten",
    ),
    ("a retired key signs", by("retired"), 1, r"entry 15: refused: key .* is no longer valid"),
    ("a revoked key signs", by("revoked"), 1, r"entry 15: refused: key .* is no longer valid"),
    ("the log key signs an entry", by("log"), 1, "entry 15: malformed: key .* is not enrolled"),
    ("a runner signs an entry", by("runner"), 1, "entry 15: refused: key .* is not engineer"),
    (
        "a label used twice",
        lambda f: f.force("engineer", label="J1"),
        1,
        "entry 15: label: the label 'J1' is used by an earlier entry",
    ),
    ("the log key signs another root", log_key_forks, 1, "checkpoint 15: it is not of these"),
    (
        "a checkpoint by an engineer",
        checkpoint_by_an_engineer,
        1,
        "checkpoint 15: it must carry exactly one signature, by the log's key",
    ),
    (
        "CRLF in a checkpoint",
        bad_checkpoint(lambda s: s.replace("\n", "\r\n")),
        1,
        "checkpoint 15:",
    ),
    ("a BOM before a checkpoint", bad_checkpoint(lambda s: "\ufeff" + s), 1, "checkpoint 15:"),
    ("size 007", bad_checkpoint(lambda s: s.replace("\n15\n", "\n015\n")), 1, "canonical form"),
    ("size +7", bad_checkpoint(lambda s: s.replace("\n15\n", "\n+15\n")), 1, "canonical form"),
    ("full-width", bad_checkpoint(lambda s: s.replace("\n15\n", "\n１５\n")), 1, "canonical form"),
    (
        "101 signatures",
        bad_checkpoint(lambda s: s + s.split("\n\n")[1] * 100),
        1,
        "note carries 101 signatures, not 1 to 100",
    ),
    ("non-canonical base64", envelope_bytes(sig_tail), 1, "entry 14: malformed: "),
    ("a space in the JSON", envelope_bytes(lambda r: r.replace(b":", b": ", 1)), 1, "not an env"),
    ("CRLF after an entry", envelope_bytes(lambda r: r + b"\r\n"), 1, "entry 14: malformed"),
    ("a BOM before an entry", envelope_bytes(lambda r: b"\xef\xbb\xbf" + r), 1, "entry 14: malf"),
    (
        "duplicate JSON keys",
        body(lambda b: b.replace(b'"title"', b'"title":"slow","title"')),
        1,
        "entry 15: malformed: JSON is not in canonical form",
    ),
    (
        "an index of 015",
        body(lambda b: b.replace(b":15", b":015")),
        1,
        "entry 15: malformed: not canonical JSON",
    ),
    ("an index of +15", body(lambda b: b.replace(b":15", b":+15")), 1, "not canonical JSON"),
    (
        "a full-width index",
        body(lambda b: b.replace(b":15", ":１５".encode())),
        1,
        "not canonical JSON",
    ),
    ("a float", body(lambda b: b.replace(b":15", b":15.0")), 1, "figures are decimal strings"),
]


def ids(rows):
    return [row[0] for row in rows]


def last_words(result):
    return result.stdout + result.stderr


@pytest.mark.parametrize(("name", "how", "code", "sentence"), VERIFY, ids=ids(VERIFY))
def test_verify_notices(founded, name, how, code, sentence):
    how(founded)
    result = founded.invoke("verify")
    assert (result.exit_code, re.search(sentence, last_words(result)) is not None) == (
        code,
        True,
    ), last_words(result)


@pytest.mark.parametrize(("name", "how", "code", "sentence"), VERIFY, ids=ids(VERIFY))
def test_verify_notices_although_it_verified_the_ledger_before(founded, name, how, code, sentence):
    assert founded.invoke("verify").exit_code == 0
    how(founded)
    assert founded.invoke("verify").exit_code == code


@pytest.mark.parametrize("table", ["tree", "checkpoint"])
def test_any_byte_of_any_row_of_the_derived_tables(founded, table):
    """The table `entry` is flipped byte by byte in test_ledger_bytes.py."""
    column, where = {"tree": ("hash", "level = ? AND idx = ?"), "checkpoint": ("note", "size = ?")}[
        table
    ]
    clean = founded.path.read_bytes()
    missed = []
    for *place, value in founded.rows()[table]:
        raw = value.encode() if isinstance(value, str) else value
        for at in range(place[-1] % 5, len(raw), 23):
            flipped = bytes([*raw[:at], raw[at] ^ 1, *raw[at + 1 :]])
            changed = flipped.decode("latin-1") if isinstance(value, str) else flipped
            founded.harm((f"UPDATE {table} SET {column} = ? WHERE {where}", changed, *place))
            missed += [(place, at)] if founded.audit().code != 1 else []
            founded.path.write_bytes(clean)
    assert missed == []


# --- history rewritten in earnest -----------------------------------------------------------------
# name, keys held, from which entry; what unanchored verify says, what each anchor says

ENGINEER = ("engineer", "log")
MACHINE = ("operator", "engineer", "retired", "revoked", "runner", "auditor", "log")
REWRITES = [
    # Nothing is wrong with what remains; it is only not what others saw.
    ("the engineer, entries of others left out", ("engineer",), 4, 3, "unanchored: truncation"),
    ("the engineer and the log key", ENGINEER, 4, 3, "unanchored: truncation"),
    ("a retired key, back when it was valid", ("retired", "log"), 9, 3, "unanchored: truncation"),
    ("a revoked key, back when it was valid", ("revoked", "log"), 12, 3, "unanchored: truncation"),
    ("everybody's keys, from the middle", MACHINE, 4, 3, "unanchored: truncation"),
    ("everybody's keys, from the first entry after GENESIS", MACHINE, 1, 3, "unanchored"),
]


@pytest.fixture
def kept(founded, tmp_path):
    """What others hold: a checkpoint, a head, and a witness that cosigned."""
    file, head = tmp_path / "kept.txt", tmp_path / "head.json"
    assert founded.invoke("checkpoint", "--output", file).exit_code == 0
    shutil.copyfile(founded.head_file, head)
    assert cosign(founded).exit_code == 0
    founded.head_file.unlink()
    return {"checkpoint": file, "head": head}


def cosign(f):
    return f.invoke("witness", "--name", NAMES, "--key", f.key_file("second"))


@pytest.mark.parametrize(("name", "held", "start", "code", "sentence"), REWRITES, ids=ids(REWRITES))
def test_a_rewrite_in_earnest_is_refused_by_everybody_who_saw_the_other_history(
    founded, kept, name, held, start, code, sentence
):
    before = founded.rows()["entry"]
    replay(founded, start, held, size=15)
    assert founded.rows()["entry"][start] != before[start]
    assert founded.rows()["entry"][:start] == before[:start]
    result = founded.invoke("verify")
    assert (result.exit_code, sentence in result.stdout) == (code, True), result.stdout
    rewritten = "are not those .* saw: history was rewritten"
    for anchor in kept.values():
        result = founded.invoke("verify", "--anchor", anchor)
        assert (result.exit_code, bool(re.search(rewritten, result.stdout))) == (1, True)
    result = cosign(founded)
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.search(f"witness {NAMES} saw: history was rewritten", result.stderr)
    shutil.copyfile(kept["head"], founded.head_file)
    for words in (["verify"], ["add", "--title", "x"]):
        result = founded.invoke(*words)
        assert (result.exit_code, bool(re.search(rewritten, last_words(result)))) == (1, True)


NOBODY = r"entry 4: malformed: key .* is not enrolled"
UNSIGNED = [
    ("no key, the old signatures kept", None, "entry 4: signature: the signature does not verify"),
    ("a key that nobody enrolled", ("stranger",), NOBODY),
    ("the log key alone", ("log",), NOBODY),
    ("a runner's key", ("runner", "log"), "entry 4: malformed: key .* is not enrolled"),
    ("a key retired before", ("retired", "log"), "entry 11: refused: key .* is no longer valid"),
]


@pytest.mark.parametrize(("name", "held", "sentence"), UNSIGNED, ids=ids(UNSIGNED))
def test_a_rewrite_without_a_valid_key_is_named_even_unanchored(founded, name, held, sentence):
    founded.head_file.unlink()
    replay(founded, 11 if "retired" in name else 4, held, size=15)
    result = founded.invoke("verify")
    assert (result.exit_code, bool(re.search(sentence, result.stdout))) == (1, True), result.stdout


def test_two_forks_of_one_size_signed_by_the_log_are_the_proof_of_its_fault(founded, kept):
    """Whoever holds both has the evidence: one key, one size, two roots."""
    replay(founded, 4, MACHINE, size=15)
    verifier = Verifier(ORIGIN, founded.keys["log"].public)
    first = open_checkpoint(kept["checkpoint"].read_text(), verifier)
    second = open_checkpoint(founded.rows()["checkpoint"][-1][1], verifier)
    assert (first.size, first.origin) == (second.size, second.origin)
    assert first.root != second.root


# --- proofs, policies, receipts, raw files --------------------------------------------------------


@pytest.fixture
def handed(founded, tmp_path):
    """A proof of entry 4, its envelope, and the policy of an auditor who knows log and witness."""
    cosigned = tmp_path / "cosigned.txt"
    cosigned.write_text(cosign(founded).stdout)
    log = Verifier(ORIGIN, founded.keys["log"].public).vkey
    witness = Witness(NAMES, founded.keys["second"].public).vkey
    files = {name: tmp_path / name for name in ("proof", "entry", "policy", "strict", "foreign")}
    files["policy"].write_text(f"log {log}\nquorum none\n")
    files["strict"].write_text(f"log {log}\nwitness w {witness}\nquorum w\n")
    other = Verifier(ORIGIN, founded.keys["stranger"].public).vkey
    files["foreign"].write_text(f"log {other}\nquorum none\n")
    files["cosigned"] = cosigned
    assert founded.invoke("prove", "J2", "--output", files["proof"]).exit_code == 0
    files["entry"].write_bytes(envelope_of(founded, 4))
    return files


def rewrite_file(path, change):
    path.write_bytes(change(path.read_bytes()))


# name, what is done to the files, further words, exit code, sentence
PROOFS = [
    ("as it is", None, ["--policy", "policy"], 0, "entry 4 .* stands in perf.example.org/engine"),
    ("for another log", None, ["--policy", "foreign"], 1, "is signed by no log of that name"),
    ("too few witnesses", None, ["--policy", "strict"], 1, "quorum 'w' is not met"),
    (
        "a swapped entry",
        lambda f, files: files["entry"].write_bytes(envelope_of(f, 3)),
        ["--policy", "policy", "--entry", "entry"],
        1,
        "does not|not lead",
    ),
    (
        "another index",
        lambda f, files: rewrite_file(files["proof"], lambda d: d.replace(b"index 4", b"index 5")),
        ["--policy", "policy"],
        1,
        "does not|not lead",
    ),
    (
        "index 007",
        lambda f, files: rewrite_file(
            files["proof"], lambda d: d.replace(b"index 4", b"index 004")
        ),
        ["--policy", "policy"],
        4,
        "not a proof",
    ),
    (
        "CRLF",
        lambda f, files: rewrite_file(files["proof"], lambda d: d.replace(b"\n", b"\r\n")),
        ["--policy", "policy"],
        4,
        "not a proof",
    ),
    (
        "a BOM",
        lambda f, files: rewrite_file(files["proof"], lambda d: b"\xef\xbb\xbf" + d),
        ["--policy", "policy"],
        4,
        "not a proof",
    ),
    (
        "a stranger's checkpoint",
        lambda f, files: rewrite_file(
            files["proof"],
            lambda d: (
                d[: d.index(ORIGIN.encode())]
                + sign(Checkpoint(ORIGIN, 15, f.head().root), f.keys["stranger"]).encode()
            ),
        ),
        ["--policy", "policy"],
        1,
        "is signed by no log",
    ),
    (
        "101 signatures",
        lambda f, files: rewrite_file(
            files["proof"], lambda d: d + d[d.rindex(b"\n\n") + 2 :] * 100
        ),
        ["--policy", "policy"],
        4,
        "carries 101 signatures",
    ),
]


@pytest.mark.parametrize(("name", "how", "words", "code", "sentence"), PROOFS, ids=ids(PROOFS))
def test_verify_proof_says(founded, handed, name, how, words, code, sentence):
    if how:
        how(founded, handed)
    words = [handed.get(word, word) for word in words]
    result = founded.invoke("verify", "--proof", handed["proof"], *words)
    assert (result.exit_code, bool(re.search(sentence, last_words(result)))) == (
        code,
        True,
    ), last_words(result)


def cosigned(f, files):
    assert (
        f.invoke("checkpoint", "--add", files["cosigned"], "--policy", files["strict"]).exit_code
        == 0
    )


def test_any_byte_of_a_cosignature_is_judged_by_the_policy_and_by_nothing_else(founded, handed):
    """The ledger holds no witness's key: without --policy a line is looked at for form alone."""
    cosigned(founded, handed)
    clean = founded.path.read_bytes()
    ((_, _, line),) = founded.rows()["cosignature"]
    for at in range(len(f"\u2014 {NAMES} "), len(line) - 2, 11):
        other = "A" if line[at] != "A" else "B"
        changed = line[:at] + other + line[at + 1 :]
        founded.harm(("UPDATE cosignature SET line = ?", changed))
        result = founded.invoke("verify", "--policy", handed["strict"])
        assert result.exit_code == 1, (at, result.stdout)
        founded.path.write_bytes(clean)
    founded.harm("DELETE FROM cosignature")
    assert founded.invoke("verify").exit_code == 0
    assert founded.invoke("verify", "--policy", handed["strict"]).exit_code == 1


@pytest.mark.parametrize("role", ["cosignature moved to another size", "filed under another name"])
def test_a_cosignature_in_the_wrong_place_is_named(founded, handed, role):
    cosigned(founded, handed)
    change = "size = 14" if "size" in role else "name = 'w2'"
    founded.harm(f"UPDATE cosignature SET {change}")
    result = founded.invoke("verify")
    if "size" in role:
        # Only the witness's key can tell; the policy asks about the last checkpoint alone.
        result = founded.invoke("verify", "--policy", handed["strict"])
    assert result.exit_code == 1


def test_a_cosignature_that_was_hidden_below_zero_is_named(founded, handed):
    cosigned(founded, handed)
    founded.harm("UPDATE cosignature SET size = -1")
    result = founded.invoke("verify")
    assert (result.exit_code, "no checkpoint of -1" in result.stdout) == (1, True)


def test_claims_refuse_a_swapped_raw_file_and_a_forged_receipt(publisher):
    publisher.publish(publisher.level)
    result = publisher.claims("render", "prefill")
    assert result.exit_code == 0, last_words(result)
    made = publisher.receipt("cells")
    raw = publisher.raw_of(made)
    genuine = raw.read_bytes()
    raw.chmod(0o644)
    raw.write_bytes(publisher.raw_of(publisher.receipt("steady")).read_bytes())
    result = publisher.claims("render", "prefill")
    assert (result.exit_code, "CLM303" in last_words(result)) == (1, True)
    raw.write_bytes(genuine)
    subjects = {s.name: Digest.parse(f"sha256:{s.digest.sha256}") for s in made.statement.subject}
    forged = receipt.make(publisher.keys["stranger"], subjects, made.predicate)
    uri = publisher.enter(forged)
    publisher.experiment("FORGED", uri)
    claim = publisher.level | {"evidence": [{"entry": "FORGED", "select": {"n_ubatch": 512}}]}
    publisher.write(claim)
    result = publisher.claims("render", "prefill")
    assert (result.exit_code, "CLM302" in last_words(result)) == (1, True), last_words(result)
