"""What a check said, kept: where nothing that it read has changed since, it is said again.

A check is a function of the files that it opens. While one runs, every file that the process opens
is noted (Python's audit events tell, whoever opens it): pages, registers, `evidence.yaml`,
receipts, raw files, remembered heads, files that were looked for in vain, and the program's own
modules. The answer is said again only where each of them is what it was:

* text by the SHA-256 of its bytes, taken before the check read it;
* files named by their own digest, and the ledger, by size, inode and times of change, of which one
  is set by the machine alone; the ledger also by its number of entries and its head, read from it.

Whatever is unclear (a file changed a moment ago, something written, a relative handle) is not kept.
"""

import functools
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, ParamSpec

import click

from claims.remembering import states
from claims.remembering.copied import Tee, unpacked
from claims.remembering.states import BESIDE, State
from receipts import late as re

FORMAT = 1
MOST_KEPT = 64
MOST_BYTES = 64 * 1024 * 1024
_PACKAGES = ("claims", "engine", "ledger", "receipts")
_KEPT_CODES = (0, 1, 3)
_VOLATILE = ("/proc/", "/dev/", "/sys/")
_P = ParamSpec("_P")


def remembered(command: Callable[_P, None]) -> Callable[_P, None]:
    """Wrap a command that only reads: say its last answer again where nothing has changed.

    The command takes `fresh`; with it, nothing is looked up.
    """

    @functools.wraps(command)
    def wrapped(*args: _P.args, **kwargs: _P.kwargs) -> None:
        place = _place(sorted((name, repr(value)) for name, value in kwargs.items()))
        fresh = bool(kwargs.pop("fresh", False))
        answer = None if fresh else _recall(place)
        if answer is not None:
            _say(answer)
        else:
            _run(place, functools.partial(command, *args, **kwargs), fresh=fresh)

    return wrapped


def rests_on(path: Path) -> None:
    """Note that the answer depends on what stands at `path`, and where a link there leads.

    For what is looked for without being opened: Python tells nobody of that.
    """
    if _watch is not None:
        _watch.look_at(path)


def current() -> "Watch | None":
    """Return what watches the files of the command that runs, None where nothing is kept."""
    return _watch


def place_of(room: str, words: list[tuple[str, str]], tail: str) -> Path:
    """Return where what `words` name, asked here by this person today, is kept in a room."""
    told = {name: os.environ[name] for name in os.environ if name.startswith(_TELLING)}
    words = [word for word in words if word[0] != "fresh"]
    call = [FORMAT, words, str(Path.cwd()), sorted(told.items()), sys.version]
    call.append(int(time.time() // 86400))
    name = hashlib.sha256(json.dumps(call).encode()).hexdigest()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "evidence-ledger" / room / f"{name}{tail}"


def _place(words: list[tuple[str, str]]) -> Path:
    return place_of("answers", words, ".json")


def _state_folder() -> str:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return str(Path(base) / "evidence-ledger")


_TELLING = ("EVIDENCE_", "GITHUB_", "XDG_", "HOME", "LANG", "LC_", "NO_COLOR", "PYTHONPATH")


def _recall(place: Path) -> dict[str, Any] | None:
    try:
        if not states.is_ours(place) or not states.is_ours(place.parent):
            return None
        kept: dict[str, Any] = json.loads(place.read_bytes())
        ours = kept["format"] == FORMAT and kept["seal"] == _seal(kept)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not ours or not states.still(kept["inputs"]):
        return None
    return kept


def _say(kept: dict[str, Any]) -> None:
    for stream, packed in ((sys.stdout, kept["stdout"]), (sys.stderr, kept["stderr"])):
        for part in unpacked(packed):
            stream.write(part)
    tell_of(kept["at"], kept["inputs"], "answered from memory: nothing changed since")
    raise click.exceptions.Exit(kept["code"])


def tell_of(at: str, inputs: dict[str, State], what: str) -> None:
    """Tell on stderr that something was remembered, since when, and on which head it rests."""
    heads = [state for state in inputs.values() if state[0] == "ledger"]
    told = ", ".join(f"{state[1]} entries, head {str(state[2])[:16]}…" for state in heads)
    sys.stderr.write(f"claims: {what} {at}; ledger: {told or 'none'}\n")


def _run(place: Path, command: Callable[[], None], *, fresh: bool) -> None:
    code = 0
    out, err = Tee(sys.stdout), Tee(sys.stderr)
    with _watching(fresh=fresh) as watch, redirect_stdout(out), redirect_stderr(err):
        watch.look_for_configuration()
        try:
            command()
        except click.exceptions.Exit as done:
            code = done.exit_code
            raise
        except BaseException:
            code = -1
            raise
        finally:
            watch.settle()
            if code in _KEPT_CODES and not watch.spoilt:
                watch.conclude()
                _keep(place, code, (out.packed(), err.packed()), watch.seen)


def _keep(
    place: Path, code: int, said: tuple[str | None, str | None], seen: dict[str, State]
) -> None:
    inputs = with_program(seen)
    if None in said or inputs is None:
        return
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    kept = {"format": FORMAT, "at": at, "code": code, "stdout": said[0], "stderr": said[1]}
    kept["inputs"] = inputs
    kept["seal"] = _seal(kept)
    data = json.dumps(kept).encode()
    if len(data) > MOST_BYTES:
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside = place.with_suffix(f".{os.getpid()}")
        beside.write_bytes(data)
        beside.chmod(0o600)
        beside.replace(place)
        prune(place.parent, ".json", MOST_KEPT)
    except OSError:
        return  # an answer that cannot be kept is worked out again


def with_program(seen: dict[str, State]) -> dict[str, State] | None:
    """Return all that was seen with our own modules, None where a file changed a moment ago."""
    inputs = {**seen, **{path: states.state(path, "file") for path in _modules()}}
    if any(state[0] == "file" and states.is_fresh(state) for state in inputs.values()):
        return None
    return inputs


def prune(folder: Path, tail: str, most: int) -> None:
    """Delete the oldest files that end so, until `most` are left."""
    kept = sorted(folder.glob(f"*{tail}"), key=lambda path: path.stat().st_mtime_ns)
    for path in kept[:-most]:
        path.unlink(missing_ok=True)


def _seal(kept: dict[str, Any]) -> str:
    """Return a digest of all that is kept: half a file is no answer."""
    told = {name: value for name, value in kept.items() if name != "seal"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _modules() -> Iterator[str]:
    """Yield the files of our own modules that are loaded: another program gives another answer."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and name.partition(".")[0] in _PACKAGES:
            yield str(file)


def _absolute(path: str) -> str:
    # Not resolved: a link that leads elsewhere tomorrow is another file.
    return os.path.abspath(path)  # noqa: PTH100 - the other way resolves


class Watch:
    """What a run has opened, each file as it was just before."""

    def __init__(self, *, fresh: bool) -> None:
        self.seen: dict[str, State] = {}
        self.fresh = fresh
        self.last: Callable[[], None] | None = None
        """What is done once all has been seen, on a run whose answer may be kept."""
        self.spoilt = False
        self._own = _state_folder()
        self._written: set[str] = set()
        self._inside = False

    def look_for_configuration(self) -> None:
        """Note what is asked for without being opened: configuration nearer by, newer heads."""
        here = Path.cwd()
        for folder in (here, *here.parents):
            self._note(str(folder / "evidence.yaml"), "text")
        for name in _REMEMBERED:
            self._note(f"{self._own}/{name}", "folder")

    def look_at(self, path: Path) -> None:
        """Note what stands at a path, in place of what was known of it before."""
        kind = "folder" if path.is_dir() else "text"
        self.seen[_absolute(str(path))] = states.state(str(path), kind)

    def conclude(self) -> None:
        """Do what was left for the end."""
        if self.last is not None:
            self.last()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Note nothing of what is opened for memory's own sake."""
        before, self._inside = self._inside, True
        try:
            yield
        finally:
            self._inside = before

    def take(self, event: str, args: tuple[Any, ...]) -> None:
        """Note what an audit event tells."""
        if self._inside:
            return
        self._inside = True
        try:
            self._take(event, args)
        finally:
            self._inside = False

    def _take(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            self._open(*args[:3])
        elif event == "sqlite3.connect":
            self._database(args[0])
        elif event in ("os.listdir", "os.scandir") and isinstance(args[0], str):
            self._note(args[0] or ".", "folder")
        elif event in _WRITING and not self._remembers(args):
            self.spoilt = True

    def _remembers(self, args: tuple[Any, ...]) -> bool:
        """Say whether what is written is what the verification of the ledger remembers.

        Bytecode that Python keeps of a module is no more than that either.
        """
        paths = [_absolute(os.fsdecode(a)) for a in args if isinstance(a, str | bytes)]
        if paths and all(map(_is_bytecode, paths)):
            return True
        inside = {path for path in paths if path.startswith(f"{self._own}/")}
        self._written |= inside
        return bool(paths) and {*paths} == inside

    def settle(self) -> None:
        """Take what this run itself has remembered as it is now."""
        for path in self._written & self.seen.keys():
            self.seen[path] = states.state(path, self.seen[path][0])
        for name in _REMEMBERED:
            self.seen[f"{self._own}/{name}"] = states.state(f"{self._own}/{name}", "folder")

    def _open(self, path: Any, mode: Any, flags: Any) -> None:
        if isinstance(path, int):
            return
        name = _absolute(os.fsdecode(path))
        if name.startswith(_VOLATILE) or name.endswith((".py", ".so", "/pyvenv.cfg")):
            return
        if _is_bytecode(name):
            return
        writes = isinstance(flags, int) and bool(flags & _WRITES)
        if writes or (isinstance(mode, str) and set(mode) & set("wax+")):
            self.spoilt = self.spoilt or not self._remembers((name,))
        elif len(Path(name).stem) >= _DIGEST_NAME:
            self._note(name, "file")
        else:
            self._note(name, "folder" if Path(name).is_dir() else "text")

    def _database(self, name: Any) -> None:
        path = os.fsdecode(name)
        if path in (":memory:", ""):
            return
        if path.startswith("file:"):
            from urllib.parse import unquote

            path = unquote(path.removeprefix("file:").partition("?")[0])
        path = _absolute(path)
        self._note(path, "ledger")
        for tail in BESIDE:
            self._note(path + tail, "text")

    def _note(self, path: str, kind: str) -> None:
        path = _absolute(path)
        if path not in self.seen:
            self.seen[path] = states.state(path, kind)


def _is_bytecode(path: str) -> bool:
    """Say whether a file is bytecode, or becomes some once Python has written it whole."""
    return _BYTECODE.search(path) is not None


_BYTECODE = re.compile(r"\.pyc(?:\.\d+)?\Z")
_DIGEST_NAME = 60
_REMEMBERED = ("heads", "verified")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_WRITING = frozenset({"os.rename", "os.remove", "os.link", "os.truncate", "subprocess.Popen"})
_watch: Watch | None = None
_hooked = False


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if _watch is not None:
        _watch.take(event, args)


@contextmanager
def _watching(*, fresh: bool) -> Iterator[Watch]:
    """Note what is opened until the block ends; an audit hook stays, and then notes nothing."""
    global _watch, _hooked
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked = True
    _watch = Watch(fresh=fresh)
    try:
        yield _watch
    finally:
        _watch = None
