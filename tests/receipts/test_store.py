"""The object store: nothing is replaced, nothing half written gets a name."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from receipts import store
from receipts.digest import Digest
from receipts.errors import ConflictError, NotFoundError, VerificationError
from receipts.store import PIECE, ObjectStore

REPOSITORY = Path(store.__file__).parents[1]
BIG = bytes(range(256)) * (PIECE // 256) * 3 + b"tail"


@pytest.fixture
def objects(tmp_path):
    return ObjectStore(tmp_path / "objects")


def python(script, *arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def damage(path, data):
    path.chmod(0o644)
    path.write_bytes(data)


def names(objects):
    return sorted(path.name for path in objects.root.rglob("*") if path.is_file())


@pytest.mark.parametrize("data", [b"", b"x", BIG[:PIECE], BIG])
def test_what_is_put_is_got(objects, data):
    digest = objects.put(data)
    assert digest == Digest.of(data)
    assert objects.get(digest) == data
    assert digest in objects
    assert list(objects.digests()) == [digest]
    assert names(objects) == [digest.hex]


@pytest.mark.parametrize("data", [b"", BIG])
def test_a_file_is_stored_as_its_bytes_are(objects, tmp_path, data):
    (tmp_path / "file").write_bytes(data)
    assert objects.put_file(tmp_path / "file") == objects.put(data)
    assert names(objects) == [Digest.of(data).hex]


def test_putting_twice_changes_nothing(objects):
    digest = objects.put(b"x")
    before = objects.path(digest).stat()
    assert objects.put(b"x") == digest
    after = objects.path(digest).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_an_object_cannot_be_written_by_accident(objects):
    assert objects.path(objects.put(b"x")).stat().st_mode & 0o777 == 0o444


def test_a_damaged_object_is_not_replaced_but_told(objects):
    path = objects.path(objects.put(b"x"))
    damage(path, b"y")
    with pytest.raises(ConflictError, match="exists with other bytes; it is damaged"):
        objects.put(b"x")
    assert path.read_bytes() == b"y"


@pytest.mark.parametrize("bad", [b"", BIG[:-1], BIG + b"x", b"X" + BIG[1:]])
def test_a_damaged_object_is_not_got(objects, bad):
    digest = objects.put(BIG)
    damage(objects.path(digest), bad)
    with pytest.raises(VerificationError, match="is damaged"):
        objects.get(digest)


def test_the_last_piece_of_a_damaged_object_is_never_handed_out(objects):
    digest = objects.put(BIG)
    damage(objects.path(digest), BIG[:-1] + b"X")
    seen = []
    with pytest.raises(VerificationError):
        seen.extend(objects.stream(digest))
    assert b"".join(seen) in (b"", BIG[: 3 * PIECE])


def test_an_object_that_is_not_there_is_named(objects):
    digest = Digest.of(b"x")
    assert digest not in objects
    assert list(objects.digests()) == []
    with pytest.raises(NotFoundError, match=f"object {digest} is not in the store"):
        objects.get(digest)


def test_a_withheld_object_says_so_and_why(objects, clock):
    digest = objects.put(b"secret")
    objects.withhold(digest, "a password stood in it", clock)
    assert digest not in objects
    sentence = "is withheld since 2026-11-29T10:00:00.000Z: a password stood in it"
    with pytest.raises(NotFoundError, match=sentence):
        objects.get(digest)
    with pytest.raises(NotFoundError, match=sentence):
        objects.withhold(digest, "again", clock)
    assert list(objects.digests()) == []
    assert names(objects) == [digest.hex + ".withheld"]


def test_a_withheld_object_does_not_come_back(objects, clock):
    digest = objects.put(b"secret")
    objects.withhold(digest, "a password stood in it", clock)
    with pytest.raises(ConflictError, match="a password stood in it"):
        objects.put(b"secret")
    assert digest not in objects


def test_a_withholding_that_was_interrupted_can_be_finished(objects, clock):
    digest = objects.put(b"secret")
    objects.withhold(digest, "first reason", clock)
    objects.path(digest).write_bytes(b"secret")  # as if the crash came before the bytes went
    objects.withhold(digest, "second reason", clock)
    with pytest.raises(NotFoundError, match="first reason"):
        objects.get(digest)


@pytest.mark.parametrize("note", [b"", b"{", b"[]", b"{}", b"\xff"])
def test_a_tombstone_that_cannot_be_read_still_withholds(objects, clock, note):
    digest = objects.put(b"secret")
    objects.withhold(digest, "reason", clock)
    damage(objects.path(digest).with_name(digest.hex + ".withheld"), note)
    with pytest.raises(NotFoundError, match="is withheld; its tombstone cannot be read"):
        objects.get(digest)
    with pytest.raises(ConflictError):
        objects.put(b"secret")


def test_withholding_what_was_never_there_is_refused(objects, clock):
    with pytest.raises(NotFoundError, match="is not in the store"):
        objects.withhold(Digest.of(b"x"), "reason", clock)
    assert not objects.root.exists()


def test_digests_come_in_order_and_leftovers_are_passed_over(objects):
    digests = sorted(objects.put(b"%d" % number) for number in range(20))
    (objects.root / ".incoming-x").write_bytes(b"half")
    (objects.root / "README").write_text("mine")
    assert list(objects.digests()) == digests


PUT_MANY = """
import sys; from pathlib import Path; from receipts.store import ObjectStore
objects = ObjectStore(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(60):
    objects.put(b"%d" % number * 1000)
"""


def test_two_processes_may_put_the_same_objects(objects):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    both = [python(PUT_MANY, objects.root, **pipes) for _ in range(2)]
    for child in both:
        assert child.stdout.readline() == "ready\n"
    for child in both:
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in both:
        _, errors = child.communicate(timeout=60)
        assert (child.returncode, errors) == (0, "")
    assert len(names(objects)) == 60
    assert {objects.get(digest) for digest in objects.digests()} == {
        b"%d" % number * 1000 for number in range(60)
    }


PUT_FILE = """
import sys; from pathlib import Path; from receipts.store import ObjectStore
ObjectStore(Path(sys.argv[1])).put_file(Path(sys.argv[2]))
"""


def test_a_kill_in_the_middle_leaves_no_half_file_under_a_final_name(objects, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = python(PUT_FILE, objects.root, pipe)
    with pipe.open("wb", buffering=0) as writer:
        # Two pieces and a half: the child has written two and waits for the rest of the third.
        half = BIG[: 2 * PIECE + PIECE // 2]
        while half:
            half = half[writer.write(half) :]
        wait_until(lambda: any(f.stat().st_size >= PIECE for f in objects.root.glob(".incoming-*")))
        child.send_signal(signal.SIGKILL)
        child.wait(timeout=30)
    child.stderr.close()
    assert [path.name[:10] for path in objects.root.iterdir()] == [".incoming-"]
    assert list(objects.digests()) == []
    (tmp_path / "file").write_bytes(BIG)
    assert objects.get(objects.put_file(tmp_path / "file")) == BIG


def wait_until(holds):
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, "it never came so far"
        time.sleep(0.01)


@pytest.mark.slow
def test_kills_at_any_moment_leave_whole_objects_only(objects):
    script = PUT_MANY.replace("range(60)", "range(10**6)").replace("* 1000", "* 100_000")
    for wait in (0.0, 0.01, 0.03, 0.07):
        child = python(script, objects.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdout.readline()
        child.stdin.write("go\n")
        child.stdin.flush()
        time.sleep(wait)
        child.kill()
        child.communicate()
        for digest in objects.digests():
            objects.get(digest)


def test_a_full_disk_leaves_nothing_behind(objects):
    script = "import sys; from pathlib import Path; from receipts.store import ObjectStore\n"
    script += "ObjectStore(Path(sys.argv[1])).put(bytes(5000))"
    limit = (4096, 4096)
    child = python(
        script,
        objects.root,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 1
    assert errors.splitlines()[-1] == "OSError: [Errno 27] File too large"
    assert names(objects) == []


def test_a_read_only_store_raises_the_systems_error(objects):
    objects.root.mkdir(mode=0o500)
    if os.access(objects.root, os.W_OK):
        pytest.skip("this user writes anywhere: permission was not tested")
    with pytest.raises(PermissionError):
        objects.put(b"x")


def test_a_store_whose_folder_cannot_be_raises_the_systems_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="Not a directory"):
        ObjectStore(tmp_path / "file" / "objects").put(b"x")
    with pytest.raises(FileExistsError):
        ObjectStore(tmp_path / "file").put(b"x")
