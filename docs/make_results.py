"""Write docs/reference/results.md from the readers themselves; with --check, only compare.

The page lists every reader, every reason for which a raw file is refused, and every metric.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "results.md"
sys.path.insert(0, str(ROOT))

import made_page  # noqa: E402 - it lies beside this script

from engine.metrics import METRICS  # noqa: E402 - the repository is put on the path first
from engine.results.detect import READERS  # noqa: E402 - likewise
from engine.results.refusals import REFUSALS, REMARKS  # noqa: E402 - likewise

_HEAD = """# Raw results

<!-- Made by docs/make_results.py; do not edit. -->

Which raw files are read, what is refused and why, and what is measured. How to use them:
[attach raw files](../how-to/attach-raw-files.md),
[cite a vLLM benchmark](../how-to/cite-a-vllm-benchmark.md),
[compare two files](../how-to/compare-two-files.md).

A reader is chosen by the content of a file, never by its name; gzip is read as what it holds. Each
average that a tool printed is recomputed from the rows by the tool's own formula, with a verdict:

| verdict | meaning |
| --- | --- |
| exact | the same number, digit for digit |
| float-noise | the same up to the last bits of a double, or of a stated constant |
| differs | another number: the metric is not citable |
| not-recomputable | the rows, or an input of the formula, are not in the file |
| known-tool-bug | the number follows from a known defect of the tool, which was reproduced |
| rows-incomplete | a count is larger than the number of rows that were kept |

A formula has an id of six parts, `tool/quantity/statistic/convention/rows/unit`:
`vllm-serve/ttft/p99/linear/ok/ms` is the 99th percentile, linear between ranks, over the requests
that succeeded. `engine reconcile FILE --all` prints the id of every average.
"""


def page() -> str:
    """Return the whole page."""
    readers = {reader.NAME: _first_line(reader.__doc__) for reader in READERS}
    metrics = (
        f"| `{one.id}` | {one.unit} | {one.polarity} | {one.meaning} |" for one in METRICS.values()
    )
    parts = [
        _HEAD,
        *("## Readers", "", *_table("reader", readers), ""),
        *("## Refusals", "", "A file, a run or a metric is not evidence:", ""),
        *(*_table("name", REFUSALS), ""),
        *("## Remarks", "", "What a reader of the number should know:", ""),
        *(*_table("name", REMARKS), ""),
        *("## Metrics", "", "| metric | unit | better | meaning |", "| --- | --- | --- | --- |"),
        *(*metrics, ""),
    ]
    return "\n".join(parts)


def _table(what: str, meanings: Mapping[str, str]) -> Iterator[str]:
    yield f"| {what} | meaning |"
    yield "| --- | --- |"
    yield from (f"| `{name}` | {text} |" for name, text in meanings.items())


def _first_line(text: str | None) -> str:
    paragraph = (text or "").partition("\n\n")[0]
    return " ".join(paragraph.split()).rstrip(":").replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(made_page.main(PAGE, page(), sys.argv[1:]))
