"""Words by which a sentence claims more than one scope, beyond those of the register's wordings."""

from claims.registers import wording
from receipts import late as re

_THING = (
    r"(?:model|gpu|cpu|machine|device|prompt|length|depth|context|batch|size|setting|case|workload"
    r"|configuration|engine|quanti[sz]ation|hardware|platform|lane|fixture|input|request)s?"
)
_WIDE = re.compile(
    rf"\b(?:regardless\s+of|irrespective\s+of|independent(?:ly)?\s+of|no\s+matter\s+(?:what|which|how)"
    rf"|whichever|whatever\s+(?:the|{_THING})|be\s+(?:it|they)\s+(?:on|in|for|with|at|under|an?|the)|everywhere|anywhere|arbitrary\s+{_THING}|each\s+(?:and\s+every|{_THING})"
    rf"|across\s+(?:{_THING}|the\s+(?:board|range))|any\s+given|in\s+all\s+cases|without\s+exception"
    rf"|under\s+all|consistently|universal(?:ly)?|the\s+(?:entire|whole|full)\s+(?:range|line-?up)"
    rf"|most\s+{_THING})\b",
    re.IGNORECASE,
)


def says_more(sentence: str, *, every_cell: bool = False) -> str | None:
    """Return the word by which a sentence claims more than one scope, None when there is none.

    A claim over `every_cell` of its plan may say so.
    """
    found = _WIDE.search(sentence)
    return wording.says_more(sentence, every_cell=every_cell) or (found[0] if found else None)
