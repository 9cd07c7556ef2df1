"""Words directly before a number that make it a bound of all repetitions: at least, under."""

from typing import Literal

from receipts import late as re

Bound = Literal["floor", "ceiling", "peak"]

_NEVER = r"\b(?:never|not|cannot|nor|\w+n['’]t)\s+(?:\w+\s+){0,2}"
BOUNDS: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    ("floor", re.compile(rf"{_NEVER}(?:below|under)\s+\Z", re.IGNORECASE)),
    ("ceiling", re.compile(rf"{_NEVER}(?:above|over|exceed(?:s|ed|ing)?)\s+\Z", re.IGNORECASE)),
    (
        "floor",
        re.compile(
            r"(?:[≥>]=?\s*|\b(?:at\s+least|(?:no|not|never)\s+(?:less|fewer|lower|slower)\s+than"
            r"|never\s+(?:below|under)|(?<!no )(?<!not )(?<!never )more\s+than|above"
            r"|exceed(?:s|ed|ing)?|over)\s+)\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "peak",
        re.compile(
            r"\b(?:up\s+to|as\s+(?:much|many|high|fast)\s+as|max(?:imum)?(?:\s+of)?"
            r"|peak(?:s|ed|ing)?(?:\s+(?:of|at))?|best(?:\s+of)?|tops\s+out\s+at)\s+\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "ceiling",
        re.compile(
            r"(?:[≤<]=?\s*|\b(?:at\s+most|(?:no|not|never)\s+(?:more|higher|longer|slower)\s+than"
            r"|never\s+(?:above|over)|(?<!no )(?<!not )(?<!never )less\s+than|under|below"
            r"|within)\s+)\Z",
            re.IGNORECASE,
        ),
    ),
)
"""Each kind with the words that say it; they end where the number begins."""
