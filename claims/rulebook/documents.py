"""Rules about a page, its markers, and what is set aside on it (CLM0…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM001",
        "no-page",
        "No page was found to check, and a check of nothing is no success.",
        "Name pages or folders, or correct `documents:` in evidence.yaml.",
        "claims check docs/   (a folder without a Markdown file)",
        "claims check README.md docs/results.md",
    ),
    Rule(
        "CLM002",
        "nothing-checked",
        "The pages hold no number that could claim something, and no marker: nothing was said.",
        "Name the pages that hold the numbers; leave pages without numbers out.",
        "A page on which no number and no marker stands, checked alone.",
        "The same page, checked together with the page of the results.",
    ),
    Rule(
        "CLM010",
        "unknown-claim",
        "A marker names a claim that the register does not have.",
        "Register the claim, or correct the marker's id.",
        "It decodes 35.2 tok/s.<!--claim:tuned-rat-->",
        "It decodes 35.2 tok/s.<!--claim:tuned-rate-->",
    ),
    Rule(
        "CLM011",
        "two-claims",
        "Two claims are bound to one number.",
        "Take one of the markers out; a number has one claim.",
        "35.2 tok/s<!--claim:a--><!--claim:b-->",
        "35.2 tok/s<!--claim:a-->",
    ),
    Rule(
        "CLM012",
        "misplaced-marker",
        "A marker is malformed, binds nothing, or turns its line into raw HTML.",
        "Glue the marker to the end of the sentence or number: `1.05×<!--claim:ID-->`",
        "<!--claim:tuned-rate--> It decodes 35.2 tok/s.",
        "It decodes 35.2 tok/s.<!--claim:tuned-rate-->",
    ),
    Rule(
        "CLM013",
        "lost-number",
        "A number of the page is spelt so that no search of the source finds it: with an entity, "
        "with an invisible character inside, in digits that are not 0 to 9, or as the number of "
        "a list.",
        "Write the number itself in the digits 0 to 9; in front of a line, with a word before it.",
        "35&#46;2 tok/s",
        "35.2 tok/s",
    ),
    Rule(
        "CLM014",
        "ambiguous-number",
        "The front matter gives the page a decimal comma, and the number may be two, or has a "
        "decimal point.",
        "Spell it as the page's language does, and so that it is one number: 1234 or 1,23; 12,5.",
        "locale: de, and 1,234 tok/s or 35.2 tok/s",
        "locale: de, and 1234 tok/s or 35,2 tok/s",
    ),
    Rule(
        "CLM040",
        "edited-region",
        "Text between claim:begin and claim:end is not what was generated, or the two do not pair.",
        "Have it written again by `claims regions --write`, or take both comments out and bind the "
        "text by hand.",
        "A digit edited between claim:begin and claim:end.",
        "The text as it was generated, or your own without the two comments.",
    ),
    Rule(
        "CLM090",
        "ignore-without-reason",
        "A finding is set aside without a reason, or without the code of what is set aside.",
        "Write `<!-- claims-ignore[CODE]: the reason, for the next reader -->`",
        "<!-- claims-ignore[CLM101] -->",
        "<!-- claims-ignore[CLM101]: the vendor's figure, quoted with its source -->",
    ),
    Rule(
        "CLM091",
        "unused-ignore",
        "An ignore sets nothing aside: what it was written for is gone, or stands elsewhere.",
        "Take the comment out, or put it on the line above the finding.",
        "<!-- claims-ignore[CLM101]: a limit, no result -->  above a line without a number",
        "<!-- claims-ignore[CLM101]: a limit, no result -->  above: It stops at 500 ms.",
    ),
    Rule(
        "CLM092",
        "not-ignorable",
        "An ignore or a baseline names a rule that nobody sets aside on a page, or no rule at all.",
        "Mend what the rule says. Evidence, approval and barred numbers have no exceptions.",
        "<!-- claims-ignore[CLM401]: the operator is on leave -->",
        "claims approve tuned-rate",
    ),
    Rule(
        "CLM095",
        "baseline-grew",
        "The baseline holds more than before. It is the debt of the first day, and only shrinks.",
        "Register and bind the number, or take it out; never add to a baseline.",
        "A new unbound number, and `claims baseline write` over the old file.",
        "The number bound, and the old file left as it is.",
    ),
    Rule(
        "CLM096",
        "baseline-stale",
        "The baseline holds a finding that no longer occurs, and would let it come back unseen.",
        "Run `claims baseline shrink` and commit the smaller file.",
        "The number is bound, and the baseline holds its finding still.",
        "The number is bound, and its entry is gone from the baseline.",
    ),
)
