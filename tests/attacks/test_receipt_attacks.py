"""One attack and more for every rule of the format pages of this package.

The pages are canonical-json (CJ), envelope (ENV), receipt (REC), keys (KEY) and configuration
(CONF) in docs/reference/formats. An attack is a change to something good, the class of error that
must come of it (its exit code follows), and a piece of the sentence.
"""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from receipts import canonical, cli, envelope, keys, receipt, statement, workspace
from receipts.digest import Digest
from receipts.errors import ConflictError, MalformedError, NotFoundError, VerificationError
from receipts.keys import PublicKey

REPOSITORY = Path(receipt.__file__).parents[1]
PAGES = REPOSITORY / "docs" / "reference" / "formats"
PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493


def refused_json(data, sentence):
    with pytest.raises(MalformedError, match=sentence):
        canonical.decode(data)


# Canonical JSON


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbf1", b"\xff", b'"\xc3"', b'"\xc0\x80"', b'"\xed\xa0\x80"', "1".encode("utf-16")],
)
def test_cj_1_what_is_not_plain_utf_8_is_malformed(data):
    refused_json(data, "not canonical JSON")


@pytest.mark.parametrize(
    "data",
    [b" 1", b"1 ", b"1\n", b"1\r\n", b"[1, 2]", b'{"a": 1}', b"[\n]", b"\t1", b'{"b":1,"a":2}',
     b'{"aa":1,"a":2}', b'{"a":1,"B":2}', b'{"a":1}\r\n{"a":1}'],
)  # fmt: skip
def test_cj_2_white_space_and_another_order_are_malformed(data):
    refused_json(data, "JSON")


@pytest.mark.parametrize(
    "data", [b'{"a":1,"a":1}', b'{"a":1,"a":2}', b'[{"x":{"a":1,"a":[]}}]', b'{"a":1,"\\u0061":1}']
)
def test_cj_3_a_key_that_stands_twice_is_malformed(data):
    refused_json(data, "not in canonical form")


@pytest.mark.parametrize(
    "text",
    ["007", "+7", "-0", "-", "- 1", "0x10", "1_000", "７", "1７", "9007199254740992",
     "-9007199254740992", "1" + "0" * 400, "9" * 100_000, "--1", "00", "-01"],
)  # fmt: skip
def test_cj_4_another_number_form_or_a_big_integer_is_malformed(text):
    refused_json(text.encode(), "JSON|outside")
    refused_json(b'{"n":' + text.encode() + b"}", "JSON|outside")


@pytest.mark.parametrize(
    "text",
    ["1.0", "1.5", "-0.0", "1e3", "1E3", "1e400", "-1e400", "1e-400", "NaN", "Infinity",
     "-Infinity", "0." + "1" * 10_000, "1e99999999999999999999"],
)  # fmt: skip
def test_cj_5_a_float_is_malformed(text):
    refused_json(text.encode(), "is a float")
    refused_json(b"[" + text.encode() + b"]", "is a float")


@pytest.mark.parametrize("text", [".5", "5.", "1.e3", "nan", "inf", "１.５"])
def test_cj_5_what_json_does_not_call_a_number_is_malformed(text):
    refused_json(text.encode(), "not canonical JSON")


@pytest.mark.parametrize("data", [b"null", b"[null]", b'{"a":null}', b'{"a":[{"b":null}]}'])
def test_cj_6_null_is_malformed(data):
    refused_json(data, "NoneType None has no place in canonical JSON")


def test_cj_6_the_word_null_in_a_string_is_no_null():
    assert canonical.decode(b'{"null":"null"}') == {"null": "null"}


@pytest.mark.parametrize("key", ["é", "\x80", "日", "😂"])
def test_cj_7_a_key_beyond_ascii_is_malformed(key):
    refused_json(f'{{"{key}":1}}'.encode(), "is not an ASCII string")
    refused_json(f'[[{{"{key}":1}}]]'.encode(), "is not an ASCII string")


@pytest.mark.parametrize(
    "text",
    ['"\\/"', '"\\u0041"', '"\\u000A"', '"\\u000a"', '"\\u001F"', '"\\u00e9"', '"\\ud83d\\ude02"',
     '"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"\t"', '"\x00"', '"\\x41"', "'a'", '"\\u2028"'],
)  # fmt: skip
def test_cj_8_another_escape_or_half_a_surrogate_pair_is_malformed(text):
    refused_json(text.encode(), "JSON")


def test_cj_8_the_shortest_escapes_are_read():
    data = '"\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f\x7fé\u2028😂/"'.encode()
    assert canonical.encode(canonical.decode(data)) == data


@pytest.mark.parametrize("depth", [65, 1000, 10_000, 1_000_000])
@pytest.mark.parametrize("piece", [(b"[", b"1", b"]"), (b'{"a":', b"1", b"}")])
@pytest.mark.parametrize("closed", [True, False])
def test_cj_9_deep_nesting_is_malformed(depth, piece, closed):
    opening, inner, closing = piece
    refused_json(opening * depth + inner + closing * depth * closed, "nested|recursion|canonical")


def test_cj_10_a_document_over_the_limit_is_malformed():
    refused_json(b'"' + b"x" * canonical.MAX_BYTES, "is over the limit of 67108864")


# Envelope


@pytest.fixture
def good(sample):
    """Return the bytes of a good receipt."""
    return sample.envelope.raw


def edited(raw, **fields):
    """Return the canonical bytes of an envelope with fields replaced, or left out where None."""
    value = {**json.loads(raw), **fields}
    return canonical.encode({key: item for key, item in value.items() if item is not None})


def signature_of(raw, **fields):
    [one] = json.loads(raw)["signatures"]
    return {key: item for key, item in {**one, **fields}.items() if item is not None}


def padding_bits(text):
    """Return `text` (base64 that ends in ==) with a bit set that decoding drops."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    at = len(text.rstrip("=")) - 1
    return text[:at] + alphabet[alphabet.index(text[at]) | 1] + text[at + 1 :]


def lax(raw):
    return signature_of(raw)["sig"]


ENVELOPES = {
    "ENV-1 an unknown field": lambda raw: edited(raw, zzz="x"),
    "ENV-1 no payload": lambda raw: edited(raw, payload=None),
    "ENV-1 no type": lambda raw: edited(raw, payloadType=None),
    "ENV-1 no signatures": lambda raw: edited(raw, signatures=None),
    "ENV-1 a payload that is no string": lambda raw: edited(raw, payload=1),
    "ENV-1 an unknown field in the signature": lambda raw: edited(
        raw, signatures=[signature_of(raw, cert="x")]
    ),
    "ENV-1 no keyid": lambda raw: edited(raw, signatures=[signature_of(raw, keyid=None)]),
    "ENV-1 no sig": lambda raw: edited(raw, signatures=[signature_of(raw, sig=None)]),
    "ENV-1 a list": lambda raw: b"[" + raw + b"]",
    "ENV-1 nothing": lambda raw: b"",
    "ENV-2 a newline at the end": lambda raw: raw + b"\n",
    "ENV-2 a byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "ENV-2 a space": lambda raw: raw.replace(b",", b", ", 1),
    "ENV-2 an escape": lambda raw: raw.replace(b"payloadType", b"payload\\u0054ype"),
    "ENV-2 an escaped slash": lambda raw: raw.replace(b"application/", b"application\\/"),
    "ENV-2 another order": lambda raw: json.dumps(
        dict(reversed(json.loads(raw).items())), separators=(",", ":")
    ).encode(),
    "ENV-2 a field twice": lambda raw: raw.replace(b'{"payload"', b'{"payload":"","payload"', 1),
    "ENV-2 two envelopes": lambda raw: raw + raw,
    "ENV-2 cut short": lambda raw: raw[:-1],
    "ENV-3 no signature": lambda raw: edited(raw, signatures=[]),
    "ENV-3 the same signature twice": lambda raw: edited(raw, signatures=[signature_of(raw)] * 2),
    "ENV-3 a signature and a foreign one": lambda raw: edited(
        raw, signatures=[signature_of(raw), signature_of(raw, keyid="SHA256:" + "A" * 43)]
    ),
    "ENV-4 URL-safe base64": lambda raw: edited(raw, payload="_-_-"),
    "ENV-4 a payload AB== for AA==": lambda raw: edited(raw, payload="AB=="),
    "ENV-4 a payload AAB= for AAA=": lambda raw: edited(raw, payload="AAB="),
    "ENV-4 no padding": lambda raw: edited(raw, payload="AA"),
    "ENV-4 too much padding": lambda raw: edited(raw, payload="AAAA=="),
    "ENV-4 padding inside": lambda raw: edited(raw, payload="AA==AAAA"),
    "ENV-4 padding alone": lambda raw: edited(raw, payload="=="),
    "ENV-4 one character": lambda raw: edited(raw, payload="A"),
    "ENV-4 a newline in base64": lambda raw: edited(raw, payload="AAAA\nAAAA"),
    "ENV-4 spare bits in the signature": lambda raw: edited(
        raw, signatures=[signature_of(raw, sig=padding_bits(lax(raw)))]
    ),
    "ENV-4 a signature of 63 bytes": lambda raw: edited(
        raw, signatures=[signature_of(raw, sig=base64.b64encode(bytes(63)).decode())]
    ),
    "ENV-4 a signature of 65 bytes": lambda raw: edited(
        raw, signatures=[signature_of(raw, sig=base64.b64encode(bytes(65)).decode())]
    ),
    "ENV-4 no padding in the signature": lambda raw: edited(
        raw, signatures=[signature_of(raw, sig=lax(raw).rstrip("="))]
    ),
    "ENV-5 an empty keyid": lambda raw: edited(raw, signatures=[signature_of(raw, keyid="")]),
    "ENV-5 an MD5 fingerprint": lambda raw: edited(
        raw, signatures=[signature_of(raw, keyid="MD5:" + ":".join(["00"] * 16))]
    ),
    "ENV-5 a padded keyid": lambda raw: edited(
        raw, signatures=[signature_of(raw, keyid=signature_of(raw)["keyid"] + "=")]
    ),
    "ENV-6 an empty type": lambda raw: edited(raw, payloadType=""),
    "ENV-6 a type of two words": lambda raw: edited(raw, payloadType="text plain"),
    "ENV-6 a type beyond ASCII": lambda raw: edited(raw, payloadType="text/é"),
    "ENV-6 a type with a quotation mark": lambda raw: edited(raw, payloadType='a"b'),
    "ENV-6 a type with a backslash": lambda raw: edited(raw, payloadType="a\\b"),
    "ENV-6 a type of 256 characters": lambda raw: edited(raw, payloadType="x" * 256),
}


@pytest.mark.parametrize("name", ENVELOPES)
def test_a_malformed_envelope_is_refused(name, good):
    bad = ENVELOPES[name](good)
    assert bad != good
    with pytest.raises(MalformedError, match="envelope"):
        envelope.parse(bad)


def other_kind(raw):
    return edited(raw, payloadType="application/vnd.in-toto+jsonl")


def shifted(raw):
    """Move the last byte of the type to the payload: the same letters, another boundary."""
    value = json.loads(raw)
    kind, payload = value["payloadType"], base64.b64decode(value["payload"])
    moved = base64.b64encode(kind[-1:].encode() + payload).decode()
    return edited(raw, payloadType=kind[:-1], payload=moved)


def plus_order(raw):
    """Add the group's order to the signature's scalar: the same equation, other bytes."""
    sig = base64.b64decode(lax(raw))
    scalar = int.from_bytes(sig[32:], "little") + ORDER
    other = base64.b64encode(sig[:32] + scalar.to_bytes(32, "little")).decode()
    return edited(raw, signatures=[signature_of(raw, sig=other)])


SIGNATURES = {
    "ENV-7 another type": other_kind,
    "ENV-7 another payload": lambda raw: edited(raw, payload="AAAA"),
    "ENV-7 no payload": lambda raw: edited(raw, payload=""),
    "ENV-7 a shifted boundary": shifted,
    "ENV-7 a signature of zeros": lambda raw: edited(
        raw, signatures=[signature_of(raw, sig=base64.b64encode(bytes(64)).decode())]
    ),
    "ENV-7 the signature's scalar plus the order": plus_order,
    "ENV-8 another keyid": lambda raw: edited(
        raw, signatures=[signature_of(raw, keyid="SHA256:" + "A" * 43)]
    ),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_an_envelope_whose_signature_does_not_hold_is_no(name, good, signing_key):
    bad = SIGNATURES[name](good)
    assert bad != good
    with pytest.raises(VerificationError):
        envelope.parse(bad).verify(signing_key.public)


def test_env_7_a_signature_over_the_bare_payload_is_no(signing_key):
    raw = envelope.sign(signing_key, "text/plain", b"hello")
    bare = base64.b64encode(signing_key.sign(b"hello")).decode()
    bad = edited(raw, signatures=[signature_of(raw, sig=bare)])
    with pytest.raises(VerificationError, match="does not verify"):
        envelope.parse(bad).verify(signing_key.public)


def test_env_8_the_keyid_of_another_trusted_key_helps_nobody(good, signing_key, other_key):
    bad = edited(good, signatures=[signature_of(good, keyid=other_key.public.fingerprint)])
    for key in (signing_key, other_key):
        with pytest.raises(VerificationError):
            envelope.parse(bad).verify(key.public)


def test_env_9_an_envelope_over_the_limit_is_malformed():
    with pytest.raises(MalformedError, match="is over the limit of 16777216"):
        envelope.parse(b"x" * (envelope.MAX_BYTES + 1))


def test_env_10_any_other_bytes_have_another_identity(good):
    opened = envelope.parse(good)
    assert opened.digest == Digest.of(good)
    assert opened.digest.hex != Digest.of(good + b"\n").hex


@pytest.mark.parametrize("mask", [0x01, 0x02, 0x20, 0x80, 0xFF])
def test_every_byte_of_a_receipt_matters(good, signing_key, mask):
    """ENV-7: no changed byte passes both the form and the signature."""
    receipt.parse(good).envelope.verify(signing_key.public)
    for at in range(len(good)):
        bad = good[:at] + bytes([good[at] ^ mask]) + good[at + 1 :]
        with pytest.raises((MalformedError, VerificationError)):
            receipt.parse(bad).envelope.verify(signing_key.public)


def test_every_byte_of_a_receipt_is_needed_and_none_may_be_added(good, signing_key):
    for at in range(len(good)):
        for bad in (
            good[:at],
            good[:at] + good[at + 1 :],
            good[:at] + good[at : at + 1] + good[at:],
        ):
            with pytest.raises((MalformedError, VerificationError)):
                receipt.parse(bad).envelope.verify(signing_key.public)


# Receipt


def re_signed(key, change):
    """Return a receipt whose statement was changed before it was signed, by its own signer."""
    value = {
        "_type": statement.STATEMENT_TYPE,
        "predicate": {
            "cell": "decode-p16",
            "environment": {},
            "figures": [
                {"metric": "m", "n": 6, "statistic": "mean", "unit": "tok/s", "value": "33.50"}
            ],
            "identity": {"model": "tiny"},
            "origin": "attached",
            "started_at": "2026-11-29T10:00:00.000Z",
        },
        "predicateType": statement.RUN,
        "subject": [
            {"digest": {"sha256": "3f" * 32}, "name": "raw"},
            {"digest": {"sha256": "ab" * 32}, "name": "log"},
        ],
    }
    change(value)
    payload = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return envelope.sign(key, statement.PAYLOAD_TYPE, payload.encode())


def put(*path_and_value):
    """Return a change that puts a value at a path."""
    *path, last, new = path_and_value

    def change(value):
        for key in path:
            value = value[key]
        value[last] = new

    return change


def drop(*path):
    def change(value):
        for key in path[:-1]:
            value = value[key]
        del value[path[-1]]

    return change


RUN, FIGURE = "predicate", ("predicate", "figures", 0)
RECEIPTS = {
    "REC-2 a field beside": (put("note", "x"), "note: unknown field"),
    "REC-2 no subject": (drop("subject"), "subject: is missing"),
    "REC-2 no predicate": (drop("predicate"), "predicate: "),
    "REC-3 another statement type": (put("_type", "https://in-toto.io/Statement/v0.1"), "_type"),
    "REC-3 no statement type": (drop("_type"), "_type: is missing"),
    "REC-4 another predicate type": (
        put("predicateType", "urn:evidence-ledger:run:v2"),
        "unknown predicate type 'urn:evidence-ledger:run:v2'",
    ),
    "REC-4 a list for a predicate type": (put("predicateType", []), "unknown predicate type"),
    "REC-4 a run called a window": (put("predicateType", statement.WINDOW), "predicate: "),
    "REC-4 a run called a comparison": (
        put("predicateType", statement.COMPARISON),
        "predicate: ",
    ),
    "REC-5 a field in the run": (put(RUN, "gpu", "x"), "gpu: unknown field"),
    "REC-5 a field in a figure": (put(*FIGURE, "ci", "x"), "figures.0.ci: unknown field"),
    "REC-5 a field in a subject": (put("subject", 0, "uri", "x"), "subject.0.uri: unknown field"),
    "REC-5 facts inside facts": (put(RUN, "identity", {"a": {"b": 1}}), "identity.a"),
    "REC-6 no subjects": (put("subject", []), "subject: "),
    "REC-6 two subjects of one name": (put("subject", 1, "name", "raw"), "names one subject twice"),
    "REC-6 another hash": (put("subject", 0, "digest", {"sha1": "00"}), "subject.0.digest"),
    "REC-6 a second hash": (put("subject", 0, "digest", "md5", "00"), "md5: unknown field"),
    "REC-6 no hash": (put("subject", 0, "digest", {}), "sha256: is missing"),
    "REC-6 upper case": (put("subject", 0, "digest", "sha256", "3F" * 32), "sha256: is not of"),
    "REC-6 our prefix": (
        put("subject", 0, "digest", "sha256", "sha256:" + "3f" * 32),
        "sha256: is not of",
    ),
    "REC-7 a float": (put(*FIGURE, "value", 33.5), "is a float"),
    "REC-7 an integer for a decimal": (put(*FIGURE, "value", 33), "value: must be text"),
    "REC-7 an exponent": (put(*FIGURE, "value", "3.35e1"), "value: is not of the required form"),
    "REC-7 a leading zero": (put(*FIGURE, "value", "033.5"), "value: is not of the required form"),
    "REC-7 a plus sign": (put(*FIGURE, "value", "+33.5"), "value: is not of the required form"),
    "REC-7 full-width digits": (
        put(*FIGURE, "value", "３３"),
        "value: is not of the required form",
    ),
    "REC-7 a line end": (put(*FIGURE, "value", "33.5\n"), "value: is not of the required form"),
    "REC-7 text for a count": (put(*FIGURE, "n", "6"), "n: must be a whole number"),
    "REC-7 a truth value for a count": (put(*FIGURE, "n", True), "n: must be a whole"),
    "REC-8 null": (put(RUN, "exit_status", None), "NoneType None has no place"),
    "REC-8 null for a list": (put(RUN, "warnings", None), "NoneType None has no place"),
    "REC-9 another origin": (put(RUN, "origin", "heard"), "origin: must be one of"),
    "REC-9 no origin": (drop(RUN, "origin"), "origin: is missing"),
    "REC-10 local time": (put(RUN, "started_at", "2026-11-29T10:00:00.000"), "started_at: "),
    "REC-10 an offset": (put(RUN, "started_at", "2026-11-29T10:00:00.000+00:00"), "started_at: "),
    "REC-10 whole seconds": (put(RUN, "started_at", "2026-11-29T10:00:00Z"), "started_at: "),
    "REC-10 a number": (put(RUN, "started_at", 1_800_000_000), "started_at: "),
}


def test_the_receipt_that_the_attacks_change_is_good(signing_key):
    made = receipt.parse(re_signed(signing_key, lambda value: None))
    made.envelope.verify(signing_key.public)


@pytest.mark.parametrize("name", RECEIPTS)
def test_a_signed_but_malformed_receipt_is_refused(name, signing_key):
    change, sentence = RECEIPTS[name]
    raw = re_signed(signing_key, change)
    envelope.parse(raw).verify(signing_key.public)
    with pytest.raises(MalformedError) as caught:
        receipt.parse(raw)
    assert sentence in str(caught.value)


def test_rec_1_a_payload_under_another_type_is_refused(signing_key, sample):
    for kind in ("application/vnd.evidence-ledger.entry+json", "application/json"):
        raw = envelope.sign(signing_key, kind, sample.envelope.payload)
        with pytest.raises(MalformedError, match="is not that of a receipt"):
            receipt.parse(raw)


@pytest.mark.parametrize("edit", [lambda p: p + b"\n", lambda p: b" " + p, lambda p: p[:-1]])
def test_rec_2_a_payload_in_another_spelling_is_refused(signing_key, sample, edit):
    raw = envelope.sign(signing_key, statement.PAYLOAD_TYPE, edit(sample.envelope.payload))
    with pytest.raises(MalformedError, match="JSON"):
        receipt.parse(raw)


def test_rec_9_a_window_that_is_not_witnessed_is_refused(signing_key):
    window = {"predicateType": statement.WINDOW, "predicate": {"origin": "attached"}}
    raw = re_signed(signing_key, lambda value: value.update(window))
    with pytest.raises(MalformedError, match="origin: must be 'witnessed'"):
        receipt.parse(raw)


COMPARED = {
    "origin": "witnessed",
    "cell": "compare",
    "baseline": {"raw": "sha256:" + "3f" * 32},
    "candidate": {},
    "outcome": "MISSING_ARM",
    "exit_status": 3,
    "publishable": False,
    "profile_fields": 0,
    "environment_fields": 0,
    "session": "not compared",
    "problems": ["B: b.json: the raw file does not exist"],
    "convention": "positive means that B is better",
    "started_at": "2026-11-29T10:00:00.000Z",
    "finished_at": "2026-11-29T10:00:00.000Z",
}
FIGURE_OF_A_REFUSAL = {
    "metric": "ttft_ms",
    "unit": "ms",
    "polarity": "lower",
    "statistic": "median",
    "change": "0.5",
}


def compared(key, **fields):
    predicate = {**COMPARED, **fields}
    made = {"predicateType": statement.COMPARISON, "predicate": predicate}
    return re_signed(key, lambda value: value.update(made))


@pytest.mark.parametrize(
    "fields",
    [
        {"deltas": [FIGURE_OF_A_REFUSAL]},
        {"publishable": True},
        {"outcome": "COMPARED", "exit_status": 0, "publishable": True},
        {"outcome": "COMPARED"},
        {"problems": []},
        {"outcome": "FASTER"},
        {"origin": "attached"},
    ],
)
def test_rec_11_a_refused_comparison_that_shows_a_number_is_refused(signing_key, fields):
    receipt.parse(compared(signing_key)).envelope.verify(signing_key.public)
    with pytest.raises(MalformedError, match="predicate: "):
        receipt.parse(compared(signing_key, **fields))


# What the command says to all this


@pytest.fixture
def desk(home, signing_key, sample):
    """Return a folder with receipt.json, the signer's key.pub and the raw file in its store."""
    (home / "evidence.yaml").write_text("origin: perf.example.org/engine\n")
    workspace.find(home).objects.put(b"[]")
    (home / "key.pub").write_text(signing_key.public.openssh + "\n")
    (home / "receipt.json").write_bytes(sample.envelope.raw)
    return home


def verify(folder):
    return subprocess.run(
        [sys.executable, "-m", "receipts.cli", "verify", "receipt.json", "--key", "key.pub"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_says_yes_to_a_good_receipt(desk):
    done = verify(desk)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("change", "code", "sentence"),
    [
        (ENVELOPES["ENV-3 the same signature twice"], 4, "exactly one signature"),
        (ENVELOPES["ENV-2 a newline at the end"], 4, "not an envelope"),
        (ENVELOPES["ENV-4 a payload AB== for AA=="], 4, "not in canonical base64"),
        (SIGNATURES["ENV-7 another type"], 4, "is not that of a receipt"),
        (SIGNATURES["ENV-7 a signature of zeros"], 1, "does not verify"),
        (SIGNATURES["ENV-8 another keyid"], 1, "signed by another key, SHA256:AAAA"),
        (lambda raw: bytes(100), 4, "not an envelope"),
        (lambda raw: b"x" * (envelope.MAX_BYTES + 1), 4, "larger than"),
    ],
)
def test_the_command_answers_an_attack_with_its_exit_code(desk, change, code, sentence):
    path = desk / "receipt.json"
    path.write_bytes(change(path.read_bytes()))
    done = verify(desk)
    assert done.returncode == code
    assert sentence in done.stdout
    assert "verifies\n" not in done.stdout
    assert "Traceback" not in done.stderr


def test_a_strangers_text_in_an_error_stays_one_line(home, signing_key):
    raw = re_signed(signing_key, put(RUN, "x\n\x1b[2Jreceipts: all is well", "y"))
    (home / "receipt.json").write_bytes(raw)
    done = CliRunner().invoke(cli.receipts, ["show", "receipt.json"])
    assert done.exit_code == 4
    assert done.stderr.count("\n") == 1
    assert "\x1b" not in done.stderr


# Keys


def blob(raw):
    return base64.b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + raw).decode()


def point(y, sign):
    return (y | sign << 255).to_bytes(32, "little")


# The five y of the points of order 1, 2, 4 and 8, computed here from the curve's equation.
def small_orders():
    d = -121665 * pow(121666, -1, PRIME) % PRIME
    # y^2 of a point of order 8 solves d·u^2 + 2·u - 1 = 0.
    root = square_root((1 + d) % PRIME)
    halves = [(-1 + sign * root) * pow(d, -1, PRIME) % PRIME for sign in (1, -1)]
    [square] = [u for u in halves if square_root(u) is not None]
    eighth = square_root(square)
    return sorted({0, 1, PRIME - 1, eighth, PRIME - eighth})


def square_root(u):
    """Return a square root of u modulo 2^255 - 19, or None."""
    candidate = pow(u, (PRIME + 3) // 8, PRIME)
    for root in (candidate, candidate * pow(2, (PRIME - 1) // 4, PRIME) % PRIME):
        if root * root % PRIME == u:
            return root
    return None


@pytest.mark.parametrize("y", small_orders(), ids=range(5))
@pytest.mark.parametrize("sign", [0, 1])
def test_key_6_a_point_of_small_order_is_refused(y, sign):
    with pytest.raises(MalformedError, match="is not a usable Ed25519 point"):
        PublicKey.from_raw(point(y, sign))
    with pytest.raises(MalformedError, match="is not a usable Ed25519 point"):
        PublicKey.parse(f"ssh-ed25519 {blob(point(y, sign))}")


def test_key_6_the_attack_is_real_without_the_rule():
    neutral = point(1, 0)
    for message in (b"any", b"message"):
        Ed25519PublicKey.from_public_bytes(neutral).verify(neutral + bytes(32), message)


@pytest.mark.parametrize("y", [PRIME + extra for extra in range(19)])
@pytest.mark.parametrize("sign", [0, 1])
def test_key_7_a_point_in_another_spelling_is_refused(y, sign):
    with pytest.raises(MalformedError, match="is not a usable Ed25519 point"):
        PublicKey.from_raw(point(y, sign))


@pytest.mark.parametrize("raw", [b"", bytes(31), bytes(33), b"\xff" * 32, b"\xff" * 1000])
def test_key_7_a_point_of_another_length_is_refused(raw):
    with pytest.raises(MalformedError):
        PublicKey.from_raw(raw)
    with pytest.raises(MalformedError):
        PublicKey.parse(f"ssh-ed25519 {blob(raw)}")


LINES = {
    "no type": lambda line: line.split()[1],
    "another type": lambda line: line.replace("ssh-ed25519", "ssh-rsa"),
    "options before": lambda line: 'command="x" ' + line,
    "a space before": lambda line: " " + line,
    "two spaces": lambda line: line.replace(" ", "  "),
    "a tab": lambda line: line.replace(" ", "\t"),
    "no blob": lambda line: "ssh-ed25519 ",
    "no base64": lambda line: "ssh-ed25519 !!!!",
    "text beyond ASCII": lambda line: "ssh-ed25519 é",
    "a blob cut short": lambda line: line[:-4],
    "a longer blob": lambda line: line + "AAAA",
    "another type in the blob": lambda line: line.replace("AAAAC3", "AAAAB3"),
    "padding": lambda line: line + "==",
    "a second line": lambda line: f"{line} ann\n{line} ann",
    "a second line by another line end": lambda line: f"{line} ann\u2028{line} ann",
    "nothing": lambda line: "",
}


@pytest.mark.parametrize("name", LINES)
def test_key_5_another_spelling_of_a_public_key_line_is_refused(name, signing_key):
    with pytest.raises(MalformedError):
        PublicKey.parse(LINES[name](signing_key.public.openssh))


@pytest.mark.parametrize("text", [b"", b"ssh-ed25519", b"-----BEGIN PRIVATE KEY-----\n", bytes(99)])
def test_key_1_a_private_key_in_another_format_is_refused(home, text):
    path = home / "key"
    path.touch(0o600)
    path.write_bytes(text)
    with pytest.raises(MalformedError, match="cannot be read"):
        keys.load(path)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o601, 0o610, 0o777])
def test_key_2_a_private_key_that_others_may_touch_is_refused(home, mode):
    keys.generate(home / "key", "")
    (home / "key").chmod(mode)
    with pytest.raises(MalformedError, match=r"can be read by others; run: chmod 600 .*key$"):
        keys.load(home / "key")
    (home / "key").chmod(0o400)
    keys.load(home / "key")


def test_key_3_a_symbolic_link_a_folder_and_a_pipe_are_refused(home):
    keys.generate(home / "key", "")
    (home / "link").symlink_to(home / "key")
    (home / "dangling").symlink_to(home / "nowhere")
    os.mkfifo(home / "pipe", 0o600)
    for name in ("link", "dangling"):
        with pytest.raises(MalformedError, match="is a symbolic link; name the file itself"):
            keys.load(home / name)
    for path in (home / "pipe", home):
        with pytest.raises(MalformedError, match="is not a regular file"):
            keys.load(path)
    with pytest.raises(MalformedError, match="is not a regular file"):
        keys.load_public(home)


@pytest.mark.parametrize("present", ["key", "key.pub"])
@pytest.mark.parametrize("dangling", [False, True])
def test_key_4_a_key_file_is_never_overwritten(home, present, dangling):
    if dangling:
        (home / present).symlink_to(home / "nowhere")
    else:
        (home / present).write_text("mine")
    with pytest.raises(ConflictError, match="a key is never overwritten"):
        keys.generate(home / "key", "")
    assert [path.name for path in home.iterdir()] == [present]
    assert not (home / "nowhere").exists()


def test_key_8_the_fingerprint_is_that_of_the_blob_and_unpadded(signing_key):
    digest = Digest.of(base64.b64decode(signing_key.public.openssh.split()[1]))
    expected = base64.b64encode(bytes.fromhex(digest.hex)).decode().rstrip("=")
    assert signing_key.public.fingerprint == f"SHA256:{expected}"


def test_key_9_a_key_is_put_outside_the_repository(home):
    done = CliRunner().invoke(cli.receipts, ["keygen"])
    assert done.exit_code == 0
    assert list(home.iterdir()) == []
    assert workspace.person_key_path().is_file()


def test_a_value_that_is_no_point_verifies_nothing():
    off_curve = next(y for y in range(2, 99) if not on_curve(y))
    key = PublicKey.from_raw(point(off_curve, 0))
    signature = keys.from_private(Ed25519PrivateKey.generate()).sign(b"x")
    for forged in (signature, bytes(64), point(1, 0) + bytes(32)):
        with pytest.raises(VerificationError):
            key.verify(forged, b"x")


def on_curve(y):
    d = -121665 * pow(121666, -1, PRIME) % PRIME
    return square_root((y * y - 1) * pow(d * y * y + 1, -1, PRIME) % PRIME) is not None


# Configuration

FIRST = "version: 1\norigin: perf.example.org/engine\n"
CONFIGURATIONS = {
    "CONF-2 another version": ("version: 2\norigin: x\n", "version 2 is not known"),
    "CONF-2 no number": ("version: x\norigin: x\n", ":1:1: version: must be a whole"),
    "CONF-3 an unknown field": (FIRST + "ancor: x\n", ":3:1: ancor: unknown field"),
    "CONF-3 another case": (FIRST + "Ledger: x\n", ":3:1: Ledger: unknown field"),
    "CONF-3 a merge key": (FIRST + "<<: {anchor: x}\n", ":3:1: <<: unknown field"),
    "CONF-4 no origin": ("version: 1\n", ":1:1: origin: is missing"),
    "CONF-4 a short genesis": (
        FIRST + "genesis: 3f\n",
        ":3:1: genesis: is not of the required",
    ),
    "CONF-4 a list that is none": (FIRST + "registers: claims.yaml\n", ":3:1: registers: "),
    "CONF-4 a mapping for a path": (FIRST + "ledger: {a: b}\n", ":3:1: ledger: "),
    "CONF-5 not UTF-8": (FIRST.encode() + b"ledger: \xff\n", ":3:9: not UTF-8 text"),
    "CONF-5 UTF-16": (FIRST.encode("utf-16"), ":1:1: not UTF-8 text"),
    "CONF-5 a control character": (FIRST + "ledger: a\x07\n", ":3:10: the character U+0007"),
    "CONF-5 nothing": ("", ":1:1: the document is empty"),
    "CONF-5 two documents": (FIRST + "---\nversion: 1\n", ":3:1: "),
    "CONF-5 10,000 levels": ("a: " + "[" * 10_000, ":1:35: nested deeper than 32 levels"),
    "CONF-5 too large": (FIRST + "#" * 1_100_000, ": larger than 1048576 bytes"),
    "CONF-6 a field twice": (FIRST + "origin: y\n", ":3:1: the key 'origin' stands twice"),
    "CONF-6 a field twice, once quoted": (FIRST + "'origin': y\n", ":3:1: the key 'origin'"),
    "CONF-6 a list for a key": (FIRST + "? [a]\n: b\n", ": a key must be plain text"),
    "CONF-7 an alias": (FIRST + "ledger: *x\n", ":3:9: aliases (*x) are not allowed"),
    "CONF-7 an anchor": (FIRST + "ledger: &x a\n", ":3:9: anchors (&x) are not allowed"),
    "CONF-7 a tag": (FIRST + "ledger: !!python/name:os.system a\n", ":3:9: the tag "),
    "CONF-7 a plain tag": (FIRST + "ledger: !!str a\n", ":3:9: the tag "),
    "CONF-7 a directive": ("%YAML 1.1\n---\n" + FIRST, ":2:1: directives (%) are not allowed"),
    "CONF-8 an empty value": (FIRST + "ledger:\nobjects: x\n", ":3:1: the value is empty"),
    "CONF-8 null": (FIRST + "anchor: null\n", ":3:1: the value is empty"),
    "CONF-8 an empty item": (FIRST + "documents: [a, ~]\n", ":3:16: the value is empty"),
    "CONF-9 a word for a truth value": (FIRST + "ledger: true\n", ":3:1: ledger: must be text"),
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_faulty_configuration_is_refused_with_its_place(name, home):
    text, sentence = CONFIGURATIONS[name]
    data = text if isinstance(text, bytes) else text.encode()
    (home / "evidence.yaml").write_bytes(data)
    done = CliRunner().invoke(cli.receipts, ["list"])
    assert (done.exit_code, done.stdout) == (4, "")
    assert done.stderr.startswith(f"receipts: {home / 'evidence.yaml'}:")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_conf_1_the_nearest_file_counts_and_none_is_an_error(home):
    with pytest.raises(NotFoundError, match="`ledger init` makes one"):
        workspace.find(home)
    (home / "evidence.yaml").write_text(FIRST)
    (home / "inner" / "deep").mkdir(parents=True)
    assert workspace.find(home / "inner" / "deep").root == home
    (home / "inner" / "evidence.yaml").write_text(FIRST + "surprise: x\n")
    with pytest.raises(MalformedError, match=r"inner/evidence\.yaml:3:1: surprise"):
        workspace.find(home / "inner" / "deep")


def test_conf_4_a_pinned_log_key_of_small_order_is_refused(home):
    (home / "evidence.yaml").write_text(FIRST + f"log_key: ssh-ed25519 {blob(point(1, 0))}\n")
    with pytest.raises(MalformedError, match="is not a usable Ed25519 point"):
        _ = workspace.find(home).log_key


def test_conf_9_text_that_looks_like_another_type_stays_text(home):
    (home / "evidence.yaml").write_text(FIRST + "ledger: 007\nobjects: 33.50\nreceipts: no\n")
    found = workspace.find(home).configuration
    assert (found.ledger, found.objects, found.receipts) == ("007", "33.50", "no")
