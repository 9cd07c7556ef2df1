import csv
import json
import math
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.metrics import METRICS
from engine.results import detect
from engine.results.lm_eval_scores import aggregate
from engine.results.model import select
from engine.results.refusals import ResultError
from tests.fixtures import lm_eval
from tests.fixtures.mutation import mutants

DEFAULT = Path(__file__).parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", DEFAULT)) / "raw"
corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not read"
)
NONE, ACC = ("none",), ("acc",)
GSM = ("strict-match", "flexible-extract")


def joined(rows, tasks=None, **changes):
    tasks = tasks or {"gsm8k": (rows, NONE, ACC)}
    summary = lm_eval.summary(tasks, **changes)
    file = detect.read(lm_eval.lines(rows), lm_eval.document(summary))
    assert file.reader == "lm-eval"
    return file


def lines(file, run=None):
    return {line.metric: line for line in detect.lines(file, run or file.runs[0])}


def names(run):
    return {note.name for note in run.notes}


def barred(run, metric="accuracy"):
    return any(note.barring(metric) for note in run.notes)


def test_average_and_error_follow_from_the_rows():
    file = joined(lm_eval.rows())
    found = lines(file)

    assert list(found) == ["gsm8k.n-samples", "gsm8k.acc,none", "gsm8k.acc_stderr,none"]
    assert {line.verdict for line in found.values()} <= {"exact", "float-noise"}
    assert found["gsm8k.acc,none"].about == "accuracy"
    assert not barred(file.runs[0])


def test_rows_that_two_tasks_share_are_bound_to_neither():
    rows = lm_eval.rows()
    again = [row | {"acc": 1.0 - row["acc"]} for row in rows]
    with pytest.raises(ResultError, match=r"not-results: .*a_task, b_task"):
        joined(rows, {"a_task": (again, NONE, ACC), "b_task": (rows, NONE, ACC)})


def test_rows_that_two_tasks_share_are_bound_to_the_one_with_their_metrics():
    rows = lm_eval.rows(metrics=("acc", "brier"))
    file = joined(rows, {"a_task": (rows, NONE, ACC), "b_task": (rows, NONE, ("acc", "brier"))})
    assert {run.config["task"] for run in file.runs} == {"b_task"}


def test_rows_alone_are_samples_without_claims():
    rows = lm_eval.rows()
    file = detect.read(lm_eval.lines(rows))
    (run,) = file.runs

    assert file.part == "rows"
    assert list(run.samples["accuracy"]) == [row["acc"] for row in rows]
    assert lines(file) == {}
    assert run.config == {"filter": "none", "metric": "acc"}
    assert run.identity["task_hash"] == lm_eval.task_hash(rows)
    assert run.rows[3] == {
        "status": "ok",
        "doc_id": 3,
        "doc_hash": rows[3]["doc_hash"],
        "value": rows[3]["acc"],
    }


def test_a_summary_alone_is_read_and_barred():
    file = detect.read(lm_eval.document(lm_eval.summary({"gsm8k": (lm_eval.rows(), NONE, ACC)})))

    assert file.part == "summary"
    assert names(file.runs[0]) == {"aggregates-only"}
    assert barred(file.runs[0])
    assert not file.runs[0].samples
    assert lines(file)["gsm8k.acc,none"].verdict == "not-recomputable"


@pytest.mark.parametrize("key", ["acc,none", "acc_stderr,none"])
def test_a_changed_average_differs_and_bars_the_metric(key):
    rows = lm_eval.rows()
    summary = lm_eval.summary({"gsm8k": (rows, NONE, ACC)})
    summary["results"]["gsm8k"][key] += 0.01
    file = detect.read(lm_eval.lines(rows), lm_eval.document(summary))
    (note,) = [note for note in detect.notes(file, file.runs[0]) if note.name == "differs"]

    assert note.barring("accuracy")


def test_each_filter_and_metric_is_a_run_of_its_own_rows():
    metrics = ("exact_match", "f1")
    rows = lm_eval.rows(filters=GSM, metrics=metrics)
    file = joined(rows, {"gsm8k": (rows, GSM, metrics)})
    run = select(file, {"task": "gsm8k", "filter": "flexible-extract", "metric": "exact_match"})

    assert len(file.runs) == 4
    assert list(run.samples["accuracy"]) == [row["exact_match"] for row in rows[20:]]
    assert select(file, {"filter": "strict-match", "metric": "f1"}).samples["task_score"]
    for one in file.runs:
        assert {line.verdict for line in lines(file, one).values()} <= {"exact", "float-noise"}


def test_the_digest_finds_the_task_of_the_rows_among_others():
    mine, other = lm_eval.rows("mine"), lm_eval.rows("other", seed=2)
    file = joined(mine, {"other": (other, NONE, ACC), "mine": (mine, NONE, ACC)})

    assert file.runs[0].config["task"] == "mine"
    assert [note.name for note in file.notes] == ["other-tasks"]


def test_rows_that_could_be_of_several_tasks_are_refused():
    mine, other = lm_eval.rows("mine"), lm_eval.rows("other", seed=2)
    tasks = {"other": (other, NONE, ACC), "mine": (mine, NONE, ACC)}
    with pytest.raises(ResultError, match=r"not-results: .*other, mine"):
        joined(mine, tasks, hashes=False)


def test_rows_of_other_metrics_than_the_summary_names_are_refused():
    rows = lm_eval.rows()
    with pytest.raises(ResultError, match=r"not-results: .*none"):
        joined(lm_eval.rows(metrics=("f1",)), {"gsm8k": (rows, NONE, ACC)})


def test_the_summary_of_another_evaluation_bars_the_rows():
    rows = lm_eval.rows()
    changed = lm_eval.rows("other prompts")
    file = joined(changed, {"gsm8k": (rows, NONE, ACC)})

    assert names(file.runs[0]) == {"rows-inconsistent"}
    assert barred(file.runs[0])


def test_fewer_rows_than_were_evaluated_are_incomplete_and_nothing_differs():
    rows = lm_eval.rows()
    file = joined(rows[:15], {"gsm8k": (rows, NONE, ACC)}, hashes=False)
    found = lines(file)

    assert names(file.runs[0]) == {"rows-incomplete"}
    assert barred(file.runs[0])
    assert found["gsm8k.n-samples"].verdict == "rows-incomplete"
    assert found["gsm8k.acc,none"].verdict == "not-recomputable"


def test_a_limit_is_told_and_bars_nothing():
    rows = lm_eval.rows()
    samples = {"gsm8k": {"original": 1319, "effective": 20}}
    file = joined(rows, **{"n-samples": samples})

    assert [str(note) for note in file.runs[0].notes] == [
        "limited: 20 of 1319 documents were evaluated"
    ]
    assert not barred(file.runs[0])


def test_appended_evaluations_are_kept_apart_and_the_digest_picks_one():
    first, second = lm_eval.rows(), lm_eval.rows("later", seed=2)
    tasks = {"gsm8k": (first, NONE, ACC)}
    file = detect.read(lm_eval.lines(first + second), lm_eval.document(lm_eval.summary(tasks)))
    run = select(file, {"evaluation": 0})

    assert len(file.runs) == 2
    assert {note.name for note in file.notes} == {"several-runs"}
    assert lines(file, run)["gsm8k.acc,none"].verdict in ("exact", "float-noise")
    assert lines(file, select(file, {"evaluation": 1})) == {}


def test_older_rows_name_neither_filter_nor_metric():
    rows = lm_eval.rows(filters=GSM, metrics=("exact_match",), old=True)
    file = joined(rows, {"gsm8k": (rows, GSM, ("exact_match",))})

    assert [run.config["filter"] for run in file.runs] == list(GSM)
    for run in file.runs:
        assert not barred(run)
        assert {line.verdict for line in lines(file, run).values()} <= {"exact", "float-noise"}


def test_older_rows_of_one_filter_are_bound_to_the_only_one_there_is():
    rows = lm_eval.rows(old=True)
    file = joined(rows)

    assert file.runs[0].config["filter"] == "none"
    assert lines(file)["gsm8k.acc,none"].verdict in ("exact", "float-noise")


def test_a_summary_of_0_3_has_metrics_without_filters():
    old = {
        "results": {"lambada": {"ppl": 11.1, "ppl_stderr": 0.3, "acc": 0.51, "acc_stderr": 0.006}},
        "versions": {"lambada": 0},
        "config": {"model": "gpt2", "num_fewshot": 0, "limit": 100, "bootstrap_iters": 100000},
    }
    file = detect.read(lm_eval.document(old))
    run = select(file, {"task": "lambada", "metric": "acc"})

    assert [one.config["metric"] for one in file.runs] == ["ppl", "acc"]
    assert list(lines(file, run)) == ["lambada.acc", "lambada.acc_stderr"]
    assert names(run) == {"aggregates-only", "limited"}


def test_a_group_is_an_average_of_averages():
    rows = lm_eval.rows()
    summary = lm_eval.summary({"part": (rows, NONE, ACC)})
    summary["results"]["group"] = {
        "acc,none": 0.4,
        "acc_stderr,none": 0.1,
        "alias": "group",
        " ": " ",
    }
    summary["group_subtasks"]["group"] = ["part"]
    alone = detect.read(lm_eval.document(summary))
    line = lines(alone, select(alone, {"task": "group"}))["group.acc,none"]
    file = detect.read(lm_eval.lines(rows), lm_eval.document(summary))

    assert line.verdict == "not-recomputable"
    assert "group" in line.note
    assert file.runs[0].config["task"] == "part"


def test_an_error_that_was_not_estimated_is_not_recomputable():
    rows = lm_eval.rows(count=1)
    assert lines(joined(rows))["gsm8k.acc_stderr,none"].verdict == "not-recomputable"


def test_perplexities_are_recomputed_from_all_rows_and_give_no_samples():
    rows = lm_eval.rows("wikitext", metrics=("word_perplexity", "bits_per_byte"))
    for at, row in enumerate(rows):
        row["word_perplexity"] = [-20.0 - at, 10 + at]
        row["bits_per_byte"] = [-20.0 - at, 50 + at]
    total = sum(row["word_perplexity"][0] for row in rows)
    words = sum(row["word_perplexity"][1] for row in rows)
    summary = lm_eval.summary({"acc": (lm_eval.rows(), NONE, ACC)}, hashes=False)
    summary["results"] = {
        "wikitext": {
            "word_perplexity,none": math.exp(-total / words),
            "word_perplexity_stderr,none": "N/A",
            "bits_per_byte,none": 0.7,
        }
    }
    file = detect.read(lm_eval.lines(rows), lm_eval.document(summary))
    found = {name: line for run in file.runs for name, line in lines(file, run).items()}

    assert found["wikitext.word_perplexity,none"].verdict in ("exact", "float-noise")
    assert found["wikitext.bits_per_byte,none"].verdict == "differs"
    assert all(not run.samples and names(run) == {"no-samples"} for run in file.runs)


def test_an_aggregation_that_is_not_known_is_not_recomputed():
    rows = lm_eval.rows()
    listed = {
        "gsm8k": {"metric_list": [{"metric": "acc", "aggregation": "def f(items):\n  return 1"}]}
    }
    file = joined(rows, configs=listed)

    assert lines(file)["gsm8k.acc,none"].verdict == "not-recomputable"
    assert not file.runs[0].samples


def test_a_verdict_counts_as_one_or_zero():
    rows = lm_eval.rows(metrics=("prompt_level_strict_acc",))
    for row in rows:
        row["prompt_level_strict_acc"] = bool(row["prompt_level_strict_acc"])
    (run,) = detect.read(lm_eval.lines(rows)).runs
    assert set(run.samples["accuracy"]) == {0, 1}


def test_less_may_be_better():
    rows = lm_eval.rows(metrics=("mistakes",))
    tasks = {"t": (rows, NONE, ("mistakes",))}
    file = joined(rows, tasks, higher_is_better={"t": {"mistakes": False}})
    assert set(file.runs[0].samples) == {"task_loss"}
    assert METRICS["task_loss"].polarity == "lower"


def test_a_metric_that_some_documents_lack_is_averaged_over_the_others():
    rows = lm_eval.rows(metrics=("acc", "acc_norm"))
    for row in rows[::2]:
        row["metrics"] = ["acc"]
        del row["acc_norm"]
    run = select(detect.read(lm_eval.lines(rows)), {"metric": "acc_norm"})
    assert len(run.samples["accuracy"]) == len(run.rows) == 10


@pytest.mark.parametrize("value", ["0.5", None, float("nan"), [], 10**200])
def test_a_score_that_is_no_number_among_numbers_is_refused(value):
    rows = lm_eval.rows()
    rows[7]["acc"] = value
    with pytest.raises(ResultError, match="not-a-number"):
        detect.read(lm_eval.lines(rows))


def test_what_names_model_build_and_setup_is_kept():
    run = joined(lm_eval.rows()).runs[0]

    assert run.identity["model_name"] == "a/model"
    assert run.identity["git_hash"] == "0123abcd"
    assert run.identity["gpu"] == "NVIDIA H100"
    assert run.config["model_args"] == "pretrained=a/model"
    assert run.config["n_shot"] == 5


def test_rows_inside_the_summary_are_read_with_it():
    rows = lm_eval.rows()
    summary = lm_eval.summary({"gsm8k": (rows, NONE, ACC)}, samples={"gsm8k": rows})
    file = detect.read(lm_eval.document(summary))

    assert len(file.runs[0].samples["accuracy"]) == 20
    assert lines(file)["gsm8k.acc,none"].verdict in ("exact", "float-noise")


def test_an_array_of_rows_is_a_samples_file():
    rows = lm_eval.rows()
    assert detect.read(json.dumps(rows, indent=2).encode()).runs[0].samples["accuracy"]


def test_two_files_of_the_same_kind_are_not_one_evaluation():
    data = lm_eval.lines(lm_eval.rows())
    with pytest.raises(ResultError, match="not-results"):
        detect.read(data, data)


def test_a_summary_without_an_average_is_refused():
    with pytest.raises(ResultError, match="no-rows"):
        detect.read(lm_eval.document(lm_eval.summary({})))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_the_error_shrinks_with_the_root_of_the_number_of_documents(values):
    error = aggregate(values, "mean", "stderr")
    assert error is not None
    assert 0 <= error <= 1 / math.sqrt(2 * (len(values) - 1)) + 1e-9
    assert aggregate(values * 2, "mean", "mean") == pytest.approx(aggregate(values, "mean", "mean"))


SMALL = lm_eval.rows(count=2, filters=GSM)
SUMMARY = lm_eval.summary({"gsm8k": (SMALL, GSM, ACC)}, groups={"g": {"acc,none": 1}})


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damage_is_refused_or_read_but_never_an_accident(data):
    rows, summary = json.dumps(SMALL).encode(), json.dumps(SUMMARY).encode()
    if data.draw(st.booleans()):
        rows = data.draw(mutants(SMALL))
    else:
        summary = data.draw(mutants(SUMMARY))
    for parts in ((rows,), (summary,), (rows, summary)):
        try:
            file = detect.read(*parts)
        except ResultError:
            continue
        for run in file.runs:
            detect.notes(file, run)
            assert set(run.samples) <= set(METRICS)
            assert all(len(values) == len(list(run.rows)) for values in run.samples.values())


def genuine(*names):
    return detect.read(*[(CORPUS / "lm-eval" / name).read_bytes() for name in names])


@corpus
def test_the_recomputation_table_is_met():
    with (CORPUS / "RECOMPUTE.tsv").open(newline="") as table:
        told = [
            r for r in csv.DictReader(table, delimiter="\t") if r["file"].startswith("lm-eval/")
        ]
    file = genuine("llama2_humaneval_samples.jsonl.gz", "llama2_humaneval_results.json")
    found = lines(file)
    assert len(told) == 2
    for row in told:
        metric, chosen = row["metric"].split(",")
        line = found[f"humaneval.{metric},{chosen}"]
        assert str(line.reported) == row["reported"]
        assert line.verdict in (row["verdict"], "exact")
        if row["verdict"] == "exact":
            assert str(line.recomputed) == row["recomputed"]


@corpus
def test_genuine_rows_and_their_summary_agree_in_digest_and_number():
    file = genuine("llama2_humaneval_samples.jsonl.gz", "llama2_humaneval_results.json")
    (run,) = file.runs

    assert run.notes == ()
    assert len(run.samples["accuracy"]) == 164
    assert sum(run.samples["accuracy"]) == 25
    assert {line.verdict for line in lines(file).values()} == {"exact"}


@corpus
@pytest.mark.parametrize(
    "name", ["llama2_humaneval_results.json", "llama2_winogrande_results.json"]
)
def test_a_genuine_summary_alone_is_barred(name):
    file = genuine(name)
    assert all(barred(run) for run in file.runs)
