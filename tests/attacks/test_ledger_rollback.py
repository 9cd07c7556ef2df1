"""Truncation, rollback, forks and exchanged files: found by what was seen elsewhere.

An older copy of a ledger is valid in itself, with valid checkpoints; only an anchor tells. Each
case is judged with the remembered head (exit 1) and without any anchor (exit 3).
"""

import json
import shutil

import pytest

from ledger import checkpoint, log, store
from ledger.heads import Head, require_extends
from ledger.merkle import EMPTY_ROOT
from ledger.note import Verifier
from receipts.errors import Error, MalformedError, NotFoundError, VerificationError


@pytest.fixture
def older(founded, tmp_path):
    """A copy of the ledger as it was before two more entries were appended."""
    copy = tmp_path / "older.db"
    shutil.copyfile(founded.path, copy)
    founded.append(title="a miss that should be forgotten")
    founded.append(title="and another")
    return copy


def restore(founded, copy):
    shutil.copyfile(copy, founded.path)


def forget(founded):
    founded.head_file.unlink()


def verdict(founded, *words):
    result = founded.invoke("verify", *words)
    return result.exit_code, result.stdout.splitlines()[-1]


def test_head_1_a_rollback_to_an_older_copy_is_named(founded, older):
    restore(founded, older)
    code, last = verdict(founded)
    assert code == 1
    assert "the ledger has 15 entries, the remembered head saw 17: truncated or rolled back" in last


def test_head_1_without_an_anchor_a_rollback_is_not_seen_and_verify_says_so(founded, older):
    restore(founded, older)
    forget(founded)
    code, last = verdict(founded)
    assert code == 3
    assert last.endswith("unanchored: truncation and rollback cannot be excluded")


def test_head_1_appending_to_an_older_copy_is_refused_and_writes_nothing(founded, older):
    restore(founded, older)
    before = founded.path.read_bytes()
    result = founded.invoke("add", "--title", "x")
    assert result.exit_code == 1
    assert "truncated or rolled back" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert founded.path.read_bytes() == before


def test_head_1_a_truncated_ledger_is_named(founded):
    founded.harm(
        "DELETE FROM entry WHERE idx >= 12",
        "DELETE FROM tree WHERE ((idx + 1) << level) > 12",
        "DELETE FROM checkpoint WHERE size > 12",
    )
    code, last = verdict(founded)
    assert code == 1
    assert "the ledger has 12 entries, the remembered head saw 15" in last
    forget(founded)
    assert verdict(founded)[0] == 3


def test_head_1_a_fork_is_named(founded, older, tmp_path):
    """The same log keys, the same length, another history."""
    seen = founded.head()
    restore(founded, older)
    founded.head_file.rename(tmp_path / "kept")
    founded.append(title="a hit that never was")
    founded.append(title="and another")
    assert founded.head().size == seen.size
    assert founded.audit().findings == []
    shutil.copyfile(tmp_path / "kept", founded.head_file)
    code, last = verdict(founded)
    assert code == 1
    assert "the first 17 entries are not those the remembered head saw: history was rewritten" in (
        last
    )
    result = founded.invoke("add", "--title", "x")
    assert (result.exit_code, "history was rewritten" in result.stderr) == (1, True)
    forget(founded)
    assert verdict(founded)[0] == 3


def test_head_2_a_checkpoint_kept_elsewhere_anchors_and_convicts(founded, older, tmp_path):
    kept = tmp_path / "kept.txt"
    assert founded.invoke("checkpoint", "--output", kept).exit_code == 0
    forget(founded)
    code, last = verdict(founded, "--anchor", kept)
    assert (code, last.endswith(f"anchored to anchor {kept} at 17")) == (0, True)
    restore(founded, older)
    forget(founded)
    code, last = verdict(founded, "--anchor", kept)
    assert (code, f"anchor {kept} saw 17: truncated or rolled back" in last) == (1, True)


def test_head_2_a_head_file_from_another_machine_anchors_and_convicts(founded, older, tmp_path):
    kept = tmp_path / "kept.json"
    founded.head_file.rename(kept)
    assert verdict(founded, "--anchor", kept)[0] == 0
    restore(founded, older)
    forget(founded)
    assert verdict(founded, "--anchor", kept)[0] == 1


def test_head_2_the_anchor_that_evidence_yaml_names_is_used(founded, older):
    kept = founded.root / "checkpoint.txt"
    founded.invoke("checkpoint", "--output", kept)
    file = founded.root / "evidence.yaml"
    file.write_text(file.read_text() + "anchor: checkpoint.txt\n")
    forget(founded)
    assert verdict(founded)[0] == 0
    restore(founded, older)
    assert verdict(founded)[0] == 1


def mutated(text):
    lines = text.split("\n")
    return {
        "size": "\n".join([lines[0], "9", *lines[2:]]),
        "origin": "\n".join(["elsewhere", *lines[1:]]),
        "unsigned": "\n".join(lines[:3]) + "\n",
        "empty": "",
        "binary": "\udcff",
        "words": "not a checkpoint at all",
        "leading zero": "\n".join([lines[0], "015", *lines[2:]]),
    }


@pytest.mark.parametrize(
    ("change", "code", "sentence"),
    [
        ("size", 1, "does not verify"),
        ("origin", 1, "does not verify"),
        ("unsigned", 4, "no empty line before its signatures"),
        ("empty", 4, "no empty line before its signatures"),
        ("binary", 4, "neither a checkpoint nor a head"),
        ("words", 4, "no empty line before its signatures"),
        ("leading zero", 1, "does not verify"),
    ],
)
def test_head_2_an_anchor_that_is_no_checkpoint_of_this_log_is_refused(
    founded, tmp_path, change, code, sentence
):
    bad = tmp_path / "bad.txt"
    text = mutated(founded.rows()["checkpoint"][-1][1])[change]
    bad.write_bytes(text.encode("utf-8", "surrogateescape"))
    result = founded.invoke("verify", "--anchor", bad)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_head_2_an_anchor_that_does_not_exist_is_told_in_one_line(founded, tmp_path):
    result = founded.invoke("verify", "--anchor", tmp_path / "none.txt")
    assert (result.exit_code, result.stdout) == (4, "")
    assert (
        result.stderr
        == f"ledger: {tmp_path / 'none.txt'}: the anchor does not exist; check the path\n"
    )


@pytest.mark.parametrize(
    ("data", "code", "sentence"),
    [
        (b"{}", 4, "restore it or remove it knowingly"),
        (b"garbage", 4, "restore it or remove it knowingly"),
        (b'{"log_key":"x","root":"' + b"0" * 64 + b'","size":1}', 1, "the head of another log"),
        (b'{"log_key":"x","root":"' + b"0" * 64 + b'","size":1.5}', 4, "remove it knowingly"),
        (b'{"log_key":"x","size":1}', 4, "remove it knowingly"),
        (b"{" * 600, 4, "over the limit of 512"),
    ],
)
def test_head_3_a_damaged_remembered_head_stops_verify_and_append(founded, data, code, sentence):
    founded.head_file.write_bytes(data)
    before = founded.path.read_bytes()
    for words in (["verify"], ["add", "--title", "x"]):
        result = founded.invoke(*words)
        assert result.exit_code == code
        assert sentence in result.stderr
        assert str(founded.head_file) in result.stderr
    assert founded.path.read_bytes() == before
    assert founded.head_file.read_bytes() == data


def test_head_3_a_remembered_head_is_one_line_of_canonical_json(founded):
    value = {
        "log_key": founded.keys["log"].public.openssh,
        "root": founded.head().root.hex(),
        "size": 15,
    }
    assert founded.head_file.read_text() == json.dumps(value, separators=(",", ":"))
    assert founded.head_file.name == founded.keys["log"].public.raw.hex()[:16]
    assert founded.head_file.stat().st_mode & 0o777 == 0o600


def test_head_4_a_remembered_head_never_goes_back(founded):
    log_key = founded.keys["log"].public
    kept = founded.heads.recall(log_key)
    for size in (0, 1, 14, 15):
        founded.heads.remember(log_key, Head(size, bytes(32)))
        assert founded.heads.recall(log_key) == kept
    founded.heads.remember(log_key, Head(16, bytes(32)))
    assert founded.heads.recall(log_key) == Head(16, bytes(32))
    founded.heads.remember(log_key, Head(10**9, b"\xff" * 32))
    assert founded.heads.recall(log_key) == Head(10**9, b"\xff" * 32)


def test_head_4_verify_does_not_remember_what_nothing_anchors_unless_told(founded):
    forget(founded)
    assert verdict(founded)[0] == 3
    assert not founded.head_file.exists()
    assert verdict(founded, "--remember")[0] == 3
    assert founded.head_file.exists()
    assert verdict(founded)[0] == 0


def test_head_4_a_broken_ledger_is_never_remembered(founded):
    forget(founded)
    founded.harm("UPDATE entry SET id = 'x' WHERE idx = 14")
    assert verdict(founded, "--remember")[0] == 1
    assert not founded.head_file.exists()


def test_head_4_a_head_that_lags_is_caught_up_by_verify(founded):
    """The state after a crash between the commit and the remembering."""
    kept = founded.head_file.read_bytes()
    founded.append()
    advanced = founded.head_file.read_bytes()
    founded.head_file.write_bytes(kept)
    assert verdict(founded)[0] == 0
    assert founded.head_file.read_bytes() == advanced


def test_head_5_a_ledger_that_lost_its_file_is_never_made_anew(founded):
    founded.path.unlink()
    for words in (["add", "--title", "x"], ["list"], ["verify"], ["show", "0"]):
        result = founded.invoke(*words)
        assert result.exit_code == 4
        assert "is gone, and evidence.yaml pins it: restore it from a backup" in result.stderr
    result = founded.invoke("init")
    assert result.exit_code == 4
    assert "restore it from a backup (a fresh one would be a silent fork)" in result.stderr
    assert not founded.path.exists()


def test_head_5_an_empty_file_in_its_place_is_refused(founded):
    founded.path.write_bytes(b"")
    for words in (["add", "--title", "x"], ["list"], ["verify"]):
        result = founded.invoke(*words)
        assert result.exit_code == 1
        assert "is not a ledger (application id 0x0)" in result.output
    assert founded.path.read_bytes() == b""


def test_head_6_a_ledger_without_entries_is_never_success(founded):
    founded.path.unlink()
    with store.create(founded.path):
        pass
    assert verdict(founded)[0] == 1
    forget(founded)
    assert verdict(founded) == (3, "nothing was checked: the ledger has no entries")
    assert verdict(founded, "--remember")[0] == 3
    assert not founded.head_file.exists()


def another(founded, **fields):
    """Put another ledger, valid in itself, where the ledger was."""
    founded.path.unlink()
    keys = {name: founded.keys[name] for name in ("operator", "log")} | fields.pop("keys", {})
    place = {"title": "genesis", "origin": "perf.example.org/engine", **fields}
    log.create(founded.path, place, keys["operator"], keys["log"], founded.clock)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "GENESIS is another entry than the one evidence.yaml pins"),
        ({"origin": "else"}, "GENESIS has the origin else, not that of evidence.yaml"),
    ],
)
def test_head_5_another_ledger_is_not_the_one_that_evidence_yaml_pins(founded, fields, sentence):
    another(founded, **fields)
    forget(founded)
    code, _ = verdict(founded)
    assert code == 1
    assert sentence in founded.invoke("verify").stdout
    for words in (["add", "--title", "x"], ["list"], ["show", "0"]):
        result = founded.invoke(*words)
        assert result.exit_code == 1
        assert "evidence.yaml pins" in result.stderr


def test_head_5_another_log_key_is_not_the_one_that_evidence_yaml_pins(founded):
    another(founded, keys={"log": founded.keys["second"]})
    forget(founded)
    result = founded.invoke("verify")
    assert result.exit_code == 1
    assert "GENESIS names another log key than evidence.yaml" in result.stdout


def test_a_wrong_log_key_at_hand_is_refused(founded, tmp_path):
    fields = {"title": "x", "origin": "o", "log_key": founded.keys["second"].public.openssh}
    with pytest.raises(Error, match="is not the one that GENESIS names"):
        log.create(
            tmp_path / "n.db", fields, founded.keys["operator"], founded.keys["log"], founded.clock
        )


def test_an_anchor_is_extended_or_named(founded):
    opened = dict(founded.rows()["checkpoint"])
    verifier = Verifier("perf.example.org/engine", founded.keys["log"].public)
    heads = [checkpoint.open_checkpoint(signed, verifier) for signed in opened.values()]
    assert len(heads) == 15
    for head in heads:
        report = founded.audit(Head(head.size, head.root))
        assert (report.code, report.anchored_to) == (0, [f"a head at {head.size}"])
        wrong = founded.audit(Head(head.size, bytes(32)))
        assert (wrong.code, [f.code for f in wrong.findings]) == (1, ["anchor"])


def test_the_head_of_nothing_is_extended_by_everything():
    def nothing(level, index):
        raise AssertionError((level, index))

    require_extends(0, nothing, Head(0, EMPTY_ROOT), "it")
    with pytest.raises(VerificationError, match="history was rewritten"):
        require_extends(0, nothing, Head(0, bytes(32)), "it")


def test_a_reference_that_names_nothing_is_one_line(founded):
    with founded.open() as ledger:
        for reference in ("", "99", "-1", "J9", "abcdef", "f" * 64, "f" * 65, "0" * 400, "\udcff"):
            with pytest.raises((NotFoundError, MalformedError, VerificationError)) as error:
                ledger.resolve(reference)
            assert "\n" not in str(error.value)
