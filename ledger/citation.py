"""From the words `receipt://…` to a receipt whose signer was allowed to sign it.

A receipt is cited by digest or by the name that a RUN entry gave it. Its signer is judged at the
index of the first entry that names it: runner if it was witnessed, engineer if it was attached.
"""

from difflib import get_close_matches

from ledger.log import Ledger
from receipts import receipt as receipts_format
from receipts.digest import Digest
from receipts.errors import MalformedError, NotFoundError, VerificationError
from receipts.receipt import SCHEME, Receipt
from receipts.store import ObjectStore

_SHOWN = 4


def resolve(ledger: Ledger, reference: str) -> str:
    """Return the URI by digest of the receipt that `reference` names."""
    if not reference.startswith(SCHEME):
        raise MalformedError(f"{reference!r} is not of the form {SCHEME}NAME or {SCHEME}sha256:…")
    name = reference.removeprefix(SCHEME)
    if name.startswith("sha256:"):
        return SCHEME + Digest.parse(name)
    for index in ledger.index.find("name", name):
        uri = getattr(ledger.entry(index).body, "receipt", None)
        if uri:
            return str(uri)
    raise NotFoundError(f"no run in this ledger is called {name!r}; {_near(ledger, name)}")


def _near(ledger: Ledger, name: str) -> str:
    """Return which names are meant perhaps: the cells of a window of several, or a slip."""
    names = ledger.index.values("name")
    near = [one for one in names if one.startswith(f"{name}.")] or get_close_matches(name, names)
    if not near:
        return "`ledger list --kind RUN` shows them"
    more = f" and {len(near) - _SHOWN} more" if len(near) > _SHOWN else ""
    return f"perhaps {', '.join(near[:_SHOWN])}{more}"


def open_cited(ledger: Ledger, store: ObjectStore, uri: str) -> Receipt:
    """Return the receipt with this URI by digest, its signature and its signer's role verified.

    Raises `NotFoundError` when the store lacks it, `VerificationError` when its bytes, its
    signature or its signer's role do not hold, `UnknownKeyError` when nobody enrolled the signer.
    """
    raw = store.get(receipts_format.digest_of(uri))
    receipt = receipts_format.parse(raw)
    named_at = first_mention(ledger, uri)
    trust = ledger.trust() if named_at is None else ledger.trust_at(named_at)
    signer = trust.require(receipt.envelope.keyid, receipt.signer_role)
    receipt.envelope.verify(signer.public)
    since = ledger.trust().signer(receipt.envelope.keyid).since
    if since is not None and (named_at is None or named_at >= since):
        raise VerificationError(
            f"key {receipt.envelope.keyid} was revoked: what it signed since entry {since} is "
            "contested"
        )
    return receipt


def first_mention(ledger: Ledger, uri: str) -> int | None:
    """Return the index of the first entry that names the receipt, None when none does."""
    found = ledger.index.find("run", uri) + ledger.index.find("cites", uri)
    return min(found, default=None)
