"""`[claims #ID]`: claims of the register, by id, or by the number that ends one id only."""

import re
from collections.abc import Iterator

from claims.citing import quotations
from claims.citing.brackets import Citation
from claims.citing.target import Target, plain_fields
from claims.judging.chain import RefusedError
from claims.judging.judge import Judge, Judgement
from claims.registers.model import Claim
from claims.registers.register import Register

_ENDS = re.compile(r"[A-Za-z][A-Za-z._-]*?0*(\d+)\Z")
_STRUCK = ("CLM501", "CLM502", "CLM503", "CLM504")


class Claimed:
    """The claims of a register, as they are cited; each is judged once."""

    def __init__(self, register: Register, judge: Judge) -> None:
        self._register = register
        self._judge = judge
        self._judged: dict[str, Judgement] = {}

    def resolve(self, citation: Citation) -> Target:
        """Return what a citation `[claims #…]` means, or refuse it."""
        if not citation.items:
            raise RefusedError("CLM706", "it names no claim; write [claims #ID]")
        found = [self._find(name) for name in citation.items]
        struck = next((told for claim in found if (told := self._struck(claim))), None)
        names = " or ".join(f"claim {claim.id}" for claim in found)
        return Target(names, lambda: self._texts(found), struck)

    def _find(self, name: str) -> Claim:
        claims = self._register.claims
        if name in claims:
            return claims[name]
        ending = [one for one in claims if (end := _ENDS.fullmatch(one)) and end[1] == name]
        if len(ending) > 1:
            raise RefusedError("CLM702", f"#{name} may be {' or '.join(sorted(ending))}")
        if not ending:
            raise RefusedError("CLM701", f"the register has no claim {name}")
        return claims[ending[0]]

    def _judgement(self, claim: Claim) -> Judgement:
        if claim.id not in self._judged:
            self._judged[claim.id] = self._judge.judge(claim)
        return self._judged[claim.id]

    def _struck(self, claim: Claim) -> str | None:
        refusals = self._judgement(claim).refusals
        struck = next((one for one in refusals if one.code in _STRUCK), None)
        return f"claim {claim.id} rests on what fell: {struck.message}" if struck else None

    def _texts(self, claims: list[Claim]) -> Iterator[str]:
        for claim in claims:
            yield from plain_fields(claim.model_dump(exclude_none=True))
            sentence = self._judgement(claim).sentence
            if sentence:
                yield quotations.plain(sentence)
