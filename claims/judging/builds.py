"""Builds, commits and versions that a text names, where the evidence states them.

::

    evidence: build_number 6100, build_commit 89e0aa6        "llama.cpp b9999"     contradicts
    evidence: vllm_version 0.11.0                            "vLLM 0.10.2"         contradicts

A commit may be shortened, and so may a version: 0.11 is 0.11.0. Nothing is said of what the
evidence does not state, and one build of several that a sentence names is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from claims.judging.contradiction import Contradiction
from receipts import late as re

_CODE = "CLM201"
_BUILD = re.compile(
    r"\b(?:llama\.cpp|[Bb]uild|[Rr]elease|tag)(?:\s+(?:build|release|number|tag))?[\s@-]+"
    r"(?P<build>b\d{3,6}|(?<=uild )\d{3,6})\b"
)
_COMMIT = re.compile(
    r"\b(?:commit|revision|rev|sha|hash)[\s@:]+(?:of\s+)?(?P<commit>[0-9a-f]{7,40})\b"
    r"|(?:\bat|@)\s*(?P<at>(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40})\b"
)
_VERSION = re.compile(r"\b(?P<what>[A-Za-z][\w.+-]*)\s+v?(?P<version>\d+(?:\.\d+)+)(?![\w.]*\d)")
_HEX = re.compile(r"[0-9a-f]{7,40}")
_NUMBERED = re.compile(r"\d+(?:\.\d+)+")
_SPELLINGS = {"build": re.compile(r"\d{1,9}"), "commit": _HEX}
_COMMITS = re.compile(r"(?:\A|[_.])(?:commit|revision|sha|git_hash)(?:[_.]|\Z)|commit_info\.id")
_BUILDS = frozenset({"build_number", "build"})
# A shorter one may begin many commits.
_SHORTEST = 7

Known = Mapping[str, tuple[str, ...]]


def known(facts: Iterable[tuple[str, object]], commits: Iterable[str] = ()) -> Known:
    """Return what facts state: `build`, `commit`, and versions by what they are of, in lower case.

    `commits` are those that the claim itself names, of its comparator.
    """
    found: dict[str, dict[str, None]] = {}
    for name, value in facts:
        kind, text = _kind(name.lower()), str(value)
        if kind and _SPELLINGS.get(kind, _NUMBERED).fullmatch(text):
            found.setdefault(kind, {})[text] = None
    # A comparator's commit says nothing of what was measured where no fact does.
    if "commit" in found:
        found["commit"].update(dict.fromkeys(commits))
    return {kind: tuple(names) for kind, names in found.items()}


def _kind(name: str) -> str:
    if name in _BUILDS:
        return "build"
    if _COMMITS.search(name):
        return "commit"
    name = name.rpartition(".")[2]
    if name == "python":
        return name
    return name.removesuffix("_version") if name.endswith("_version") else ""


def contradictions(text: str, have: Known) -> Iterator[Contradiction]:
    """Yield the first name of each kind that the evidence contradicts, where none fits."""
    for kind, names in have.items():
        found = list(_finds(kind, text))
        if found and not any(_same(one, name) for _, one in found for name in names):
            start, named = found[0]
            yield Contradiction(kind, named, start, names, _CODE)


def _finds(kind: str, text: str) -> Iterator[tuple[int, str]]:
    if kind == "build":
        for one in _BUILD.finditer(text):
            yield one.start("build"), one["build"]
    elif kind == "commit":
        for one in _COMMIT.finditer(text):
            group = "commit" if one["commit"] else "at"
            yield one.start(group), one[group]
    else:
        for one in _VERSION.finditer(text):
            if one["what"].lower().replace(".", "").replace("-", "") == kind.replace("_", ""):
                yield one.start("version"), one["version"]


def _same(named: str, known: str) -> bool:
    """Say whether a name is that of what is known, or a part that it begins with."""
    one, other = named.removeprefix("b") if known.isdecimal() else named, known
    if "." in other:
        return f"{other}.".startswith(f"{one}.")
    return one == other or (
        len(one) >= _SHORTEST and (other.startswith(one) or one.startswith(other))
    )
