"""Whether a number that equals a fact of the evidence stands for it: `2,048 tokens`.

Equal digits are no reason: that 5 runs were made says nothing of "5 GPUs" or "2,048 users". A
number has a fact's role where a word for it stands near, and neither another number against it nor
a noun of another thing behind it.
"""

from collections.abc import Iterable

from claims.checks import counts, nearby
from claims.numerals import numbers
from receipts import late as re

_NEAR = 48
_LONGEST = 80
_ROLE = re.compile(
    r"(?<![A-Za-z])(?:depths?|tokens?|toks?|contexts?|ctx|prompts?|ubatch|batch(?:es)?|micro-?batch"
    r"|bs|runs?|reps?|repetitions?|repeats?|repeated|samples?|trials?|pairs?|iterations?|medians?"
    r"|measurements?|measured|n|pp|tg|threads?|concurrency|streams?|seeds?|warm-?ups?|lengths?"
    r"|sizes?|inputs?|outputs?|width|vocab(?:ulary)?|seq|sequences?|windows?|generated|prefix|cell"
    r"|lanes?|temperature|top[-_][kp]|each|settings?|scope|workload|prefill(?:ed)?)(?![A-Za-z/])",
    re.IGNORECASE,
)
_OTHER = (
    r"GPUs?|CPUs?|TPUs?|cores?|sockets?|users?|clients?|times|machines?|nodes?|hosts?|engines?"
    r"|models?|people|customers?|sessions?|connections?|devices?|cards?|boards?|chips?|crash(?:es)?"
    r"|errors?|bugs?|failures?|minutes?|hours?|days?|weeks?|months?|years?|points?|stars?|commits?"
    r"|issues?|servers?|instances?|replicas?|projects?|companies|teams?|engineers?|levers?"
    r"|optimi[sz]ations?|kernels?|patches|regressions?|improvements?"
)
_JOINING = r"(?:on|in|of|for|with|and|or|to|at|per|from|by|the|an?|over|as|is|are|was|were)\b"
_OF_OTHERS = re.compile(
    rf"\A[\s-]*(?:(?!{_JOINING})[A-Za-z-]+[\s-]+)?(?P<noun>{_OTHER})(?![A-Za-z])", re.IGNORECASE
)
_PLURAL = re.compile(r"\A[\s-]+(?P<noun>[a-z]{2,}[^\Wsui_]s)(?![A-Za-z])")
# Behind "depth 2,048" or "n = 5" comes a verb, and not what is counted.
_LED = re.compile(rf"{_ROLE.pattern}\s*(?:size\s*)?(?:of|=|:|is|was)?\s*\Z", re.IGNORECASE)
_INVISIBLE = r"\s\u00ad\u200b\u200c\u200d\u2060\ufeff"
_AGAINST_BEHIND = re.compile(rf"\A[{_INVISIBLE}]*(?:[×xX*·][{_INVISIBLE}]*)?(?=\.?\d)")
_AGAINST_BEFORE = re.compile(rf"\d[{_INVISIBLE}]+\Z")
_WORD = re.compile(r"[a-z]{2,}")


def stands_apart(before: str, after: str) -> bool:
    """Say whether no other number that claims a result stands directly against this one."""
    behind = _AGAINST_BEHIND.match(after)
    if behind:
        found = numbers.find(after[behind.end() : behind.end() + _LONGEST])
        if not found or found[0].start > 1 or numbers.is_measurement(found[0].unit):
            return False
    return nearby.ends(_AGAINST_BEFORE, before) is None


def is_of_another(before: str, after: str, names: Iterable[str]) -> bool:
    """Say whether the noun behind the number is of a thing that none of these facts names."""
    if _ROLE.match(after.lstrip(" -")):
        return False
    found = _OF_OTHERS.match(after) or (None if nearby.ends(_LED, before) else _PLURAL.match(after))
    if found is None:
        return False
    stem = found["noun"].lower().rstrip("s")
    return not any(stem in name.lower() for name in names)


def is_named(before: str, text: str, after: str, names: Iterable[str]) -> bool:
    """Say whether a word for one of these facts stands near the number in its sentence."""
    near = f"{before[-_NEAR:]} | {after[:_NEAR]}"
    if not before.strip() and after.startswith(":"):
        return True  # "2,048: 35.2 tok/s", as a row of a table
    if not any(map(str.isalpha, before + after)) or _ROLE.search(near):
        return True
    words = {word for name in names for word in _WORD.findall(name.lower())}
    return bool(words & set(_WORD.findall(near.lower()))) or is_counted(before, text, after)


def is_counted(before: str, text: str, after: str) -> bool:
    """Say whether the number tells how often something was measured: `measured 5 times`."""
    start = len(before)
    return any(one.start <= start < one.end for one in counts.find(f"{before}{text}{after}"))
