"""Ignores, baselines, notices, and pages on which nothing could be checked."""

import json

from claims.selftest.attack import Attack


def _held(total: int, *findings: dict[str, object]) -> str:
    """Return the text of a baseline."""
    return json.dumps({"version": 1, "total": total, "findings": list(findings)})


_LIMIT = "§tuned§\n\n{}\nIt stops at {}500 ms.\n"
_FINDING = {"file": "page.md", "code": "CLM101", "sentence": "It stops at 500 ms.", "count": 1}
_PAGE = "§tuned§\n\nIt stops at {}500 ms.\n"
_TIGHT = "<!-- claims-ignore[CLM101]: a limit, no result -->"

ATTACKS = (
    Attack(
        "ignore-without-reason",
        _LIMIT.format("⟪CLM090⟫<!-- claims-ignore[CLM101] -->", "⟪CLM101⟫"),
        _LIMIT.format(_TIGHT, ""),
    ),
    Attack(
        "ignore-without-code",
        _LIMIT.format("⟪CLM090⟫<!-- claims-ignore: a limit -->", "⟪CLM101⟫"),
        _LIMIT.format(_TIGHT, ""),
    ),
    Attack("ignore-unused", f"§tuned§\n\n⟪CLM091⟫{_TIGHT}\nIt stops.\n", "§tuned§\n\nIt stops.\n"),
    Attack(
        "ignore-below",
        f"§tuned§\n\nIt stops at ⟪CLM101⟫500 ms.\n\n⟪CLM091⟫{_TIGHT}\n",
        _LIMIT.format(_TIGHT, ""),
    ),
    Attack(
        "ignore-approval",
        "⟪CLM092⟫<!-- claims-ignore[CLM401]: the operator is on leave -->\n§unapproved CLM401§\n",
        "§steady§\n",
    ),
    Attack(
        "ignore-barred",
        "§tuned§\n\n⟪CLM092⟫<!-- claims-ignore[CLM505]: history -->\nIt ran at ⟪CLM505⟫3.2×.\n",
        "§tuned§\n\nIt ran.\n",
    ),
    Attack(
        "ignore-of-no-rule",
        _LIMIT.format("⟪CLM092⟫<!-- claims-ignore[CLM999]: why -->", "⟪CLM101⟫"),
        _LIMIT.format(_TIGHT, ""),
    ),
    Attack(
        "ignore-in-code",
        f"§tuned§\n\n```\n{_TIGHT}\n```\nIt stops at ⟪CLM101⟫500 ms.\n",
        f"§tuned§\n\n```\nx\n```\n{_TIGHT}\nIt stops at 500 ms.\n",
    ),
    Attack(
        "baseline-by-hand",
        _PAGE.format(""),
        _PAGE.format(""),
        beyond=("CLM095",),
        held=_held(0, _FINDING),
        twin_held=_held(1, _FINDING),
    ),
    Attack(
        "baseline-stale",
        "⟪CLM096⟫§tuned§\n",
        _PAGE.format(""),
        held=_held(1, _FINDING),
        twin_held=_held(1, _FINDING),
    ),
    Attack(
        "baseline-of-approval",
        "⟪CLM096⟫§unapproved CLM401§\n",
        _PAGE.format(""),
        beyond=("CLM092",),
        held=_held(1, {**_FINDING, "code": "CLM401", "claim": "unapproved"}),
        twin_held=_held(1, _FINDING),
    ),
    Attack(
        "baseline-of-one-more",
        "⟪CLM096⟫" + _PAGE.format("⟪CLM101⟫").replace("It stops", "Also, it stops"),
        _PAGE.format(""),
        held=_held(1, _FINDING),
        twin_held=_held(1, _FINDING),
    ),
    Attack("nothing-checked", "Nothing is said here.\n", "§tuned§\n", beyond=("CLM002",)),
    Attack("no-page", "", "§tuned§\n", beyond=("CLM001",)),
)
