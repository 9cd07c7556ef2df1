"""Notes and checkpoints: what is signed opens again, and every other spelling is refused."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from ledger import checkpoint, note
from ledger.checkpoint import Checkpoint
from ledger.note import Verifier
from receipts.errors import Error, MalformedError, VerificationError
from receipts.keys import from_private

KEY = from_private(Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))
OTHER = from_private(Ed25519PrivateKey.from_private_bytes(b"\x02" * 32))
NAME = "perf.example.org/engine"
VERIFIER = Verifier(NAME, KEY.public)
SIGNED = note.sign("a text\n", NAME, KEY)

CONTROLS = "".join(map(chr, range(32)))
characters = st.characters(exclude_categories=["Cs"], exclude_characters=CONTROLS)
texts = st.text(characters | st.just("\n")).map(lambda text: text + "\n")
names = st.text(characters.filter(lambda c: c != "+" and not c.isspace()), min_size=1, max_size=40)


@given(texts, names)
def test_what_is_signed_opens_again(text, name):
    signed = note.sign(text, name, KEY)
    assert note.open_note(signed, Verifier(name, KEY.public)) == text
    for stranger in (Verifier(name, OTHER.public), Verifier(name + "x", KEY.public)):
        with pytest.raises(VerificationError, match="carries no signature by"):
            note.open_note(signed, stranger)


@given(st.integers(0, len(SIGNED) - 1), st.characters(exclude_categories=["Cs"]))
def test_a_note_with_one_character_changed_is_refused(place, character):
    changed = SIGNED[:place] + character + SIGNED[place + 1 :]
    if changed != SIGNED:
        with pytest.raises(Error):
            note.open_note(changed, VERIFIER)


@given(names, st.binary(min_size=32, max_size=32))
def test_a_verifier_key_reads_back(name, seed):
    verifier = Verifier(name, from_private(Ed25519PrivateKey.from_private_bytes(seed)).public)
    assert Verifier.parse(verifier.vkey) == verifier


@given(st.text())
def test_text_that_is_no_verifier_key_is_malformed(text):
    with pytest.raises(MalformedError):
        Verifier.parse(text)


@given(st.text(characters, min_size=1), st.integers(0, 2**64), st.binary(min_size=32, max_size=32))
def test_a_checkpoint_reads_back(origin, size, root):
    found = Checkpoint(origin, size, root)
    assert checkpoint.parse_checkpoint(checkpoint.format_checkpoint(found)) == found


@given(st.text() | st.lists(st.text(), min_size=3, max_size=3).map(lambda x: "\n".join(x) + "\n"))
def test_any_other_text_is_no_checkpoint(text):
    try:
        found = checkpoint.parse_checkpoint(text)
    except MalformedError:
        return
    assert checkpoint.format_checkpoint(found) == text


@given(st.integers(1, 2**63), st.binary(min_size=32, max_size=32))
def test_a_signed_checkpoint_opens_and_only_under_its_own_name(size, root):
    found = Checkpoint(NAME, size, root)
    signed = checkpoint.sign(found, KEY)
    assert checkpoint.open_checkpoint(signed, VERIFIER) == found
    foreign = note.sign(checkpoint.format_checkpoint(Checkpoint("else", size, root)), NAME, KEY)
    with pytest.raises(MalformedError, match="is of 'else', not of"):
        checkpoint.open_checkpoint(foreign, VERIFIER)


@pytest.mark.parametrize("length", [0, 1, 31, 63, 65, 200])
def test_a_signature_of_another_length_does_not_verify(length):
    data = base64.b64encode(VERIFIER.key_id + bytes(length)).decode()
    wanted = MalformedError if length == 0 else VerificationError
    with pytest.raises(wanted):
        note.open_note(f"a text\n\n\u2014 {NAME} {data}\n", VERIFIER)
