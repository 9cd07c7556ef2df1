"""The environment sidecar: what a raw file does not say about where it was measured.

A small file `env.json`, made on the machine while it measures, by `engine env` or by hand::

    {"format": "evidence-ledger/environment/v1", "session": "tuesday", "host": "lab-7",
     "container": {"id": "none"}, "devices": [], "driver": "none", "packages": {"vllm": "0.11.0"},
     "absent": {"governor": "not readable"}}

A field that is not known is left out, and `absent` may say why; the text `none` says that there is
none. engine/comparison/environments.py holds two of them side by side.
Specification: docs/reference/formats/environment.md.
"""

import hashlib
import secrets
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, StringConstraints, model_validator

from engine import environment
from engine.results.source_json import Window
from engine.secrets import redaction
from receipts import canonical, files
from receipts.clock import Clock, format_time
from receipts.digest import Digest
from receipts.errors import MalformedError
from receipts.predicates import Facts
from receipts.shape import DigestText, Shape, Time

FORMAT = "evidence-ledger/environment/v1"
MAX_BYTES = 1024 * 1024
NONE = environment.NONE
Text = Annotated[str, StringConstraints(min_length=1, max_length=4096)]
Count = Annotated[int, Field(ge=1, le=canonical.MAX_INTEGER)]
_T = TypeVar("_T")


class Engine(Shape):
    """The program that was measured."""

    name: Text | None = None
    commit: Text | None = None
    version: Text | None = None
    build: Text | None = None


class Model(Shape):
    """The weights that it ran."""

    name: Text | None = None
    digest: DigestText | None = None


class Container(Shape):
    """The container that it ran in; the id `none` says that there was none."""

    id: Text | None = None
    image: Text | None = None

    @model_validator(mode="after")
    def _no_image_of_nothing(self) -> Self:
        if self.id == NONE and self.image is not None:
            raise ValueError("image without a container")
        return self


class Device(Shape):
    """One accelerator."""

    index: Annotated[int, Field(ge=0, le=4095)]
    name: Text | None = None
    uuid: Text | None = None
    memory_mib: Count | None = None
    driver: Text | None = None
    firmware: Text | None = None


class Sidecar(Shape):
    """One environment, as it was at `gathered_at`."""

    format: Literal["evidence-ledger/environment/v1"]
    gathered_at: Time | None = None
    session: Text | None = None
    engine: Engine | None = None
    model: Model | None = None
    host: Text | None = None
    boot: Text | None = None
    system: Text | None = None
    kernel: Text | None = None
    machine: Text | None = None
    cpu: Text | None = None
    cores: Count | None = None
    memory_kib: Count | None = None
    governor: Text | None = None
    clock_source: Text | None = None
    python: Text | None = None
    container: Container | None = None
    devices: list[Device] | None = Field(default=None, max_length=1024)
    driver: Text | None = None
    packages: dict[Text, Text] | None = Field(default=None, max_length=20_000)
    server_flags: list[Annotated[str, StringConstraints(max_length=4096)]] | None = Field(
        default=None, max_length=1024
    )
    absent: dict[str, Text] | None = None

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        if self.devices and [d.index for d in self.devices] != list(range(len(self.devices))):
            raise ValueError("devices must be in the order of their index, from 0")
        for name in self.absent or {}:
            if name not in _OPTIONAL:
                raise ValueError(
                    f"absent names {name[:60]!r}, which is no field that can be absent"
                )
            if _at(self, name) is not None:
                raise ValueError(f"absent names {name}, which is there")
        return self


def gather(  # noqa: PLR0913 - what a person declares, by keyword alone
    *,
    engine: Mapping[str, str],
    model: Mapping[str, str],
    server_flags: Sequence[str] | None,
    clock: Clock,
    interpreter: str | None = None,
    session: str | None = None,
    image: str | None = None,
) -> dict[str, Any]:
    """Return the fields of a sidecar for this machine, now; `make` checks them.

    `server_flags` None means that they are not known, [] that there were none; secrets in them are
    redacted. Without a `session` name a random one is drawn, which no later call will draw again.
    """
    absent: dict[str, str] = {}
    container = _found(absent, "container.id", environment.container)
    devices = _found(absent, "devices", environment.devices)
    installed = _found(absent, "packages", lambda: environment.packages(interpreter))
    machine = environment.fingerprint()
    if interpreter is not None:
        # The version in the fingerprint is that of this process, which did not measure.
        machine.pop("python", None)
        python = _found(absent, "python", lambda: environment.python_of(interpreter))
        machine |= _present({"python": python})
    fields: dict[str, Any] = {
        **machine,
        "format": FORMAT,
        "gathered_at": format_time(clock()),
        "session": session or secrets.token_hex(16),
        "engine": dict(engine),
        "model": dict(model),
        "container": _present({"id": container, "image": image}),
        "devices": devices,
        "driver": _found(absent, "driver", lambda: environment.driver(devices)),
        "packages": installed,
        "server_flags": None if server_flags is None else _without_secrets(list(server_flags)),
    }
    absent |= {each: "not readable here" for each in _MACHINE if fields.get(each) is None}
    told = {k: v for k, v in fields.items() if v not in (None, "", {})}
    return {**told, "absent": absent} if absent else told


def make(fields: Mapping[str, Any]) -> Sidecar:
    """Return the sidecar of these fields; `MalformedError` names one that is wrong."""
    return Sidecar.parse(dict(fields), "environment sidecar")


def parse(data: bytes) -> Sidecar:
    """Return the sidecar that `data` spells: JSON of at most 1 MiB, on one line or indented.

    People write sidecars for machines where this is not installed; what is stored and signed is
    `encode` of what they wrote.
    """
    if len(data) > MAX_BYTES:
        raise MalformedError(f"environment sidecar: over {MAX_BYTES} bytes")
    try:
        fields = Window(data).document()
        canonical.encode(fields)
    except MalformedError as error:
        raise MalformedError(f"environment sidecar: {error}") from error
    return Sidecar.parse(fields, "environment sidecar")


def read(path: Path) -> Sidecar:
    """Return the sidecar in the file at `path`; an error names the file."""
    data = files.read(path, MAX_BYTES, "environment sidecar")
    try:
        return parse(data)
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from error


def encode(sidecar: Sidecar) -> bytes:
    """Return the bytes of `sidecar`, which `parse` reads."""
    return canonical.encode(sidecar.plain()) + b"\n"


def facts(sidecar: Sidecar) -> Facts:
    """Return the environment as flat facts: `container.id`, `devices.0.driver`, `packages.digest`.

    `devices` is how many there are; of packages there is the digest, not the list; flags are joined
    as a shell would read them. When and why are not part of where.
    """
    plain = sidecar.plain()
    for name in ("format", "gathered_at", "session", "absent"):
        plain.pop(name, None)
    flat: Facts = {}
    for name, value in plain.items():
        if name == "packages":
            flat["packages.digest"] = digest_of(value)
        elif name == "server_flags":
            flat[name] = shlex.join(value)
        elif name == "devices":
            flat[name] = len(value)
            flat |= {f"devices.{d['index']}.{k}": v for d in value for k, v in d.items()}
        elif isinstance(value, dict):
            flat |= {f"{name}.{key}": each for key, each in value.items()}
        else:
            flat[name] = value
    return flat


def digest_of(installed: Mapping[str, str]) -> Digest:
    """Return the SHA-256 of the lines `name==version`, sorted as bytes, each with a newline."""
    lines = sorted(f"{name}=={version}\n".encode() for name, version in installed.items())
    return Digest("sha256:" + hashlib.sha256(b"".join(lines)).hexdigest())


def _found(absent: dict[str, str], name: str, ask: Callable[[], _T]) -> _T | None:
    try:
        return ask()
    except environment.UnknownError as error:
        absent[name] = str(error)
        return None


def _without_secrets(flags: list[str]) -> list[str]:
    """Return the flags with every secret redacted; hosts stay, for the sidecar names its own."""
    data = canonical.encode(flags)
    found = [secret for secret in redaction.find(data) if secret.kind != "host"]
    redacted: list[str] = canonical.decode(redaction.redact(data, found))
    return redacted


def _present(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _at(sidecar: Sidecar, name: str) -> Any:
    first, _, rest = name.partition(".")
    value = getattr(sidecar, first)
    return getattr(value, rest, None) if rest else value


_PARTS: Mapping[str, type[Shape]] = {"engine": Engine, "model": Model, "container": Container}
_OPTIONAL = frozenset(
    name for name, field in Sidecar.model_fields.items() if not field.is_required()
) - {"absent"} | {f"{part}.{name}" for part, shape in _PARTS.items() for name in shape.model_fields}
_MACHINE = ("host", "boot", "cpu", "memory_kib", "governor", "clock_source")
