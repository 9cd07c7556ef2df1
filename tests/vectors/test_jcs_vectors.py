"""The RFC 8785 vectors: inside our subset they round trip, outside it they are refused.

inside    structures, unicode
outside   arrays (null), values (floats, null), french and weird (keys beyond ASCII)
"""

import json
import os
from pathlib import Path

import pytest
import rfc8785

from receipts import canonical
from receipts.errors import MalformedError

DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "vectors"
VECTORS = Path(os.environ.get("EVIDENCE_VECTORS", DEFAULT)) / "jcs"
OUTSIDE = {
    "arrays": "NoneType None has no place",
    "values": "is a float",
    "french": "object key 'péché' is not an ASCII string",
    # JCS orders keys by UTF-16, where a smiley comes before a Hebrew letter; we never need to.
    "weird": "is not in canonical form",
}
INSIDE = ["structures", "unicode"]

pytestmark = pytest.mark.skipif(
    not VECTORS.is_dir(), reason="no jcs vectors at EVIDENCE_VECTORS: they were not run"
)


def vector(name):
    given = (VECTORS / "input" / f"{name}.json").read_bytes()
    return given, (VECTORS / "output" / f"{name}.json").read_bytes()


def test_every_vector_is_accounted_for():
    names = {path.stem for path in (VECTORS / "input").iterdir()}
    assert names == {*INSIDE, *OUTSIDE}


@pytest.mark.parametrize("name", [*INSIDE, *OUTSIDE])
def test_output_and_its_hexadecimal_agree(name):
    _, output = vector(name)
    assert bytes.fromhex((VECTORS / "outhex" / f"{name}.txt").read_text()) == output


@pytest.mark.parametrize("name", INSIDE)
def test_a_vector_inside_the_subset_round_trips(name):
    """CJ-1, CJ-2, CJ-8."""
    _, output = vector(name)
    assert canonical.encode(canonical.decode(output)) == output


@pytest.mark.parametrize("name", INSIDE)
def test_a_vector_inside_the_subset_is_encoded_from_its_input(name):
    given, output = vector(name)
    # 56.0 in the input is 56 in the output; a float is outside, so it is made an integer here.
    assert canonical.encode(json.loads(given, parse_float=lambda text: int(float(text)))) == output


@pytest.mark.parametrize(("name", "sentence"), OUTSIDE.items())
def test_a_vector_outside_the_subset_is_refused_though_it_is_jcs(name, sentence):
    """CJ-5, CJ-6, CJ-7."""
    given, output = vector(name)
    assert rfc8785.dumps(json.loads(given)) == output
    with pytest.raises(MalformedError, match=sentence):
        canonical.decode(output)
    with pytest.raises(MalformedError):
        canonical.encode(json.loads(given))


@pytest.mark.parametrize("name", [*INSIDE, *OUTSIDE])
def test_no_input_is_canonical_itself(name):
    given, _ = vector(name)
    with pytest.raises(MalformedError):
        canonical.decode(given)
