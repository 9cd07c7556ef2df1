"""Facts of a claim against facts of the evidence: compared as text, as they stand in raw files.

A YAML `512` and a JSON 512 agree, and so do `true` and "true"; `512` and "0512" do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.declared import COMPUTED, OBSERVED, declarable

if TYPE_CHECKING:
    from receipts.predicates import Facts, RunPredicate, Scalar


def text(value: Scalar) -> str:
    """Return the text by which a fact is compared."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def differing(one: Mapping[str, Scalar], other: Mapping[str, Scalar]) -> list[str]:
    """Return the names of the facts that both have and that do not agree."""
    return [name for name in one if name in other and text(one[name]) != text(other[name])]


def shared(one: Mapping[str, Scalar], other: Mapping[str, Scalar]) -> Facts:
    """Return the facts that both have and on which they agree."""
    apart = {*differing(one, other)}
    return {name: one[name] for name in one if name in other and name not in apart}


def said(scope: Mapping[str, Scalar]) -> Facts:
    """Return the scope of an entry or a plan without what is observed and not said."""
    return {name: value for name, value in scope.items() if declarable(name)}


def declared(run: RunPredicate) -> Facts:
    """Return the identity of a run without what nobody may declare, such as its processor.

    The digests of program and binary are computed where a run was witnessed.
    """
    refused = OBSERVED.difference(COMPUTED if run.origin == "witnessed" else ())
    return {name: value for name, value in run.identity.items() if name not in refused}
