"""Time, taken in one place, and its text: RFC 3339 in UTC with milliseconds.

    2026-11-29T10:00:00.000Z

Nobody else reads the time; whoever needs it is given a `Clock`.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from receipts.errors import MalformedError

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - the one place that reads the clock


def format_time(moment: datetime) -> str:
    """Return `moment` as text with milliseconds, as it stands in signed bytes."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """Return the moment that `text` names; `MalformedError` unless it is spelled as we spell it."""
    try:
        moment = datetime.fromisoformat(text)
        spelled = format_time(moment)
    except (ValueError, OverflowError) as error:
        raise MalformedError(f"time {text!r} is not RFC 3339") from error
    if moment.tzinfo is None or spelled != text:
        raise MalformedError(f"time {text!r} is not in the form 2026-11-29T10:00:00.000Z")
    return moment
