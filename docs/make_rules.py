"""Write docs/reference/rules.md from `claims.rules`; with --check, say whether it is current."""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "rules.md"
sys.path.insert(0, str(ROOT))

import made_page  # noqa: E402 - it lies beside this script

from claims.rules import RULES, Rule  # noqa: E402 - the repository is put on the path first

HEAD = """\
# Rules

Every reason for which a sentence or a page is refused, by its stable code. A code is never used for
something else. `claims explain CODE` prints a rule; this page is made from the same table by
`docs/make_rules.py`.

Every rule has an example of what breaks it and of what keeps it. A page or a baseline can set
aside only the rules that say so here, each time with a reason: [output](output.md).

A refusal is one line, `[FILE:LINE:COLUMN: ]CODE name: [claim: ]what is wrong`, and exit code 1.
For each rule, `tests/attacks/test_claim_refusals.py` holds a claim or page that breaks it and
nothing else, and an honest twin that passes.
"""
GROUPS = {
    "CLM0": "Pages, markers and what is set aside",
    "CLM1": "Numbers and directions",
    "CLM2": "Scope and arms",
    "CLM3": "Evidence",
    "CLM4": "Wording and approval",
    "CLM5": "Status",
    "CLM6": "Release and publication",
    "CLM7": "Citations",
}


def page() -> str:
    """Return the text of the page."""
    return "\n".join([HEAD, *_sections()])


def _sections() -> Iterator[str]:
    group = ""
    for rule in RULES.values():
        if rule.code[:4] != group:
            group = rule.code[:4]
            yield f"## {GROUPS[group]}\n"
        yield _section(rule)


def _section(rule: Rule) -> str:
    examples = [("Bad", rule.bad), ("Good", rule.good)]
    shown = "".join(f"\n{name}:\n\n```text\n{text}\n```\n" for name, text in examples if text)
    return (
        f"### {rule.code} {rule.name}\n\n{rule.why}\n{shown}\n*{rule.remedy}*\n\n{rule.standing}\n"
    )


if __name__ == "__main__":
    sys.exit(made_page.main(PAGE, page(), sys.argv[1:]))
