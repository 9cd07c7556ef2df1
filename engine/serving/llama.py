"""llama.cpp's own HTTP server from the `xllamacpp` wheel, as a program that runs until its end.

    python -m engine.serving.llama --model MODEL.gguf --threads 2 --context 4096 --port 8080

It ends on SIGTERM, and when its input does: whoever started it with a pipe takes it along. One slot
and no cache of prompts in memory, so that nothing of one request is left for the next.
"""

import argparse
import importlib.metadata
import importlib.util
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from receipts.errors import NotFoundError

ENGINE = "llama.cpp"
BOUNDARIES = "llama.cpp timings: prompt until first token sampled, predicted from there to the last"
_PACKAGE = "xllamacpp"


def package() -> str:
    """Return name and version of the wheel; raises `NotFoundError` where it is not installed."""
    try:
        return f"{_PACKAGE} {importlib.metadata.version(_PACKAGE)}"
    except importlib.metadata.PackageNotFoundError as error:
        raise NotFoundError(
            f"{_PACKAGE} is not installed (extra `llama`); install it: pip install {_PACKAGE}"
        ) from error


def library() -> Path:
    """Return the file that holds the server; the wheel calls its build `unknown`."""
    found = importlib.util.find_spec(_PACKAGE)
    folders = found.submodule_search_locations if found else None
    files = sorted(Path(folders[0]).glob("*.so")) if folders else []
    if not files:
        raise NotFoundError(
            f"{_PACKAGE} has no shared library; install it again: pip install {_PACKAGE}"
        )
    return files[0]


def words(model: Path, threads: int, context: int) -> tuple[str, ...]:
    """Return the command that runs this program on a port that is still to be filled in."""
    settings = {"--model": str(model), "--threads": str(threads), "--context": str(context)}
    given = [word for pair in settings.items() for word in pair]
    return (sys.executable, "-m", "engine.serving.llama", *given, "--port", "{port}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server and return when the input has ended."""
    options = _parser().parse_args(arguments)
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = options.model
    params.n_ctx = options.context
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options.threads
    params.n_parallel = 1
    params.cache_ram_mib = 0
    params.port = options.port
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        sys.stderr.write(f"error: llama.cpp did not start: {error}\n")
        return 1
    sys.stderr.write(f"listening on {server.listening_address}\n")
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    sys.stdin.buffer.read()
    # The library's threads would be waited for; nothing is left that they could finish.
    os._exit(0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine.serving.llama")
    parser.add_argument("--model", required=True, metavar="MODEL.gguf", help="the weights")
    parser.add_argument("--threads", type=int, required=True, help="of prefill and of decoding")
    parser.add_argument("--context", type=int, required=True, help="tokens that fit")
    parser.add_argument("--port", type=int, required=True, help="on this host")
    return parser


if __name__ == "__main__":
    sys.exit(main())
