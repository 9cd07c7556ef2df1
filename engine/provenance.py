"""Where a binary comes from: an in-toto statement with SLSA provenance v1, in a file beside it.

`mk.so.provenance.json` lies beside `mk.so`, one line of canonical JSON (wrapped here)::

    {"_type":"https://in-toto.io/Statement/v1",
     "predicate":{"buildDefinition":{"buildType":"urn:evidence-ledger:build:compiler:v1",
         "externalParameters":{"flags":["-O3"],"output":"mk.so","program":"cc"},
         "resolvedDependencies":[{"digest":{"sha256":"3a50…"},"name":"cpu.c"}]},
       "runDetails":{"builder":{"id":"urn:evidence-ledger:builder:this-host:v1",
         "version":{"compiler":"cc (Debian 12.2.0-14+deb12u1) 12.2.0"}}}},
     "predicateType":"https://slsa.dev/provenance/v1",
     "subject":[{"digest":{"sha256":"222d…"},"name":"mk.so"}]}

There is no time and no place in it: the same sources, parameters and compiler give the same bytes.
Who builds from a commit names it as a dependency with a `gitCommit` digest.
Specification: docs/reference/formats/provenance.md.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from receipts import canonical, files
from receipts.digest import Digest
from receipts.errors import MalformedError, VerificationError

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"
BUILDER = "urn:evidence-ledger:builder:this-host:v1"
MAX_BYTES = 1024 * 1024

_SUFFIX = ".provenance.json"
_URI = re.compile(r"[a-z][a-z0-9+.-]*:\S+", re.ASCII)
_ALGORITHMS = {"sha256": re.compile(r"[0-9a-f]{64}"), "gitCommit": re.compile(r"[0-9a-f]{40}")}
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Dependency:
    """What went into a build: a file by its `sha256`, or a tree by its `gitCommit`, in hex."""

    name: str
    algorithm: str
    digest: str
    uri: str | None = None

    @classmethod
    def of(cls, name: str, data: bytes) -> "Dependency":
        """Return the dependency on a file with these bytes."""
        return cls(name, "sha256", Digest.of(data).hex)


@dataclass(frozen=True, slots=True)
class Provenance:
    """How the file `name` with the digest `binary` was built.

    `parameters` hold everything that was chosen and can change what comes out; `versions` are of
    the tools that `builder` used.
    """

    name: str
    binary: Digest
    build_type: str
    parameters: Mapping[str, Any]
    dependencies: Sequence[Dependency]
    versions: Mapping[str, str]
    builder: str = BUILDER


def encode(provenance: Provenance) -> bytes:
    """Return the bytes of the file; raises `MalformedError` for what `decode` would refuse."""
    statement = {
        "_type": STATEMENT,
        "subject": [{"name": provenance.name, "digest": {"sha256": provenance.binary.hex}}],
        "predicateType": PREDICATE,
        "predicate": {
            "buildDefinition": {
                "buildType": provenance.build_type,
                "externalParameters": dict(provenance.parameters),
                "resolvedDependencies": [_plain(one) for one in provenance.dependencies],
            },
            "runDetails": {
                "builder": {"id": provenance.builder, "version": dict(provenance.versions)}
            },
        },
    }
    data = canonical.encode(statement) + b"\n"
    decode(data)
    return data


def decode(data: bytes) -> Provenance:
    """Return what the bytes of a file say; raises `MalformedError` for any other form."""
    if len(data) > MAX_BYTES or not data.endswith(b"\n"):
        raise MalformedError(f"provenance is one line of at most {MAX_BYTES} bytes")
    statement = _object(
        canonical.decode(data[:-1]), "statement", "_type subject predicateType predicate"
    )
    _require(statement["_type"] == STATEMENT, "_type", statement["_type"])
    _require(statement["predicateType"] == PREDICATE, "predicateType", statement["predicateType"])
    subject = _object(_only(statement["subject"]), "subject", "name digest")
    predicate = _object(statement["predicate"], "predicate", "buildDefinition runDetails")
    build = _object(
        predicate["buildDefinition"],
        "buildDefinition",
        "buildType externalParameters resolvedDependencies",
    )
    details = _object(predicate["runDetails"], "runDetails", "builder")
    builder = _object(details["builder"], "builder", "id version")
    algorithm, hexadecimal = _digest(subject["digest"], "subject")
    _require(algorithm == "sha256", "subject", subject["digest"])
    return Provenance(
        name=_text(subject["name"], "subject"),
        binary=Digest.parse(f"sha256:{hexadecimal}"),
        build_type=_uri(build["buildType"], "buildType"),
        parameters=_parameters(build["externalParameters"]),
        dependencies=_dependencies(build["resolvedDependencies"]),
        versions=_versions(builder["version"]),
        builder=_uri(builder["id"], "builder"),
    )


def beside(binary: Path) -> Path:
    """Return the path of the provenance of the file at `binary`."""
    return binary.with_name(binary.name + _SUFFIX)


def read(binary: Path) -> Provenance:
    """Return how the file at `binary` was built.

    Raises `NotFoundError` when there is no provenance beside it, `MalformedError` when it breaks
    the format, and `VerificationError` when it is about other bytes or another name.
    """
    path = beside(binary)
    found = decode(files.read(path, MAX_BYTES, "provenance"))
    if found.binary != Digest.of_file(binary) or found.name != binary.name:
        raise VerificationError(
            f"{binary} is not the file that {path.name} is about; build it again"
        )
    return found


def _plain(dependency: Dependency) -> dict[str, Any]:
    value = {"name": dependency.name, "digest": {dependency.algorithm: dependency.digest}}
    return value if dependency.uri is None else value | {"uri": dependency.uri}


def _object(value: Any, what: str, fields: str, optional: str = "") -> dict[str, Any]:
    required = set(fields.split())
    if not isinstance(value, dict) or not (
        required <= value.keys() <= required | set(optional.split())
    ):
        raise MalformedError(f"provenance: {what} is not an object of {fields.replace(' ', ', ')}")
    return value


def _only(value: Any) -> Any:
    _require(isinstance(value, list) and len(value) == 1, "subject", value)
    return value[0]


def _digest(value: Any, what: str) -> tuple[str, str]:
    _require(isinstance(value, dict) and len(value) == 1, f"digest of {what}", value)
    [(algorithm, digest)] = value.items()
    known = _ALGORITHMS.get(algorithm)
    _require(
        known is not None and isinstance(digest, str) and bool(known.fullmatch(digest)),
        f"digest of {what}",
        value,
    )
    return algorithm, digest


def _dependencies(value: Any) -> tuple[Dependency, ...]:
    _require(isinstance(value, list) and len(value) > 0, "resolvedDependencies", value)
    found = []
    for one in value:
        given = _object(one, "dependency", "name digest", "uri")
        name = _text(given["name"], "dependency")
        uri = _uri(given["uri"], "dependency") if "uri" in given else None
        found.append(Dependency(name, *_digest(given["digest"], name), uri))
    _require(len({one.name for one in found}) == len(found), "names of dependencies", value)
    return tuple(found)


def _parameters(value: Any) -> dict[str, Any]:
    _require(isinstance(value, dict) and len(value) > 0, "externalParameters", value)
    return dict(value)


def _versions(value: Any) -> dict[str, str]:
    _require(isinstance(value, dict) and len(value) > 0, "version of the builder", value)
    return {name: _text(text, "version of the builder") for name, text in value.items()}


def _uri(value: Any, what: str) -> str:
    _require(isinstance(value, str) and bool(_URI.fullmatch(value)), what, value)
    return str(value)


def _text(value: Any, what: str) -> str:
    _require(isinstance(value, str) and value != "", what, value)
    return str(value)


def _require(holds: bool, what: str, value: Any) -> None:  # noqa: FBT001 - a condition, not a mode
    if not holds:
        raise MalformedError(f"provenance: {what} is {repr(value)[:_SHOWN]}, which it cannot be")
