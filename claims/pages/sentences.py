"""Where a sentence ends, so that a marker, a page and a wording agree on what one sentence is."""

from receipts import late as re

# The text from a full stop to the white space behind it ends a sentence, closing marks included.
_CLOSING = r"[\"'”’»)\]]*+"
# It starts with one class, so that the text between is passed over in one go.
_END = re.compile(
    rf"[.!?。！？](?:(?<=[.!?])(?<![.!?][.!?])[.!?]*+{_CLOSING}(?=\s|\Z)"
    r"|(?<=[。！？])[。！？]*+[”’」』）]*+)"
)
_FINISHED = re.compile(rf"(?:[.!?]{_CLOSING}|[。！？][”’」』）]*+)\Z")
_ABBREVIATION = re.compile(r"(?:^|[\s(\[])(?:vs|e\.g|i\.e|cf|approx|al|fig)\Z", re.IGNORECASE)
_NUMERO = re.compile(r"(?:^|[\s(\[])no\Z", re.IGNORECASE)
_DIGIT_FOLLOWS = re.compile(r"\s+\d")
_LONGEST_ABBREVIATION = len("(approx")
_LONGEST_ENDING = 16


def sentence_ends(text: str) -> list[int]:
    """Return the offsets behind the last character of each sentence that ends inside `text`."""
    return [end.end() for end in _END.finditer(text) if not _is_abbreviation(text, end)]


def is_finished(text: str, end: int) -> bool:
    """Say whether `text` up to `end` closes with a sentence's mark, closing marks included."""
    return _FINISHED.search(text[max(0, end - _LONGEST_ENDING) : end]) is not None


def _is_abbreviation(text: str, end: re.Match[str]) -> bool:
    if end[0] != ".":
        return False
    before = text[max(0, end.start() - _LONGEST_ABBREVIATION) : end.start()]
    if _NUMERO.search(before):
        return _DIGIT_FOLLOWS.match(text, end.end()) is not None
    return _ABBREVIATION.search(before) is not None
