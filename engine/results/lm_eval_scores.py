"""One metric of one filter of one task: the value of each document, and what the summary says.

    metric = sum(values) / n     stderr = sqrt(sum((v - metric)²) / (n - 1)) / sqrt(n)

from left to right, in doubles. Perplexities are made of all rows at once, of log-likelihoods or of
pairs of one and its number of words or bytes. No other formula is recomputed, and no standard error
by bootstrap, which is random.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.results.lm_eval_rows import Evaluation, is_pair
from engine.results.lm_eval_summary import Claim, Summary, aggregation, metric_id
from engine.results.printed import figure, is_number
from engine.results.reconciliation import Line, compared, counted, define, unavailable

WITHOUT_ROWS = "no rows: give the samples file of --log_samples too"
_PERPLEXITIES = ("perplexity", "weighted_perplexity", "bits_per_byte")
_LARGEST = 700  # exp of more is no double


@dataclass(frozen=True, eq=False)
class Score:
    """Rows without a summary, averages without rows, or both."""

    metric: str
    filter: str
    evaluation: Evaluation | None = None
    summary: Summary | None = None
    task: str = ""

    @property
    def about(self) -> str:
        """The id of our metric that this is."""
        return (
            self.summary.about(self.task, self.metric) if self.summary else metric_id(self.metric)
        )

    @property
    def aggregation(self) -> str:
        """How the tool makes one figure of the values."""
        if self.summary is None:
            return aggregation(self.metric)
        return self.summary.aggregation(self.task, self.metric)

    @property
    def claim(self) -> Claim | None:
        """The average in the summary."""
        claims = self.summary.claims(self.task) if self.summary else ()
        return next((c for c in claims if (c.metric, c.filter) == (self.metric, self.filter)), None)

    @property
    def values(self) -> list[Any]:
        """What each document got."""
        if self.evaluation is None:
            return []
        return self.evaluation.scores.get((self.metric, self.filter), [])

    @property
    def lacking(self) -> int:
        """How many documents were evaluated and have no row."""
        claimed = self.summary.effective(self.task) if self.summary else None
        return 0 if claimed is None else max(claimed - self._documents, 0)

    @property
    def _documents(self) -> int:
        return len(self.evaluation.filtered(self.filter)) if self.evaluation else 0

    def check(self) -> Iterator[Line]:
        """Yield the number of documents, the average and its error against the rows."""
        claim, summary = self.claim, self.summary
        claimed = summary.effective(self.task) if summary else None
        if claimed is not None:
            definition = define("lm-eval", "documents", "count", "exact", self.filter or "all", "1")
            yield counted(f"{self.task}.n-samples", claimed, self._documents, definition)
        if claim:
            yield self._line(claim.key, claim.value, "mean")
        if claim and claim.error is not None:
            yield self._line(claim.error_key, claim.error, "stderr")

    def _line(self, key: str, value: object, statistic: str) -> Line:
        convention = self.aggregation if statistic == "mean" else "ddof1"
        rows = self.filter or "all"
        definition = define("lm-eval", self.metric, statistic, convention, rows, "1")
        metric, shown = f"{self.task}.{key}", figure(value)
        taken = aggregate(self.values, self.aggregation, statistic)
        if why := self._hindrance(shown, statistic, known=taken is not None):
            return unavailable(metric, shown, definition, why)
        about = self.about if self.aggregation == "mean" else ""
        return compared(metric, shown, taken, definition, about)

    def _hindrance(self, shown: object, statistic: str, *, known: bool) -> str:
        """Return why a figure cannot be recomputed, "" if it can."""
        if self.evaluation is None:
            grouped = self.summary is not None and self.summary.group(self.task)
            return "a group: an average of its tasks' averages" if grouped else WITHOUT_ROWS
        if self.lacking:
            return f"{self.lacking} rows are missing"
        if shown == "N/A":
            return "the tool did not estimate it"
        if known:
            return ""
        if statistic == "stderr":
            return "by bootstrap, or of one document"
        return f"{self.aggregation} of what rows keep in another form than one number"


def aggregate(values: Sequence[Any], formula: str, statistic: str) -> float | None:
    """Return the figure of all `values` in the tool's order of operations, None if not known."""
    count = len(values)
    if formula in _PERPLEXITIES and statistic == "mean":
        return _perplexity(values, formula)
    if formula != "mean" or not count or not all(map(is_number, values)):
        return None
    mean = _total(values) / count
    if statistic == "mean":
        return mean
    if count < 2:
        return None
    return math.sqrt(_total((v - mean) ** 2 for v in values) / (count - 1)) / math.sqrt(count)


def _perplexity(values: Sequence[Any], formula: str) -> float | None:
    """Return exp(-log-likelihood per row or word), or the bits for each byte."""
    pairs = [(value, 1) for value in values] if formula == "perplexity" else values
    if not values or not all(map(is_pair, pairs)):
        return None
    each = -_total(pair[0] for pair in pairs) / _total(pair[1] for pair in pairs)
    if formula == "bits_per_byte":
        return each / math.log(2)
    return math.exp(each) if each < _LARGEST else None


def _total(values: Iterable[float]) -> float:
    """Sum from left to right, as Python did before 3.12."""
    total: float = 0
    for value in values:
        total += value
    return total
