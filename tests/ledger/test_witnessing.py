"""Witnesses: they cosign what extends what they saw, and remember before their word gets out."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ledger import cosignature, policy
from ledger.checkpoint import Checkpoint, format_checkpoint, sign
from ledger.cosignature import Witness
from ledger.heads import Durable, Head
from ledger.note import Verifier

REPOSITORY = Path(__file__).resolve().parents[2]
ORIGIN = "perf.example.org/engine"
NAME = "witness.example.org/w1"


def cosign(f, name=NAME, key="second", *words):
    return f.invoke("witness", "--name", name, "--key", f.key_file(key), *words)


def memory(f, name=NAME):
    folder = f.home / ".local/state/evidence-ledger/witness" / name.replace("/", "-")
    return Durable(folder)


def remembered(f, name=NAME):
    return memory(f, name).recall(f.keys["log"].public)


def accepted(f, text):
    """Return which witnesses an auditor finds on this checkpoint, and its size."""
    verifier = Verifier(ORIGIN, f.keys["log"].public)
    keys = {name: Witness(NAME + name, f.keys[name].public) for name in ("engineer", "runner")}
    keys["second"] = Witness(NAME, f.keys["second"].public)
    found, by = policy.accept(text, policy.Policy((verifier,), keys, {}, None))
    return found.size, [one.name for one in by]


def refused(f, sentence, code=1, **options):
    before = remembered(f, options.get("name", NAME))
    result = cosign(f, **options)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr, result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert remembered(f, options.get("name", NAME)) == before


def fork(f, older):
    """Put another history of the same length there, signed by the real keys."""
    size = f.head().size
    shutil.copyfile(older, f.path)
    head = f.head_file.read_bytes()
    f.head_file.unlink()
    while f.head().size < size:
        f.append(title="a hit that never was")
    f.head_file.write_bytes(head)
    assert f.audit().findings == []


@pytest.fixture
def older(founded, tmp_path):
    """A copy of the ledger before two more entries."""
    copy = tmp_path / "older.db"
    shutil.copyfile(founded.path, copy)
    founded.append(title="a miss")
    founded.append(title="another")
    return copy


def test_at_first_sight_a_witness_takes_what_verifies_and_remembers_it(founded):
    result = cosign(founded)
    assert result.exit_code == 0
    assert result.stdout.startswith(founded.rows()["checkpoint"][-1][1])
    assert accepted(founded, result.stdout) == (15, ["second"])
    assert remembered(founded) == founded.head()


def test_it_cosigns_growth_and_the_same_again(founded):
    cosign(founded)
    assert cosign(founded).exit_code == 0
    founded.append(title="growth")
    result = cosign(founded)
    assert (result.exit_code, accepted(founded, result.stdout)) == (0, (16, ["second"]))
    assert remembered(founded) == founded.head()


def test_a_rollback_is_refused(founded, older):
    cosign(founded)
    shutil.copyfile(older, founded.path)
    refused(founded, "has 15 entries, witness witness.example.org/w1 saw 17: truncated or rolled")


def test_a_fork_signed_with_the_real_keys_is_refused(founded, older):
    cosign(founded)
    fork(founded, older)
    refused(founded, "the first 17 entries are not those witness")
    founded.head_file.unlink()
    founded.append(title="the fork grows")
    refused(founded, "history was rewritten")


def test_a_last_checkpoint_that_was_deleted_is_no_smaller_head_to_cosign(founded):
    cosign(founded)
    founded.harm("DELETE FROM checkpoint WHERE size > 13")
    refused(founded, "the last checkpoint covers 13 entries, witness witness.example.org/w1 saw 15")


def test_another_name_has_seen_nothing_yet(founded, older):
    cosign(founded)
    shutil.copyfile(older, founded.path)
    refused(founded, "truncated or rolled back")
    assert cosign(founded, "w2.example.org/x", "runner").exit_code == 0
    assert remembered(founded, "w2.example.org/x").size == 15
    assert remembered(founded).size == 17


@pytest.mark.parametrize("name", ["", "two words", "a+b", "tab\tbed"])
def test_a_name_that_no_key_can_have_is_refused_before_anything_is_remembered(founded, name):
    refused(founded, "key name", 4, name=name)


@pytest.mark.parametrize("name", ["..", ".", "../../heads", "a/../../b"])
def test_a_name_never_leads_out_of_the_witness_folder(founded, name):
    before = founded.head_file.read_bytes()
    cosign(founded, name)
    state = founded.home / ".local/state/evidence-ledger"
    fresh = [path for path in state.rglob("*") if path.is_file() and path != founded.head_file]
    assert fresh
    assert all(state / "witness" in path.parents for path in fresh), fresh
    assert founded.head_file.read_bytes() == before


def test_the_logs_own_key_is_no_witness(founded):
    refused(founded, "the log's own key is no witness; give another with --key FILE", 4, key="log")


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE entry SET id = 'x' WHERE idx = 3", "does not verify: entry 3: id:"),
        ("DELETE FROM entry WHERE idx = 14", "does not verify: ledger: checkpoint:"),
        ("DROP TRIGGER tree_no_delete", "does not verify: ledger: schema:"),
    ],
)
def test_a_ledger_that_does_not_verify_is_not_cosigned(founded, statement, sentence):
    if statement.startswith("DROP"):
        with sqlite3.connect(founded.path) as database:
            database.execute(statement)
        database.close()
    else:
        founded.harm(statement)
    result = cosign(founded)
    assert (result.exit_code, result.stdout) == (1, "")
    assert sentence.rpartition(":")[0].split(": ")[0] in result.stderr
    assert remembered(founded) is None


def test_without_a_checkpoint_there_is_nothing_to_cosign(founded):
    founded.harm("DELETE FROM checkpoint")
    refused(founded, "the ledger has no checkpoint to cosign", 4)


@pytest.mark.parametrize(
    ("old", "new"), [("genesis: ", "genesis: " + "0" * 64 + " #"), ("origin: ", "origin: x #")]
)
def test_another_ledger_than_the_one_that_is_pinned_is_not_cosigned(founded, old, new):
    file = founded.root / "evidence.yaml"
    file.write_text(file.read_text().replace(old, new))
    refused(founded, "is not the ledger that evidence.yaml pins")


def test_a_memory_that_cannot_be_read_stops_the_witness(founded):
    cosign(founded)
    path = memory(founded).path(founded.keys["log"].public)
    path.write_bytes(b"{}")
    result = cosign(founded)
    assert (result.exit_code, result.stdout) == (4, "")
    assert "restore it or remove it knowingly" in result.stderr


KILLED_BEFORE_IT_SIGNS = """
import os, signal, sys
from ledger import cosignature
cosignature.sign = lambda *words: os.kill(os.getpid(), signal.SIGKILL)
from ledger import cli
sys.argv[0] = "ledger"
cli.main()
"""


def test_the_head_is_remembered_before_the_word_gets_out(founded, older):
    """Killed in between, the witness is bound by what it was about to sign, and may sign it."""
    words = ["witness", "--name", NAME, "--key", str(founded.key_file("second"))]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-c", KILLED_BEFORE_IT_SIGNS, *words]
    done = subprocess.run(
        command, cwd=founded.root, env=environment, capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, b"")
    assert remembered(founded).size == 17
    assert cosign(founded).exit_code == 0
    fork(founded, older)
    refused(founded, "history was rewritten")


def test_a_witness_that_cannot_remember_does_not_sign(founded, monkeypatch):
    def full(*words):
        raise OSError(28, "No space left on device", "witness")

    monkeypatch.setattr(os, "fsync", full)
    result = cosign(founded)
    assert (result.exit_code, result.stdout) == (74, "")


def test_two_at_once_never_cosign_two_forks_of_one_size(founded, older, monkeypatch):
    """The other one remembers its fork between our look and our signature."""
    real = Durable.recall
    looks = []

    def recall(self, log_key):
        found = real(self, log_key)
        if not looks:
            looks.append(found)
            memory(founded).remember(log_key, Head(17, b"\x01" * 32))
        return found

    monkeypatch.setattr(Durable, "recall", recall)
    result = cosign(founded)
    assert (looks, result.exit_code, result.stdout) == ([None], 1, "")
    assert "somebody else cosigned meanwhile; start again" in result.stderr


# --- cosignatures brought home --------------------------------------------------------------------


@pytest.fixture
def auditor(founded, tmp_path):
    """Policy files: one witness asked for, two asked for, none."""
    log = Verifier(ORIGIN, founded.keys["log"].public).vkey
    north = Witness(NAME, founded.keys["second"].public).vkey
    south = Witness("w2.example.org/x", founded.keys["runner"].public).vkey
    texts = {
        "one": f"log {log}\nwitness north {north}\nquorum north\n",
        "both": f"log {log}\nwitness n {north}\nwitness s {south}\ngroup g all n s\nquorum g\n",
        "none": f"log {log}\nquorum none\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def add(f, auditor, text, name="one"):
    file = auditor / "cosigned.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return f.invoke("checkpoint", "--add", file, "--policy", auditor / name)


def test_a_cosignature_is_added_once_and_handed_out_with_the_checkpoint(founded, auditor):
    text = cosign(founded).stdout
    result = add(founded, auditor, text)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"cosignatures added: {NAME}\n"
    assert founded.rows()["cosignature"] == [(15, NAME, text.splitlines()[-1])]
    assert founded.invoke("checkpoint").stdout == text
    assert founded.audit(founded.head()).cosignatures == 1
    again = add(founded, auditor, cosign(founded).stdout)
    assert again.stderr == "cosignatures added: none that were not here\n"


def test_a_quorum_that_is_met_anchors_and_one_that_is_not_breaks(founded, auditor):
    add(founded, auditor, cosign(founded).stdout)
    founded.head_file.unlink()
    result = founded.invoke("verify", "--policy", auditor / "one")
    assert (result.exit_code, "anchored to north at 15" in result.stdout) == (0, True)
    founded.head_file.unlink()
    result = founded.invoke("verify", "--policy", auditor / "both")
    assert result.exit_code == 1
    assert "cosigned by 1 of 2 witnesses; the policy's quorum 'g' is not met" in result.stdout
    result = founded.invoke("verify", "--policy", auditor / "none")
    assert (result.exit_code, "unanchored" in result.stdout) == (3, True)
    other = cosign(founded, "w2.example.org/x", "runner")
    assert add(founded, auditor, other.stdout, "none").stderr.endswith("none that were not here\n")
    (auditor / "two").write_text((auditor / "both").read_text().replace("all n s", "any n s"))
    assert add(founded, auditor, other.stdout, "two").exit_code == 0
    result = founded.invoke("verify", "--policy", auditor / "both")
    assert (result.exit_code, "anchored to n, s at 15" in result.stdout) == (0, True)


def test_a_policy_that_is_not_there_or_malformed_is_no_finding(founded, auditor):
    result = founded.invoke("verify", "--policy", auditor / "nowhere")
    assert (
        result.exit_code,
        f"{auditor / 'nowhere'}: the policy does not exist" in result.stderr,
    ) == (4, True)
    (auditor / "bad").write_text("log x\n")
    result = founded.invoke("verify", "--policy", auditor / "bad")
    assert (result.exit_code, "bad:1:" in result.stderr) == (4, True)


def test_lines_by_unknown_witnesses_are_left_out(founded, auditor):
    text = cosign(founded).stdout
    line = cosign(founded, "w2.example.org/x", "runner").stdout.splitlines()[-1]
    assert add(founded, auditor, f"{text}{line}\n").exit_code == 0
    assert [name for _, name, _ in founded.rows()["cosignature"]] == [NAME]


def tampered(text):
    head, _, last = text.removesuffix("\n").rpartition("\n")
    return f"{head}\n{last[:-12]}{'A' if last[-12] != 'A' else 'B'}{last[-11:]}\n"


def elsewhere(f):
    text = format_checkpoint(Checkpoint(ORIGIN, 15, bytes(32)))
    line = cosignature.sign(text, NAME, f.keys["second"], 1_796_000_000)
    return sign(Checkpoint(ORIGIN, 15, bytes(32)), f.keys["log"]) + line


def ahead(f):
    found = Checkpoint(ORIGIN, 99, bytes(32))
    line = cosignature.sign(format_checkpoint(found), NAME, f.keys["second"], 1_796_000_000)
    return sign(found, f.keys["log"]) + line


def strangers_log(f):
    found = Checkpoint(ORIGIN, 15, f.head().root)
    line = cosignature.sign(format_checkpoint(found), NAME, f.keys["second"], 1_796_000_000)
    return sign(found, f.keys["stranger"]) + line


BAD = {
    "a signature that does not verify": (lambda f, t: tampered(t), 1, "does not verify"),
    "another root": (lambda f, t: elsewhere(f), 1, "checkpoint 15 is not of this ledger"),
    "a size that is not reached": (lambda f, t: ahead(f), 1, "checkpoint 99 is not of this ledger"),
    "another log's signature": (lambda f, t: strangers_log(f), 1, "is signed by no log of that"),
    "a line out of form": (lambda f, t: t + "garbage\n", 4, "malformed signature line"),
    "101 signatures": (lambda f, t: t + 99 * lines(t), 4, "carries 101"),
    "nothing": (lambda f, t: "", 4, "no empty line"),
    "no text": (lambda f, t: b"\xff\n", 4, "cosigned.txt:1: not UTF-8 text"),
    "without the witness": (lambda f, t: t.removesuffix(lines(t)), 1, "is not met"),
    "CRLF": (lambda f, t: t.replace("\n", "\r\n"), 4, ""),
}


def lines(text):
    return text.splitlines()[-1] + "\n"


@pytest.mark.parametrize("name", BAD)
def test_a_bad_cosignature_is_refused_and_nothing_is_stored(founded, auditor, name):
    make, code, sentence = BAD[name]
    text = make(founded, cosign(founded).stdout)
    before = founded.path.read_bytes()
    result = add(founded, auditor, text)
    assert (result.exit_code, result.stdout, sentence in result.stderr) == (code, "", True)
    assert len(result.stderr.splitlines()) == 1
    assert founded.path.read_bytes() == before


def test_add_asks_whose_word_counts(founded, auditor):
    (auditor / "cosigned.txt").write_text(cosign(founded).stdout)
    result = founded.invoke("checkpoint", "--add", auditor / "cosigned.txt")
    assert (result.exit_code, "--add goes with --policy" in result.stderr) == (2, True)
    result = founded.invoke("checkpoint", "--add", auditor / "no", "--policy", auditor / "one")
    assert (result.exit_code, f"{auditor / 'no'}: the " in result.stderr) == (4, True)


def test_a_cosignature_on_an_older_checkpoint_is_kept_with_that_one(founded, auditor):
    text = cosign(founded).stdout
    founded.append(title="meanwhile")
    assert add(founded, auditor, text).exit_code == 0
    assert [size for size, _, _ in founded.rows()["cosignature"]] == [15]
    assert founded.invoke("checkpoint").stdout == founded.rows()["checkpoint"][-1][1]
    assert founded.audit(founded.head()).code == 0
