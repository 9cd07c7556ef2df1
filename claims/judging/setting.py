"""Hardware, models, quantizations and builds that a text names, against those of the evidence.

A number of an H100 does not hold "on an RTX 4090", and one of an 8B model not for 70B. Only names
that say which product they mean are read: `RTX 4090`, `MI300X`, `EPYC 9654`, `Llama-3.1-8B`,
"a 70B model", "Gemma", "two H100s", `Q4_K_M`, "build 6100"; not "a GPU", "AMD" or "Llama". A text
contradicts the evidence where it names such things of one kind, the evidence knows of that kind,
and none of those named is one of these::

    evidence: gpu H100         "on an RTX 4090"    contradicts        "on an H100 80GB"    does not
    evidence: Llama-3.1-8B     "Llama-3.1-70B"     contradicts        "an 8B Llama 3.1"    does not

What is named only to say that it was not used, or to be held against ("unlike on an A100"), is let
pass; so is everything where the evidence says nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from claims.judging import builds, quantization
from claims.judging.contradiction import Contradiction
from claims.judging.hardware import CARDS, accelerators, cards, counted, processors, same_product
from claims.numerals import numbers
from claims.registers import facts
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.chain import Evidence
    from claims.registers.model import Claim
    from receipts.predicates import Scalar

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
_SIZES = re.compile(
    r"(?<![\w.])(?P<digits>\d{1,4}(?:\.\d{1,2})?)"
    r"(?:\s?-?B(?=[\s-]+(?:parameters?|params?|models?|weights?|checkpoints?|LLMs?|version|variant)\b)"
    r"|\s+billion(?=[\s-]+(?:parameters?|params?|weights?)\b))",
)
_SIZE_IN_NAME = re.compile(r"(?<![A-Za-z0-9.])(?P<digits>\d{1,4}(?:\.\d{1,2})?)[Bb](?![A-Za-z0-9])")
# Families that are no word, engine or company of another use; "Llama" alone may be llama.cpp.
_FAMILIES = frozenset(
    [
        *("Qwen", "Mixtral", "Gemma", "DeepSeek", "ChatGLM", "InternLM", "OLMo", "SmolLM"),
        *("Nemotron", "StarCoder", "Vicuna", "Baichuan", "TinyLlama", "CodeLlama"),
    ]
)
_ASIDE = re.compile(
    r"\b(?:not|no|never|unlike|than|without|instead\s+of|rather\s+than|versus|vs\.?|against"
    r"|nor|untested|except)(?:\s+(?:[\w-]+\s+){0,3}|\s+)\Z",
    re.IGNORECASE,
)
_NEAR = 48


Names = Mapping[str, tuple[str, ...]]
"""What the evidence names, by kind; a kind of which it names nothing is absent."""


class Known(NamedTuple):
    """What evidence is of, as far as it says so: what it names, and which builds it states."""

    names: Names
    builds: builds.Known = MappingProxyType({})


def known(claim: Claim, evidence: Evidence) -> Known:
    """Return what the facts of a claim and of its evidence name, of both sides of a ratio."""
    told = told_by(claim, evidence)
    items = dict.fromkeys((name, facts.text(value)) for one in told for name, value in one.items())
    words = {name: text for name, text in items if not text.isdecimal()}
    cache = [text for name, text in items if quantization.is_of_cache(name)]
    rest = [text for name, text in items if not quantization.is_of_cache(name)]
    commit = claim.comparator.commit if claim.comparator else None
    names = {**named(rest).names, **_of_cache(cache)}
    if "weights" in names:
        # "With q8_0 it needs less" is of the cache where that is what the claim is about.
        said = [facts.text(v) for name, v in claim.scope.items() if quantization.is_of_cache(name)]
        names["weights"] += _of_cache(said).get("cache", ())
    if "hardware" in names:
        names[CARDS] = counted(words.values(), items)
        names["hardware"] += ("CPU",) if _runs_on_a_processor(items) else ()
    return Known(names, builds.known(items, [commit] if commit else ()))


def told_by(claim: Claim, evidence: Evidence) -> Sequence[Mapping[str, Scalar]]:
    """Return the facts of a claim and of its evidence, of both sides and of every cell."""
    told = [evidence.facts, claim.scope, claim.baseline_scope or {}, claim.candidate_scope or {}]
    told += [side.facts for side in evidence.sides.values()]
    told += [part.evidence.facts for part in evidence.parts]
    return told


def _of_cache(texts: Iterable[str]) -> Names:
    found = (one[0] for text in texts for one in quantization.all_named(text))
    names = tuple(dict.fromkeys(found))
    return {"cache": names} if names else {}


def _runs_on_a_processor(items: Iterable[tuple[str, str]]) -> bool:
    """Say whether the work was given to the processor, whatever cards the machine has."""
    return any(
        text.lower() == "cpu" or (name == "n_gpu_layers" and text == "0") for name, text in items
    )


def named(texts: Iterable[str]) -> Known:
    """Return what these texts name, by kind."""
    listed = tuple(texts)
    found = {
        kind: tuple(dict.fromkeys(one[0] for text in listed for one in finds(text)))
        for kind, (finds, _) in _KINDS.items()
        if kind not in (CARDS, "cache")
    }
    sizes = (one["digits"] for text in listed for one in _SIZE_IN_NAME.finditer(text))
    found["size"] = tuple(f"{size}B" for size in dict.fromkeys(sizes))
    return Known({kind: names for kind, names in found.items() if names})


def contradictions(text: str, have: Known) -> Iterator[Contradiction]:
    """Yield, for each kind of things, the first of the text that the evidence contradicts."""
    for kind, names in have.names.items():
        found = list(_KINDS[kind][0](text))
        if kind == "weights" and found and quantization.speaks_of_cache(text):
            names += have.names.get("cache", ())
        if any(is_one(kind, one[0], names) for one in found):
            continue
        for one in found:
            if not is_aside(text, one.start()):
                yield Contradiction(kind, one[0], one.start(), names)
                break
    for other in builds.contradictions(text, have.builds):
        if not is_aside(text, other.start):
            yield other


def finds(text: str, kind: str) -> list[re.Match[str]]:
    """Return the things of one kind that a text names, but for those it only holds against."""
    return [one for one in _KINDS[kind][0](text) if not is_aside(text, one.start())]


def is_one(kind: str, named: str, names: Iterable[str]) -> bool:
    """Say whether what is named may be one of those that the evidence has of its kind."""
    return any(_KINDS[kind][1](named, name) for name in names)


def fits(text: str, kind: str, have: Known) -> bool:
    """Say whether a text names something of a kind that other evidence is of."""
    if kind not in have.names:
        return kind in have.builds and not any(
            one.kind == kind for one in builds.contradictions(text, have.builds)
        )
    return any(is_one(kind, one[0], have.names[kind]) for one in _KINDS[kind][0](text))


def is_aside(text: str, at: int) -> bool:
    """Say whether what is named there is only held against, or said not to be meant."""
    return _ASIDE.search(text[max(0, at - _NEAR) : at]) is not None


def agreeing(text: str, have: Known) -> frozenset[str]:
    """Return the kinds of which the text names a thing of the evidence."""
    return frozenset(kind for kind in have.names if fits(text, kind, have))


def _models(text: str) -> Iterator[re.Match[str]]:
    """Yield the models that a text names with a version or a size."""
    for found in _MODELS.finditer(text):
        version = found["version"]
        # "Llama 5 ms" and "Llama 35 tok/s" are results.
        bare = found["family"] in _FAMILIES and not _GOES_ON.match(text, found.end())
        if (
            found["size"]
            or (not version and bare)
            or (version and not numbers.unit_follows(text, found.end("version")))
        ):
            yield found


def _same_model(named: str, known: str) -> bool:
    """Say whether two names agree in their family, and in version and size where both tell them."""
    ours, theirs = _MODELS.match(named), _MODELS.match(known)
    if ours is None or theirs is None or ours["family"].lower() != theirs["family"].lower():
        return False
    pairs = ((ours[part], theirs[part]) for part in ("version", "size"))
    return all(a is None or b is None or a.lower() == b.lower() for a, b in pairs)


# "A DeepSeek-style gate", "Gemma's tokenizer".
_GOES_ON = re.compile(r"[-/.'’]\w")


_NO_DIGIT = re.compile(r"[^\d.]")


def _same_size(named: str, known: str) -> bool:
    """Say whether two numbers of parameters may be of one model: 7.6B is called 7B."""
    ours, theirs = (float(_NO_DIGIT.split(one)[0]) for one in (named, known))
    return abs(ours - theirs) < 1


_Finds = Callable[[str], Iterator[re.Match[str]]]
_KINDS: Mapping[str, tuple[_Finds, Callable[[str, str], bool]]] = {
    "hardware": (accelerators, same_product),
    CARDS: (cards, lambda named, known: known.startswith(f"{named.split()[0].lower()} ")),
    "processor": (processors, same_product),
    "model": (_models, _same_model),
    "size": (lambda text: _SIZES.finditer(text), _same_size),
    "weights": (quantization.of_weights, quantization.same),
    "cache": (quantization.of_cache, quantization.same),
}
