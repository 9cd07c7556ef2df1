"""From a claim down to raw rows, link by link; a link that does not hold is a refusal by name.

claim → entry (stands? has a verdict?) → receipt (cited? bytes? signature? role? admitted?) → raw
file (there? its digest?) → rows → one cell. For a window the walk goes through the receipt of every
repetition. Nothing is taken from a receipt's figures: values are computed from the rows alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from claims.model import Claim, EvidenceRef
from claims.rules import Refusal
from engine import schedule
from engine.results import detect, rows
from engine.results.model import ResultFile, Run, select
from ledger import citation
from ledger.bodies import Experiment
from ledger.bodies import Run as RunBody
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.status import Effect, Status
from receipts.digest import Digest
from receipts.errors import Error, NotFoundError, VerificationError
from receipts.receipt import RAW, SCHEME, Receipt
from receipts.statement import Facts, RunPredicate, WindowPredicate
from receipts.workspace import Workspace

_HARMLESS = {"title", "lesson", "step", "attribution", "hypothesis", "expected", "notes"}
_SAME = ("host", "boot", "kernel", "cpu", "cores", "system", "machine")


class RefusedError(Error):
    """A link of the chain does not hold; the evidence stops there."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Link:
    """One step from the claim towards the rows, and what was verified about it."""

    kind: str
    name: str
    detail: str


@dataclass
class Evidence:
    """What a claim rests on, as far as the chain holds."""

    links: list[Link] = field(default_factory=list)
    entry: Entry | None = None
    receipt: Receipt | None = None
    arms: dict[str, Run] = field(default_factory=dict)
    """One run for a level claim; baseline and candidate, in this order, for a window."""
    facts: Facts = field(default_factory=dict)
    window: WindowPredicate | None = None
    refusal: Refusal | None = None


class Archive:
    """The ledger and the stores, read once for many claims."""

    def __init__(self, place: Workspace, ledger: Ledger) -> None:
        self._place = place
        self._ledger = ledger
        self._status: Status = ledger.status()
        self._files: dict[Digest, ResultFile] = {}

    def resolve(self, claim: Claim) -> Evidence:
        """Walk from `claim` to its rows and return how far the chain holds."""
        evidence = Evidence()
        try:
            self._resolve(claim, claim.evidence[0], evidence)
        except RefusedError as error:
            evidence.refusal = Refusal(error.code, str(error), claim.id)
        return evidence

    def _resolve(self, claim: Claim, ref: EvidenceRef, evidence: Evidence) -> None:
        body = self._entry(claim, ref, evidence)
        uri, chosen = self._choose(ref, body)
        receipt = self._receipt(uri, evidence)
        evidence.facts |= {**(body.scope or {}), "cell": receipt.predicate.cell}
        if isinstance(receipt.predicate, WindowPredicate):
            self._window(receipt, receipt.predicate, evidence)
            self._one_arm(claim, ref, evidence)
        else:
            run = self._run(receipt, chosen, evidence)
            evidence.arms = {receipt.predicate.arm or "run": run}
            _describe(run, receipt.predicate, evidence)

    def _entry(self, claim: Claim, ref: EvidenceRef, evidence: Evidence) -> Experiment:
        with _refusing("CLM310"):
            entry = self._ledger.resolve(ref.entry)
        body = entry.body
        if not isinstance(body, Experiment):
            raise RefusedError("CLM310", f"entry {ref.entry} is {entry.kind}, not an experiment")
        evidence.entry = entry
        label = f" {body.label}" if body.label else ""
        evidence.links.append(Link("entry", f"{entry.index}{label}", f"{body.title} ({entry.id})"))
        for effect in self._status.effects(entry.id):
            _refuse_effect(effect, claim.metric, ref.entry)
        if not body.verdict and not body.delta:
            raise RefusedError("CLM311", f"entry {ref.entry} has no verdict")
        return body

    def _choose(self, ref: EvidenceRef, body: Experiment) -> tuple[str, Facts]:
        """Return the receipt's URI and the selection in its raw file."""
        cited = {item.receipt: item for item in body.evidence or ()}
        if not cited:
            raise RefusedError("CLM314", f"entry {ref.entry} cites no receipt")
        if ref.receipt is None and len(cited) > 1:
            raise RefusedError("CLM315", f"entry {ref.entry} cites {len(cited)} receipts; name one")
        uri = next(iter(cited))
        if ref.receipt is not None:
            with _refusing("CLM315"):
                uri = citation.resolve(self._ledger, ref.receipt)
        if uri not in cited:
            raise RefusedError("CLM315", f"{ref.receipt} is not evidence of entry {ref.entry}")
        return uri, {**(cited[uri].select or {}), **(ref.select or {})}

    def _receipt(self, uri: str, evidence: Evidence) -> Receipt:
        """Return the receipt, its bytes, signature, signer's role and admission verified."""
        digest = Digest.parse(uri.removeprefix(SCHEME))
        with _refusing("CLM304", NotFoundError), _refusing("CLM303", VerificationError):
            self._place.receipts.get(digest)
        with _refusing("CLM302"):
            receipt = citation.open_cited(self._ledger, self._place.receipts, uri)
        phase = self._phase(uri)
        if phase is None:
            raise RefusedError("CLM316", f"no finished or attached run names {uri[:30]}…")
        if evidence.receipt is None:
            detail = f"signed by {receipt.envelope.keyid}, {receipt.predicate.origin}, run {phase}"
            evidence.links.append(Link("receipt", uri, detail))
            evidence.receipt = receipt
        return receipt

    def _phase(self, uri: str) -> str | None:
        for index in self._ledger.index.find("run", uri):
            body = self._ledger.entry(index).body
            if isinstance(body, RunBody) and body.phase in ("finished", "attached"):
                return f"{body.phase} at entry {index}"
        return None

    def _file(self, receipt: Receipt) -> ResultFile:
        digest = _subject(receipt, RAW)
        if digest not in self._files:
            with _refusing("CLM304", NotFoundError), _refusing("CLM303", VerificationError):
                data = self._place.objects.get(digest)
            with _refusing("CLM303"):
                self._files[digest] = detect.read(data)
        return self._files[digest]

    def _run(self, receipt: Receipt, where: Facts, evidence: Evidence) -> Run:
        file = self._file(receipt)
        cells = f"{file.reader}, cells: {len(file.runs)}"
        evidence.links.append(Link("raw file", receipt.require(RAW), cells))
        with _refusing("CLM317"):
            return select(file, where)

    def _window(self, receipt: Receipt, window: WindowPredicate, evidence: Evidence) -> None:
        evidence.window = window
        found: dict[str, list[tuple[RunPredicate, ResultFile]]] = {}
        for item in window.repetitions:
            nested = self._receipt(SCHEME + item.receipt, evidence)
            run = nested.predicate
            place = f"{item.arm}/{item.repetition}"
            if not isinstance(run, RunPredicate) or not _belongs(run, window, item.arm):
                raise RefusedError("CLM206", f"repetition {place} is not of {window.window}")
            if _subject(receipt, place) != _subject(nested, RAW):
                raise RefusedError("CLM303", f"repetition {place} has another raw file")
            found.setdefault(item.arm, []).append((run, self._file(nested)))
            detail = f"{SCHEME}{item.receipt}, raw {nested.require(RAW)}"
            evidence.links.append(Link("repetition", place, detail))
        _require_alternation(window)
        for arm in (window.baseline, window.candidate):
            with _refusing("CLM206"):
                evidence.arms[arm] = rows.merge([file for _, file in found.get(arm, ())])
        _require_one_environment([run for runs in found.values() for run, _ in runs])
        evidence.facts |= dict(window.scope) | window.environment

    def _one_arm(self, claim: Claim, ref: EvidenceRef, evidence: Evidence) -> None:
        """Narrow a window to the arm that a level claim is about."""
        if claim.kind != "level":
            return
        if ref.arm not in evidence.arms:
            arms = ", ".join(evidence.arms)
            raise RefusedError("CLM317", f"a level claim on a window names its arm: {arms}")
        evidence.arms = {ref.arm: evidence.arms[ref.arm]}
        evidence.facts |= {**evidence.arms[ref.arm].config, **evidence.arms[ref.arm].identity}


@contextmanager
def _refusing(code: str, kind: type[Error] = Error) -> Iterator[None]:
    """Turn an error of this kind into a refusal by this code."""
    try:
        yield
    except RefusedError:
        raise
    except kind as error:
        raise RefusedError(code, str(error)) from error


def _subject(receipt: Receipt, name: str) -> Digest:
    with _refusing("CLM304"):
        return receipt.require(name)


def _refuse_effect(effect: Effect, metric: str, name: str) -> None:
    banner = f"entry {name} is {effect.word} by entry {effect.by}: {effect.reason}"
    if effect.word == "superseded":
        raise RefusedError("CLM501", banner)
    if effect.word == "retracted":
        raise RefusedError("CLM502", banner)
    if metric in effect.bars:
        raise RefusedError("CLM504", f"{metric} is barred by entry {effect.by}: {effect.reason}")
    if not effect.affects and not effect.bars:
        raise RefusedError("CLM503", banner)
    struck = {place.partition(".")[0] for place in effect.affects} - _HARMLESS
    if struck:
        raise RefusedError("CLM503", f"{banner} (struck: {', '.join(sorted(struck))})")


def _describe(run: Run, predicate: RunPredicate, evidence: Evidence) -> None:
    evidence.facts |= {**predicate.environment, **predicate.identity}
    evidence.facts |= {**run.config, **run.identity}


def _belongs(run: RunPredicate, window: WindowPredicate, arm: str) -> bool:
    return (run.window, run.plan, run.cell, run.arm) == (
        window.window,
        window.plan,
        window.cell,
        arm,
    )


def _require_alternation(window: WindowPredicate) -> None:
    ran = [(item.arm, item.repetition) for item in window.repetitions]
    planned = schedule.alternate(window.baseline, window.candidate, len(ran) // 2)
    if ran != planned:
        raise RefusedError("CLM206", "the arms did not alternate AB BA AB BA …")


def _require_one_environment(runs: list[RunPredicate]) -> None:
    for name in _SAME:
        values: set[Any] = {run.environment.get(name) for run in runs}
        if len(values) > 1:
            told = ", ".join(sorted(map(str, values)))
            raise RefusedError("CLM206", f"repetitions differ in {name}: {told}")
