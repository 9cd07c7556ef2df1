"""What pages say of struck claims: as the ledger has it written, and as nobody would write it."""

from collections.abc import Callable, Mapping

from claims.desk import Desk
from claims.notices import banners, striking
from claims.notices.banners import Notice

_SHOWN = 12


def _struck(desk: Desk, claim: str, sentence: str) -> str:
    """Return the sentence under its notice, as `claims affected --write` writes it."""
    notice = desk.strikes.notice(claim, desk.strikes.of(claim)[0])
    return striking.strike(f"{sentence}<!--claim:{claim}-->\n", notice).source


def _outdated(desk: Desk, claim: str, sentence: str) -> str:
    """Return a banner that names what took the claim's place at first, and fell since."""
    strike = desk.strikes.of(claim)[0]
    instead = desk.here.ledger.by_id(str(strike.replacement))
    place = (instead.index, instead.body.label)
    notice = Notice(claim, strike.word, strike.by, strike.reason, *place)
    return f"{banners.banner(notice, [sentence])}{sentence}<!--claim:{claim}-->\n"


def _unjust(desk: Desk, claim: str, sentence: str) -> str:
    """Return a tombstone by an entry that does not strike the claim."""
    by = desk.here.ledger.index.of_kinds("RETRACTION")[0]
    return banners.tombstone(Notice(claim, "retracted", by, "the fan had stopped"), sentence)


def _row(desk: Desk, claim: str, _: str) -> str:
    """Return the tombstone of a claim that the register itself lists as withdrawn."""
    gone = next(one for one in desk.strikes.rows() if one.notice.claim == claim)
    return banners.tombstone(gone.notice, gone.sentence)


def _unlisted(_: Desk, claim: str, sentence: str) -> str:
    """Return such a tombstone of a claim that the register does not withdraw."""
    return banners.tombstone(Notice(claim, "withdrawn", None, "the fan had stopped"), sentence)


def _idle(desk: Desk, claim: str, sentence: str) -> str:
    """Return a banner that names nothing in the place of the claim."""
    notice = desk.strikes.notice(claim, desk.strikes.of(claim)[0])
    return f"{banners.banner(notice, [sentence])}{sentence}<!--claim:{claim}-->\n"


def _receipt(desk: Desk, claim: str, _: str) -> str:
    """Return enough of the digest of the claim's receipt to tell it."""
    found = desk.judge.judge(desk.register.find(claim)).evidence.receipt
    return found.digest.hex[:_SHOWN] if found else ""


MADE: Mapping[str, Callable[[Desk, str, str], str]] = {
    "struck": _struck,
    "outdated": _outdated,
    "unjust": _unjust,
    "row": _row,
    "unlisted": _unlisted,
    "idle": _idle,
    "receipt": _receipt,
}
