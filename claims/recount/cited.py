"""Which receipt a claim rests on, and which cell of it: what the register says, looked up here.

A reference is taken as the plain mapping that it is in the register; nothing is chosen for anybody.
"""

from collections.abc import Mapping
from typing import Any

from claims.recount.archive import Archive, UnavailableError
from ledger import citation
from ledger.bodies import Evidence, Experiment
from receipts.errors import Error
from receipts.predicates import Facts
from receipts.receipt import Receipt

Reference = Mapping[str, Any]


def spread(archive: Archive, ref: Reference) -> list[Reference]:
    """Return a reference for each receipt that the entry cites, where `ref` names none of them."""
    uris = list(dict.fromkeys(item.receipt for item in _cited(archive, ref)))
    if "receipt" in ref or "cell" in ref or len(uris) < 2:
        return [ref]
    return [{**ref, "receipt": uri} for uri in uris]


def find(archive: Archive, ref: Reference) -> tuple[Receipt, Facts]:
    """Return the one receipt that is meant, and what selects in its raw file."""
    fitting = [item for item in _cited(archive, ref) if _fits(archive, ref, item)]
    if len({item.receipt for item in fitting}) != 1:
        why = f"entry {ref['entry']} cites {len(fitting)} receipts that may be meant"
        raise UnavailableError("not recomputable", why)
    ours: Facts = dict(ref.get("select", {}))
    picks = [{**(item.select or {}), **ours} for item in fitting if _agree(item.select, ours)]
    if not picks or any(one != picks[0] for one in picks):
        raise UnavailableError("not recomputable", f"entry {ref['entry']} cites several cells")
    return archive.receipt(fitting[0].receipt), picks[0]


def _cited(archive: Archive, ref: Reference) -> list[Evidence]:
    try:
        body = archive.ledger.resolve(str(ref["entry"])).body
    except Error as error:
        raise UnavailableError("unreadable", str(error)) from error
    return list(body.evidence or ()) if isinstance(body, Experiment) else []


def _fits(archive: Archive, ref: Reference, item: Evidence) -> bool:
    if "receipt" in ref:
        try:
            return citation.resolve(archive.ledger, str(ref["receipt"])) == item.receipt
        except Error as error:
            raise UnavailableError("unreadable", str(error)) from error
    return "cell" not in ref or archive.receipt(item.receipt).predicate.cell == ref["cell"]


def _agree(theirs: Facts | None, ours: Facts) -> bool:
    return all(name not in ours or str(ours[name]) == str(v) for name, v in (theirs or {}).items())
