"""Known answers of merkle.json: RFC 6962 roots, 98 inclusion and 98 consistency proofs."""

import json
import os
from base64 import b64decode
from pathlib import Path

import pytest

from ledger import merkle
from receipts.errors import VerificationError

DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "vectors"
VECTORS = Path(os.environ.get("EVIDENCE_VECTORS", DEFAULT)) / "merkle.json"

pytestmark = pytest.mark.skipif(
    not VECTORS.is_file(), reason="no merkle.json at EVIDENCE_VECTORS: no proof was compared"
)


@pytest.fixture(scope="module")
def vectors():
    return json.loads(VECTORS.read_text())


def hashes(case, *names):
    return [b64decode(case[name] or "") for name in names]


def outcome(check, *arguments):
    """Return whether the check refused."""
    try:
        check(*arguments)
    except VerificationError:
        return True
    return False


def test_all_inclusion_proofs_are_judged_as_wanted(vectors):
    wrong = []
    for case in vectors["inclusion"]:
        leaf, root = hashes(case, "leafHash", "root")
        proof = [b64decode(item) for item in case["proof"] or ()]
        place = case["leafIdx"], case["treeSize"]
        if outcome(merkle.check_inclusion, *place, leaf, proof, root) != case["wantErr"]:
            wrong.append(case["case"])
    assert (len(vectors["inclusion"]), wrong) == (98, [])


def test_all_consistency_proofs_are_judged_as_wanted(vectors):
    wrong = []
    for case in vectors["consistency"]:
        roots = hashes(case, "root1", "root2")
        proof = [b64decode(item) for item in case["proof"] or ()]
        sizes = case["size1"], case["size2"]
        if outcome(merkle.check_consistency, *sizes, proof, *roots) != case["wantErr"]:
            wrong.append(case["case"])
    assert (len(vectors["consistency"]), wrong) == (98, [])


def test_the_roots_of_the_reference_leaves(vectors):
    known = vectors["roots"]
    tree = merkle.Frontier()
    roots = [tree.root().hex()]
    for leaf in known["leaves_hex"]:
        tree.add(merkle.leaf_hash(bytes.fromhex(leaf)))
        roots.append(tree.root().hex())
    assert roots == known["root_hex_by_size"]


def test_the_hash_of_a_leaf_and_of_a_node(vectors):
    leaf, node = vectors["leaf"], vectors["node"]
    assert merkle.leaf_hash(leaf["data"].encode()).hex() == leaf["hash_hex"]
    assert merkle.node_hash(node["left"].encode(), node["right"].encode()).hex() == node["hash_hex"]
