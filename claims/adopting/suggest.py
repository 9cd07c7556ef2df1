"""Drafts for the numbers of a page's tables that no claim is behind, and the lines to paste.

Each result in a table becomes a draft with a `todo`, named after its heading, its row and its
column; its wording says what the page says, with a hole where the number stands. The rows of the
table are given back with the markers glued to their numbers. Nothing is known of where a number
comes from: metric, statistic and evidence are for a person to say, and until then no draft holds.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from claims.adopting import recorded, scanning
from claims.numerals import numbers
from claims.numerals.numbers import Number
from ledger import columns

TODO = (
    "cite the entry that measured it, name its metric and statistic, read the sentence again, and "
    "delete this line"
)
_MARKED = re.compile(r"<!--\s*claim:|\{/\*\s*claim:")
_ORDINAL = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)]?|§\S+)\s+")
_NO_WORDING = re.compile(r"[{}*`|]|<[^>]*>")
_LONGEST = 60
_LEAST, _MOST = 0, 9


@dataclass(frozen=True)
class Suggested:
    """Drafts as rows of a register, and by line of the page what to paste there."""

    rows: tuple[dict[str, Any], ...]
    lines: Mapping[int, str]


@dataclass(frozen=True)
class _Result:
    """A number in a table with the words it stands among, and where it ends in its line."""

    number: Number
    unit: str
    heading: str
    row: str
    column: str
    end: int


def suggest(source: str) -> Suggested:
    """Return drafts and lines for the unbound results in the tables of a page."""
    rows: list[dict[str, Any]] = []
    lines: dict[int, str] = {}
    taken: set[str] = set()
    for section in scanning.sections(source):
        for number, line, header in scanning.rows(section):
            found = list(_results(line, header, section.heading))
            names = [_fresh(one, taken) for one in found]
            rows += [_draft(name, one) for name, one in zip(names, found, strict=True)]
            if found:
                lines[number] = _glued(line, names, found)
    return Suggested(tuple(rows), lines)


def _results(line: str, header: list[str], heading: str) -> Iterator[_Result]:
    cells = list(scanning.cells(line))
    for index, (start, cell) in enumerate(cells):
        if index == 0 or index >= len(header) or _MARKED.search(cell):
            continue
        told = columns.unit_in(header[index])
        for one in numbers.find(cell):
            if recorded.is_result(one) or (one.unit is None and told):
                unit = one.unit or told or "×"
                row = f"{header[0]} {cells[0][1]}"
                yield _Result(one, unit, heading, row, header[index], start + _end(cell, one))


def _end(cell: str, number: Number) -> int:
    """Return where a marker is glued: behind the unit, and behind the emphasis that closes."""
    end = number.after
    while cell[end : end + 1] in ("*", "_", "†") and cell[end : end + 1]:
        end += 1
    return end


def _glued(line: str, names: list[str], found: list[_Result]) -> str:
    for name, one in reversed(list(zip(names, found, strict=True))):
        line = f"{line[: one.end]}<!--claim:{name}-->{line[one.end :]}"
    return line


def _draft(name: str, one: _Result) -> dict[str, Any]:
    kind, hole = _hole(one)
    where = f"{_words(one.heading)}: " if one.heading else ""
    return {
        "id": name,
        "todo": f"the page says {one.number.text}; {TODO}",
        "kind": kind,
        "wording": f"{where}{_words(one.column)} is {hole} ({_words(one.row)}).",
        "metric": _slug(one.column) or "metric",
        "statistic": "ratio_of_medians" if kind == "change" else "median",
        "evidence": [{"entry": "TODO"}],
    }


def _hole(one: _Result) -> tuple[str, str]:
    digits = min(max(one.number.decimals, _LEAST), _MOST)
    if one.unit == "×":
        return "change", f"{{ratio:.{digits}f}}×"
    if one.unit == "%":
        return "change", f"{{percent:.{digits}f}} %"
    return "level", f"{{value:.{digits}f}} {{unit}}"


def _fresh(one: _Result, taken: set[str]) -> str:
    parts = (_ORDINAL.sub("", one.heading), one.row, one.column)
    name = base = "-".join(filter(None, map(_slug, parts)))[:_LONGEST].strip("-") or "number"
    count = 1
    while name in taken:
        count += 1
        name = f"{base[: _LONGEST - 4]}-{count}"
    taken.add(name)
    return name


def _slug(text: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", text.lower().replace(",", "")))[:30].strip("-")


def _words(text: str) -> str:
    """Return a text that can stand inside one sentence of a template."""
    return " ".join(_NO_WORDING.sub(" ", _ORDINAL.sub("", text)).rstrip(" .!?:").split())
