"""After a loss: a restored older copy goes on only by an operator's word, for everybody to see."""

import json
import shutil

import pytest

from ledger.checkpoint import Checkpoint, sign

ORIGIN = "perf.example.org/engine"
LOST = ["--lost", "entries 15 and 16: two measurements of 2026-11-29"]


@pytest.fixture
def restored(founded, tmp_path):
    """A backup of fifteen entries put back after seventeen; the kept checkpoint is of fifteen."""
    backup, kept = tmp_path / "backup.db", tmp_path / "kept.txt"
    assert founded.invoke("checkpoint", "--output", kept).exit_code == 0
    shutil.copyfile(founded.path, backup)
    founded.append(title="lost")
    founded.append(title="lost too")
    later = tmp_path / "later.txt"
    assert founded.invoke("checkpoint", "--output", later).exit_code == 0
    auditor = tmp_path / "auditor.json"
    shutil.copyfile(founded.head_file, auditor)
    shutil.copyfile(backup, founded.path)
    founded.kept, founded.later, founded.auditor = kept, later, auditor
    return founded


def resume(f, kept, *words):
    return f.invoke("recover", "--resume", kept, *LOST, *words)


def test_without_it_nothing_goes_on(restored):
    for words in (["add", "--title", "x"], ["verify"]):
        result = restored.invoke(*words)
        assert (result.exit_code, "truncated or rolled back" in result.output) == (1, True)


def test_a_restored_copy_goes_on_and_says_what_is_lost(restored):
    result = resume(restored, restored.kept)
    assert (result.exit_code, result.stdout) == (0, "appended entry 15 (RECOVERY)\n")
    body = restored.entry(15).body
    assert body.lost[:-1] == LOST[1:]
    assert body.lost[-1].startswith("this machine remembered 17 entries under the root ")
    assert body.checkpoint == restored.kept.read_text().split("\n\n")[0] + "\n"
    result = restored.invoke("verify")
    assert (result.exit_code, "anchored to the remembered head at 16" in result.stdout) == (0, True)
    assert restored.heads.recall(restored.keys["log"].public) == restored.head()
    assert restored.append(title="on").index == 16


def test_an_auditor_who_saw_more_is_told_of_the_loss(restored):
    assert resume(restored, restored.kept).exit_code == 0
    for anchor in (restored.auditor, restored.later):
        result = restored.invoke("verify", "--anchor", anchor)
        assert result.exit_code == 1
        assert "the ledger has 16 entries" in result.stdout
        assert "saw 17: truncated or rolled back" in result.stdout
    restored.append(title="on")
    restored.append(title="and on")
    result = restored.invoke("verify", "--anchor", restored.auditor)
    assert (result.exit_code, "history was rewritten" in result.stdout) == (1, True)


def test_what_was_verified_before_the_loss_does_not_stand_in_the_way(restored):
    state = restored.home / ".local/state/evidence-ledger"
    memory = state / "verified" / restored.head_file.name
    memory.parent.mkdir()
    value = {
        "keys": [0],
        "log_key": restored.keys["log"].public.openssh,
        "notes": "0" * 64,
        "root": "0" * 64,
        "size": 17,
    }
    memory.write_text(json.dumps(value, separators=(",", ":")))
    assert resume(restored, restored.kept).exit_code == 0
    for _ in range(3):
        restored.append(title="on")
    result = restored.invoke("verify")
    assert (result.exit_code, "anchored to the remembered head at 19" in result.stdout) == (0, True)


def test_another_machine_accepts_the_loss_knowingly(restored):
    """Its head removed and the trusted checkpoint given, everything is verified anew."""
    restored.head_file.rename(restored.head_file.with_name("kept"))
    assert restored.invoke("verify", "--anchor", restored.kept).exit_code == 0
    restored.head_file.unlink()
    restored.head_file.with_name("kept").rename(restored.head_file)
    assert resume(restored, restored.kept).exit_code == 0
    restored.append(title="on")
    restored.head_file.unlink()
    words = ["verify", "--all", "--anchor", restored.kept]
    result = restored.invoke(*words)
    assert (result.exit_code, "anchored to anchor" in result.stdout) == (0, True)
    assert restored.invoke("verify").exit_code == 0


def refused(f, code, sentence, *words):
    before, head = f.path.read_bytes(), f.head_file.read_bytes()
    result = f.invoke(*words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1 or code == 2
    assert (f.path.read_bytes(), f.head_file.read_bytes()) == (before, head)


def write(f, tmp_path, text):
    path = tmp_path / "given.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("name", ["engineer", "runner", "auditor", "retired", "stranger", "log"])
def test_only_an_operator_lets_it_go_on(restored, name):
    code = 4 if name in ("stranger", "log") else 1
    words = ["recover", "--resume", restored.kept, *LOST, "--key", restored.key_file(name)]
    refused(restored, code, "key SHA256:", *words)


def test_a_copy_that_does_not_extend_the_checkpoint_is_refused(restored):
    words = ["recover", "--resume", restored.later, *LOST]
    refused(restored, 1, "does not extend the checkpoint of 17: restore a better copy", *words)


CHECKPOINTS = {
    "another root": (lambda f: signed(f, 15, bytes(32), "log"), 1, "does not extend the checkp"),
    "another key": (lambda f: signed(f, 15, f.head().root, "stranger"), 1, "no signature by"),
    "another origin": (
        lambda f: sign(Checkpoint("elsewhere", 15, f.head().root), f.keys["log"]),
        1,
        "carries no signature by perf.example.org/engine",
    ),
    "a changed size": (
        lambda f: f.kept.read_text().replace("\n15\n", "\n14\n"),
        1,
        "does not verify",
    ),
    "no checkpoint": (lambda f: "hello\n", 4, "no empty line"),
    "nothing": (lambda f: "", 4, "no empty line"),
    "no text": (lambda f: b"\xff\xfe", 4, "given.txt:1: not UTF-8 text"),
    "too much": (lambda f: b"x" * (4 * 1024 * 1024 + 1), 4, "given.txt: larger than"),
}


def signed(f, size, root, key):
    return sign(Checkpoint(ORIGIN, size, root), f.keys[key])


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_a_wrong_checkpoint_is_refused(restored, tmp_path, name):
    make, code, sentence = CHECKPOINTS[name]
    given = write(restored, tmp_path, make(restored))
    refused(restored, code, sentence, "recover", "--resume", given, *LOST)


def test_a_checkpoint_that_is_not_there_is_told(restored, tmp_path):
    words = ["recover", "--resume", tmp_path / "none", *LOST]
    refused(restored, 4, f"{tmp_path / 'none'}: the checkpoint does not exist", *words)


def test_what_is_lost_must_be_said(restored):
    refused(restored, 2, "--lost", "recover", "--resume", restored.kept)
    refused(restored, 4, "lost", "recover", "--resume", restored.kept, "--lost", "")


def test_an_older_checkpoint_that_the_copy_extends_is_good_enough(restored, tmp_path):
    older = write(restored, tmp_path, restored.rows()["checkpoint"][6][1])
    assert resume(restored, older).exit_code == 0
    assert restored.entry(15).body.checkpoint.splitlines()[1] == "7"


def test_a_salvaged_prefix_can_be_resumed(restored, tmp_path):
    """The whole way: damage, salvage, resume, verify."""
    older = write(restored, tmp_path, restored.rows()["checkpoint"][6][1])
    restored.harm("UPDATE entry SET envelope = x'00' WHERE idx = 9")
    output = tmp_path / "whole.db"
    assert restored.invoke("recover", "--output", output).exit_code == 1
    shutil.copyfile(output, restored.path)
    assert resume(restored, older).exit_code == 0
    result = restored.invoke("verify", "--all")
    assert (result.exit_code, "anchored to the remembered head at 10" in result.stdout) == (0, True)


def test_the_cosignatures_of_what_is_whole_are_kept(founded, tmp_path):
    witness = ["witness", "--name", "w1", "--key", founded.key_file("second")]
    text = founded.invoke(*witness).stdout
    line = text.splitlines()[-1]
    founded.harm(("INSERT INTO cosignature VALUES (15, 'w1', ?)", line))
    founded.append(title="one more")
    founded.harm("UPDATE entry SET envelope = x'00' WHERE idx = 15")
    assert founded.invoke("recover", "--output", tmp_path / "whole.db").exit_code == 1
    shutil.copyfile(tmp_path / "whole.db", founded.path)
    assert founded.rows()["cosignature"] == [(15, "w1", line)]
