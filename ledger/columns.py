"""Which column of a campaign table is which, by header, and the units that the headers give.

A header such as `Perf before→after (tok/s)` names the role *performance* and the unit `tok/s`. The
likelier names claim their columns first; what is left goes by the weaker ones ("change" is the
lever where another column holds the Δ).
"""

from collections.abc import Mapping

from ledger import quantity


def assign(header: tuple[str, ...], wanted: Mapping[str, str]) -> dict[str, int] | None:
    """Return the column of each role, or None if the header is not that of a campaign.

    `wanted` maps roles to headers and overrides what the headers suggest.
    """
    headers = [_normal(name) for name in header]
    mapping: dict[str, int] = {}
    for role, named in wanted.items():
        if _normal(named) not in headers:
            return None
        mapping[role] = headers.index(_normal(named))
    for synonyms in (_STRONG, _WEAK):
        for role, names in synonyms.items():
            if role not in mapping:
                _claim(role, names, headers, mapping)
    if "performance" in mapping:
        mapping = {role: i for role, i in mapping.items() if role not in ("before", "after")}
    operands = "performance" in mapping or {"before", "after"} <= mapping.keys()
    others = mapping.keys() & {"step", "lever", "status", "lesson"}
    return mapping if operands and ("delta" in mapping or len(others) > 1) else None


def _claim(role: str, names: tuple[str, ...], headers: list[str], mapping: dict[str, int]) -> None:
    """Give `role` the first free column that bears one of its names, the likelier name first."""
    if role == "performance" and {"before", "after"} <= mapping.keys():
        return
    for name in names:
        for index, header in enumerate(headers):
            words = header.replace("-", " ").split()
            named = header == name or set(name.split()) <= set(words)
            if named and index not in mapping.values():
                mapping[role] = index
                return


def _normal(header: str) -> str:
    """Return a header for comparison: plain, lower case, arrows as spaces, no parenthesis."""
    text = quantity.plain(header).lower().partition("(")[0]
    for mark in ("→", "->", "/", ":"):
        text = text.replace(mark, " ")
    return " ".join(text.split())


def unit_in(header: str) -> str | None:
    """Return the unit that a header names: `Perf (tok/s)`, `Δ %`, `Speedup`."""
    words = quantity.plain(header).replace("(", " ( ").replace(")", " ) ").replace(",", " ").split()
    inside = False
    for word in words:
        inside = (inside or word == "(") and word != ")"
        # Outside a parenthesis a lone letter is a word before it is a unit.
        if (inside or len(word) > 1 or not word.isalpha()) and (unit := quantity.unit_of(word)):
            return unit
    ratio = {"ratio", "speedup", "speed-up", "multiple", "factor"} & {w.lower() for w in words}
    return "×" if ratio else None


ROLES = (
    "step", "lever", "commit", "performance", "before", "after", "delta", "status", "lesson",
)  # fmt: skip
_STRONG: dict[str, tuple[str, ...]] = {
    "delta": ("δ", "∆", "delta", "diff", "difference", "gain", "speedup", "improvement", "uplift"),
    "step": ("step", "id", "round", "phase", "iteration", "experiment", "exp", "#", "entry", "no."),
    "commit": ("commit", "commits", "sha", "hash", "revision", "pr"),
    "performance": (
        "perf", "performance", "before after", "throughput", "measurement", "measured", "numbers",
    ),
    "before": ("before", "baseline", "old"),
    "after": ("after", "candidate", "new"),
    "status": ("status", "verdict", "outcome", "decision", "state"),
    "lever": ("lever", "optimization", "optimisation", "technique", "idea", "what", "description"),
    "lesson": ("lesson", "takeaway", "learned", "notes", "note", "comment", "comments", "why"),
}  # fmt: skip
_WEAK: dict[str, tuple[str, ...]] = {
    "delta": ("ratio", "multiple", "effect", "change"),
    "lever": ("change", "title", "name", "hypothesis", "kernel"),
    "performance": ("result", "results", "tok/s", "latency"),
    "status": ("result",),
    "lesson": ("remark", "remarks", "finding", "findings"),
}
