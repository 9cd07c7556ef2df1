"""From a claim down to raw rows, link by link; a link that does not hold is a refusal by name.

claim → entry (stands? has a verdict?) → receipt (cited? bytes? signature? role? its runs stand?) →
raw file (there? its digest?) → rows → one cell. For a window the walk goes through its plan and the
receipt of every repetition, and ends where their tokens differ. Nothing is taken from a receipt's
figures: values are computed from the rows alone.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

from claims.judging import anchoring, equivalence, matrix, selection
from claims.judging import window as windows
from claims.judging.chain import Evidence, Link, RefusedError, refusing, subject
from claims.judging.siblings import Siblings
from claims.judging.standing import Standing
from claims.registers import facts
from claims.registers.model import Claim, EvidenceRef
from claims.rules import Refusal
from engine import anchor, figures, floors, raw, statistics
from engine.results import detect
from engine.results.model import ResultFile, Run, select
from ledger import citation
from ledger.bodies import Experiment
from ledger.bodies import Run as RunBody
from ledger.entry import Entry
from ledger.log import Ledger
from receipts.errors import Error, NotFoundError, VerificationError
from receipts.predicates import (
    AnchorResult,
    ComparisonPredicate,
    Facts,
    Repetition,
    RunPredicate,
    WindowPredicate,
)
from receipts.receipt import RAW, SCHEME, SUMMARY, Receipt, digest_of
from receipts.workspace import Workspace

Arms = dict[str, Run]


class Archive:
    """The ledger and the stores, read once for many claims."""

    def __init__(self, place: Workspace, ledger: Ledger) -> None:
        self._place = place
        self._ledger = ledger
        self._files: dict[tuple[object, ...], ResultFile] = {}
        self._mates: dict[str, tuple[WindowPredicate, Arms]] = {}
        self.standing = Standing(ledger)

    @cached_property
    def _siblings(self) -> Siblings:
        return Siblings(self._ledger, self._place, self.standing)

    def resolve(self, claim: Claim) -> Evidence:
        """Walk from `claim` to its rows and return how far the chain holds."""
        if claim.kind == "matrix":
            return matrix.resolve(
                claim, lambda ref: selection.spread(self._ledger, ref), self.resolve
            )
        evidence = Evidence()
        try:
            self._resolve(claim, claim.evidence[0], evidence)
        except RefusedError as error:
            evidence.refusal = Refusal(error.code, str(error), claim.id)
        return evidence

    def plan_mates(self, window: WindowPredicate) -> Iterator[tuple[WindowPredicate, Arms]]:
        """Yield the other cells of a window's plan, with the rows of both arms, as far as read."""
        yield from self.windows(self._siblings.of_plan(window))

    def windows(self, uris: Iterable[str]) -> Iterator[tuple[WindowPredicate, Arms]]:
        """Yield these windows, with the rows of both arms, as far as they can be read."""
        for uri in uris:
            if uri not in self._mates:
                try:
                    self._mates[uri] = self._read_mate(uri)
                except (Error, RefusedError):
                    continue  # what cannot be read is another rule's to say, where it is claimed
            yield self._mates[uri]

    def _read_mate(self, uri: str) -> tuple[WindowPredicate, Arms]:
        receipt = citation.open_cited(self._ledger, self._place.receipts, uri)
        window = receipt.predicate
        if not isinstance(window, WindowPredicate):
            raise Error(f"{uri} is no window")
        found: windows.Repeated = {}
        for item in window.repetitions:
            nested = citation.open_cited(self._ledger, self._place.receipts, SCHEME + item.receipt)
            run = windows.require_member(item, nested.predicate, window)
            found.setdefault(item.arm, []).append((run, self._file(nested, run)))
        return window, windows.merge(window, found)

    def _resolve(self, claim: Claim, ref: EvidenceRef, evidence: Evidence) -> None:
        body = self._entry(claim, ref, evidence)
        uri, where = selection.choose(self._ledger, ref, body)
        receipt = self._receipt(uri, claim.metric, evidence)
        predicate = receipt.predicate
        evidence.facts |= {**facts.said(body.scope or {}), "cell": predicate.cell}
        if isinstance(predicate, ComparisonPredicate):
            message = "it compares two files that nobody saw being measured; cite one of them"
            raise RefusedError("CLM318", message)
        if isinstance(predicate, WindowPredicate):
            arms = (predicate.baseline, predicate.candidate)
            selection.require_window(claim, ref, where, arms)
            self._window(claim, receipt, predicate, evidence)
            siblings = self._siblings.require_accounted(predicate, receipt.uri, body)
            evidence.siblings = tuple(siblings)
            evidence.links += selection.elsewhere(predicate, receipt.uri, body)
            _narrow(ref, evidence)
        else:
            selection.require_alone(predicate)
            selection.require_file(ref)
            evidence.links += _taints("run", predicate)
            run = self._run(receipt, predicate, claim.metric, where, evidence)
            evidence.arms = {predicate.arm or "run": run}
            _describe(run, predicate, evidence)

    def _entry(self, claim: Claim, ref: EvidenceRef, evidence: Evidence) -> Experiment:
        with refusing("CLM310"):
            entry = self._ledger.resolve(ref.entry)
        body = entry.body
        if not isinstance(body, Experiment):
            raise RefusedError("CLM310", f"entry {ref.entry} is {entry.kind}, not an experiment")
        evidence.entry = entry
        label = f" {body.label}" if body.label else ""
        evidence.links.append(Link("entry", f"{entry.index}{label}", f"{body.title} ({entry.id})"))
        self.standing.require(entry, claim.metric, ref.entry)
        if not body.verdict and not body.delta:
            raise RefusedError("CLM311", f"entry {ref.entry} has no verdict")
        if body.verdict and body.verdict.outcome == "void":
            raise RefusedError("CLM311", f"entry {ref.entry} says that its evidence is void")
        return body

    def _receipt(self, uri: str, metric: str, evidence: Evidence) -> Receipt:
        """Return the receipt, its bytes, signature, signer's role and runs verified."""
        digest = digest_of(uri)
        with refusing("CLM304", NotFoundError), refusing("CLM303", VerificationError):
            self._place.receipts.get(digest)
        with refusing("CLM302"):
            receipt = citation.open_cited(self._ledger, self._place.receipts, uri)
        phase = self._phase(uri, metric)
        if evidence.receipt is None:
            detail = f"signed by {receipt.envelope.keyid}, {receipt.predicate.origin}, run {phase}"
            evidence.links.append(Link("receipt", uri, detail))
            evidence.receipt = receipt
        return receipt

    def _phase(self, uri: str, metric: str) -> str:
        """Return how the receipt's first run ended; every run behind it must stand."""
        runs = list(self._runs(uri))
        if not runs:
            raise RefusedError("CLM316", f"no finished or attached run names {uri[:30]}…")
        for entry, body in runs:
            self.standing.require(entry, metric, str(entry.index))
            if body.admission:
                with refusing("CLM316"):
                    admission = self._ledger.by_id(body.admission)
                self.standing.require(admission, metric, str(admission.index))
        entry, body = runs[0]
        return f"{body.phase} at entry {entry.index}"

    def _runs(self, uri: str) -> Iterator[tuple[Entry, RunBody]]:
        for index in self._ledger.index.find("run", uri):
            entry = self._ledger.entry(index)
            if isinstance(entry.body, RunBody) and entry.body.phase in ("finished", "attached"):
                yield entry, entry.body

    def _file(self, receipt: Receipt, predicate: RunPredicate) -> ResultFile:
        summary = receipt.statement.subject_digest(SUMMARY)
        key = (subject(receipt, RAW), summary, tuple(predicate.columns or ()))
        if key not in self._files:
            data = self._object(receipt, RAW)
            beside = self._object(receipt, SUMMARY) if summary else None
            with refusing("CLM303"):
                self._files[key] = raw.understand(data, beside, predicate.columns or ()).file
        return self._files[key]

    def _object(self, receipt: Receipt, name: str) -> bytes:
        with refusing("CLM304", NotFoundError), refusing("CLM303", VerificationError):
            return self._place.objects.get(subject(receipt, name))

    def _run(
        self,
        receipt: Receipt,
        predicate: RunPredicate,
        metric: str,
        where: Facts,
        evidence: Evidence,
    ) -> Run:
        file = self._file(receipt, predicate)
        evidence.readers = (file.reader,)
        policies = predicate.policies or []
        detail = ", ".join([f"{file.reader}, cells: {len(file.runs)}", *policies])
        evidence.links.append(Link("raw file", receipt.require(RAW), detail))
        with refusing("CLM317"):
            run = select(file, where)
        for note in detect.notes(file, run):
            if note.barring(metric, frozenset(policies)):
                raise RefusedError("CLM319", str(note))
        return run

    def _window(
        self, claim: Claim, receipt: Receipt, window: WindowPredicate, evidence: Evidence
    ) -> None:
        evidence.window = window
        planned, evidence.planned = windows.read_plan(self._place.objects, window)
        windows.require_exact_word(window)
        windows.require_planned(window, planned, claim.metric)
        evidence.links.append(Link("plan", window.plan, planned.name))
        windows.require_order(window)
        found: windows.Repeated = {}
        for item in window.repetitions:
            nested = self._receipt(SCHEME + item.receipt, claim.metric, evidence)
            run = windows.require_member(item, nested.predicate, window)
            place = f"{item.arm}/{item.repetition}"
            if subject(receipt, place) != subject(nested, RAW):
                raise RefusedError("CLM303", f"repetition {place} has another raw file")
            file = self._file(nested, run)
            windows.require_one_row(item, file)
            found.setdefault(item.arm, []).append((run, file))
            detail = f"{SCHEME}{item.receipt}, raw {nested.require(RAW)}"
            evidence.links.append(Link("repetition", place, detail))
            evidence.links += _taints(place, run)
        files = (file for of_arm in found.values() for _, file in of_arm)
        evidence.readers = tuple(sorted({file.reader for file in files}))
        # Set only now: of arms that are no comparison, nothing is shown.
        evidence.arms = windows.merge(window, found)
        windows.require_engaged(window)
        evidence.sides = {
            side: windows.side(found[arm][0][0], evidence.arms[arm])
            for side, arm in (("baseline", window.baseline), ("candidate", window.candidate))
        }
        if claim.kind == "change":
            anchors = anchoring.of_baseline(window, claim.metric)
            anchoring.require_own_words(planned, anchors, claim.metric)
            windows.require_apart(window, evidence.sides)
            self._require_counts(claim, window, found[window.baseline][0][0], evidence)
        told = facts.said(window.scope)
        evidence.facts |= {**told, "cell": window.cell, **window.environment}

    def _require_counts(
        self, claim: Claim, window: WindowPredicate, baseline: RunPredicate, evidence: Evidence
    ) -> None:
        """Refuse a change over a baseline that is not anchored, and one under the noise floor."""
        name = claim.metric
        pair = (evidence.arms[window.baseline], evidence.arms[window.candidate])
        if figures.boundaries_differ(name, *pair):
            raise RefusedError("CLM318", f"{name} ratio absent: boundaries differ")
        anchoring.require_sound(window)
        for one in anchoring.of_baseline(window, name):
            self._anchored(name, one, window, baseline, evidence)
        floor = floors.find(
            self._ledger, self._place.receipts, window.cell, name, window.environment
        )
        change, margin = anchoring.change(name, pair), equivalence.margin_of(claim)
        anchors = anchoring.of_baseline(window, name)
        if margin is not None:
            equivalence.require_fine(margin, floor.value if floor else None, anchors, name)
        elif floor and change is not None:
            anchoring.require_above(change, floor.value, floor.entry.index)
        if floor and change is not None:
            percent = statistics.decimal_text(100 * floor.value, 3)
            evidence.links.append(Link("noise floor", f"{floor.entry.index}", f"{percent} %"))
        if change is not None and margin is None:
            anchoring.require_narrow(change, anchors, name)

    def _anchored(
        self,
        name: str,
        one: AnchorResult,
        window: WindowPredicate,
        baseline: RunPredicate,
        evidence: Evidence,
    ) -> None:
        with refusing("CLM321"):
            entry = self._ledger.by_id(one.contract)
            record = anchor.read(self._ledger, self._place.receipts, entry)
        self.standing.require(entry, record.metric, one.record)
        nested = self._receipt(SCHEME + one.receipt, name, evidence)
        item = Repetition(arm=f"anchor.{one.record}", repetition=0, receipt=one.receipt)
        run = windows.require_member(item, nested.predicate, window)
        windows.require_one_environment([window.environment, run.environment])
        with refusing("CLM321"):
            rows = self._file(nested, run).runs[0]
            anchoring.require_held(one, record, run, rows, baseline)
        evidence.links.append(Link("anchor", one.record, anchor.told(one)))
        evidence.links += _taints(f"anchor {one.record}", run)


def _taints(place: str, run: RunPredicate) -> list[Link]:
    return [Link("taint", place, taint) for taint in run.taints or ()]


def _narrow(ref: EvidenceRef, evidence: Evidence) -> None:
    """Keep the arm that a level claim is about; take in what the rows say of what is left."""
    if ref.arm is not None:
        evidence.arms = {ref.arm: evidence.arms[ref.arm]}
    evidence.facts = windows.establish(evidence.facts, list(evidence.arms.values()))


def _describe(run: Run, predicate: RunPredicate, evidence: Evidence) -> None:
    """Take in what is known of the run: told by the raw file before observed before declared."""
    evidence.facts |= facts.declared(predicate) | predicate.environment
    evidence.facts |= {**run.config, **run.identity}
