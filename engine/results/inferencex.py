"""InferenceMAX / InferenceX aggregates: one object a configuration, and no rows in any of them.

    {"hw": "b200", "tp": 8, "conc": 4, "model": "…", "framework": "trt", "precision": "fp4",
     "tput_per_gpu": 10512.5, "output_tput_per_gpu": …, "mean_ttft": 0.96, "p99_intvty": 86.2, …}

`process_result.py` makes them from a result of `bench_serving`: it divides rates by the number of
GPUs (input tokens included in `tput_per_gpu`), turns every `…_ms` into **seconds** under a name
without a unit, and every time per output token into an *interactivity* of 1000 / ms, so that
`p99_intvty` is the slow tail and `mean_intvty` a harmonic mean. What was averaged is in the raw
file of the run, which the reader of vLLM reads; this one only says why these are no evidence.
Source of the format: utils/process_result.py and utils/agentic/, 2025-10 to 2026-09.
"""

from collections.abc import Mapping
from typing import Any, NoReturn

from engine.results.content import Content
from engine.results.model import Run
from engine.results.reconciliation import Line
from engine.results.refusals import ResultError

NAME = "inferencex"

_CELL = ("hw", "framework", "precision")
_SECONDS = ("median_ttft", "median_tpot", "median_e2el", "median_itl", "mean_ttft")


def recognises(content: Content) -> bool:
    """Say whether the first object is an aggregate of a cell, or a result made into seconds."""
    return _is_cell(content.first) or _is_processed(content.first)


def read(content: Content) -> NoReturn:
    """Refuse the file: its figures have no rows, and the rows are in another file."""
    count = len(content.documents.values)
    if _is_cell(content.first):
        what = f"{count} aggregates per configuration, times in seconds, rates per GPU"
    else:
        what = "averages whose times were made into seconds and lost their unit"
    raise ResultError("aggregates-only", f"{what}; give the raw result of the run, with its rows")


def check(run: Run) -> tuple[Line, ...]:
    """Return nothing: no file of this format gives a run."""
    del run
    return ()


def _is_cell(record: Mapping[str, Any]) -> bool:
    known = all(name in record for name in _CELL)
    return known or ("tput_per_gpu" in record and "conc" in record)


def _is_processed(record: Mapping[str, Any]) -> bool:
    return "duration" in record and "completed" in record and any(n in record for n in _SECONDS)
