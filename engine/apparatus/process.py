"""One command as a process group of its own: started, waited for, and ended when it must be.

Only the group that was started here is ever signalled. Ctrl-C, SIGTERM and SIGHUP to us end it, and
so does the end of its leader: what a command leaves behind would run beside the next measurement.
The leader is collected last, so that its number cannot have passed to a stranger. A command that
is not done by its deadline is ended with its group, once, and nothing is tried again. It is not
tied to our own life (no parent-death signal): the lock's descriptor in its hands keeps the host
leased for as long as it runs.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from engine.apparatus import processes
from engine.apparatus.processes import Started

GRACE_SECONDS = 5.0
POLL_SECONDS = 0.02
INTERRUPTED = "interrupted"
_TERM, _HUP = signal.SIGTERM, signal.SIGHUP


@dataclass(frozen=True)
class Done:
    """How a command ended: `fault` says why it does not count, None when it ended well."""

    exit_status: int | None
    fault: str | None
    warnings: tuple[str, ...] = ()
    overdue: bool = False
    """Whether it was ended because its deadline had passed."""


def run(  # noqa: PLR0913 - what is told of a start and of an end stands by itself
    command: list[str],
    log: Path,
    variables: Mapping[str, str],
    descriptors: int | Sequence[int],
    *,
    deadline: float | None = None,
    on_start: Callable[[Started], None] = lambda _: None,
    on_end: Callable[[], None] = lambda: None,
) -> Done:
    """Run `command` with its output in the new file `log` and `descriptors` in its hands.

    `deadline` is in seconds; `on_start` is told the process as soon as there is one, `on_end` when
    it is over and its group not ended yet. One that is interrupted is ended at once.
    """
    child = None
    handed = (descriptors,) if isinstance(descriptors, int) else tuple(descriptors)
    with log.open("xb") as output, _interruptible():
        try:
            with _interrupts_held_back():
                child = subprocess.Popen(  # noqa: S603 - running the person's command is the purpose
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, **variables},
                    pass_fds=handed,
                    start_new_session=True,
                )
            on_start(processes.started(child.pid))
            done = _await(child, deadline)
            on_end()
            if not done:
                status = _end(child)
                late = f"the command ran past its deadline of {deadline:g} s"
                return Done(status, late, overdue=True)
        except (OSError, ValueError) as error:
            return Done(None, f"{command[0][:200]}: {getattr(error, 'strerror', None) or error}")
        except KeyboardInterrupt:
            return Done(_end(child) if child else None, INTERRUPTED)
        warnings = _end_leftovers(child)
        status = child.wait()
        os.fsync(output.fileno())
    return Done(status, _fault(status), warnings)


def _fault(status: int) -> str | None:
    if status < 0:
        return f"the command died of {_signal_name(-status)}"
    return f"the command exited with {status}" if status else None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal has no name of its own
        return f"signal {number}"


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let SIGTERM and SIGHUP interrupt as Ctrl-C does, so that a cancelled job is on record."""
    former = {number: signal.signal(number, _interrupt) for number in (_TERM, _HUP)}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let interrupts wait until the process that is being started is known, and can be ended."""
    caught: list[int] = []
    numbers = (signal.SIGINT, _TERM, _HUP)
    former = {n: signal.signal(n, lambda number, _: caught.append(number)) for n in numbers}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
    if caught:
        raise KeyboardInterrupt


def _end(child: "subprocess.Popen[bytes]") -> int | None:
    """End the group, gently and then firmly; return its leader's status."""
    _signal(child, signal.SIGTERM)
    # A second Ctrl-C means: firmly, now.
    with suppress(KeyboardInterrupt):
        _await(child, GRACE_SECONDS)
    # Also when the leader has gone: a member that ignores SIGTERM would hold the lock.
    _signal(child, signal.SIGKILL)
    return child.wait()


def _end_leftovers(child: "subprocess.Popen[bytes]") -> tuple[str, ...]:
    """End what is left of the group when its leader has ended; say so if anything was left."""
    left = processes.members(child.pid)
    _signal(child, signal.SIGKILL)
    return ("the command left processes behind; they were ended",) if left else ()


def _await(child: "subprocess.Popen[bytes]", seconds: float | None = None) -> bool:
    """Wait for the leader's end without collecting it: until then its number is nobody else's.

    Returns whether it ended within `seconds`.
    """
    if not hasattr(os, "waitid"):  # macOS before Python 3.13: collected, then never signalled
        with suppress(subprocess.TimeoutExpired):
            child.wait(seconds)
        return child.returncode is not None
    flags = os.WEXITED | os.WNOWAIT
    if seconds is None:
        os.waitid(os.P_PID, child.pid, flags)
        return True
    deadline = time.monotonic() + seconds
    while not os.waitid(os.P_PID, child.pid, flags | os.WNOHANG):
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def _signal(child: "subprocess.Popen[bytes]", number: int) -> None:
    """Signal the group, which is ours for as long as its leader has not been collected."""
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number)
