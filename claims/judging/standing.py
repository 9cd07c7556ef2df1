"""Whether what a claim rests on still stands: corrections, and keys that were revoked.

A key is revoked *since* an index: what it signed from there on is contested, whatever was known
when it was signed. What it signed before stays as it is.
"""

from collections.abc import Iterator

from claims.judging.chain import RefusedError
from engine.metrics import METRICS
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.status import Effect

_HARMLESS = {"title", "lesson", "step", "attribution", "hypothesis", "expected", "notes"}


class Standing:
    """What later entries did to earlier ones, read once for many claims."""

    def __init__(self, ledger: Ledger) -> None:
        self._status = ledger.status()
        self._keys = ledger.trust().keys

    def require(self, entry: Entry, metric: str, name: str) -> None:
        """Refuse unless nothing contests what a claim about `metric` takes from the entry."""
        for effect in self._status.effects_on(entry):
            require_harmless(effect, metric, name)
        doubt = self.doubt(entry.envelope.keyid, entry.index)
        if doubt:
            raise RefusedError("CLM503", f"entry {name} is contested: {doubt}")

    def fell(self, entry: Entry) -> bool:
        """Say whether the entry was taken back: retracted, superseded, or by a contested key."""
        effects = self._status.effects_on(entry)
        back = any(effect.word in ("retracted", "superseded") for effect in effects)
        return back or self.doubt(entry.envelope.keyid, entry.index) is not None

    def doubt(self, fingerprint: str, index: int) -> str | None:
        """Return why what this key signed at `index` is contested, None when it is not."""
        key = self._keys.get(fingerprint)
        if key is None or key.since is None or index < key.since:
            return None
        return f"at {index}, by key {fingerprint}, which is revoked since {key.since}"


def require_harmless(effect: Effect, metric: str, name: str) -> None:
    """Refuse what this effect on the entry called `name` does to a claim about `metric`."""
    banner = f"entry {name} is {effect.word} by entry {effect.by}: {effect.reason}"
    if effect.word == "superseded":
        raise RefusedError("CLM501", banner)
    if effect.word == "retracted":
        raise RefusedError("CLM502", banner)
    if metric in effect.bars:
        raise RefusedError("CLM504", f"{metric} is barred by entry {effect.by}: {effect.reason}")
    fault = next(_faults(effect), None)
    if fault is not None:
        raise RefusedError("CLM503", f"{banner}{fault}")


def _faults(effect: Effect) -> Iterator[str]:
    """Yield in what a correction or amendment may touch a claim; what is unclear may."""
    unknown = [name for name in effect.bars if name not in METRICS]
    if unknown:
        yield f" (bars {unknown[0]!r}, which is no metric)"
    named = [*effect.affects, *(field for field, _ in effect.restated)]
    if not named and not effect.bars:
        yield ""
    struck = {place.partition(".")[0] for place in named} - _HARMLESS
    if struck:
        yield f" (struck: {', '.join(sorted(struck))})"
