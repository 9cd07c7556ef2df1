"""Rules about the chain under a claim (CLM3…)."""

from claims.rulebook.model import Rule

RULES = (
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
        "The baseline was not held against a recorded value in the same window, missed it, or was "
        "allowed to differ by more than the change.",
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
        "The same cell, programs and words were walked more often, and nobody says what became of "
        "the rest.",
        "Cite all these windows in the entry, or record why one is void.",
    ),
    Rule(
        "CLM324",
        "incomplete-matrix",
        "A cell of the plan is not cited, or is cited and not claimed; or no cell is of real text.",
        "Cite a window of every cell, or list in `cells` those that the claim is about.",
    ),
    Rule(
        "CLM325",
        "mixed-matrix",
        "The windows are of several plans or programs, or two of them are of one cell.",
        "Cite one walk of one plan: `engine ab` gives a window for each cell.",
    ),
)
