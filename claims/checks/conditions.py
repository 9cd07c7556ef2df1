"""Which facts of the evidence the words beside a number can mean: `a depth of 4,096`.

A page names a condition in its own words, and a raw file in those of its tool. What both mean is a
*topic*; a topic has the words of pages and, in tiers, those of facts::

    "at a depth of 2,048"      n_depth, or depth; where neither is a fact, context, prompt or input
    "512 prompt tokens"        n_prompt, prompt_tokens, input_len
    "100 requests"             num_prompts, num_requests, and the repetitions, which are requests
    "8 concurrent requests"    max_concurrency: the requests are none of these
    "over 2 depths"            the cells of a matrix

Any other fact is named by the last word of its name: `n_threads` are threads. A `min_rounds` is a
bound and no number of rounds; a size of the model, the layers that were given to the card (99 is
"all"), a time and a date are no conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from claims.pages.flow import CODE
from receipts import late as re


class Fact(NamedTuple):
    """A number that evidence was measured under."""

    name: str
    number: Decimal


class _Topic(NamedTuple):
    """The words by which pages name a condition, and those of its facts, the likeliest first."""

    said: frozenset[str]
    facts: tuple[frozenset[str], ...]
    nonzero: bool = False
    """Whether a fact that is 0 says that there was no such thing: no prompt was given."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LENGTHS = _words("prompt input prefix")
_TOPICS: Mapping[str, _Topic] = {
    "depth": _Topic(_words("depth deep"), (_words("depth"), _words("context"), _LENGTHS)),
    "context": _Topic(_words("context ctx"), (_words("depth context") | _LENGTHS,)),
    "prompt": _Topic(
        _words("prompt input pp"), (_LENGTHS, _words("depth context")), nonzero=True
    ),
    "output": _Topic(
        _words("output generated generating generate generation gen completion tg"),
        (_words("output gen generation completion"),),
    ),
    "batch": _Topic(_words("batch batche bs"), (_words("batch ubatch"),)),
    "ubatch": _Topic(_words("ubatch ubatche microbatch microbatche"), (_words("ubatch"),)),
    "concurrency": _Topic(
        _words("concurrency concurrent concurrently simultaneous simultaneously parallel stream"
               " client user"),
        (_words("concurrency parallel stream client user"),),
    ),
    "request": _Topic(_words("request query querie"), (_words("request completed"),)),
}  # fmt: skip
_CELL = "cell"
"""What a number names that counts the cells of a matrix."""
_TOPIC_OF = {word: name for name, topic in _TOPICS.items() for word in topic.said}
_REPEATED = frozenset({"request", "round", "call", "iteration"})
"""What a benchmark may repeat: a number of these may be that of the repetitions."""
_SAME = {
    "ctx": "context", "bs": "batch", "microbatch": "ubatch", "generated": "gen", "pp": "prompt",
    "tg": "gen", "pl": "parallel", "vocabulary": "vocab",
}  # fmt: skip
_HOLLOW = _words(
    "n num number of the a an in size len length count value max maximum token tok is wa were"
    " are to up sequence random total only just exactly fixed new"
)
_NO_CONDITIONS = _words("min main model param time date id version kib byte memory layer ngl")
_JOINING = _words(
    "with and or but for from by on per over at as while where when then than it its we that which"
)
_PARTS = re.compile(r"[a-z]+")
_JOINED = re.compile(
    r"\b(micro|tensor|pipeline|expert|data)[\s-]+(?=batch|parallel)", re.IGNORECASE
)
# What stands between a number and its name; a clause ends where the name would be another's.
_BREAK = re.compile(rf"[;,.()\[\]|/\d–—{CODE}]")
_LISTED = re.compile(
    r"(?:(?<![\w.])\d[\d,]*k?(?:[\s-]+tokens?)?"
    r"(?:\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|to)\s+|\s*[/&–-]\s*))+\Z",
    re.IGNORECASE,
)
# "Over 2 depths" counts cells, where "2 streams" are that many streams.
_CELLS = re.compile(
    r"[\s-]+(?:(?:different|other|such)\s+)?(?:depths|contexts|concurrencies|cells|settings|workloads"
    r"|(?:[a-z]+[\s-]+)?(?:sizes|lengths|configurations|depths))\b"
)
_TOGETHER = re.compile(
    r"\s+(?:requests|prompts|sequences|queries)\s+(?:in[\s-](?:flight|parallel)|at\s+(?:a\s+time|once))\b"
)
_NEAR, _LIST, _REACH = 48, 160, 2


@lru_cache(maxsize=1024)
def named(before: str, after: str) -> frozenset[str]:
    """Return the topics, or plain words, by which the text on both sides names a number.

    Of `before` and `after` only what stands directly there is read; the number is not part of it.
    """
    behind = _behind(after)
    if "concurrency" in behind:
        return frozenset({"concurrency"})
    listed = None if any(map(is_topic, behind)) else _LISTED.search(before[-_LIST:])
    front = before[: len(before) - len(listed[0])] if listed else before
    ahead = _ahead(front)
    return frozenset({"concurrency"}) if "concurrency" in ahead else ahead | behind


def _behind(after: str) -> frozenset[str]:
    """Return what the words behind a number name: `512-token prompts`, `100 requests`."""
    clause = _BREAK.split(_joined(after[:_NEAR]), maxsplit=1)[0]
    if counts_cells(clause):
        return frozenset({_CELL})
    if _TOGETHER.match(clause):
        return frozenset({"concurrency"})
    found: list[str] = []
    tokens = False
    for word in _PARTS.findall(clause):
        tokens = tokens or word in ("token", "tokens", "tok")
        # "100 prompts" are requests, "512-token prompts" are so long.
        single = "request" if word == "prompts" and not (tokens or found) else _single(word)
        if single in _HOLLOW:
            continue
        if single in _JOINING or len(found) == _REACH:
            break
        found.append(_TOPIC_OF.get(single, single))
    return frozenset(found)


def counts_cells(after: str) -> bool:
    """Say whether a number before these words, in small letters, counts cells: `2 depths`."""
    return _CELLS.match(after) is not None


def _ahead(before: str) -> frozenset[str]:
    """Return what the words before a number name: `a depth of`, `micro-batches of`."""
    clause = _BREAK.split(_joined(before[-_NEAR:]))[-1]
    for word in map(_single, reversed(_PARTS.findall(clause))):
        if word not in _HOLLOW:
            return frozenset() if word in _JOINING else frozenset({_TOPIC_OF.get(word, word)})
    return frozenset()


def _single(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 2 else word


def _joined(text: str) -> str:
    return _JOINED.sub(r"\1", text).lower()


@lru_cache(maxsize=256)
def of_header(text: str) -> frozenset[str]:
    """Return what the header of a column names: the conditions of the cells below it."""
    words = map(_single, _PARTS.findall(_joined(text)))
    return frozenset(_TOPIC_OF.get(word, word) for word in words if word not in _HOLLOW)


@lru_cache(maxsize=1024)
def _subject(name: str) -> str:
    """Return the word that the name of a fact ends in, empty where it is no condition."""
    words = _PARTS.findall(_joined(name.replace("_", " ").replace(".", " ")))
    if words[:1] == ["cells"]:
        return _CELL
    # `num_prompts` counts them, `n_prompt` is how long one is.
    told = ["request" if word == "prompts" else _single(word) for word in words]
    if _NO_CONDITIONS & {*told}:
        return ""
    told = [_SAME.get(word, word) for word in told if word not in _HOLLOW]
    return told[-1] if told else ""


class Known:
    """The conditions of one claim, by what a page may call them."""

    def __init__(self, facts: Iterable[Fact], repetitions: int = 0) -> None:
        self._by_word: dict[str, list[Fact]] = {}
        self._meant: dict[str, list[Fact]] = {}
        self._repetitions = repetitions
        for fact in dict.fromkeys(facts):
            self._by_word.setdefault(_subject(fact.name), []).append(fact)

    def meant(self, name: str) -> list[Fact]:
        """Return the facts that a topic or word can mean; none where the evidence is silent."""
        if name not in self._meant:
            self._meant[name] = self._find(name)
        return self._meant[name]

    def holds(self, name: str, number: Decimal, text: str) -> bool:
        """Say whether the number is that of a fact so named; `4k` of context may be 4,096."""
        known = {fact.number for fact in self.meant(name)}
        if number in known or (text[-1:] in ("k", "K") and number * _BINARY in known):
            return True
        return name in _REPEATED and number == self._repetitions

    def _find(self, name: str) -> list[Fact]:
        topic = _TOPICS.get(name)
        if topic is None:
            return self._by_word.get(name, [])
        # In the order of the facts, so that the claim's own scope comes first.
        tiers = [
            [fact for word in sorted(tier) for fact in self._by_word.get(word, ())]
            for tier in topic.facts
        ]
        if topic.nonzero and any(fact.number for tier in tiers for fact in tier):
            tiers = [[fact for fact in tier if fact.number] for tier in tiers]
        return next((tier for tier in tiers if tier), [])


def is_topic(name: str) -> bool:
    """Say whether a name is that of a condition that pages and raw files name in many ways."""
    return name in _TOPICS


_BINARY = Decimal("1.024")
