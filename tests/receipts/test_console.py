"""How the commands speak: exit codes, one line, and JSON alone where JSON was asked for."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from receipts import console, errors, exits

REPOSITORY = Path(console.__file__).parents[1]


def outcome(error):
    """Return what a command that raises `error` exits with and says."""

    @click.group(cls=console.Group)
    def tool():
        pass

    @tool.command()
    def fail():
        raise error

    done = CliRunner().invoke(tool, ["fail"], prog_name="tool")
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.Error, 4),
        (errors.MalformedError, 4),
        (errors.NotFoundError, 4),
        (errors.UnknownKeyError, 4),
        (errors.ConflictError, 4),
        (errors.UsageError, 2),
        (errors.VerificationError, 1),
        (errors.UndecidedError, 3),
        (errors.HeldError, 75),
        (errors.SystemFailureError, 74),
    ],
)
def test_an_error_is_one_line_and_its_exit_code(kind, code):
    assert outcome(kind("a thing is wrong; do this")) == (
        code,
        "",
        "tool: a thing is wrong; do this\n",
    )


def test_every_error_class_has_an_exit_code_of_the_table():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert len(kinds) == 10
    assert {kind.exit_code for kind in kinds} == {1, 2, 3, 4, 74, 75}


def test_the_systems_errors_name_the_file():
    error = PermissionError(13, "Permission denied", "/some/file")
    assert outcome(error) == (74, "", "tool: /some/file: Permission denied\n")
    assert outcome(OSError("odd")) == (74, "", "tool: odd\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_exits_130(error):
    code, stdout, stderr = outcome(error)
    assert (code, stdout) == (130, "")
    assert stderr.strip() == "tool: interrupted; what was finished is on record"


def test_a_message_stays_one_line_and_moves_no_cursor():
    _, _, stderr = outcome(errors.Error("a\nb\x1b[2Jc\ud800\u202e é×"))
    assert stderr == "tool: a\\nb\\x1b[2Jc\\ud800\\u202e é×\n"


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([], 0),
        ([0, 0], 0),
        ([0, 3], 3),
        ([3, 1, 0], 1),
        ([1, 4, 3], 4),
        ([0, 74], 74),
        ([4, 74, 75], 75),
        ([2], 2),
    ],
)
def test_the_worst_code_wins_and_an_unknown_one_is_never_success(codes, expected):
    assert exits.worst(codes) == expected


def test_a_table_is_aligned():
    assert console.table([["A", "BB"], ["long", "x"], ["", ""]]) == ["A     BB", "long  x", ""]


TOOL = """
import os, signal, sys, click
from receipts import console
@click.group(cls=console.Group)
def tool(): pass
@tool.command()
def bug(): raise ZeroDivisionError("ours")
@tool.command()
def wait():
    print("ready", flush=True)
    signal.pause()
@tool.command()
def flood():
    for _ in range(100000): click.echo("x" * 100)
@tool.command()
@console.json_option
def answer(as_json):
    console.note("aside")
    with console.progress("work", 3) as advance: advance(3)
    console.show({"a": ["é", 1]}, ["text"], as_json=as_json)
@tool.command()
def ask():
    console.ask_passphrase("/key")
console.run(tool)
"""


def tool(*arguments):
    return subprocess.Popen(
        [sys.executable, "-c", TOOL, *arguments],
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )


def test_an_unexpected_exception_is_a_traceback_and_exit_70():
    child = tool("bug")
    stdout, stderr = child.communicate(timeout=60)
    assert (child.returncode, stdout) == (70, "")
    assert "Traceback" in stderr
    assert "ZeroDivisionError: ours" in stderr
    assert stderr.endswith("this is a bug in evidence-ledger; please report the lines above\n")


def test_an_interrupt_signal_exits_130_without_a_traceback():
    child = tool("wait")
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "interrupted" in stderr
    assert "Traceback" not in stderr


def test_a_reader_that_goes_away_ends_the_command_quietly():
    child = tool("flood")
    assert child.stdout.readline().startswith("x")
    child.stdout.close()
    assert child.stderr.read() == ""
    child.stderr.close()
    assert child.wait(timeout=60) == 74


def test_json_is_one_document_and_nothing_else():
    child = tool("answer", "--json")
    stdout, stderr = child.communicate(timeout=60)
    assert child.returncode == 0
    assert json.loads(stdout) == {"a": ["é", 1]}
    assert stderr == "aside\n"


def test_text_is_printed_where_json_was_not_asked_for():
    child = tool("answer")
    stdout, _ = child.communicate(timeout=60)
    assert stdout == "text\n"


def test_nobody_is_asked_for_a_passphrase_where_there_is_no_terminal():
    child = tool("ask")
    _, stderr = child.communicate(timeout=60)
    assert child.returncode == 2
    assert "key /key needs a passphrase, and there is no terminal to ask on" in stderr


@pytest.mark.parametrize("arguments", [["--nonsense"], ["nonsense"], ["answer", "extra"]])
def test_wrong_usage_exits_2(arguments):
    child = tool(*arguments)
    stdout, stderr = child.communicate(timeout=60)
    assert (child.returncode, stdout) == (2, "")
    assert "Usage:" in stderr
