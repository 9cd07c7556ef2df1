"""From what a person writes to the fields of an ENTRY: options, YAML, or a form in an editor.

The short forms are `NAME=pass` for a gate, `OUTCOME: sentence` for a verdict, and a bare
`receipt://…` for evidence. What the cited receipts already know is filled in from them: the delta,
the exactness gate and the scope of a window. Nothing that a receipt says can be contradicted here.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ledger import citation, entry
from ledger.log import Ledger
from receipts.errors import ConflictError, MalformedError
from receipts.predicates import Comparison, WindowPredicate
from receipts.receipt import Receipt
from receipts.store import ObjectStore
from receipts.yaml_source import Source

TEMPLATE = """\
# One entry of the ledger. Lines that begin with # are ignored; a field that is left out is absent.
# An entry without verdict is *open*: a hypothesis, recorded before its runs.
# The signed entry holds at most {limit:,} bytes; longer text belongs in a file (notes).

title: {title}
#label: J3
#hypothesis: >
#  What you believed, and why.
#change: >
#  What was changed, in one sentence.
#commit: 0a1b2c3
#gate: [exactness=pass]
#evidence: [receipt://NAME]
#verdict: "pass: what you concluded"
#lesson: >
#  What the next person should know.
"""


def template(title: str = "") -> str:
    """Return the form that is opened in an editor."""
    return TEMPLATE.format(limit=entry.MAX_BODY, title=title)


def from_source(source: Source) -> dict[str, Any]:
    """Return the fields written in a YAML document; errors name file, line and column."""
    if not isinstance(source.value, dict):
        raise source.fault((), "an entry is a mapping of fields, `title: …`")
    fields = dict(source.value)
    for name in _NOT_YOURS:
        if name in fields:
            raise source.fault((name,), f"{name} is the ledger's to say; leave it out")
    for name, expand in _SHORT_FORMS.items():
        if name in fields:
            with placed(source, (name,)):
                fields[name] = expand(fields[name])
    return fields


@contextmanager
def placed(source: Source | None, path: tuple[str, ...] = ()) -> Iterator[None]:
    """Tell the place in `source`, where there is one, of a malformed field."""
    try:
        yield
    except MalformedError as error:
        if source is None:
            raise
        raise source.fault(error.path or path, str(error)) from error


def complete(fields: dict[str, Any], ledger: Ledger, store: ObjectStore) -> dict[str, Any]:
    """Return the fields with references resolved and what the receipts know filled in.

    Raises when a cited receipt does not resolve or is contradicted.
    """
    done = {**fields, "kind": "ENTRY"}
    if "answers" in done:
        done["answers"] = ledger.resolve(str(done["answers"])).id
    if "rests_on" in done:
        done["rests_on"] = [ledger.resolve(str(ref)).id for ref in _listed(done["rests_on"])]
    if "gate" in done:
        done["gate"] = [_judging(ledger, item) for item in done["gate"]]
    evidence = [_citing(item) for item in done.get("evidence", ())]
    for item in evidence:
        item["receipt"] = citation.resolve(ledger, item["receipt"])
        receipt = citation.open_cited(ledger, store, item["receipt"])
        if isinstance(receipt.predicate, WindowPredicate):
            _fill(done, receipt, receipt.predicate)
    if evidence:
        done["evidence"] = evidence
    return entry.relax(done)


def gate(text: str) -> dict[str, str]:
    """Return the gate result that `NAME=pass` spells."""
    name, found, result = text.partition("=")
    if not found or result not in ("pass", "fail", "not-run"):
        raise MalformedError(f"gate {text!r} is not NAME=pass, NAME=fail or NAME=not-run")
    return {"name": name.strip(), "result": result}


def verdict(text: str) -> dict[str, str]:
    """Return the verdict that `OUTCOME` or `OUTCOME: sentence` spells."""
    outcome, found, sentence = text.partition(":")
    spelled = {"outcome": outcome.strip()}
    return spelled | {"sentence": sentence.strip()} if found and sentence.strip() else spelled


def _gates(value: Any) -> Any:
    return [gate(item) if isinstance(item, str) else item for item in _listed(value)]


def _evidence(value: Any) -> Any:
    return [{"receipt": item} if isinstance(item, str) else item for item in _listed(value)]


def _judging(ledger: Ledger, item: Any) -> Any:
    if not isinstance(item, dict) or "contract" not in item:
        return item
    return {**item, "contract": ledger.resolve(str(item["contract"])).id}


def _citing(item: Any) -> dict[str, Any]:
    if not isinstance(item, dict) or not isinstance(item.get("receipt"), str):
        raise MalformedError("evidence is receipt://… or has it as its `receipt`", ("evidence",))
    return dict(item)


def _verdict(value: Any) -> Any:
    return verdict(value) if isinstance(value, str) else value


def _listed(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else [value]


_NOT_YOURS = ("v", "index", "prev", "at", "kind")
_SHORT_FORMS = {"gate": _gates, "evidence": _evidence, "verdict": _verdict}


def _fill(fields: dict[str, Any], receipt: Receipt, window: WindowPredicate) -> None:
    uri = receipt.uri
    exact = {"exact": "pass", "differs": "fail", "ungated": "not-run"}[window.exactness.result]
    gates = fields.setdefault("gate", [])
    said = [item for item in gates if isinstance(item, dict) and item.get("name") == "exactness"]
    if any(item.get("result") != exact for item in said):
        raise ConflictError(f"gate exactness contradicts {uri}, which says {exact}")
    if not said:
        fields["gate"] = [{"name": "exactness", "result": exact}, *gates]
    if window.comparisons and "delta" not in fields and "verdict" in fields:
        fields["delta"] = [_delta(item, uri, window.standing) for item in window.comparisons]
    if window.scope and "scope" not in fields:
        fields["scope"] = dict(window.scope)


def _delta(found: Comparison, uri: str, standing: str) -> dict[str, Any]:
    side = {"arm", "value", "cv", "min", "max"}
    return {
        "metric": found.metric,
        "unit": found.unit,
        "baseline": found.baseline.model_dump(include=side, exclude_none=True),
        "candidate": found.candidate.model_dump(include=side, exclude_none=True),
        "change": found.change,
        "ratio": found.ratio,
        "statistic": found.statistic,
        "n": min(found.baseline.n, found.candidate.n),
        "ddof": found.ddof,
        "polarity": found.polarity,
        "convention": found.convention,
        "runs": [uri],
        "standing": standing,
    }
