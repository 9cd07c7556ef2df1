"""The tree against a recursive reference, for every size to 64, every leaf and every prefix."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import merkle
from ledger.merkle import Frontier
from receipts.errors import MalformedError, VerificationError

LIMIT = 64
LEAVES = [merkle.leaf_hash(b"entry %d" % number) for number in range(LIMIT)]


def reference_root(leaves):
    """Return the root as RFC 6962, section 2.1, defines it."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while 2 * half < len(leaves):
        half *= 2
    left, right = reference_root(leaves[:half]), reference_root(leaves[half:])
    return sha256(b"\x01" + left + right).digest()


def read(level, index):
    return reference_root(LEAVES[index << level : (index + 1) << level])


def stored():
    """Return a reader over the complete subtrees that a growing tree has made."""
    tree = Frontier()
    nodes = {(0, index): leaf for index, leaf in enumerate(LEAVES)}
    for leaf in LEAVES:
        nodes |= {(level, index): node for level, index, node in tree.add(leaf)}
    return lambda level, index: nodes[level, index]


READ = stored()
ROOTS = [reference_root(LEAVES[:size]) for size in range(LIMIT + 1)]
SIZES = range(1, LIMIT + 1)


def flipped(proof):
    for place, value in enumerate(proof):
        yield [*proof[:place], bytes([value[0] ^ 1]) + value[1:], *proof[place + 1 :]]


def misfits(proof):
    """Yield the proof with each hash changed, each left out, one too many, and turned round."""
    yield from flipped(proof)
    yield from (proof[:place] + proof[place + 1 :] for place in range(len(proof)))
    yield [*proof, LEAVES[0]]
    yield [LEAVES[0], *proof]
    if proof != proof[::-1]:
        yield proof[::-1]


def test_every_root_is_that_of_the_reference():
    tree = Frontier()
    for size in range(LIMIT + 1):
        assert tree.root() == merkle.root(size, READ) == ROOTS[size]
        if size < LIMIT:
            tree.add(LEAVES[size])


def test_a_growing_tree_yields_exactly_the_complete_subtrees():
    tree = Frontier()
    for leaf in LEAVES:
        for level, index, node in tree.add(leaf):
            assert node == read(level, index)
    made = {place for index in range(LIMIT) for place in merkle.completed(index)}
    assert made == {(level, index) for level in range(1, 7) for index in range(LIMIT >> level)}


@pytest.mark.parametrize("size", SIZES)
def test_every_leaf_is_proved_and_no_changed_proof_passes(size):
    for index in range(size):
        proof = merkle.prove_inclusion(index, size, READ)
        merkle.check_inclusion(index, size, LEAVES[index], proof, ROOTS[size])
        for wrong in misfits(proof):
            with pytest.raises(VerificationError):
                merkle.check_inclusion(index, size, LEAVES[index], wrong, ROOTS[size])
        other = (index + 1) % size
        if other != index:
            with pytest.raises(VerificationError):
                merkle.check_inclusion(other, size, LEAVES[index], proof, ROOTS[size])
            with pytest.raises(VerificationError):
                merkle.check_inclusion(index, size, LEAVES[other], proof, ROOTS[size])


@pytest.mark.parametrize("new", SIZES)
def test_every_prefix_is_proved_and_no_changed_proof_passes(new):
    for old in range(1, new + 1):
        proof = merkle.prove_consistency(old, new, READ)
        merkle.check_consistency(old, new, proof, ROOTS[old], ROOTS[new])
        for wrong in misfits(proof):
            with pytest.raises(VerificationError):
                merkle.check_consistency(old, new, wrong, ROOTS[old], ROOTS[new])
        for roots in ((ROOTS[old - 1], ROOTS[new]), (ROOTS[old], ROOTS[new - 1])):
            with pytest.raises(VerificationError):
                merkle.check_consistency(old, new, proof, *roots)


def test_a_place_outside_the_tree_has_no_proof():
    for index, size in ((-1, 3), (3, 3), (0, 0)):
        with pytest.raises(MalformedError):
            merkle.prove_inclusion(index, size, READ)
        with pytest.raises(VerificationError):
            merkle.check_inclusion(index, size, LEAVES[0], [], ROOTS[1])
    for old, new in ((0, 3), (4, 3), (-1, 3)):
        with pytest.raises(MalformedError):
            merkle.prove_consistency(old, new, READ)
        with pytest.raises(VerificationError):
            merkle.check_consistency(old, new, [], ROOTS[0], ROOTS[3])


@given(st.integers(0, 2**63), st.integers(1, 2**63), st.lists(st.binary(min_size=32, max_size=32)))
def test_made_up_proofs_never_pass_and_never_break(index, size, proof):
    with pytest.raises(VerificationError):
        merkle.check_inclusion(index, size, LEAVES[0], proof, ROOTS[7])
    with pytest.raises(VerificationError):
        merkle.check_consistency(size, size + index + 1, proof, ROOTS[7], ROOTS[9])


@given(st.binary(), st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_leaves_and_nodes_never_share_a_hash(data, left, right):
    assert merkle.leaf_hash(data) == sha256(b"\x00" + data).digest()
    assert merkle.node_hash(left, right) == sha256(b"\x01" + left + right).digest()
    assert merkle.leaf_hash(left + right) != merkle.node_hash(left, right)
