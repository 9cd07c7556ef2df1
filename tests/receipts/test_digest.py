"""Digests and how they are written."""

import subprocess

import pytest

from receipts.digest import Digest
from receipts.errors import MalformedError

EMPTY = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_the_digest_of_nothing_is_the_known_one():
    assert Digest.of(b"") == EMPTY
    assert Digest.parse(EMPTY).hex == EMPTY[7:]


def test_a_file_has_the_digest_that_sha256sum_prints(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 9000)
    printed = subprocess.run(["sha256sum", path], capture_output=True, check=True, text=True)
    assert Digest.of_file(path) == "sha256:" + printed.stdout.split()[0]
    assert Digest.of_file(path) == Digest.of(path.read_bytes())


@pytest.mark.parametrize(
    "text",
    [
        EMPTY[7:],
        EMPTY.upper(),
        "sha256:" + EMPTY[7:].upper(),
        EMPTY[:-1],
        EMPTY + "0",
        EMPTY + "\n",
        " " + EMPTY,
        EMPTY[:-1] + "g",
        EMPTY[:-1] + "５",
        "sha512:" + EMPTY[7:],
        "",
    ],
)
def test_another_spelling_is_refused(text):
    with pytest.raises(MalformedError, match="is not a digest"):
        Digest.parse(text)
