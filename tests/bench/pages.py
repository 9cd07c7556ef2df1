"""Pages as README files of this field are: 40 kB each, with 582 numbers, the same on every run."""

import random
import re
from collections.abc import Iterator

NUMBER = re.compile(r"(?<![\w.])[-+−]?\d[\d,]*(?:\.\d+)?")
SIZE, NUMBERS = 40_000, 582
_TEXT = (
    "the decode phase of this engine holds its rate while prefill grows with depth and batch"
    " because every kernel reads the cache once so that bandwidth stays the limit on one device"
    " where a second stream would only wait for memory and the scheduler keeps each lane busy"
)
_WORDS = _TEXT.split()
_SENTENCES = (
    "Decode reaches {:.2f} tok/s at {:,} tokens, {:.3f}× the comparator (CV {:.2f} %).",
    "On GB10 with Q4_K_M and CUDA 12.8 the median of {} reps was **{:.1f} ms**.",
    "It gains {:.1f}–{:.1f}% over v0.6.{} on RTX 4090, see [#{}](https://git.example/pull/{}).",
    "Llama-3.1-8B runs at `-b {}` since 2026-08-{:02d} with {} GiB of {} GiB used.",
    "Section {} has the {} prompts; TTFT fell from {:.2f} s → {:.2f} s on 8xA100.",
)


def pages(count: int) -> Iterator[str]:
    """Yield `count` different pages."""
    for seed in range(count):
        yield _page(random.Random(seed))


def _page(draw: random.Random) -> str:
    parts = ["# Benchmarks of one engine\n"]
    numbers = 0
    while numbers < NUMBERS - 60:
        part = draw.choice([_prose, _prose, _prose, _table, _list, _code])(draw)
        parts.append(part)
        numbers += len(NUMBER.findall(part))
    parts.append(" ".join(str(draw.randint(2, 99)) for _ in range(NUMBERS - numbers)) + "\n")
    text = "\n".join(parts)
    while len(text) < SIZE:
        text += "\n" + filler(draw, 60) + "\n"
    return text


def filler(draw: random.Random, words: int) -> str:
    """Return a sentence of so many words without a number."""
    return " ".join(draw.choices(_WORDS, k=words)).capitalize() + "."


def _sentence(draw: random.Random) -> str:
    form = draw.choice(_SENTENCES)
    holes = re.findall(r"\{(.*?)\}", form)
    values = [
        draw.uniform(1, 99) if hole.endswith("f}") or "f" in hole else draw.randint(2, 28)
        for hole in holes
    ]
    return form.format(*values)


def _prose(draw: random.Random) -> str:
    parts = [filler(draw, draw.randint(14, 26)) + " " + _sentence(draw) for _ in range(3)]
    return "\n".join(parts) + "\n"


def _table(draw: random.Random) -> str:
    rows = ["| Depth | Decode (tok/s) | Prefill (tok/s) | Ratio |", "|---:|---:|---:|---:|"]
    for _ in range(draw.randint(4, 8)):
        a, b = draw.uniform(20, 50), draw.uniform(900, 2000)
        rows.append(f"| {draw.randint(1, 99) * 1024:,} | {a:.2f} | {b:.1f} | {a / 30:.3f}× |")
    return "\n".join(rows) + "\n"


def _list(draw: random.Random) -> str:
    return "\n".join(f"- **Lane {n}**: {_sentence(draw)}" for n in range(1, 4)) + "\n"


def _code(draw: random.Random) -> str:
    return f"```bash\n./bench --reps {draw.randint(3, 9)} -p {draw.randint(1, 64) * 128}\n```\n"
