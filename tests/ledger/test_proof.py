"""Proof files: what is written reads back, and checks with keys alone."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import checkpoint, merkle, policy, proof
from ledger.checkpoint import Checkpoint
from ledger.note import Verifier
from ledger.proof import Proof
from receipts.errors import MalformedError, UndecidedError, VerificationError
from receipts.keys import from_private

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/formats/proof.md"
GOLDEN = Path(os.environ.get("EVIDENCE_VECTORS", ROOT.parent / "shared/vectors")) / "tessera-log"
ORIGIN = "perf.example.org/engine"
LOG = from_private(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
POLICY = policy.parse(f"log {Verifier(ORIGIN, LOG.public).vkey}\nquorum none\n".encode())


def tree(entries):
    growing, nodes = merkle.Frontier(), {}
    for index, entry in enumerate(entries):
        leaf = merkle.leaf_hash(entry)
        nodes[0, index] = leaf
        nodes |= {(level, place): node for level, place, node in growing.add(leaf)}
    return growing.root(), lambda level, index: nodes[level, index]


def prove(index, entries, *, extra=True):
    root, read = tree(entries)
    size = len(entries)
    signed = checkpoint.sign(Checkpoint(ORIGIN, size, root), LOG)
    hashes = tuple(merkle.prove_inclusion(index, size, read))
    return Proof(index, hashes, signed, entries[index] if extra else None)


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 33])
def test_every_entry_of_a_log_has_a_file_that_reads_back_and_checks(size):
    entries = [b"entry %d" % index for index in range(size)]
    for index, entry in enumerate(entries):
        for extra in (False, True):
            made = prove(index, entries, extra=extra)
            read = proof.parse(proof.format_proof(made))
            assert read == made
            assert proof.check(read, entry, POLICY).size == size
        assert proof.check(read, None, POLICY).origin == ORIGIN
        with pytest.raises(VerificationError):
            proof.check(read, b"another", POLICY)


def test_an_entry_beside_the_file_counts_and_extra_is_then_not_looked_at():
    made = prove(1, [b"a", b"b", b"c"])
    odd = Proof(made.index, made.hashes, made.checkpoint, b"of another application")
    assert proof.check(odd, b"b", POLICY).size == 3
    with pytest.raises(VerificationError, match="does not lead to the root"):
        proof.check(odd, None, POLICY)


def test_without_an_entry_nothing_is_checked_and_that_is_said():
    with pytest.raises(UndecidedError, match="give the entry's bytes beside it"):
        proof.check(prove(0, [b"a"], extra=False), None, POLICY)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"index": -1}, "index -1"),
        ({"index": 2**63}, "not from 0 to"),
        ({"hashes": (b"x" * 31,)}, "not of 32 bytes"),
        ({"hashes": (b"x" * 32,) * 64}, "64 hashes, more than 63"),
        ({"extra": b""}, "not of 1 to 65535"),
        ({"extra": bytes(65_536)}, "not of 1 to 65535"),
        ({"checkpoint": "not a note\n"}, "no empty line"),
    ],
)
def test_a_proof_out_of_bounds_is_not_made(fields, message):
    made = prove(0, [b"a", b"b"])
    whole = {"index": 0, "hashes": made.hashes, "checkpoint": made.checkpoint} | fields
    with pytest.raises(MalformedError, match=message):
        Proof(**whole)


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="no tessera-log at EVIDENCE_VECTORS: not proved")
def test_an_entry_of_the_golden_log_is_proved_under_its_own_key():
    data = (GOLDEN / "tile/entries/000.p/15").read_bytes()
    entries = []
    while data:
        size = int.from_bytes(data[:2], "big")
        entries.append(data[2 : 2 + size])
        data = data[2 + size :]
    _, read = tree(entries)
    vkey = (GOLDEN / "vkey.txt").read_text().strip()
    trusted = policy.parse(f"log {vkey}\nquorum none\n".encode())
    signed = (GOLDEN / "checkpoint.15").read_text()
    for index, entry in enumerate(entries):
        made = Proof(index, tuple(merkle.prove_inclusion(index, 15, read)), signed, entry)
        assert proof.check(proof.parse(proof.format_proof(made)), None, trusted).size == 15


def test_a_proof_is_checked_without_the_store_and_heavy_modules():
    """PRF-9: keys alone are enough, in a process that never saw a ledger."""
    program = (
        "import sys\n"
        "from ledger import policy, proof\n"
        "made = proof.parse(sys.stdin.buffer.read())\n"
        "print(proof.check(made, None, policy.parse(sys.argv[1].encode())).size)\n"
        "heavy = {'sqlite3', 'numpy', 'jinja2', 'pydantic', 'click', 'ledger.store',\n"
        "         'ledger.rows', 'ledger.log', 'ledger.entry', 'receipts.store'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    trusted = f"log {Verifier(ORIGIN, LOG.public).vkey}\nquorum none\n"
    done = subprocess.run(
        [sys.executable, "-c", program, trusted],
        input=proof.format_proof(prove(1, [b"a", b"b", b"c"])),
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"3\n", b"")


def test_the_example_of_the_page_is_checked_by_its_policy():
    example, trusted = blocks("text")
    made = proof.parse(example.encode())
    assert proof.check(made, None, policy.parse(trusted.encode())).size == 3


@pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("bash", "openssl", "sha256sum", "xxd")),
    reason="no bash, openssl, sha256sum or xxd: the page's steps were not run",
)
@pytest.mark.parametrize("index", range(7))
def test_the_steps_with_stock_tools_verify_every_proof_and_refuse_a_changed_one(tmp_path, index):
    made = prove(index, [b"entry %d" % number for number in range(7)])
    (tmp_path / "log.pub").write_text(LOG.public.openssh + "\n")
    [script] = blocks("sh")
    swapped = Proof(made.index, made.hashes, made.checkpoint, b"swapped")
    longer = Proof(made.index, (*made.hashes, bytes(32)), made.checkpoint, made.extra)
    for held, good in ((made, True), (swapped, False), (longer, False)):
        (tmp_path / "entry.tlog-proof").write_bytes(proof.format_proof(held))
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert (done.returncode == 0) is good, done.stderr
