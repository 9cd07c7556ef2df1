"""One run of the toy decoder as the rows of a raw file: values in, rows out, nothing written.

The first row says what ran, the others what each measured generation gave::

    {"format":"evidence-ledger/rows/v1","instrument":"mk-decode","variant":"tuned","backend":"c",…}
    {"repetition":0,"prefill_ns":4066,"token_ns":[180459,…],"tokens":[1917,…],"logits":"sha256:…"}

`build` and `compiler` are there when C ran, `reason` when it could not. `model` is the digest of
the weights and embeddings, `logits` that of the last row of logits as little-endian int32.
"""

from typing import Any

from engine.kernels.backends import Backend, kernels
from engine.kernels.contract import Setting
from engine.kernels.model import Model, model_of, prompt_of
from receipts.digest import Digest

FORMAT = "evidence-ledger/rows/v1"


def generate(setting: Setting, backend: Backend) -> list[dict[str, Any]]:
    """Return the header and a row a repetition, after `warmup` generations that are discarded.

    Raises `MalformedError` when the setting is out of the kernels' bounds.
    """
    model = model_of(setting.seed, setting.vocab, setting.width)
    prompt = prompt_of(setting.seed, setting.vocab, setting.prompt_tokens)
    able = kernels(backend)
    rows = [_header(setting, backend, model)]
    for number in range(-setting.warmup, setting.repetitions):
        decoded = able.decode(setting.variant, model, prompt, setting.output_tokens)
        if number >= 0:
            rows.append(
                {
                    "repetition": number,
                    "prefill_ns": decoded.prefill_ns,
                    "token_ns": decoded.token_ns,
                    "tokens": decoded.tokens,
                    "logits": Digest.of(decoded.logits),
                }
            )
    return rows


def _header(setting: Setting, backend: Backend, model: Model) -> dict[str, Any]:
    facts = {
        "format": FORMAT,
        "instrument": "mk-decode",
        "variant": setting.variant,
        "backend": backend.name,
        "reason": backend.reason,
        "compiler": backend.compiler,
        "build": backend.artefact_digest,
        "source": backend.source_digest,
        "model": model.digest,
        "vocab": setting.vocab,
        "width": setting.width,
        "seed": setting.seed,
        "prompt_tokens": setting.prompt_tokens,
        "output_tokens": setting.output_tokens,
        "warmup": setting.warmup,
        "clock": "CLOCK_MONOTONIC",
    }
    return {name: fact for name, fact in facts.items() if fact is not None}
