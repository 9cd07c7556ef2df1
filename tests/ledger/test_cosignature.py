"""Cosignatures: known keys, the page's example, and its steps with stock tools."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import checkpoint, cosignature, note
from ledger.checkpoint import Checkpoint
from ledger.cosignature import Witness
from ledger.note import Verifier
from receipts.errors import MalformedError, VerificationError
from receipts.keys import from_private

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/formats/cosignature.md"
ORIGIN = "perf.example.org/engine"


def signer(seed):
    return from_private(Ed25519PrivateKey.from_private_bytes(seed))


LOG, NORTH = signer(bytes(range(32))), signer(b"\x01" * 32)
WITNESS = Witness("witness.example.org/w1", NORTH.public)
SIGNED = checkpoint.sign(Checkpoint(ORIGIN, 3, bytes(32)), LOG)
TEXT = note.split(SIGNED)[0]


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_a_cosigned_checkpoint_tells_when_and_still_opens_with_the_log_key():
    cosigned = SIGNED + cosignature.sign(TEXT, WITNESS.name, NORTH, 1796000000)
    assert cosignature.verify(cosigned, WITNESS) == 1796000000
    assert checkpoint.open_checkpoint(cosigned, Verifier(ORIGIN, LOG.public)).size == 3


def test_the_earliest_of_several_times_counts():
    lines = [cosignature.sign(TEXT, WITNESS.name, NORTH, time) for time in (9, 7, 8)]
    assert cosignature.verify(SIGNED + "".join(lines), WITNESS) == 7


def test_an_opened_note_keeps_verified_lines_apart_from_those_nobody_can_judge():
    stranger = cosignature.sign(TEXT, "stranger.example", NORTH, 5)
    cosigned = SIGNED + stranger + cosignature.sign(TEXT, WITNESS.name, NORTH, 6)
    log = Verifier(ORIGIN, LOG.public)
    opened = note.open_known(cosigned, [WITNESS, log])
    assert [signer for signer, _ in opened.verified] == [log, WITNESS]
    assert [name for name, _ in opened.unverified] == ["stranger.example"]
    alone = note.open_known(cosigned, [])
    assert (alone.verified, len(alone.unverified)) == ((), 3)


def test_a_known_witness_key_of_the_public_network_reads_back():
    vkey = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
    assert Witness.parse(vkey).vkey == vkey
    with pytest.raises(MalformedError, match="not of the kind 0x01"):
        Verifier.parse(vkey)


def test_a_witness_is_not_a_verifier_of_the_same_name_and_key():
    plain = Verifier(WITNESS.name, NORTH.public)
    assert plain != WITNESS
    assert plain.key_id != WITNESS.key_id
    signed = note.sign(TEXT, WITNESS.name, NORTH)
    with pytest.raises(VerificationError, match="carries no cosignature by witness"):
        cosignature.verify(signed, WITNESS)


def test_only_a_checkpoint_is_cosigned_and_only_at_a_time():
    with pytest.raises(MalformedError, match="origin, a size and a root"):
        cosignature.sign("any text\n", WITNESS.name, NORTH, 1)
    for time in (0, -1, 2**63):
        with pytest.raises(MalformedError, match="not from 1 to 2"):
            cosignature.sign(TEXT, WITNESS.name, NORTH, time)
    assert cosignature.verify(
        SIGNED + cosignature.sign(TEXT, WITNESS.name, NORTH, 2**63 - 1), WITNESS
    ) == (2**63 - 1)


def test_the_example_of_the_page_is_ours():
    example, vkey, *_ = blocks("text")
    witness = Witness.parse(vkey.strip())
    assert witness == WITNESS
    assert cosignature.verify(example, witness) == 1796000000
    text = note.split(example)[0]
    assert cosignature.sign(text, witness.name, NORTH, 1796000000) in example


@pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("bash", "openssl", "sha256sum", "od")),
    reason="no bash, openssl, sha256sum or od: the page's steps were not run",
)
@pytest.mark.parametrize("changed", [False, True])
def test_the_steps_with_stock_tools_verify_the_example_and_nothing_else(tmp_path, changed):
    example = blocks("text")[0]
    (tmp_path / "checkpoint").write_text(example.replace("\n3\n", "\n4\n") if changed else example)
    (tmp_path / "key.pub").write_text(NORTH.public.openssh + "\n")
    [script] = blocks("sh")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.returncode == 0) is not changed, done.stderr
