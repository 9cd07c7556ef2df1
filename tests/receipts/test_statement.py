"""Statements: all predicates, and every field that does not belong."""

import copy

import pytest

from receipts import canonical, statement
from receipts.errors import MalformedError
from receipts.predicates import ComparisonPredicate, RunPredicate, WindowPredicate

HEX = "3f" * 32
RUN = {
    "origin": "witnessed",
    "cell": "decode-p16",
    "reader": "llama-bench-json",
    "arm": "base",
    "repetition": 1,
    "window": "w1",
    "plan": "sha256:" + HEX,
    "command": ["bench", "-p", "16"],
    "identity": {"model_type": "x", "n_ubatch": 512, "flash": True},
    "environment": {"kernel": "6.1"},
    "lease": {"holder": "ann"},
    "started_at": "2026-11-29T10:00:00.000Z",
    "finished_at": "2026-11-29T10:00:01.500Z",
    "duration_ns": 1_500_000_000,
    "exit_status": 0,
    "admission": "admitted",
    "exit_code": 75,
    "apparatus": {
        "terms": {"driver": "nvml", "quiet_seconds": "10"},
        "machine": {"smt": "on"},
        "absent": {"boost": "No such file or directory"},
        "quiet": {"before.samples": 60},
        "samples": {"count": 3},
        "holders": ["GPU-1: pid 7 ollama, 512 MiB (compute)"],
        "residents": [],
        "drained": {"drained": False},
        "connections": [
            {
                "protocol": "tcp",
                "peer": "192.0.2.7",
                "port": 8000,
                "local": "192.0.2.1",
                "interface": "eth0",
                "interface_kind": "wired",
                "speed_mbit": 25000,
                "first": 0,
                "last": 3,
            }
        ],
    },
    "taints": ["a neighbour arrived"],
    "figures": [
        {"metric": "decode_tps", "statistic": "mean", "value": "33.50", "unit": "tok/s", "n": 6}
    ],
    "warnings": [],
}
ARM = {"arm": "base", "value": "33.50", "n": 5, "min": "33.1", "max": "34"}
WINDOW = {
    "origin": "witnessed",
    "cell": "decode-p16",
    "window": "w1",
    "plan": "sha256:" + HEX,
    "baseline": "base",
    "candidate": "new",
    "scope": {"device": "x"},
    "repetitions": [{"arm": "base", "repetition": 1, "receipt": "sha256:" + HEX}],
    "exactness": {"result": "exact", "compared": "128 tokens"},
    "environment": {},
    "lease": {},
    "started_at": "2026-11-29T10:00:00.000Z",
    "finished_at": "2026-11-29T10:00:01.500Z",
    "comparisons": [
        {
            "metric": "decode_tps",
            "unit": "tok/s",
            "polarity": "higher",
            "statistic": "median",
            "convention": "candidate/baseline",
            "baseline": ARM,
            "candidate": {**ARM, "arm": "new", "cv": "0.012"},
            "ratio": "1.05",
            "change": "0.05",
            "ddof": 1,
            "warnings": [],
        }
    ],
    "warnings": [],
}
RUN_STATEMENT = {
    "_type": "https://in-toto.io/Statement/v1",
    "subject": [
        {"name": "raw", "digest": {"sha256": HEX}},
        {"name": "log", "digest": {"sha256": "ab" * 32}},
    ],
    "predicateType": "urn:evidence-ledger:run:v1",
    "predicate": RUN,
}
WINDOW_STATEMENT = {
    **RUN_STATEMENT,
    "predicateType": "urn:evidence-ledger:window:v1",
    "predicate": WINDOW,
}
COMPARISON = {
    "origin": "witnessed",
    "cell": "compare",
    "baseline": {"raw": "sha256:" + HEX, "reader": "vllm", "select": {"max_concurrency": "4"}},
    "candidate": {"raw": "sha256:" + HEX, "reader": "vllm"},
    "outcome": "COMPARED",
    "exit_status": 0,
    "publishable": True,
    "profile_fields": 9,
    "environment_fields": 12,
    "session": "one",
    "variables": ["server_flags"],
    "problems": [],
    "convention": "positive means that B is better",
    "deltas": [
        {
            "metric": "ttft_ms",
            "unit": "ms",
            "polarity": "lower",
            "statistic": "median",
            "where": "max_concurrency=4",
            "baseline": ARM,
            "candidate": ARM,
            "change": "-0.25",
            "floor": {"n": 2, "t_rule": "0.0155", "maximum": "0.0039"},
            "verdict": "worse",
        }
    ],
    "started_at": "2026-11-29T10:00:00.000Z",
    "finished_at": "2026-11-29T10:00:01.500Z",
    "warnings": [],
}
COMPARISON_STATEMENT = {
    **RUN_STATEMENT,
    "subject": [{"name": "a", "digest": {"sha256": HEX}}],
    "predicateType": "urn:evidence-ledger:comparison:v1",
    "predicate": COMPARISON,
}
REFUSED = {
    **COMPARISON,
    "outcome": "PROFILE_MISMATCH",
    "exit_status": 4,
    "publishable": False,
    "problems": ["max_concurrency is 4 in A and 8 in B"],
    "deltas": [],
}


def changed(value, path, new):
    """Return a copy of `value` in which the part at `path` is `new`; absent if that is None."""
    value = copy.deepcopy(value)
    part = value
    for key in path[:-1]:
        part = part[key]
    if new is None:
        del part[path[-1]]
    else:
        part[path[-1]] = new
    return value


def places(value, path=()):
    """Yield the path of every object inside `value`."""
    if isinstance(value, dict):
        yield path
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from places(item, (*path, number))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (RUN_STATEMENT, RunPredicate),
        (WINDOW_STATEMENT, WindowPredicate),
        (COMPARISON_STATEMENT, ComparisonPredicate),
        ({**COMPARISON_STATEMENT, "predicate": REFUSED}, ComparisonPredicate),
    ],
)
def test_all_predicates_are_read_and_written_alike(value, kind):
    data = canonical.encode(value)
    read = statement.decode(data)
    assert isinstance(read.predicate, kind)
    assert statement.encode(read) == data


def test_a_statement_that_is_made_is_read_back():
    predicate = RunPredicate.parse(RUN, "run")
    made = statement.make({"raw": "sha256:" + HEX}, predicate)
    assert statement.decode(statement.encode(made)) == made
    assert made.subject_digest("raw") == "sha256:" + HEX
    assert made.subject_digest("log") is None


OPEN = {("predicate", name) for name in ("identity", "environment", "lease", "scope")}
OPEN |= {("predicate", "baseline", "select")}
OPEN |= {
    ("predicate", "apparatus", name)
    for name in ("terms", "machine", "absent", "quiet", "samples", "drained")
}


@pytest.mark.parametrize("value", [RUN_STATEMENT, WINDOW_STATEMENT, COMPARISON_STATEMENT])
def test_an_unknown_field_is_refused_in_every_object(value):
    checked = 0
    for path in places(value):
        if path in OPEN:
            continue
        data = canonical.encode(changed(value, (*path, "surprise"), "x"))
        with pytest.raises(MalformedError, match="surprise: unknown field"):
            statement.decode(data)
        checked += 1
    assert checked >= 7


REQUIRED = [
    *[(RUN_STATEMENT, (name,)) for name in ("_type", "subject", "predicate")],
    *[(RUN_STATEMENT, ("predicate", name)) for name in ("origin", "cell", "identity")],
    *[(WINDOW_STATEMENT, ("predicate", name)) for name in ("window", "plan", "exactness")],
    (RUN_STATEMENT, ("subject", 0, "digest")),
    (RUN_STATEMENT, ("predicate", "figures", 0, "n")),
]


@pytest.mark.parametrize(("value", "path"), REQUIRED)
def test_a_required_field_that_is_absent_is_named(value, path):
    with pytest.raises(MalformedError, match=str(path[-1])):
        statement.decode(canonical.encode(changed(value, path, None)))


WRONG = [
    (("predicate", "cell"), "two words"),
    (("predicate", "cell"), "-x"),
    (("predicate", "cell"), "x" * 65),
    (("predicate", "cell"), "x\n"),
    (("predicate", "origin"), "heard"),
    (("predicate", "repetition"), "1"),
    (("predicate", "repetition"), True),
    (("predicate", "plan"), HEX),
    (("predicate", "command"), "bench -p 16"),
    (("predicate", "apparatus", "connections", 0, "interface_kind"), "loopback"),
    (("predicate", "apparatus", "connections", 0, "first"), "0"),
    (("predicate", "identity"), {"list": []}),
    (("predicate", "identity"), {"object": {}}),
    (("predicate", "duration_ns"), "1500000000"),
    (("predicate", "figures", 0, "value"), "033.50"),
    (("predicate", "figures", 0, "value"), "+33.50"),
    (("predicate", "figures", 0, "value"), "3.35e1"),
    (("predicate", "figures", 0, "value"), ".5"),
    (("predicate", "figures", 0, "value"), "5."),
    (("predicate", "figures", 0, "value"), "３３"),
    (("predicate", "figures", 0, "value"), "33.50\n"),
    (("predicate", "figures", 0, "value"), 33),
    (("subject",), []),
    (("subject",), {}),
    (("subject", 0, "digest", "sha256"), HEX.upper()),
    (("subject", 0, "digest", "sha256"), HEX[:-1]),
    (("subject", 0, "digest", "sha512"), HEX),
    (("predicate",), "x"),
    (("predicate",), []),
]


@pytest.mark.parametrize(("path", "value"), WRONG)
def test_a_value_of_another_form_is_refused(path, value):
    with pytest.raises(MalformedError, match=r"^(statement|predicate): "):
        statement.decode(canonical.encode(changed(RUN_STATEMENT, path, value)))


CONTRADICTIONS = [
    (COMPARISON, {"exit_status": 4}, "contradict each other"),
    (COMPARISON, {"problems": ["x"]}, "contradict each other"),
    (REFUSED, {"exit_status": 0}, "contradict each other"),
    (REFUSED, {"problems": []}, "contradict each other"),
    (REFUSED, {"publishable": True}, "has no deltas and is not publishable"),
    (REFUSED, {"deltas": COMPARISON["deltas"]}, "has no deltas and is not publishable"),
]


@pytest.mark.parametrize(("predicate", "fields", "sentence"), CONTRADICTIONS)
def test_a_comparison_that_contradicts_itself_is_refused(predicate, fields, sentence):
    value = {**COMPARISON_STATEMENT, "predicate": {**predicate, **fields}}
    with pytest.raises(MalformedError, match=sentence):
        statement.decode(canonical.encode(value))


def test_two_subjects_of_one_name_are_refused():
    value = changed(RUN_STATEMENT, ("subject", 1, "name"), "raw")
    with pytest.raises(MalformedError, match="names one subject twice"):
        statement.decode(canonical.encode(value))


@pytest.mark.parametrize(
    "kind", ["urn:evidence-ledger:run:v2", "https://slsa.dev/provenance/v1", "", 1, [], {}, True]
)
def test_an_unknown_predicate_type_is_refused(kind):
    value = changed(RUN_STATEMENT, ("predicateType",), kind)
    with pytest.raises(MalformedError, match="unknown predicate type"):
        statement.decode(canonical.encode(value))


def test_a_statement_without_a_predicate_type_is_refused():
    value = changed(RUN_STATEMENT, ("predicateType",), None)
    with pytest.raises(MalformedError, match="unknown predicate type None"):
        statement.decode(canonical.encode(value))


@pytest.mark.parametrize("value", ["x", 1, True, [], [RUN_STATEMENT]])
def test_what_is_no_object_is_no_statement(value):
    with pytest.raises(MalformedError, match="unknown predicate type"):
        statement.decode(canonical.encode(value))


def test_a_predicate_under_the_other_type_is_refused():
    value = changed(RUN_STATEMENT, ("predicateType",), "urn:evidence-ledger:window:v1")
    with pytest.raises(MalformedError, match=r"^predicate: "):
        statement.decode(canonical.encode(value))


def test_a_statement_in_another_spelling_is_refused():
    data = canonical.encode(RUN_STATEMENT)
    for other in (data + b"\n", data.replace(b'":', b'": ', 1), b" " + data):
        with pytest.raises(MalformedError, match="not in canonical form"):
            statement.decode(other)


def test_a_null_is_refused_where_absent_is_meant():
    data = canonical.encode(RUN_STATEMENT).replace(b'"exit_status":0', b'"exit_status":null')
    with pytest.raises(MalformedError, match="NoneType"):
        statement.decode(data)
