"""Secrets in raw files: servers and clients print their whole setup, keys and passwords included.

A setting goes into receipts and onto pages. One whose name says that it is a secret does not; that
it still stands in the raw file is told, because the raw file is about to be published::

    {"host": "0.0.0.0", "api_key": "sk-…"}   ->   {"host": "0.0.0.0"} and a note
"""

from collections.abc import Mapping
from typing import Any

from engine.results.refusals import Note
from engine.secrets import names, redaction


def without_secrets(source: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return nested settings without those that are secrets, and a note for each of these."""
    notes: list[Note] = []
    return _cleaned(source, "", notes), tuple(notes)


def _cleaned(source: Mapping[str, Any], prefix: str, notes: list[Note]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in source.items():
        if isinstance(value, dict):
            kept[name] = _cleaned(value, f"{prefix}{name}.", notes)
        elif isinstance(value, str) and value and _is_secret(name, value):
            told = f"{prefix}{name} is in the raw file: take care before publishing it"
            notes.append(Note("secret", told))
        else:
            kept[name] = value
    return kept


def _is_secret(name: str, value: str) -> bool:
    if value.startswith("[redacted:"):
        return False
    if names.names_a_secret(name):
        return True
    found = redaction.find(value.encode("utf-8", "replace")) if "--" in value else ()
    return any(secret.kind != "host" for secret in found)
