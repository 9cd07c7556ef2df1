"""The attacks by family, one module each, every one beside its honest twin."""

from claims.selftest.attack import Attack
from claims.selftest.attacks import (
    binding,
    citing,
    documents,
    evidence,
    markup,
    scope,
    standing,
    values,
    wording,
)

FAMILIES = (values, binding, markup, scope, wording, evidence, standing, citing, documents)
ALL: tuple[Attack, ...] = tuple(one for family in FAMILIES for one in family.ATTACKS)
