"""The evidence that all attacks share: a file that was attached, and a window that was walked.

Both are made by the command `engine` as separate processes, for judging never measures. What else
is needed is made from them by `claims.selftest.forging`, signed by the same person.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from claims.selftest import decoder
from claims.selftest.stage import Stage
from ledger import founding, session
from receipts.clock import system_clock

ORIGIN = "selftest.example/demo"
CELL = "decode-d2048"
WINDOW = "main"
STEADY = (34.91, 35.02, 35.16, 35.24, 35.31)
PREFILL = ((256, (118.9, 119.8, 119.4)), (512, (163.1, 167.7, 161.2)))


def make(stage: Stage) -> None:
    """Found the ledger, attach the files, and walk the window."""
    founding.found(stage.root, ORIGIN, session.remembered_heads(), system_clock, lambda _: b"")
    (stage.root / "steady").write_bytes(llama_bench([(512, STEADY)]))
    (stage.root / "cells").write_bytes(llama_bench(PREFILL))
    program = stage.root / "decoder.py"
    program.write_bytes(Path(decoder.__file__).read_bytes())
    attaching = stage.start("attach", "steady", "cells", "--cell", "pp2048")
    command = ["{python}", "-S", "-E", str(program)]
    plain = [*command, "plain", "{raw}"]
    stage.engine("run", "--cell", CELL, "--name", "plain-value", "--execute", "--", *plain)
    said = ("--evidence", "receipt://plain-value", "--metric", "decode_tok_s")
    stage.engine("anchor", "record", "plain-anchor", *said, "--tolerance", "0.01")
    (stage.root / "plan.yaml").write_text(json.dumps(_plan(command, plain)))
    stage.engine("ab", "plan.yaml", "--execute", "--name", WINDOW)
    stage.finish(attaching)


def _plan(command: list[str], plain: list[str]) -> dict[str, object]:
    return {
        "version": 2,
        "name": WINDOW,
        "cell": CELL,
        "repetitions": 5,
        "baseline": {"arm": "plain", "command": plain},
        "candidate": {"arm": "tuned", "command": [*command, "tuned", "{raw}"]},
        "anchors": [{"record": "plain-anchor", "validates": "baseline", "command": plain}],
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
