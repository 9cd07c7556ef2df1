"""The evidence that all attacks share: raw files that are attached, and a window that is walked.

The window is walked by the command `engine` as a process of its own, for judging never measures.
What else is needed is made from it by `claims.selftest.forging`, signed by the same person.
"""

import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from claims.selftest import decoder
from claims.selftest.forging import WINDOW, Forge
from claims.selftest.stage import Stage
from engine import anchor
from engine.statistics import decimal_text
from ledger import founding, session
from receipts.clock import system_clock

ORIGIN = "selftest.example/demo"
CELL = "decode-d2048"
ANCHOR = "plain-anchor"
STEADY = (34.91, 35.02, 35.16, 35.24, 35.31)
PREFILL = ((256, (118.9, 119.8, 119.4)), (512, (163.1, 167.7, 161.2)))
_DIGITS = 9


def make(stage: Stage) -> None:
    """Found the ledger, attach the files, record the anchor, and walk the window."""
    founding.found(stage.root, ORIGIN, session.remembered_heads(), system_clock, lambda _: b"")
    program = stage.root / "decoder.py"
    program.write_bytes(Path(decoder.__file__).read_bytes())
    with session.open_ledger(write=True) as here:
        forge = Forge(here)
        forge.attach(llama_bench([(512, STEADY)]), "steady")
        forge.attach(llama_bench(PREFILL), "cells")
        value = forge.attach(decoder.rows("plain", decoder.PLAIN[0]), "plain-value", **_recorded())
        forge.append(**anchor.contract(here, ANCHOR, value, "decode_tok_s", "0.01", {}))
    command = ["{python}", "-S", "-E", str(program)]
    (stage.root / "plan.yaml").write_text(json.dumps(_plan(command)))
    stage.engine("ab", "plan.yaml", "--execute", "--name", WINDOW)


def _recorded() -> dict[str, object]:
    """Return what the receipt of the baseline's recorded value says of it."""
    value = decimal_text(Fraction(10**9, decoder.PLAIN[0]), _DIGITS)
    figure = {"metric": "decode_tok_s", "statistic": "median", "value": value, "unit": "tok/s"}
    return {"cell": CELL, "reader": "rows", "figures": [{**figure, "n": 1}]}


def _plan(command: list[str]) -> dict[str, object]:
    plain = [*command, "plain", "{raw}"]
    return {
        "version": 2,
        "name": WINDOW,
        "cell": CELL,
        "repetitions": 5,
        "baseline": {"arm": "plain", "command": plain},
        "candidate": {"arm": "tuned", "command": [*command, "tuned", "{raw}"]},
        "anchors": [{"record": ANCHOR, "validates": "baseline", "command": plain}],
        "metrics": ["decode_tok_s"],
        "cv_limit": "0.05",
        "scope": {"lane": "greedy", "depth": 2048, "gpu": "H100"},
    }


def llama_bench(cells: Iterable[tuple[int, Iterable[float]]]) -> bytes:
    """Return a raw file of llama-bench for a prompt of 2,048; a cell is n_ubatch and its rates."""
    records = []
    for batch, rates in cells:
        times = [round(2048e9 / rate) for rate in rates]
        records.append(
            {
                "build_commit": "0a1b2c3",
                "gpu_info": "H100",
                "n_ubatch": batch,
                "n_prompt": 2048,
                "n_gen": 0,
                "samples_ns": times,
                "samples_ts": [round(2048e9 / ns, 3) for ns in times],
            }
        )
    return "".join(json.dumps(record) + "\n" for record in records).encode()
