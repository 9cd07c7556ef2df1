"""A generated region, whole and edited by hand."""

from claims.pages import regions

SENTENCE = "Prefill reaches 35.2 tok/s (median of 5 runs)."


def region(old: str, new: str) -> tuple[str, str]:
    """Return a page whose region was edited, marked where that is told, and the same unedited."""
    whole = regions.write("steady", SENTENCE)
    edited = SENTENCE.replace(old, new)
    code = "CLM102" if any(map(str.isdigit, new)) else None
    begin, _, end = whole.partition(SENTENCE)
    if code:
        body = edited.replace(new, f"⟪{code}⟫{new}")
        return f"⟪CLM040⟫{begin}{body}{end}", whole
    return f"⟪CLM040⟫⟪CLM404⟫{begin}{edited}{end}", whole
