"""A real llama.cpp, measured: one thread against two at two depths, A/A, and two models.

`make demo-llama`. The model is a tiny one with random weights, made here; the server is
llama.cpp's own, from the xllamacpp wheel. One thread and two give the same tokens and other speeds;
another seed is another model, whose tokens differ, so that every timing is withheld.
"""

import json
import re
import sys
from pathlib import Path

import tiny_llama

from demo import Stage, prepare, say

SERVE = "{python} -m engine.serving --llama model.gguf --fixture cycle --vocab 512 --output 64"
DEPTHS = (256, 1024)
PLAN = {
    "version": 2,
    "name": "threads",
    "repetitions": 6,
    "metrics": ["client_decode_tok_s"],
    # Wide, because a shared machine is a noisy one.
    "cv_limit": "0.5",
    "fixture": {
        "kind": "synthetic",
        "generator": "engine.fixtures cycle of period 8",
        "cannot_see": ["a context that was cut to any 8 tokens"],
    },
    "cells": [{"cell": f"d{depth}", "words": {"depth": depth}} for depth in DEPTHS],
}
NOISE = {"CLM306", "CLM316", "CLM321", "CLM322"}
"""A spread over the plan's limit; a run not admitted; an anchor missed; less than the floor."""

CLAIM = """\
version: 1
claims:
  - id: two-threads
    kind: change
    wording: >-
      On this machine two threads decode {ratio:.2f}× as fast as one after 256 tokens
      ({candidate:.0f} against {baseline:.0f} tok/s by the client's clock, medians of {n}, pairs
      from {pair.min:.2f}× to {pair.max:.2f}×, tokens exact).
    metric: client_decode_tok_s
    statistic: ratio_of_medians
    evidence: [{entry: T1}]
    scope: {cell: d256, depth: 256}
"""


def arm(name: str, model: str = "model.gguf", threads: int = 1) -> dict[str, object]:
    """Return an arm that serves a model with so many threads."""
    words = SERVE.replace("model.gguf", model).split()
    tail = ["--threads", str(threads), "--prompt", "{depth}", "--raw", "{raw}"]
    return {"arm": name, "command": [*words, *tail]}


def write(folder: Path, name: str, plan: dict[str, object]) -> None:
    """Write a plan as YAML (JSON is YAML)."""
    (folder / name).write_text(json.dumps(plan, indent=1), encoding="utf-8")


def windows(stage: Stage) -> None:
    """Record an anchor, and walk the windows: two depths, A/A, and two models."""
    say("What one thread gives goes on record: windows will hold their baseline against it.")
    own = [str(word) for word in arm("one")["command"]]
    for depth in DEPTHS:
        line = " ".join(own).replace("{depth}", str(depth))
        stage.run(f"engine run --cell d{depth} --name one-d{depth} --execute -- {line}")
        stage.run(
            f"engine anchor record one-thread-d{depth} --evidence receipt://one-d{depth} "
            "--metric client_decode_tok_s --tolerance 0.15"
        )

    say("Two depths, twelve fresh servers each, tokens compared before any time is.")
    anchors = [
        {"record": f"one-thread-d{n}", "cell": f"d{n}", "validates": "baseline", "command": own}
        for n in DEPTHS
    ]
    plan = PLAN | {"baseline": arm("one"), "candidate": arm("two", threads=2)}
    # A word is no proof: the server's own log must say that it has two threads.
    proof = [{"arm": "two", "log": "n_threads = 2"}]
    write(stage.folder, "threads.yaml", plan | {"anchors": anchors, "engagement": proof})
    stage.run("engine ab threads.yaml --execute")

    say("A/A: how far apart the same thing comes out.")
    models = PLAN | {"baseline": arm("seed-1"), "candidate": arm("seed-2", "other.gguf")}
    # Cells of their own: a floor that is measured here must not be taken for one of the threads.
    cells = [{"cell": f"models-d{depth}", "words": {"depth": depth}} for depth in DEPTHS]
    write(stage.folder, "models.yaml", models | {"name": "models", "cells": cells})
    stage.run("engine noise models.yaml --windows 2 --execute")

    say("Two models: the first pair differs, and every timing is withheld.")
    shown = stage.run("engine ab models.yaml --execute", 1)
    if "NOT EXACT" not in shown or "tok/s" in shown:
        sys.exit("demo: a timing was shown of arms that differ")


def sentence(stage: Stage) -> None:
    """From the window of one depth to a sentence."""
    say("The entry, the claim, the sentence.")
    stage.run(
        'ledger add --label T1 --title "Two threads against one" '
        '--verdict "observation: two threads help" --evidence receipt://threads-1.d256'
    )
    (stage.folder / "claims.yaml").write_text(CLAIM, encoding="utf-8")
    shown = stage.run("claims approve two-threads", 0, 1)
    refusals = set(re.findall(r"CLM\d{3}", shown))
    if refusals - NOISE:
        sys.exit("demo: the sentence was refused, and not for the noise of this machine")
    if refusals:
        say(
            "Too noisy a moment for this sentence, and that is the answer: run it when it is quiet."
        )
    else:
        stage.run("claims render two-threads")
    stage.run("ledger verify")


def main() -> None:
    """Run the demonstration."""
    folder = prepare()
    home = folder / "engineer-home"
    home.mkdir()
    stage = Stage(folder / "engineer", home)
    tiny_llama.write(stage.folder / "model.gguf", 1)
    tiny_llama.write(stage.folder / "other.gguf", 2)
    stage.run("ledger init --origin demo.example/llama")
    windows(stage)
    sentence(stage)
    say(f"Everything is in {folder}")


if __name__ == "__main__":
    main()
