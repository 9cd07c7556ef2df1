"""The tree against pymerkle, an independent RFC 9162 tree, on random leaves.

It numbers leaves from one, and its inclusion paths carry the leaf too, in an order of their own.
Its consistency proofs are not the shortest ones of the RFC and are not compared.
"""

from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from ledger import merkle
from ledger.merkle import Frontier

ENTRIES = st.lists(st.binary(max_size=40), min_size=1, max_size=130)


def grown(entries):
    """Return our reader of the tree's subtrees and the root after every entry."""
    tree, nodes, roots = Frontier(), {}, []
    for index, entry in enumerate(entries):
        nodes[0, index] = merkle.leaf_hash(entry)
        nodes |= {(level, place): node for level, place, node in tree.add(nodes[0, index])}
        roots.append(tree.root())
    return lambda level, place: nodes[level, place], roots


def path(proof):
    return [bytes.fromhex(text) for text in proof.serialize()["path"]]


@given(ENTRIES, st.data())
def test_roots_and_inclusion_paths_are_those_of_pymerkle(entries, data):
    read, roots = grown(entries)
    theirs = InmemoryTree.init_from_entries(entries, algorithm="sha256")
    size = data.draw(st.integers(1, len(entries)))
    assert [theirs.get_root(number) for number in range(1, len(entries) + 1)] == roots

    index = data.draw(st.integers(0, size - 1))
    included = sorted([*merkle.prove_inclusion(index, size, read), read(0, index)])
    assert sorted(path(theirs.prove_inclusion(index + 1, size))) == included
