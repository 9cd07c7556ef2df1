"""What a word does in a sentence, as a letter.

Subjects have the letters of `claims.words.subjects`: N a name, M a metric, W a kind of work, O what
an engine puts out, T a thing of this field, Y one that is anybody's (a build), R a rival, S
ourselves; X is a name that nobody here knows, z what nobody measures. The words of
`claims.words.vocabulary` have those of `_ORDER` below, and what no group holds is ``o``. Of a word
in two groups the later one counts.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from claims.words import forms, phrases, subjects
from claims.words import vocabulary as words

_ORDER: tuple[tuple[str, str, Callable[[str], list[str]]], ...] = (
    ("z", subjects.NEUTRAL, forms.noun),
    ("g", words.CASES, forms.noun),
    # Verbs: spends, delivers, moves, preserves, keeps, matches, beats, wins, loses, hurts, gains.
    ("$", words.SPEND, forms.verb),
    ("l", words.DELIVER, forms.verb),
    ("D", words.MOVE, forms.verb),
    ("P", words.PRESERVE, forms.verb),
    ("%", words.KEEP, forms.verb),
    ("q", words.MATCH, forms.verb),
    ("B", words.BEAT, forms.verb),
    ("!", words.WIN, forms.verb),
    ("L", words.LOSE, forms.verb),
    ("D", words.TOUCH, forms.verb),
    ("H", words.HARM, forms.verb),
    ("J", words.GAIN, forms.verb),
    ("V", words.OUTDO, forms.verb),
    ("Δ", words.DIFFER, forms.verb),
    # Notices, tells, meets, envies, fails.
    ("π", words.PERCEIVE, forms.verb),
    ("θ", words.TELL, forms.verb),
    ("κ", words.MEET, forms.verb),
    ("μ", words.ENVY, forms.verb),
    ("φ", words.FAIL, forms.verb),
    # Nouns: trophies, tosses of a coin, rockets and snails, time, speedups, losses, slowdowns.
    ("λ", words.TROPHIES, forms.as_is),
    ("δ", words.TOSSES, forms.as_is),
    ("σ", words.BEASTS, forms.as_is),
    ("τ", words.RESOURCES, forms.as_is),
    ("γ", words.GAINS, forms.as_is),
    ("K", words.HARMS, forms.noun),
    ("I", words.SLOWDOWNS, forms.noun),
    ("a", words.EDGES, forms.noun),
    # Adjectives and adverbs: plain, compared, at their most.
    ("F", words.SPEEDS, forms.as_is),
    ("F", words.QUALITIES, forms.as_is),
    ("F", words.MANNERS, forms.as_is),
    ("f", words.SPEEDS, forms.comparative),
    ("C", words.QUALITIES, forms.comparative),
    ("E", words.SPEEDS, forms.superlative),
    ("5", words.QUALITIES, forms.superlative),
    ("C", "better superior", forms.as_is),
    ("ϲ", words.WORSE, forms.as_is),
    ("ς", "slower", forms.as_is),
    ("f", "sooner", forms.as_is),
    # The same, on par, exactly, text; best, unmatched, excellent, unchanged, flat, free.
    ("≡", words.SAME, forms.as_is),
    ("=", words.EVEN, forms.as_is),
    ("ε", words.FAITHFUL, forms.as_is),
    ("β", "text texts bytes bits strings string", forms.as_is),
    ("E", words.BEST, forms.as_is),
    ("U", words.UNCHANGED, forms.as_is),
    ("Ƒ", "flat", forms.as_is),
    ("G", words.PRAISES, forms.as_is),
    ("2", words.FACTORS, forms.as_is),
    ("ξ", "free gratis", forms.as_is),
    ("^", words.LIMITS, forms.as_is),
    ("A", words.UNMATCHED, forms.as_is),
    ("Z", words.EXACT, forms.as_is),
    # Small words.
    ("+", "more less fewer", forms.as_is),
    ("e", "most least fewest", forms.as_is),
    ("u", words.EVERY, forms.as_is),
    ("ω", words.WHATEVER, forms.as_is),
    ("w", words.ALWAYS, forms.as_is),
    ("ψ", "whether if why how what when where", forms.as_is),
    ("d", words.ARTICLES, forms.as_is),
    ("n", words.NEGATIONS, forms.as_is),
    ("r", words.NOTHING, forms.as_is),
    ("h", words.HAVE, forms.as_is),
    ("m", words.MODALS, forms.as_is),
    ("v", words.VERSUS, forms.as_is),
    ("p", words.PREPOSITIONS, forms.as_is),
    ("i", words.PRONOUNS, forms.as_is),
    ("c", words.CONJUNCTIONS, forms.as_is),
    (",", words.BREAKS, forms.as_is),
    ("y", words.ADVERBS, forms.as_is),
    ("ι", words.INTENSELY, forms.as_is),
    ("<", words.BELOW, forms.as_is),
    ("b", words.BE, forms.as_is),
    ("s", words.POSITION, forms.as_is),
    ("/", words.UP, forms.as_is),
    ("1", words.ONLY, forms.as_is),
    ("k", "as", forms.as_is),
    ("t", "than", forms.as_is),
    ("x", "to", forms.as_is),
    ("j", "that which who", forms.as_is),
    *(
        (letter, group, forms.noun if letter == "M" else forms.as_is)
        for letter, group in subjects.GROUPS.items()
    ),
    *((letter, group, forms.as_is) for letter, group in phrases.FIXED.items()),
)
# What a compound is by its last part: regression-free, latency-neutral, output-identical.
_ENDINGS = {
    "U": "free neutral preserving cost overhead loss",
    "Z": "identical exact equal identically exactly equally",
    "F": "efficient friendly hungry heavy",
    "G": "fast class perfect linear optimal",
    "A": "beating leading topping breaking winning",
    "E": "fastest best",
    "f": "faster",
    "ς": "slower",
    "2": "fold",
    "=": "par",
}
_ENDED = {ending: letter for letter, group in _ENDINGS.items() for ending in group.split()}
_FREE_OF = frozenset(["zero", "no", "near-zero", "low", "minimal", "negligible"])
_DEGREES = frozenset(["high", "low", "ultra-high", "ultra-low"])
_NO_COMPARATIVE = """
other rather later older newer either neither whether never over under after number answer order
header layer user server however per further former latter upper inner outer proper another together
failover whenever wherever shader integer transformer buffer register pointer parameter filter
cluster computer container chapter member consider cover discover deliver offer prefer refer enter
trigger render wrapper helper master remember differ suffer transfer december october november
september earlier paper tiger slider folder
"""
_NO_COMPARATIVES = frozenset(_NO_COMPARATIVE.split())
_NO_ADVERB = "apply supply reply multiply rely comply imply assembly family"
_NO_ADVERBS = frozenset(_NO_ADVERB.split())
_NO_MARK = frozenset("`*_\"'“”’‘()[]/")
_STEM = re.compile(r"([a-z][a-z.+-]*?)[-.]?v?\d")
_BRITISH = re.compile(r"is(e|es|ed|er|ers|ing|ation|ations)\Z")
_CHIP = re.compile(
    r"[abhlm]\d{1,3}(?:x|s)?|g[bh]\d{2,3}|gx10|mi\d{3}[xa]?|rtx|dgx|gpus?|cpus?|npus?|tpus?"
)


def _table() -> dict[str, str]:
    table = {
        form: letter for letter, group, of in _ORDER for word in group.split() for form in of(word)
    }
    for letter, group in phrases.OF_VERBS.items():
        for phrase in group.split():
            first, _, rest = phrase.partition("-")
            table.update((f"{form}-{rest}", letter) for form in forms.verb(first))
    return table


TABLE = _table()
"""The letters of words, and of phrases with a hyphen between their words."""


@lru_cache(maxsize=16_384)
def letter(word: str) -> str:
    """Return the letter of a word in small letters, or of a mark."""
    if word in TABLE:
        return TABLE[word]
    first = word[0]
    if first.isdigit():
        return "2" if word.endswith("-fold") else "#"
    if not first.isalpha():
        return "o" if word in _NO_MARK else ","
    if word.endswith("'"):
        return letter(word[:-1])
    if word.endswith("'s"):
        return letter(word[:-2])
    return "n" if word.endswith("n't") else _unknown(word)


def _unknown(word: str) -> str:
    """Return the letter of a word that stands in no group: a chip, a compound, any word in -er."""
    stem = _STEM.match(word)
    if _CHIP.fullmatch(word) or (stem and TABLE.get(stem[1]) == "N"):
        return "N"
    if "-" in word:
        return _compound(word)
    spelt = _BRITISH.sub(r"iz\1", word)
    if spelt in TABLE:
        return TABLE[spelt]
    if "/" in word or "." in word:
        parts = {letter(part) for part in re.split(r"[/.]", word) if part}
        return next((one for one in "NMWOTR" if one in parts), "o")
    if word.endswith("ly") and word not in _NO_ADVERBS:
        return "y"
    is_compared = word.endswith("er") and len(word) >= len("their")
    return "Q" if is_compared and word not in _NO_COMPARATIVES else "o"


def _compound(word: str) -> str:
    head, _, last = word.rpartition("-")
    if last == "free" and letter(head) in "KIHφ":
        return "ζ"
    if word.startswith("per-"):
        return "o"
    if last in ("cost", "overhead", "loss") and head not in _FREE_OF:
        return "o"
    if last in _ENDED:
        return _ENDED[last]
    known = letter(last) if last else "o"
    if known in "MW" and head in _DEGREES:
        return "G"
    return known if known in "NMWOTRZ=fC" else "o"
