"""A table of claims that people kept by hand, read as drafts of a register.

A row gives an id, what may be said, what is said for it, and what must not be said. Its numbers
were measured once, on somebody's word: they enter as recorded history, and no draft holds.

* The wording is what stands in quotation marks, outside of sentences that forbid something.
* "Do not …", "never …" and "must not …" give forbidden phrases, and barred numbers.
* "Must retain “x,” “y”" gives words that must be retained.
* Receipts are addresses (`…://…`) and file names in code; nothing is opened.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from claims.numerals import numbers
from claims.pages.sentences import sentence_ends
from claims.registers.drafting import Draft
from ledger import tables
from receipts.errors import MalformedError, NotFoundError

TODO = (
    "recorded history: measure it or cite an entry of the ledger under `evidence:`; give kind, "
    "metric and statistic, and a hole for every number; then delete todo and what is no claim's"
)
_ROLES: Mapping[str, tuple[str, ...]] = {
    "evidence": ("evidence", "proof", "receipt", "receipts", "source", "support"),
    "wording": ("wording", "sentence", "copy", "text", "statement"),
    "status": ("status", "review", "approval", "state"),
    "id": ("#", "id", "no", "no.", "nr", "number", "key"),
    "title": ("claim", "title", "topic", "name", "what", "area"),
}
_CODE = re.compile(r"`([^`]+)`")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S+|[\w./-]+\.(?:log|jsonl?|csv|tsv|md|txt|ya?ml|html)")
_REVIEW = re.compile(r"operator[\s_-]+review[\s_-]+required", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_FORBIDS = re.compile(r"\b(?:do\s+not|don['’]t|never|must\s+not|may\s+not|cannot)\b", re.IGNORECASE)
_SAYS = re.compile(
    r"(?:claim|say|imply|cite|call|state|quote|write|use|mention|advertise|promise|substitute)"
    r"(?:\s+(?:that|the|an?|any|it|of))*\s+",
    re.IGNORECASE,
)
_RETAINS = re.compile(r"\b(?:must|always)\s+(?:retain|keep|say|include|carry)\b", re.IGNORECASE)
_INSTRUCTS = re.compile(r"^\s*(?:must|keep|state|retain|always|after|only|any)\b", re.IGNORECASE)
_PARTS = re.compile(r",\s*(?:or|and|nor)\b\s*|,\s+|\s+(?:or|nor)\s+")
# What follows one of these explains what was forbidden, and is not forbidden itself.
_EXPLAINS = re.compile(r"\s*(?:[;(—]|\s[-–]\s).*", re.DOTALL)
_ARTICLE = re.compile(r"^(?:(?:an?|the|any|this|that|these|those|or|and)\s+)+", re.IGNORECASE)
# Words without which a number says more than was measured.
_NARROWS = re.compile(
    r"\b(?:synthetic|simulated|emulated|diagnostic|single[- ](?:sample|rep)|mean|median)\b",
    re.IGNORECASE,
)
_OMITS = ("omit ", "hide ", "drop ")
_WORDY = 4


@dataclass(frozen=True)
class Imported:
    """The drafts of one table, in its order, and the line where the table begins."""

    line: int
    drafts: tuple[Draft, ...]


def read(text: str, wanted: Mapping[str, str]) -> Imported:
    """Return the drafts of the first claims table in `text`; `wanted` maps roles to headers.

    Raises `NotFoundError` where no table has a column of evidence and one of claims or wordings.
    """
    unknown = sorted(set(wanted) - set(_ROLES))
    if unknown:
        raise NotFoundError(f"no role is called {unknown[0]!r}; there are {', '.join(_ROLES)}")
    for table in tables.read(text):
        columns = _columns(table.header, wanted)
        if columns:
            return Imported(table.line, tuple(_rows(table, columns)))
    raise NotFoundError(
        "no table has a column of evidence beside one of claims or wordings; "
        "name them: --column evidence=HEADER --column wording=HEADER"
    )


def _columns(header: tuple[str, ...], wanted: Mapping[str, str]) -> dict[str, int] | None:
    names = [" ".join(name.replace("*", "").lower().split()) for name in header]
    found: dict[str, int] = {}
    for role, name in wanted.items():
        if name.lower() not in names:
            return None
        found[role] = names.index(name.lower())
    for role, words in _ROLES.items():
        for index, name in enumerate(names):
            if role not in found and index not in found.values() and set(name.split()) & {*words}:
                found[role] = index
    claims = found.keys() & {"wording", "title"}
    return found if "evidence" in found and claims else None


def _rows(table: tables.Table, columns: Mapping[str, int]) -> Iterator[Draft]:
    seen: set[str] = set()
    for number, row in enumerate(table.rows, 1):
        cells = {role: row.cells[index] for role, index in columns.items()}
        draft = _draft(cells, number)
        if draft.id in seen:
            raise MalformedError(f"line {row.line}: two rows are called {draft.id}")
        seen.add(draft.id)
        yield draft


def _draft(cells: Mapping[str, str], number: int) -> Draft:
    title = _plain(cells.get("title", ""))
    text = _plain(cells.get("wording", "") or title)
    said = _plain(cells["evidence"])
    forbidding = [one for one in _sentences(text) if _FORBIDS.search(one)]
    rest = [one for one in _sentences(text) if one not in forbidding]
    retaining = [one for one in rest if _RETAINS.search(one)]
    instructions = [one for one in rest if _INSTRUCTS.match(one) and not _QUOTED.search(one)]
    wording = " ".join(_quotes(rest, retaining))
    return Draft(
        id=_label(_plain(cells.get("id", "")) or str(number), title),
        todo=TODO,
        title=title,
        status=_status(f"{cells.get('status', '')} {text}", wording),
        wording=wording,
        note=text,
        said=said,
        recorded_history=_references(cells["evidence"]),
        must_retain=_retained(retaining, wording),
        forbidden=list(dict.fromkeys(p for one in forbidding for p in _phrases(one))),
        barred=list(dict.fromkeys(n for one in forbidding for n in _numbers(one))),
        instructions=[*dict.fromkeys([*retaining, *instructions, *forbidding])],
    )


def _status(text: str, wording: str) -> str:
    if _REVIEW.search(text):
        return "operator-review"
    return "conditional" if wording else "no-wording"


def _quotes(sentences: list[str], retaining: list[str]) -> Iterator[str]:
    """Yield the quotations that are sentences, not words that are quoted to name them."""
    for sentence in sentences:
        found = _QUOTED.findall(sentence) if sentence not in retaining else []
        yield from (q.strip() for q in found if len(q.split()) >= _WORDY)


def _retained(retaining: list[str], wording: str) -> list[str]:
    """Return the words that a row says must stay, and those that narrow its own wording."""
    named = [q.strip(" ,.;") for one in retaining for q in _QUOTED.findall(one)]
    return list(dict.fromkeys([*named, *map(str.lower, _NARROWS.findall(wording))]))


def _phrases(sentence: str) -> Iterator[str]:
    """Yield what a sentence forbids: its quotations, else the objects of its verbs."""
    quoted = [q.strip(" ,.;") for q in _QUOTED.findall(sentence)]
    if quoted:
        yield from quoted
        return
    first = _FORBIDS.search(sentence)
    told = _EXPLAINS.sub("", sentence[first.start() :] if first else "")
    for clause in _FORBIDS.split(told)[1:]:
        yield from _objects(clause.strip())


def _objects(clause: str) -> Iterator[str]:
    """Yield what the verbs of a clause are about; of other verbs than of saying, the clause."""
    parts = _PARTS.split(clause) if _SAYS.match(clause) else [clause]
    for part in parts:
        said = _SAYS.match(part)
        phrase = part[said.end() :] if said else part
        phrase = re.sub(r",?\s+and$", "", _ARTICLE.sub("", phrase.strip(" ,.;:")).strip(" ,.;:"))
        if len(phrase.split()) > 1 and not phrase.startswith(_OMITS):
            yield phrase


def _numbers(sentence: str) -> Iterator[str]:
    for number in numbers.find(sentence):
        if numbers.is_measurement(number.unit):
            yield sentence[number.start : number.after]


def _references(cell: str) -> list[str]:
    return list(dict.fromkeys(text for text in _CODE.findall(cell) if _ADDRESS.fullmatch(text)))


def _sentences(text: str) -> list[str]:
    """Return the sentences; a full stop inside quotation marks ends none."""
    masked = _QUOTED.sub(lambda quote: "x" * (len(quote[0]) - 1) + _last(quote[0]), text)
    ends = [0, *sentence_ends(masked), len(text)]
    return [s for a, b in pairwise(ends) if (s := text[a:b].strip())]


def _last(quote: str) -> str:
    """Return what ends a quotation: its full stop stands before the mark and ends the sentence."""
    return "." if quote[-2:-1] in ".!?" else "x"


def _label(identity: str, title: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", f"{identity} {title}".lower())
    return "-".join(words)[:48].strip("-") or "draft"


def _plain(cell: str) -> str:
    return " ".join(cell.replace("**", "").split())


def rows(drafts: tuple[Draft, ...]) -> list[dict[str, Any]]:
    """Return the drafts as rows of a register, empty fields left out."""
    return [{k: v for k, v in draft.model_dump().items() if v} for draft in drafts]
