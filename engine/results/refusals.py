"""Why a raw file, a run or a metric of it is not evidence: each reason has a stable name.

A file that cannot be read at all raises `ResultError`. A file that can be read, but of which
something must not be cited, says so in `Note`s: data, which the command line prints, receipts
carry, and claims obey.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from receipts.errors import MalformedError

REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        "unknown-tool": "No reader knows these bytes; declare the columns of a table.",
        "too-large": "The file, or the number of its rows, is over a limit.",
        "too-deep": "The nesting is deeper than any tool writes.",
        "not-text": "The bytes are not UTF-8 text.",
        "malformed": "The text breaks the rules of its format.",
        "truncated": "The file ends before its last value does: the tool or a copy stopped early.",
        "duplicate-keys": "One object has a key twice, so which value was meant is unknown.",
        "not-a-number": "NaN, Infinity, text or null stands where a number is claimed.",
        "mixed-units": "One metric has several units in one file.",
        "aggregates-only": "The file holds averages and no rows: nothing can be recomputed.",
        "no-rows": "The rows are missing, or were taken out, while the averages stayed.",
        "zero-repetitions": "The file says itself that nothing was repeated.",
        "rows-incomplete": "Fewer rows are kept than the file claims to have measured.",
        "rows-inconsistent": "Lists that should have one value per row have different lengths.",
        "all-requests-failed": "No request succeeded; a 0.0 in this file means missing.",
        "failed-rows": "Some requests failed, and no policy says what becomes of them.",
        "zero-is-missing": "A time of 0 is a value that was never measured.",
        "peak-below-mean": "A peak is lower than the mean of the same thing.",
        "run-failed": "A wrapper says that the run failed.",
        "above-limit": "A launch moved more than the hardware can: the times are wrong.",
        "probe-unresolved": "The kernel's clock ticked too seldom for a rate.",
        "no-such-column": "A column that somebody declared is not in the file.",
        "not-results": "The file belongs to a run but holds no results.",
        "not-a-distribution": "One repetition has no spread, whatever the file prints for it.",
        "differs": "The file's own average does not follow from its rows.",
    }
)
"""Name of each reason → what it means. Names are stable; docs/reference/results.md lists them."""
REMARKS: Mapping[str, str] = MappingProxyType(
    {
        "cached-prompt": "Part of the prompt was cached, so less was read than was sent.",
        "cache-untold": "The server does not say whether any of the prompt came from a cache.",
        "cut-off": "Requests that were still running at the end are left out.",
        "debug-build": "The tool, or what it measured, was built without optimisation.",
        "dirty-tree": "The working tree had changes that no commit has.",
        "errors-in-log": "The log of the run holds errors.",
        "fits-in-cache": "A launch moves less than four times what the caches hold.",
        "held-back": "Tokens came without an id or a piece: a stream shows no half of a character.",
        "itl-per-chunk": "Several tokens came at once: gaps are per chunk, not per token.",
        "itl-retokenized": "The averages may be of other gaps than those that were kept.",
        "leftovers": "Processes outlived what they belonged to, and were ended.",
        "limited": "Only part of the task was evaluated.",
        "log-noise": "Lines of the file belong to no record and were passed over.",
        "may-be-a-mean": "A single line may be a mean of repetitions that were not kept.",
        "misspelt-key": "A key is spelt as some versions of the tool misspelt it.",
        "n-kv-is-depth": "n_kv is how many tokens were there before, not how many in all.",
        "no-limit": "Nothing says how fast the hardware could be at most.",
        "no-metric": "A quantity of the rows has no metric here.",
        "no-samples": "The task's own score has no value for a single document.",
        "no-summary": "Without the tool's summary nobody knows whether all rows are here.",
        "no-unit": "The rows do not say in which unit a value is.",
        "not-json": "A setting is spelt as JSON does not allow.",
        "not-native": "The kernel did not run natively: its time says nothing about the hardware.",
        "nothing-decoded": "A response has no output beyond its first token.",
        "other-tasks": "The summary is about more tasks than the rows are.",
        "repeated-rows": "The same rows stand in the file more than once.",
        "rows-left-out": "Rows that the declaration does not ask for were left out.",
        "secret": "A setting that looks like a secret is left out of the facts.",
        "several-phases": "Records of more than one phase; one is counted.",
        "several-runs": "The file holds several runs, one after the other.",
        "token-counts-apart": "The tool's two counts of output tokens disagree.",
        "tool-warning": "The tool itself wrote a warning.",
        "warm-up": "Requests of the warm-up are left out.",
    }
)
"""Name of each remark → what it means; some bar a metric, most bar nothing."""


class ResultError(MalformedError):
    """A raw file that is no evidence as a whole; `name` is one of `REFUSALS`."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"{name}: {detail}")
        self.name = name
        self.detail = detail

    def at(self, place: str) -> "ResultError":
        """Return the same refusal with `place` before its detail."""
        return ResultError(self.name, f"{place}: {self.detail}")


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know about a run: `name` is one of `REFUSALS`, or a mere remark.

    `bars` holds the metric ids that must not be cited for it; `ALL` bars every one, an empty set
    none. `unless` names the declared policy that lifts the bar.
    """

    name: str
    detail: str
    bars: frozenset[str] = frozenset()
    unless: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.detail}"

    def told(self, policies: frozenset[str] = frozenset()) -> str:
        """Return the note with what a declared policy makes of it."""
        if not self.unless:
            return str(self)
        lifted = "excluded, as declared" if self.unless in policies else "not citable"
        return f"{self}; {lifted} (--policy {self.unless})"

    def barring(self, metric: str, policies: frozenset[str] = frozenset()) -> bool:
        """Say whether `metric` must not be cited under these declared policies."""
        return bool(self.bars & {metric, "*"}) and self.unless not in policies


ALL = frozenset({"*"})
EXCLUDE_FAILED = "exclude-failed-rows"
"""The policy under which figures are those of the rows that succeeded, and say so."""
