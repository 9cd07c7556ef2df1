import fcntl
import os
import stat
import subprocess
import sys

import pytest

from engine.apparatus import lease
from receipts import workspace
from receipts.errors import HeldError, MalformedError


def test_a_second_run_is_refused_at_once_and_told_who_holds_the_host(tmp_path):
    with lease.acquire("decode-p16", tmp_path) as held:
        expected = f"leased to pid {os.getpid()}, cell decode-p16 .lock {held.path}.; try again"
        with pytest.raises(HeldError, match=expected), lease.acquire("other", tmp_path):
            pass

    assert HeldError.exit_code == 75


def test_the_host_is_free_again_afterwards(tmp_path):
    for cell in ("one", "a-much-longer-name", "two"):
        with lease.acquire(cell, tmp_path) as held:
            # A shorter text replaces a longer one whole.
            assert held.path.read_text() == f"pid {os.getpid()}, cell {cell}\n"


def test_the_host_is_free_again_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), lease.acquire("one", tmp_path):
        raise ZeroDivisionError
    with lease.acquire("two", tmp_path):
        pass


def test_a_holder_that_left_no_word_is_another_run(tmp_path):
    path = tmp_path / "host.lock"
    with path.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(HeldError, match="leased to another run"), lease.acquire("c", tmp_path):
            pass


def test_the_words_of_a_holder_are_bounded(tmp_path):
    path = tmp_path / "host.lock"
    path.write_bytes(b"\xff" * 100_000)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(HeldError) as caught, lease.acquire("c", tmp_path):
            pass

    assert len(str(caught.value)) < 1000


def test_a_receipt_says_how_far_the_lease_reaches(tmp_path):
    with lease.acquire("c", tmp_path) as held:
        facts = {"lock": "host.lock", "exclusive": "this user", "source": "acquired"}
        assert held.facts() == facts


def test_a_lock_that_is_a_symbolic_link_is_refused_and_not_followed(tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("keep me")
    folder = tmp_path / "locks"
    folder.mkdir()
    (folder / "host.lock").symlink_to(precious)

    complaint = r"host\.lock is a symbolic link; remove it"
    with pytest.raises(MalformedError, match=complaint), lease.acquire("c", folder):
        pass

    assert precious.read_text() == "keep me"


@pytest.mark.parametrize("replaced", [False, True], ids=["deleted", "replaced"])
def test_a_lock_file_that_goes_while_it_is_taken_is_no_lock(tmp_path, monkeypatch, replaced):
    genuine = fcntl.flock

    def flock(descriptor, how):
        (tmp_path / "host.lock").unlink()
        if replaced:
            (tmp_path / "host.lock").touch()
        return genuine(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", flock)

    complaint = "was replaced while it was taken; try again"
    with pytest.raises(HeldError, match=complaint), lease.acquire("c", tmp_path):
        pass


def test_a_child_that_was_given_the_descriptor_holds_the_host_alone(tmp_path):
    with lease.acquire("c", tmp_path) as held:
        program = "import sys; sys.stdin.read()"
        child = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, pass_fds=(held.descriptor,)
        )
    try:
        with pytest.raises(HeldError), lease.acquire("c", tmp_path):
            pass
    finally:
        child.communicate(b"")
    with lease.acquire("c", tmp_path):
        pass


def test_a_child_that_was_not_given_it_does_not_inherit_it(tmp_path):
    with lease.acquire("c", tmp_path) as held:
        assert not os.get_inheritable(held.descriptor)


def test_the_lock_is_private_and_lies_in_the_state_folder(home):
    with lease.acquire("c") as held:
        assert held.path == workspace.state_dir() / "locks" / "host.lock"
        assert stat.S_IMODE(held.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(held.path.parent.stat().st_mode) == 0o700

    assert list(home.iterdir()) == []
