"""What may not run under a lease, wherever a command is named, and what merely looks like it."""

import pytest

from engine.apparatus import forbidden
from engine.apparatus.forbidden import ForbiddenError

REFUSED = {
    "a kill tool": ["pkill", "-9", "llama-server"],
    "by its path": ["/usr/bin/pkill", "x"],
    "a profiler": ["nsys", "profile", "./bench"],
    "another": ["perf", "stat", "./bench"],
    "in a shell": ["sh", "-c", "pkill x"],
    "after another command": ["bash", "-ec", "echo a; pkill x"],
    "after a pipe": ["sh", "-c", "pgrep x | xargs kill"],
    "after a condition": ["sh", "-c", "if true; then\n killall x\nfi"],
    "after an assignment": ["sh", "-c", "A=1 pkill x"],
    "in the background": ["sh", "-c", "sleep 1 & pkill x"],
    "after a redirection": ["sh", "-c", "echo a 2>&1 >log; pkill x"],
    "in a group": ["sh", "-c", "(cd /; pkill x)"],
    "in a function": ["sh", "-c", "f() { pkill x; }; f"],
    "in a substitution": ["sh", "-c", "echo $(pkill x)"],
    "in a quoted substitution": ["sh", "-c", 'echo "now $(pkill x)"'],
    "in backticks": ["sh", "-c", "echo `pkill x`"],
    "spelled in pieces": ["sh", "-c", "p'ki'll x"],
    "in a shell in a shell": ["sh", "-c", "bash -c 'sh -c \"pkill x\"'"],
    "with login flags": ["bash", "-l", "-o", "pipefail", "-c", "pkill x"],
    "behind env": ["env", "-u", "A", "B=1", "pkill", "x"],
    "in env's own text": ["env", "-S", "pkill x"],
    "in env's own text, joined": ["env", "--split-string=pkill x"],
    "behind nohup": ["nohup", "pkill", "x"],
    "behind timeout": ["timeout", "-s", "TERM", "5", "pkill", "x"],
    "behind xargs": ["xargs", "-n", "1", "kill"],
    "behind several": ["nice", "-n", "5", "setsid", "env", "nohup", "stdbuf", "-oL", "kill", "1"],
    "behind sudo": ["sudo", "-u", "root", "kill", "1"],
    "behind exec": ["sh", "-c", "exec kill 1"],
    "behind command": ["sh", "-c", "command kill 1"],
    "in a trap": ["sh", "-c", "trap 'pkill x' EXIT; true"],
    "by find": ["find", ".", "-exec", "kill", "{}", ";"],
    "by busybox": ["busybox", "kill", "1"],
    "by su": ["su", "ann", "-c", "kill 1"],
    "through eval": ["sh", "-c", "eval echo"],
    "through a variable": ["sh", "-c", "$TOOL x"],
    "through arguments": ["sh", "-c", 'exec "$@"', "sh", "pkill", "x"],
    "through a sourced file": ["sh", "-c", ". ./tools"],
    "unreadable": ["sh", "-c", "echo 'a"],
}
FINE = {
    "a plain command": ["./bench", "-p", "16"],
    "a word that is one": ["./decode", "--mode", "kill"],
    "a word in a shell": ["sh", "-c", "echo kill; ./decode --mode kill"],
    "a word behind a wrapper": ["timeout", "5", "./decode", "kill"],
    "a file of that name": ["cat", "/proc/kill"],
    "a shell": ["sh", "-c", 'python rows.py "$EVIDENCE_RAW" 1 5 > said 2>&1 && touch done'],
    "an empty trap": ["sh", "-c", "trap '' TERM; sleep 60 & wait"],
    "an assignment alone": ["sh", "-c", "A=1; B=$(date); echo $A$B"],
    "a condition": ["sh", "-c", "if [ -e once ]; then exit 3; fi; touch once"],
    "wrappers alone": ["env"],
}


@pytest.mark.parametrize("command", REFUSED.values(), ids=REFUSED)
def test_what_profiles_kills_or_hides_may_not_run(command):
    with pytest.raises(ForbiddenError, match=r"it may not run under a lease$") as caught:
        forbidden.require(command)

    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("command", FINE.values(), ids=FINE)
def test_what_only_looks_like_it_may_run(command):
    assert forbidden.require(command) == []


def test_a_link_to_a_kill_tool_is_one(tmp_path, monkeypatch):
    (tmp_path / "pkill").write_text("#!/bin/sh\n")
    (tmp_path / "pkill").chmod(0o755)
    (tmp_path / "harmless").symlink_to(tmp_path / "pkill")

    with pytest.raises(ForbiddenError, match="pkill ends what others run"):
        forbidden.require([str(tmp_path / "harmless")])


def test_nesting_beyond_reason_is_refused_and_ends():
    with pytest.raises(ForbiddenError, match="too deeply"):
        forbidden.require(["env"] * 500 + ["true"])


ADMITTED = ["nsys", "profile", "--output=trace", "./bench"]


def test_one_form_of_one_profiler_is_admitted_when_asked_for_and_taints():
    with pytest.raises(ForbiddenError):
        forbidden.require(ADMITTED)
    (taint,) = forbidden.require(ADMITTED, admit_profiler=True)
    assert taint.startswith("profiled by nsys")


@pytest.mark.parametrize(
    "command",
    [
        ["nsys", "profile", "./bench"],
        ["nsys", "profile", "--output=trace", "--kill=sigkill", "./bench"],
        ["nsys", "profile", "-o", "trace", "./bench"],
        ["nsys", "launch", "--output=trace", "./bench"],
        ["nsys", "profile", "--output=trace"],
        ["nsys", "profile", "--output=trace", "pkill", "x"],
        ["ncu", "--output=trace", "./bench"],
        ["sh", "-c", "nsys profile --output=trace ./bench"],
    ],
)
def test_no_other_form_is(command):
    with pytest.raises(ForbiddenError):
        forbidden.require(command, admit_profiler=True)
