"""Claims whose chain breaks somewhere between the entry and the raw rows."""

from claims.selftest.attack import Attack

# What is wrong, by the claim that is called so; the twin rests on the same kind of evidence.
_LEVELS = {
    "no-entry": "CLM310",
    "open": "CLM311",
    "void": "CLM311",
    "bare": "CLM314",
    "other-receipt": "CLM315",
    "no-cell": "CLM317",
    "several-cells": "CLM317",
    "no-arm": "CLM317",
    "no-metric": "CLM318",
    "misprinted": "CLM319",
    "raw-changed": "CLM303",
    "raw-gone": "CLM304",
    "receipt-gone": "CLM304",
}
_CHANGES = {
    "stranger": "CLM302",
    "unrecorded": "CLM316",
    "other": "CLM320",
    "admits": "CLM320",
    "unanchored": "CLM321",
    "flat": "CLM321",
    "floored": "CLM322",
    "sibling": "CLM323",
    "elsewhere": "CLM206",
    "misplanned": "CLM207",
    "unplanned-metric": "CLM207",
    "idle": "CLM208",
    "blind": "CLM209",
}
_MATRICES = {"missing-cell": "CLM324", "surplus-cell": "CLM324", "two-plans": "CLM325"}


def _resting(claims: dict[str, str], twin: str) -> list[Attack]:
    return [
        Attack(f"evidence-{claim}", f"§{claim} {code}§\n", f"§{twin}§\n")
        for claim, code in claims.items()
    ]


ATTACKS = (
    *_resting(_LEVELS, "steady"),
    *_resting(_CHANGES, "tuned"),
    *_resting(_MATRICES, "grid"),
    Attack("evidence-noisy", "§noisy CLM306§\n", "§limited§\n"),
    Attack("ledger-row-changed", "§steady CLM301§\n", "§steady§\n", "harmed", "main"),
)
