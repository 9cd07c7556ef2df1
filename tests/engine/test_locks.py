"""Where locks lie, who may be trusted with them, and what an inherited descriptor proves."""

import fcntl
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from engine.apparatus import lease, locks
from receipts.errors import HeldError, MalformedError, UsageError


@pytest.fixture
def shared(tmp_path, monkeypatch, home):
    """A folder for locks that was made for a group, and is named by the variable."""
    folder = tmp_path / "locks"
    folder.mkdir()
    folder.chmod(0o2775)
    monkeypatch.setenv(locks.FOLDER, str(folder))
    return folder


@pytest.fixture
def seen():
    """A folder that every user can see, as one under /run/lock is."""
    with tempfile.TemporaryDirectory() as base:
        Path(base).chmod(0o755)
        folder = Path(base) / "locks"
        folder.mkdir()
        folder.chmod(0o2775)
        yield folder


def test_a_folder_that_all_users_see_excludes_this_host(seen):
    assert locks.inspect(seen).exclusive == locks.HOST


def test_a_folder_that_only_a_group_reaches_excludes_this_group(seen):
    seen.chmod(0o2770)

    assert locks.inspect(seen).exclusive == locks.GROUP


def test_a_private_folder_excludes_this_user(seen):
    seen.chmod(0o700)

    assert locks.inspect(seen).exclusive == locks.USER


def test_the_named_folder_is_used_and_the_lock_can_be_taken_by_others(home, shared):
    with lease.acquire("c") as held:
        assert held.path == shared / "host.lock"
        assert held.path.stat().st_mode & 0o777 == 0o664
        assert held.facts()["exclusive"] == "this group"


def test_the_folder_of_the_configuration_is_relative_to_it(home):
    (home / "evidence.yaml").write_text("origin: x\nlocks: run/locks\n")
    (home / "run" / "locks").mkdir(parents=True)
    (home / "run" / "locks").chmod(0o700)

    with lease.acquire("c") as held:
        assert held.path == home / "run" / "locks" / "host.lock"


@pytest.mark.parametrize("place", ["evidence", "evidence/objects", "evidence/locks"])
def test_locks_never_lie_beside_the_evidence(home, place):
    (home / "evidence.yaml").write_text(f"origin: x\nlocks: {place}\n")
    (home / place).mkdir(parents=True)

    with pytest.raises(MalformedError, match="lies beside the evidence"), lease.acquire("c"):
        pass
    assert not list(home.rglob("*.lock"))


@pytest.mark.parametrize("name", ["/tmp", "/var/tmp", "/dev/shm"])
def test_the_shared_temporary_folder_is_never_used(name):
    if not Path(name).is_dir():
        pytest.skip(f"not run: there is no {name}")
    with pytest.raises(MalformedError, match=r"may be written by everyone|symbolic link"):
        locks.inspect(Path(name))


def test_a_folder_that_cannot_be_trusted_is_refused_when_it_was_named(shared, tmp_path, home):
    shared.chmod(0o777)
    with pytest.raises(MalformedError, match="may be written by everyone"), lease.acquire("c"):
        pass
    shared.chmod(0o755)
    tmp_path.chmod(0o777)
    with pytest.raises(MalformedError, match="can be replaced by everyone"), lease.acquire("c"):
        pass
    tmp_path.chmod(0o755)
    shared.rename(tmp_path / "elsewhere")
    with pytest.raises(MalformedError, match=r"make it$"), lease.acquire("c"):
        pass
    shared.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MalformedError, match="is a symbolic link"), lease.acquire("c"):
        pass
    shared.unlink()
    shared.write_text("")
    with pytest.raises(MalformedError, match="is no folder"), lease.acquire("c"):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="not run: only root gives folders away")
def test_a_folder_of_somebody_else_is_refused_unless_it_is_of_a_group_of_ours(seen):
    os.chown(seen, 4321, 4321)
    with pytest.raises(MalformedError, match="belongs to user 4321"):
        locks.inspect(seen)
    os.chown(seen, 4321, os.getegid())
    assert locks.inspect(seen).exclusive == locks.HOST


def test_a_shared_folder_that_cannot_be_trusted_is_passed_over_and_told(home, tmp_path):
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.mkdir()
    bad.chmod(0o777)
    assert locks.find((tmp_path / "none",)).exclusive == locks.USER
    place = locks.find((bad,))
    assert (place.exclusive, place.note) == (
        locks.USER,
        f"passed over: lock folder {bad} may be written by everyone; use one of root or of a group",
    )
    good.mkdir()
    good.chmod(0o2775)
    assert locks.find((bad, good)).folder == good


@pytest.mark.parametrize("kind", ["pipe", "folder", "second name", "writable by all"])
def test_a_lock_that_is_no_plain_file_is_refused(home, shared, kind):
    path = shared / "host.lock"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_text("")
        path.chmod(0o666)
        if kind == "second name":
            path.chmod(0o600)
            os.link(path, shared / "other")

    with pytest.raises(MalformedError, match="remove it"), lease.acquire("c"):
        pass


def test_a_stale_lock_file_is_harmless(home, shared):
    (shared / "host.lock").write_text("pid 1, cell long-gone\n")

    with lease.acquire("c") as held:
        assert held.path.read_text().startswith(f"pid {os.getpid()}")


@pytest.mark.parametrize("replaced", [False, True])
def test_a_lock_that_goes_while_it_is_held_is_noticed(home, shared, replaced):
    with lease.acquire("c") as held:
        assert held.faults() == []
        held.path.unlink()
        if replaced:
            held.path.touch()
        told = "replaced" if replaced else "deleted"
        assert held.faults() == [f"lock host.lock was {told} while it was held"]


def test_devices_are_locked_after_the_host_in_one_order(home, shared):
    with lease.acquire("c", devices=["GPU-b", "GPU-a"]) as held:
        names = [lock.path.name for lock in held.locks]
        assert names == ["host.lock", "device-GPU-a.lock", "device-GPU-b.lock"]
        assert held.facts()["lock"] == ", ".join(names)


def test_a_held_device_is_refused_by_its_name_and_frees_the_host(home, shared):
    with (shared / "device-GPU-a.lock").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        complaint = "^device GPU-a is leased to another run"
        with pytest.raises(HeldError, match=complaint), lease.acquire("c", devices=["GPU-a"]):
            pass
    with lease.acquire("c"):
        pass


@pytest.mark.parametrize("device", ["", "../x", "a/b", "-x", "x" * 81, "GPU 1"])
def test_a_device_that_is_no_id_makes_no_file(home, shared, device):
    with pytest.raises(UsageError, match=r"^--device "), lease.acquire("c", devices=[device]):
        pass
    assert list(shared.iterdir()) == []


def test_a_device_is_named_once(home, shared):
    with pytest.raises(UsageError, match="twice"), lease.acquire("c", devices=["a", "a"]):
        pass


INNER = (
    "import sys; from engine.apparatus import lease; from receipts.errors import Error\n"
    "try:\n"
    "    with lease.acquire('inner', devices=sys.argv[1:]) as held:\n"
    "        print(held.facts()['source'])\n"
    "except Error as error:\n"
    "    print(error.exit_code, error)\n"
)


def inner(held, *devices, variable=None, **options):
    """Run a wrapper inside a leased command; return what it said."""
    told = dict(held.variables()) if variable is None else {lease.VARIABLE: variable}
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", INNER, *devices],
        env={**os.environ, **told, "PYTHONPATH": root},
        **{"pass_fds": held.descriptors, "capture_output": True, "text": True, "check": True}
        | options,
    )
    return done.stdout.strip()


def test_a_nested_wrapper_borrows_what_it_inherited(home, shared):
    with lease.acquire("outer", devices=["GPU-a"]) as held:
        assert inner(held) == "inherited"
        assert inner(held, "GPU-a") == "inherited"
        assert inner(held, variable="").startswith("75")
        assert inner(held, "GPU-b").startswith("75 the inherited lease")
        # The inner one gave nothing back: who opens the lock anew cannot take it.
        with pytest.raises(HeldError), lease.acquire("c"):
            pass


def test_a_variable_alone_proves_nothing(home, shared):
    with lease.acquire("outer") as held:
        number = str(held.descriptor)
        assert inner(held, pass_fds=()).startswith("75 the inherited lease")
        for forged in ("0", "1", "2", "x", "-1", "999999", f"{number};", "7,"):
            assert inner(held, variable=forged).startswith("75 "), forged
        with (shared / "host.lock").open("rb") as second:
            # The same file, opened anew: it is at the path, and it does not own the lock.
            told = inner(held, variable=str(second.fileno()), pass_fds=(second.fileno(),))
        assert told.startswith("75 descriptor")
        with (shared / "another").open("wb") as wrong:
            fcntl.flock(wrong, fcntl.LOCK_EX)
            told = inner(held, variable=str(wrong.fileno()), pass_fds=(wrong.fileno(),))
        assert told.startswith("75 the inherited lease")


def test_a_descriptor_whose_lock_is_not_held_borrows_nothing(home, shared):
    with lease.acquire("outer") as held:
        pass
    with (shared / "host.lock").open("rb") as unlocked:
        told = inner(held, variable=str(unlocked.fileno()), pass_fds=(unlocked.fileno(),))
    assert told.startswith("75 descriptor")


def test_a_harness_runs_under_a_lease_or_not_at_all(home, shared, monkeypatch):
    with pytest.raises(UsageError, match=r"^no lease: start it as `engine run"):
        lease.require()
    with lease.acquire("outer") as held:
        monkeypatch.setenv(lease.VARIABLE, str(held.descriptor))
        assert lease.require().source == "inherited"
    with pytest.raises(HeldError):
        lease.require()


@pytest.mark.skipif(os.geteuid() != 0, reason="not run: only root becomes somebody else")
def test_another_user_sees_the_lock_and_cannot_take_it(seen):
    seen.chmod(0o755)
    place = locks.inspect(seen)
    lock = locks.take(place, "host.lock", "this host", "pid 1, cell c")
    program = (
        "import fcntl, os, sys\nos.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try:\n fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "except BlockingIOError: print('held')\n"
        "try: os.unlink(sys.argv[1])\nexcept PermissionError: print('kept')\n"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", program, str(lock.path)],
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        os.close(lock.descriptor)
    assert done.stdout.split() == ["held", "kept"]
