"""Rules about citations on a page (CLM7…)."""

from claims.rulebook.model import Rule

RULES = (
    Rule(
        "CLM701",
        "citation-missing",
        "What a citation names is not there: no such entry, claim, receipt, file, line or section.",
        "Correct the citation; `ledger list`, `receipts list` and the file itself show what is.",
        "As measured [ledger J99].",
        "As measured [ledger J3].",
        ignorable=True,
    ),
    Rule(
        "CLM702",
        "citation-ambiguous",
        "A citation names several things, and its reader cannot tell which one is meant.",
        "Name one: an entry by its label, a claim by its whole id, a section with its number.",
        "As measured [receipt decode], where two are called so",
        "As measured [receipt decode-v8].",
        ignorable=True,
    ),
    Rule(
        "CLM703",
        "citation-struck",
        "What is cited was superseded, retracted or contested since, and the sentence is silent "
        "about that.",
        "Cite what stands, or say in the same sentence that it was superseded or retracted.",
        "As measured [ledger J1], which was superseded",
        "J1 was superseded; see [ledger J2].",
    ),
    Rule(
        "CLM704",
        "citation-differs",
        "What is cited says something else: quoted words, a date or a step do not stand there.",
        "Copy the words from the source, or cite the place where they do stand.",
        'It says "no overhead" [ledger J3], where J3 says "low overhead"',
        'It says "low overhead" [ledger J3].',
    ),
    Rule(
        "CLM705",
        "citation-outside",
        "A cited path leads out of the workspace, by its spelling or by a link.",
        "Cite a file of the repository; copy what lies elsewhere into it first.",
        "[../../etc/passwd:1]",
        '[logs/run.log:133 "0 dropped"]',
    ),
    Rule(
        "CLM706",
        "citation-malformed",
        "Brackets begin as a citation does and cannot be read as one.",
        'Write it as in the docs: [ledger J3], [claims #2], [receipt NAME], [FILE:LINE "words"].',
        "[ledger J3",
        "[ledger J3]",
        ignorable=True,
    ),
)
