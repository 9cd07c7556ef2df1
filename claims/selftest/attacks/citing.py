"""Citations that name nothing, something else, several things, or what no longer stands."""

from claims.selftest.attack import Attack


def _cited(name: str, code: str, wrong: str, right: str) -> Attack:
    """Return an attack whose finding stands where the wrong citation begins."""
    return Attack(name, f"§tuned§\n\nSee ⟪{code}⟫{wrong}.\n", f"§tuned§\n\nSee {right}.\n")


def _quoted(name: str, wrong: str, right: str) -> Attack:
    """Return an attack on the words that are quoted before a citation."""
    page = "§tuned§\n\nAs {} [ledger J3] says.\n"
    return Attack(name, page.format(f"⟪CLM704⟫{wrong}"), page.format(right))


_LOG = "benches/decode.log"
ATTACKS = (
    _cited("entry-missing", "CLM701", "[ledger J99]", "[ledger J3]"),
    _cited("entry-index-missing", "CLM701", "[ledger 5000]", "[ledger 0]"),
    _cited("receipt-missing", "CLM701", "[receipt stead]", "[receipt steady]"),
    _cited("claim-missing", "CLM701", "[claims #stead]", "[claims #steady]"),
    _cited("file-missing", "CLM701", "[benches/other.log:3]", f"[{_LOG}:3]"),
    _cited("line-missing", "CLM701", f"[{_LOG}:41]", f"[{_LOG}:40]"),
    _cited("section-missing", "CLM701", "[docs/method.md §Cool-down]", "[docs/method.md §Warm-up]"),
    _cited("uri-missing", "CLM701", "receipt://stead", "receipt://steady"),
    _cited("title-twice", "CLM702", '[ledger "Nightly matrix"]', '[ledger "Five-pair verdict"]'),
    _cited("section-twice", "CLM702", "[docs/method.md §Notes]", "[docs/method.md §3]"),
    _cited("entry-struck", "CLM703", "[ledger TAKEN-BACK]", "[ledger TAKEN-BACK], retracted since"),
    _cited("claim-struck", "CLM703", "[claims #replaced]", "[claims #better]"),
    _cited("line-says-otherwise", "CLM704", f'[{_LOG}:7 "7.6 tok/s"]', f'[{_LOG}:7 "7.5 tok/s"]'),
    _cited("date-says-otherwise", "CLM704", "[ledger J3, 1999-01-01]", "[ledger J3]"),
    _quoted("word-of-a-quotation", "“busy line”", "“busy time”"),
    _quoted("quotation-of-nothing", "“the only honest numerator”", "“the only honest denominator”"),
    _cited("path-outside", "CLM705", "[../../secret.txt:1]", f"[{_LOG}:1]"),
    _cited("path-absolute", "CLM705", "[/etc/passwd:1]", f"[{_LOG}:1]"),
    _cited("path-by-a-link", "CLM705", "[outside.log:1]", f"[{_LOG}:1]"),
    _cited("malformed-entry", "CLM706", "[ledger …]", "[ledger J3]"),
    _cited("malformed-line", "CLM706", f"[{_LOG}:9-3]", f"[{_LOG}:3-9]"),
)
