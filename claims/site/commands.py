"""The commands by which a stranger verifies the chain of one claim: nothing of ours is needed."""

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from claims.site.record import Record
from claims.site.steps import Held
from receipts.digest import Digest
from receipts.store import ObjectStore
from receipts.workspace import Configuration

_SIGNED = """\
signed() { # file, public key: a DSSE envelope, Ed25519
  field() { sqlite3 -batch :memory: "SELECT json_extract(CAST(readfile('$1') AS TEXT), '$2')"; }
  field "$1" '$.payload' | base64 -d >"$work/body"
  field "$1" '$.signatures[0].sig' | base64 -d >"$work/sig"
  type=$(field "$1" '$.payloadType')
  { printf 'DSSEv1 %d %s %d ' "${#type}" "$type" "$(stat -c %s "$work/body")"
    cat "$work/body"; } >"$work/pae"
  { printf '\\x30\\x2a\\x30\\x05\\x06\\x03\\x2b\\x65\\x70\\x03\\x21\\x00'
    echo "$2" | base64 -d | tail -c 32; } >"$work/key"
  openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key" \\
    -rawin -in "$work/pae" -sigfile "$work/sig" >/dev/null
}"""

_WRITE = """\
sqlite3 -batch "file:$ledger?mode=ro" \\
  "SELECT writefile('$work/{index}', envelope) FROM entry WHERE idx = {index}" >/dev/null"""
_CHECK = """echo "{hex}  $work/{index}" | sha256sum --check --quiet"""


def script(place: Configuration, held: Iterable[Held], record: Record) -> str:
    """Return a script for bash that checks every digest and signature of a chain.

    It runs in the folder of `evidence.yaml`, with sqlite3, coreutils, openssl and ssh-keygen.
    """
    found = list(dict.fromkeys(held))
    entries = [one for one in found if one.kind == "entry"]
    receipts = [one for one in found if one.kind == "receipt"]
    files = [(_hex(one), _path(place, one)) for one in found if one.kind != "entry"]
    lines = ["set -euo pipefail", "work=$(mktemp -d)"]
    lines += ["", "# Every file has the digest that is its name.", *_digests(files)]
    lines += ["", "# The entries are those of these ids.", *_entries(place, entries)]
    lines += ["", "# Each is signed by the key whose fingerprint stands above it.", _SIGNED]
    sealed = [(_file(one), one) for one in entries]
    sealed += [(shlex.quote(_path(place, one)), one) for one in receipts]
    lines += _signatures(sealed, record)
    counted = f"entries {len(entries)}, receipts {len(receipts)}, files {len(files)}"
    return "\n".join([*lines, 'rm -r "$work"', f'echo "ok: {counted}"', ""])


def _digests(files: Sequence[tuple[str, str]]) -> list[str]:
    listed = [f"{digest}  {path}" for digest, path in files]
    return ["sha256sum --check --quiet <<'END'", *listed, "END"] if listed else []


def _entries(place: Configuration, entries: Sequence[Held]) -> list[str]:
    lines = [f"ledger={shlex.quote(place.ledger)}"]
    for one in entries:
        lines += [_WRITE.format(index=one.index), _CHECK.format(index=one.index, hex=_hex(one))]
    return lines


def _signatures(sealed: Sequence[tuple[str, Held]], record: Record) -> list[str]:
    lines = []
    by_signer: dict[str, list[str]] = {}
    for path, one in sealed:
        by_signer.setdefault(str(one.signer), []).append(path)
    for fingerprint, paths in by_signer.items():
        line = record.key_line(fingerprint)
        if line is not None:
            lines += [f"# {fingerprint}", f"ssh-keygen -lf - <<<'{line}'"]
            lines += [f"signed {path} {line.split()[1]}" for path in paths]
    return lines


def _hex(one: Held) -> str:
    return one.digest.removeprefix("sha256:")


def _file(entry: Held) -> str:
    return f'"$work/{entry.index}"'


def _path(place: Configuration, one: Held) -> str:
    root = place.receipts if one.kind == "receipt" else place.objects
    return str(ObjectStore(Path(root)).path(Digest.parse(one.digest)))
