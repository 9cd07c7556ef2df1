"""The decoder as a program: one fresh process, one setting, one raw file that is never replaced.

    python -m engine.kernels.decode --variant tuned --raw rows.jsonl

The raw file is canonical JSON, a value a line, as `generation` describes it. Times are in that
file and nowhere else: what is printed is for a person who waits, not for one who measures.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.kernels.contract import MAX_TOKENS, MAX_VOCAB, MAX_WEIGHTS, MAX_WIDTH, VARIANTS, Setting
from engine.kernels.program import guarded, require_new, within, write_rows
from receipts.canonical import MAX_INTEGER
from receipts.errors import UsageError

_MAX_REPETITIONS = 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    options = _parser().parse_args(arguments)
    return guarded(lambda: _run(options), "vocab and width")


def _run(options: argparse.Namespace) -> str:
    path: Path = options.raw
    require_new(path)
    setting = _setting(options)
    # numpy and the compiler are paid for by those who measure, not by those who ask for help.
    from engine.kernels.backends import probe
    from engine.kernels.generation import generate

    backend = probe()
    write_rows(path, generate(setting, backend))
    why = f" ({backend.reason})" if backend.reason else ""
    return (
        f"mk-decode {setting.variant} on {backend.name}{why}: "
        f"{setting.repetitions} × {setting.output_tokens} tokens in {path}"
    )


def _setting(options: argparse.Namespace) -> Setting:
    if options.vocab * options.width > MAX_WEIGHTS:
        raise UsageError(f"vocab × width is over {MAX_WEIGHTS} bytes of weights; choose less")
    return Setting(
        variant=options.variant,
        vocab=options.vocab,
        width=options.width,
        seed=options.seed,
        prompt_tokens=options.prompt,
        output_tokens=options.tokens,
        repetitions=options.repetitions,
        warmup=options.warmup,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine.kernels.decode",
        description="Time a greedy integer decoder and write its raw rows.",
    )
    count = parser.add_argument
    count("--variant", choices=VARIANTS, required=True, help="how the same integers are computed")
    count("--vocab", type=within(1, MAX_VOCAB), default=4096, help="tokens in the vocabulary")
    count("--width", type=within(1, MAX_WIDTH), default=2048, help="bytes of state")
    count("--seed", type=within(0, MAX_INTEGER), default=0, help="of weights and prompt")
    count("--prompt", type=within(1, MAX_TOKENS), default=16, help="prompt tokens")
    count("--tokens", type=within(1, MAX_TOKENS), default=64, help="output tokens")
    count("--repetitions", type=within(1, _MAX_REPETITIONS), default=1, help="measured")
    count("--warmup", type=within(0, _MAX_REPETITIONS), default=1, help="discarded before")
    count("--raw", type=Path, required=True, metavar="OUT.jsonl", help="new file for the rows")
    return parser


if __name__ == "__main__":
    sys.exit(main())
