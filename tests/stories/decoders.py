"""Decoders for stories: programs with fixed times that write the raw rows of one generation.

Each script ends in `write`, to which it hands its facts, its tokens and its times.
"""

WRITE = """\
#!/usr/bin/env python3
import hashlib, json, pathlib, sys

def digest(text):
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()

def write(raw, tokens, token_ns, prefill_ns=500, **facts):
    told = {"instrument": "story", "variant": "v", "backend": "none", "source": "s", "model": "m"}
    setting = {"vocab": 512, "width": 4, "prompt_tokens": 2, "output_tokens": len(tokens),
               "seed": 0, "warmup": 0}
    head = {"format": "evidence-ledger/rows/v1", "clock": "FIXED", **setting, **told, **facts}
    row = {"repetition": 0, "prefill_ns": prefill_ns, "token_ns": token_ns, "tokens": tokens,
           "logits": digest(str(tokens))}
    lines = [json.dumps(each, sort_keys=True, separators=(",", ":")) for each in (head, row)]
    pathlib.Path(raw).write_text("\\n".join(lines) + "\\n")
"""

COPYING = """
# It says what followed the last time that the final four tokens stood in its context.
raw, context, *prompt = sys.argv[1:]
seen, tokens = [int(word) for word in prompt], []
for _ in range(32):
    window = seen[-int(context):]
    ends = [n for n in range(len(window) - 1, 3, -1) if window[n - 4:n] == window[-4:]]
    tokens.append(window[ends[0]] if ends else 0)
    seen.append(tokens[-1])
write(raw, tokens, [1000] * 32)
"""

NOISY = """
# One program whose time wanders by up to three percent from call to call, and no arm is faster.
raw, arm = sys.argv[1:]
place = pathlib.Path(__file__).with_name("calls")
count = int(place.read_text()) if place.exists() else 0
place.write_text(str(count + 1))
wander = int(hashlib.sha256(str(count).encode()).hexdigest()[:4], 16) * 60_000 // 65_536
write(raw, [1, 2, 3], [1_000_000 + wander // 2] * 3, variant=arm)
"""

BUILT = """
# It says the digest of the library that it loaded, which may be an old one.
raw, library, ns = sys.argv[1:]
write(raw, [1, 2, 3], [int(ns)] * 3, build=digest(pathlib.Path(library).read_text()))
"""


def install(folder, name, body):
    """Write a decoder into `folder` and return its path."""
    path = folder / name
    path.write_text(WRITE + body)
    path.chmod(0o755)
    return path


def anchor(publisher, name, command, cell="decode"):
    """Record what this command reaches now, and return what a plan says to measure it again."""
    words = ["run", "--cell", cell, "--name", f"{name}-value", "--execute", "--", *command]
    evidence = ["--evidence", f"receipt://{name}-value", "--metric", "decode_tok_s"]
    record = ["anchor", "record", name, *evidence, "--tolerance", "0.05"]
    for line in (words, record):
        result = publisher.engine(*line)
        assert result.exit_code == 0, result.output
    return {"record": name, "validates": "baseline", "command": command}
