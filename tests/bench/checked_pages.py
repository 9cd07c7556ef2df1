"""Variants of the pages of `tests.bench.pages`: bound, set aside, full of comparatives, brackets.

All have the size and the count of numbers of the plain ones, and are the same on every run.
"""

import random
from collections.abc import Iterator

from tests.bench.pages import NUMBER, NUMBERS, SIZE, filler, pages

WORDING = "Prefill reaches {value:.1f} {unit} (median of {n} repetitions)."
"""The wording of every claim of the register; what it says is `_VALUE` of six repetitions."""
_VALUE = "163.5"
_IGNORED = "<!-- claims-ignore-file[CLM101]: history; nothing on this page is claimed today -->\n"
_COMPARED = (
    "The tuned decoder is faster than llama.cpp on every prompt.",
    "Its throughput matches vllm, and prefill never regresses.",
    "Greedy outputs stay bit-identical while latency is lower than before.",
    "No other engine reaches the bandwidth of this kernel at any depth.",
)
_CITED = ("[the method]", "[ledger CELLS]", "(see [receipt cells])", "[note]", "[ ] open", "[^1]")


def unbound(count: int, claims: int) -> Iterator[str]:
    """Yield pages on which nothing is bound."""
    del claims
    return pages(count)


def ignored(count: int, claims: int) -> Iterator[str]:
    """Yield pages on which everything unbound is set aside, with one reason."""
    del claims
    return (_IGNORED + page for page in pages(count))


def bound(count: int, claims: int) -> Iterator[str]:
    """Yield pages whose numbers are bound, by markers or a whole table at once, or excluded."""
    return (_page(random.Random(seed), seed, claims, "") for seed in range(count))


def compared(count: int, claims: int) -> Iterator[str]:
    """Yield such pages with a claim without digits after every paragraph."""
    return (_page(random.Random(seed), seed, claims, "words") for seed in range(count))


def bracketed(count: int, claims: int) -> Iterator[str]:
    """Yield such pages with a bracket or a citation after every paragraph."""
    return (_page(random.Random(seed), seed, claims, "brackets") for seed in range(count))


VARIANTS = {
    "bound": bound,
    "ignored": ignored,
    "unbound": unbound,
    "comparatives": compared,
    "brackets": bracketed,
}


def _page(draw: random.Random, seed: int, claims: int, extra: str) -> str:
    ids = [f"c{(seed * 3 + step) % claims}" for step in range(3)]
    parts = ["# Prefill of one engine\n"]
    numbers = 0
    while numbers < NUMBERS - 60:
        part = draw.choice([_prose, _table, _list, _table])(draw, ids)
        numbers += len(NUMBER.findall(part))
        parts.append(part + _more(draw, extra))
    left = NUMBERS - numbers
    parts.append("Measured on " + ", ".join(f"2026-08-{1 + n % 28:02d}" for n in range(left // 3)))
    parts[-1] += ".\n"
    text = "\n".join(parts)
    while len(text) < SIZE:
        text += f"\n{filler(draw, 60)}{_more(draw, extra)}\n"
    return text


def _more(draw: random.Random, extra: str) -> str:
    if not extra:
        return ""
    return f"\n{draw.choice(_COMPARED if extra == 'words' else _CITED)}\n"


def _sentence(draw: random.Random, ids: list[str]) -> str:
    said = f"Prefill reaches {_VALUE} tok/s (median of 6 repetitions)."
    return f"{said}<!--claim:{draw.choice(ids)}-->"


def _prose(draw: random.Random, ids: list[str]) -> str:
    return (
        "\n".join(f"{filler(draw, draw.randint(14, 26))} {_sentence(draw, ids)}" for _ in "123")
        + "\n"
    )


def _list(draw: random.Random, ids: list[str]) -> str:
    return "\n".join(f"- {_sentence(draw, ids)}" for _ in "123") + "\n"


def _table(draw: random.Random, ids: list[str]) -> str:
    head = "| Prefill (tok/s) | Prefill again (tok/s) | Prefill at last (tok/s) |"
    rows = [f"<!-- claim: {draw.choice(ids)} -->", head, "|---:|---:|---:|"]
    rows += [f"| {_VALUE} | {_VALUE} | {_VALUE} |" for _ in range(draw.randint(4, 8))]
    return "\n".join(rows) + "\n"
