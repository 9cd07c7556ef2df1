"""The figures inside receipts of every kind: honest ones pass, and each can be caught lying."""

import json

import pytest

from claims.recount import receipts
from receipts import receipt
from receipts.digest import Digest
from receipts.predicates import GateSoundness
from tests.conftest import llama_bench

SLOW, FAST = (10_000, 10_001, 10_002, 10_003), (8_000, 8_001, 8_002, 8_003)


def audit(publisher):
    result = publisher.claims("audit", "--json")
    return result.exit_code, json.loads(result.stdout)


def compare(publisher, a, b, *options):
    """Compare two files of llama-bench on record; return the receipt."""
    (publisher.root / "a.jsonl").write_bytes(a)
    (publisher.root / "b.jsonl").write_bytes(b)
    done = publisher.engine("compare", "a.jsonl", "b.jsonl", "--no-environment", *options)
    assert done.exit_code == 0, done.output
    rows = json.loads(publisher.ledger("list", "--kind", "RUN", "--json").stdout)
    shown = json.loads(publisher.ledger("show", str(rows[-1]["index"]), "--json").stdout)
    return shown["body"]["receipt"]


def forged(publisher, uri, **changes):
    """Put a comparison with its first delta changed on record."""
    made = read(publisher, uri)
    first, *others = made.predicate.deltas
    deltas = [first.model_copy(update=changes), *others]
    subjects = {s.name: f"sha256:{s.digest.sha256}" for s in made.statement.subject}
    return publisher.forge(subjects, made.predicate.model_copy(update={"deltas": deltas}))


def read(publisher, uri):
    data = publisher.place.receipts.get(Digest.parse(uri.removeprefix("receipt://")))
    return receipt.parse(data)


@pytest.mark.parametrize("batches", [(512,), (256, 512)])
def test_a_comparison_of_two_files_is_recounted(batches, publisher):
    a, b = (llama_bench(*((batch, times) for batch in batches)) for times in (SLOW, FAST))
    uri = compare(publisher, a, b)
    before = audit(publisher)
    assert before[0] == 0, before[1]["unresolved"]
    change = read(publisher, uri).predicate.deltas[0].change
    forged(publisher, uri, change=f"-{change}")
    code, report = audit(publisher)
    (one,) = report["differences"]
    assert (code, one["printed"], one["why"]) == (1, f"-{change}", "the sign is turned")
    assert one["rows"].startswith("baseline a[0] ")


def test_a_side_of_a_comparison_is_recounted_too(publisher):
    uri = compare(publisher, llama_bench((512, SLOW)), llama_bench((512, FAST)))
    side = read(publisher, uri).predicate.deltas[0].candidate
    forged(publisher, uri, candidate=side.model_copy(update={"n": 5, "max": side.min}))
    code, report = audit(publisher)
    found = {one["field"].rsplit(".", 1)[-1]: one.get("why") for one in report["differences"]}
    assert (code, found) == (1, {"n": None, "max": "that is the smallest"})


def test_a_noise_floor_of_a_comparison_is_left_out_by_name(publisher):
    for number, times in enumerate((SLOW, [ns + 3 for ns in SLOW])):
        (publisher.root / f"aa{number}.jsonl").write_bytes(llama_bench((512, times)))
    a, b = llama_bench((512, SLOW)), llama_bench((512, FAST))
    compare(publisher, a, b, "--control", "aa0.jsonl", "aa1.jsonl")
    code, report = audit(publisher)
    assert code == 0
    assert [reason for reason in report["left_out"] if reason.startswith("noise floors")]


def test_a_refused_comparison_prints_nothing_and_nothing_is_asked_of_it(publisher):
    (publisher.root / "a.jsonl").write_bytes(llama_bench((512, SLOW)))
    (publisher.root / "b.jsonl").write_bytes(llama_bench((256, FAST)))
    done = publisher.engine("compare", "a.jsonl", "b.jsonl", "--no-environment")
    assert done.exit_code == 4
    assert audit(publisher)[0] == 0


def test_a_table_whose_columns_nobody_recorded_is_left_out_by_name(publisher):
    for name, times in (("a.csv", SLOW), ("b.csv", FAST)):
        (publisher.root / name).write_text("ms\n" + "".join(f"{ns / 1000}\n" for ns in times))
    words = ("a.csv", "b.csv", "--columns", "e2e_ms=ms:ms", "--no-environment")
    done = publisher.engine("compare", *words)
    assert done.exit_code == 0, done.output
    code, report = audit(publisher)
    assert code == 0
    assert [reason for reason in report["left_out"] if reason.startswith("figures of tables")]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"measured": "1"}, "measured"),
        ({"recorded": "1"}, "recorded"),
        ({"tolerance": "0.9"}, "tolerance"),
        ({"n": 2}, "n"),
        ({"result": "missed"}, "result"),
    ],
    ids=str,
)
def test_what_a_window_says_of_its_anchor_is_recounted(changes, field, publisher):
    (anchor,) = publisher.receipt("exact").predicate.anchors
    publisher.altered("exact", anchors=[anchor.model_copy(update=changes)])
    code, report = audit(publisher)
    fields = [one["field"] for one in report["differences"]]
    assert (code, fields) == (1, [f"anchor plain-anchor.{field}"])


def test_the_value_that_an_anchor_records_must_come_from_its_receipt(publisher):
    gate = {"name": "wish", "metric": "decode_tok_s", "comparison": "=="}
    publisher.append(
        kind="CONTRACT",
        label="wish",
        reference="anchor",
        made_by=publisher.uri("anchored"),
        gates=[gate | {"threshold": "1000001", "tolerance": "0.1"}],
    )
    code, report = audit(publisher)
    (one,) = report["differences"]
    assert (code, one["field"], one["recomputed"]) == (1, "anchor wish threshold", "1000000")


def test_a_figure_of_a_run_has_its_count_and_unit_checked(publisher):
    made = publisher.receipt("steady")
    first, *others = made.predicate.figures
    lie = first.model_copy(update={"n": 7, "unit": "req/s"})
    told = made.predicate.model_copy(update={"figures": [lie, *others]})
    publisher.forge({"raw": made.require("raw")}, told, by="engineer")
    code, report = audit(publisher)
    found = [(one["field"], one["printed"], one["recomputed"]) for one in report["differences"]]
    assert (code, found) == (
        1,
        [(f"{first.metric} n", "7", "6"), (f"{first.metric} unit", "req/s", first.unit)],
    )


def test_a_cell_that_is_not_in_the_file_is_no_silent_pass(publisher):
    made = publisher.receipt("cells")
    lie = made.predicate.figures[0].model_copy(update={"select": {"n_ubatch": 1024}})
    told = made.predicate.model_copy(update={"figures": [lie]})
    publisher.forge({"raw": made.require("raw")}, told, by="engineer")
    code, report = audit(publisher)
    (one,) = report["unresolved"]
    assert (code, one["outcome"]) == (3, "not recomputable")
    assert one["why"].startswith("none of 2 runs matches n_ubatch=1024")


def test_a_receipt_that_is_signed_by_nobody_known_is_unreadable(publisher):
    made = publisher.receipt("cells")
    publisher.forge({"raw": made.require("raw")}, made.predicate, by="stranger")
    code, report = audit(publisher)
    (one,) = report["unresolved"]
    assert (code, one["outcome"], "is not enrolled" in one["why"]) == (3, "unreadable", True)


def test_a_receipt_that_was_taken_back_leaves_nothing_open(publisher):
    made = publisher.receipt("cells")
    publisher.forge({"raw": made.require("raw")}, made.predicate, by="stranger")
    index = publisher.append(kind="ENTRY", label="X").index - 1
    publisher.ledger("retract", str(index), "--reason", "signed by a stranger")
    code, report = audit(publisher)
    assert (code, report["unresolved"], len(report["struck"])) == (0, [], 1)


def test_scores_of_gates_are_left_out_by_name(publisher):
    window = publisher.receipt("exact").predicate
    gate = {
        "name": "g",
        "defect": "half the window",
        "threshold": "0.9",
        "self_score": "1",
        "broken_score": "0.5",
        "result": "sound",
    }
    told = window.model_copy(update={"gates": [GateSoundness(**gate)]})
    assert list(receipts.left_out(told)) == ["scores of gates: a window names no receipt for them"]
