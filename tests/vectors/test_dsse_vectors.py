"""DSSE's known answer, the examples on the format pages, and stock tools that verify us."""

import base64
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from receipts import canonical, envelope, keys, receipt
from receipts.digest import Digest
from receipts.keys import PublicKey
from receipts.predicates import RunPredicate

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = REPOSITORY / "docs" / "reference" / "formats"
DEFAULT = REPOSITORY.parent / "shared" / "vectors"
VECTOR = Path(os.environ.get("EVIDENCE_VECTORS", DEFAULT)) / "dsse-pae.json"

# The pages' key: its seed is 00 01 02 … 1f, so everybody can make their examples again.
KEY = keys.from_private(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
EXAMPLE = envelope.sign(KEY, "text/plain", b"hello world")
RAW = b'[{"avg_ts":33.50}]\n'
PREDICATE = RunPredicate.parse(
    {
        "origin": "attached",
        "cell": "decode-p16",
        "reader": "llama-bench-json",
        "identity": {"model": "tiny-q4", "n_threads": 8},
        "environment": {"note": "measured elsewhere"},
        "attached_at": "2026-11-29T10:00:00.000Z",
        "figures": [
            {
                "metric": "decode_tps",
                "statistic": "mean",
                "value": "33.50",
                "unit": "tok/s",
                "n": 1,
            }
        ],
    },
    "example",
)
RECEIPT = receipt.make(KEY, {"raw": Digest.of(RAW)}, PREDICATE)

needs_tools = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("openssl", "ssh-keygen", "sha256sum", "bash")),
    reason="no openssl, ssh-keygen, sha256sum or bash: the steps for stock tools were not run",
)


def page(name):
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def blocks(name, language):
    """Return the fenced blocks of a page that are in `language`."""
    return re.findall(rf"^ *```{language}\n(.*?)^ *```", page(name), re.MULTILINE | re.DOTALL)


def bash(script, folder):
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(
    not VECTOR.is_file(), reason="no dsse-pae.json at EVIDENCE_VECTORS: it was not run"
)
def test_the_known_encoding_is_met():
    """ENV-7."""
    vector = json.loads(VECTOR.read_text(encoding="utf-8"))
    made = envelope.pae(vector["payloadType"], vector["payload"].encode())
    assert made == vector["pae"].encode()


@pytest.mark.parametrize(
    ("kind", "payload", "encoding"),
    [
        ("text/plain", b"", b"DSSEv1 10 text/plain 0 "),
        ("", b"", b"DSSEv1 0  0 "),
        ("é", "ü".encode(), b"DSSEv1 2 \xc3\xa9 2 \xc3\xbc"),
        ("application/日本", b"1 2", b"DSSEv1 18 application/\xe6\x97\xa5\xe6\x9c\xac 3 1 2"),
        ("t", bytes(300), b"DSSEv1 1 t 300 " + bytes(300)),
    ],
)
def test_env_7_lengths_count_bytes(kind, payload, encoding):
    assert envelope.pae(kind, payload) == encoding


def test_the_envelope_page_shows_what_the_code_makes():
    assert EXAMPLE.decode() + "\n" in blocks("envelope", "json")
    assert Digest.of(EXAMPLE) in page("envelope")
    assert KEY.public.openssh in page("envelope")
    encoding = envelope.pae("text/plain", b"hello world").decode()
    assert encoding + "\n" in blocks("envelope", "text")


def test_the_receipt_page_shows_what_the_code_makes():
    assert RECEIPT.envelope.raw.decode() + "\n" in blocks("receipt", "json")
    assert RECEIPT.envelope.payload.decode() + "\n" in blocks("receipt", "json")
    assert RECEIPT.digest in page("receipt")


def test_the_keys_page_shows_what_the_code_makes():
    assert f"{KEY.public.openssh} ann@example.org\n" in blocks("keys", "text")
    assert KEY.public.fingerprint in page("keys")


def test_the_canonical_json_page_shows_what_the_code_makes():
    for block in blocks("canonical-json", "json"):
        data = block.rstrip("\n").encode()
        assert canonical.encode(canonical.decode(data)) == data
    assert blocks("canonical-json", "json")


def verified(tmp_path, raw, public):
    (tmp_path / "envelope.json").write_bytes(raw)
    (tmp_path / "key.pub").write_text(f"{public.openssh} somebody\n")
    [script] = blocks("envelope", "sh")
    return bash(script, tmp_path)


@needs_tools
@pytest.mark.parametrize("raw", [EXAMPLE, RECEIPT.envelope.raw], ids=["example", "receipt"])
def test_env_7_the_steps_on_the_page_verify_an_envelope_with_openssl(tmp_path, raw):
    done = verified(tmp_path, raw, KEY.public)
    assert done.returncode == 0, done.stderr
    assert "Signature Verified Successfully" in done.stdout
    assert (tmp_path / "payload").read_bytes() == envelope.parse(raw).payload
    assert (tmp_path / "signed").read_bytes() == envelope.parse(raw).signed_bytes


@needs_tools
def test_env_10_sha256sum_prints_the_identity(tmp_path):
    done = verified(tmp_path, EXAMPLE, KEY.public)
    assert done.stdout.startswith(f"{Digest.of(EXAMPLE).hex}  envelope.json\n")


@needs_tools
def test_the_steps_refuse_what_we_refuse(tmp_path, other_key):
    assert verified(tmp_path, EXAMPLE, other_key.public).returncode != 0
    for old, new in [(b'"aGVs', b'"bGVs'), (b"text/plain", b"text/plaiN")]:
        assert EXAMPLE.count(old) == 1
        done = verified(tmp_path, EXAMPLE.replace(old, new), KEY.public)
        assert done.returncode != 0
        assert "Verified Successfully" not in done.stdout


@needs_tools
def test_the_steps_verify_a_key_and_an_envelope_made_now(tmp_path, signing_key):
    raw = envelope.sign(signing_key, "application/octet-stream", bytes(range(256)))
    done = verified(tmp_path, raw, signing_key.public)
    assert "Signature Verified Successfully" in done.stdout


@needs_tools
def test_the_steps_on_the_receipt_page_compare_the_raw_file(tmp_path):
    """REC-6."""
    (tmp_path / "raw.json").write_bytes(RAW)
    (tmp_path / "payload").write_bytes(RECEIPT.envelope.payload)
    [script] = blocks("receipt", "sh")
    done = bash(script, tmp_path)
    assert (done.returncode, done.stdout) == (0, "raw.json: OK\n"), done.stderr
    (tmp_path / "raw.json").write_bytes(RAW + b" ")
    assert bash(script, tmp_path).returncode != 0


def test_a_dsse_library_reads_the_same_parts():
    """ENV-1: read as plain JSON, as any DSSE reader would, without our code."""
    read = json.loads(EXAMPLE)
    assert base64.b64decode(read["payload"]) == b"hello world"
    [signature] = read["signatures"]
    assert signature["keyid"] == KEY.public.fingerprint
    KEY.public.verify(base64.b64decode(signature["sig"]), b"DSSEv1 10 text/plain 11 hello world")


# RFC 8032, section 7.1: secret, public, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c"
        "f9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0"
        "f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
]


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_the_signatures_of_rfc_8032_are_made_and_verified(secret, public, message, signature):
    key = keys.from_private(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)))
    assert key.public == PublicKey.from_raw(bytes.fromhex(public))
    assert key.sign(bytes.fromhex(message)).hex() == signature
    key.public.verify(bytes.fromhex(signature), bytes.fromhex(message))
