"""Names of accelerators and processors in a text, how many of them, and where else a thing ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from receipts import late as re

_PRODUCTS = r"""(?:
        (?:RTX|GTX)[ -]?(?:PRO[ ])?[A-Z]?\d{3,4}(?:[ -]?(?:Ti|SUPER|Super|D)\b){0,2}
      | (?: A(?:10G?|16|30|40|100|800|[456]000) | H(?:20|100|200|800) | B[123]00 | L(?:4|20|40S?)
          | GB[123]00 | GB10 | GH200 | V100 | P(?:4|40|100) | T4 | K80 )
      | MI[ ]?\d{2,3}[AX]?\b
      | RX[ -]?\d{4}(?:[ -]?XTX?|[ -]?GRE)?
      | Arc[ -][AB]\d{3}
      | M[1-5](?:[ ](?:Pro|Max|Ultra)\b) | (?:(?<=Apple[ ])|(?<=\ban[ ]))M[1-5]
      | Gaudi[ -]?\d | TPU[ -]?v\d\w* | Trainium[ -]?\d
      | DGX[ -]Spark | Jetson(?:[ -](?:AGX|Orin|Xavier|Nano|NX|Thor|TX2)\b)+ | Strix[ ]Halo
      | MacBook(?:[ ](?:Pro|Air|Neo))? | Mac[ ](?:Studio|[Mm]ini|Pro) | Raspberry[ ]Pi(?:[ ]\d)?
      | iPhone(?:[ ]\d+)? | iPad(?:[ ](?:Pro|Air|mini))? | Steam[ ]Deck
    )"""
_ACCELERATORS = re.compile(rf"(?<![\w-]){_PRODUCTS}s?(?!\w)", re.VERBOSE)
_PROCESSORS = re.compile(
    r"""(?<![\w-])(?:
        EPYC[ -]\d[\w]{3,4} | Xeon(?:[ -](?:Gold|Platinum|Silver|Bronze|Max|W))?[ -]\w?\d{4}\w*
      | Ryzen[ -](?:AI[ ])?(?:\d[ -])?\d{4}\w* | Threadripper[ -](?:PRO[ -])?\d{4}\w*
      | Core[ -](?:i\d-\d{4,5}\w*|Ultra[ -]\d[ -]\d{3}\w*) | Graviton[ -]?\d
    )(?![\w])""",
    re.VERBOSE,
)
_PARTS = re.compile(r"[a-z]+|\d+(?:\.\d+)?[a-z]*")
# A machine that is no product, and can still be another than the evidence's.
_PLACES = re.compile(
    r"\b(?:on\s+(?:an?|one|my|our|the\s+same)\s+(?:(?!or\b|and\b)[a-z]+\s+)?"
    r"(?P<place>CPU|laptop|notebook|phone|smartphone)(?![-\w]|\s+(?:thread|core|side|path|backend))"
    r"|CPU-only)",
    re.IGNORECASE,
)
_IN_DATA_CENTRES = re.compile(
    r"[AHBV][1-9]00|H20|L(?:4|20|40S?)|GB[23]00|GH200|P100|T4|K80|MI|Gaudi|TPU|Trainium",
    re.IGNORECASE,
)
_ALIASES = {"dgx spark": "gb10", "dgx-spark": "gb10"}
_APPLE = re.compile(r"(?:Mac|M[1-5])")
_TAIL = re.compile(r"(?:[ -](?:SXM\d?|PCIe|NVL|HBM\d\w?|GPU))*[ -]?\(?\s*")
CARDS = "number of cards"
_COUNTS = {
    "two": "2", "dual": "2", "three": "3", "four": "4", "six": "6", "eight": "8", "sixteen": "16",
}  # fmt: skip
_CARDS = re.compile(
    r"\b(?<!one[ ]of[ ])(?<!one[ ]of[ ]the[ ])(?<!one[ ]of[ ]our[ ])"
    rf"(?P<count>{'|'.join((*_COUNTS, *map(str.capitalize, _COUNTS)))})[\s-]+"
    rf"(?:(?:NVIDIA|AMD|Apple|Intel|GeForce|Radeon|of[ ](?:the|our|these))\s+)*"
    rf"{_PRODUCTS}s?(?!\w)",
    re.VERBOSE,
)
_NUMBERED = re.compile(
    r"(?:\A|[_.])(?:gpus?|cards?|devices?|accelerators?|tp|tensor_parallel(?:_size)?|world_size)"
    r"(?:_?count|_?size)?\Z|\A(?:n|num)_?(?:gpus|devices|cards)\Z"
)


# "8x H100", "NVIDIA H100 x8".
_TIMES = re.compile(r"(?<![\w.])(\d{1,3})\s?[x×]\s?(?=[A-Z])|(?<![^\s\d(])[x×]\s?(\d{1,3})(?!\w)")


def accelerators(text: str) -> Iterator[re.Match[str]]:
    """Yield the accelerators and machines that a text names, and `on a CPU`."""
    return chain(_ACCELERATORS.finditer(text), _PLACES.finditer(text))


def processors(text: str) -> Iterator[re.Match[str]]:
    """Yield the processors that a text names."""
    return _PROCESSORS.finditer(text)


def cards(text: str) -> Iterator[re.Match[str]]:
    """Yield the number words of accelerators: `two H100s`."""
    return _CARDS.finditer(text)


def counted(texts: Iterable[str], items: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return how many cards facts tell of, as the words for it begin: `two cards`, `dual cards`.

    A text that names one is of one, as far as it says.
    """
    found: set[str] = set()
    for text in texts:
        listed = sum(1 for _ in _ACCELERATORS.finditer(text))
        if listed:
            found |= {str(listed), *(one[1] or one[2] for one in _TIMES.finditer(text))}
    found |= {text for name, text in items if _NUMBERED.search(name.lower().replace("-", "_"))}
    words = [f"{word} cards" for word, count in _COUNTS.items() if count in found]
    return tuple(words) or ("one card",)


def same_product(named: str, known: str) -> bool:
    """Say whether a name is that of the product, or leaves open which of its kind it is."""
    place = _PLACES.match(named)
    if place:
        return _may_be(place["place"] or "CPU", known)
    if named.startswith("Mac") and _APPLE.match(known):
        return True
    ours, theirs = (_parts(one) for one in (named, known))
    return ours == theirs[: len(ours)]


def _parts(name: str) -> list[str]:
    """Return what a name is made of; several H100s are H100."""
    one = name[:-1] if name.endswith("s") and name[-2:-1].isdecimal() else name
    return _PARTS.findall(_ALIASES.get(one.lower(), one.lower()))


def _may_be(place: str, known: str) -> bool:
    """Say whether what is known may stand in such a machine."""
    if place.upper() == "CPU":
        return known == "CPU"
    return _IN_DATA_CENTRES.match(known) is None


def is_its_memory(before: str, size: str, texts: Iterable[str]) -> bool:
    """Say whether a size behind the name of a product is one that these texts give to it.

    `NVIDIA H100 80GB HBM3` says so of the 80 GB in "an H100 (80 GB)".
    """
    for found in _ACCELERATORS.finditer(before):
        if _TAIL.fullmatch(before, found.end()):
            told = rf"(?<!\w){re.escape(found[0])}(?!\w).*?(?<!\d){re.escape(size)}\s?Gi?B\b"
            return any(re.search(told, text) for text in texts)
    return False
