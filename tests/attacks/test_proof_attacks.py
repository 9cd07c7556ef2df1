"""Every rule of the pages cosignature, proof, policy and tiles, and what breaking it leads to.

A table holds mutation → class of error and a part of its sentence; the exit code is the class's.
"""

import base64
import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import checkpoint, cosignature, merkle, note, policy, proof, sshsig, tiles
from ledger.checkpoint import Checkpoint
from ledger.cosignature import Witness
from ledger.note import Verifier
from ledger.proof import Proof
from receipts.errors import (
    Error,
    MalformedError,
    UndecidedError,
    UnknownKeyError,
    VerificationError,
)
from receipts.keys import from_private

BAD, NO, NOTHING = MalformedError, VerificationError, UndecidedError
EXIT = {BAD: 4, NO: 1, NOTHING: 3, UnknownKeyError: 4}
ORIGIN = "perf.example.org/engine"
BOM = "\ufeff"


def signer(number):
    return from_private(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32))


LOG, NORTH, SOUTH, OTHER = map(signer, (9, 1, 2, 3))
W1, W2 = Witness("w1.example", NORTH.public), Witness("w2.example", SOUTH.public)
ENTRIES = [b"entry %d" % number for number in range(7)]
INDEX = 3


def tree(entries):
    growing, nodes = merkle.Frontier(), {}
    for index, entry in enumerate(entries):
        nodes[0, index] = merkle.leaf_hash(entry)
        made = growing.add(nodes[0, index])
        nodes |= {(level, place): node for level, place, node in made}
    return growing.root(), lambda level, index: nodes[level, index]


ROOT, READ = tree(ENTRIES)
SIGNED = checkpoint.sign(Checkpoint(ORIGIN, 7, ROOT), LOG)
TEXT = note.split(SIGNED)[0]
LINE1 = cosignature.sign(TEXT, W1.name, NORTH, 100)
LINE2 = cosignature.sign(TEXT, W2.name, SOUTH, 200)
COSIGNED = SIGNED + LINE1 + LINE2
HASHES = tuple(merkle.prove_inclusion(INDEX, 7, READ))
PROOF = Proof(INDEX, HASHES, COSIGNED, ENTRIES[INDEX])
FILE = proof.format_proof(PROOF).decode()
LOG_VKEY = Verifier(ORIGIN, LOG.public).vkey
POLICY = f"log {LOG_VKEY}\nwitness a {W1.vkey}\nwitness b {W2.vkey}\ngroup g all a b\nquorum g\n"


def refused(case, call):
    """Assert that `call` ends in the error that a table's row expects, told in one line."""
    kind, sentence = case
    with pytest.raises(Error) as caught:
        call()
    assert (type(caught.value), sentence in str(caught.value)) == (kind, True), caught.value
    assert caught.value.exit_code == EXIT[kind]
    assert "\n" not in str(caught.value)


def encode(data):
    return base64.b64encode(data).decode()


def line(name, kind, key, body):
    key_id = hashlib.sha256(name.encode() + b"\n" + kind + key.raw).digest()[:4]
    return f"\u2014 {name} {encode(key_id + body)}\n"


def vkey(name, kind, raw):
    data = name.encode("utf-8", "surrogatepass") + b"\n" + kind + raw
    return f"{name}+{hashlib.sha256(data).hexdigest()[:8]}+{encode(kind + raw)}"


def cosigning(time, text=TEXT, *, message=None, width=8):
    """Return a line by W1 with any time and any message under its signature."""
    message = message or f"cosignature/v1\ntime {time}\n{text}"
    body = time.to_bytes(width, "big") + NORTH.sign(message.encode())
    return line(W1.name, b"\x04", NORTH.public, body)


OTHER_TEXT = checkpoint.format_checkpoint(Checkpoint(ORIGIN, 7, bytes(32)))
EXTENDED = TEXT + "extension\n"

COSIGNATURES = {
    "COS-1 a key id of type 0x01": (
        SIGNED + line(W1.name, b"\x01", NORTH.public, base64.b64decode(LINE1.split()[2])[4:]),
        (NO, "no cosignature by w1.example"),
    ),
    "COS-1 another name": (SIGNED + LINE1.replace("w1", "w9"), (NO, "no cosignature by")),
    "COS-1 another dash": (SIGNED + LINE1.replace("\u2014", "-"), (BAD, "signature line")),
    "COS-1 two spaces": (SIGNED + LINE1.replace(" w", "  w"), (BAD, "signature line")),
    "COS-1 a control character in a stranger's name": (
        COSIGNED + LINE1.replace("w1", "w\x07"),
        (BAD, "signature line"),
    ),
    "COS-1 CRLF": (SIGNED + LINE1.replace("\n", "\r\n"), (BAD, "signature line")),
    "COS-1 padding gone": (SIGNED + LINE1.replace("=", ""), (BAD, "not base64")),
    "COS-2 without the time": (
        SIGNED + line(W1.name, b"\x04", NORTH.public, NORTH.sign(TEXT.encode())),
        (NO, "not of 72 bytes"),
    ),
    "COS-2 a byte more": (
        SIGNED + line(W1.name, b"\x04", NORTH.public, bytes(73)),
        (NO, "not of 72 bytes"),
    ),
    "COS-2 a time of four bytes": (SIGNED + cosigning(100, width=4), (NO, "not of 72 bytes")),
    "COS-3 over another checkpoint": (SIGNED + cosigning(100, OTHER_TEXT), (NO, "not verify")),
    "COS-3 the text alone": (SIGNED + cosigning(100, message=TEXT), (NO, "not verify")),
    "COS-3 another header": (
        SIGNED + cosigning(100, message=f"cosignature/v2\ntime 100\n{TEXT}"),
        (NO, "not verify"),
    ),
    "COS-3 a leading zero": (
        SIGNED + cosigning(100, message=f"cosignature/v1\ntime 0100\n{TEXT}"),
        (NO, "not verify"),
    ),
    "COS-3 another time than signed": (
        SIGNED + cosigning(101, message=f"cosignature/v1\ntime 100\n{TEXT}"),
        (NO, "not verify"),
    ),
    "COS-4 time 0": (SIGNED + cosigning(0), (NO, "names no time")),
    "COS-4 a time of 2^63": (SIGNED + cosigning(2**63), (NO, "names no time")),
    "COS-5 an extension line": (
        note.sign(EXTENDED, ORIGIN, LOG) + cosigning(100, EXTENDED),
        (BAD, "origin, a size and a root"),
    ),
    "COS-6 a second line by the witness that fails": (
        SIGNED + LINE1 + cosigning(100, OTHER_TEXT),
        (NO, "not verify"),
    ),
    "COS-6 no line": (SIGNED, (NO, "no cosignature by w1.example")),
    "COS-6 101 signatures": (
        SIGNED + LINE1 + "".join(line(f"s{n}", b"\x04", OTHER.public, b"x") for n in range(99)),
        (BAD, "carries 101 signatures, not 1 to 100"),
    ),
}


@pytest.mark.parametrize("name", COSIGNATURES)
def test_a_broken_cosignature_is_refused(name):
    signed, case = COSIGNATURES[name]
    refused(case, lambda: cosignature.verify(signed, W1))


def test_cos_6_lines_by_unknown_keys_are_passed_over():
    same_name = line(W1.name, b"\x04", OTHER.public, bytes(72))
    later_kind = line(W1.name, b"\x06", NORTH.public, bytes(2428))
    assert cosignature.verify(SIGNED + same_name + later_kind + LINE1, W1) == 100


def test_cos_7_a_witness_that_cosigned_repeatedly_counts_once_with_its_earliest_time():
    found = policy.parse(POLICY.replace("group g all a b", "group g any a b").encode())
    _, cosigned = policy.accept(SIGNED + cosigning(300) + cosigning(50) + LINE1, found)
    assert [(one.name, one.time) for one in cosigned] == [("a", 50)]


@pytest.mark.parametrize(
    "spelled",
    [
        LOG_VKEY,
        W1.vkey + "=",
        W1.vkey.replace("w1", "w9"),
        W1.vkey.replace(W1.key_id.hex(), W1.key_id.hex().upper()),
        Verifier(W1.name, NORTH.public).vkey,
        vkey("w\x07", b"\x04", NORTH.public.raw),
        vkey("w1.example", b"\x04", bytes(32)),
        vkey("w\ud800", b"\x04", NORTH.public.raw),
    ],
)
def test_cos_8_a_witness_in_another_spelling_is_malformed(spelled):
    assert Witness.parse(vkey(W1.name, b"\x04", NORTH.public.raw)) == W1
    with pytest.raises(MalformedError):
        Witness.parse(spelled)


def change(old, new, count=1):
    assert old in FILE
    return FILE.replace(old, new, count)


def with_hashes(*hashes):
    return proof.format_proof(Proof(INDEX, hashes, COSIGNED, ENTRIES[INDEX]))


HASH = encode(HASHES[0])
EXTRA = encode(ENTRIES[INDEX])
LONGER = "A" * 87_384
STRANGERS = "".join(line(f"s{n}", b"\x01", OTHER.public, b"x") for n in range(98))
FOREIGN = checkpoint.sign(Checkpoint("elsewhere.example", 7, ROOT), OTHER)
RENAMED = note.sign(checkpoint.format_checkpoint(Checkpoint("elsewhere", 7, ROOT)), ORIGIN, LOG)
SMALLER = checkpoint.sign(Checkpoint(ORIGIN, 3, tree(ENTRIES[:3])[0]), LOG)

PROOFS = {
    "PRF-1 another version": (change("@v1", "@v2"), (BAD, "must start with c2sp.org")),
    "PRF-1 no first line": (FILE.split("\n", 1)[1], (BAD, "must start with")),
    "PRF-1 nothing": ("", (BAD, "must start with")),
    "PRF-2 extra of nothing": (change(f"extra {EXTRA}", "extra "), (BAD, "not a proof")),
    "PRF-2 extra twice": (change("extra", f"extra {EXTRA}\nextra"), (BAD, "not a proof")),
    "PRF-2 extra after the index": (
        change(f"extra {EXTRA}\nindex 3", f"index 3\nextra {EXTRA}"),
        (BAD, "not a proof"),
    ),
    "PRF-2 URL-safe base64": (change(EXTRA, "_-__"), (BAD, "not a proof")),
    "PRF-2 non-canonical base64": (change(EXTRA, "ZR=="), (BAD, "canonical form")),
    "PRF-2 odd base64": (change(EXTRA, "AAAAA"), (BAD, "not base64")),
    "PRF-2 65,538 bytes": (change(EXTRA, LONGER), (BAD, "not of 1 to 65535")),
    "PRF-3 007": (change("index 3", "index 007"), (BAD, "not a proof")),
    "PRF-3 +7": (change("index 3", "index +7"), (BAD, "not a proof")),
    "PRF-3 -0": (change("index 3", "index -0"), (BAD, "not a proof")),
    "PRF-3 full-width digits": (change("index 3", "index \uff13"), (BAD, "not a proof")),
    "PRF-3 another script's digits": (change("index 3", "index \u0663"), (BAD, "not a proof")),
    "PRF-3 an underscore": (change("index 3", "index 0_3"), (BAD, "not a proof")),
    "PRF-3 a tab": (change("index 3", "index\t3"), (BAD, "not a proof")),
    "PRF-3 2^63": (change("index 3", f"index {2**63}"), (BAD, "not from 0 to 2^63")),
    "PRF-3 5,000 digits": (change("index 3", f"index {'9' * 5000}"), (BAD, "not a proof")),
    "PRF-3 no index": (change("index 3\n", ""), (BAD, "not a proof")),
    "PRF-4 a hash of 31 bytes": (change(HASH, encode(bytes(31))), (BAD, "not a proof")),
    "PRF-4 a hash of 33 bytes": (change(HASH, encode(bytes(33))), (BAD, "not a proof")),
    "PRF-4 a hash with stray bits": (
        change(HASH, encode(bytes(32))[:-2] + "B="),
        (BAD, "canonical form"),
    ),
    "PRF-4 64 hashes": (change(HASH, "\n".join([HASH] * 62)), (BAD, "64 hashes, more than 63")),
    "PRF-5 no empty line": (change("\n\nperf", "\nperf"), (BAD, "not a proof")),
    "PRF-5 two empty lines": (change("\n\nperf", "\n\n\nperf"), (BAD, "an origin")),
    "PRF-5 no checkpoint": (FILE.split("\n\n", 1)[0] + "\n\n", (BAD, "no empty line")),
    "PRF-5 a size of 007": (change("\n7\n", "\n007\n"), (BAD, "canonical form")),
    "PRF-5 a size of +7": (change("\n7\n", "\n+7\n"), (BAD, "canonical form")),
    "PRF-5 full-width digits": (change("\n7\n", "\n\uff17\n"), (BAD, "canonical form")),
    "PRF-5 an unknown line after it": (FILE + "unknown\n", (BAD, "signature line")),
    "PRF-5 101 signatures": (
        FILE + STRANGERS,
        (BAD, "carries 101 signatures, not 1 to 100"),
    ),
    "PRF-6 a byte order mark": (BOM + FILE, (BAD, "must start with")),
    "PRF-6 CRLF": (FILE.replace("\n", "\r\n"), (BAD, "must start with")),
    "PRF-6 CRLF in the checkpoint": (change("\n7\n", "\r\n7\r\n"), (BAD, "control char")),
    "PRF-6 no newline at the end": (FILE[:-1], (BAD, "no empty line")),
    "PRF-6 not UTF-8": (FILE.encode() + b"\xff", (BAD, "not UTF-8")),
    "PRF-6 larger than 2 MiB": (FILE + "x" * 2**21, (BAD, "over the limit of 2097152")),
    "PRF-7 unsigned": (
        proof.format_proof(Proof(INDEX, HASHES, note.sign(TEXT, "a", OTHER), b"x")),
        (NO, "signed by no log of that name"),
    ),
    "PRF-7 of another log": (
        proof.format_proof(Proof(INDEX, HASHES, FOREIGN, ENTRIES[INDEX])),
        (NO, "'elsewhere.example' is signed by no log"),
    ),
    "PRF-7 of another origin, by the log's key": (
        proof.format_proof(Proof(INDEX, HASHES, RENAMED, ENTRIES[INDEX])),
        (NO, "'elsewhere' is signed by no log"),
    ),
    "PRF-7 another root under the signature": (
        change(encode(ROOT), encode(bytes(32))),
        (NO, "does not verify"),
    ),
    "PRF-7 quorum not met": (
        FILE.replace(LINE2, ""),
        (NO, "cosigned by 1 of 2 witnesses; the policy's quorum 'g' is not met"),
    ),
    "PRF-7 cosigned over another checkpoint": (
        FILE.replace(LINE1, cosigning(100, OTHER_TEXT)),
        (NO, "does not verify"),
    ),
    "PRF-8 too short": (with_hashes(*HASHES[:-1]), (NO, "does not lead to the root")),
    "PRF-8 too long": (with_hashes(*HASHES, bytes(32)), (NO, "longer than the tree is high")),
    "PRF-8 none": (with_hashes(), (NO, "does not lead to the root")),
    "PRF-8 reversed": (with_hashes(*reversed(HASHES)), (NO, "does not lead to the root")),
    "PRF-8 another index": (change("index 3", "index 2"), (NO, "does not lead to the root")),
    "PRF-8 an index equal to the size": (
        change("index 3", "index 7"),
        (NO, "index 7 is not in a tree of 7"),
    ),
    "PRF-8 an index beyond the size": (
        change("index 3", f"index {2**63 - 1}"),
        (NO, "is not in a tree of 7"),
    ),
    "PRF-8 under a smaller head": (
        proof.format_proof(
            Proof(
                INDEX,
                HASHES,
                SMALLER
                + cosignature.sign(note.split(SMALLER)[0], W1.name, NORTH, 1)
                + cosignature.sign(note.split(SMALLER)[0], W2.name, SOUTH, 1),
                ENTRIES[INDEX],
            )
        ),
        (NO, "index 3 is not in a tree of 3"),
    ),
    "PRF-8 a swapped leaf": (change(EXTRA, encode(ENTRIES[4])), (NO, "does not lead")),
    "PRF-8 an inner node for a leaf": (
        change(EXTRA, encode(READ(0, 2) + READ(0, 3))),
        (NO, "does not lead"),
    ),
    "PRF-9 no entry": (change(f"extra {EXTRA}\n", ""), (NOTHING, "carries no entry")),
}


@pytest.mark.parametrize("name", PROOFS)
def test_a_broken_proof_is_refused(name):
    text, case = PROOFS[name]
    data = text if isinstance(text, bytes) else text.encode()
    trusted = policy.parse(POLICY.encode())
    assert proof.check(proof.parse(FILE.encode()), None, trusted).size == 7
    refused(case, lambda: proof.check(proof.parse(data), None, trusted))


def test_prf_6_every_changed_byte_of_a_proof_is_refused():
    data, trusted = FILE.encode(), policy.parse(POLICY.encode())
    for place in range(len(data)):
        harmed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises(Error):
            proof.check(proof.parse(harmed), None, trusted)


def test_prf_9_extra_is_not_looked_at_beside_an_entry():
    trusted = policy.parse(POLICY.encode())
    foreign = Proof(INDEX, HASHES, COSIGNED, b"not the entry")
    assert proof.check(foreign, ENTRIES[INDEX], trusted).size == 7
    refused((NO, "does not lead"), lambda: proof.check(PROOF, b"not the entry", trusted))


W1_AS = Witness("elsewhere.example", NORTH.public).vkey
SMALL_ORDER = vkey("x", b"\x01", bytes(32))
MANY = [signer(number) for number in range(20, 85)]

POLICIES = {
    "POL-1 CRLF": (POLICY.replace("\n", "\r\n"), ":1: control character"),
    "POL-1 a byte order mark": (BOM + POLICY, ":1: unknown word"),
    "POL-1 a null": (POLICY + "\0\n", ":6: control character"),
    "POL-1 an escape in a comment": (POLICY + "# \x1b[2J\n", ":6: control character"),
    "POL-1 a delete character in a comment": (POLICY + "# \x7f\n", ":6: control character"),
    "POL-1 not UTF-8": (POLICY.encode() + b"# \xff\n", ":6: not UTF-8"),
    "POL-1 the end cut off": (POLICY[:-1], ": the last line does not end in a newline"),
    "POL-1 nothing": ("", "does not end in a newline"),
    "POL-1 larger than 256 KiB": (POLICY + "#" * 2**18 + "\n", ": larger than 262144"),
    "POL-1 a space of Unicode": (POLICY.replace("log ", "log\u00a0"), ":1: unknown word"),
    "POL-2 an unknown line": (POLICY + "trust everybody\n", ":6: unknown word 'trust'"),
    "POL-2 a comment behind a word": (POLICY + "log# x\n", ":6: unknown word 'log#'"),
    "POL-2 upper case": (POLICY.replace("log", "LOG", 1), ":1: unknown word 'LOG'"),
    "POL-3 no log": (POLICY.split("\n", 1)[1], ": no log"),
    "POL-3 no key": ("log\n" + POLICY, ":1: a log is written"),
    "POL-3 too many words": (POLICY.replace("\n", " url url\n", 1), ":1: a log is written"),
    "POL-3 a witness's key": (POLICY.replace(LOG_VKEY, W1.vkey), ":1: verifier key is not"),
    "POL-3 a key of small order": (f"log {SMALL_ORDER}\n" + POLICY, ":1: public key is not"),
    "POL-3 a key id of another name": (POLICY.replace("perf.", "perf2."), ":1: verifier key is"),
    "POL-4 no name": (POLICY.replace("witness a ", "witness "), ":2: a witness is written"),
    "POL-4 a log's key": (
        POLICY.replace(W1.vkey, Verifier("x", OTHER.public).vkey),
        ":2: verifier key is not of the kind 0x04",
    ),
    "POL-4 a name twice": (POLICY.replace("witness b", "witness a"), ":3: the name 'a' is taken"),
    "POL-4 the name none": (POLICY.replace("witness a", "witness none"), ":2: the name 'none'"),
    "POL-4 a group named as a witness": (POLICY.replace("group g", "group a"), ":4: the name 'a'"),
    "POL-5 a witness twice": (
        POLICY.replace(W2.vkey, W1.vkey),
        ":3: the key of 'w1.example' stands twice",
    ),
    "POL-5 a key under two names": (
        POLICY.replace(W2.vkey, W1_AS),
        ":3: the key of 'elsewhere.example' stands twice",
    ),
    "POL-5 a log that is its own witness": (
        POLICY.replace(W2.vkey, Witness("w2.example", LOG.public).vkey),
        ":3: the key of 'w2.example' stands twice",
    ),
    "POL-5 a log twice": (f"log {LOG_VKEY}\n" + POLICY, ":2: the key of"),
    "POL-6 0": (POLICY.replace("all", "0"), ":4: '0' is not all, any, or a number from 1 to 2"),
    "POL-6 3 of 2": (POLICY.replace("all", "3"), ":4: '3' is not all"),
    "POL-6 01": (POLICY.replace("all", "01"), ":4: '01' is not all"),
    "POL-6 007": (POLICY.replace("all", "007"), ":4: '007' is not all"),
    "POL-6 +1": (POLICY.replace("all", "+1"), ":4: '+1' is not all"),
    "POL-6 full-width digits": (POLICY.replace("all", "\uff11"), ":4: '\uff11' is not all"),
    "POL-6 5,000 digits": (POLICY.replace("all", "9" * 5000), "is not all"),
    "POL-6 most": (POLICY.replace("all", "most"), ":4: 'most' is not all"),
    "POL-6 no members": (POLICY.replace("all a b", "all"), ":4: a group is written"),
    "POL-6 a member twice": (POLICY.replace("all a b", "2 a a"), ":4: 'a' is a member already"),
    "POL-6 a member of two groups": (
        POLICY.replace("quorum g", "group h all g a\nquorum h"),
        ":5: 'a' is a member already",
    ),
    "POL-6 itself": (POLICY.replace("all a b", "all a g"), ":4: 'g' is not defined above"),
    "POL-6 none": (POLICY.replace("all a b", "all a none"), ":4: 'none' is not defined"),
    "POL-6 a member defined below": (
        f"log {LOG_VKEY}\ngroup g all a\nwitness a {W1.vkey}\nquorum g\n",
        ":2: 'a' is not defined above",
    ),
    "POL-7 no quorum": (POLICY.replace("quorum g\n", ""), ": no quorum"),
    "POL-7 two": (POLICY + "quorum none\n", ":6: a second quorum"),
    "POL-7 of nobody": (POLICY.replace("quorum g", "quorum x"), ":5: 'x' is not defined above"),
    "POL-7 two names": (POLICY.replace("quorum g", "quorum a b"), ":5: a quorum is written"),
    "POL-7 commented out": (POLICY.replace("quorum g", "#quorum g"), ": no quorum"),
    "POL-8 65 logs": (
        "".join(f"log {Verifier('x', key.public).vkey}\n" for key in MANY) + POLICY,
        ":65: more than 64 logs",
    ),
    "POL-8 65 witnesses": (
        "".join(f"witness m{n} {Witness('x', key.public).vkey}\n" for n, key in enumerate(MANY)),
        ":65: more than 64 witnesses",
    ),
    "POL-8 65 groups": (
        f"witness m {W1.vkey}\ngroup g0 any m\n"
        + "".join(f"group g{n} any g{n - 1}\n" for n in range(1, 65)),
        ":66: more than 64 groups",
    ),
}


@pytest.mark.parametrize("name", POLICIES)
def test_a_faulty_policy_is_malformed_with_its_line(name):
    text, sentence = POLICIES[name]
    data = text if isinstance(text, bytes) else text.encode()
    refused((BAD, sentence), lambda: policy.parse(data))
    refused((BAD, "trust.txt"), lambda: policy.parse(data, "trust.txt"))


ANY = POLICY.replace("all a b", "any a b")
FORGED = line(ORIGIN, b"\x01", LOG.public, bytes(64))
W2_KNOWN_NAME = line(W1.name, b"\x04", SOUTH.public, base64.b64decode(LINE2.split()[2])[4:])

ACCEPTANCE = {
    "POL-9 no signature by the log": (POLICY, f"{TEXT}\n{LINE1}{LINE2}", (NO, "by no log")),
    "POL-9 signed by a stranger under the origin": (
        POLICY,
        note.sign(TEXT, ORIGIN, OTHER) + LINE1 + LINE2,
        (NO, "by no log of that name"),
    ),
    "POL-9 signed by another log of the policy": (
        f"log {Verifier('other', OTHER.public).vkey}\n" + POLICY,
        note.sign(TEXT, "other", OTHER) + LINE1 + LINE2,
        (NO, "by no log of that name"),
    ),
    "POL-9 cosigned by a log's key": (
        POLICY,
        f"{TEXT}\n" + cosignature.sign(TEXT, ORIGIN, LOG, 1) + LINE1 + LINE2,
        (NO, "by no log of that name"),
    ),
    "POL-10 nobody": (POLICY, SIGNED, (NO, "by 0 of 2 witnesses")),
    "POL-10 one of two": (POLICY, SIGNED + LINE1, (NO, "by 1 of 2 witnesses")),
    "POL-10 one of two, twice": (POLICY, SIGNED + LINE1 + LINE1, (NO, "by 1 of 2 witnesses")),
    "POL-10 one of two, at two times": (
        POLICY,
        SIGNED + LINE1 + cosigning(200),
        (NO, "by 1 of 2 witnesses"),
    ),
    "POL-10 one of two, under two names": (
        POLICY,
        SIGNED + LINE1 + cosignature.sign(TEXT, W2.name, NORTH, 100),
        (NO, "by 1 of 2 witnesses"),
    ),
    "POL-10 a plain signature by a witness": (
        ANY,
        SIGNED + line(W1.name, b"\x01", NORTH.public, NORTH.sign(TEXT.encode())),
        (NO, "by 0 of 2 witnesses"),
    ),
    "POL-10 a witness under another's name": (ANY, SIGNED + W2_KNOWN_NAME, (NO, "by 0 of 2")),
    "POL-11 a failing line of the log": (POLICY, COSIGNED + FORGED, (NO, "does not verify")),
    "POL-11 a failing line of a witness that is not needed": (
        ANY,
        SIGNED + LINE2 + cosigning(100, OTHER_TEXT),
        (NO, "does not verify"),
    ),
    "POL-11 time 0 of a witness that is not needed": (
        ANY,
        SIGNED + LINE2 + cosigning(0),
        (NO, "names no time"),
    ),
}


@pytest.mark.parametrize("name", ACCEPTANCE)
def test_a_checkpoint_that_the_policy_does_not_accept_is_refused(name):
    text, signed, case = ACCEPTANCE[name]
    trusted = policy.parse(text.encode())
    assert policy.accept(COSIGNED, trusted)[0].root == ROOT
    refused(case, lambda: policy.accept(signed, trusted))


def test_pol_11_lines_by_unknown_keys_are_passed_over():
    strangers = line(W1.name, b"\x04", OTHER.public, bytes(72)) + line(
        "x", b"\x07", LOG.public, b"y"
    )
    _, cosigned = policy.accept(COSIGNED + strangers, policy.parse(POLICY.encode()))
    assert [one.name for one in cosigned] == ["a", "b"]


ARMORED = sshsig.sign(b"message", LOG, "file")
BLOB = base64.b64decode("".join(ARMORED.splitlines()[1:-1]))


def armor(blob, width=70):
    text = encode(blob)
    lines = [text[start : start + width] + "\n" for start in range(0, len(text), width)]
    return "-----BEGIN SSH SIGNATURE-----\n" + "".join(lines) + "-----END SSH SIGNATURE-----\n"


def string(data):
    return len(data).to_bytes(4, "big") + data


def blob(namespace=b"file", reserved=b"", hash_name=b"sha512", version=1, magic=b"SSHSIG"):
    """Make a blob whose signature holds for what it says, whatever that is."""
    digest = hashlib.new(hash_name.decode(), b"message").digest()
    signed = b"SSHSIG" + b"".join(map(string, (namespace, reserved, hash_name, digest)))
    key = string(string(b"ssh-ed25519") + string(LOG.public.raw))
    signature = string(string(b"ssh-ed25519") + string(LOG.sign(signed)))
    middle = b"".join(map(string, (namespace, reserved, hash_name)))
    return magic + version.to_bytes(4, "big") + key + middle + signature


SIGNATURES = {
    "SSH-1 lines of 76": (armor(BLOB, 76), (BAD, "spelling of ssh-keygen")),
    "SSH-1 CRLF": (ARMORED.replace("\n", "\r\n"), (BAD, "no armor")),
    "SSH-1 a byte order mark": (BOM + ARMORED, (BAD, "no armor")),
    "SSH-1 a line before": ("x\n" + ARMORED, (BAD, "no armor")),
    "SSH-1 a line after": (ARMORED + "\n", (BAD, "no armor")),
    "SSH-1 twice": (ARMORED * 2, (BAD, "no armor")),
    "SSH-1 no base64": (armor(BLOB).replace("U1NIU0lH", "U1NIU0l="), (BAD, "not base64")),
    "SSH-1 nothing": ("", (BAD, "no armor")),
    "SSH-1 too large": (armor(bytes(70_000)), (BAD, "larger than")),
    "SSH-2 another magic": (armor(blob(magic=b"SSHSIX")), (BAD, "spelling of ssh-keygen")),
    "SSH-2 version 2": (armor(blob(version=2)), (BAD, "spelling of ssh-keygen")),
    "SSH-2 a reserved field": (armor(blob(reserved=b"x")), (BAD, "spelling of ssh-keygen")),
    "SSH-2 SHA-1": (armor(blob(hash_name=b"sha1")), (BAD, "other than sha256 and sha512")),
    "SSH-2 bytes after": (armor(BLOB + b"x"), (BAD, "spelling of ssh-keygen")),
    "SSH-2 cut off": (armor(BLOB[:-1]), (BAD, "spelling of ssh-keygen")),
    "SSH-2 empty": (armor(b"SSHSIG"), (BAD, "not by a key of the kind")),
    "SSH-2 a key of small order": (
        armor(BLOB.replace(LOG.public.raw, bytes(32))),
        (BAD, "not a usable Ed25519 point"),
    ),
    "SSH-2 another key's": (
        armor(BLOB.replace(LOG.public.raw, OTHER.public.raw)),
        (NO, "does not verify"),
    ),
    "SSH-2 another message": (sshsig.sign(b"other", LOG, "file"), (NO, "does not verify")),
    "SSH-3 another namespace": (sshsig.sign(b"message", LOG, "git"), (NO, "for 'git', not for")),
    "SSH-3 a namespace that was changed": (
        armor(BLOB.replace(b"file", b"filf")),
        (NO, "for 'filf', not for"),
    ),
    "SSH-3 no namespace": (armor(blob(namespace=b"")), (BAD, "no namespace")),
    "SSH-3 not UTF-8": (armor(blob(namespace=b"\xff")), (BAD, "not UTF-8")),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_broken_ssh_signature_is_refused(name):
    armored, case = SIGNATURES[name]
    assert armor(blob()) == ARMORED
    refused(case, lambda: sshsig.verify(b"message", armored, "file"))


def test_ssh_3_a_namespace_that_could_be_taken_for_several_is_never_signed():
    for namespace in ("", "a b", "a,b", "*", "a\n", '"'):
        with pytest.raises(MalformedError, match="namespace"):
            sshsig.sign(b"message", LOG, namespace)


KEY = LOG.public.openssh
SIGNERS = {
    "SSH-4 two spaces": f"ann  {KEY}\n",
    "SSH-4 a tab": f"ann\t{KEY}\n",
    "SSH-4 an indented line": f" ann {KEY}\n",
    "SSH-4 no name": f"{KEY}\n",
    "SSH-4 no key": "ann ssh-ed25519\n",
    "SSH-4 an empty name": f"ann,,bob {KEY}\n",
    "SSH-4 a pattern": f"*@example.org {KEY}\n",
    "SSH-4 a negated name": f"ann,!bob {KEY}\n",
    "SSH-4 a quoted name": f'"ann" {KEY}\n',
    "SSH-4 another kind of key": "ann ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==\n",
    "SSH-4 a key with padding": f"ann {KEY}=\n",
    "SSH-4 CRLF": f"ann {KEY}\r\n",
    "SSH-4 a byte order mark": f"{BOM}ann {KEY}\n",
    "SSH-4 the end cut off": f"ann {KEY}",
    "SSH-4 a control character": f"ann {KEY} \x1b[2J\n",
    "SSH-4 not UTF-8": f"ann {KEY} ".encode() + b"\xff\n",
    "SSH-4 too large": "#" * 2**20 + "\n",
    "SSH-4 an unknown line": "trust everybody\n",
    "SSH-5 cert-authority": f"ann cert-authority {KEY}\n",
    "SSH-5 an unknown option": f'ann touch="yes" {KEY}\n',
    "SSH-5 upper case": f'ann Namespaces="file" {KEY}\n',
    "SSH-5 no quotes": f"ann namespaces=file {KEY}\n",
    "SSH-5 no value": f"ann namespaces {KEY}\n",
    "SSH-5 an empty value": f'ann namespaces="" {KEY}\n',
    "SSH-5 a pattern of namespaces": f'ann namespaces="*" {KEY}\n',
    "SSH-5 twice": f'ann namespaces="a",namespaces="b" {KEY}\n',
    "SSH-5 a comma at the end": f'ann namespaces="a", {KEY}\n',
    "SSH-5 no comma": f'ann namespaces="a"valid-after="20260101Z" {KEY}\n',
    "SSH-6 local time": f'ann valid-after="20260101" {KEY}\n',
    "SSH-6 no such day": f'ann valid-after="20260230Z" {KEY}\n',
    "SSH-6 RFC 3339": f'ann valid-after="2026-01-01T00:00:00Z" {KEY}\n',
    "SSH-6 full-width digits": f'ann valid-before="\uff12026010Z" {KEY}\n',
    "SSH-6 an hour alone": f'ann valid-before="2026010112Z" {KEY}\n',
    "SSH-6 nothing": f'ann valid-before="" {KEY}\n',
}


@pytest.mark.parametrize("name", SIGNERS)
def test_a_faulty_line_of_allowed_signers_is_malformed_with_its_number(name):
    text = SIGNERS[name]
    data = text if isinstance(text, bytes) else text.encode()
    whole_file = any(part in name for part in ("cut off", "too large"))
    place = "signers: " if whole_file else "signers:2: "
    refused((BAD, place), lambda: sshsig.parse_signers(b"# comment\n" + data, "signers"))


LIMITED = f'ann namespaces="file",valid-before="20261129100000Z" {KEY}\nbob {KEY}\n'
NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
USES = {
    "SSH-7 another name": ("eve", "file", LOG, NOW, (NO, "may not sign as 'eve' for 'file'")),
    "SSH-7 another namespace": ("ann", "git", LOG, NOW, (NO, "as 'ann' for 'git'")),
    "SSH-7 a second too late": ("ann", "file", LOG, NOW + timedelta(seconds=1), (NO, "as 'ann'")),
    "SSH-7 part of a name": ("an", "file", LOG, NOW, (NO, "as 'an'")),
    "SSH-7 both names": ("ann,bob", "file", LOG, NOW, (NO, "as 'ann,bob'")),
    "SSH-7 another key": ("ann", "file", OTHER, NOW, (UnknownKeyError, "not among the allowed")),
}


@pytest.mark.parametrize("name", USES)
def test_a_use_that_no_line_allows_is_refused(name):
    principal, namespace, key, moment, case = USES[name]
    signers = sshsig.parse_signers(LIMITED.encode())
    assert sshsig.judge(signers, "ann", "file", LOG.public, NOW) == signers[0]
    refused(case, lambda: sshsig.judge(signers, principal, namespace, key.public, moment))


FILES = dict(tiles.write(ENTRIES, SIGNED))
HEAD = Checkpoint(ORIGIN, 7, ROOT)
TILE, BUNDLE = "tile/0/000.p/7", "tile/entries/000.p/7"
WIDE = [b"%d" % number for number in range(300)]
WIDE_ROOT = tree(WIDE)[0]
WIDE_HEAD = Checkpoint(ORIGIN, 300, WIDE_ROOT)
WIDE_FILES = dict(tiles.write(WIDE, checkpoint.sign(WIDE_HEAD, LOG)))
FULL = "tile/0/000"


def swap(data, a, b, size=32):
    parts = [data[start : start + size] for start in range(0, len(data), size)]
    parts[a], parts[b] = parts[b], parts[a]
    return b"".join(parts)


TILES = {
    "TIL-2 a full tile of 255": ({FULL: WIDE_FILES[FULL][:-32]}, (BAD, "not 256 hashes")),
    "TIL-2 a full tile of 257": ({FULL: WIDE_FILES[FULL] + bytes(32)}, (BAD, "not 256 hashes")),
    "TIL-2 half a hash": ({FULL: WIDE_FILES[FULL][:-1]}, (BAD, "8191 bytes, not 256 hashes")),
    "TIL-3 a partial tile hashed upward": (
        {"tile/1/000.p/1": WIDE_FILES["tile/1/000.p/1"] + bytes(32)},
        (BAD, "64 bytes, not 1 hashes"),
    ),
    "TIL-3 an empty tile": ({"tile/0/001.p/44": b""}, (BAD, "0 bytes, not 44 hashes")),
    "TIL-4 an entry too many": (
        {"tile/entries/001.p/44": WIDE_FILES["tile/entries/001.p/44"] + b"\0\0"},
        (BAD, "does not hold 44 entries and nothing else"),
    ),
    "TIL-4 an entry too few": (
        {"tile/entries/001.p/44": WIDE_FILES["tile/entries/001.p/44"][:-5]},
        (BAD, "does not hold 44 entries"),
    ),
    "TIL-4 a length beyond the end": (
        {"tile/entries/000": b"\xff\xff" + WIDE_FILES["tile/entries/000"][2:]},
        (BAD, "does not hold 256 entries"),
    ),
    "TIL-4 little-endian": (
        {"tile/entries/000": b"\x01\x00" + WIDE_FILES["tile/entries/000"][2:]},
        (BAD, "does not hold 256 entries"),
    ),
    "TIL-6 a partial tile at the edge": (
        {"tile/0/001.p/44": swap(WIDE_FILES["tile/0/001.p/44"], 0, 1)},
        (NO, "partial tiles do not lead to the checkpoint's root"),
    ),
    "TIL-6 a tile of level 1": (
        {"tile/1/000.p/1": bytes(32)},
        (NO, "partial tiles do not lead to the checkpoint's root"),
    ),
    "TIL-6 a full tile": (
        {FULL: swap(WIDE_FILES[FULL], 3, 4)},
        (NO, "tile/0/000 does not lead to the root"),
    ),
    "TIL-6 two entries in each other's place": (
        {"tile/entries/000": swap(WIDE_FILES["tile/entries/000"], 3, 4, 3)},
        (NO, "tile/entries/000: entry 3 is not the one in the tree"),
    ),
    "TIL-6 a tile that vouches for a false entry": (
        {
            "tile/entries/000": b"\0\1x" + WIDE_FILES["tile/entries/000"][3:],
            FULL: merkle.leaf_hash(b"x") + WIDE_FILES[FULL][32:],
        },
        (NO, "tile/0/000 does not lead to the root"),
    ),
}


@pytest.mark.parametrize("name", TILES)
def test_a_harmed_tree_is_refused(name):
    changed, case = TILES[name]
    assert set(changed) <= set(WIDE_FILES)
    files = WIDE_FILES | changed
    assert list(tiles.read(WIDE_FILES.__getitem__, WIDE_HEAD)) == WIDE
    refused(case, lambda: list(tiles.read(files.__getitem__, WIDE_HEAD)))


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        (Checkpoint(ORIGIN, 7, bytes(32)), "do not lead to the checkpoint's root"),
        (Checkpoint(ORIGIN, 0, ROOT), "do not lead to the checkpoint's root"),
    ],
)
def test_til_6_another_head_is_refused(head, sentence):
    refused((NO, sentence), lambda: list(tiles.read(FILES.__getitem__, head)))
    assert list(tiles.read(FILES.__getitem__, HEAD)) == ENTRIES


def test_til_1_exactly_the_files_of_this_size_are_asked_for():
    """A reader that was given a smaller head asks for other files, which are missing."""
    with pytest.raises(KeyError, match=r"tile/0/000\.p/6"):
        list(tiles.read(FILES.__getitem__, Checkpoint(ORIGIN, 6, tree(ENTRIES[:6])[0])))
    assert list(FILES) == [BUNDLE, TILE, "checkpoint"]


def test_til_5_a_head_of_other_entries_is_never_published():
    seen = []
    with pytest.raises(VerificationError, match="6 entries do not lead to the checkpoint of 7"):
        seen.extend(path for path, _ in tiles.write(ENTRIES[:-1], SIGNED))
    assert "checkpoint" not in seen
    refused((BAD, "no empty line"), lambda: list(tiles.write(ENTRIES, TEXT)))


def test_til_7_what_was_handed_out_before_the_error_is_genuine():
    data = WIDE_FILES["tile/entries/001.p/44"]
    files = WIDE_FILES | {"tile/entries/001.p/44": data[:-1] + b"x"}
    seen = []
    with pytest.raises(VerificationError, match="entry 299 is not the one"):
        seen.extend(tiles.read(files.__getitem__, WIDE_HEAD))
    assert seen == WIDE[:299]
    del files["tile/entries/001.p/44"]
    with pytest.raises(KeyError):
        list(tiles.read(files.__getitem__, WIDE_HEAD))
