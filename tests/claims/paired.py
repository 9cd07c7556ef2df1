"""A window of two named engines with given rates, walked by the real commands."""

import json

from click.testing import CliRunner

# Takes its times from a file beside it: one per repetition, the first again for the anchor.
DECODER = """\
import json, pathlib, sys
name, raw = sys.argv[1:]
here = pathlib.Path(__file__).parent
times = json.loads((here / f"{name}.times").read_text())
place = here / f"{name}.count"
count = int(place.read_text()) if place.exists() else 0
place.write_text(str(count + 1))
ns = times[count % len(times)]
setting = {"vocab": 8, "width": 4, "prompt_tokens": 2048, "output_tokens": 4, "seed": 0}
setting["warmup"] = 0
told = {"instrument": "fake", "variant": name.split("-")[-1], "backend": "none", "source": "s",
        "model": "Llama-3.1-8B"}
head = {"format": "evidence-ledger/rows/v1", "clock": "FIXED", **setting, **told}
row = {"repetition": 0, "prefill_ns": 500, "token_ns": [ns] * 4, "tokens": [1, 2, 3, 4],
       "logits": "sha256:" + "0" * 64}
lines = [json.dumps(line, sort_keys=True, separators=(",", ":")) for line in (head, row)]
pathlib.Path(raw).write_text("\\n".join(lines) + "\\n")
"""


def nanoseconds(rate):
    """Return the whole nanoseconds a token takes at this rate."""
    return round(1e9 / rate)


def measure(publisher, label, baseline, candidate, *, cell="decode-d2048", scope=None):
    """Walk a window of `(arm, rates)` against `(arm, rates)` and cite it under `label`."""
    from engine.cli import engine

    def run(*words):
        result = CliRunner().invoke(engine, [str(w) for w in words], catch_exceptions=False)
        assert result.exit_code == 0, result.output

    root, name = publisher.root, label.lower()
    (root / "paired.py").write_text(DECODER)
    sides = {}
    for role, (arm, rates) in (("baseline", baseline), ("candidate", candidate)):
        times = [nanoseconds(rate) for rate in rates]
        # The baseline runs twice before the first pair: recorded, and anchored.
        first = times[:1] * 2 if role == "baseline" else []
        (root / f"{name}-{arm}.times").write_text(json.dumps([*first, *times]))
        command = ["{python}", "-S", "-E", str(root / "paired.py"), f"{name}-{arm}", "{raw}"]
        sides[role] = {"arm": arm, "command": command}
    own = sides["baseline"]["command"]
    run("run", "--cell", cell, "--name", f"{name}-anchored", "--execute", "--", *own)
    said = ["--evidence", f"receipt://{name}-anchored", "--metric", "decode_tok_s"]
    run("anchor", "record", f"{name}-anchor", *said, "--tolerance", "0.01")
    plan = {"version": 2, "name": name, "cell": cell, "repetitions": len(candidate[1]), **sides}
    plan["anchors"] = [{"record": f"{name}-anchor", "validates": "baseline", "command": own}]
    plan |= {"metrics": ["decode_tok_s"], "scope": scope or {"lane": "greedy", "depth": 2048}}
    (root / f"{name}.yaml").write_text(json.dumps(plan))
    run("ab", f"{name}.yaml", "--execute", "--name", name)
    publisher.experiment(label, f"receipt://{name}")
