"""Which metric a sentence says a number is of, where that is not the claim's.

::

    "Prefill runs at 35.2 tok/s"             of prefill, and no decode rate
    "After a prefill of 2,048 tokens, 35.2"  says nothing of the number
    "decode and prefill reach 35 and 164"    both are named, so either may be meant
    "The end-to-end latency is 47.9 ms"      of another time, where it is what the sentence is about
    "47.9 ms per token"                      of each token, and no time to the first
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from claims.checks import nearby
from receipts import late as re

_Name = tuple[int, int, str]

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
# These count only as what the sentence is about: "with no loss of accuracy it decodes at 35".
_IS = (
    r"(?=(?:\s+of\s+[\w.+-]+(?:\s+[\w.+-]+)?)?\s*(?:[:=]|\Z|\s(?:is|was|are|were|stays?|rises?|rose|falls?"
    r"|fell|improv\w+|reach\w*|drops?|gains?|runs?|ran|takes?|took|goes|comes?|needs?|lies|at|of|by)\b))"
)
_HEADED = {
    "end to end": re.compile(
        rf"(?<![\w-])(?:end-to-end\s+(?:latency|time)|e2e(?:\s+(?:latency|time))?|request\s+latency"
        rf"|total\s+latency|response\s+time){_IS}",
        re.IGNORECASE,
    ),
    "training": re.compile(
        rf"(?<![\w-])(?:(?:re-?)?training(?:\s+(?:speed|rate|throughput|step))?|fine-?tuning"
        rf"|(?:it|model)\s+trains){_IS}",
        re.IGNORECASE,
    ),
    "disk": re.compile(
        rf"(?<![\w-])(?:disk\s+(?:usage|use|space|footprint)|(?:checkpoint|download|file|image)\s+size){_IS}",
        re.IGNORECASE,
    ),
    "accuracy": re.compile(
        rf"(?<![\w-])(?:accuracy|perplexity|mmlu|gsm8k|humaneval|hit\s+rate|acceptance\s+rate"
        rf"|(?:gpu|cpu)\s+utili[sz]ation){_IS}",
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
    "peak_": set(),
    "e2e_": {"end to end"},
}
# Of memory or a whole request, the work that it was needed for may be named.
_RIVALS = {
    "peak_": {"disk", "accuracy", "training"},
    "e2e_": {"first token", "disk", "accuracy", "training"},
}
_PER = re.compile(
    r"\s*(?:\([^)]*\)\s*)?(?:per|for\s+(?:each|every))\s+(?P<each>(?:output\s+)?token|request|prompt)\b",
    re.IGNORECASE,
)
# "86 % less energy" beside a rate: of something else, unless the metric is of it.
_RESOURCE = re.compile(
    r"\s*(?:(?:less|more|fewer|lower|higher|better|worse|of\s+the|the)\s+)?"
    r"(?P<what>energy|power|memory|vram|disk|cost|accuracy|bandwidth)\b(?!\s*[-\w]*[- ]bound)",
    re.IGNORECASE,
)
_OF_RESOURCES = {
    "energy": "joules",
    "power": "watt",
    "memory": "mib|bytes|gb_s",
    "vram": "mib|bytes",
    "bandwidth": "gb_s|gbps",
    "accuracy": "accuracy|task_",
    "disk": "measured",
    "cost": "measured",
}
_OF_A_TOKEN = re.compile(r"itl|tpot|token_ms|per_token|_tok_s|joules")
_OF_NO_REQUEST = ("peak_",)
_FILL = r"(?:(?:the|a|an|its|any|of|long|short|full|chunked)\s+)*"
_ASIDE = re.compile(
    r"\b(?:after|with|without|behind|beyond|following|besides|no|not|than|despite|unlike|before"
    r"|chunked|past|plus|apart\s+from|aside\s+from|once|when|while|if|and\s+not)"
    rf"\s+{_FILL}\Z",
    re.IGNORECASE,
)
_FILLED = re.compile(rf"\S*(?:\s+\S+)?\s+{_FILL}", re.IGNORECASE)
# "A prefill of 2,048 tokens" and "the prefill length" say how much was worked on.
_OF_A_LENGTH = re.compile(
    r"\s+(?:of\s+[\d,]+k?\s+tokens?|lengths?|tokens?|sizes?|depths?|chunks?)\b", re.IGNORECASE
)
_RIGHT_BEHIND = re.compile(r"\A\s*\(?\s*(?:(?:for|in|on|of|during|at|the|per)\s+){0,2}\Z", re.I)


class Metrics:
    """The metrics that a text names, among its measured numbers with the offsets `spans`."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._begins = [begin for begin, _ in spans]
        self._ends = [end for _, end in spans]
        self._named = _named(text)
        self._at = [begin for begin, _, _ in self._named]
        self._lists: dict[str, bool] = {}

    def contradicted(self, metric: str, start: int, end: int) -> str:
        """Return the words that name another metric than the claim's of the number there.

        Empty where none are. The header of a column is read as what stands before its numbers.
        """
        each = self._each(metric, end)
        head = next((head for head in _FITTING if metric.startswith(head)), None)
        if each or head is None or not self._named:
            return each
        rivals = _RIVALS.get(head)
        told = [one for one in self._of(start, end) if rivals is None or one[2] in rivals]
        if not told or any(group in _FITTING[head] for _, _, group in told):
            return ""
        return "" if self._is_list(head) else self._text[told[-1][0] : told[-1][1]]

    def contradicted_by_header(self, metric: str) -> str:
        """Return the words of this header that name another metric, empty where none do."""
        return self.contradicted(metric, len(self._text), len(self._text))

    @property
    def are_named(self) -> bool:
        """Whether any metric is named at all."""
        return bool(self._named)

    def _each(self, metric: str, end: int) -> str:
        """Return the words right behind a number that make it one of each token, or of energy."""
        resource = _RESOURCE.match(self._text, end)
        if resource and not re.search(_OF_RESOURCES[resource["what"].lower()], metric):
            return resource[0].strip()
        found = _PER.match(self._text, end)
        if found is None:
            return ""
        of_token = found["each"].lower().endswith("token")
        wrong = not _OF_A_TOKEN.search(metric) if of_token else metric.startswith(_OF_NO_REQUEST)
        return found[0].strip() if wrong else ""

    def _of(self, start: int, end: int) -> list[_Name]:
        """Return the metrics that the number from `start` to `end` may be of."""
        before = bisect_right(self._ends, start)
        after = bisect_left(self._begins, end)
        first = self._ends[before - 1] if before else 0
        last = self._begins[after] if after < len(self._begins) else len(self._text)
        ahead, behind = self._between(first, start), self._between(end, last)
        close = [one for one in behind if _RIGHT_BEHIND.match(self._text[end : one[0]])]
        return [*ahead, *close] or ([] if before else behind)

    def _between(self, first: int, last: int) -> list[_Name]:
        return self._named[bisect_left(self._at, first) : bisect_left(self._at, last)]

    def _is_list(self, head: str) -> bool:
        if head not in self._lists:
            self._lists[head] = _is_list(self._text, self._named, _FITTING[head])
        return self._lists[head]


def _named(text: str) -> list[_Name]:
    """Return where metrics are named as what something is of, in order."""
    return sorted(
        (found.start(), found.end(), group)
        for group, words in (*_GROUPS.items(), *_HEADED.items())
        for found in words.finditer(text)
        if not _is_aside(text, found.start()) and not _OF_A_LENGTH.match(text, found.end())
    )


def _is_aside(text: str, stop: int) -> bool:
    """Say whether the words before a metric set it beside what the sentence is about."""
    begin = nearby.since(text, stop)
    if _ASIDE.search(text, begin, stop):
        return True
    # Articles may stand one after the other without an end, and then nothing else is near.
    return _FILLED.fullmatch(text, begin, stop) is not None and bool(_ASIDE.search(text, 0, stop))


def _is_list(text: str, named: list[_Name], ours: set[str]) -> bool:
    """Say whether several metrics, ours among them, are named in a row before their numbers."""
    return any(
        _AND.fullmatch(text, a[1], b[0]) is not None and {a[2], b[2]} & ours
        for a, b in pairwise(named)
    )


_AND = re.compile(r"\s*(?:and|or|,|/|&)\s*(?:the\s+)?")
