"""What both probes need to be programs: words into numbers, errors into one line and a code.

`engine probe` is the command for people; the programs are what `engine run` puts under a lease.
"""

import json
import re
import signal
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

from engine.probes import report
from engine.probes.report import Gate
from engine.results.model import ResultFile
from receipts.errors import Error, UsageError
from receipts.exits import INTERRUPTED, NO, OK, SYSTEM

_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")


def decimal(option: str, text: str) -> Fraction:
    """Return the number that an option gives, exactly."""
    if not _DECIMAL.fullmatch(text):
        raise UsageError(f"{option} {text[:40]!r} is not a decimal number such as 0.5")
    return Fraction(text)


def milliseconds(option: str, seconds: str) -> int:
    """Return the whole milliseconds in what an option gives in seconds."""
    return int(decimal(option, seconds) * 1000)


def conclude(file: ResultFile, gate: Gate | None, *, as_json: bool) -> int:
    """Print what was found, and return the exit code: 1 where a gate failed."""
    if as_json:
        sys.stdout.write(json.dumps(report.view(file, gate), indent=2) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in report.text(file, gate))
    return code(gate)


def code(gate: Gate | None) -> int:
    """Return the exit code of a gate: 1 where it failed."""
    return OK if gate is None or gate.passed else NO


def run(body: Callable[[], int]) -> int:
    """Run the body of a program and return its exit code; an error is one line."""
    former = signal.signal(signal.SIGTERM, _interrupt)
    try:
        return body()
    except Error as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted; no raw file was written", INTERRUPTED)
    except OSError as error:
        return _fail(f"{error.filename or 'system'}: {error.strerror or error}", SYSTEM)
    finally:
        signal.signal(signal.SIGTERM, former)


def _interrupt(*_: object) -> NoReturn:
    """Let SIGTERM clean up as Ctrl-C does: that is how a lease ends its command."""
    raise KeyboardInterrupt


def _fail(sentence: str, exit_code: int) -> int:
    sys.stderr.write(f"error: {sentence}\n")
    return exit_code
