"""Which metric and which cell a sentence names, by the words of the vocabulary.

Of metrics that everybody writes about, the common words are known without one: a sentence about
*prefilling* is not about `decode_tok_s`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.metrics import METRICS
from receipts import late as re

_COMMON: Mapping[str, tuple[str, ...]] = {
    "decode_": ("decode", "decodes", "decoded", "decoding", "decoder", "generation"),
    "prefill_": ("prefill", "prefills", "prefilled", "prefilling", "prompt processing"),
    "ttft_": ("ttft", "time to first token"),
    "itl_": ("itl", "inter-token latency"),
    "tpot_": ("tpot",),
    "e2e_": ("e2e", "end to end", "end-to-end"),
}


@dataclass(frozen=True, slots=True)
class Names:
    """Words by what they name, lower case."""

    metrics: Mapping[str, frozenset[str]] = field(default_factory=dict)
    cells: Mapping[str, frozenset[str]] = field(default_factory=dict)
    pattern: re.Pattern[str] | None = None

    @classmethod
    def of(
        cls, metrics: Mapping[str, frozenset[str]], cells: Mapping[str, frozenset[str]]
    ) -> "Names":
        """Return the names that these words are."""
        return cls(metrics, cells, _either({*metrics, *cells}))

    def metrics_in(self, text: str) -> frozenset[str]:
        """Return the metrics that the text may be about; none where it names none."""
        return self._named(text, self.metrics)

    def cells_in(self, text: str) -> frozenset[str]:
        """Return the cells that the text names."""
        return self._named(text, self.cells)

    def _named(self, text: str, words: Mapping[str, frozenset[str]]) -> frozenset[str]:
        if self.pattern is None or not words:
            return frozenset()
        found = (" ".join(one[0].lower().split()) for one in self.pattern.finditer(text))
        return frozenset().union(*(words.get(word, frozenset()) for word in found))


def names(vocabulary: Mapping[str, Iterable[str]], cells: Iterable[str]) -> Names:
    """Return the names of a vocabulary's metrics, of those everybody knows, and of these cells."""
    metrics: dict[str, set[str]] = {}
    for metric in {*METRICS, *vocabulary}:
        common = next((words for head, words in _COMMON.items() if metric.startswith(head)), ())
        for word in (metric, *common, *vocabulary.get(metric, ())):
            metrics.setdefault(_plain(word), set()).add(metric)
    places = {_plain(cell): frozenset({cell}) for cell in cells}
    known = {word: frozenset(found) for word, found in metrics.items()}
    return Names.of(known, places)


def phrase(words: str) -> str:
    """Return the pattern of these words, whatever white space is between them."""
    return r"\s+".join(re.escape(word) for word in words.split())


def _plain(word: str) -> str:
    return " ".join(word.lower().split())


def _either(words: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    either = "|".join(phrase(word) for word in longest_first)
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)
