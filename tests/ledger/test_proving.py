"""Proofs that keys alone check: made by one command, checked by another, far from any ledger."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ledger import merkle, policy, proof, proving, store
from ledger.checkpoint import Checkpoint, format_checkpoint, sign
from ledger.cosignature import Witness
from ledger.entry import encode, validate
from ledger.note import Verifier
from receipts.errors import MalformedError, NotFoundError, UndecidedError, VerificationError

REPOSITORY = Path(__file__).resolve().parents[2]
ORIGIN = "perf.example.org/engine"
NAME = "witness.example.org/w1"


def verifier(f, name="log"):
    return Verifier(ORIGIN, f.keys[name].public)


def log_policy(f):
    return proving.log_only(ORIGIN, verifier(f))


def prove(f, index):
    with f.open() as ledger:
        return ledger.prove(index)


@pytest.mark.parametrize("index", range(15))
def test_every_entry_is_proved_and_the_proof_says_what_the_entry_is(founded, index):
    entry = founded.entry(index)
    proven = proving.check(prove(founded, index), None, log_policy(founded))
    assert (proven.index, proven.id, proven.title) == (index, entry.id, entry.body.title)
    assert (proven.signed_by, proven.origin, proven.size) == (entry.envelope.keyid, ORIGIN, 15)
    assert proven.line().startswith(
        f"entry {index} {entry.id[:16]}… ({entry.body.title}) stands in"
    )


def test_a_proof_stays_good_when_the_log_grows(founded):
    made = prove(founded, 4)
    for _ in range(3):
        founded.append()
    assert proving.check(made, None, log_policy(founded)).size == 15
    assert proving.check(prove(founded, 4), None, log_policy(founded)).size == 18


def test_a_pending_entry_has_no_proof_yet(founded):
    with founded.open(sign=False) as ledger:
        ledger.append({"kind": "ENTRY", "title": "pending"}, founded.keys["operator"])
        with pytest.raises(
            NotFoundError, match="entry 15 is pending: the last checkpoint covers 15"
        ):
            ledger.prove(15)
    founded.append(title="signed again")
    assert proving.check(prove(founded, 15), None, log_policy(founded)).index == 15


def test_a_ledger_without_checkpoints_proves_nothing(founded):
    founded.harm("DELETE FROM checkpoint")
    result = founded.invoke("prove", "J1")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "entry 3 is pending: the last checkpoint covers 0" in result.stderr


def test_the_entry_beside_the_proof_counts(founded):
    found = proof.parse(prove(founded, 4))
    bare = proof.format_proof(proof.Proof(found.index, found.hashes, found.checkpoint))
    with pytest.raises(UndecidedError, match="give its bytes with --entry FILE"):
        proving.check(bare, None, log_policy(founded))
    assert proving.check(bare, found.extra, log_policy(founded)).index == 4
    with pytest.raises(VerificationError):
        proving.check(bare, founded.entry(5).raw, log_policy(founded))


@pytest.mark.parametrize("what", ["no entry", "an entry of another index"])
def test_a_leaf_that_is_no_entry_of_its_index_is_proved_to_nobody(founded, what):
    """Whatever the log holds under this index: it must be an entry that says so itself."""
    raw = b"not an envelope"
    if what != "no entry":
        place = {"v": 1, "index": 7, "prev": founded.entry(14).id, "kind": "ENTRY"}
        at = "2026-11-29T12:00:00.000Z"
        raw = encode(validate({**place, "at": at, "title": "x"}), founded.keys["operator"])
    index = founded.force_bytes(raw)
    with closing(store.open_for_reading(founded.path)) as source:
        hashes = tuple(merkle.prove_inclusion(index, 16, source.node))
        made = proof.Proof(index, hashes, source.last_checkpoint(), raw)
    with pytest.raises(MalformedError, match=r"not an envelope|says index 7, the proof 15"):
        proving.check(proof.format_proof(made), None, log_policy(founded))


def test_a_policy_of_other_names_keys_or_logs_accepts_nothing(founded):
    made = prove(founded, 4)
    others = [
        proving.log_only("elsewhere", Verifier("elsewhere", founded.keys["log"].public)),
        proving.log_only(ORIGIN, verifier(founded, "stranger")),
        policy.parse(
            f"log {verifier(founded).vkey}\n"
            f"witness w {Witness(NAME, founded.keys['second'].public).vkey}\nquorum w\n".encode()
        ),
    ]
    for accepting in others:
        with pytest.raises(VerificationError):
            proving.check(made, None, accepting)


def test_an_unsigned_root_proves_nothing(founded):
    found = proof.parse(prove(founded, 4))
    text = format_checkpoint(Checkpoint(ORIGIN, 15, founded.head().root))
    line = sign(Checkpoint(ORIGIN, 15, founded.head().root), founded.keys["stranger"])
    forged = proof.Proof(4, found.hashes, text + "\n" + line.split("\n\n")[1], found.extra)
    with pytest.raises(VerificationError, match="is signed by no log of that name"):
        proving.check(proof.format_proof(forged), None, log_policy(founded))


@pytest.fixture
def handed_out(founded, tmp_path):
    """What a stranger is given: proof and policy, in a folder with nothing else."""
    folder = tmp_path / "stranger"
    folder.mkdir()
    text = founded.invoke("witness", "--name", NAME, "--key", founded.key_file("second")).stdout
    log, witness = verifier(founded).vkey, Witness(NAME, founded.keys["second"].public).vkey
    (folder / "policy").write_text(f"log {log}\nwitness w {witness}\nquorum w\n")
    (tmp_path / "cosigned").write_text(text)
    words = ["checkpoint", "--add", tmp_path / "cosigned", "--policy", folder / "policy"]
    assert founded.invoke(*words).exit_code == 0
    assert founded.invoke("prove", "J2", "--output", folder / "J2.tlog-proof").exit_code == 0
    return folder


# Ends with what was imported, and refuses every import of SQLite.
WITHOUT_SQLITE = """
import sys
sys.modules["sqlite3"] = None
from ledger import cli
sys.argv[0] = "ledger"
cli.main()
"""


def stranger(folder, *words):
    environment = {"PYTHONPATH": str(REPOSITORY), "HOME": str(folder), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-c", WITHOUT_SQLITE, "verify", "--proof", *map(str, words)]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )


def test_a_stranger_checks_with_two_files_no_ledger_and_no_sqlite(founded, handed_out):
    before = sorted(path.name for path in handed_out.iterdir())
    done = stranger(handed_out, "J2.tlog-proof", "--policy", "policy", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    value = json.loads(done.stdout)
    assert value == {
        "index": 4,
        "id": founded.entry(4).id,
        "title": "two",
        "signed_by": founded.keys["engineer"].public.fingerprint,
        "origin": ORIGIN,
        "size": 15,
    }
    assert sorted(path.name for path in handed_out.iterdir()) == before


def test_a_proof_carries_the_cosignatures_that_the_policy_asks_for(founded, handed_out):
    text = (handed_out / "J2.tlog-proof").read_text()
    (line,) = [row[2] for row in founded.rows()["cosignature"]]
    assert text.endswith(f"\n{line}\n")
    (handed_out / "J2.tlog-proof").write_text(text.removesuffix(f"{line}\n"))
    done = stranger(handed_out, "J2.tlog-proof", "--policy", "policy")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the policy's quorum 'w' is not met" in done.stderr


def test_without_workspace_and_policy_a_stranger_is_told_what_is_missing(handed_out):
    done = stranger(handed_out, "J2.tlog-proof")
    assert done.returncode == 4
    assert "no evidence.yaml here or above" in done.stderr


@pytest.mark.parametrize("missing", ["J9.tlog-proof", "policy9", "entry9"])
def test_a_file_that_is_not_there_is_told_in_one_line(handed_out, missing):
    words = {"J9.tlog-proof": "J2.tlog-proof", "policy9": "policy"}
    line = ["J2.tlog-proof", "--policy", "policy"]
    line = [missing if words.get(missing) == word else word for word in line]
    line += ["--entry", missing] if missing == "entry9" else []
    done = stranger(handed_out, *line)
    assert (done.returncode, done.stdout) == (4, "")
    what = {"J9.tlog-proof": "proof", "policy9": "policy", "entry9": "entry"}[missing]
    assert done.stderr == f"ledger: {missing}: the {what} does not exist; check the path\n"


def test_a_proof_of_four_megabytes_is_refused_before_it_is_read(handed_out):
    (handed_out / "big").write_bytes(b"x" * (5 * 1024 * 1024))
    done = stranger(handed_out, "big", "--policy", "policy")
    assert (done.returncode, "big: larger than 4194304 bytes" in done.stderr) == (4, True)


def test_in_a_workspace_the_pinned_log_key_is_the_policy(founded, tmp_path):
    (tmp_path / "p").write_bytes(prove(founded, 4))
    result = founded.invoke("verify", "--proof", tmp_path / "p")
    assert (result.exit_code, result.stdout.startswith("entry 4 ")) == (0, True)
    founded.path.unlink()
    assert founded.invoke("verify", "--proof", tmp_path / "p").exit_code == 0
    file = founded.root / "evidence.yaml"
    file.write_text(file.read_text().replace("log_key:", "#"))
    result = founded.invoke("verify", "--proof", tmp_path / "p")
    assert (result.exit_code, "pins no log key; give --policy FILE" in result.stderr) == (2, True)
