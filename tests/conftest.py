"""What every test may ask for: a home of its own, keys made now, a clock that stands still."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import settings

from claims import desk
from ledger import audit, citation, founding, log, merkle, session, store
from ledger.audit import Anchor
from ledger.checkpoint import Checkpoint
from ledger.checkpoint import sign as sign_checkpoint
from ledger.entry import decode, encode, validate
from ledger.heads import Head, Heads
from ledger.log import Ledger
from receipts import keys, receipt, workspace
from receipts.clock import Clock
from receipts.digest import Digest
from receipts.keys import SigningKey, from_private
from receipts.predicates import RunPredicate
from receipts.receipt import Receipt

# The machines that run this are shared: a slow example is no fault.
settings.register_profile("suite", deadline=None, print_blob=True)
settings.load_profile("suite")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a fresh repository folder, which is the working directory, under a fresh HOME."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("CONFIG", "STATE", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home" / name.lower()))
    apparatus = ("EVIDENCE_LEASE", "EVIDENCE_LOCK_DIR")
    for name in ("EVIDENCE_KEY", "EDITOR", "VISUAL", "SSH_AUTH_SOCK", "SSH_ASKPASS", *apparatus):
        monkeypatch.delenv(name, raising=False)
    repository = tmp_path / "repo"
    repository.mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(repository)
    return repository


@pytest.fixture
def signing_key() -> SigningKey:
    """Return a key made for this test."""
    return keys.from_private(Ed25519PrivateKey.generate())


@pytest.fixture
def other_key() -> SigningKey:
    """Return a second key, of somebody else."""
    return keys.from_private(Ed25519PrivateKey.generate())


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands at 2026-11-29T10:00:00.000Z."""
    return lambda: datetime(2026, 11, 29, 10, 0, 0, tzinfo=UTC)


@pytest.fixture
def attached_run() -> Callable[..., RunPredicate]:
    """Return a maker of run predicates; keywords replace or add fields."""

    def make(**fields: object) -> RunPredicate:
        base = {"origin": "attached", "cell": "decode-p16", "reader": "llama-bench-json"}
        return RunPredicate.parse({**base, "identity": {}, "environment": {}, **fields}, "run")

    return make


@pytest.fixture
def sample(signing_key: SigningKey, attached_run: Callable[..., RunPredicate]) -> Receipt:
    """Return a receipt by `signing_key` about the raw file whose bytes are b"[]"."""
    return receipt.make(signing_key, {"raw": Digest.of(b"[]")}, attached_run())


# --- a founded ledger -------------------------------------------------------------------------

REPOSITORY = Path(__file__).resolve().parents[1]
SEEDS = {
    "operator": 1,
    "engineer": 2,
    "retired": 3,
    "revoked": 4,
    "log": 5,
    "runner": 6,
    "auditor": 7,
    "stranger": 8,
    "second": 9,
}
ORIGIN = "perf.example.org/engine"
TABLES = {
    "entry": "idx",
    "tree": "level, idx",
    "checkpoint": "size",
    "cosignature": "size, name",
}


class Ticking:
    """A clock that starts at a fixed moment and moves a second with every look."""

    def __init__(self):
        self.seconds = 0

    def __call__(self):
        self.seconds += 1
        return datetime(2026, 11, 29, 10, tzinfo=UTC) + timedelta(seconds=self.seconds)


@dataclass
class Founded:
    """A workspace with a ledger of fifteen entries, everybody's keys, and ways to harm it."""

    root: Path
    home: Path
    keys: dict
    clock: Ticking

    @property
    def path(self):
        return self.root / "evidence" / "ledger.db"

    @property
    def heads(self):
        return Heads(self.home / ".local" / "state" / "evidence-ledger" / "heads")

    @property
    def head_file(self):
        return self.heads.path(self.keys["log"].public)

    def key_file(self, name):
        """Write the private key called `name` into the home folder, return its path."""
        path = self.home / f"{name}_ed25519"
        if not path.exists():
            _write_key(path, self.keys[name])
        return path

    @contextmanager
    def open(self, *, sign=True):
        """Open the ledger for writing; with `sign`, every append signs a checkpoint."""
        with Ledger.open(self.path, self.heads, self.clock, write=True) as ledger:
            ledger.log_signer = self.keys["log"] if sign else None
            yield ledger

    def append(self, by="operator", **fields):
        """Append one entry as the writer does."""
        with self.open() as ledger:
            return ledger.append({"kind": "ENTRY", "title": "one more", **fields}, self.keys[by])

    def force(self, by="operator", *, covered=True, **fields):
        """Write an entry that no check was asked about: a proper row, tree and checkpoint."""
        opened = store.open_for_writing(self.path)
        size, head = opened.state()
        place = {"v": 1, "index": size, "prev": head, "at": "2026-11-29T12:00:00.000Z"}
        body = validate({**place, "kind": "ENTRY", "title": "forced", **fields})
        return self.force_bytes(encode(body, self.keys[by]), opened, covered=covered)

    def force_bytes(self, raw, opened=None, *, covered=True, signer="log"):
        """Write these bytes as the next row, with the tree hashes and checkpoint they need."""
        opened = opened or store.open_for_writing(self.path)
        index, _ = opened.state()
        with opened.transaction():
            tree = merkle.Frontier.at(index, opened.node)
            opened.append(index, sha256(raw).hexdigest(), merkle.leaf_hash(raw), raw, tree)
            if covered:
                found = Checkpoint(ORIGIN, index + 1, merkle.root(index + 1, opened.node))
                opened.add_checkpoint(index + 1, sign_checkpoint(found, self.keys[signer]))
        opened.close()
        return index

    def harm(self, *statements):
        """Run SQL without triggers, put the triggers back, and let the schema look untouched."""
        database = sqlite3.connect(self.path, isolation_level=None)
        triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        triggers = triggers.fetchall()
        database.execute("PRAGMA synchronous=OFF")
        database.execute("BEGIN")
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            sql, *values = statement if isinstance(statement, tuple) else (statement,)
            database.execute(sql, values)
        for _, sql in triggers:
            database.execute(sql)
        database.execute("COMMIT")
        database.close()

    def rows(self):
        """Return every row of every table."""
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as database:
            return {
                table: database.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()
                for table, order in TABLES.items()
            }

    def entry(self, index):
        """Return entry `index` decoded."""
        return decode(self.rows()["entry"][index][3])

    def audit(self, *anchors):
        """Audit the file against `anchors`, given as heads."""
        return audit.audit(
            self.path, audit.Request(tuple(Anchor("a head", head) for head in anchors))
        )

    def head(self):
        """Return the tree head of the file as it is."""
        opened = store.open_for_reading(self.path)
        size, _ = opened.state()
        found = Head(size, merkle.root(size, opened.node))
        opened.close()
        return found

    def invoke(self, *words, stdin=None):
        """Run `ledger` inside this process; an exception of ours that nobody caught is raised."""
        from ledger.cli import ledger

        words = [str(word) for word in words]
        return CliRunner().invoke(ledger, words, input=stdin, catch_exceptions=False)

    def process(self, *words, env=None, **options):
        """Run `ledger` as a program."""
        command = [sys.executable, "-m", "ledger.cli", *map(str, words)]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), **(env or {})}
        options = {"capture_output": True, "text": True, "timeout": 60, **options}
        return subprocess.run(command, cwd=self.root, env=environment, **options)


def _write_key(path, key):
    text = key._private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    path.chmod(0o600)


def _home(monkeypatch, home, root):
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "EVIDENCE_KEY", "EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(root)


def _populate(done):
    """Append entries 2 to 14 to a ledger that has its GENESIS and its founder's KEY."""
    line = {name: key.public.openssh for name, key in done.keys.items()}
    enrol = {"kind": "KEY", "action": "enrol", "title": "a key is enrolled"}
    ended = {"kind": "KEY", "reason": "left", "title": "a key is ended"}
    verdict = {"outcome": "pass", "sentence": "smaller is faster"}
    with done.open() as ledger:

        def append(by, **fields):
            return ledger.append({"kind": "ENTRY", **fields}, done.keys[by])

        append("operator", **enrol, key=line["engineer"], roles=["engineer"])
        append("operator", title="one", label="J1", hypothesis="a smaller batch", verdict=verdict)
        second = append("engineer", title="two", label="J2", change="batch 512", verdict=verdict)
        fix = {"kind": "CORRECTION", "targets": [second.id], "title": "batch", "reason": "a typo"}
        append("engineer", **fix, restated={"change": "batch 256"}, affects=["change"])
        append("operator", kind="LOCK", title="lock", state="contained", reason="first release")
        approved = {"claim": "c1", "digest": "sha256:" + "0" * 64, "decision": "approved"}
        append("operator", kind="APPROVAL", title="approved", sentence="It is fast.", **approved)
        append("operator", **enrol, key=line["retired"], roles=["engineer", "runner"])
        append("retired", title="three", label="J3", lesson="measure twice")
        append("operator", **ended, action="retire", key=line["retired"])
        append("operator", **enrol, key=line["revoked"], roles=["engineer"])
        append("operator", **ended, action="revoke", key=line["revoked"], since=11)
        append("operator", **enrol, key=line["runner"], roles=["runner"])
        append("operator", **enrol, key=line["auditor"], roles=["auditor"])


@pytest.fixture(scope="session")
def _founded_once(tmp_path_factory):
    base = tmp_path_factory.mktemp("founded")
    root, home = base / "perf", base / "home"
    root.mkdir()
    signers = {
        name: from_private(Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32))
        for name, seed in SEEDS.items()
    }
    done = Founded(root, home, signers, Ticking())
    with pytest.MonkeyPatch.context() as patch:
        _home(patch, home, root)
        _write_key(workspace.person_key_path(), signers["operator"])
        _write_key(workspace.log_key_path(signers["log"].public), signers["log"])
        fields = {"title": "genesis", "origin": ORIGIN}
        log.create(done.path, fields, signers["operator"], signers["log"], done.clock)
        founding.found(root, ORIGIN, done.heads, done.clock, lambda _: b"")
        _populate(done)
    return base, signers


@pytest.fixture
def founded(_founded_once, tmp_path, monkeypatch):
    """A ledger of fifteen entries with everybody's keys; the working directory is its workspace.

    0 GENESIS, 1 KEY founder, 2 KEY engineer, 3 ENTRY J1 (operator), 4 ENTRY J2 (engineer),
    5 CORRECTION of J2, 6 LOCK, 7 APPROVAL, 8 KEY retired, 9 ENTRY J3 (retired), 10 KEY retire,
    11 KEY revoked, 12 KEY revoke, 13 KEY runner, 14 KEY auditor.
    """
    base, signers = _founded_once
    copy = tmp_path / "founded"
    shutil.copytree(base, copy)
    done = Founded(copy / "perf", copy / "home", signers, Ticking())
    done.clock.seconds = 100
    _home(monkeypatch, done.home, done.root)
    return done


# --- a workspace that measures ----------------------------------------------------------------

# A command that writes rows: raw file, seed, nanoseconds a token. It answers in milliseconds.
ROWS_PROGRAM = """\
import hashlib, json, os, sys, time
raw, seed, ns = sys.argv[1], int(sys.argv[2]), [int(n) for n in sys.argv[3].split(",")]
digest = lambda text: "sha256:" + hashlib.sha256(text.encode()).hexdigest()
spell = lambda value: json.dumps(value, sort_keys=True, separators=(",", ":")) + "\\n"
turn = int(open("turn").read()) if os.path.exists("turn") else 0
open("turn", "w").write(str(turn + 1))
header = dict(format="evidence-ledger/rows/v1", instrument="test", variant="v", backend="numpy",
    source=digest("source"), model="m", vocab=64, width=32, prompt_tokens=4, output_tokens=2,
    seed=seed, warmup=0, clock="CLOCK_MONOTONIC")
row = dict(repetition=0, prefill_ns=1234567 + turn, token_ns=[ns[turn % len(ns)], 700001 + turn],
    tokens=[seed + 1, 9], logits=digest(str(seed)))
open(raw, "w").write(spell(header) + spell(row))
print("to stdout", flush=True); print("to stderr", file=sys.stderr)
"""


@dataclass
class Bench:
    """A founded workspace whose person is operator, engineer and runner, and the command engine."""

    root: Path

    @property
    def ledger(self):
        return self.root / "evidence" / "ledger.db"

    @property
    def rows_command(self):
        """Words that write a raw file in a few milliseconds: append seed and nanoseconds."""
        return [sys.executable, "-S", "-E", str(self.root / "rows.py"), "{raw}"]

    def invoke(self, *words):
        """Run `engine` inside this process."""
        from engine.cli import engine

        return CliRunner().invoke(engine, [str(word) for word in words], catch_exceptions=False)

    def run(self, *command, options=()):
        """Execute one run of cell c inside this process."""
        return self.invoke("run", "--cell", "c", "--execute", *options, "--", *command)

    def start(self, *words):
        """Start `engine` as a program of its own and return the process."""
        command = [sys.executable, "-m", "engine.cli", *map(str, words)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, cwd=self.root, text=True, **pipes)

    def bodies(self, kind="RUN", path=None):
        """Return the bodies of the entries of one kind, as plain values, in order."""
        path = path or self.ledger
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT envelope FROM entry ORDER BY idx").fetchall()
        found = [decode(row[0]).body.plain() for row in rows]
        return [body for body in found if body["kind"] == kind]

    def phases(self):
        """Return the phases of all RUN entries in order."""
        return [body["phase"] for body in self.bodies()]

    def receipt(self, uri):
        """Return the stored receipt with this digest or URI, its digest checked."""
        digest = Digest.parse(uri.removeprefix("receipt://"))
        return receipt.parse(workspace.find(self.root).receipts.get(digest))

    def object(self, digest):
        """Return the stored bytes, their digest checked."""
        return workspace.find(self.root).objects.get(Digest.parse(digest))

    def files(self):
        """Return every file under the workspace but the cache, with its bytes."""
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {path: path.read_bytes() for path in found if path.suffix != ".index"}

    def enrolled_key(self, *roles):
        """Write the private key of a new person who has only these roles; return its path."""
        from ledger import session

        key = keys.from_private(Ed25519PrivateKey.generate())
        path = self.root.parent / f"{'-'.join(roles)}_ed25519"
        _write_key(path, key)
        with session.open_ledger(write=True) as here:
            body = {"kind": "KEY", "action": "enrol", "title": "a key", "roles": list(roles)}
            here.ledger.append({**body, "key": key.public.openssh}, here.key())
        return path


@pytest.fixture
def bench(home, monkeypatch, clock):
    """A workspace made by `ledger init`; its programs run without a compiler."""
    from ledger import session

    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("EVIDENCE_NO_COMPILER", "1")
    founding.found(home, ORIGIN, session.remembered_heads(), clock, lambda _: b"")
    (home / "rows.py").write_text(ROWS_PROGRAM)
    return Bench(home)


# --- a workspace with evidence of every kind, for claims ---------------------------------------

# A decoder with times that never change: it counts its calls beside itself, one file an arm.
_FAKE_DECODER = """\
import json, pathlib, sys
arm, raw = sys.argv[1:]
place = pathlib.Path(__file__).with_name(arm)
count = int(place.read_text()) if place.exists() else 0
place.write_text(str(count + 1))
kind, _, side = arm.partition("-")
# A window of five pairs has the same times whenever it is walked; the plain arm's anchor is first.
number = (count - 1) % 6 if side == "plain" and count else count % 5
slow = side == "plain" or kind == "same"
told = kind.removeprefix("at")  # at900: 900 ns
quick = int(told) if told.isdigit() else 700 if kind == "cross" else 800
ns = 1000 + number if slow else quick + number * {"noisy": 200, "cross": 120}.get(kind, 1)
tokens = [1, 2, 3, 5 if arm == "other-tuned" and count else 4]
width = 8 if kind == "deeper" else 4
setting = {"vocab": 8, "width": width, "prompt_tokens": 2, "output_tokens": 4, "seed": 0}
setting |= {"warmup": 0}
told = {"instrument": "fake", "variant": side, "backend": "none", "model": "m"}
told |= {"source": "0a1b2c3d4e5f"}
head = {"format": "evidence-ledger/rows/v1", "clock": "FIXED", **setting, **told}
row = {"repetition": 0, "prefill_ns": 500, "token_ns": [ns] * 4, "tokens": tokens,
       "logits": "sha256:" + "0" * 64}
lines = [json.dumps(line, sort_keys=True, separators=(",", ":")) for line in (head, row)]
pathlib.Path(raw).write_text("\\n".join(lines) + "\\n")
"""
WINDOWS = ("exact", "noisy", "other")
LEVEL = {
    "id": "prefill",
    "kind": "level",
    "wording": "Prefill reaches {value:.2f} {unit} (median of {n} repetitions).",
    "metric": "prefill_tok_s",
    "statistic": "median",
    "evidence": [{"entry": "CELLS", "select": {"n_ubatch": 512}}],
    "repetitions": 3,
}
CHANGE = {
    "id": "tuned",
    "kind": "change",
    "wording": "The tuned decoder runs at {ratio:.2f}× the plain one (n = {n}).",
    "metric": "decode_tok_s",
    "statistic": "ratio_of_medians",
    "evidence": [{"entry": "EXACT"}],
}


def llama_bench(*cells):
    """Return a raw file of llama-bench for a prompt of 2048; a cell is (n_ubatch, times in ns)."""
    return "".join(
        json.dumps(
            {
                "build_commit": "0a1b2c3",
                "gpu_info": "GPU of the test",
                "n_ubatch": batch,
                "flash_attn": True,
                "n_prompt": 2048,
                "n_gen": 0,
                "samples_ns": list(times),
                "samples_ts": [round(2048e9 / ns, 3) for ns in times],
            }
        )
        + "\n"
        for batch, times in cells
    ).encode()


CELLS = (
    (256, (17_126_079_885, 17_090_285_313, 17_389_478_393)),
    (512, (12_211_778_884, 12_505_211_955, 12_707_347_590)),
)
STEADY = ((512, tuple(10_000_000_000 + step * 1_000_000 for step in range(6))),)


@dataclass
class Publisher:
    """A workspace with receipts, windows and entries, and somebody who writes `claims.yaml`.

    Entries by label: CELLS (a file of two cells, three repetitions each), STEADY (one cell, six),
    EXACT, NOISY and OTHER (windows of five pairs: good, scattered, with other tokens), OPEN (no
    verdict), BARE (no evidence), BOTH (cites CELLS and STEADY). Receipts and windows are called
    as the entries are, in small letters.
    """

    root: Path
    home: Path
    keys: dict
    beside: dict = field(default_factory=dict)
    """What `claims.yaml` holds beside the claims."""
    level: ClassVar = LEVEL
    change: ClassVar = CHANGE

    @property
    def ledger_file(self):
        return self.root / "evidence" / "ledger.db"

    @property
    def place(self):
        return workspace.read(self.root)

    @contextmanager
    def open(self):
        """Open the ledger for writing, with the log key at hand."""
        with session.open_ledger(write=True) as here:
            yield here.ledger

    def append(self, by="operator", **fields):
        """Append one entry as the writer does, signed by the key called `by`."""
        with self.open() as ledger:
            return ledger.append({"title": "one more", **fields}, self.keys[by])

    def experiment(self, label, *receipts, **fields):
        """Append an ENTRY with a verdict that cites these receipts, given by URI or name."""
        with self.open() as ledger:
            uris = [citation.resolve(ledger, receipt) for receipt in receipts]
        cited = {"evidence": [{"receipt": uri} for uri in uris]} if uris else {}
        verdict = {"outcome": "measured-only"}
        return self.append(
            **{"kind": "ENTRY", "label": label, "verdict": verdict, **cited, **fields}
        )

    def key_file(self, name):
        """Write the private key called `name` into the home folder, return its path."""
        path = self.home / f"{name}_ed25519"
        _write_key(path, self.keys[name])
        return path

    def uri(self, name):
        """Return the URI by digest of the receipt called `name`."""
        with session.open_ledger() as here:
            return citation.resolve(here.ledger, f"receipt://{name}")

    def receipt(self, name):
        """Return the receipt called `name`."""
        digest = Digest.parse(self.uri(name).removeprefix("receipt://"))
        return receipt.parse(self.place.receipts.get(digest))

    def repetitions(self, window):
        """Return the receipts of a window's repetitions, in the order in which they ran."""
        listed = self.receipt(window).predicate.repetitions
        store = self.place.receipts
        return [receipt.parse(store.get(Digest.parse(item.receipt))) for item in listed]

    def file_of(self, uri):
        """Return the path of the receipt with this URI."""
        return self.place.receipts.path(Digest.parse(uri.removeprefix("receipt://")))

    def raw_of(self, made):
        """Return the path of a receipt's raw file."""
        return self.place.objects.path(made.require("raw"))

    def forge(self, subjects, predicate, by="runner", recorder="operator"):
        """Sign any receipt, put it into the store and on record; return its URI."""
        made = receipt.make(self.keys[by], subjects, predicate)
        return self.enter(made, recorder)

    def enter(self, made, recorder="operator"):
        """Put a receipt into the store and name it in a RUN entry; return its URI."""
        self.place.receipts.put(made.envelope.raw)
        phase = "attached" if made.predicate.origin == "attached" else "finished"
        uri = f"receipt://{made.digest}"
        self.append(
            recorder, kind="RUN", phase=phase, cell=made.predicate.cell, receipt=uri, title="a run"
        )
        return uri

    def write(self, *claims):
        """Write `claims.yaml` with these claims."""
        text = json.dumps({"version": 1, "claims": list(claims), **self.beside}, ensure_ascii=False)
        (self.root / "claims.yaml").write_text(text, encoding="utf-8")

    def judge(self, claim=LEVEL, *, approval=False, **changes):
        """Return the judgement of `claim` with these fields changed."""
        claim = {**claim, **changes}
        self.write(claim)
        with desk.open_desk(lambda _: None) as opened:
            return opened.judge.judge(opened.register.find(claim["id"]), approval=approval)

    def codes(self, claim=LEVEL, **changes):
        """Return the codes by which `claim` is refused, with these fields changed."""
        return [refusal.code for refusal in self.judge(claim, **changes).refusals]

    def publish(self, *claims):
        """Write these claims and have all of them approved; return their sentences."""
        self.write(*claims)
        told = [self.claims("approve", claim["id"], "--json") for claim in claims]
        assert [result.exit_code for result in told] == [0] * len(told), told[-1].output
        return [json.loads(result.stdout)["sentence"] for result in told]

    def check(self, text, *options):
        """Write `page.md` and run `claims check` on it."""
        (self.root / "page.md").write_text(text, encoding="utf-8")
        return self.claims("check", "page.md", *options)

    def claims(self, *words):
        """Run `claims` inside this process; an exception of ours that nobody caught is raised."""
        from claims.cli import claims

        return CliRunner().invoke(claims, [str(w) for w in words], catch_exceptions=False)

    def ledger(self, *words):
        """Run `ledger` inside this process."""
        from ledger.cli import ledger

        return CliRunner().invoke(ledger, [str(w) for w in words], catch_exceptions=False)

    def engine(self, *words):
        """Run `engine` inside this process."""
        from engine.cli import engine

        return CliRunner().invoke(engine, [str(w) for w in words], catch_exceptions=False)

    def process(self, command, *words):
        """Run one of the four commands as a program."""
        line = [sys.executable, "-m", f"{command}.cli", *map(str, words)]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        return subprocess.run(
            line, cwd=self.root, env=environment, capture_output=True, text=True, timeout=60
        )

    def flip(self, path, offset):
        """Change one byte of a stored file."""
        data = bytearray(path.read_bytes())
        data[offset] ^= 0x01
        path.chmod(0o644)
        path.write_bytes(data)

    def flip_row(self, index, offset):
        """Change one byte of an entry behind SQLite's back, and leave the triggers as they were."""
        database = sqlite3.connect(self.ledger_file, isolation_level=None)
        triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        triggers = triggers.fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        select = "SELECT envelope FROM entry WHERE idx = ?"
        raw = bytearray(database.execute(select, (index,)).fetchone()[0])
        raw[offset] ^= 0x01
        database.execute("UPDATE entry SET envelope = ? WHERE idx = ?", (bytes(raw), index))
        for _, sql in triggers:
            database.execute(sql)
        database.close()

    def altered(self, window, **changes):
        """Return URI of a window's receipt with these fields changed, signed by a runner."""
        made = self.receipt(window)
        subjects = {s.name: f"sha256:{s.digest.sha256}" for s in made.statement.subject}
        return self.forge(subjects, made.predicate.model_copy(update=changes))

    def rebuilt(self, window, change):
        """Return the URI of a window whose repetitions are all made anew by `change`.

        `change` takes the place in the order and the run predicate, and returns fields to change.
        """
        made = self.receipt(window)
        uris = []
        for place, run in enumerate(self.repetitions(window)):
            subjects = {s.name: f"sha256:{s.digest.sha256}" for s in run.statement.subject}
            predicate = run.predicate.model_copy(update=change(place, run.predicate))
            uris.append(self.forge(subjects, predicate))
        listed = [
            item.model_copy(update={"receipt": uri.removeprefix("receipt://")})
            for item, uri in zip(made.predicate.repetitions, uris, strict=True)
        ]
        return self.altered(window, repetitions=listed)


def _measure(done):
    """Attach files, walk windows and append entries, all through the commands."""
    from engine.cli import engine

    def run(*words):
        result = CliRunner().invoke(engine, [str(w) for w in words], catch_exceptions=False)
        assert result.exit_code in (0, 1), result.output

    for name, cells in (("cells", CELLS), ("steady", STEADY)):
        (done.root / name).write_bytes(llama_bench(*cells))
        run("attach", name, "--cell", "pp2048", "--name", name)
    (done.root / "decoder.py").write_text(_FAKE_DECODER)
    # A path of its own in every copy, for the calls are counted beside it.
    command = ["{python}", "-S", "-E", "decoder.py"]
    again = [*command, "anchor-plain", "{raw}"]
    run("run", "--cell", "decode-v8", "--name", "anchored", "--execute", "--", *again)
    said = ["--evidence", "receipt://anchored", "--metric", "decode_tok_s", "--tolerance", "0.02"]
    run("anchor", "record", "plain-anchor", *said)
    for window in WINDOWS:
        arms = {
            role: {"arm": arm, "command": [*command, f"{window}-{arm}", "{raw}"]}
            for role, arm in (("baseline", "plain"), ("candidate", "tuned"))
        }
        plan = {"version": 2, "name": window, "cell": "decode-v8", "repetitions": 5, **arms}
        own = arms["baseline"]["command"]
        plan["anchors"] = [{"record": "plain-anchor", "validates": "baseline", "command": own}]
        plan |= {"metrics": ["decode_tok_s"], "cv_limit": "0.05", "scope": {"lane": "greedy"}}
        (done.root / f"{window}.yaml").write_text(json.dumps(plan))
        run("ab", f"{window}.yaml", "--execute", "--name", window)
    for name in ("cells", "steady", *WINDOWS):
        done.experiment(name.upper(), f"receipt://{name}")
    done.append(kind="ENTRY", label="OPEN", hypothesis="a smaller batch")
    done.experiment("BARE")
    done.experiment("BOTH", "receipt://cells", "receipt://steady")


@pytest.fixture(scope="session")
def _published_once(tmp_path_factory):
    base = tmp_path_factory.mktemp("published")
    root, home = base / "perf", base / "home"
    root.mkdir()
    signers = {
        name: from_private(Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32))
        for name, seed in SEEDS.items()
    }
    done = Publisher(root, home, signers)
    with pytest.MonkeyPatch.context() as patch:
        _home(patch, home, root)
        _write_key(workspace.person_key_path(), signers["operator"])
        assert done.ledger("init", "--origin", ORIGIN).exit_code == 0
        for name in ("runner", "engineer"):
            enrolled = {"key": signers[name].public.openssh, "roles": [name]}
            done.append(kind="KEY", action="enrol", title="a key is enrolled", **enrolled)
        _measure(done)
    return base, signers


def _copied(published, folder, patch):
    base, signers = published
    copy = folder / "published"
    shutil.copytree(base, copy)
    done = Publisher(copy / "perf", copy / "home", signers)
    _home(patch, done.home, done.root)
    return done


@pytest.fixture
def publisher(_published_once, tmp_path, monkeypatch):
    """A workspace with evidence of every kind, which is the working directory; see `Publisher`."""
    return _copied(_published_once, tmp_path, monkeypatch)


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Return a function that copies a publisher's workspace for this test alone."""
    return lambda done: _copied((done.root.parent, done.keys), tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def shared_publisher(_published_once, tmp_path_factory):
    """One workspace for a whole module, for tests that change nothing but what they write."""
    with pytest.MonkeyPatch.context() as patch:
        yield _copied(_published_once, tmp_path_factory.mktemp("shared"), patch)
