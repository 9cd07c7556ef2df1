"""Remembered heads: written whole, never back, one file a log, safe beside others that write.

What verify and append make of them is in tests/attacks/test_ledger_rollback.py.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import heads, merkle
from ledger.heads import Head, Heads
from ledger.merkle import Frontier
from receipts.errors import MalformedError, VerificationError

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def known(tmp_path):
    return Heads(tmp_path / "heads")


def test_nothing_is_remembered_of_a_log_that_was_never_seen(known, signing_key):
    assert known.recall(signing_key.public) is None
    assert not known.folder.exists()


def test_two_logs_do_not_meet(known, signing_key, other_key):
    known.remember(signing_key.public, Head(1, bytes(32)))
    known.remember(other_key.public, Head(2, bytes(32)))
    assert known.recall(signing_key.public).size == 1
    known.path(other_key.public).write_bytes(known.path(signing_key.public).read_bytes())
    with pytest.raises(VerificationError, match="is the head of another log"):
        known.recall(other_key.public)


def test_a_file_that_was_created_and_never_written_says_nothing(known, signing_key):
    """A crash between the making of the file and its first write."""
    known.folder.mkdir()
    known.path(signing_key.public).touch()
    assert known.recall(signing_key.public) is None
    known.remember(signing_key.public, Head(3, bytes(32)))
    assert known.recall(signing_key.public) == Head(3, bytes(32))


@pytest.mark.parametrize("cut", [1, 60, 150])
def test_a_head_that_was_cut_short_is_never_read_as_a_smaller_one(known, signing_key, cut):
    known.remember(signing_key.public, Head(123456, bytes(32)))
    path = known.path(signing_key.public)
    path.write_bytes(path.read_bytes()[:-cut])
    for use in (known.recall, lambda key: known.remember(key, Head(10**9, bytes(32)))):
        with pytest.raises(MalformedError, match="restore it or remove it knowingly"):
            use(signing_key.public)


def test_a_head_behind_a_link_is_not_written(known, signing_key, tmp_path):
    known.folder.mkdir()
    target = tmp_path / "target"
    known.path(signing_key.public).symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        known.remember(signing_key.public, Head(1, bytes(32)))
    assert not target.exists()


def test_many_who_remember_at_once_leave_the_largest_and_never_a_torn_one(known, signing_key):
    source = """
import sys
from pathlib import Path
from ledger.heads import Head, Heads
from receipts.keys import PublicKey
known, key = Heads(Path(sys.argv[1])), PublicKey.parse(sys.argv[2])
for size in range(int(sys.argv[3]), 4000, 4):
    known.remember(key, Head(size, size.to_bytes(32, "big")))
    assert known.recall(key).size >= size
"""
    words = [str(known.folder), signing_key.public.openssh]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", source, *words, str(number)],
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        )
        for number in range(1, 5)
    ]
    assert [writer.wait(timeout=60) for writer in writers] == [0] * 4
    found = known.recall(signing_key.public)
    assert (found.size, found.root) == (3999, (3999).to_bytes(32, "big"))


def test_a_writer_killed_while_it_remembers_leaves_a_head_that_reads(known, signing_key):
    source = """
import sys
from pathlib import Path
from ledger.heads import Head, Heads
from receipts.keys import PublicKey
known, key = Heads(Path(sys.argv[1])), PublicKey.parse(sys.argv[2])
known.remember(key, Head(0, bytes(32)))
print("ready", flush=True)
for size in range(10**9):
    known.remember(key, Head(size, size.to_bytes(32, "big")))
"""
    command = [sys.executable, "-c", source, str(known.folder), signing_key.public.openssh]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    sizes = []
    for _ in range(3):
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as writer:
            try:
                writer.stdout.readline()
                for _ in range(300):
                    found = known.recall(signing_key.public) or Head(0, bytes(32))
                    assert found.root == found.size.to_bytes(32, "big")
            finally:
                writer.send_signal(signal.SIGKILL)
        found = known.recall(signing_key.public)
        assert found.root == found.size.to_bytes(32, "big")
        sizes.append(found.size)
    assert sizes == sorted(sizes)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(-1, 39))
def test_a_ledger_extends_exactly_the_heads_of_its_own_prefixes(size, seen, changed):
    leaves = [merkle.leaf_hash(b"%d" % number) for number in range(size)]
    others = [
        merkle.leaf_hash(b"x") if number == changed else merkle.leaf_hash(b"%d" % number)
        for number in range(seen)
    ]
    nodes, tree, head = {}, Frontier(), Frontier()
    for number, leaf in enumerate(leaves):
        nodes[0, number] = leaf
        nodes |= {(level, place): node for level, place, node in tree.add(leaf)}
    for leaf in others:
        head.add(leaf)

    def extends():
        heads.require_extends(size, lambda *at: nodes[at], Head(seen, head.root()), "it")

    if seen > size:
        with pytest.raises(VerificationError, match="truncated or rolled back"):
            extends()
    elif 0 <= changed < seen:
        with pytest.raises(VerificationError, match="history was rewritten"):
            extends()
    else:
        extends()


def test_a_head_is_replaced_by_a_recovery_and_by_nothing_else(founded):
    log_key = founded.keys["log"].public
    known = founded.heads.recall(log_key)
    replacing = heads.Replacing(founded.heads.folder)
    assert replacing.recall(log_key) is None
    replacing.remember(log_key, Head(3, bytes(32)))
    assert founded.heads.recall(log_key) == Head(3, bytes(32))
    founded.heads.remember(log_key, known)
    assert founded.heads.recall(log_key) == known


def test_a_durable_head_is_the_newest_or_nobody_goes_on(founded):
    log_key = founded.keys["log"].public
    durable = heads.Durable(founded.heads.folder)
    durable.remember(log_key, Head(16, bytes(32)))
    durable.remember(log_key, Head(16, bytes(32)))
    for head in (Head(16, b"\x01" * 32), Head(15, bytes(32))):
        with pytest.raises(VerificationError, match="holds another head than this one of"):
            durable.remember(log_key, head)
    assert durable.recall(log_key) == Head(16, bytes(32))
