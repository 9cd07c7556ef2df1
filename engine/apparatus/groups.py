"""Process groups that we started: waited for without being collected, and ended.

    child = subprocess.Popen(command, process_group=0)
    status, left = end(child, grace=2.0)        # how its leader ended, and who had stayed behind

Nothing else is ever signalled. A group is ours for as long as its leader has not been collected:
until then its number cannot have passed to a stranger.
"""

import os
import signal
import subprocess
import time
from contextlib import suppress

from engine.apparatus import processes

POLL_SECONDS = 0.02
Child = subprocess.Popen[bytes]


def has_ended(child: Child) -> bool:
    """Say whether the leader has ended, without collecting it."""
    if child.returncode is not None:
        return True
    if not hasattr(os, "waitid"):  # macOS before Python 3.13: collected, then never signalled
        return child.poll() is not None
    return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def await_end(child: Child, seconds: float) -> bool:
    """Wait for the leader's end, no longer than `seconds`; say whether it came."""
    deadline = time.monotonic() + seconds
    while not has_ended(child):
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def end(child: Child, grace: float) -> tuple[int, list[int]]:
    """End the group, gently and then firmly; return its leader's status and who was left then.

    Left are processes of the group that are still there when its leader has ended, or when the
    seconds of `grace` are over.
    """
    if not has_ended(child):
        signal_group(child, signal.SIGTERM)
        await_end(child, grace)
    left = processes.members(child.pid)
    # Also when the leader has gone: a member that ignores SIGTERM would run beside what comes next.
    signal_group(child, signal.SIGKILL)
    return child.wait(), left


def signal_group(child: Child, number: int) -> None:
    """Signal the group if its leader has not been collected yet."""
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number)
