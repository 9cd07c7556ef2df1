"""The summary that lm-evaluation-harness writes: averages of each task, by metric and filter.

    {"results": {"gsm8k": {"alias": "gsm8k", "exact_match,strict-match": 0.61,
                           "exact_match_stderr,strict-match": 0.013, …}, …},
     "configs": {"gsm8k": {"metric_list": [{"metric": "exact_match", "aggregation": "mean"}], …}},
     "n-samples": {"gsm8k": {"original": 1319, "effective": 1319}}, "config": {"limit": null, …}, …}

A key is ``metric,filter``; up to 0.3 it was the metric alone, and there was no `n-samples`. A group
of tasks has a row of its own in `results`, an average of its tasks' averages.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard

from engine.results.model import Setting, Settings
from engine.results.printed import figure, is_count, mapping
from engine.results.source_json import NonFinite

_COUNTS = frozenset({"samples", "sample_len", "sample_count", "size"})
_IDENTITY = (
    *("model_name", "model_source", "lm_eval_version", "git_hash", "upper_git_hash", "date"),
    *("transformers_version", "chat_template_sha", "system_instruction_sha"),
)
_GPU = re.compile(r"^GPU \d+: (.+)$", re.MULTILINE)
_ACCURACY = re.compile(r"(?:^|_)acc(?:_|$)|^exact_match|^em$|^pass(?:@|_at_)")
_LOSSES = frozenset(
    {"perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "brier_score"}
    | {"ter", "wer", "cer", "mae", "mse", "rmse"}
)
_AGGREGATIONS = {
    "perplexity": "perplexity",
    "word_perplexity": "weighted_perplexity",
    "byte_perplexity": "weighted_perplexity",
    "bits_per_byte": "bits_per_byte",
    "brier_score": "brier_score",
    "mcc": "matthews_corrcoef",
    "bleu": "bleu",
    "chrf": "chrf",
    "ter": "ter",
}
"""Of metrics that are no mean, where the task's configuration does not say."""


class Claim(NamedTuple):
    """One average of a task: the key and value in the summary, and its standard error's."""

    metric: str
    filter: str
    key: str
    value: object
    error_key: str
    error: object


def metric_id(metric: str, *, higher_is_better: bool | None = None) -> str:
    """Return the id of our metric that a task's `metric` is."""
    if _ACCURACY.search(metric) and higher_is_better is not False:
        return "accuracy"
    better = metric not in _LOSSES if higher_is_better is None else higher_is_better
    return "task_score" if better else "task_loss"


def aggregation(metric: str) -> str:
    """Return by which formula one figure is made of all rows of `metric`, by default."""
    return _AGGREGATIONS.get(metric, "mean")


class Summary:
    """One results file."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        groups, results = (mapping(record.get(name)) for name in ("groups", "results"))
        both = {**groups, **results}
        self.tasks = {name: rows for name, rows in both.items() if isinstance(rows, dict)}

    def claims(self, task: str) -> Iterator[Claim]:
        """Yield each average of a task, in the order of the file."""
        printed = self.tasks[task]
        for key, value in printed.items():
            metric, _, chosen = key.partition(",")
            if metric.endswith("_stderr") or metric in _COUNTS or not _is_figure(value):
                continue
            error_key = f"{metric}_stderr,{chosen}" if "," in key else f"{metric}_stderr"
            yield Claim(metric, chosen, key, value, error_key, printed.get(error_key))

    def group(self, task: str) -> bool:
        """Say whether the averages are of other tasks' averages."""
        return bool(self._about("group_subtasks", task)) or task in mapping(
            self.record.get("groups")
        )

    def hash(self, task: str) -> str | None:
        """Return the digest of the documents and prompts of a task, None where there is none."""
        found = self._about("task_hashes", task)
        return found if isinstance(found, str) else None

    def effective(self, task: str) -> int | None:
        """Return how many documents of a task were evaluated, None where the file does not say."""
        listed = [mapping(self._about("n-samples", task)).get("effective")]
        listed += [self.tasks[task].get(name) for name in sorted(_COUNTS)]
        return next((count for count in listed if is_count(count)), None)

    def limited(self, task: str) -> str:
        """Return in words that only some documents were evaluated, "" if all were."""
        whole, taken = mapping(self._about("n-samples", task)).get("original"), self.effective(task)
        if is_count(whole) and taken is not None and taken < whole:
            return f"{taken} of {whole} documents were evaluated"
        limit = mapping(self.record.get("config")).get("limit")
        unknown = taken is None and limit is not None
        return f"limit {figure(limit)}: only some documents were evaluated" if unknown else ""

    def about(self, task: str, metric: str) -> str:
        """Return the id of our metric that `metric` of a task is."""
        told = mapping(self._about("higher_is_better", task))
        sides = {side for side in told.values() if isinstance(side, bool)}
        side = told.get(metric, sides.pop() if len(sides) == 1 else None)
        return metric_id(metric, higher_is_better=side if isinstance(side, bool) else None)

    def aggregation(self, task: str, metric: str) -> str:
        """Return by which formula the tool makes one figure of all rows of a metric."""
        listed = mapping(self._about("configs", task)).get("metric_list")
        entries = [one for one in listed if isinstance(one, dict)] if _is_list(listed) else []
        named = [one.get("aggregation") for one in entries if one.get("metric") == metric]
        every = named or [one.get("aggregation") for one in entries]
        told = {name for name in every if isinstance(name, str)}
        if metric in _AGGREGATIONS or len(told) != 1:
            return aggregation(metric)
        name = told.pop()
        return name if name.isidentifier() else "function"

    def identity(self, task: str) -> dict[str, str]:
        """Return what names the model, the build and the data."""
        found = {name: self.record.get(name) for name in _IDENTITY}
        found |= {"task_hash": self.hash(task), "task_version": self._about("versions", task)}
        environment = self.record.get("pretty_env_info")
        if isinstance(environment, str):
            found["gpu"] = ", ".join(_GPU.findall(environment)) or None
        flat = (str, int, float)
        return {name: str(value) for name, value in found.items() if isinstance(value, flat)}

    def config(self, task: str) -> dict[str, Setting]:
        """Return how the evaluation was set up."""
        shots = self._about("n-shot", task)
        found = Settings(mapping(self.record.get("config")))
        return {**found, "n_shot": shots} if is_count(shots) else dict(found)

    def _about(self, part: str, task: str) -> Any:
        return mapping(self.record.get(part)).get(task)


def _is_figure(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number or isinstance(value, NonFinite)


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)
