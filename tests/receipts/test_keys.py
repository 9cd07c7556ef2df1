"""Key files, and that ssh-keygen and we read each other's."""

import base64
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from receipts import keys
from receipts.errors import (
    ConflictError,
    MalformedError,
    NotFoundError,
    UsageError,
    VerificationError,
)
from receipts.keys import PublicKey, Signed

needs_ssh_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="no ssh-keygen: its files were not compared"
)


def ssh_keygen(*arguments):
    command = ["ssh-keygen", "-q", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@needs_ssh_keygen
@pytest.mark.parametrize("passphrase", [None, b"correct horse"])
@pytest.mark.parametrize("comment", ["", "ann@example.org", "Ann's second key"])
def test_ssh_keygen_reads_what_we_write(tmp_path, passphrase, comment):
    path = tmp_path / "key"
    key = keys.generate(path, comment, passphrase)
    derived = ssh_keygen("-y", "-P", (passphrase or b"").decode(), "-f", path)
    assert derived.split()[:2] == key.public.openssh.split()
    listed = ssh_keygen("-l", "-f", tmp_path / "key.pub")
    assert listed.split()[:2] == ["256", key.public.fingerprint]
    assert (comment or "no comment") in listed


@needs_ssh_keygen
def test_we_read_what_ssh_keygen_writes(tmp_path):
    path = tmp_path / "key"
    ssh_keygen("-t", "ed25519", "-N", "", "-C", "ann@example.org", "-f", path)
    key = keys.load(path)
    public = keys.load_public(tmp_path / "key.pub")
    assert key.public == public
    assert public.fingerprint == ssh_keygen("-l", "-f", path).split()[1]


@needs_ssh_keygen
def test_we_open_what_ssh_keygen_locked_and_ask_only_then(tmp_path):
    path = tmp_path / "key"
    ssh_keygen("-t", "ed25519", "-N", "correct horse", "-f", path)
    asked = []

    def answer(name):
        asked.append(name)
        return b"correct horse"

    assert keys.load(path, answer).public == keys.load_public(tmp_path / "key.pub")
    assert asked == [str(path)]
    with pytest.raises(MalformedError, match="the passphrase does not open it"):
        keys.load(path, lambda _: b"wrong")
    with pytest.raises(MalformedError, match="the passphrase does not open it"):
        keys.load(path, lambda _: b"")
    with pytest.raises(MalformedError, match="cannot be read: Key is password-protected"):
        keys.load(path)


@needs_ssh_keygen
def test_a_passphrase_that_ssh_keygen_changes_still_opens(tmp_path):
    path = tmp_path / "key"
    key = keys.generate(path, "", b"first")
    ssh_keygen("-p", "-P", "first", "-N", "second", "-f", path)
    assert keys.load(path, lambda _: b"second").public == key.public


@needs_ssh_keygen
@pytest.mark.parametrize("kind", ["rsa", "ecdsa"])
def test_a_key_of_another_kind_is_refused(tmp_path, kind):
    path = tmp_path / "key"
    ssh_keygen("-t", kind, "-N", "", "-f", path)
    with pytest.raises(MalformedError, match="is not Ed25519; make one with `receipts keygen`"):
        keys.load(path)
    with pytest.raises(MalformedError, match="is not a public key line"):
        keys.load_public(tmp_path / "key.pub")


def test_a_key_that_is_not_there_is_named(tmp_path):
    with pytest.raises(NotFoundError, match=r"absent does not exist; `receipts keygen`"):
        keys.load(tmp_path / "absent")
    with pytest.raises(NotFoundError, match=r"absent\.pub does not exist"):
        keys.load_public(tmp_path / "absent.pub")


def test_a_named_pipe_is_refused_without_waiting_for_its_writer(tmp_path):
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(MalformedError, match="is not a regular file"):
        keys.load(tmp_path / "pipe")


@pytest.mark.parametrize("text", [b"", b"hello", b"\x00" * 100, b"-----BEGIN X-----\n", b"\xff"])
def test_a_private_key_file_with_something_else_in_it_is_refused(tmp_path, text):
    path = tmp_path / "key"
    path.write_bytes(text)
    path.chmod(0o600)
    with pytest.raises(MalformedError, match="cannot be read"):
        keys.load(path)


def test_a_damaged_private_key_file_raises_malformed_and_nothing_else(tmp_path):
    path = tmp_path / "key"
    keys.generate(path, "")
    head, *lines, foot, _ = path.read_bytes().split(b"\n")
    body = base64.b64decode(b"".join(lines))
    refused = 0
    for at in range(len(body)):
        damaged = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        path.write_bytes(b"\n".join([head, base64.b64encode(damaged), foot, b""]))
        try:
            keys.load(path)
        except MalformedError:
            refused += 1
    # The 32 bytes of the seed are any number: another seed is another key, which nobody enrolled.
    assert refused == len(body) - 32


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"ssh-ed25519", b"hello world", b"\n\n"])
def test_a_public_key_file_with_something_else_in_it_is_refused(tmp_path, text):
    path = tmp_path / "key.pub"
    path.write_bytes(text)
    with pytest.raises(MalformedError):
        keys.load_public(path)


def test_a_second_public_key_in_the_file_is_not_passed_over(tmp_path, signing_key, other_key):
    path = tmp_path / "key.pub"
    path.write_text(f"{signing_key.public.openssh} ann\n{other_key.public.openssh} ben\n")
    with pytest.raises(MalformedError, match="is not a public key line"):
        keys.load_public(path)


def test_nothing_is_written_where_the_public_file_exists(tmp_path):
    (tmp_path / "key.pub").write_text("mine")
    with pytest.raises(ConflictError, match="a key is never overwritten"):
        keys.generate(tmp_path / "key", "")
    assert not (tmp_path / "key").exists()
    assert (tmp_path / "key.pub").read_text() == "mine"


@pytest.mark.parametrize("comment", ["two\nlines", "\x1b[2J", "tab\t"])
def test_a_comment_that_would_break_the_line_is_refused(tmp_path, comment):
    with pytest.raises(MalformedError, match="not one line of printable text"):
        keys.generate(tmp_path / "key", comment)
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_no_half_key(tmp_path):
    script = "import sys; from pathlib import Path; from receipts import keys\n"
    script += "keys.generate(Path(sys.argv[1]), '')"
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "key"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)),
        capture_output=True,
        text=True,
        cwd=Path(keys.__file__).parents[1],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert "File too large" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_signature_holds_for_its_message_and_key_alone(signing_key, other_key):
    signature = signing_key.sign(b"message")
    signing_key.public.verify(signature, b"message")
    for key, bad, message in [
        (signing_key, signature, b"messagf"),
        (other_key, signature, b"message"),
        (signing_key, signature[:-1], b"message"),
        (signing_key, signature + b"\0", b"message"),
        (signing_key, b"", b"message"),
    ]:
        with pytest.raises(VerificationError, match="does not verify"):
            key.public.verify(bad, message)


def test_the_numbers_of_failing_signatures_are_told(signing_key, other_key):
    good = signing_key.sign(b"x")
    raw, other = signing_key.public.raw, other_key.public.raw
    batch = [Signed(3, raw, good, b"x"), Signed(5, raw, good, b"y"), Signed(9, other, good, b"x")]
    assert keys.failing(batch) == [5, 9]
    assert keys.failing([]) == []


def test_a_signing_key_does_not_print_its_secret(signing_key):
    secret = signing_key._private.private_bytes_raw()
    assert repr(secret)[2:-1] not in repr(signing_key)
    assert secret.hex() not in repr(signing_key)
    assert "private" not in repr(signing_key)


def test_equal_keys_are_equal_and_hash_alike(signing_key):
    again = PublicKey.parse(signing_key.public.openssh + " with a comment")
    assert again == signing_key.public
    assert len({again, signing_key.public}) == 1


def test_an_empty_passphrase_does_not_leave_a_key_unlocked(tmp_path):
    with pytest.raises(UsageError, match=r"^the passphrase is empty; give one"):
        keys.generate(tmp_path / "key", "", b"")
    assert list(tmp_path.iterdir()) == []
