"""A claim and its evidence in; a sentence, or refusals by name, out.

The judgement computes every value again from the rows, fills the wording, and then asks what the
sentence may not do: claim more than its scope, rest on too few or too scattered repetitions, say
faster where it is slower, or stand there unapproved.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from claims import facts, numbers, statistic_words, values, wording
from claims.chain import Evidence
from claims.evidence import Archive
from claims.model import FLOOR, Claim
from claims.rules import Refusal
from claims.wording import Value
from engine.metrics import metric
from ledger.bodies import Approval, Experiment
from ledger.log import Ledger
from receipts.errors import Error

_UNGATED = "without an exactness gate"
_TAILS = {"p90": 10, "p95": 20, "p99": 100}
_WIDE = {"*", "any", "every", "all"}


@dataclass
class Judgement:
    """What became of a claim: `sentence` may be published only when there is no refusal."""

    claim: Claim
    evidence: Evidence
    values: dict[str, Value] = field(default_factory=dict)
    sentence: str | None = None
    refusals: list[Refusal] = field(default_factory=list)
    approved_by: int | None = None
    conditions: tuple[str, ...] = ()
    """Under which its approval was given."""

    @property
    def holds(self) -> bool:
        """Say whether the sentence may be published."""
        return self.sentence is not None and not self.refusals

    def refuse(self, code: str, message: str) -> None:
        """Add a refusal of this claim."""
        self.refusals.append(Refusal(code, message, self.claim.id))


class Judge:
    """Judges claims against one ledger; `broken` says why the whole ledger is not believed."""

    def __init__(self, archive: Archive, ledger: Ledger, broken: str | None) -> None:
        self._archive = archive
        self._ledger = ledger
        self._broken = broken

    def judge(self, claim: Claim, *, approval: bool = True) -> Judgement:
        """Return the judgement; without `approval` the question of approval is left out."""
        if self._broken:
            done = Judgement(claim, Evidence())
            done.refuse("CLM301", self._broken)
            return done
        evidence = self._archive.resolve(claim)
        done = Judgement(claim, evidence)
        if evidence.refusal:
            done.refusals.append(evidence.refusal)
            return done
        try:
            done.values = values.compute(claim, evidence)
        except Error as error:
            done.refuse("CLM318", str(error))
            return done
        try:
            done.sentence = wording.fill(claim.wording, done.values)
        except Error as error:
            done.refuse("CLM318", str(error))
            return done
        for code, message in _objections(done, done.sentence):
            done.refuse(code, message)
        if approval:
            self._require_approval(done)
        return done

    def cited(self, entry: str) -> list[str]:
        """Return the URIs of the receipts that an entry cites, in its order."""
        body = self._ledger.resolve(entry).body
        cited = body.evidence or [] if isinstance(body, Experiment) else []
        return list(dict.fromkeys(item.receipt for item in cited))

    def _require_approval(self, done: Judgement) -> None:
        found = self._ledger.index.find("claim", done.claim.id)
        entry = self._ledger.entry(found[-1]) if found else None
        body = entry.body if entry else None
        if entry is None or not isinstance(body, Approval):
            done.refuse("CLM401", "nobody has approved it")
        elif doubt := self._archive.standing.doubt(entry.envelope.keyid, entry.index):
            done.refuse("CLM401", f"its approval is contested: {doubt}")
        elif body.decision == "withdrawn":
            done.refuse("CLM401", f"approval was withdrawn by entry {body.index}")
        elif body.digest != done.claim.approved_digest():
            done.refuse("CLM401", f"entry {body.index} approved another version of the claim")
        elif body.sentence != done.sentence:
            done.refuse("CLM401", f"entry {body.index} approved the sentence {body.sentence!r}")
        else:
            done.approved_by = body.index
            done.conditions = tuple(body.conditions or ())


def _objections(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    claim = done.claim
    if claim.tag != "measured":
        yield "CLM405", f"it is tagged {claim.tag}"
    yield from _repetitions(done, sentence)
    yield from _stability(done)
    yield from _scope(claim, done.evidence)
    yield from _words(claim, sentence)
    yield from _ungated(done, sentence)
    yield from _numbers(done, sentence)
    yield from _direction(done, sentence)


def _ungated(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    window = done.evidence.window
    ungated = window is not None and window.exactness.result == "ungated"
    if ungated and not wording.says_plainly(sentence, _UNGATED):
        told = "the plan dropped the gate, and the sentence does not plainly say"
        yield "CLM320", f"{told} {_UNGATED!r} before a comma or its end"


def _numbers(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    """Read the filled sentence as a page's reader does: unit, scale and statistic must be ours."""
    claim = done.claim
    for number in numbers.find(sentence):
        measured = numbers.is_measurement(number.unit)
        if measured and not values.agrees(number, done.values, done.values):
            has = values.told(done.values, values.HEADLINE, number.decimals)
            yield "CLM104", f"{number.text} {number.unit} is no value of it; it has {has}"
    polarity = metric(claim.metric).polarity
    word = statistic_words.misfit(claim.wording, claim.scope, claim.statistic, polarity)
    if word:
        yield "CLM205", f"it says {word!r}, and the number is the {claim.statistic}"


def _direction(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    ratio = done.values.get("ratio")
    if not isinstance(ratio, Fraction):
        return
    word = wording.wrong_direction(sentence, ratio)
    if word:
        yield "CLM105", f"it says {word!r}, and the ratio is {wording.display(ratio, 3)}"


def _repetitions(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    n, claim = done.values["n"], done.claim
    if not isinstance(n, int):
        return
    if n < claim.repetitions:
        yield "CLM305", f"there are {n} repetitions, the claim needs {claim.repetitions}"
    elif n < _TAILS.get(claim.statistic, 0):
        least = _TAILS[claim.statistic]
        yield "CLM305", f"a {claim.statistic} of {n} is near the largest; it needs {least}"
    elif n < FLOOR and not wording.states_count(sentence, n):
        yield "CLM305", f"there are only {n} repetitions and the sentence does not say so"


def _stability(done: Judgement) -> Iterator[tuple[str, str]]:
    window = done.evidence.window
    stated = (done.claim.cv_limit, window.cv_limit if window else None)
    # A claim may be stricter than the plan of its window, never more lenient.
    limit = min((Fraction(text) * 100 for text in stated if text is not None), default=None)
    if limit is None:
        return
    level = done.claim.kind == "level"
    for name in ("cv",) if level else ("baseline.cv", "candidate.cv"):
        value = done.values.get(name)
        if not isinstance(value, Fraction):
            yield "CLM306", f"{name} is undefined (n = {done.values['n']}), the limit is {limit} %"
        elif value > limit:
            percent = wording.display(value, 2)
            yield "CLM306", f"{name} is {percent} %, the limit is {limit} %"


def _scope(claim: Claim, evidence: Evidence) -> Iterator[tuple[str, str]]:
    for name, value in claim.scope.items():
        known = evidence.facts.get(name)
        if facts.text(value).lower() in _WIDE:
            yield "CLM203", f"scope {name} is {value!r}; the evidence has {known or 'none'}"
        elif known is None:
            yield "CLM201", f"the evidence does not say {name}, the claim says {value!r}"
        elif facts.text(known) != facts.text(value):
            yield "CLM201", f"the evidence has {name} {known!r}, the claim says {value!r}"


def _words(claim: Claim, sentence: str) -> Iterator[tuple[str, str]]:
    lowered = sentence.lower()
    for words in claim.must_retain:
        if words.lower() not in lowered:
            yield "CLM402", f"it must say {words!r}"
    for words in claim.forbidden:
        if words.lower() in lowered:
            yield "CLM403", f"it must not say {words!r}"
    faster = wording.says_faster(sentence) if claim.kind == "level" else None
    if faster:
        yield "CLM203", f"it says {faster!r}; a level is of one arm, make it a change"
    wide = wording.says_more(sentence)
    if wide:
        yield "CLM203", f"it says {wide!r}; the evidence is of one cell"
