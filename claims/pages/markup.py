"""Plain words as Markdown that renders as they read, and back."""

from receipts import late as re

# What Markdown would take for markup; an underscore inside a word (`Q4_K_M`) is none.
_MARKUP = re.compile(r"[\\`*<>\[\]|~&$]|(?<![^\W_])_|_(?![^\W_])|\A[#+=-]")
_LIST = re.compile(r"\A(\d{1,9})([.)])(?=\s|\Z)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def escape(sentence: str) -> str:
    """Return `sentence` spelled so that Markdown renders it as it is."""
    return _LIST.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", sentence))


def unescape(text: str) -> str:
    """Return the words that `escape` spelled as `text`."""
    return _ESCAPED.sub(r"\1", text)
