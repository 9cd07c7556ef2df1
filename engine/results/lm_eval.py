"""lm-evaluation-harness: `samples_<task>_<time>.jsonl`, the rows, and `results_<time>.json`.

    {"doc_id": 0, "doc": {…}, "target": "…", "arguments": {…}, "resps": [["…"]],
     "filtered_resps": ["…"], "filter": "strict-match", "metrics": ["exact_match"],
     "doc_hash": "5133…", "prompt_hash": "00b2…", "target_hash": "d7de…", "exact_match": 1.0}

Each metric of each filter is a run; its samples are the metric's value for each document, and
`task`, `metric` and `filter` select it. `engine.results.lm_eval_rows` has the rows,
`lm_eval_summary` the summary, and `lm_eval_scores` the formulas that bind them. Rows do not name
their task: a summary is bound to them by its digest of their documents and prompts, or because only
one of its tasks can be theirs. Some versions keep the rows in the summary, under `samples`.
Source of the format: lm_eval/{evaluator,evaluator_utils}.py and lm_eval/loggers, 0.3 to 0.4.13.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.results.content import Content
from engine.results.lm_eval_rows import Evaluation, evaluations, metrics, under
from engine.results.lm_eval_scores import WITHOUT_ROWS, Score
from engine.results.lm_eval_summary import Summary
from engine.results.model import MAX_RUNS, ResultFile, Run, Table
from engine.results.printed import figure, is_number, mapping
from engine.results.reconciliation import Line
from engine.results.redaction import without_secrets
from engine.results.refusals import ALL, Note, ResultError
from engine.samples import Column

NAME = "lm-eval"

_SHOWN = 8


def recognises(content: Content) -> bool:
    """Say whether these are rows or a summary of the harness."""
    return _is_rows(content) or _is_summary(content)


def read(content: Content) -> ResultFile:
    """Return one run for each metric of each filter, of each evaluation or task."""
    noise = content.documents.noise
    if _is_rows(content):
        found = evaluations(content.documents.values)
        scores = [score for one in found for score in _of_rows(one)]
        return _file(scores, "rows", [*_appended(len(found)), *_noise(noise)])
    summary, kept = Summary(content.first), mapping(content.first.get("samples"))
    scores = [score for task in summary.tasks for score in _of_task(summary, task, kept.get(task))]
    return _file(scores, "summary", _noise(noise))


def join(rows_file: ResultFile, summary_file: ResultFile) -> ResultFile:
    """Return the rows with what the summary says of them, and how much else it says."""
    summary: Summary = summary_file.runs[0].source.summary
    found = list(dict.fromkeys(run.source.evaluation for run in rows_file.runs))
    task, found, bound = _bound(summary, found)
    scores = [score for one in found if one is not bound for score in _of_rows(one)]
    scores += _of_evaluation(summary, task, bound)
    notes = list(rows_file.notes)
    if left := len(summary.tasks) - 1:
        detail = f"the summary names {left} more tasks and groups, whose rows are not here"
        notes.append(Note("other-tasks", detail))
    return replace(rows_file, runs=tuple(map(_run, scores)), notes=tuple(notes))


def check(run: Run) -> Iterable[Line]:
    """Yield what the summary says about the run against the same from its rows."""
    score: Score = run.source
    return score.check()


def _is_rows(content: Content) -> bool:
    return content.has("doc_id") and (content.has("filtered_resps") or content.has("resps", "doc"))


def _is_summary(content: Content) -> bool:
    results = content.first.get("results")
    if not isinstance(results, dict) or not all(isinstance(row, dict) for row in results.values()):
        return False
    known = content.has("versions") or content.has("n-shot") or content.has("n-samples")
    return known and (content.has("config") or content.has("configs"))


def _file(scores: Sequence[Score], part: str, notes: Iterable[Note]) -> ResultFile:
    if not scores:
        raise ResultError("no-rows", "no row and no task has a metric")
    if len(scores) > MAX_RUNS:
        raise ResultError("too-large", f"{len(scores)} metrics are over the limit of {MAX_RUNS}")
    return ResultFile(NAME, tuple(map(_run, scores)), tuple(notes), part)


def _appended(count: int) -> Iterator[Note]:
    if count > 1:
        detail = f"documents come up {count} times: several evaluations or filters in one file"
        yield Note("several-runs", detail)


def _noise(lines: int) -> Iterator[Note]:
    if lines:
        yield Note("log-noise", f"noise lines: {lines} (not part of any row)")


def _of_rows(one: Evaluation) -> list[Score]:
    return [Score(metric, chosen, one) for metric, chosen in one.scores]


def _of_task(summary: Summary, task: str, rows: object) -> list[Score]:
    """Return the metrics of a task, with the rows that some versions keep in the same file."""
    if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
        return _of_evaluation(summary, task, under(_filters(summary, task), evaluations(rows))[-1])
    claims = summary.claims(task)
    return [Score(claim.metric, claim.filter, None, summary, task) for claim in claims]


def _of_evaluation(summary: Summary, task: str, one: Evaluation) -> list[Score]:
    """Return every metric that the rows have, or the summary claims."""
    claimed = ((claim.metric, claim.filter) for claim in summary.claims(task))
    return [
        Score(metric, chosen, one if (metric, chosen) in one.scores else None, summary, task)
        for metric, chosen in dict.fromkeys([*one.scores, *claimed])
    ]


def _filters(summary: Summary, task: str) -> list[str]:
    return list(dict.fromkeys(claim.filter for claim in summary.claims(task)))


def _bound(
    summary: Summary, found: Sequence[Evaluation]
) -> tuple[str, list[Evaluation], Evaluation]:
    """Return the task of the rows, all evaluations, and the one that the summary is of."""
    fitting = [task for task in summary.tasks if _fits(summary, task, found)]
    hashes = {one.hash for one in found if one.hash}
    same = [task for task in fitting if summary.hash(task) in hashes]
    same = [task for task in same if _claimed(summary, task) == _kept(found)] or same
    if len(same) > 1 and len({summary.hash(task) for task in same}) < len(same):
        raise _unbound(same)
    for task in same:
        named = under(_filters(summary, task), found)
        for one in reversed(named):
            if one.hash and one.hash == summary.hash(task):
                return task, named, one
    if len(fitting) != 1:
        raise _unbound(fitting)
    named = under(_filters(summary, fitting[0]), found)
    return fitting[0], named, named[-1]


def _unbound(tasks: Sequence[str]) -> ResultError:
    listed = ", ".join(map(str, map(figure, tasks[:_SHOWN]))) or "none"
    return ResultError("not-results", f"tasks of the summary that the rows may be of: {listed}")


def _fits(summary: Summary, task: str, found: Sequence[Evaluation]) -> bool:
    """Say whether the task has a metric of the rows, and is no group."""
    return bool(_claimed(summary, task) & _kept(found)) and not summary.group(task)


def _claimed(summary: Summary, task: str) -> set[str]:
    return {claim.metric for claim in summary.claims(task)}


def _kept(found: Sequence[Evaluation]) -> set[str]:
    return {metric for one in found for metric, _ in one.scores}


def _run(score: Score) -> Run:
    summary, one, claim = score.summary, score.evaluation, score.claim
    config, secrets = without_secrets(summary.config(score.task) if summary else {})
    names = {"task": score.task, "filter": score.filter, "metric": score.metric}
    config |= {name: text for name, text in names.items() if text}
    if one and one.number is not None:
        config["evaluation"] = one.number
    usable = score.aggregation == "mean" and _usable(score)
    return Run(
        identity=_identity(score),
        config=config,
        samples={score.about: Column(score.values)} if usable else {},
        rows=_table(score),
        reported={claim.key: figure(claim.value)} if claim else {},
        notes=(*_notes(score, usable=usable), *secrets),
        source=score,
    )


def _identity(score: Score) -> dict[str, str]:
    found = score.summary.identity(score.task) if score.summary else {}
    if score.evaluation and score.evaluation.hash:
        found["task_hash"] = score.evaluation.hash
    return found


def _usable(score: Score) -> bool:
    """Say whether there is a number for each document; some numbers and some not are refused."""
    numbers = sum(map(is_number, score.values))
    if 0 < numbers < len(score.values):
        strange = figure(next(value for value in score.values if not is_number(value)))
        raise ResultError(
            "not-a-number", f"{score.metric} of a row is {strange}, which is no number"
        )
    return bool(numbers)


def _table(score: Score) -> Table:
    if score.evaluation is None:
        return Table({}, 0)
    rows = [row for row in score.evaluation.filtered(score.filter) if score.metric in metrics(row)]
    columns: dict[str, Sequence[Any]] = {
        "status": ["ok"] * len(rows),
        **{name: [row.get(name) for row in rows] for name in ("doc_id", "doc_hash")},
        "value": score.values,
    }
    return Table(columns, len(rows))


def _notes(score: Score, *, usable: bool) -> Iterator[Note]:
    summary, one = score.summary, score.evaluation
    if one is None:
        yield Note("aggregates-only", WITHOUT_ROWS, ALL)
    elif score.lacking:
        detail = f"{score.lacking} of the documents that were evaluated have no row"
        yield Note("rows-incomplete", detail, ALL)
    elif not usable:
        yield Note("no-samples", f"{score.aggregation}: no document has a value of its own")
    if summary is None:
        return
    if limited := summary.limited(score.task):
        yield Note("limited", limited)
    claimed = summary.hash(score.task)
    if one and one.hash and claimed and claimed != one.hash:
        detail = "the summary's digest of documents and prompts is not that of these rows"
        yield Note("rows-inconsistent", detail, ALL)
