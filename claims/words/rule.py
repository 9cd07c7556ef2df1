"""A rule of the grammar: which sequences of words claim, and what each needs.

In a pattern ``@`` is any subject, ``~`` any word, ``…`` the rest of a subject before its verb, a
comma the end of a clause; so ``q[dy]*@`` is a verb of matching and its object. What a rule needs
besides itself is said as in `claims.words.term`.
"""

from dataclasses import dataclass

from claims.words.term import Kind, Need

SUBJECT = "NMWOTRSXY"
# After these a comparison is at its end: "is lower than", "is lower.", "is lower on".
_END = r"(?=[,tvpcwyksmgujx#iψ<]|$)"


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to claim: its kind, what it needs besides itself, its patterns of letters."""

    kind: Kind
    needs: Need
    ways: tuple[str, ...]


def rule(kind: Kind, needs: Need, *ways: str) -> Rule:
    """Return a rule, its shorthands written out."""
    return Rule(kind, needs, tuple(map(_expanded, ways)))


# What is slower or worse compares as what is faster or better; "very" is an adverb.
_ALSO = {"f": "fς", "C": "Cϲ", "y": "yι", "U": "UƑ"}
# What may stand between a subject and its verb: "latency on every card of ours was …".
_REST = "[^,ψbhmjc%nlDPqBLHJVΔ]{0,9}?"
_SHORT = {"_": _END, "@": f"[{SUBJECT}]", "~": "[^,ψ]", "…": _REST}


def _expanded(way: str) -> str:
    """Return a pattern with its shorthands written out."""
    parts: list[str] = []
    is_class = False
    for letter in way:
        is_class = letter == "[" or (is_class and letter != "]")
        also = _ALSO.get(letter, "")
        parts.append((also if is_class else f"[{also}]") if also else _SHORT.get(letter, letter))
    return "".join(parts)
