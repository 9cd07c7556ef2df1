"""Pages that nobody wrote by hand cost no more than their length."""

import time

import pytest

from claims.adopting.comparing import Drafts
from claims.checks import ignoring
from claims.checks.placing import Lines
from claims.registers.drafting import Draft
from claims.rules import Refusal

SIZE = 300_000
DRAFTS = Drafts({"a": Draft(id="a", todo="t", said="5.25 ms", forbidden=["so fast"])})


def findings(source, step):
    """Return a finding on every `step`-th character of every line, as many as a page can have."""
    for number, line in enumerate(source.split("\n"), 1):
        for column in range(1, len(line) + 1, step):
            yield number, column


PAGES = {
    "one line": "5.25 ms " * (SIZE // 8),
    "one paragraph": "5.25 ms\n" * (SIZE // 8),
    "one row": "| a | b |\n|---|---|\n" + "| 5.25 ms " * (SIZE // 10) + "|",
    "open comments": "<!-- claims-ignore[CLM101]: x " * (SIZE // 30),
    "open mdx comments": "{/* claims-ignore[CLM101]: x " * (SIZE // 30),
    "comments and blanks": "<!--" + " " * SIZE + "claims-ignore",
    "backticks": "claims-ignore " + "".join(f"{'`' * n} " for n in range(1, 750)),
    "quotes": "> " * (SIZE // 2) + "claims-ignore 5.25 ms",
    "phrases": "so fast, " * (SIZE // 9),
    "ignores": "<!-- claims-ignore[CLM101]: x -->\n\n5 ms\n\n" * (SIZE // 42),
}


@pytest.mark.parametrize("source", PAGES.values(), ids=PAGES)
def test_a_page_of_this_shape_is_placed_sorted_and_compared_in_bounded_time(source):
    start = time.process_time()
    lines = Lines(source)
    found = []
    for line, column in findings(source, 8):
        lines.sentence(line, column)
        lines.end(line, column)
        found.append(Refusal("CLM101", "m", None, f"page.mdx:{line}:{column}"))
    ignoring.sort("page.mdx", found, ignoring.read("page.mdx", source))
    DRAFTS.against("page.mdx", source, found)
    assert time.process_time() - start < 10
