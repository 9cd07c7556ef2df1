"""OpenSSH signatures of files (SSHSIG), and the file that says whose of them count.

::

    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg…
    -----END SSH SIGNATURE-----

The armor holds base64, in lines of 70 characters, of "SSHSIG", version 1, and the strings public
key, namespace, reserved (empty), hash name and signature. What is signed is "SSHSIG" and the
strings namespace, reserved, hash name and hash of the message. `sign` writes, byte for byte, what
`ssh-keygen -Y sign` writes. The other file, `allowed_signers`, has a line for each key::

    ann@example.org namespaces="checkpoint@perf.example.org" ssh-ed25519 AAAAC3Nz…

Only Ed25519. Sources: PROTOCOL.sshsig of OpenSSH; ssh-keygen(1), ALLOWED SIGNERS. Specification:
docs/reference/formats/policy.md.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from receipts.errors import MalformedError, UnknownKeyError, VerificationError
from receipts.keys import ALGORITHM, PublicKey, SigningKey

HASHES = ("sha256", "sha512")
MAX_BYTES = 64 * 1024
MAX_SIGNERS_BYTES = 1024 * 1024
_MAGIC = b"SSHSIG"
_WIDTH = 70
_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----\n", "-----END SSH SIGNATURE-----\n"
_ARMOR = re.compile(rf"{_BEGIN}((?:[A-Za-z0-9+/=]+\n)+){_END}")
_NAMESPACE = r"[^\x00-\x20\x7f\"*?!,]+"
_TIME_FORMATS = {9: "%Y%m%dZ", 13: "%Y%m%d%H%MZ", 15: "%Y%m%d%H%M%SZ"}
_LINE = re.compile(rf"(?P<principals>\S+)(?: (?P<options>\S+))? (?P<key>{ALGORITHM} \S+)(?: .*)?")
_OPTION = re.compile(r'([a-z-]+)(?:="([^"]*)")?(?:,|$)')


@dataclass(frozen=True)
class Signature:
    """What an armored signature says; nothing of it is verified."""

    key: PublicKey
    namespace: str
    hash_name: str
    signature: bytes


@dataclass(frozen=True)
class Signer:
    """A line of allowed_signers: who may sign, with which key, for what, and when."""

    principals: tuple[str, ...]
    key: PublicKey
    namespaces: tuple[str, ...] | None = None
    """None allows every namespace."""
    valid_after: datetime | None = None
    valid_before: datetime | None = None

    def allows(self, principal: str, namespace: str, moment: datetime) -> bool:
        """Say whether the line covers this use; both ends of the time are within."""
        return (
            principal in self.principals
            and (self.namespaces is None or namespace in self.namespaces)
            and (self.valid_after is None or moment >= self.valid_after)
            and (self.valid_before is None or moment <= self.valid_before)
        )


def sign(message: bytes, key: SigningKey, namespace: str) -> str:
    """Return the armored signature of `message` for the purpose that `namespace` names."""
    signature = key.sign(_signed_bytes(message, namespace, "sha512"))
    return _armor(Signature(key.public, namespace, "sha512", signature))


def verify(message: bytes, armored: str, namespace: str) -> PublicKey:
    """Return the key that signed `message` in this namespace; whether it counts, `judge` says.

    Raises `MalformedError` for another spelling or another kind of key, `VerificationError` for
    another namespace and a signature that fails.
    """
    found = parse(armored)
    if found.namespace != namespace:
        raise VerificationError(f"signature is for {found.namespace!r}, not for {namespace!r}")
    found.key.verify(found.signature, _signed_bytes(message, namespace, found.hash_name))
    return found.key


def judge(
    signers: Iterable[Signer], principal: str, namespace: str, key: PublicKey, moment: datetime
) -> Signer:
    """Return the line that lets `key` sign as `principal` in `namespace` at `moment`.

    Raises `UnknownKeyError` if no line has the key, `VerificationError` if those that do don't
    cover the use.
    """
    lines = [signer for signer in signers if signer.key == key]
    if not lines:
        raise UnknownKeyError(f"key {key.fingerprint} is not among the allowed signers")
    for signer in lines:
        if signer.allows(principal, namespace, moment):
            return signer
    raise VerificationError(
        f"key {key.fingerprint} may not sign as {principal!r} for {namespace!r} at that time"
    )


def parse(armored: str) -> Signature:
    """Return what `armored` spells; `MalformedError` unless `sign` would have spelled it so."""
    if len(armored) > MAX_BYTES:
        raise MalformedError(f"SSH signature is larger than {MAX_BYTES} characters")
    body = _ARMOR.fullmatch(armored)
    if not body:
        raise MalformedError("not an SSH signature: no armor, or more than it")
    try:
        blob = base64.b64decode(body[1].replace("\n", ""), validate=True)
    except ValueError as error:
        raise MalformedError("SSH signature is not base64") from error
    found = _parse_blob(blob)
    if _armor(found) != armored:
        raise MalformedError("SSH signature is not in the spelling of ssh-keygen")
    return found


def parse_signers(data: bytes, source: str = "allowed_signers") -> tuple[Signer, ...]:
    """Return the lines of an allowed_signers file; `source` names it in errors, with the line.

    Raises `MalformedError` for what OpenSSH would read and we don't: patterns, unknown options,
    certificates, other kinds of keys, times without `Z`.
    """
    if len(data) > MAX_SIGNERS_BYTES:
        raise MalformedError(f"{source}: larger than {MAX_SIGNERS_BYTES} bytes")
    if data and not data.endswith(b"\n"):
        raise MalformedError(f"{source}: the last line does not end in a newline; is it complete?")
    signers = []
    for number, raw in enumerate(data.split(b"\n")[:-1], 1):
        try:
            line = raw.decode("utf-8")
            if line and not line.startswith("#"):
                signers.append(_parse_signer(line))
        except (UnicodeDecodeError, MalformedError) as error:
            reason = error if isinstance(error, MalformedError) else "not UTF-8 text"
            raise MalformedError(f"{source}:{number}: {reason}") from error
    return tuple(signers)


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _signed_bytes(message: bytes, namespace: str, hash_name: str) -> bytes:
    if not re.fullmatch(_NAMESPACE, namespace):
        raise MalformedError(f'namespace {namespace!r} is empty or holds a space or one of "*?!,')
    digest = hashlib.new(hash_name, message).digest()
    fields = (namespace.encode(), b"", hash_name.encode(), digest)
    return _MAGIC + b"".join(map(_string, fields))


def _blob(signature: Signature) -> bytes:
    fields = (
        base64.b64decode(signature.key.openssh.split(" ")[1]),
        signature.namespace.encode(),
        b"",
        signature.hash_name.encode(),
        _string(ALGORITHM.encode()) + _string(signature.signature),
    )
    return _MAGIC + b"\x00\x00\x00\x01" + b"".join(map(_string, fields))


def _armor(signature: Signature) -> str:
    text = base64.b64encode(_blob(signature)).decode()
    lines = [text[start : start + _WIDTH] + "\n" for start in range(0, len(text), _WIDTH)]
    return _BEGIN + "".join(lines) + _END


def _parse_blob(blob: bytes) -> Signature:
    """Read the five strings; the caller's comparison with `_blob` settles all that is constant."""
    rest, fields = blob[len(_MAGIC) + 4 :], []
    for _ in range(5):
        size = int.from_bytes(rest[:4], "big")
        fields.append(rest[4 : 4 + size])
        rest = rest[4 + size :]
    public, namespace, _, hash_name, signature = fields
    if public[4:15] != ALGORITHM.encode():
        raise MalformedError(f"SSH signature is not by a key of the kind {ALGORITHM}")
    if hash_name.decode("ascii", "replace") not in HASHES:
        raise MalformedError("SSH signature uses a hash other than sha256 and sha512")
    try:
        name = namespace.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError("SSH signature has a namespace that is not UTF-8") from error
    if not name:
        raise MalformedError("SSH signature has no namespace")
    key = PublicKey.from_raw(public[19:])
    return Signature(key, name, hash_name.decode(), signature[19:])


def _parse_signer(line: str) -> Signer:
    match = _LINE.fullmatch(line)
    if not match or not line.isprintable():
        raise MalformedError(f"a signer is written `NAME[,NAME] [OPTIONS] {ALGORITHM} KEY`")
    principals = _names(match["principals"], "principal")
    options = _options(match["options"] or "")
    namespaces = options.get("namespaces")
    return Signer(
        principals,
        PublicKey.parse(match["key"]),
        None if namespaces is None else _names(namespaces, "namespace"),
        _time(options.get("valid-after")),
        _time(options.get("valid-before")),
    )


def _names(text: str, what: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if not re.fullmatch(_NAMESPACE, name):
            raise MalformedError(f"{what} {name!r} is empty, quoted or a pattern; write it out")
    return names


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    while text:
        match = _OPTION.match(text)
        if not match or text == match[0].rstrip(",") + ",":
            raise MalformedError(f'options end in {text[:40]!r}; write NAME="VALUE" with commas')
        name, value = match.groups()
        if name not in ("namespaces", "valid-after", "valid-before") or value is None:
            raise MalformedError(f"option {name!r} is not known, or has no value")
        if name in options:
            raise MalformedError(f"option {name!r} stands twice")
        options[name] = value
        text = text[match.end() :]
    return options


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        if not re.fullmatch(r"[0-9]+Z", text, re.ASCII):
            raise ValueError(text)
        return datetime.strptime(text, _TIME_FORMATS[len(text)]).replace(tzinfo=UTC)
    except (KeyError, ValueError) as error:
        raise MalformedError(
            f"time {text!r} is not in the form YYYYMMDDZ or YYYYMMDDHHMMSSZ"
        ) from error
