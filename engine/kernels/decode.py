"""The decoder as a program: one fresh process, one setting, one raw file that is never replaced.

    python -m engine.kernels.decode --variant tuned --raw rows.jsonl

The raw file is canonical JSON, a value a line, as `generation` describes it. Times are in that
file and nowhere else: what is printed is for a person who waits, not for one who measures.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.kernels.contract import MAX_TOKENS, MAX_VOCAB, MAX_WEIGHTS, MAX_WIDTH, VARIANTS, Setting
from receipts.canonical import MAX_INTEGER, encode
from receipts.errors import ConflictError, Error, NotFoundError, UsageError
from receipts.files import sync_directory

_MAX_REPETITIONS = 1000
_DIGITS = re.compile(r"[0-9]{1,16}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    try:
        sys.stdout.write(_run(_parser().parse_args(arguments)) + "\n")
    except Error as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted; no raw file was written", 130)
    except MemoryError:
        return _fail("not enough memory for this vocab and width; choose less", 74)
    except OSError as error:
        return _fail(f"{error.filename or 'system'}: {error.strerror or error}", 74)
    return 0


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write `rows` durably to the new file `path`, all or nothing.

    Raises `ConflictError` when the file exists.
    """
    data = b"".join(encode(row) + b"\n" for row in rows)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".incoming-") as stream:
        stream.write(data)
        stream.flush()
        os.fchmod(stream.fileno(), 0o644)
        os.fsync(stream.fileno())
        try:
            os.link(stream.name, path)
        except FileExistsError as error:
            raise ConflictError(_taken(path)) from error
    sync_directory(path.parent)


def _run(options: argparse.Namespace) -> str:
    path: Path = options.raw
    # Before anything is measured: a refusal at the end would cost the whole run.
    if os.path.lexists(path):
        raise ConflictError(_taken(path))
    if not path.parent.is_dir():
        raise NotFoundError(f"folder {path.parent} for the raw file does not exist; create it")
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
    count("--vocab", type=_within(1, MAX_VOCAB), default=4096, help="tokens in the vocabulary")
    count("--width", type=_within(1, MAX_WIDTH), default=2048, help="bytes of state")
    count("--seed", type=_within(0, MAX_INTEGER), default=0, help="of weights and prompt")
    count("--prompt", type=_within(1, MAX_TOKENS), default=16, help="prompt tokens")
    count("--tokens", type=_within(1, MAX_TOKENS), default=64, help="output tokens")
    count("--repetitions", type=_within(1, _MAX_REPETITIONS), default=1, help="measured")
    count("--warmup", type=_within(0, _MAX_REPETITIONS), default=1, help="discarded before")
    count("--raw", type=Path, required=True, metavar="OUT.jsonl", help="new file for the rows")
    return parser


def _within(low: int, high: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (_DIGITS.fullmatch(text) and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number {low} to {high}")
        return int(text)

    return number


def _taken(path: Path) -> str:
    return f"raw file {path} exists and is never replaced; choose another name"


def _fail(sentence: str, code: int) -> int:
    sys.stderr.write(f"error: {sentence}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
