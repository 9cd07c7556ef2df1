"""A program that writes raw rows with times that never change, for windows that are walked alike.

It is run by `engine run` and `engine ab` as a file of the self-test's own folder, and imports
nothing of this project. Words: the arm, and the raw file to write. How often an arm ran is counted
in a file beside it; the baseline runs once before the first pair, as its own anchor.
"""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

PLAIN = (2_500_100, 2_497_300, 2_502_900, 2_499_200, 2_501_400)
TUNED = (1_873_200, 1_868_900, 1_877_600, 1_871_100, 1_875_300)
TOKENS = (17, 4, 99, 23)
PROMPT = 2048


def rows(arm: str, ns: int, tokens: Sequence[int] = TOKENS, **setting: int | str) -> bytes:
    """Return the bytes of a raw file of one repetition: so many nanoseconds for each token."""
    told: Mapping[str, object] = {
        "format": "evidence-ledger/rows/v1",
        "clock": "FIXED",
        "instrument": "selftest",
        "variant": arm,
        "backend": "none",
        "source": "0a1b2c3d4e5f",
        "model": "Llama-3.1-8B",
        "vocab": 128,
        "width": 8,
        "prompt_tokens": PROMPT,
        "output_tokens": len(tokens),
        "seed": 0,
        "warmup": 0,
        **setting,
    }
    row = {
        "repetition": 0,
        "prefill_ns": 5_000_000 + ns % 1000,
        "token_ns": [ns] * len(tokens),
        "tokens": list(tokens),
        "logits": "sha256:" + "0" * 64,
    }
    lines = (json.dumps(line, sort_keys=True, separators=(",", ":")) for line in (told, row))
    return "".join(f"{line}\n" for line in lines).encode()


def run(arm: str, raw: str) -> None:
    """Write the raw file of the arm's next repetition, after as long as it tells of."""
    place = Path(__file__).with_name(f"{arm}.count")
    count = int(place.read_text()) if place.exists() else 0
    place.write_text(str(count + 1))
    ns = TUNED[count % 5] if arm == "tuned" else (PLAIN[0], *PLAIN)[count % 6]
    time.sleep((ns * len(TOKENS) + 6_000_000) / 1e9)
    Path(raw).write_bytes(rows(arm, ns))


if __name__ == "__main__":
    import sys

    run(*sys.argv[1:])
