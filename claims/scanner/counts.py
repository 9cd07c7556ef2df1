"""What a number is by what it counts: stars and downloads, a model's parameters, a constant.

None of these is measured by a run. A rate is: `50k downloads per second` must resolve.
"""

from collections.abc import Mapping

from claims.scanner.vocabulary import Before
from receipts import late as re

CONSTANTS = frozenset(f"2^{power}" for power in (7, 8, 15, 16, 31, 32, 53, 63, 64))
"""The limits of integers, which no run measures."""

SQUARE = re.compile(r"(?<![A-Za-z0-9.])([1357])[x×]\1(?![A-Za-z0-9.×])")
"""The size of a convolution: 3x3."""

_ADOPTED = (
    r"(?:new |GitHub |Github |total )?(?:stars|downloads|contributors|followers|pull requests)"
)
_OFFERED = (
    r"(?:(?:supported|open-source|popular|pre-?trained|different|built-in|programming|new) )?"
    r"(?:models|architectures|operators|ops|languages|backends|platforms|datasets|integrations"
    r"|providers|companies|organi[sz]ations|projects|papers|tools|formats)"
)
_COUNTED = re.compile(
    rf"[kKMB]?(?:\+?[ \u00a0](?:(?P<inventory>(?:(?i:{_ADOPTED})|PRs)\b)"
    r"|(?P<version>or (?:before|earlier|later|older|newer)\b)"
    r"|(?P<line>line (?:change|of code)\b))"
    rf"|\+[ \u00a0](?P<offered>{_OFFERED}\b)"
    r"|(?<=[KMB])[ \u00a0-](?P<model>param(?:eter)?s?\b))"
    r"(?![ \u00a0]?(?:/|per|a|an|each|every|concurrent|simultaneous|at once)\b)"
)
_SIZES = frozenset(("tiny", "mini", "nano", "small", "base", "medium", "large", "xl", "xxl"))
_MODELS = frozenset(("bert", "roberta", "distilbert", "albert", "opt", "pythia", "t", "vit"))
_IN_BRACKETS = re.compile(r"M[)）]")
_LETTERS = re.compile(r"[A-Za-z]+")
_REACH = 40


def counted(text: str, start: int, end: int) -> str | None:
    """Return the exclusion of a number by the words behind it."""
    match = _COUNTED.match(text, end)
    if match is None:
        return None
    if match["model"]:
        return "model-name"
    if match["version"]:
        return "version" if "." in text[start:end] and text[end] not in "kKMB" else None
    return "inventory" if not match["line"] or text[start:end] == "1" else None


def is_size_of_model(text: str, start: int, end: int, words: Mapping[str, Before]) -> bool:
    """Say whether `(124M)` stands behind the name of a model, as in `GPT-2 small (124M)`."""
    if not _IN_BRACKETS.match(text, end):
        return False
    before = text[max(0, start - _REACH) : start - 1].split()[-2:]
    if before and before[-1].lower() in _SIZES:
        before.pop()
    letters = _LETTERS.match(before[-1]) if before else None
    if letters is None:
        return False
    known = words.get(letters[0].lower())
    return (known is not None and known.rule == "model-name") or letters[0].lower() in _MODELS
