"""Which metric a sentence says a number is of, where that is not the claim's.

::

    "Prefill runs at 35.2 tok/s"             of prefill, and no decode rate
    "After a prefill of 2,048 tokens, 35.2"  says nothing of the number
    "decode and prefill reach 35 and 164"    both are named, so either may be meant
"""

from itertools import pairwise

from receipts import late as re

_GROUPS = {
    "decode": re.compile(
        r"(?<![\w-])(?:decod(?:e|es|ed|ing)|token\s+generation|generation\s+(?:speed|rate)"
        r"|itl|inter-token\s+latency|tpot|time\s+per\s+(?:output\s+)?token)(?![\w-])",
        re.IGNORECASE,
    ),
    "prefill": re.compile(
        r"(?<![\w-])(?:prefill(?:s|ing)?|prompt\s+processing)(?![\w-])", re.IGNORECASE
    ),
    "first token": re.compile(
        r"(?<![\w-])(?:ttft|time\s+to\s+(?:the\s+)?first\s+token|first-token\s+latency)(?![\w-])",
        re.IGNORECASE,
    ),
}
# What a prefill takes is the time to the first token, and the other way round.
_FITTING = {
    "decode_": {"decode"},
    "itl_": {"decode"},
    "tpot_": {"decode"},
    "prefill_": {"prefill", "first token"},
    "ttft_": {"prefill", "first token"},
}
_ASIDE = re.compile(
    r"\b(?:after|with|without|behind|beyond|following|besides|no|not|than|despite|unlike|before"
    r"|chunked|past|plus|apart\s+from|aside\s+from|once|when|while|if|and\s+not)"
    r"\s+(?:(?:the|a|an|its|any|of|long|short|full|chunked)\s+)*\Z",
    re.IGNORECASE,
)
# "A prefill of 2,048 tokens" and "the prefill length" say how much was worked on.
_OF_A_LENGTH = re.compile(
    r"\s+(?:of\s+[\d,]+k?\s+tokens?|lengths?|tokens?|sizes?|depths?|chunks?)\b", re.IGNORECASE
)
_RIGHT_BEHIND = re.compile(r"\A\s*\(?\s*(?:(?:for|in|on|of|during|at|the|per)\s+){0,2}\Z", re.I)


def contradicted(metric: str, text: str, start: int, end: int, spans: list[tuple[int, int]]) -> str:
    """Return the words that name another metric than the claim's of the number at these offsets.

    `spans` are those of all measured numbers of the sentence `text`. Empty where none are.
    """
    ours = next((groups for head, groups in _FITTING.items() if metric.startswith(head)), None)
    if ours is None:
        return ""
    named = _named(text)
    before = [b for _, b in spans if b <= start]
    after = [a for a, _ in spans if a >= end]
    first, last = max(before, default=0), min(after, default=len(text))
    ahead = [one for one in named if first <= one[0] < start]
    behind = [one for one in named if end <= one[0] < last]
    close = [one for one in behind if _RIGHT_BEHIND.match(text[end : one[0]])]
    told = [*ahead, *close] or ([] if before else behind)
    if not told or any(group in ours for _, _, group in told):
        return ""
    if _is_list(text, named, ours):
        return ""
    return text[told[-1][0] : told[-1][1]]


def contradicted_by_header(metric: str, header: str) -> str:
    """Return the words of a column's header that name another metric, empty where none do."""
    return contradicted(metric, header, len(header), len(header), [])


def _named(text: str) -> list[tuple[int, int, str]]:
    """Return where metrics are named as what something is of, in order."""
    return sorted(
        (found.start(), found.end(), group)
        for group, words in _GROUPS.items()
        for found in words.finditer(text)
        if not _ASIDE.search(text, 0, found.start()) and not _OF_A_LENGTH.match(text, found.end())
    )


def _is_list(text: str, named: list[tuple[int, int, str]], ours: set[str]) -> bool:
    """Say whether several metrics, ours among them, are named in a row before their numbers."""
    return any(
        _AND.fullmatch(text, a[1], b[0]) is not None and {a[2], b[2]} & ours
        for a, b in pairwise(named)
    )


_AND = re.compile(r"\s*(?:and|or|,|/|&)\s*(?:the\s+)?")
