"""Commands that may not run under a lease: profilers, kill tools, and shells that hide them.

A profiler changes what is measured, a kill tool ends what others measure. Both are looked for where
a program is named: as the command, behind wrappers (`env`, `nohup`, `timeout`, `xargs`, …), and at
every place of a shell's text where a command stands. A word that merely spells one (`--mode kill`)
is none. A shell text that hides what it runs (`eval`, `$TOOL`, unreadable quoting) is refused.

This is a seat belt, not a sandbox: what a program does by itself is not seen, neither a script
file's lines nor `python -c 'os.kill(…)'`.

One profiler is admitted, by one form, with `--admit-profiler`; the run is tainted by it::

    nsys profile --output=FILE COMMAND…
"""

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from receipts.errors import UsageError

KILLERS = frozenset(
    (
        *("kill", "pkill", "killall", "killall5", "skill", "snice", "fuser", "xkill", "slay"),
        *("tkill", "systemctl", "reboot"),
    )
)
PROFILERS = frozenset(
    (
        *("xctrace", "instruments", "gputrace", "dtrace", "dtruss", "spindump", "powermetrics"),
        *("nsys", "ncu", "nvprof", "nv-nsight-cu-cli", "nsight-sys", "compute-sanitizer"),
        *("perf", "strace", "ltrace", "bpftrace", "gdb", "lldb", "valgrind", "uftrace", "sysprof"),
        *("rocprof", "rocprofv2", "rocprofv3", "rocprof-compute", "rocprof-sys-run", "omnitrace"),
        *("omniperf", "vtune", "amplxe-cl", "py-spy", "austin", "scalene", "memray", "samply"),
    )
)
SHELLS = frozenset(
    ("sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh"),
)
_HIDES = frozenset(("eval", "source", ".", "parallel"))
_KEYWORDS = frozenset(
    ("then", "do", "else", "elif", "if", "while", "until", "!", "{", "time"),
)
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=.*", re.DOTALL)
_PUNCTUATION = ";&|()<>\n`"
_SEPARATORS = frozenset(";&|()\n`")
_REDIRECTION = re.compile(r"[<>]&|&>|>\|")
_INNER = re.compile(r"\$\(|`")
_MAX_DEPTH = 16


@dataclass(frozen=True)
class _Wrapper:
    """How a wrapper's words run: options that take the next word, and words before the command."""

    valued: frozenset[str] = frozenset()
    before: int = 0
    text: frozenset[str] = frozenset()
    """Options whose value is itself a text for a shell, or words to split."""


def _wrapper(valued: str = "", before: int = 0, text: str = "") -> _Wrapper:
    return _Wrapper(frozenset(valued.split()), before, frozenset(text.split()))


_WRAPPERS: Mapping[str, _Wrapper] = {
    "env": _wrapper("-u --unset -C --chdir -a --argv0", text="-S --split-string"),
    "nohup": _wrapper(),
    "timeout": _wrapper("-k --kill-after -s --signal", before=1),
    "gtimeout": _wrapper("-k --kill-after -s --signal", before=1),
    "xargs": _wrapper("-I -n -P -L -d -E -s -a --max-args --max-procs --replace --delimiter"),
    "nice": _wrapper("-n --adjustment"),
    "ionice": _wrapper("-c -n --class --classdata"),
    "setsid": _wrapper(),
    "stdbuf": _wrapper("-i -o -e --input --output --error"),
    "time": _wrapper("-f -o --format --output"),
    "taskset": _wrapper(before=1),
    "chrt": _wrapper("-T -P -D --sched-runtime --sched-period --sched-deadline", before=1),
    "numactl": _wrapper("-N -m -C -i -p --cpunodebind --membind --physcpubind --interleave"),
    "sudo": _wrapper("-u -g -h -p -C -r -t -U -D -R --user --group"),
    "doas": _wrapper("-u -C"),
    "su": _wrapper("-s --shell -g --group", before=1, text="-c --command"),
    "chroot": _wrapper(before=1),
    "unshare": _wrapper(),
    "nsenter": _wrapper("-t --target"),
    "flock": _wrapper("-w --timeout -E", before=1, text="-c --command"),
    "script": _wrapper(text="-c --command"),
    "watch": _wrapper("-n --interval"),
    "systemd-run": _wrapper("-p --property -u --unit -E --setenv"),
    "setarch": _wrapper(),
    "prlimit": _wrapper(),
    "busybox": _wrapper(),
    "toybox": _wrapper(),
    "command": _wrapper(),
    "builtin": _wrapper(),
    "exec": _wrapper("-a"),
    "catchsegv": _wrapper(),
    "unbuffer": _wrapper(),
    "trap": _wrapper(),
}
_FIND = frozenset(("-exec", "-execdir", "-ok", "-okdir"))


class ForbiddenError(UsageError):
    """A command that may not run under a lease; trying again later does not help."""


def require(command: Sequence[str], *, admit_profiler: bool = False) -> list[str]:
    """Return the taints of a command that may run; `ForbiddenError` for one that may not."""
    words = list(command)
    if admit_profiler and (behind := _admitted(words)):
        require(behind)
        return ["profiled by nsys: its times are not those of the command alone"]
    why = next(_found(words, 0, fills=False), None)
    if why:
        raise ForbiddenError(f"{why}; it may not run under a lease")
    return []


def _admitted(words: list[str]) -> list[str]:
    """Return the command behind the one admitted form of a profiler, [] where it is another."""
    form = words[:2] == ["nsys", "profile"] and len(words) > 3
    if form and re.fullmatch(r"--output=[^-].*", words[2]) and not words[3].startswith("-"):
        return words[3:]
    return []


def _found(words: Sequence[str], depth: int, *, fills: bool) -> Iterator[str]:
    """Yield what is forbidden in the words of one command; `fills`: a shell fills in variables."""
    if depth > _MAX_DEPTH:
        yield "the command wraps itself too deeply to be seen through"
        return
    rest = list(words)
    while rest and _ASSIGNMENT.fullmatch(rest[0]):
        rest.pop(0)
    if not rest:
        return
    yield from _hiding(rest[0]) if fills else ()
    yield from _named(rest[0])
    name = Path(rest[0]).name
    if name in SHELLS:
        yield from _script(rest[1:], depth)
    elif name == "find":
        for at in [at for at, word in enumerate(rest) if word in _FIND]:
            yield from _found(rest[at + 1 :], depth + 1, fills=fills)
    elif name in _WRAPPERS:
        yield from _wrapped(rest[1:], _WRAPPERS[name], depth, fills=fills)


def _named(word: str) -> Iterator[str]:
    """Yield what is forbidden in a program's name, as written and as the file that it leads to."""
    path = shutil.which(word)
    bases = {Path(word).name, Path(path).resolve().name if path else ""}
    for base in sorted(bases):
        if base in KILLERS:
            yield f"{base} ends what others run"
        elif base in PROFILERS:
            yield f"{base} is a profiler, which changes what is measured"


def _wrapped(words: Sequence[str], wrapper: _Wrapper, depth: int, *, fills: bool) -> Iterator[str]:
    rest, before = list(words), wrapper.before
    while rest:
        word = rest.pop(0)
        option, text = _given(word, wrapper)
        if option in wrapper.text:
            yield from _text("".join(rest[:1]) if text is None else text, depth + 1)
            rest = rest[1:] if text is None else rest
        elif word in wrapper.valued:
            rest = rest[1:]
        elif word.startswith("-") and len(word) > 1:
            continue
        elif before:
            before -= 1
        elif " " in word:  # the text of a command, as watch and trap take it
            yield from _text(word, depth + 1)
        else:
            yield from _found([word, *rest], depth + 1, fills=fills)
            return


def _given(word: str, wrapper: _Wrapper) -> tuple[str, str | None]:
    """Return option and value of `--name=value` and `-Nvalue`, else the word and None."""
    name, equals, value = word.partition("=")
    if equals and name.startswith("--"):
        return name, value
    if word[:2] in wrapper.text and len(word) > 2:
        return word[:2], word[2:]
    return word, None


def _script(words: Sequence[str], depth: int) -> Iterator[str]:
    rest = list(words)
    while rest and rest[0].startswith(("-", "+")):
        flag = rest.pop(0)
        if flag in ("-o", "+o", "-O", "+O", "--rcfile", "--init-file"):
            rest = rest[1:]
        elif not flag.startswith("--") and "c" in flag:
            yield from _text(_behind(rest), depth + 1)
            return


def _behind(words: Sequence[str]) -> str:
    """Return the text behind `-c`, past further options (`sh -c -e TEXT`)."""
    return next((word for word in words if not word.startswith(("-", "+"))), "")


def _text(text: str, depth: int) -> Iterator[str]:
    """Yield what is forbidden in a text that a shell runs."""
    if depth > _MAX_DEPTH:
        yield "the command wraps itself too deeply to be seen through"
        return
    try:
        tokens = list(_tokens(text))
    except ValueError as error:
        yield f"a shell's text cannot be read ({str(error).lower()})"
        return
    for token in tokens:
        if _INNER.search(token):
            # A substitution inside quotes: what stands behind it is a text of its own.
            yield from _text(_INNER.split(token, maxsplit=1)[1].rstrip(")`"), depth + 1)
    for words in _commands(tokens):
        yield from _found(words, depth + 1, fills=True)


def _hiding(word: str) -> Iterator[str]:
    if word in _HIDES or word.startswith("$"):
        yield f"a shell hides what it runs behind {word[:40]}"


def _tokens(text: str) -> Iterator[str]:
    lexer = shlex.shlex(text.replace("\\\n", ""), posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    lexer.wordchars += "$%,:@!{}[]^"
    return iter(lexer)


def _commands(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Yield the words of every command in the tokens of a shell's text."""
    words: list[str] = []
    redirected = False
    for token in tokens:
        if token and not set(token) - set(_PUNCTUATION):
            redirected = token[-1] in "<>&" and bool(set(token) & set("<>"))
            if set(_REDIRECTION.sub("", token)) & _SEPARATORS:
                yield from ([words] if words else [])
                words = []
        elif redirected:
            redirected = False
        elif words or (token not in _KEYWORDS and not _ASSIGNMENT.fullmatch(token)):
            words.append(token)
    yield from ([words] if words else [])
