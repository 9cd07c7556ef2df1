"""A claim and its evidence in; a sentence, or refusals by name, out.

The judgement computes every value again from the rows, fills the wording, and then asks what the
sentence may not do: claim more than its scope, rest on too few or too scattered repetitions, say
faster where it is slower, or stand there unapproved.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from claims.judging import (
    bounds,
    comparator,
    demands,
    equivalence,
    matrix,
    misses,
    parity,
    scope,
    setting,
    spread,
    tags,
    values,
)
from claims.judging.chain import Evidence
from claims.judging.evidence import Archive
from claims.judging.judgement import Judgement as Judgement
from claims.numerals import numbers
from claims.registers import claim_form, statistic_words, wording
from claims.registers.barred import Context
from claims.registers.model import Claim
from claims.registers.register import Register
from claims.registers.wording import Value
from engine import statistics
from engine.metrics import metric
from ledger.bodies import Approval, Experiment
from ledger.log import Ledger
from receipts.clock import Clock, system_clock
from receipts.errors import Error

InWords = Callable[[Judgement, Sequence[str]], Iterable[scope.Objection]]
"""What reads a sentence without numbers: judgement and names of the project in, objections out."""

_ABSENT = {False: "CLM318", True: "CLM405"}
_UNGATED = "without an exactness gate"
_TAILS = {"p90": 10, "p95": 20, "p99": 100}


class Judge:
    """Judges claims against one ledger; `broken` says why the whole ledger is not believed.

    Of the `register` it takes what nobody may say, and the policy; `clock` tells the age of a
    comparator. `in_words` reads a sentence that shows no number, of a claim that was judged.
    """

    def __init__(
        self,
        archive: Archive,
        ledger: Ledger,
        broken: str | None,
        register: Register | None = None,
        clock: Clock = system_clock,
        in_words: InWords | None = None,
    ) -> None:
        self._archive = archive
        self._ledger = ledger
        self._broken = broken
        self._register = register or Register({}, {})
        self._clock = clock
        self._in_words = in_words or _unread

    def judge(self, claim: Claim, *, approval: bool = True) -> Judgement:
        """Return the judgement; without `approval` the question of approval is left out."""
        if self._broken:
            done = Judgement(claim, Evidence())
            done.refuse("CLM301", self._broken)
            return done
        evidence = Evidence() if claim.states_only else self._archive.resolve(claim)
        done = Judgement(claim, evidence)
        if evidence.refusal:
            done.refusals.append(evidence.refusal)
            return done
        try:
            done.values = {**_values(claim, evidence), **claim_form.texts(claim)}
            done.sentence = wording.fill(claim.wording, done.values)
        except Error as error:
            done.refuse(_ABSENT[claim.states_only], str(error))
            return done
        for code, message in self._of_the_evidence(done, done.sentence):
            done.refuse(code, message)
        for code, message in self._of_the_register(done, done.sentence):
            done.refuse(code, message)
        if approval:
            self._require_approval(done)
        if done.holds:
            done.misses = misses.of(self._archive, claim, evidence)
            done.spread = tuple(spread.told(self._archive, claim, evidence))
        return done

    def cited(self, entry: str) -> list[str]:
        """Return the URIs of the receipts that an entry cites, in its order."""
        body = self._ledger.resolve(entry).body
        cited = body.evidence or [] if isinstance(body, Experiment) else []
        return list(dict.fromkeys(item.receipt for item in cited))

    def _of_the_evidence(self, done: Judgement, sentence: str) -> Iterator[scope.Objection]:
        """Yield what the evidence does not bear of the sentence."""
        if done.claim.states_only:
            yield from _stated(done, sentence)
            return
        yield from _objections(done, sentence)
        if done.claim.kind == "change" and wording.is_in_words(done.claim.wording):
            yield from self._in_words(done, self._register.names)

    def _of_the_register(self, done: Judgement, sentence: str) -> Iterator[scope.Objection]:
        """Yield what the register forbids or its policy asks for, whatever the evidence says."""
        claim, register = done.claim, self._register
        for number in numbers.find(sentence):
            context = Context(sentence, _metrics(claim), done.cells, holds=not done.refusals)
            if row := register.barred_match(number, context):
                yield "CLM505", row.told()
        if item := register.negative_space.contradicted(sentence):
            told = f": {item.note}" if item.note else ""
            yield "CLM408", f"nobody claims {item.phrase!r}{told}"
        if claim.tag == "measured":
            today = self._clock().date()
            yield from comparator.objections(claim, done.evidence, register.policy, today)
            yield from demands.objections(done, sentence, register.policy, self._ledger)

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


def _unread(done: Judgement, names: Sequence[str]) -> Iterator[scope.Objection]:
    """Refuse a sentence in words where nobody is there to read it."""
    yield "CLM407", "it shows no number, and its words were not read"


def _values(claim: Claim, evidence: Evidence) -> dict[str, Value]:
    if claim.states_only:
        return {}
    if claim.kind == "matrix":
        return matrix.compute(claim, evidence, values.compute)
    pairs = parity.values(claim.metric, evidence) if claim.kind == "change" else {}
    return {**values.compute(claim, evidence), **pairs}


def _metrics(claim: Claim) -> frozenset[str]:
    return frozenset(claim_form.names(claim).values())


def _stated(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the objections to a statement that rests on nothing and says so."""
    message = tags.objection(done.claim, sentence)
    if message:
        yield "CLM405", message
    yield from _words(done, sentence)


def _objections(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    claim = done.claim
    if message := tags.objection(claim, sentence):
        yield "CLM405", message
    yield from _repetitions(done, sentence)
    parts = [
        (
            f"cell {part.cell}: ",
            part.evidence,
            values.compute(matrix.of(claim, part), part.evidence),
        )
        for part in done.evidence.parts
    ]
    for place, evidence, known in parts or [("", done.evidence, done.values)]:
        for code, message in (*_stability(claim, evidence, known), *_ungated(evidence, sentence)):
            yield code, f"{place}{message}"
    yield from scope.objections(claim, done.evidence)
    yield from _words(done, sentence)
    yield from _numbers(done, sentence)
    yield from _direction(done, sentence)
    yield from parity.objections(claim, done.values)
    yield from equivalence.objections(claim, done.evidence, sentence)
    for one in setting.contradictions(sentence, setting.known(claim, done.evidence)):
        yield one.code, one.told()
    if claim.kind == "matrix":
        yield from matrix.objections(claim, done.evidence, sentence)


def _ungated(evidence: Evidence, sentence: str) -> Iterator[tuple[str, str]]:
    window = evidence.window
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
    template = wording.with_texts(claim.wording, done.values)
    if claim.kind == "matrix":
        polarity = "higher"  # its numbers are ratios, above 1 where the candidate wins
    word = statistic_words.misfit(template, claim.scope, claim.statistic, polarity)
    if word:
        yield "CLM205", f"it says {word!r}, and the number is the {claim.statistic}"
    yield from bounds.objections(done, sentence)


def _direction(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    ratio = done.values.get("ratio", done.values.get("ratio.min"))
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
    elif n < wording.FLOOR and not wording.states_count(sentence, n):
        yield "CLM305", f"there are only {n} repetitions and the sentence does not say so"


def _stability(
    claim: Claim, evidence: Evidence, known: Mapping[str, Value]
) -> Iterator[tuple[str, str]]:
    window = evidence.window
    stated = (claim.cv_limit, window.cv_limit if window else None)
    # A claim may be stricter than the plan of its window, never more lenient.
    limit = min((Fraction(text) * 100 for text in stated if text is not None), default=None)
    if limit is None:
        return
    level, allowed = claim.kind == "level", statistics.decimal_text(limit)
    for name in ("cv",) if level else ("baseline.cv", "candidate.cv"):
        value = known.get(name)
        if not isinstance(value, Fraction):
            yield "CLM306", f"{name} is undefined (n = {known['n']}), the limit is {allowed} %"
        elif value > limit:
            percent = wording.display(value, 2)
            yield "CLM306", f"{name} is {percent} %, the limit is {allowed} %"


def _words(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    claim, lowered = done.claim, sentence.lower()
    for words in claim.must_retain:
        if words.lower() not in lowered:
            yield "CLM402", f"it must say {words!r}"
    for words in claim.forbidden:
        if words.lower() in lowered:
            yield "CLM403", f"it must not say {words!r}"
    faster = wording.says_faster(sentence) if claim.kind == "level" else None
    if faster:
        yield "CLM203", f"it says {faster!r}; a level is of one arm, make it a change"
    cells = len({part.cell for part in done.evidence.parts})
    wide = wording.says_more(sentence, every_cell=done.of_every_cell)
    if wide:
        of = f"{cells} cells" if cells else "one cell"
        yield "CLM203", f"it says {wide!r}; the evidence is of {of}"
