"""What the judgement computes, and what it objects to."""

import json
import os
from fractions import Fraction
from pathlib import Path

import numpy
import pytest

CORPUS = Path(
    os.environ.get("EVIDENCE_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus")
)
GENUINE = CORPUS / "raw" / "llama-bench" / "kyuz0_deepseek4_build10224.jsonl"


def times(path: Path, batch: int) -> list[int]:
    """Return samples_ns of the cell with this n_ubatch, read without any code of ours."""
    records = [json.loads(line) for line in path.read_text().splitlines()]
    (record,) = [record for record in records if record["n_ubatch"] == batch]
    return record["samples_ns"]


def rendered(publisher, claim):
    """Return the sentence that `claims render` prints for the approved claim."""
    publisher.publish(claim)
    result = publisher.claims("render", claim["id"])
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()[0]


@pytest.mark.parametrize("batch", [256, 512])
def test_three_repetitions_that_are_stated_and_said_render_with_numpys_median(publisher, batch):
    wanted = numpy.median(2048e9 / numpy.array(times(publisher.root / "cells", batch)))
    claim = {**publisher.level, "evidence": [{"entry": "CELLS", "select": {"n_ubatch": batch}}]}
    assert rendered(publisher, claim) == (
        f"Prefill reaches {wanted:.2f} tok/s (median of 3 repetitions)."
    )


@pytest.mark.parametrize("batch", [256, 512, 1024, 2048])
def test_a_genuine_file_renders_with_numpys_median_and_is_refused_with_the_default(
    publisher, batch
):
    if not GENUINE.is_file():
        pytest.skip(f"{GENUINE} is absent: the genuine llama-bench file was not rendered")
    from click.testing import CliRunner

    from engine.cli import engine

    attached = ["attach", str(GENUINE), "--cell", "pp2048", "--name", "ds4"]
    assert CliRunner().invoke(engine, attached).exit_code == 0
    added = publisher.ledger(
        *("add", "--title", "T", "--label", "DS4"),
        *("--verdict", "measured-only", "--evidence", "receipt://ds4"),
    )
    assert added.exit_code == 0
    cited = [{"entry": "DS4", "select": {"n_ubatch": batch}}]
    wanted = numpy.median(2048e9 / numpy.array(times(GENUINE, batch)))
    assert rendered(publisher, {**publisher.level, "evidence": cited}) == (
        f"Prefill reaches {wanted:.2f} tok/s (median of 3 repetitions)."
    )
    silent = {name: value for name, value in publisher.level.items() if name != "repetitions"}
    (refusal,) = publisher.judge(silent, evidence=cited).refusals
    assert (refusal.code, refusal.message) == (
        "CLM305",
        "there are 3 repetitions, the claim needs 5",
    )


@pytest.mark.parametrize(
    ("statistic", "reduce"),
    [("median", numpy.median), ("mean", numpy.mean), ("min", numpy.min), ("max", numpy.max)],
)
def test_a_level_is_what_numpy_makes_of_the_rows(shared_publisher, statistic, reduce):
    rates = 2048e9 / numpy.array(times(shared_publisher.root / "cells", 512))
    values = shared_publisher.judge(statistic=statistic).values
    assert float(values["value"]) == pytest.approx(reduce(rates), rel=1e-12)
    assert float(values["min"]) == pytest.approx(rates.min(), rel=1e-12)
    assert float(values["max"]) == pytest.approx(rates.max(), rel=1e-12)
    assert float(values["cv"]) == pytest.approx(100 * rates.std(ddof=1) / rates.mean(), rel=1e-7)
    assert (values["n"], values["unit"]) == (3, "tok/s")


def test_a_change_is_the_ratio_of_the_medians_of_both_arms(shared_publisher):
    values = shared_publisher.judge(shared_publisher.change).values
    assert values["ratio"] == Fraction(1002, 802)
    assert values["percent"] == (Fraction(1002, 802) - 1) * 100
    assert values["baseline"] == Fraction(10**9, 1002)
    assert values["candidate"] == Fraction(10**9, 802)
    assert (values["baseline.min"], values["baseline.max"]) == (
        Fraction(10**9, 1004),
        Fraction(10**9, 1000),
    )
    assert values["n"] == 5


def test_where_less_is_better_the_ratio_still_says_that_the_candidate_wins(publisher, walk):
    said = ["--evidence", "receipt://anchored", "--metric", "decode_ms", "--tolerance", "0.02"]
    assert publisher.engine("anchor", "record", "plain-ms", *said).exit_code == 0
    fields = json.loads((publisher.root / "exact.yaml").read_text())
    anchors = [{**fields["anchors"][0], "record": "plain-ms"}]
    walk("TIMES", metrics=["decode_tok_s", "decode_ms"], anchors=anchors)
    times = [{"entry": "TIMES"}]
    values = publisher.judge(publisher.change, metric="decode_ms", evidence=times).values
    assert values["ratio"] == values["baseline"] / values["candidate"] > 1
    assert values["percent"] == (1 - values["candidate"] / values["baseline"]) * 100
    assert values["unit"] == "ms"


@pytest.mark.parametrize(
    ("wording", "repetitions", "codes"),
    [
        ("{value:.1f} {unit}, median of {n} repetitions.", 3, []),
        ("{value:.1f} {unit}, median of {n} repetitions.", 2, []),
        ("{value:.1f} {unit}, median of {n} repetitions.", 4, ["CLM305"]),
        ("{value:.1f} {unit}.", 3, ["CLM305"]),
        ("{value:.1f} {unit}, a single sample.", 3, ["CLM305"]),
    ],
)
def test_few_repetitions_are_stated_and_said(shared_publisher, wording, repetitions, codes):
    assert shared_publisher.codes(wording=wording, repetitions=repetitions) == codes


def test_six_repetitions_need_not_be_said(shared_publisher):
    plain = "{value:.1f} {unit}."
    steady = [{"entry": "STEADY"}]
    assert shared_publisher.codes(wording=plain, repetitions=5, evidence=steady) == []
    assert shared_publisher.codes(wording=plain, repetitions=7, evidence=steady) == ["CLM305"]


@pytest.mark.parametrize(
    ("limit", "codes"), [(None, []), ("0.02", ["CLM306"]), ("0.0201", []), ("0", ["CLM306"])]
)
def test_a_claim_may_set_a_limit_of_its_own(shared_publisher, limit, codes):
    assert shared_publisher.codes(**({"cv_limit": limit} if limit else {})) == codes


def test_the_stricter_of_plan_and_claim_holds_and_both_figures_are_told(shared_publisher):
    noisy = [{"entry": "NOISY"}]
    for limit, told in (("0.9", 5), ("0.04", 4), (None, 5)):
        stated = {"cv_limit": limit} if limit else {}
        (refusal,) = shared_publisher.judge(
            shared_publisher.change, evidence=noisy, **stated
        ).refusals
        assert refusal.message == f"candidate.cv is 28.03 %, the limit is {told} %"


@pytest.mark.parametrize(
    ("scope", "codes"),
    [
        ({"n_ubatch": 512}, []),
        ({"n_ubatch": "512"}, []),
        ({"flash_attn": True}, []),
        ({"flash_attn": "true"}, []),
        ({"flash_attn": False}, ["CLM201"]),
        ({"n_ubatch": 1024}, ["CLM201"]),
        ({"n_ubatch": "0512"}, ["CLM201"]),
        ({"cell": "pp2048"}, []),
        ({"cell": "pp"}, ["CLM201"]),
        ({"humidity": "40"}, ["CLM201"]),
        ({"n_ubatch": "*"}, ["CLM203"]),
        ({"humidity": "any"}, ["CLM203"]),
        ({"gpu_info": "All"}, ["CLM203"]),
        ({"n_ubatch": 1024, "cell": "pp"}, ["CLM201", "CLM201"]),
    ],
    ids=str,
)
def test_each_fact_of_the_scope_is_a_fact_of_the_evidence(shared_publisher, scope, codes):
    assert shared_publisher.codes(scope=scope) == codes


def test_an_entrys_own_scope_never_overrides_what_the_rows_say(publisher):
    uri = publisher.uri("cells")
    cited = [{"receipt": uri, "select": {"n_ubatch": 512}}]
    said = {"gpu_info": "a faster GPU", "lane": "greedy"}
    publisher.experiment("SAID", evidence=cited, scope=said)
    here = [{"entry": "SAID"}]
    assert publisher.codes(evidence=here, scope={"gpu_info": "a faster GPU"}) == ["CLM201"]
    assert publisher.codes(evidence=here, scope={"lane": "greedy"}) == []


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"must_retain": ["Median", "repetitions"]}, []),
        ({"must_retain": ["mean", "cold"]}, ["CLM402", "CLM402"]),
        ({"forbidden": ["up to", "fastest"]}, []),
        ({"forbidden": ["REACHES"]}, ["CLM403"]),
        ({"forbidden": ["163.77"]}, ["CLM403"]),
    ],
    ids=str,
)
def test_required_and_forbidden_words_are_sought_in_the_filled_sentence(
    shared_publisher, fields, codes
):
    assert shared_publisher.codes(**fields) == codes


def test_all_objections_are_told_at_once(shared_publisher):
    codes = shared_publisher.codes(
        wording="All GPUs reach {value:.1f} {unit}.",
        tag="roadmap",
        scope={"n_ubatch": 1},
        must_retain=["median"],
        forbidden=["reach"],
        cv_limit="0.01",
    )
    assert codes == ["CLM405", "CLM305", "CLM306", "CLM201", "CLM402", "CLM403", "CLM203"]


def test_a_window_that_lies_about_exactness_is_caught_by_its_rows(publisher):
    exact = publisher.receipt("exact").predicate.exactness
    publisher.experiment("LIE", publisher.altered("other", exactness=exact))
    (refusal,) = publisher.judge(publisher.change, evidence=[{"entry": "LIE"}]).refusals
    assert (refusal.code, refusal.message) == (
        "CLM320",
        "tuned repetition 1 has token 5 at 3, plain repetition 0 has 4",
    )


def test_logits_are_compared_where_the_plan_says_so(publisher, walk):
    walk("DEEP", exactness="tokens-and-logits")
    assert publisher.codes(publisher.change, evidence=[{"entry": "DEEP"}]) == []


def test_a_refused_chain_gives_neither_values_nor_sentence(publisher):
    publisher.raw_of(publisher.receipt("cells")).unlink()
    done = publisher.judge()
    assert (done.values, done.sentence, done.holds) == ({}, None, False)


def test_nothing_is_computed_from_a_ledger_that_does_not_verify(publisher):
    publisher.flip_row(6, -20)
    done = publisher.judge()
    assert [refusal.code for refusal in done.refusals] == ["CLM301"]
    assert done.refusals[0].message.startswith("entry 6: ")
    assert (done.values, done.sentence, done.evidence.links) == ({}, None, [])
