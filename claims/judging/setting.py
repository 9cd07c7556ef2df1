"""Hardware and models that a text names, against those of the evidence.

A number of an H100 does not hold "on an RTX 4090", and one of an 8B model not for 70B. Only names
that say which product they mean are read: `RTX 4090`, `MI300X`, `EPYC 9654`, `Llama-3.1-8B`; not
"a GPU", "AMD" or "Llama". A text contradicts the evidence where it names such things of one kind,
the evidence knows of that kind, and none of those named is one of these::

    evidence: gpu H100         "on an RTX 4090"    contradicts        "on an H100 80GB"    does not
    evidence: Llama-3.1-8B     "Llama-3.1-70B"     contradicts        "an 8B Llama 3.1"    does not

What is named only to say that it was not used, or to be held against ("unlike on an A100"), is let
pass; so is everything where the evidence says nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claims.numerals import numbers
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.chain import Evidence
    from claims.registers.model import Claim


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What is named, where it begins in the text, and what the evidence has of its kind."""

    kind: str
    named: str
    start: int
    known: tuple[str, ...]

    def told(self) -> str:
        """Return it in words."""
        return f"it names {self.named!r}, and the evidence is of {', '.join(self.known)}"


_ACCELERATORS = re.compile(
    r"""(?<![\w-])(?:
        (?:RTX|GTX)[ -]?(?:PRO[ ])?[A-Z]?\d{3,4}(?:[ -]?(?:Ti|SUPER|Super|D)\b){0,2}
      | (?: A(?:10G?|16|30|40|100|800|[456]000) | H(?:20|100|200|800) | B[123]00 | L(?:4|20|40S?)
          | GB[123]00 | GB10 | GH200 | V100 | P(?:4|40|100) | T4 | K80 )
      | MI[ ]?\d{2,3}[AX]?\b
      | RX[ -]?\d{4}(?:[ -]?XTX?|[ -]?GRE)?
      | Arc[ -][AB]\d{3}
      | M[1-5](?:[ ](?:Pro|Max|Ultra)\b) | (?:(?<=Apple[ ])|(?<=\ban[ ]))M[1-5]
      | Gaudi[ -]?\d | TPU[ -]?v\d\w* | Trainium[ -]?\d
    )(?![\w])""",
    re.VERBOSE,
)
_PROCESSORS = re.compile(
    r"""(?<![\w-])(?:
        EPYC[ -]\d[\w]{3,4} | Xeon(?:[ -](?:Gold|Platinum|Silver|Bronze|Max|W))?[ -]\w?\d{4}\w*
      | Ryzen[ -](?:AI[ ])?(?:\d[ -])?\d{4}\w* | Threadripper[ -](?:PRO[ -])?\d{4}\w*
      | Core[ -](?:i\d-\d{4,5}\w*|Ultra[ -]\d[ -]\d{3}\w*) | Graviton[ -]?\d
    )(?![\w])""",
    re.VERBOSE,
)
_MODELS = re.compile(
    r"""(?<![\w-])
    (?P<family> (?:Code)?Llama | Qwen | Mistral | Mixtral | Gemma | Phi | DeepSeek | gpt-oss | GPT
      | Falcon | Yi | GLM | ChatGLM | InternLM | OLMo | SmolLM | Granite | Nemotron | Kimi | Grok
      | StarCoder | Vicuna | Baichuan | TinyLlama )
    (?:[ -]?(?P<version> [VRvr]?\d(?:\.\d)? )(?![\dx]|\.?\d|[Bb]\b))?
    (?:[ -](?:Instruct|Chat|Coder|Base|Distill|MoE))*
    (?:[ -]?(?P<size> \d{1,3}(?:x\d{1,3})?(?:\.\d{1,2})?[Bb] )\b)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PARTS = re.compile(r"[a-z]+|\d+(?:\.\d+)?[a-z]*")
_ASIDE = re.compile(
    r"\b(?:not|no|never|unlike|than|without|instead\s+of|rather\s+than|versus|vs\.?|against"
    r"|nor|untested|except)(?:\s+(?:[\w-]+\s+){0,3}|\s+)\Z",
    re.IGNORECASE,
)
_NEAR = 48


Known = Mapping[str, tuple[str, ...]]
"""What the evidence names, by kind; a kind of which it names nothing is absent."""


def known(claim: Claim, evidence: Evidence) -> Known:
    """Return what the facts of a claim and of its evidence name, of both sides of a ratio."""
    told: list[Mapping[str, object]] = [evidence.facts, claim.scope]
    told += [claim.baseline_scope or {}, claim.candidate_scope or {}]
    told += [side.facts for side in evidence.sides.values()]
    told += [part.evidence.facts for part in evidence.parts]
    values = (value for one in told for value in one.values() if isinstance(value, str))
    return named(dict.fromkeys(values))


def named(texts: Iterable[str]) -> Known:
    """Return what these texts name, by kind."""
    listed = tuple(texts)
    found = {
        kind: tuple(dict.fromkeys(one[0] for text in listed for one in finds(text)))
        for kind, (finds, _) in _KINDS.items()
    }
    return {kind: names for kind, names in found.items() if names}


def contradictions(text: str, have: Known) -> Iterator[Contradiction]:
    """Yield, for each kind of things, the first of the text that the evidence contradicts."""
    for kind, names in have.items():
        finds, same = _KINDS[kind]
        found = list(finds(text))
        if any(same(one[0], name) for one in found for name in names):
            continue
        for one in found:
            if not _ASIDE.search(text[max(0, one.start() - _NEAR) : one.start()]):
                yield Contradiction(kind, one[0], one.start(), names)
                break


def agreeing(text: str, have: Known) -> frozenset[str]:
    """Return the kinds of which the text names a thing of the evidence."""
    found = {kind: _KINDS[kind] for kind in have}
    return frozenset(
        kind
        for kind, (finds, same) in found.items()
        if any(same(one[0], name) for one in finds(text) for name in have[kind])
    )


def _models(text: str) -> Iterator[re.Match[str]]:
    """Yield the models that a text names with a version or a size."""
    for found in _MODELS.finditer(text):
        version = found["version"]
        # "Llama 5 ms" and "Llama 35 tok/s" are results.
        if found["size"] or (version and not numbers.unit_follows(text, found.end("version"))):
            yield found


def _same_product(named: str, known: str) -> bool:
    """Say whether a name is that of the product, or leaves open which of its kind it is."""
    ours, theirs = _PARTS.findall(named.lower()), _PARTS.findall(known.lower())
    return ours == theirs[: len(ours)]


def _same_model(named: str, known: str) -> bool:
    """Say whether two names agree in their family, and in version and size where both tell them."""
    ours, theirs = _MODELS.match(named), _MODELS.match(known)
    if ours is None or theirs is None or ours["family"].lower() != theirs["family"].lower():
        return False
    pairs = ((ours[part], theirs[part]) for part in ("version", "size"))
    return all(a is None or b is None or a.lower() == b.lower() for a, b in pairs)


_Finds = Callable[[str], Iterator[re.Match[str]]]
_KINDS: Mapping[str, tuple[_Finds, Callable[[str, str], bool]]] = {
    "hardware": (lambda text: _ACCELERATORS.finditer(text), _same_product),
    "processor": (lambda text: _PROCESSORS.finditer(text), _same_product),
    "model": (_models, _same_model),
}
