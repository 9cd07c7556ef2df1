"""Every rule by its stable code: what it finds, why that matters, and what to do about it.

A code is never used again for something else. `claims explain CODE` prints a rule.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from receipts.errors import NotFoundError


@dataclass(frozen=True)
class Rule:
    """A rule: its code, its name, why it exists, and the remedy."""

    code: str
    name: str
    why: str
    remedy: str

    def lines(self, *, brief: bool) -> list[str]:
        """Return the rule as text; in brief, one line."""
        head = f"{self.code} {self.name}"
        return [f"{head}: {self.why}"] if brief else [head, f"  {self.why}", f"  {self.remedy}"]


_ALL = (
    Rule(
        "CLM010",
        "unknown-claim",
        "A marker names a claim that the register does not have.",
        "Register the claim, or correct the marker's id.",
    ),
    Rule(
        "CLM012",
        "misplaced-marker",
        "A marker is malformed, binds nothing, or turns its line into raw HTML.",
        "Glue the marker to the end of the sentence or number: 1.05×<!--claim:ID-->",
    ),
    Rule(
        "CLM101",
        "unbound-number",
        "A number with a unit of this field stands on the page, and no claim is behind it.",
        "Register a claim and bind the number with <!--claim:ID-->, or take it out.",
    ),
    Rule(
        "CLM102",
        "value-differs",
        "The number on the page is not what the evidence gives at the digits shown.",
        "Take the sentence from `claims render`.",
    ),
    Rule(
        "CLM104",
        "unit-differs",
        "A number of the filled sentence has a unit or scale in which it is no value of the claim.",
        "Write {unit} behind the hole, × behind {ratio} and % behind {percent} and {cv}.",
    ),
    Rule(
        "CLM105",
        "wrong-direction",
        "The sentence says faster where the ratio is below 1.",
        "Turn the sentence, or the ratio's arms, round.",
    ),
    Rule(
        "CLM201",
        "scope-not-established",
        "The claim names a condition that the evidence does not carry, or carries otherwise.",
        "Take the condition out, or cite evidence that was measured under it.",
    ),
    Rule(
        "CLM203",
        "wider-than-scope",
        "The sentence claims more than the conditions under which the evidence was measured.",
        "Name the conditions instead, or measure the others too.",
    ),
    Rule(
        "CLM205",
        "statistic-differs",
        "The sentence names another statistic (median, average, peak, …) than the number is.",
        "Name the claim's own, or put the word's own hole next to it: at least {min:.1f}.",
    ),
    Rule(
        "CLM206",
        "arms-differ",
        "The repetitions are not those of one window: other conditions, order, place or receipt.",
        "Measure both arms in one window: `engine ab`.",
    ),
    Rule(
        "CLM207",
        "plan-differs",
        "The window says of itself what its plan does not, or the plan is not about the metric.",
        "Name a metric of the plan, or measure under a plan that says what you want to claim.",
    ),
    Rule(
        "CLM208",
        "not-engaged",
        "An arm did not prove that it ran what it is said to be, or both arms are one.",
        "Look at the logs of that arm; a window that compares an arm with itself shows noise.",
    ),
    Rule(
        "CLM209",
        "blind-gate",
        "An accuracy gate of the window cannot see the defect it is there for, or was failed.",
        "Use a fixture on which the broken arm fails; what both arms pass shows nothing.",
    ),
    Rule(
        "CLM301",
        "chain-broken",
        "The ledger does not verify, so nothing in it can be relied on.",
        "Run `ledger verify`; restore from a copy that verifies.",
    ),
    Rule(
        "CLM302",
        "signature-refused",
        "A receipt is not signed by a key that was allowed to sign it, or since lost that trust.",
        "Have it signed by an enrolled runner or engineer: measure or attach again.",
    ),
    Rule(
        "CLM303",
        "digest-differs",
        "The bytes of a receipt, plan or raw file are not the ones that were recorded.",
        "Restore the file from a copy whose digest holds.",
    ),
    Rule(
        "CLM304",
        "evidence-missing",
        "A receipt, plan or raw file is not in the store, or was withheld.",
        "Restore it; a number whose rows are gone cannot be quoted.",
    ),
    Rule(
        "CLM305",
        "too-few-repetitions",
        "There are fewer repetitions than the claim needs, or fewer than five and not said.",
        "Measure more, or state `repetitions:` and say the number in the sentence ({n}).",
    ),
    Rule(
        "CLM306",
        "unstable",
        "The repetitions disagree by more than is allowed, or are too few to tell.",
        "Find out why, and measure again under a plan; never drop repetitions.",
    ),
    Rule(
        "CLM310",
        "no-such-entry",
        "The entry that the claim rests on is not in the ledger, or rests on nothing itself.",
        "Correct the reference; `ledger list` shows the entries.",
    ),
    Rule(
        "CLM311",
        "open-entry",
        "The entry is a hypothesis: it has no verdict yet.",
        "Close it with an entry that answers it, and cite that one.",
    ),
    Rule(
        "CLM314",
        "recorded-history",
        "The entry cites no receipt: recorded history is never citable.",
        "Measure again; a number without rows cannot be quoted.",
    ),
    Rule(
        "CLM315",
        "not-its-evidence",
        "The receipt is not among the evidence of the entry.",
        "Cite a receipt that the entry cites, or name one where it cites several.",
    ),
    Rule(
        "CLM316",
        "not-admitted",
        "No finished or attached RUN entry names the receipt.",
        "Make runs with `engine run`, `engine ab` or `engine attach`.",
    ),
    Rule(
        "CLM317",
        "no-such-cell",
        "The selection matches no cell or arm, or several, or contradicts the entry.",
        "Correct `select:` or `arm:`; the message says what there is to choose from.",
    ),
    Rule(
        "CLM318",
        "no-such-metric",
        "The rows do not hold this metric, or not for this kind of claim.",
        "Correct `metric:` or `evidence:`; `claims why` shows what there is.",
    ),
    Rule(
        "CLM319",
        "raw-file-refused",
        "The raw file says something about this run or metric that keeps it from being cited.",
        "`engine reconcile FILE` shows what; measure again, or attach with a declared policy.",
    ),
    Rule(
        "CLM320",
        "not-exact",
        "The arms did not produce the same tokens: two computations were timed, not one.",
        "Fix the difference first; no ratio exists before that.",
    ),
    Rule(
        "CLM321",
        "unanchored",
        "The baseline was not held against a recorded value in the same window, or missed it.",
        "Record an anchor (`engine anchor record`), name it in the plan, walk it again; where one "
        "missed, find first what changed (`engine drift`).",
    ),
    Rule(
        "CLM322",
        "under-the-floor",
        "The difference is smaller than what two runs of the same code differ by.",
        "It is flat: neither a win nor a loss. Say so, or measure where the floor is lower.",
    ),
    Rule(
        "CLM323",
        "unaccounted-siblings",
        "The same plan was walked more often, and the entry does not say what became of the rest.",
        "Cite all windows of the plan in the entry, or record why one is void.",
    ),
    Rule(
        "CLM401",
        "operator-review-required",
        "No operator has approved this sentence as it reads now.",
        "An operator runs `claims approve ID`.",
    ),
    Rule(
        "CLM402",
        "required-words-missing",
        "The sentence lacks words that the register says it must retain.",
        "Put them back.",
    ),
    Rule(
        "CLM403",
        "forbidden-words",
        "The sentence has words that the register forbids for this claim.",
        "Take them out.",
    ),
    Rule(
        "CLM404",
        "wording-differs",
        "The sentence on the page is not the one that was approved.",
        "Take the sentence from `claims render`, or have the new wording approved.",
    ),
    Rule(
        "CLM405",
        "not-measured",
        "The claim's tag says that nobody measured it; it renders as unavailable.",
        "Measure it, and tag it `measured` with its evidence.",
    ),
    Rule(
        "CLM501",
        "superseded",
        "A later entry takes the place of an entry or run that the claim rests on.",
        "Rest the claim on the later entry, and have it approved again.",
    ),
    Rule(
        "CLM502",
        "retracted",
        "An entry or run that the claim rests on was withdrawn.",
        "Withdraw the claim; what was retracted is not quoted.",
    ),
    Rule(
        "CLM503",
        "contested",
        "A correction, or a revoked key, strikes something that the claim may rest on.",
        "Restate the claim on an entry that stands.",
    ),
    Rule(
        "CLM504",
        "barred",
        "An amendment bars this metric from being quoted.",
        "Take the sentence out.",
    ),
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.code: rule for rule in _ALL})


def find(code: str) -> Rule:
    """Return the rule with this code or name, or raise `NotFoundError`."""
    for rule in _ALL:
        if code.upper() == rule.code or code.lower() == rule.name:
            return rule
    raise NotFoundError(f"no rule is called {code!r}; the codes are {', '.join(RULES)}")


@dataclass(frozen=True)
class Refusal:
    """A rule that a claim or a page breaks, and how; `place` is file:line:column, if on a page."""

    code: str
    message: str
    claim: str | None = None
    place: str | None = None

    def line(self) -> str:
        """Return the refusal in one line."""
        rule = RULES[self.code]
        where = f"{self.place}: " if self.place else ""
        about = f"{self.claim}: " if self.claim else ""
        return f"{where}{self.code} {rule.name}: {about}{self.message}"

    def view(self) -> dict[str, str]:
        """Return the refusal as plain values, absent fields left out."""
        rule = RULES[self.code]
        fields = {
            "code": self.code,
            "name": rule.name,
            "claim": self.claim,
            "place": self.place,
            "message": self.message,
            "remedy": rule.remedy,
        }
        return {name: value for name, value in fields.items() if value is not None}
