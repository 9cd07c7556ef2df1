"""Prompts as objects: what each is, what made it, its digest, and what it cannot see.

    cycle(length=64, vocab=512, seed=7).cannot_see      ("a context cut to 8 tokens …", …)

A gate can only fail on what its prompt exercises: a cycle of eight tokens is predicted perfectly by
an engine that has forgotten all but the last eight. So every fixture carries a list of what it
cannot see, which is never empty, and which reports, entries and claims print. None of the three is
natural text: `zipf` has only its statistics, `sentences` only its grammar.

Tokens and words come from SplitMix64 (Steele, Lea and Flood, OOPSLA 2014; Vigna's constants), so
that a seed names the same prompt everywhere. Zipf's law: the r-th most frequent token has a weight
of 1/r; here floor(2^32 / r), so that no float decides a token.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from receipts import canonical
from receipts.digest import Digest
from receipts.errors import UsageError

PERIOD = 8
MAX_TOKENS = 65_536
Kind = Literal["synthetic", "natural", "recorded"]
"""`natural` only where a person says so of a file: nothing here makes natural text."""

_MASK = 2**64 - 1
_OF_CYCLES = (
    f"a context cut to {PERIOD} tokens or more: the cycle repeats within it",
    "speculative decoding as text has it: a cycle is predicted almost perfectly",
    "positions beyond the period: every token has been seen at every offset",
    f"all but {PERIOD} rows of the embeddings in the prompt",
    "the tokenizer: the prompt is given as token ids",
)
_OF_ZIPF = (
    "grammar and meaning: every token is drawn by itself",
    "speculative decoding as text has it: nothing in the prompt can be predicted",
    "long-range structure: no token depends on another",
    "the tokenizer: the prompt is given as token ids",
)
_OF_SENTENCES = (
    "the variety of natural text: about a hundred words in five patterns",
    "long-range coherence: no sentence depends on another",
    "other languages, code, numbers and rare characters",
    "quality: nobody has said what the right continuation is",
)
_OF_GIVEN = ("anything that nobody has declared: the prompt was given as a file",)


@dataclass(frozen=True, slots=True)
class Fixture:
    """A prompt: token ids or text, never both, with what made it and what it cannot see."""

    kind: Kind
    generator: str
    prompt: tuple[int, ...] | str
    cannot_see: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.cannot_see or not self.prompt:
            raise UsageError(f"fixture {self.generator} is empty, or does not say what it misses")

    @property
    def digest(self) -> Digest:
        """SHA-256 of the canonical JSON of the prompt: a list of integers, or a text."""
        whole = self.prompt if isinstance(self.prompt, str) else list(self.prompt)
        return Digest.of(canonical.encode({"prompt": whole}))

    def plain(self) -> dict[str, object]:
        """Return the fixture as values of canonical JSON, without the prompt itself."""
        return {
            "kind": self.kind,
            "generator": self.generator,
            "digest": str(self.digest),
            "cannot_see": list(self.cannot_see),
        }


def cycle(length: int, vocab: int, seed: int, lowest: int = 3) -> Fixture:
    """Return a cycle of `PERIOD` different tokens from `lowest` up to `vocab`, `length` long."""
    _require(length, vocab, lowest)
    if vocab - lowest < PERIOD:
        raise UsageError(f"{vocab - lowest} tokens are too few for a cycle of {PERIOD}")
    drawn = dict.fromkeys(_below(vocab - lowest, seed, limit=64 * PERIOD))
    period = [lowest + token for token in [*drawn][:PERIOD]]
    if len(period) < PERIOD:
        raise UsageError(f"seed {seed} gives no cycle of {PERIOD} tokens; choose another")
    tokens = tuple(period[place % PERIOD] for place in range(length))
    return Fixture("synthetic", _named("cycle", length, vocab, seed, lowest), tokens, _OF_CYCLES)


def zipf(length: int, vocab: int, seed: int, lowest: int = 3) -> Fixture:
    """Return independent tokens whose frequencies follow Zipf's law, which rank is which by seed.

    Token `lowest + r` has rank `1 + (r * 2654435761 + seed) mod (vocab - lowest)`, which is a
    permutation wherever the number of tokens has no factor in common with the multiplier, a prime.
    """
    _require(length, vocab, lowest)
    count = vocab - lowest
    bounds = list(accumulate(2**32 // rank for rank in range(1, count + 1)))
    by_rank = {(token * 2654435761 + seed) % count: lowest + token for token in range(count)}
    draws = _below(bounds[-1], seed, limit=length)
    tokens = tuple(by_rank[bisect_right(bounds, draw)] for draw in draws)
    return Fixture("synthetic", _named("zipf", length, vocab, seed, lowest), tokens, _OF_ZIPF)


def sentences(words: int, seed: int) -> Fixture:
    """Return grammatical sentences of a committed list of words, cut after `words` of them."""
    if not 1 <= words <= MAX_TOKENS:
        raise UsageError(f"{words} words are not within 1 and {MAX_TOKENS}")
    spoken: list[str] = []
    draws = _words(seed)
    while len(spoken) < words:
        spoken += _sentence(draws)
    text = " ".join(spoken[:words])
    return Fixture("synthetic", f"sentences/v1 words={words} seed={seed}", text, _OF_SENTENCES)


def given(
    prompt: tuple[int, ...] | str, name: str, kind: Kind = "recorded", misses: Sequence[str] = ()
) -> Fixture:
    """Return a prompt that somebody brought, with what that person says it cannot see."""
    return Fixture(kind, f"file {name}", prompt, tuple(misses) or _OF_GIVEN)


def rotated(prompt: tuple[int, ...] | str, places: int) -> tuple[int, ...] | str:
    """Return the prompt begun `places` tokens (or words) later, its beginning put at its end."""
    if isinstance(prompt, str):
        words = prompt.split(" ")
        start = places % len(words)
        return " ".join(words[start:] + words[:start])
    start = places % len(prompt)
    return prompt[start:] + prompt[:start]


def _named(kind: str, length: int, vocab: int, seed: int, lowest: int) -> str:
    period = f" period={PERIOD}" if kind == "cycle" else ""
    return f"{kind}/v1 length={length}{period} vocab={vocab} lowest={lowest} seed={seed}"


def _require(length: int, vocab: int, lowest: int) -> None:
    if not 1 <= length <= MAX_TOKENS:
        raise UsageError(f"a prompt of {length} tokens is not within 1 and {MAX_TOKENS}")
    if not 0 <= lowest < vocab <= 2**20:
        raise UsageError(f"no tokens from {lowest} up to a vocabulary of {vocab}; give --vocab")


def _words(seed: int) -> Iterator[int]:
    """Yield the outputs of SplitMix64 from `seed` on."""
    state = seed & _MASK
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
        yield z ^ z >> 31


def _below(bound: int, seed: int, limit: int) -> Iterator[int]:
    """Yield `limit` numbers below `bound`: the high part of a product, without a division's bias.

    What bias is left is below bound / 2^64.
    """
    for _, word in zip(range(limit), _words(seed), strict=False):
        yield word * bound >> 64


_PATTERNS = (
    "the {adjective} {noun} {verb} the {noun} {place}.",
    "every {noun} {place} {verb} a {adjective} {noun}, and the {noun} {verb} it too.",
    "when the {noun} {verb} a {noun}, the {adjective} {noun} {verb} the {noun}.",
    "a {noun} that {verb} the {noun} {adverb} {verb} the {adjective} {noun} {place}.",
    "{adverb}, the {noun} and the {adjective} {noun} of the {noun} {verb} the {noun}.",
)
_NOUNS = """
river garden teacher engine window letter mountain farmer clock bridge village doctor ship forest
road market child painter lamp harbour kitchen stone winter tailor machine field mirror baker tower
station ladder island carpenter basket orchard bell quarry sailor
"""
_VERBS = """
followed carried watched found built opened remembered repaired painted crossed sold measured
guarded described cleaned borrowed counted moved reached called
"""
_ADJECTIVES = """
old quiet narrow bright heavy patient broken distant gentle empty famous careful wooden northern
hidden early simple stubborn warm curious
"""
_ADVERBS = "slowly often later sometimes finally gladly rarely again soon quietly"
_PLACES = (
    *("near the harbour", "behind the mill", "before the winter", "under the bridge"),
    *("on the hill", "after the rain", "across the valley", "beside the road"),
)
_SLOT = re.compile(r"\{([a-z]+)\}")
_LISTS = {
    "noun": tuple(_NOUNS.split()),
    "verb": tuple(_VERBS.split()),
    "adjective": tuple(_ADJECTIVES.split()),
    "adverb": tuple(_ADVERBS.split()),
    "place": _PLACES,
}


def _sentence(draws: Iterator[int]) -> list[str]:
    """Return the words of one sentence, each with the punctuation that follows it."""
    words: list[str] = []
    for word in _pick(_PATTERNS, draws).split():
        slot = _SLOT.match(word)
        filled = _pick(_LISTS[slot[1]], draws) + word[slot.end() :] if slot else word
        if words and words[-1] == "a" and filled[0] in "aeiou":
            words[-1] = "an"
        words += filled.split()
    return [words[0].capitalize(), *words[1:]]


def _pick(items: tuple[str, ...], draws: Iterator[int]) -> str:
    return items[next(draws) * len(items) >> 64]
