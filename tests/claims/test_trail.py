"""`claims why`: the chain, as text and as values."""

import json

import pytest

from claims import trail

TRAIL = """\
claim prefill: holds
  Prefill reaches 163.77 tok/s (median of 3 repetitions).
  approved by entry {approved}
  median of prefill_tok_s
    value = 163.771714
    min = 161.166600
    max = 167.706934
    n = 3
    cv = 2.005073
    unit = tok/s
    scope.n_ubatch = 512
  scope n_ubatch: 512
  entry {entry} CELLS: one more ({id})
  receipt {receipt}: signed by {key}, attached, run attached at entry {run}
  raw file {raw}: llama-bench, cells: 2
  rows of run
    0  167.706934 tok/s  from samples_ns 12211778884, samples_ts 167.707
    1  163.771714 tok/s  from samples_ns 12505211955, samples_ts 163.772
    2  161.166600 tok/s  from samples_ns 12707347590, samples_ts 161.167
  does not establish:
    - that the machine was otherwise idle: it was looked at once a second at most
    - anything outside the scope above"""


def test_the_chain_reads_from_the_sentence_down_to_every_row(publisher):
    publisher.publish({**publisher.level, "scope": {"n_ubatch": 512}})
    done = publisher.judge(scope={"n_ubatch": 512}, approval=True)
    with publisher.open() as ledger:
        entry = ledger.resolve("CELLS")
        (run,) = ledger.index.find("run", publisher.uri("cells"))
    assert "\n".join(trail.text(done)) == TRAIL.format(
        approved=done.approved_by,
        entry=entry.index,
        id=entry.id,
        receipt=publisher.uri("cells"),
        key=publisher.keys["operator"].public.fingerprint,
        run=run,
        raw=publisher.receipt("cells").require("raw"),
    )


def test_a_window_shows_the_rows_of_both_arms(publisher):
    lines = list(trail.text(publisher.judge(publisher.change)))
    assert lines.index("  rows of plain") < lines.index("  rows of tuned")
    assert sum(" tok/s  from " in line for line in lines) == 10
    assert sum(line.startswith("  repetition ") for line in lines) == 10


@pytest.mark.parametrize("metric", ["decode_ms", "no_such_metric"])
def test_rows_without_the_metric_are_shown_all_the_same(publisher, metric):
    done = publisher.judge(metric=metric)
    lines = list(trail.text(done))
    assert lines[0] == "claim prefill: REFUSED"
    assert "CLM318" in lines[2]
    assert f"    0  no {metric}  from samples_ns 12211778884, samples_ts 167.707" in lines
    assert len(trail.view(done)["rows"]["run"]) == 3


def test_a_broken_chain_is_shown_as_far_as_it_holds(publisher):
    publisher.raw_of(publisher.receipt("cells")).unlink()
    lines = list(trail.text(publisher.judge()))
    assert lines[0] == "claim prefill: REFUSED"
    assert lines[1] == f"  {publisher.level['wording']}"
    assert [line.split()[0] for line in lines[4:6]] == ["entry", "receipt"]
    assert not any("rows of" in line for line in lines)


def test_the_values_are_plain_and_absent_ones_are_left_out(publisher):
    value = trail.view(publisher.judge())
    assert json.loads(json.dumps(value)) == value
    assert value["values"]["value"] == "163.771714"
    assert value["rows"]["run"][0].startswith("167.706934 tok/s  from samples_ns 12211778884")
    assert "approved_by" not in value
    publisher.ledger("retract", "CELLS", "--reason", "wrong")
    value = trail.view(publisher.judge())
    assert "sentence" not in value
    assert [refusal["code"] for refusal in value["refusals"]] == ["CLM502"]
