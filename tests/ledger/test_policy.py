"""An auditor's two files: the policy for checkpoints, and the allowed signers for signatures."""

import os
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ledger import checkpoint, cosignature, note, policy, sshsig
from ledger.checkpoint import Checkpoint
from ledger.cosignature import Witness
from ledger.note import Verifier
from receipts import keys
from receipts.errors import MalformedError, UnknownKeyError, VerificationError
from receipts.keys import PublicKey, from_private

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/formats/policy.md"
GOLDEN = Path(os.environ.get("EVIDENCE_VECTORS", ROOT.parent / "shared/vectors")) / "sshsig"
ORIGIN = "perf.example.org/engine"
NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)

needs_ssh_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="no ssh-keygen: nothing was compared with it"
)


def signer(number):
    return from_private(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32))


LOG = signer(9)
WITNESSES = {name: signer(number) for number, name in enumerate("abcde", 1)}
VKEYS = {name: Witness(f"{name}.example", key.public).vkey for name, key in WITNESSES.items()}
LOG_LINE = f"log {Verifier(ORIGIN, LOG.public).vkey}\n"
HEAD = LOG_LINE + "".join(f"witness {name} {vkey}\n" for name, vkey in VKEYS.items())
SIGNED = checkpoint.sign(Checkpoint(ORIGIN, 3, bytes(32)), LOG)
TEXT = note.split(SIGNED)[0]


def cosigned(names, time=100):
    return SIGNED + "".join(
        cosignature.sign(TEXT, f"{name}.example", WITNESSES[name], time) for name in names
    )


def accepts(text, names):
    try:
        _, found = policy.accept(cosigned(names), policy.parse((HEAD + text).encode()))
    except VerificationError as error:
        assert "is not met" in str(error)  # noqa: PT017 - both outcomes are answers
        return False
    assert [one.name for one in found] == sorted(names)
    return True


@pytest.mark.parametrize(
    ("text", "enough", "too_few"),
    [
        ("quorum none\n", ["", "a", "abcde"], []),
        ("quorum a\n", ["a", "ab"], ["", "b", "bcde"]),
        ("group g any a b\nquorum g\n", ["a", "b", "bc"], ["", "cde"]),
        ("group g all a b\nquorum g\n", ["ab", "abc"], ["", "a", "bcde"]),
        ("group g 2 a b c\nquorum g\n", ["ab", "bc", "abc"], ["a", "ade"]),
        ("group g 1 a\nquorum a\n", ["a"], ["b"]),
        (
            "group x 2 a b c\ngroup y any d e\ngroup both all x y\nquorum both\n",
            ["abd", "bce", "abcde"],
            ["abc", "ade", "de", "ab"],
        ),
        ("group x all a b\ngroup y 1 x c\nquorum y\n", ["c", "ab"], ["a", "b", "de"]),
    ],
)
def test_the_quorum_decides(text, enough, too_few):
    assert [names for names in enough if not accepts(text, names)] == []
    assert [names for names in too_few if accepts(text, names)] == []


def test_who_cosigned_and_when_is_told_by_the_names_of_the_policy():
    signed = cosigned("b", 200) + cosigned("b", 150).removeprefix(SIGNED)
    signed += cosigned("a", 300).removeprefix(SIGNED)
    head, found = policy.accept(signed, policy.parse((HEAD + "quorum b\n").encode()))
    assert head == Checkpoint(ORIGIN, 3, bytes(32))
    assert [(one.name, one.witness.name, one.time) for one in found] == [
        ("a", "a.example", 300),
        ("b", "b.example", 150),
    ]


def test_comments_tabs_urls_and_names_beyond_ascii_are_read():
    other = Verifier("other.example/log", signer(20).public).vkey
    text = (
        f"# über uns\n\n \t # indented\n\tlog\t{other} https://other.example/ \n{LOG_LINE}"
        f"witness höhe {VKEYS['a']} https://w.example/\n  group any any höhe\nquorum any\n"
    )
    found = policy.parse(text.encode())
    assert [log.name for log in found.logs] == ["other.example/log", ORIGIN]
    assert policy.accept(cosigned("a"), found)[1][0].name == "höhe"


def test_two_keys_of_one_log_are_both_accepted():
    new = signer(21)
    text = f"{LOG_LINE}log {Verifier(ORIGIN, new.public).vkey}\nquorum none\n"
    found = policy.parse(text.encode())
    for key in (LOG, new):
        signed = checkpoint.sign(Checkpoint(ORIGIN, 3, bytes(32)), key)
        assert policy.accept(signed, found)[0].size == 3


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_page_are_read():
    text, signers, _ = blocks("text")
    found = policy.parse(text.encode())
    assert (len(found.logs), sorted(found.witnesses), found.quorum) == (
        1,
        ["north", "south"],
        "both",
    )
    assert sshsig.parse_signers(signers.encode())[0].namespaces == (f"checkpoint@{ORIGIN}",)


# --- SSHSIG and allowed_signers


def private_file(folder, key):
    path = folder / "key"
    path.write_bytes(
        key._private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    )
    path.chmod(0o600)
    return path


def ssh_keygen(*words, stdin=b"", cwd=None):
    return subprocess.run(
        ["ssh-keygen", *words], input=stdin, cwd=cwd, capture_output=True, check=False
    )


@needs_ssh_keygen
@pytest.mark.parametrize("message", [b"", b"a checkpoint\n", bytes(range(256)) * 100])
@pytest.mark.parametrize("namespace", ["file", f"checkpoint@{ORIGIN}", "x" * 50])
def test_a_signature_is_byte_for_byte_that_of_ssh_keygen(tmp_path, message, namespace):
    path = private_file(tmp_path, LOG)
    done = ssh_keygen("-q", "-Y", "sign", "-f", str(path), "-n", namespace, stdin=message)
    assert done.returncode == 0, done.stderr
    assert sshsig.sign(message, LOG, namespace) == done.stdout.decode()
    assert sshsig.verify(message, done.stdout.decode(), namespace) == LOG.public


@needs_ssh_keygen
def test_a_signature_with_sha256_verifies_as_well(tmp_path):
    path = private_file(tmp_path, LOG)
    words = ["-q", "-Y", "sign", "-O", "hashalg=sha256", "-f", str(path), "-n", "file"]
    armored = ssh_keygen(*words, stdin=b"m").stdout.decode()
    assert sshsig.parse(armored).hash_name == "sha256"
    assert sshsig.verify(b"m", armored, "file") == LOG.public


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="no sshsig at EVIDENCE_VECTORS: not verified")
def test_the_signature_of_openssh_verifies_and_other_kinds_are_refused():
    message = (GOLDEN / "signed-data").read_bytes()
    namespace = (GOLDEN / "namespace").read_text().strip()
    key = keys.load_public(GOLDEN / "ed25519.pub")
    assert sshsig.verify(message, (GOLDEN / "ed25519.sig").read_text(), namespace) == key
    with pytest.raises(VerificationError, match="does not verify"):
        sshsig.verify(message + b"x", (GOLDEN / "ed25519.sig").read_text(), namespace)
    others = [path for path in GOLDEN.glob("*.sig") if path.name != "ed25519.sig"]
    assert len(others) >= 5
    for path in others:
        with pytest.raises(MalformedError, match="not by a key of the kind ssh-ed25519"):
            sshsig.verify(message, path.read_text(), namespace)


def allowed(options, moment=NOW, principal="ann@example.org", namespace="file"):
    """Say whether a line with these options lets LOG sign: True, False, or "malformed"."""
    try:
        found = sshsig.parse_signers(f"ann@example.org {options}{LOG.public.openssh}\n".encode())
        sshsig.judge(found, principal, namespace, LOG.public, moment)
    except MalformedError:
        return "malformed"
    except VerificationError:
        return False
    return True


@needs_ssh_keygen
@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ("", True),
        ('namespaces="file" ', True),
        ('namespaces="git,file" ', True),
        ('namespaces="git" ', False),
        ('valid-after="20260101Z" ', True),
        ('valid-after="20270101Z" ', False),
        ('valid-before="20260101Z" ', False),
        ('valid-after="20261129095959Z",valid-before="202611291001Z",namespaces="file" ', True),
        ('valid-before="20261129095959Z" ', False),
        ('valid-before="20261129100000Z" ', True),
        ('valid-after="20261129100000Z" ', True),
        ('valid-after="20261129100001Z" ', False),
    ],
)
def test_allowed_signers_are_judged_as_ssh_keygen_judges_them(tmp_path, options, answer):
    (tmp_path / "signers").write_text(f"ann@example.org {options}{LOG.public.openssh}\n")
    (tmp_path / "sig").write_text(sshsig.sign(b"m", LOG, "file"))
    words = "-Y verify -f signers -I ann@example.org -n file -s sig -O verify-time=20261129100000Z"
    done = ssh_keygen(*words.split(), stdin=b"m", cwd=tmp_path)
    assert (done.returncode == 0) is answer, done.stderr
    assert allowed(options) is answer


def test_a_second_line_may_allow_what_the_first_does_not():
    lines = "".join(
        f'{name} namespaces="{what}" {LOG.public.openssh} a comment\n'
        for name, what in (("ann,bob", "git"), ("bob", "file"))
    )
    found = sshsig.parse_signers(f"# who may sign\n\n{lines}".encode())
    assert sshsig.judge(found, "bob", "file", LOG.public, NOW) == found[1]
    assert sshsig.judge(found, "ann", "git", LOG.public, NOW) == found[0]
    with pytest.raises(VerificationError, match="may not sign as 'ann' for 'file'"):
        sshsig.judge(found, "ann", "file", LOG.public, NOW)
    with pytest.raises(UnknownKeyError, match="not among the allowed signers"):
        sshsig.judge(found, "ann", "git", signer(30).public, NOW)


@needs_ssh_keygen
def test_the_steps_with_stock_tools_verify_the_signature_of_the_page(tmp_path):
    _, signers, signature = blocks("text")
    cosignature_page = PAGE.with_name("cosignature.md").read_text()
    example = re.findall(r"^```text\n(.*?)^```", cosignature_page, re.MULTILINE | re.DOTALL)[0]
    for name, text in (("allowed_signers", signers), ("checkpoint.sig", signature)):
        (tmp_path / name).write_text(text)
    (tmp_path / "checkpoint").write_text(example)
    found = sshsig.parse_signers(signers.encode())
    key = sshsig.verify(example.encode(), signature, f"checkpoint@{ORIGIN}")
    assert key == PublicKey.parse(signers.split('" ')[1].strip())
    assert sshsig.judge(found, "ann@example.org", f"checkpoint@{ORIGIN}", key, NOW) == found[0]
    [script] = blocks("sh")
    for extra, good in (("", True), ("x", False)):
        (tmp_path / "checkpoint").write_text(example + extra)
        done = subprocess.run(
            ["bash", "-eu", "-c", script], cwd=tmp_path, capture_output=True, check=False
        )
        assert (done.returncode == 0) is good, done.stderr
