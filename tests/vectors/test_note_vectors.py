"""Signed notes against known answers, and every rule of the checkpoint page that refuses.

The notes of C2SP and of golang.org/x/mod come from signed-note.json; the rest is made here.
"""

import base64
import json
import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import checkpoint, note
from ledger.note import Verifier
from receipts.errors import MalformedError, VerificationError
from receipts.keys import from_private

DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "vectors"
VECTORS = Path(os.environ.get("EVIDENCE_VECTORS", DEFAULT)) / "signed-note.json"
known = pytest.mark.skipif(
    not VECTORS.is_file(), reason="no signed-note.json at EVIDENCE_VECTORS: no note was compared"
)
NAME = "perf.example.org/engine"
ROOT = base64.b64encode(bytes(32)).decode()


def signer(seed):
    return from_private(Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32))


KEY, OTHER = signer(1), signer(2)
VERIFIER = Verifier(NAME, KEY.public)
TEXT = f"{NAME}\n3\n{ROOT}\n"
SIGNED = note.sign(TEXT, NAME, KEY)
LINE = SIGNED.split("\n\n")[1]


def line(name, data):
    return f"\u2014 {name} {base64.b64encode(data).decode()}\n"


@pytest.fixture(scope="module")
def vectors():
    return json.loads(VECTORS.read_text())


@known
def test_known_notes_open_with_their_keys(vectors):
    for case in vectors["notes"]:
        verifier = Verifier.parse(case["vkey"])
        assert note.open_note(case["note"], verifier) == case["note"].split("\n\n")[0] + "\n"
        with pytest.raises(VerificationError):
            note.open_note("x" + case["note"], verifier)


@known
def test_the_known_signing_key_makes_the_known_note(vectors):
    case = next(case for case in vectors["notes"] if "signing_key_b64" in case)
    seed = base64.b64decode(case["signing_key_b64"])[1:]
    key = from_private(Ed25519PrivateKey.from_private_bytes(seed))
    text = case["note"].split("\n\n")[0] + "\n"
    assert note.sign(text, case["vkey"].split("+")[0], key) == case["note"]


@known
def test_known_malformed_verifier_keys_are_refused(vectors):
    assert vectors["malformed_vkeys"]
    for vkey in vectors["malformed_vkeys"]:
        with pytest.raises(MalformedError):
            Verifier.parse(vkey)


@pytest.mark.parametrize(
    "vkey",
    [
        "",
        NAME,
        f"{NAME}+{VERIFIER.key_id.hex()}",
        VERIFIER.vkey + "=",
        VERIFIER.vkey.replace(VERIFIER.key_id.hex(), VERIFIER.key_id.hex().upper()),
        VERIFIER.vkey.replace(VERIFIER.key_id.hex(), "00000000"),
        VERIFIER.vkey.replace(NAME, "another"),
        VERIFIER.vkey.replace(NAME, ""),
        VERIFIER.vkey.replace(NAME, "with space"),
        f"{NAME}+{VERIFIER.key_id.hex()}+AQ==",
    ],
)
def test_chk_2_a_verifier_key_in_another_spelling_is_malformed(vkey):
    with pytest.raises(MalformedError):
        Verifier.parse(vkey)


def test_chk_2_the_key_id_binds_name_and_key():
    assert Verifier("a", KEY.public).key_id != Verifier("b", KEY.public).key_id
    assert Verifier("a", KEY.public).key_id != Verifier("a", OTHER.public).key_id


@pytest.mark.parametrize(
    ("signed", "message"),
    [
        (SIGNED.rstrip("\n"), "no empty line before"),
        (TEXT, "no empty line before"),
        (TEXT + "\n", "carries 0 signatures"),
        (SIGNED + "\n", "carries 0 signatures"),
        (SIGNED.replace("\n", "\r\n"), "no empty line before"),
        (SIGNED.replace("\n3\n", "\r\n3\n"), "no control characters"),
        (SIGNED.replace("3", "3\t"), "no control characters"),
        (SIGNED.replace("3", "3\0"), "no control characters"),
        (SIGNED + "trailing words\n", "malformed signature line"),
        (SIGNED.replace("\u2014", "-"), "malformed signature line"),
        (SIGNED.replace("\u2014 ", "\u2014  "), "malformed signature line"),
        (f"{TEXT}\n\u2014 {NAME} !!!!\n", "malformed signature line"),
        (f"{TEXT}\n\u2014 {NAME} AAAAA\n", "not base64"),
        (f"{TEXT}\n\u2014 {NAME} AAAA\n", "not canonical base64"),
        (f"{TEXT}\n\u2014 {NAME} AAAAAAB=\n", "not canonical base64"),
    ],
)
def test_chk_1_a_note_out_of_form_is_malformed(signed, message):
    with pytest.raises(MalformedError, match=message):
        note.open_note(signed, VERIFIER)


def test_chk_1_a_note_larger_than_a_million_characters_is_malformed():
    with pytest.raises(MalformedError, match="larger than"):
        note.open_note("x" * note.MAX_BYTES + SIGNED, VERIFIER)


def test_chk_1_text_with_control_characters_is_never_signed():
    for text in ("no newline", "a\tb\n", "a\r\n", "\x1b[31m\n", ""):
        with pytest.raises(MalformedError, match="end in a newline"):
            note.sign(text, NAME, KEY)


def test_chk_3_a_hundred_signatures_open_and_one_more_is_malformed():
    strangers = [line(f"s{n}", bytes(68)) for n in range(note.MAX_SIGNATURES)]
    assert note.open_note(SIGNED + "".join(strangers[1:]), VERIFIER) == TEXT
    with pytest.raises(MalformedError, match="carries 101 signatures, not 1 to 100"):
        note.open_note(SIGNED + "".join(strangers), VERIFIER)


def test_chk_4_a_line_by_an_unknown_key_is_ignored():
    same_name = line(NAME, b"\0\0\0\0" + bytes(64))
    same_id = line("elsewhere", VERIFIER.key_id + bytes(64))
    assert note.open_note(f"{TEXT}\n{same_name}{same_id}{LINE}", VERIFIER) == TEXT
    with pytest.raises(VerificationError, match="carries no signature by perf"):
        note.open_note(f"{TEXT}\n{same_name}{same_id}", VERIFIER)


def test_chk_4_a_failing_line_by_a_known_key_rejects_a_note_that_also_verifies():
    failing = line(NAME, VERIFIER.key_id + bytes(64))
    for block in (failing + LINE, LINE + failing):
        with pytest.raises(VerificationError, match="does not verify"):
            note.open_note(f"{TEXT}\n{block}", VERIFIER)


def test_chk_4_only_the_last_empty_line_ends_the_text():
    text = f"{TEXT}\n{LINE}"
    assert note.open_note(note.sign(text, NAME, OTHER), Verifier(NAME, OTHER.public)) == text


@pytest.mark.parametrize(
    "text",
    [
        f"{NAME}\n007\n{ROOT}\n",
        f"{NAME}\n+7\n{ROOT}\n",
        f"{NAME}\n-7\n{ROOT}\n",
        f"{NAME}\n 7\n{ROOT}\n",
        f"{NAME}\n1_0\n{ROOT}\n",
        f"{NAME}\n7.0\n{ROOT}\n",
        f"{NAME}\n0x7\n{ROOT}\n",
        f"{NAME}\n\uff17\n{ROOT}\n",
        f"{NAME}\n\u0667\n{ROOT}\n",
        f"{NAME}\n\n{ROOT}\n",
        f"{NAME}\n{'9' * 5000}\n{ROOT}\n",
        f"{NAME}\n7\n{ROOT}",
        f"{NAME}\n7\n",
        f"{NAME}\n7\n{ROOT}\n\n",
        f"{NAME}\n7\n{ROOT}\nextension\n",
        f"\n7\n{ROOT}\n",
        f"{NAME}\n7\n{ROOT[:-1]}\n",
        f"{NAME}\n7\n{ROOT[:-2]}B=\n",
        f"{NAME}\n7\n{base64.b64encode(bytes(31)).decode()}\n",
        f"{NAME}\n7\n{base64.b64encode(bytes(33)).decode()}\n",
        f"{NAME}\n7\n \n",
    ],
)
def test_chk_5_a_checkpoint_in_another_spelling_is_malformed(text):
    with pytest.raises(MalformedError):
        checkpoint.parse_checkpoint(text)
    with pytest.raises((MalformedError, VerificationError)):
        checkpoint.open_checkpoint(f"{text}\n{LINE}", VERIFIER)


def test_chk_6_the_key_signs_under_the_origin():
    foreign = f"elsewhere\n3\n{ROOT}\n"
    with pytest.raises(MalformedError, match="is of 'elsewhere', not of 'perf"):
        checkpoint.open_checkpoint(note.sign(foreign, NAME, KEY), VERIFIER)
