"""The one root of everything that can go wrong, and the few kinds somebody branches on.

The sentence in an error names the object, the place and the remedy, in one line, lower case and
without a full stop. `exit_code` is what a command exits with when the error reaches it.
"""


class Error(Exception):
    """Input is missing, malformed or in conflict: one line for a person, exit code 4."""

    exit_code = 4


class MalformedError(Error):
    """Bytes that do not follow their format; nothing in them may be believed."""

    def __init__(self, message: str, path: tuple[int | str, ...] = ()) -> None:
        super().__init__(message)
        self.path = path
        """The field at fault inside the document, where it is known."""


class NotFoundError(Error):
    """A name, digest or path that names nothing."""


class UnknownKeyError(Error):
    """A key that nobody enrolled; nothing can be said about what it signed."""


class ConflictError(Error):
    """What was asked would contradict what is already on record."""


class UsageError(Error):
    """Options that do not go together."""

    exit_code = 2


class VerificationError(Error):
    """A signature, digest, chain link or role does not hold: the answer is no."""

    exit_code = 1


class UndecidedError(Error):
    """The question could not be answered: nothing checked, unreadable, or too little of it."""

    exit_code = 3


class HeldError(Error):
    """The device or the ledger is held by somebody else; trying again later may succeed."""

    exit_code = 75


class SystemFailureError(Error):
    """The operating system failed us: disk full, permission, input or output error."""

    exit_code = 74
