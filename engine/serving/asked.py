"""What a measurement is asked for: the server, the prompt, the request, and how often."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from engine.fixtures import Fixture
from receipts import canonical
from receipts.digest import Digest

Endpoint = Literal["completion", "completions", "chat"]
PATHS: Mapping[Endpoint, str] = {
    "completion": "/completion",
    "completions": "/v1/completions",
    "chat": "/v1/chat/completions",
}


@dataclass(frozen=True, slots=True)
class Launch:
    """A server to start: `{port}` among its words is where it is to listen on this host.

    `engine` and `package` say what it is, `build` names the file whose digest tells which one, and
    `weights` the file whose digest tells which model.
    """

    command: tuple[str, ...]
    engine: str
    build: Path | None = None
    package: str | None = None
    weights: Path | None = None
    port: int = 0
    ready_seconds: float = 60.0
    attached: bool = False
    """Whether the server's input is a pipe from us, at the end of which it ends by itself."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """Tokens that are fed to the server behind the prompt, whatever it would choose itself.

    `top` is how many of the likeliest tokens it is asked for at each place.
    """

    tokens: tuple[int, ...]
    source: str
    top: int

    def plain(self, prompt: tuple[int, ...] | str) -> dict[str, Any]:
        """Return it as values of canonical JSON; the digest is of all that is fed, in order."""
        fed = {"forced": list(self.tokens), "prompt": list(prompt)}
        told = {"source": self.source, "tokens": list(self.tokens), "top": self.top}
        return {"digest": str(Digest.of(canonical.encode(fed))), **told}


@dataclass(frozen=True, slots=True)
class Asked:
    """One setup; `prompt_tokens` is what the server must say that it saw."""

    launch: Launch
    fixture: Fixture
    prompt_tokens: int
    output_tokens: int
    endpoint: Endpoint = "completion"
    model: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request, which go before ours of the same name."""
    warmup: int = 1
    warmup_tokens: int = 8
    repetitions: int = 1
    reuse_server: bool = False
    held_back: int = 0
    request_seconds: float = 600.0
    server_boundaries: str | None = None
    forced: Continuation | None = None
