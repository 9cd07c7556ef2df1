"""A project's own names, in YAML files that `evidence.yaml` lists under `vocabulary:`.

Names are sorted by the exclusion that they fall under; each is a phrase with a digit in it, and is
matched as it is written::

    hardware-name: [DGX Spark 2, Rubin 144]
    identifier: [lane 7, Phase B2]
"""

from collections.abc import Iterable
from pathlib import Path

from claims.scanner.vocabulary import NAMES, Vocabulary
from receipts import yaml_source
from receipts.errors import MalformedError
from receipts.yaml_source import Source

MAX_PHRASES = 10_000


def read(paths: Iterable[Path]) -> Vocabulary:
    """Return the default vocabulary with the phrases of the files at `paths`.

    Raises `MalformedError` for an exclusion that takes no names and for a phrase without a digit.
    """
    phrases: dict[str, str] = {}
    for path in paths:
        source = yaml_source.read(path)
        if not isinstance(source.value, dict):
            raise source.fault((), "a vocabulary maps exclusions to lists of names")
        for rule, names in source.value.items():
            phrases |= _phrases(source, rule, names)
    if len(phrases) > MAX_PHRASES:
        raise MalformedError(f"{len(phrases)} names are over the limit of {MAX_PHRASES}")
    return Vocabulary(phrases=phrases)


def _phrases(source: Source, rule: str, names: object) -> dict[str, str]:
    if rule not in NAMES:
        known = ", ".join(sorted(NAMES))
        raise source.fault((rule,), f"{rule!r} takes no names; these do: {known}")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise source.fault((rule,), f"{rule} is not a list of names")
    for index, name in enumerate(names):
        letters = any(map(str.isalpha, name))
        if not letters or not any(map(str.isdigit, name)):
            raise source.fault((rule, index), f"{name!r} is no name of letters and digits")
    return {" ".join(name.split()): rule for name in names}
