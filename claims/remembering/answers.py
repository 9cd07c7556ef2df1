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
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, ParamSpec
from urllib.parse import unquote

import click

from claims.remembering.copied import Tee, unpacked

FORMAT = 1
MOST_KEPT = 64
MOST_BYTES = 64 * 1024 * 1024
_JUST_NOW_NS = 50_000_000
_PACKAGES = ("claims", "engine", "ledger", "receipts")
_KEPT_CODES = (0, 1, 3)
_BESIDE = ("-journal", "-wal")
_VOLATILE = ("/proc/", "/dev/", "/sys/")
_P = ParamSpec("_P")

State = list[Any]


def remembered(command: Callable[_P, None]) -> Callable[_P, None]:
    """Wrap a command that only reads: say its last answer again where nothing has changed.

    The command takes `fresh`; with it, nothing is looked up.
    """

    @functools.wraps(command)
    def wrapped(*args: _P.args, **kwargs: _P.kwargs) -> None:
        place = _place(sorted((name, repr(value)) for name, value in kwargs.items()))
        answer = None if kwargs.pop("fresh", False) else _recall(place)
        if answer is not None:
            _say(answer)
        else:
            _run(place, functools.partial(command, *args, **kwargs))

    return wrapped


def rests_on(path: Path) -> None:
    """Note that the answer depends on what stands at `path`, and where a link there leads.

    For what is looked for without being opened: Python tells nobody of that.
    """
    if _watch is not None:
        _watch.look_at(path)


def _place(words: list[tuple[str, str]]) -> Path:
    """Return where the answer to this call, made here by this person today, is kept."""
    told = {name: os.environ[name] for name in os.environ if name.startswith(_TELLING)}
    words = [word for word in words if word[0] != "fresh"]
    call = [FORMAT, words, str(Path.cwd()), sorted(told.items()), sys.version]
    call.append(int(time.time() // 86400))
    name = hashlib.sha256(json.dumps(call).encode()).hexdigest()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "evidence-ledger" / "answers" / f"{name}.json"


def _state_folder() -> str:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return str(Path(base) / "evidence-ledger")


_TELLING = ("EVIDENCE_", "GITHUB_", "XDG_", "HOME", "LANG", "LC_", "NO_COLOR", "PYTHONPATH")


def _recall(place: Path) -> dict[str, Any] | None:
    try:
        kept: dict[str, Any] = json.loads(place.read_bytes())
        ours = kept["format"] == FORMAT and kept["seal"] == _seal(kept)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not ours or any(_state(path, state[0]) != state for path, state in kept["inputs"].items()):
        return None
    return kept


def _say(kept: dict[str, Any]) -> None:
    for stream, packed in ((sys.stdout, kept["stdout"]), (sys.stderr, kept["stderr"])):
        for part in unpacked(packed):
            stream.write(part)
    heads = [state for state in kept["inputs"].values() if state[0] == "ledger"]
    told = ", ".join(f"{state[1]} entries, head {str(state[2])[:16]}…" for state in heads)
    note = f"answered from memory: nothing changed since {kept['at']}; ledger: {told or 'none'}"
    sys.stderr.write(f"claims: {note}\n")
    raise click.exceptions.Exit(kept["code"])


def _run(place: Path, command: Callable[[], None]) -> None:
    code = 0
    out, err = Tee(sys.stdout), Tee(sys.stderr)
    with _watching() as watch, redirect_stdout(out), redirect_stderr(err):
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
                _keep(place, code, (out.packed(), err.packed()), watch.seen)


def _keep(
    place: Path, code: int, said: tuple[str | None, str | None], seen: dict[str, State]
) -> None:
    inputs = {**seen, **{path: _state(path, "file") for path in _modules()}}
    if None in said or any(state[0] == "file" and _is_fresh(state) for state in inputs.values()):
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
        beside.replace(place)
        _prune(place.parent)
    except OSError:
        return  # an answer that cannot be kept is worked out again


def _prune(folder: Path) -> None:
    kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    for path in kept[:-MOST_KEPT]:
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


def _state(path: str, kind: str) -> State:
    """Return what is told of a file: its bytes, its place on disk, or that it is not there."""
    try:
        if kind != "folder" and not all(map(_is_file, _read_with(path, kind))):
            return [kind, "no file"]  # a pipe is refused by whoever opens it, and never waited for
        if kind == "ledger":
            return ["ledger", *_head(path), *_place_on_disk(path)]
        if kind == "folder":
            names = "\n".join(sorted(entry.name for entry in Path(path).iterdir()))
            return ["folder", hashlib.sha256(names.encode("utf-8", "surrogateescape")).hexdigest()]
        if kind == "file":
            return ["file", *_place_on_disk(path)]
        if Path(path).is_dir():
            return [kind, "folder"]
        # Where a link leads is part of what was read: the same bytes may lie outside tomorrow.
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        return ["text", digest, os.path.realpath(path)]
    except OSError:
        return [kind, "absent"]


def _read_with(path: str, kind: str) -> list[str]:
    """Return what is opened to read a file: a database has up to two others beside it."""
    beside = [f"{path}{tail}" for tail in _BESIDE] if kind == "ledger" else []
    return [path, *filter(os.path.exists, beside)]


def _is_file(path: str) -> bool:
    return stat.S_ISREG(Path(path).stat().st_mode)


def _place_on_disk(path: str) -> list[int]:
    found = Path(path).stat()
    return [found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns]


def _is_fresh(state: State) -> bool:
    """Say whether a file changed so lately that another change could leave the same time."""
    return len(state) > 2 and max(state[-2:]) > time.time_ns() - _JUST_NOW_NS


def _absolute(path: str) -> str:
    # Not resolved: a link that leads elsewhere tomorrow is another file.
    return os.path.abspath(path)  # noqa: PTH100


def _head(path: str) -> list[Any]:
    """Return the number of entries and the id of the last one, from the ledger's own file."""
    import sqlite3

    sql = "SELECT idx, id FROM entry ORDER BY idx DESC LIMIT 1"
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            row = database.execute(sql).fetchone()
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    return [row[0] + 1, row[1]] if row else [0, ""]


class _Watch:
    """What a run has opened, each file as it was just before."""

    def __init__(self) -> None:
        self.seen: dict[str, State] = {}
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
        self.seen[_absolute(str(path))] = _state(str(path), kind)

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
        """Say whether what is written is what the verification of the ledger remembers."""
        paths = [_absolute(os.fsdecode(a)) for a in args if isinstance(a, str | bytes)]
        inside = {path for path in paths if path.startswith(f"{self._own}/")}
        self._written |= inside
        return bool(paths) and {*paths} == inside

    def settle(self) -> None:
        """Take what this run itself has remembered as it is now."""
        for path in self._written & self.seen.keys():
            self.seen[path] = _state(path, self.seen[path][0])
        for name in _REMEMBERED:
            self.seen[f"{self._own}/{name}"] = _state(f"{self._own}/{name}", "folder")

    def _open(self, path: Any, mode: Any, flags: Any) -> None:
        if isinstance(path, int):
            return
        name = _absolute(os.fsdecode(path))
        if name.startswith(_VOLATILE) or name.endswith((".py", ".pyc", ".so", "/pyvenv.cfg")):
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
            path = unquote(path.removeprefix("file:").partition("?")[0])
        path = _absolute(path)
        self._note(path, "ledger")
        for tail in _BESIDE:
            self._note(path + tail, "text")

    def _note(self, path: str, kind: str) -> None:
        path = _absolute(path)
        if path not in self.seen:
            self.seen[path] = _state(path, kind)


_DIGEST_NAME = 60
_REMEMBERED = ("heads", "verified")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_WRITING = frozenset({"os.rename", "os.remove", "os.link", "os.truncate", "subprocess.Popen"})
_watch: _Watch | None = None
_hooked = False


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if _watch is not None:
        _watch.take(event, args)


@contextmanager
def _watching() -> Iterator[_Watch]:
    """Note what is opened until the block ends; an audit hook stays, and then notes nothing."""
    global _watch, _hooked
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked = True
    _watch = _Watch()
    try:
        yield _watch
    finally:
        _watch = None
