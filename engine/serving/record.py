"""The lines of a stream file: what was asked of which server, then what each repetition gave."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.results.stream_lines import FORMAT
from engine.serving import endpoints
from engine.serving.asked import PATHS, Asked
from receipts.canonical import MAX_INTEGER
from receipts.digest import Digest
from receipts.errors import NotFoundError, SystemFailureError

CLOCK = "CLOCK_MONOTONIC of the client, since its program began"
_ANOTHER_EVERY_TIME = frozenset({"media_marker"})


def header(
    asked: Asked, identity: Mapping[str, str], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the first line; `identity` is what `identify` found, `settings` what servers told."""
    words = ["{python}" if word == sys.executable else word for word in asked.launch.command]
    found = {
        "format": FORMAT,
        "instrument": "engine-serving",
        "engine": asked.launch.engine,
        "package": asked.launch.package,
        **identity,
        "command": words,
        "servers": "reused" if asked.reuse_server else "fresh",
        "endpoint": PATHS[asked.endpoint],
        "request": plain(endpoints.settings(asked)),
        "fixture": asked.fixture.plain(),
        "prompt_tokens": asked.prompt_tokens,
        "output_tokens": asked.output_tokens,
        "warmup": asked.warmup,
        "warmup_tokens": asked.warmup_tokens,
        "held_back": asked.held_back,
        "forced": asked.forced.plain(asked.fixture.prompt) if asked.forced else None,
        "clock": CLOCK,
        "server_boundaries": asked.server_boundaries,
        "settings": dict(settings) or None,
    }
    return {name: fact for name, fact in found.items() if fact is not None}


def identify(asked: Asked) -> dict[str, str]:
    """Return the digests of the weights and of the program, before anything runs."""
    launch = asked.launch
    build = launch.build or _program(launch.command[0])
    model = _digest(launch.weights) if launch.weights else asked.model
    return {"model": model} | ({"build": _digest(build)} if build else {})


def _program(word: str) -> Path | None:
    path = shutil.which(word)
    return Path(path).resolve() if path else None


def _digest(path: Path) -> str:
    try:
        return str(Digest.of_file(path))
    except FileNotFoundError as error:
        raise NotFoundError(f"file {path} does not exist; name one that does") from error
    except OSError as error:
        raise SystemFailureError(f"{path}: {error.strerror}") from error


def plain(value: Any) -> Any:
    """Return foreign JSON as values of canonical JSON: numbers that it has no room for as text.

    Nulls, and what is another in every process, are left out.
    """
    if isinstance(value, Mapping):
        return {
            _ascii(name): plain(item)
            for name, item in value.items()
            if item is not None and name not in _ANOTHER_EVERY_TIME
        }
    if isinstance(value, list | tuple):
        return [plain(item) for item in value if item is not None]
    if isinstance(value, float) or (isinstance(value, int) and abs(value) > MAX_INTEGER):
        return repr(value)
    return value if isinstance(value, int) else _whole(str(value))


def _ascii(name: str) -> str:
    return name.encode("ascii", "backslashreplace").decode("ascii")


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
