"""Write a tiny llama model with random weights as GGUF, so that a real llama.cpp can be measured.

    python demo/tiny_llama.py OUT.gguf --seed 1

About 11 MB: 512 tokens, 4 layers, width 256. The first tokens are the special ones and all bytes,
the others are words that no text has. A seed is a model: the same file everywhere, and with another
seed other tokens, which is what a gate on exactness must notice. Greedily it speaks only words,
unless `--bytes` lets it speak bytes as well, of which a stream holds back what is no character yet.
Needs the extra [llama].
"""

import argparse
from pathlib import Path

import gguf
import numpy as np
from numpy.typing import NDArray

from engine.kernels.model import splitmix64

VOCAB, WIDTH, LAYERS, HEADS, FEED_FORWARD, CONTEXT = 512, 256, 4, 4, 512, 8192
SPECIAL = (b"<unk>", b"<s>", b"</s>")
_SPREAD = 0.0866  # uniform weights of this half-width have a standard deviation of 0.05


def write(path: Path, seed: int, *, speaks_bytes: bool = False) -> None:
    """Write the model of `seed` to the new file `path`."""
    file = gguf.GGUFWriter(path, "llama")
    _settings(file)
    _vocabulary(file)
    drawn = 0
    for name, shape in _matrices():
        size = shape[0] * shape[1]
        matrix = _weights(seed, drawn, size).reshape(shape)
        if name == "output.weight" and not speaks_bytes:
            matrix[: len(SPECIAL) + 256] = 0  # a logit of 0 is never the largest of 512
        file.add_tensor(name, matrix)
        drawn += size
    for name in (
        "output_norm",
        *(f"blk.{n}.{k}_norm" for n in range(LAYERS) for k in ("attn", "ffn")),
    ):
        file.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def _settings(file: gguf.GGUFWriter) -> None:
    file.add_name("tiny-random")
    file.add_context_length(CONTEXT)
    file.add_embedding_length(WIDTH)
    file.add_block_count(LAYERS)
    file.add_feed_forward_length(FEED_FORWARD)
    file.add_head_count(HEADS)
    file.add_head_count_kv(HEADS)
    file.add_layer_norm_rms_eps(1e-5)
    file.add_rope_dimension_count(WIDTH // HEADS)
    file.add_vocab_size(VOCAB)
    file.add_file_type(gguf.LlamaFileType.ALL_F32)


def _vocabulary(file: gguf.GGUFWriter) -> None:
    kinds = gguf.TokenType
    each_byte = [b"<0x%02X>" % byte for byte in range(256)]
    rest = VOCAB - len(SPECIAL) - len(each_byte)
    words = [f"\u2581w{len(SPECIAL) + len(each_byte) + n}".encode() for n in range(rest)]
    tokens = [*SPECIAL, *each_byte, *words]
    file.add_tokenizer_model("llama")
    file.add_token_list(tokens)
    file.add_token_scores([0.0] * VOCAB)
    special = [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL]
    file.add_token_types([*special, *[kinds.BYTE] * len(each_byte), *[kinds.NORMAL] * rest])
    file.add_unk_token_id(0)
    file.add_bos_token_id(1)
    file.add_eos_token_id(2)


def _matrices() -> list[tuple[str, tuple[int, int]]]:
    square, up, down = (WIDTH, WIDTH), (FEED_FORWARD, WIDTH), (WIDTH, FEED_FORWARD)
    layer = {
        **dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), square),
        "ffn_gate": up,
        "ffn_up": up,
        "ffn_down": down,
    }
    whole = [
        (f"blk.{n}.{name}.weight", shape) for n in range(LAYERS) for name, shape in layer.items()
    ]
    return [("token_embd.weight", (VOCAB, WIDTH)), ("output.weight", (VOCAB, WIDTH)), *whole]


def _weights(seed: int, start: int, count: int) -> NDArray[np.float32]:
    """Return `count` weights of the seed's stream from `start` on, uniform around 0."""
    unit = (splitmix64(seed, count, start) >> np.uint64(40)).astype(np.float32) / np.float32(2**24)
    return (unit * np.float32(2) - np.float32(1)) * np.float32(_SPREAD)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write a tiny random llama model.")
    parser.add_argument("out", type=Path, metavar="OUT.gguf")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bytes", action="store_true", help="let it speak bytes as well")
    options = parser.parse_args()
    write(options.out, options.seed, speaks_bytes=options.bytes)
