"""Generated regions: text between two comments that a program wrote and a person must not edit.

::

    <!-- claim:begin C16 sha256=9f86d0… -->
    The tuned decoder runs at 1.25× the plain one (n = 5).
    <!-- claim:end C16 -->

The digest is of the text between the two comments: its lines without white space at their ends,
each closed by LF, without empty lines at either edge. So an editor that changes line endings or
strips blanks breaks nothing, and a changed digit does.
"""

from hashlib import sha256


def normal(text: str) -> str:
    """Return the text of a region as it is digested."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return "\n".join(lines).strip("\n") + "\n"


def digest(text: str) -> str:
    """Return the digest that the opening comment of a region with this text carries."""
    return sha256(normal(text).encode("utf-8")).hexdigest()


def write(claim: str, text: str) -> str:
    """Return the region of `claim` with this text, comments included."""
    body = normal(text)
    return f"<!-- claim:begin {claim} sha256={digest(body)} -->\n{body}<!-- claim:end {claim} -->\n"
