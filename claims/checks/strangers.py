"""Engines that a sentence gives a number to, or holds it against, and that nobody measured.

"vLLM decodes 35.2 tok/s" is no sentence about a window of llama.cpp and another engine. Where the
evidence names no engine that is known here, nothing can be said: an arm may be called anything.
"""

import re
from collections.abc import Iterable, Sequence

from claims.checks import arms
from claims.checks.offer import Offer
from claims.checks.said import Said
from claims.judging.judge import Judgement

_ENGINES = (
    *("llama.cpp", "vllm", "sglang", "tensorrt-llm", "trt-llm", "tgi", "mlx", "mlx-lm", "ollama"),
    *("text-generation-inference", "exllama", "exllamav2", "exllamav3", "mlc-llm", "lm-studio"),
    *("ktransformers", "lmdeploy", "turbomind", "deepspeed", "deepspeed-mii", "koboldcpp"),
    *("fastertransformer", "ctranslate2", "powerinfer", "mistral.rs", "nano-vllm", "gpt-fast"),
    *("bitnet.cpp", "llamafile", "lightllm", "openvino", "onnxruntime", "aphrodite"),
)
_BLANK = re.compile(r"[\W_]+")
_SUBJECT = re.compile(
    r"\A(?:\s*\([^)]*\))?\s*(?:then\s+|now\s+|only\s+|still\s+|also\s+)?"
    r"(?:(?:is|was|decod|prefill|run|ran|reach|generat|deliver|giv|gav|achiev|manag|process|tak|took"
    r"|need|get|got|hit|do|did|sustain|produc|gain|los)\w*\b|at\b|[:=,]|\Z)[^.;:,]*\Z",
    re.IGNORECASE,
)
_HELD_AGAINST = re.compile(
    r"(?:\b(?:than|over|versus|vs\.?|against|compared\s+(?:with|to)|relative\s+to|as)"
    r"|\b(?:speed|rate|throughput|performance|latency|time|that)\s+of|[×x/])"
    r"\s+(?:the\s+|that\s+of\s+)?\Z",
    re.IGNORECASE,
)
_ITS = re.compile(r"\A['’]s\b|\A[-\w]")


def known(judgement: Judgement, given: Offer, others: Sequence[Offer]) -> str:
    """Return all that the evidence says of itself, as one text without marks."""
    claim, evidence = judgement.claim, judgement.evidence
    told: list[object] = [judgement.sentence, *claim.scope.values(), *evidence.facts.values()]
    told += [claim.comparator, claim.baseline_scope, claim.candidate_scope]
    told += [value for side in evidence.sides.values() for value in side.facts.values()]
    told += [name for one in (given, *others) for name in one.names]
    return "|".join(_plain(str(one)) for one in told if one is not None)


def are_near(said: Said) -> bool:
    """Say whether the sentence names any engine at all."""
    return bool(arms.mentions(said.before, _ENGINES) or arms.mentions(said.after, _ENGINES))


def named(said: Said, unit: str | None, evidence: str, own: Sequence[str]) -> str | None:
    """Return the engine that the number is said to be of, or held against, if it is a stranger."""
    names = [name for name in _ENGINES if not _is_in(name, evidence)]
    if len(names) == len(_ENGINES):
        return None
    for mention in arms.mentions(said.before, names):
        between = said.before[mention.end :]
        aside = _PREPOSITION.search(said.before, 0, mention.start) or arms.mentions(between, own)
        if _SUBJECT.match(between) and not aside:
            return said.before[mention.start : mention.end]
    if unit not in ("×", "%"):
        return None
    return _compared(said.after, names, evidence)


def _compared(after: str, names: Sequence[str], evidence: str) -> str | None:
    clause = _CLAUSE.split(after, maxsplit=1)[0]
    for mention in arms.mentions(clause, names):
        own = _ITS.match(clause[mention.end :]) and "'" not in clause[mention.end : mention.end + 1]
        if _HELD_AGAINST.search(clause, 0, mention.start) and not own:
            return clause[mention.start : mention.end]
    return None


_CLAUSE = re.compile(r"[;:,.](?=\s|\Z)|\b(?:and|but|while|whereas)\b")
_PREPOSITION = re.compile(
    r"\b(?:on|in|like|unlike|with|for|from|of|by|using|than|over|against|to|versus|vs\.?|as)\s+"
    r"(?:the\s+)?\Z",
    re.IGNORECASE,
)


def _is_in(name: str, evidence: str) -> bool:
    plain = _plain(name)
    return plain in evidence or any(_plain(part) in evidence.split("|") for part in _heads(name))


def _heads(name: str) -> Iterable[str]:
    """Return the beginnings by which an arm may call an engine: `llama` for llama.cpp."""
    head = name.partition(".")[0]
    return (head,) if head != name else ()


def _plain(text: str) -> str:
    return _BLANK.sub("", text.lower())
