"""The published tree: what is written is read, and one changed byte anywhere is refused."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import checkpoint, merkle, tiles
from ledger.checkpoint import Checkpoint
from receipts.errors import Error, MalformedError
from receipts.keys import from_private

KEY = from_private(Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))
ORIGIN = "perf.example.org/engine"


def published(entries):
    tree = merkle.Frontier()
    for entry in entries:
        tree.add(merkle.leaf_hash(entry))
    head = Checkpoint(ORIGIN, tree.size, tree.root())
    return head, dict(tiles.write(entries, checkpoint.sign(head, KEY)))


LARGE = [b"entry %d" % number for number in range(257 + 256)]
LARGE_HEAD, LARGE_FILES = published(LARGE)
PATHS = sorted(set(LARGE_FILES) - {"checkpoint"})


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_what_is_written_is_read(entries):
    head, files = published(entries)
    assert list(tiles.read(files.__getitem__, head)) == entries


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([255, 256, 257, 511, 512, 513, 767, 1023]))
def test_sizes_around_full_tiles_are_read(size):
    entries = [b"%d" % number for number in range(size)]
    head, files = published(entries)
    assert list(tiles.read(files.__getitem__, head)) == entries
    for level in range(3):
        width = (size >> 8 * level) % 256
        partial = [path for path in files if path.startswith(f"tile/{level}/") and ".p/" in path]
        assert [path.rpartition("/")[2] for path in partial] == ([str(width)] if width else [])


@settings(deadline=None)
@given(st.sampled_from(PATHS), st.integers(0, 2**20), st.integers(1, 255))
def test_a_changed_byte_is_refused_and_nothing_false_is_yielded_before(path, place, mask):
    data = bytearray(LARGE_FILES[path])
    data[place % len(data)] ^= mask
    files = LARGE_FILES | {path: bytes(data)}
    seen = []
    with pytest.raises(Error):
        seen.extend(tiles.read(files.__getitem__, LARGE_HEAD))
    assert seen == LARGE[: len(seen)]


@settings(deadline=None)
@given(st.sampled_from(PATHS), st.integers(-9000, 40).filter(bool))
def test_a_file_that_is_longer_or_shorter_is_malformed(path, change):
    data = LARGE_FILES[path]
    cut = data[:change] if change < 0 else data + bytes(change)
    with pytest.raises(MalformedError):
        list(tiles.read((LARGE_FILES | {path: cut}).__getitem__, LARGE_HEAD))


@given(st.binary(max_size=300), st.integers(0, 256))
def test_a_bundle_is_refused_or_reads_back(data, width):
    try:
        entries = tiles.parse_bundle(data, width, "bundle")
    except MalformedError:
        return
    assert len(entries) == width
    assert b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries) == data


@given(st.integers(0, 2**63 - 1), st.integers(1, 256))
def test_a_path_names_its_tile_alone(index, width):
    path = tiles.bundle_path(index, width).removeprefix("tile/entries/")
    name, _, found = path.partition(".p/")
    assert int(name.replace("x", "").replace("/", "")) == index
    assert (int(found) if found else 256) == width
    groups = name.split("/")
    assert all(len(group) == 4 and group[0] == "x" for group in groups[:-1])
    assert len(groups[-1]) == 3
    assert len(groups) == 1 or groups[0] != "x000"
