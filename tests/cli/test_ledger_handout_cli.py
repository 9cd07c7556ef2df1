"""The verbs that hand out, bring in and restore, as a person and as a program uses them."""

import json
import shutil
import subprocess

import pytest

from ledger.cosignature import Witness
from ledger.note import Verifier

ORIGIN = "perf.example.org/engine"
NAME = "witness.example.org/w1"


@pytest.fixture
def policy(founded, tmp_path):
    """A policy of log and one witness, in a file."""
    log = Verifier(ORIGIN, founded.keys["log"].public).vkey
    witness = Witness(NAME, founded.keys["second"].public).vkey
    file = tmp_path / "auditor.policy"
    file.write_text(f"log {log}\nwitness w {witness}\nquorum w\n")
    return file


def witness(f, *words):
    return f.invoke("witness", "--name", NAME, "--key", f.key_file("second"), *words)


def test_from_checkpoint_to_a_proof_that_a_witness_stands_behind(founded, policy, tmp_path):
    cosigned, proof = tmp_path / "cosigned.txt", tmp_path / "J2.tlog-proof"
    told = witness(founded, "--output", cosigned)
    assert (told.stdout, told.stderr.startswith(f"policy line: witness {NAME} ")) == ("", True)
    result = founded.invoke("checkpoint", "--add", cosigned, "--policy", policy)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"cosignatures added: {NAME}\n"
    assert founded.invoke("prove", "J2", "--output", proof).output == ""
    result = founded.invoke("verify", "--proof", proof, "--policy", policy)
    entry = founded.entry(4)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"entry 4 {entry.id[:16]}… (two) stands in {ORIGIN}, under a checkpoint of 15; "
        f"it names the signer {entry.envelope.keyid} "
        "(its signature and role are for `ledger verify` to check)\n"
    )
    result = founded.invoke("verify", "--proof", proof, "--policy", policy, "--json")
    assert json.loads(result.stdout)["id"] == entry.id


def test_prove_names_an_entry_as_show_does_and_never_replaces_a_file(founded, tmp_path):
    entry = founded.entry(4)
    texts = {founded.invoke("prove", name).stdout for name in ("J2", "4", entry.id, entry.id[:8])}
    assert len(texts) == 1
    assert texts.pop().startswith("c2sp.org/tlog-proof@v1\n")
    file = tmp_path / "mine"
    file.write_text("mine")
    result = founded.invoke("prove", "J2", "--output", file)
    assert (result.exit_code, file.read_text()) == (4, "mine")
    result = founded.invoke("prove", "J9")
    assert (result.exit_code, result.stdout) == (4, "")


def test_export_and_import_there_and_back(founded, tmp_path):
    (founded.root / "notes.txt").write_text("long text")
    assert founded.invoke("add", "--title", "t", "--notes", "notes.txt").exit_code == 0
    rows = founded.rows()
    first, second = tmp_path / "first", tmp_path / "second"
    result = founded.invoke("export", first)
    assert result.stdout == (
        f"16 entries, 16 checkpoints, 3 tiles, 0 receipts, 1 objects in {first}\n"
    )
    shutil.rmtree(founded.root / "evidence")
    result = founded.invoke("import", first)
    assert result.stdout == f"16 entries in {founded.path}; now: ledger verify\n"
    assert founded.rows() == rows
    assert founded.invoke("verify").exit_code == 0
    value = json.loads(founded.invoke("export", second, "--json").stdout)
    assert value == {
        "entries": 16,
        "checkpoints": 16,
        "tiles": 3,
        "receipts": 0,
        "objects": 1,
        "folder": str(second),
    }
    assert founded.process("export", first).returncode == 4
    assert [p.read_bytes() for p in sorted(first.rglob("*")) if p.is_file()] == [
        p.read_bytes() for p in sorted(second.rglob("*")) if p.is_file()
    ]


def test_export_and_import_refuse_in_one_line(founded, tmp_path):
    folder = tmp_path / "export"
    founded.invoke("export", folder)
    for words, code, sentence in (
        (["export", folder], 4, "exists; an export is never written over another"),
        (["import", folder], 4, "exists; a ledger is never replaced"),
        (["import", tmp_path / "no"], 4, "is no export: it has no entries.jsonl"),
    ):
        result = founded.invoke(*words)
        assert (result.exit_code, result.stdout) == (code, "")
        assert sentence in result.stderr
        assert len(result.stderr.splitlines()) == 1
    (folder / "more").write_text("x")
    founded.path.unlink()
    done = founded.process("import", folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(f": {folder}/more is not what an export would have written\n")
    assert not founded.path.exists()


def test_an_import_of_another_ledger_than_the_pinned_one_is_refused(founded, tmp_path):
    founded.invoke("export", tmp_path / "export")
    file = founded.root / "evidence.yaml"
    file.write_text(file.read_text().replace("genesis: ", "genesis: " + "0" * 64 + " # "))
    founded.path.unlink()
    result = founded.invoke("import", tmp_path / "export")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "holds another ledger than the one that is pinned" in result.stderr
    assert not founded.path.exists()


def test_recover_as_text_and_as_json(founded, tmp_path):
    assert founded.invoke("recover").stdout == "nothing is lost: 15 entries are whole\n"
    value = json.loads(founded.invoke("recover", "--json").stdout)
    assert value == {"whole": 15, "checkpoints": 15, "receipts": 0, "detached": []}
    founded.harm("UPDATE entry SET id = 'x' WHERE idx = 12")
    done = founded.process("recover", "--output", tmp_path / "whole.db")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "whole: entries 0 to 11",
        "lost from entry 12 on: entry 12 is not the one its id names",
        "readable but detached from the chain, and not kept: 3 rows (12 to 14)",
        "checkpoints kept: 12; receipts still in the store: 0",
    ]
    result = founded.invoke("recover", "--json")
    value = json.loads(result.stdout)
    assert (result.exit_code, value["whole"], value["detached"]) == (1, 12, [12, 13, 14])
    assert value["fault"] == "entry 12 is not the one its id names"


def test_recover_resume_as_json(founded, tmp_path):
    kept = tmp_path / "kept.txt"
    founded.invoke("checkpoint", "--output", kept)
    shutil.copyfile(founded.path, tmp_path / "backup.db")
    founded.append()
    shutil.copyfile(tmp_path / "backup.db", founded.path)
    result = founded.invoke("recover", "--resume", kept, "--lost", "entry 15", "--json")
    value = json.loads(result.stdout)
    assert (result.exit_code, value["index"], value["kind"]) == (0, 15, "RECOVERY")
    assert "lost" in founded.invoke("show", "15").stdout


def test_witness_and_checkpoint_print_to_stdout_or_to_a_new_file(founded, tmp_path):
    text = witness(founded).stdout
    assert text.startswith(founded.invoke("checkpoint").stdout)
    assert len(text.splitlines()) == 6
    file = tmp_path / "mine"
    file.write_text("mine")
    for words in (["checkpoint"], ["witness", "--name", NAME, "--key", founded.key_file("second")]):
        result = founded.invoke(*words, "--output", file)
        assert (result.exit_code, file.read_text()) == (4, "mine")
    result = founded.invoke("witness")
    assert (result.exit_code, "Missing option '--name'" in result.stderr) == (2, True)


def test_exp_9_an_exported_checkpoint_is_signed_for_ssh_keygen_and_comes_in_again(
    founded, tmp_path
):
    out = tmp_path / "out"
    result = founded.invoke("export", out, "--sign", "--key", founded.key_file("operator"))
    assert result.exit_code == 0
    line = founded.keys["operator"].public.openssh
    (tmp_path / "signers").write_text(f"op@example.org {line}\n", encoding="utf-8")
    with (out / "checkpoint").open("rb") as checkpoint:
        done = subprocess.run(
            [
                "ssh-keygen",
                *("-Y", "verify", "-f", tmp_path / "signers", "-I", "op@example.org"),
                *("-n", f"checkpoint@{ORIGIN}", "-s", out / "checkpoint.sig"),
            ],
            stdin=checkpoint,
            capture_output=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    founded.path.unlink()
    assert founded.invoke("import", out).exit_code == 0
    signature = (out / "checkpoint.sig").read_text(encoding="utf-8")
    (out / "checkpoint.sig").write_text(signature.replace("U1NIU0lH", "U1NIU0lI"))
    founded.path.unlink()
    result = founded.invoke("import", out)
    assert (result.exit_code, founded.path.exists()) == (4, False)
