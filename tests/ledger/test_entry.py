"""Bodies and bytes: every kind survives the way to bytes and back, and nothing else is an entry."""

import subprocess
import typing

import pytest

from ledger import bodies, entry, merkle
from ledger.bodies import AnyBody
from ledger.entry import MAX_BODY, MAX_ENVELOPE, PAYLOAD_TYPE, decode, encode, validate
from ledger.trust import ROLES, UNTOUCHABLE
from receipts import canonical, envelope
from receipts.errors import MalformedError

PLACE = {"v": 1, "index": 7, "prev": "a" * 64, "at": "2026-11-29T10:00:00.000Z", "title": "t"}
HEX, DIGEST, RECEIPT = "b" * 64, "sha256:" + "c" * 64, "receipt://sha256:" + "d" * 64
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDMix0LxbttIumTGhpFQUTGkpW+54f/4f+5ZvSl/BiqY"
SIDE = {"arm": "base", "value": "33.50", "cv": "0.4", "min": "33.1", "max": "34"}
CITED = [{"receipt": RECEIPT, "select": {"n_ubatch": 512, "flash": True, "type": "q4"}}]
CORRECTING = {
    "targets": [HEX],
    "selector": {
        "binary": DIGEST,
        "commit": "0a1b2c3",
        "window": "w-1",
        "cell": "decode",
        "metric": "tps",
    },
    "resolved": [HEX],
    "runs": [RECEIPT],
    "reason": "wrong",
    "affects": ["delta"],
    "leaves": ["gate"],
}
# For every kind: the fields it must have, and all that it may have besides.
KINDS = {
    "GENESIS": ({"origin": "perf.example.org/engine", "log_key": KEY, "operator": KEY}, {}),
    "KEY": (
        {"action": "enrol", "key": KEY},
        {"roles": ["engineer", "runner", "operator", "auditor"], "since": 3, "reason": "r"},
    ),
    "RUN": (
        {"phase": "admitted", "cell": "decode-p16"},
        {
            "name": "run-1",
            "arm": "base",
            "repetition": 0,
            "window": "w-1",
            "plan": DIGEST,
            "admission": HEX,
            "receipt": RECEIPT,
            "exit_status": -9,
            "reason": "r",
        },
    ),
    "ENTRY": (
        {},
        {
            "hypothesis": "h",
            "change": "c",
            "gate": [
                {
                    "name": "exactness",
                    "result": "pass",
                    "contract": HEX,
                    "measured": "0",
                    "threshold": "-0.5",
                    "detail": "d",
                }
            ],
            "delta": [
                {
                    "metric": "tps",
                    "unit": "tok/s",
                    "baseline": SIDE,
                    "candidate": SIDE,
                    "change": "0.00",
                    "ratio": "1.0",
                    "statistic": "median",
                    "n": 5,
                    "ddof": 1,
                    "polarity": "higher",
                    "convention": "ratio of medians",
                    "runs": [RECEIPT],
                }
            ],
            "verdict": {"outcome": "measured-only", "sentence": "s"},
            "evidence": CITED,
            "scope": {"model": "m"},
            "plan": DIGEST,
            "expected": "+5 %",
            "answers": HEX,
            "rests_on": [HEX],
            "attribution": [
                {"cause": "c", "share": "0.5", "evidence": CITED, "standing": "verified"}
            ],
            "deviations": [{"what": "w", "reason": "r"}],
            "step": "s",
            "commit": "0a1b2c3",
            "lesson": "l",
            "notes": DIGEST,
            "recorded": [{"column": "Δ", "text": "+20%"}, {"column": "", "text": ""}],
        },
    ),
    "CORRECTION": ({"reason": "r"}, {**CORRECTING, "restated": {"change": "c"}}),
    "AMENDMENT": ({"reason": "r"}, {**CORRECTING, "bars": ["tps"], "narrows": {"model": "m"}}),
    "SUPERSEDED": ({"reason": "r"}, {**CORRECTING, "replacement": HEX}),
    "RETRACTION": ({"reason": "r"}, CORRECTING),
    "CONTRACT": (
        {},
        {
            "reference": "r",
            "golden": DIGEST,
            "made_by": RECEIPT,
            "gates": [
                {
                    "name": "g",
                    "metric": "tps",
                    "comparison": ">=",
                    "threshold": "30",
                    "tolerance": "0.1",
                }
            ],
            "rules": ["needs-anchor", "needs-natural-cells", "needs-both-directions"],
            "retires": [HEX],
            "follows": HEX,
        },
    ),
    "APPROVAL": (
        {"claim": "c1", "digest": DIGEST, "sentence": "s", "decision": "withdrawn"},
        {"conditions": ["c"]},
    ),
    "LOCK": ({"state": "contained"}, {"switches": {"publish": False}, "reason": "r"}),
    "FINDING": (
        {"id": "F1", "severity": "critical", "status": "closed"},
        {"resolution": "r", "evidence": CITED},
    ),
    "PUBLISHED": ({"page": DIGEST, "claims_register": DIGEST, "head": HEX, "claims": ["c1"]}, {}),
    "AUDIT": (
        {
            "head": HEX,
            "checked": {"rows": 9},
            "differences": ["one"],
            "evidence_verdict": "holds",
            "decision_verdict": "undecided",
        },
        {},
    ),
    "RECOVERY": ({"checkpoint": "text", "lost": ["entry 9"]}, {}),
}
SAMPLES = [
    pytest.param({**PLACE, "kind": kind, **must, **(may if full else {})}, id=f"{kind}-{how}")
    for kind, (must, may) in KINDS.items()
    for full, how in ((False, "least"), (True, "most"))
]


def test_every_kind_of_the_bodies_has_a_sample_with_every_field():
    models = {typing.get_args(m.model_fields["kind"].annotation)[0]: m for m in all_models()}
    assert set(models) == set(KINDS)
    for kind, model in models.items():
        must, may = KINDS[kind]
        assert set(model.model_fields) == {*PLACE, "kind", "label", *must, *may}
        required = {name for name, f in model.model_fields.items() if f.is_required()}
        assert required == {*PLACE, "kind", *must}


def all_models():
    return typing.get_args(AnyBody)


def test_every_kind_has_a_role_or_is_a_correction():
    words = {typing.get_args(m.model_fields["kind"].annotation)[0] for m in bodies.CORRECTIONS}
    assert set(ROLES) | words == set(KINDS)
    assert not set(ROLES) & words
    assert not set(UNTOUCHABLE) & words


@pytest.mark.parametrize("fields", SAMPLES)
def test_every_kind_survives_the_way_to_bytes_and_back(fields, signing_key):
    body = validate(fields)
    raw = encode(body, signing_key)
    found = decode(raw)
    assert found.body == body
    assert found.body.plain() == fields
    assert found.raw == raw
    assert found.leaf_hash == merkle.leaf_hash(raw)
    assert (found.index, found.kind) == (7, fields["kind"])
    found.envelope.verify(signing_key.public)


@pytest.mark.parametrize("fields", SAMPLES)
def test_a_draft_written_as_text_becomes_the_same_body(fields):
    def written(value):
        if isinstance(value, dict):
            return {name: written(item) for name, item in value.items()}
        if isinstance(value, list):
            return [written(item) for item in value]
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    facts = {name: item for name, item in fields.items() if name not in PLACE}
    relaxed = entry.relax(written(facts) | {"title": "t"})
    free = {"evidence", "attribution", "scope", "narrows"}  # facts keep the type they were given
    assert {k: v for k, v in relaxed.items() if k not in free} == {
        k: v for k, v in facts.items() if k not in free
    } | {"title": "t"}


@pytest.mark.parametrize("fields", SAMPLES)
def test_ent_3_an_unknown_field_anywhere_is_malformed(fields):
    for place, changed in with_extra(fields):
        if place in FREE:
            validate(changed)
            continue
        with pytest.raises(MalformedError):
            validate(changed)


FREE = {"restated", "switches", "scope", "narrows", "checked", "select"}


def with_extra(value, name=""):
    """Yield (where, value) with one unknown field added in every object of the value."""
    if isinstance(value, dict):
        extra = {"restated": "x", "checked": 1}.get(name, True)
        yield name, {**value, "surprise": extra}
        for key, item in value.items():
            yield from ((n, {**value, key: changed}) for n, changed in with_extra(item, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            for n, changed in with_extra(item, name if isinstance(item, list) else ""):
                yield n, [*value[:place], changed, *value[place + 1 :]]


@pytest.mark.parametrize("fields", SAMPLES)
def test_a_missing_field_of_the_least_is_malformed(fields):
    must = {*PLACE, "kind", *KINDS[fields["kind"]][0]}
    for name in must:
        with pytest.raises(MalformedError):
            validate({k: v for k, v in fields.items() if k != name})


BAD = [
    ("v", 2),
    ("v", 0),
    ("v", True),
    ("v", "1"),
    ("kind", "NOTE"),
    ("kind", "entry"),
    ("index", -1),
    ("index", "7"),
    ("index", True),
    ("prev", "a" * 63),
    ("prev", "A" * 64),
    ("prev", "a" * 64 + "\n"),
    ("at", "2026-11-29T10:00:00Z"),
    ("at", "2026-11-29T10:00:00.000+00:00"),
    ("at", "2026-11-29T10:00:00.000Z\n"),
    ("at", "２026-11-29T10:00:00.000Z"),
    ("label", "-J"),
    ("label", "J" * 65),
    ("label", "J 3"),
    ("label", "é"),
    ("label", ""),
    ("title", ""),
    ("title", "x" * 501),
    ("title", 3),
    ("change", ""),
    ("plan", "sha256:" + "C" * 64),
    ("plan", "md5:" + "c" * 32),
    ("answers", "J3"),
    ("evidence", [{"receipt": "receipt://name"}]),
    ("evidence", [{}]),
    ("verdict", {"outcome": "great"}),
    ("verdict", "pass"),
    ("gate", [{"name": "g", "result": "maybe"}]),
    ("gate", [{"name": "g", "result": "pass", "measured": 3}]),
    ("gate", [{"name": "g", "result": "pass", "measured": "1e3"}]),
    ("gate", [{"name": "g", "result": "pass", "measured": "01"}]),
    ("gate", [{"name": "g", "result": "pass", "measured": "1."}]),
    ("gate", [{"name": "g", "result": "pass", "measured": "+1"}]),
    ("gate", [{"name": "g", "result": "pass", "measured": "１"}]),
    ("scope", {"n": 1.5}),
    ("scope", {"n": None}),
    ("scope", {"n": [1]}),
    ("rests_on", ["J3"]),
    ("rests_on", HEX),
    ("recorded", [{"column": "Δ"}]),
    ("recorded", [{"column": "Δ", "text": 3}]),
    ("recorded", [["Δ", "+20%"]]),
]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_ent_3_a_value_out_of_form_is_malformed(name, value):
    with pytest.raises(MalformedError, match=name) as refused:
        validate({**PLACE, "kind": "ENTRY", name: value})
    assert "\n" not in str(refused.value).replace(repr(value), "")


def padded(size):
    """Return a body whose canonical bytes are exactly this many."""
    fields = {**PLACE, "kind": "ENTRY", "change": "x"}
    spare = size - len(canonical.encode(fields))
    return validate({**fields, "change": "x" * (spare + 1)})


def test_ent_2_the_largest_body_fits_and_one_more_byte_is_refused(signing_key):
    raw = encode(padded(MAX_BODY), signing_key)
    assert len(canonical.encode(padded(MAX_BODY).plain())) == 48_963
    assert len(raw) <= MAX_ENVELOPE == 65_535
    assert decode(raw).body == padded(MAX_BODY)
    with pytest.raises(MalformedError, match="has 48,964 bytes, the limit is 48,963; put long"):
        encode(padded(MAX_BODY + 1), signing_key)


def test_ent_2_a_larger_envelope_is_malformed_even_when_it_is_signed(signing_key):
    payload = canonical.encode(padded(MAX_BODY + 1).plain())
    raw = envelope.sign(signing_key, PAYLOAD_TYPE, payload)
    with pytest.raises(MalformedError, match="over the limit of"):
        decode(raw)


def test_ent_2_no_body_of_the_limit_makes_an_envelope_that_is_too_large(signing_key):
    """Two bytes more of base64 for every three of the body: the limit is the last that fits."""
    fixed = len(encode(padded(300), signing_key)) - 400
    largest = (MAX_ENVELOPE - fixed) // 4 * 3
    assert largest == MAX_BODY


def test_ent_6_the_id_is_the_sha256_of_the_stored_bytes(signing_key, tmp_path):
    found = decode(encode(padded(400), signing_key))
    (tmp_path / "entry").write_bytes(found.raw)
    said = subprocess.run(
        ["sha256sum", tmp_path / "entry"], capture_output=True, text=True, check=True
    )
    assert said.stdout.split()[0] == found.id


def test_bytes_in_another_spelling_are_no_entry(signing_key):
    raw = encode(padded(400), signing_key)
    for changed in (raw + b"\n", b" " + raw, raw.replace(b":", b": ", 1), raw[:-1], b"", b"{}"):
        with pytest.raises(MalformedError):
            decode(changed)
