"""The words of `python -m engine.serving`: a server, a prompt, a raw file that is never replaced.

    python -m engine.serving --raw R.jsonl --llama MODEL.gguf --threads 2 \\
        --fixture cycle --prompt 1024 --vocab 512 --output 128
    python -m engine.serving --raw R.jsonl --endpoint completions --model NAME --engine vllm \\
        --fixture zipf --prompt 1024 --vocab 151643 --output 128 -- vllm serve NAME --port {port}

What is printed is for a person who waits: no time stands there. Exit code 1 says that a repetition
is no measurement; the raw file then says why, and holds what was measured before.
"""

import argparse
import json
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from engine import fixtures
from engine.kernels.program import require_new, within, write_rows
from engine.serving import llama, measuring, record
from engine.serving.asked import PATHS, Asked, Continuation, Launch
from receipts import canonical, files
from receipts.errors import Error, NotFoundError, UsageError

_MOST = fixtures.MAX_TOKENS
_MAX_PROMPT = 16 * 1024 * 1024
_MAX_FORCED = 8192
_CONTEXT_STEP = 256


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    try:
        own, server = _split(sys.argv[1:] if arguments is None else list(arguments))
        options = _parser().parse_args(own)
        require_new(options.raw)
        with _interruptible():
            return _run(options, _asked(options, server))
    except Error as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted before anything was measured", 130)
    except OSError as error:
        return _fail(f"{error.filename or 'system'}: {error.strerror or error}", 74)


def _run(options: argparse.Namespace, asked: Asked) -> int:
    done = measuring.measure(asked)
    header = record.header(asked, done.identity, done.settings)
    write_rows(options.raw, [header, *done.rows])
    left = sum(row.get("leftovers", 0) for row in done.rows)
    if left:
        sys.stderr.write(f"warning: the server left {left} processes behind; they were ended\n")
    if done.fault:
        return _fail(
            f"repetition {len(done.rows) - 1}: {done.fault}", 130 if done.interrupted else 1
        )
    sys.stdout.write(
        f"{asked.launch.engine} {PATHS[asked.endpoint]}: {len(done.rows)} × "
        f"{asked.output_tokens} tokens after {asked.prompt_tokens} in {options.raw}\n"
    )
    return 0


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Return our own words, and behind `--` those of the server."""
    place = words.index("--") if "--" in words else len(words)
    return words[:place], words[place + 1 :]


def _asked(options: argparse.Namespace, server: list[str]) -> Asked:
    if (options.llama is None) == (not server):
        raise UsageError("give either --llama MODEL.gguf or a server's command after --")
    if not (options.llama or options.weights or options.model):
        raise UsageError("nothing says which model it is: give --weights FILE or --model NAME")
    fixture = _fixture(options)
    forced = _continuation(options, fixture) if options.forced else None
    longest = max(options.output, options.warmup_tokens, len(forced.tokens) if forced else 0)
    return Asked(
        launch=_llama(options, longest) if options.llama else _given(options, server),
        fixture=fixture,
        forced=forced,
        prompt_tokens=options.prompt,
        output_tokens=options.output,
        endpoint=options.endpoint,
        model=options.model,
        fields=dict(options.field),
        warmup=options.warmup,
        warmup_tokens=options.warmup_tokens,
        repetitions=options.repetitions,
        reuse_server=options.reuse_server,
        held_back=options.held_back,
        request_seconds=options.within,
        server_boundaries=options.boundaries or (llama.BOUNDARIES if options.llama else None),
    )


def _llama(options: argparse.Namespace, longest: int) -> Launch:
    if options.threads is None:
        raise UsageError("--llama needs --threads: how many is part of what is measured")
    if not options.llama.is_file():
        raise NotFoundError(f"model {options.llama} does not exist; name a GGUF file")
    needed = options.prompt + longest
    context = options.context or -(-needed // _CONTEXT_STEP) * _CONTEXT_STEP
    return Launch(
        command=llama.words(options.llama, options.threads, context),
        engine=llama.ENGINE,
        build=llama.library(),
        package=llama.package(),
        weights=options.llama,
        port=options.port,
        ready_seconds=options.ready_within,
        attached=True,
    )


def _given(options: argparse.Namespace, server: list[str]) -> Launch:
    if "{port}" not in server and not options.port:
        raise UsageError("where does the server listen? give --port N, or {port} in its command")
    return Launch(
        command=tuple(server),
        engine=options.engine,
        package=options.package,
        weights=options.weights,
        port=options.port,
        ready_seconds=options.ready_within,
    )


def _fixture(options: argparse.Namespace) -> fixtures.Fixture:
    chosen = (options.prompt_file is not None) + (options.fixture is not None)
    if chosen != 1:
        raise UsageError("give either --fixture or --prompt-file")
    if options.prompt_file:
        found = _read_prompt(options)
    elif options.fixture == "sentences":
        found = fixtures.sentences(options.words or options.prompt, options.seed)
    else:
        make = fixtures.cycle if options.fixture == "cycle" else fixtures.zipf
        found = make(options.prompt, options.vocab, options.seed, options.lowest)
    length = len(found.prompt)
    if not isinstance(found.prompt, str) and length != options.prompt:
        raise UsageError(f"the prompt has {length} tokens, --prompt says {options.prompt}")
    if not isinstance(found.prompt, str) and options.endpoint == "chat":
        raise UsageError("a chat takes text: give --fixture sentences or a --prompt-file of text")
    return found


def _read_prompt(options: argparse.Namespace) -> fixtures.Fixture:
    """Return the prompt of a file: a JSON list of token ids, or else text."""
    path: Path = options.prompt_file
    raw = files.read(path, _MAX_PROMPT, "prompt file")
    name = path.name
    if raw.lstrip().startswith(b"["):
        return fixtures.given(_token_ids(raw, path), name, options.kind, options.cannot_see)
    try:
        return fixtures.given(raw.decode("utf-8"), name, options.kind, options.cannot_see)
    except UnicodeDecodeError as error:
        raise UsageError(f"prompt file {path} is neither token ids nor UTF-8 text") from error


def _token_ids(raw: bytes, path: Path) -> tuple[int, ...]:
    tokens = canonical.decode(b"".join(raw.split()))
    if not isinstance(tokens, list) or not all(type(one) is int and one >= 0 for one in tokens):
        raise UsageError(f"file {path} is no list of token ids")
    return tuple(tokens)


def _continuation(options: argparse.Namespace, fixture: fixtures.Fixture) -> Continuation:
    """Return the tokens to be fed; refuse an endpoint and a prompt that know none."""
    if options.endpoint != "completion":
        raise UsageError(
            f"--forced: {PATHS[options.endpoint]} cannot be fed token by token; "
            f"llama.cpp's {PATHS['completion']} can (--endpoint completion)"
        )
    if isinstance(fixture.prompt, str):
        raise UsageError("--forced continues a prompt of token ids, and this one is text")
    raw = files.read(options.forced, _MAX_PROMPT, "file of forced tokens")
    tokens = _token_ids(raw, options.forced)
    if not 1 <= len(tokens) <= _MAX_FORCED:
        raise UsageError(f"{len(tokens)} forced tokens are not within 1 and {_MAX_FORCED}")
    return Continuation(tokens, f"file {options.forced.name}", options.forced_top)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine.serving",
        description="Time one streamed request to a fresh server and write its raw file.",
        epilog="Behind --, the command of a server; {port} among its words is where to listen.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--raw", type=Path, required=True, metavar="OUT.jsonl", help="new file for the rows")
    _of_server(parser)
    _of_prompt(parser)
    add("--endpoint", choices=PATHS, default="completion", help="what is asked for, and how")
    add("--model", default="", help="name of the model, in the request and where no file tells")
    add(
        "--field",
        type=_field,
        action="append",
        default=[],
        metavar="NAME=JSON",
        help="in the request",
    )
    add("--output", type=within(1, _MOST), required=True, help="output tokens, pinned")
    add(
        "--held-back",
        type=within(0, _MOST),
        default=0,
        help="how many may come without id or piece",
    )
    add("--warmup", type=within(0, _MOST), default=1, help="requests before, discarded")
    add("--warmup-tokens", type=within(1, _MOST), default=8, help="output tokens of each of these")
    add("--repetitions", type=within(1, 1000), default=1, help="each with a fresh server")
    add("--reuse-server", action="store_true", help="one server for all; a cache hit still counts")
    add("--within", type=within(1, 86_400), default=600, metavar="SECONDS", help="for a request")
    return parser


def _of_server(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--llama", type=Path, metavar="MODEL.gguf", help="run llama.cpp's server on this")
    add("--threads", type=within(1, 4096), help="of llama.cpp")
    add("--context", type=within(1, 2**24), help="of llama.cpp; by default what is needed")
    add("--engine", default="unknown", help="what a given command runs")
    add("--package", help="name and version of what a given command runs")
    add("--weights", type=Path, metavar="FILE", help="whose digest says which model it is")
    add("--boundaries", help="what the server's own times run from and to")
    add("--port", type=within(0, 65_535), default=0, help="by default one that is free")
    add(
        "--ready-within", type=within(1, 86_400), default=60, metavar="SECONDS", help="of its start"
    )


def _of_prompt(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--fixture", choices=("cycle", "zipf", "sentences"), help="a prompt from a seed")
    add("--prompt-file", type=Path, metavar="FILE", help="a JSON list of token ids, or text")
    add(
        "--prompt",
        type=within(1, _MOST),
        required=True,
        help="its tokens; for text what is to be told",
    )
    add("--vocab", type=within(1, 2**20), default=0, help="token ids are below")
    add("--lowest", type=within(0, 2**20), default=3, help="token ids are not below")
    add("--words", type=within(1, _MOST), help="of sentences")
    add("--seed", type=within(0, canonical.MAX_INTEGER), default=0, help="of the prompt")
    add("--kind", choices=("recorded", "natural"), default="recorded", help="of a prompt file")
    add("--forced", type=Path, metavar="FILE", help="a JSON list of token ids to feed behind it")
    add("--forced-top", type=within(1, 1000), default=5, help="likeliest tokens kept of each place")
    add("--cannot-see", action="append", default=[], help="what a prompt file cannot show")


def _field(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    try:
        return name, json.loads(value) if equals and name else _no_field()
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not NAME=JSON") from error


def _no_field() -> Any:
    raise ValueError


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let SIGTERM and SIGHUP interrupt as Ctrl-C does, so that the server is ended with us."""

    def interrupt(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    former = {n: signal.signal(n, interrupt) for n in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _fail(sentence: str, code: int) -> int:
    sys.stderr.write(f"error: {sentence}\n")
    return code
