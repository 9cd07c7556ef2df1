"""The golden log of transparency-dev/tessera: its tiles, checkpoints and every consistency pair.

`tile/entries/000.p/N` holds the first N entries, each behind a big-endian length of two bytes;
`tile/0/000.p/N` holds their leaf hashes; `checkpoint.N` is the signed head of size N.
"""

import os
from itertools import pairwise
from pathlib import Path

import pytest

from ledger import checkpoint, merkle
from ledger.note import Verifier
from receipts.errors import VerificationError

DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "vectors"
LOG = Path(os.environ.get("EVIDENCE_VECTORS", DEFAULT)) / "tessera-log"
SIZE = 15

pytestmark = pytest.mark.skipif(
    not LOG.is_dir(), reason="no tessera-log at EVIDENCE_VECTORS: the golden log was not read"
)


def entries(size):
    data = (LOG / "tile/entries/000.p" / str(size)).read_bytes()
    found = []
    while data:
        length = int.from_bytes(data[:2], "big")
        found.append(data[2 : 2 + length])
        data = data[2 + length :]
    return found


@pytest.fixture(scope="module")
def leaves():
    return [merkle.leaf_hash(entry) for entry in entries(SIZE)]


@pytest.fixture(scope="module")
def heads():
    verifier = Verifier.parse((LOG / "vkey.txt").read_text().strip())
    signed = [(LOG / f"checkpoint.{size}").read_text() for size in range(SIZE + 1)]
    return [checkpoint.open_checkpoint(text, verifier) for text in signed]


@pytest.fixture(scope="module")
def read(leaves):
    tree = merkle.Frontier()
    nodes = {(0, index): leaf for index, leaf in enumerate(leaves)}
    for leaf in leaves:
        nodes |= {(level, index): node for level, index, node in tree.add(leaf)}
    return lambda level, index: nodes[level, index]


def test_every_entry_bundle_is_a_prefix_of_the_next_and_leads_to_its_tile():
    bundles = [entries(size) for size in range(1, SIZE + 1)]
    assert [len(bundle) for bundle in bundles] == list(range(1, SIZE + 1))
    assert all(new[:-1] == old for old, new in pairwise(bundles))
    for size, bundle in enumerate(bundles, 1):
        tile = (LOG / "tile/0/000.p" / str(size)).read_bytes()
        assert tile == b"".join(merkle.leaf_hash(entry) for entry in bundle)


def test_all_sixteen_checkpoints_verify_and_carry_our_roots(heads, leaves):
    tree = merkle.Frontier()
    for size, head in enumerate(heads):
        assert (head.origin, head.size, head.root) == (
            "example.com/log/testdata",
            size,
            tree.root(),
        )
        if size < SIZE:
            tree.add(leaves[size])
    assert (LOG / "checkpoint").read_text() == (LOG / f"checkpoint.{SIZE}").read_text()


def test_all_120_consistency_pairs_are_proved(heads, read):
    pairs = [(old, new) for new in range(1, SIZE + 1) for old in range(1, new + 1)]
    for old, new in pairs:
        proof = merkle.prove_consistency(old, new, read)
        merkle.check_consistency(old, new, proof, heads[old].root, heads[new].root)
        if old > 1:
            with pytest.raises(VerificationError):
                merkle.check_consistency(old, new, proof, heads[old - 1].root, heads[new].root)
    assert len(pairs) == 120


def test_every_entry_is_included_in_every_head_that_covers_it(heads, read, leaves):
    for size in range(1, SIZE + 1):
        for index in range(size):
            proof = merkle.prove_inclusion(index, size, read)
            merkle.check_inclusion(index, size, leaves[index], proof, heads[size].root)
