"""Export and import: byte for byte there and back, and nothing but a genuine export is believed."""

import os
import re
import shutil
import subprocess
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import cosignature, log, merkle, store, transfer
from ledger.checkpoint import Checkpoint, format_checkpoint, sign
from ledger.heads import Heads
from ledger.log import Ledger
from receipts.digest import Digest
from receipts.errors import ConflictError, Error, MalformedError, NotFoundError, VerificationError
from receipts.keys import from_private
from receipts.store import ObjectStore

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/formats/export.md"
ORIGIN = "perf.example.org/engine"
WITNESS = "witness.example.org/w1"


def listing(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def stores(folder):
    return {name: ObjectStore(folder / name) for name in transfer.STORES}


@pytest.fixture
def rich(founded):
    """The founded ledger with objects, a receipt, a cosignature and a pending entry."""
    evidence = founded.root / "evidence"
    ObjectStore(evidence / "objects").put(b"raw rows")
    ObjectStore(evidence / "objects").put(b"")
    ObjectStore(evidence / "receipts").put(b"a receipt")
    found = founded.head()
    text = format_checkpoint(Checkpoint(ORIGIN, found.size, found.root))
    line = cosignature.sign(text, WITNESS, founded.keys["second"], 1_796_000_000)
    with closing(store.open_for_writing(founded.path)) as opened, opened.transaction():
        opened.add_cosignature(15, WITNESS, line.removesuffix("\n"))
    with founded.open(sign=False) as ledger:
        ledger.append({"kind": "ENTRY", "title": "pending"}, founded.keys["operator"])
    return founded


@pytest.fixture
def exported(rich, tmp_path):
    """An export of the rich ledger."""
    folder = tmp_path / "export"
    with closing(store.open_for_reading(rich.path)) as opened:
        counts = transfer.export(opened, stores(rich.root / "evidence"), folder)
    assert counts == {"entries": 16, "checkpoints": 15, "tiles": 3, "receipts": 1, "objects": 2}
    return folder


def load(folder, place):
    return transfer.load(folder, place / "ledger.db", stores(place))


def test_exp_1_the_layout_is_the_one_of_the_page(rich, exported):
    """EXP-1, EXP-2, EXP-3 and EXP-4."""
    rows = rich.rows()
    lines = exported.joinpath("entries.jsonl").read_bytes().split(b"\n")
    assert lines == [*(row[3] for row in rows["entry"]), b""]
    for size, signed in rows["checkpoint"]:
        cosigned = "".join(f"{line}\n" for at, _, line in rows["cosignature"] if at == size)
        assert (exported / "checkpoints" / str(size)).read_text() == signed + cosigned
    assert (exported / "checkpoint").read_text() == rows["checkpoint"][-1][1]
    assert sorted(path for path in listing(exported) if path.startswith("tile/")) == [
        "tile/0",
        "tile/0/000.p",
        "tile/0/000.p/15",
        "tile/entries",
        "tile/entries/000.p",
        "tile/entries/000.p/15",
    ]
    objects = [path for path in listing(exported / "objects").items() if path[1] is not None]
    assert sorted(data for _, data in objects) == [b"", b"raw rows"]


def test_exp_5_import_builds_every_row_of_every_table_again(rich, exported, tmp_path):
    place = tmp_path / "there"
    assert load(exported, place) == 16
    with closing(store.open_for_reading(place / "ledger.db")) as opened:
        assert {
            "entry": [tuple(row) for row in opened.rows()],
            "tree": list(opened.nodes()),
            "checkpoint": list(opened.checkpoints()),
            "cosignature": list(opened.cosignatures()),
        } == rich.rows()
        assert opened.schema() == store.expected_schema()
        transfer.export(opened, stores(place), tmp_path / "again")
    assert listing(tmp_path / "again") == listing(exported)


def test_exp_5_the_imported_ledger_goes_on(rich, exported):
    rich.path.unlink()
    assert load(exported, rich.root / "evidence") == 16
    assert rich.append(title="afterwards").index == 16
    assert rich.audit(rich.head()).code == 0


def test_an_export_of_a_ledger_without_checkpoints_or_objects_goes_there_and_back(
    founded, tmp_path
):
    founded.harm("DELETE FROM checkpoint")
    with closing(store.open_for_reading(founded.path)) as opened:
        transfer.export(opened, stores(tmp_path / "none"), tmp_path / "export")
    assert sorted(listing(tmp_path / "export")) == ["checkpoints", "entries.jsonl"]
    assert load(tmp_path / "export", tmp_path / "there") == 15


def change(name, edit):
    def harm(folder):
        path = folder / name
        path.chmod(0o644)
        path.write_bytes(edit(path.read_bytes()))

    return harm


def flipped(data):
    return bytes([*data[:-9], data[-9] ^ 1, *data[-8:]])


def an_object(folder):
    return next(path for path in (folder / "objects").rglob("*") if path.is_file())


def change_object(folder):
    path = next(p for p in (folder / "objects").rglob("*") if p.is_file() and p.stat().st_size)
    path.chmod(0o644)
    path.write_bytes(b"raw rowS")


def reordered(data):
    lines = data.splitlines(keepends=True)
    lines[5], lines[6] = lines[6], lines[5]
    return b"".join(lines)


def add(name, data=b"x"):
    def harm(folder):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)

    return harm


def link(name, target):
    def harm(folder):
        path = folder / name
        kept = folder.parent / "kept"
        if path.exists():
            shutil.move(path, kept)
        path.symlink_to(kept if target is None else target)

    return harm


def rename(old, new):
    return lambda folder: (folder / old).rename(folder / new)


def another_log(edit):
    """A checkpoint of the same entries that another log signed."""

    def harm(folder, f):
        origin, key = edit
        with closing(store.open_for_reading(f.path)) as opened:
            root = merkle.root(15, opened.node)
        signed = sign(Checkpoint(origin, 15, root), f.keys[key])
        (folder / "checkpoints" / "15").write_text(signed)
        (folder / "checkpoint").write_text(signed)

    harm.needs_ledger = True
    return harm


HARMS = {
    "a byte of an entry": (
        change("entries.jsonl", flipped),
        Error,
        "entry 15: signature: the signature does not verify",
    ),
    "a byte of a checkpoint": (
        change("checkpoints/9", flipped),
        Error,
        "checkpoints/9: note has a malformed signature line",
    ),
    "a byte of the last checkpoint": (
        change("checkpoint", flipped),
        VerificationError,
        "export/checkpoint is not what",
    ),
    "a byte of a tile": (change("tile/0/000.p/15", flipped), VerificationError, "tile/0/000.p/15"),
    "a byte of a bundle": (change("tile/entries/000.p/15", flipped), VerificationError, "entries"),
    "a byte of an object": (change_object, VerificationError, "is damaged"),
    "a file added": (add("notes.txt"), VerificationError, "notes.txt is not what"),
    "an empty folder added": (
        lambda folder: (folder / "more").mkdir(),
        VerificationError,
        "more is not what",
    ),
    "an object added": (add("objects/ab/" + "ab" * 32), VerificationError, "is damaged"),
    "a checkpoint added": (add("checkpoints/99"), MalformedError, "checkpoints/99"),
    "a hidden file": (add(".hidden"), VerificationError, ".hidden is not what"),
    "a pipe": (lambda folder: os.mkfifo(folder / "pipe"), VerificationError, "neither a file nor"),
    "entries removed": (
        lambda folder: (folder / "entries.jsonl").unlink(),
        NotFoundError,
        "no ent",
    ),
    "a tile removed": (
        lambda folder: (folder / "tile/0/000.p/15").unlink(),
        VerificationError,
        "tile/0/000.p/15 is not what",
    ),
    "the checkpoint removed": (
        lambda f: (f / "checkpoint").unlink(),
        VerificationError,
        "export/checkpoint is not what",
    ),
    "a checkpoint renamed": (
        rename("checkpoints/9", "checkpoints/99"),
        VerificationError,
        "checkpoints/99 is a checkpoint of 9",
    ),
    "a checkpoint called 007": (
        rename("checkpoints/7", "checkpoints/007"),
        VerificationError,
        "checkpoints/007 is a checkpoint of 7",
    ),
    "an object renamed": (
        lambda folder: an_object(folder).rename(folder / "objects" / "x"),
        VerificationError,
        "is not what an export would have written",
    ),
    "a folder renamed": (rename("objects", "objekte"), VerificationError, "objekte is not what"),
    "a link for a file": (link("entries.jsonl", None), VerificationError, "neither a file nor"),
    "a link for a folder": (link("objects", None), VerificationError, "neither a file nor"),
    "a link to elsewhere": (link("x", "/etc/passwd"), VerificationError, "neither a file nor"),
    "a link upwards": (link("objects/..x", "../.."), VerificationError, "neither a file nor"),
    "a link to nothing": (link("x", "nowhere"), VerificationError, "neither a file nor"),
    "entries in another order": (
        change("entries.jsonl", reordered),
        VerificationError,
        "entries.jsonl:6: the line holds entry 6",
    ),
    "an entry twice": (
        change("entries.jsonl", lambda d: d + d.splitlines(keepends=True)[-1]),
        VerificationError,
        "entries.jsonl:17: the line holds entry 15",
    ),
    "the first entry missing": (
        change("entries.jsonl", lambda d: d.split(b"\n", 1)[1]),
        VerificationError,
        "entries.jsonl:1: the line holds entry 1",
    ),
    "the covered end missing": (
        change("entries.jsonl", lambda d: b"".join(d.splitlines(keepends=True)[:12])),
        VerificationError,
        "checkpoints/13 is not of these entries",
    ),
    "no entries": (change("entries.jsonl", lambda d: b""), Error, "holds no entry"),
    "no newline at the end": (
        change("entries.jsonl", lambda d: d[:-1]),
        MalformedError,
        "entries.jsonl:16: the line was cut short or is too long",
    ),
    "CRLF": (change("entries.jsonl", lambda d: d.replace(b"\n", b"\r\n")), MalformedError, ":1:"),
    "a BOM": (change("entries.jsonl", lambda d: b"\xef\xbb\xbf" + d), MalformedError, ":1:"),
    "a line without an end": (
        change("entries.jsonl", lambda d: d + b"{" * 200_000),
        MalformedError,
        "entries.jsonl:17: the line was cut short or is too long",
    ),
    "an endless checkpoint": (
        change("checkpoints/9", lambda d: d + b"x" * 1_000_001),
        MalformedError,
        "checkpoints/9: larger than 1000000 bytes",
    ),
    "a checkpoint that is not text": (
        change("checkpoints/9", lambda d: b"\xff" + d),
        MalformedError,
        "checkpoints/9: not UTF-8 text",
    ),
    "a checkpoint without a signature": (
        change("checkpoints/9", lambda d: d.split(b"\n\n")[0] + b"\n"),
        MalformedError,
        "checkpoints/9: note has no empty line",
    ),
    "a cosignature without a name": (
        change("checkpoints/15", lambda d: d + b"x\n"),
        MalformedError,
        "checkpoints/15: note has a malformed signature line",
    ),
    "a checkpoint under another name": (
        another_log(("elsewhere", "log")),
        VerificationError,
        "does not verify: ledger: checkpoint: checkpoint 15: it is not of",
    ),
    "a checkpoint by another log": (
        another_log((ORIGIN, "stranger")),
        VerificationError,
        "exactly one signature, by the log's key",
    ),
    "entries rewritten": (
        change("entries.jsonl", lambda d: d.replace(b"eyJ", b"eyK", 1)),
        Error,
        "entries.jsonl:1: not canonical JSON",
    ),
}


@pytest.mark.parametrize("name", HARMS)
def test_exp_6_a_folder_that_no_export_wrote_is_refused_and_leaves_nothing(
    rich, exported, tmp_path, name
):
    harm, error, sentence = HARMS[name]
    harm(exported, rich) if hasattr(harm, "needs_ledger") else harm(exported)
    place = tmp_path / "there"
    with pytest.raises(error) as refused:
        load(exported, place)
    said = str(refused.value)
    assert (sentence in said, "\n" in said) == (True, False), said
    assert [path for path in place.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("step", range(0, 400, 37))
def test_exp_6_any_byte_of_any_file_of_an_export(exported, tmp_path, step):
    files = sorted(path for path in exported.rglob("*") if path.is_file() and path.stat().st_size)
    path = files[step % len(files)]
    path.chmod(0o644)
    data = bytearray(path.read_bytes())
    data[(step * 7919) % len(data)] ^= 0x04
    path.write_bytes(bytes(data))
    with pytest.raises(Error):
        load(exported, tmp_path / "there")
    assert not (tmp_path / "there" / "ledger.db").exists()


def test_exp_7_an_import_never_replaces_a_ledger(rich, exported):
    before = rich.path.read_bytes()
    with pytest.raises(ConflictError, match="a ledger is never replaced"):
        load(exported, rich.root / "evidence")
    assert rich.path.read_bytes() == before


def test_exp_7_an_import_that_is_pinned_to_another_genesis_is_refused(exported, tmp_path):
    place = tmp_path / "there"
    with pytest.raises(VerificationError, match="holds another ledger than the one that is pinned"):
        transfer.load(exported, place / "ledger.db", stores(place), "0" * 64)
    assert [path for path in place.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("kind", ["folder", "file", "empty folder"])
def test_exp_8_an_export_is_never_written_over_anything(rich, tmp_path, kind):
    folder = tmp_path / "taken"
    folder.write_text("mine") if kind == "file" else folder.mkdir()
    if kind == "folder":
        (folder / "mine").write_text("mine")
    before = listing(tmp_path)
    with (
        closing(store.open_for_reading(rich.path)) as opened,
        pytest.raises(ConflictError, match="an export is never written over another"),
    ):
        transfer.export(opened, stores(rich.root / "evidence"), folder)
    assert listing(tmp_path) == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, MemoryError])
@pytest.mark.parametrize("at", [0, 1, 9, 17, 20])
def test_exp_8_an_interrupted_export_leaves_nothing(rich, tmp_path, monkeypatch, error, at):
    real, calls = transfer._put, []

    def failing(path, data):
        calls.append(path)
        if len(calls) > at:
            raise error
        real(path, data)

    monkeypatch.setattr(transfer, "_put", failing)
    place = tmp_path / "out"
    with closing(store.open_for_reading(rich.path)) as opened, pytest.raises(error):
        transfer.export(opened, stores(rich.root / "evidence"), place / "export")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE checkpoint SET note = '\ufffd' WHERE size = 15", "note has no empty line"),
        ("DELETE FROM entry WHERE idx > 11", "12 entries do not lead to the checkpoint of 15"),
    ],
)
def test_a_damaged_ledger_is_not_exported(founded, tmp_path, statement, sentence):
    founded.harm(statement)
    with closing(store.open_for_reading(founded.path)) as opened, pytest.raises(Error) as error:
        transfer.export(opened, stores(founded.root / "evidence"), tmp_path / "export")
    assert sentence in str(error.value)
    assert not (tmp_path / "export").exists()


def test_a_damaged_object_is_not_exported(rich, tmp_path):
    path = an_object(Path(rich.root / "evidence"))
    path.chmod(0o644)
    path.write_bytes(b"other")
    with (
        closing(store.open_for_reading(rich.path)) as opened,
        pytest.raises(VerificationError, match="is damaged: its bytes have another digest"),
    ):
        transfer.export(opened, stores(rich.root / "evidence"), tmp_path / "export")
    assert not (tmp_path / "export").exists()


def test_a_folder_that_is_no_export_is_told(tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(NotFoundError, match=r"is no export: it has no entries\.jsonl"):
            load(folder, tmp_path / "there")


# --- the page -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """An export of the ledger that the format pages share, with one object."""
    folder = tmp_path_factory.mktemp("example")
    moments = (datetime(2026, 11, 29, 10, minute, tzinfo=UTC) for minute in range(60))
    operator, signer = (
        from_private(Ed25519PrivateKey.from_private_bytes(bytes(range(start, start + 32))))
        for start in (0, 32)
    )
    path = folder / "ledger.db"
    fields = {"title": "genesis", "origin": ORIGIN}
    log.create(path, fields, operator, signer, lambda: next(moments))
    roles = ["operator", "engineer", "runner"]
    enrol = {"kind": "KEY", "action": "enrol", "key": operator.public.openssh, "roles": roles}
    with Ledger.open(path, Heads(folder / "heads"), lambda: next(moments), write=True) as ledger:
        ledger.log_signer = signer
        ledger.append({**enrol, "title": "the founder is also engineer and runner"}, operator)
        third = {"kind": "ENTRY", "label": "J3", "title": "tuned against plain"}
        why = "a smaller batch leaves room in the cache"
        ledger.append({**third, "hypothesis": why}, operator)
    made = stores(folder)
    made["objects"].put(b"raw rows\n")
    with closing(store.open_for_reading(path)) as opened:
        transfer.export(opened, made, folder / "export")
    return folder / "export"


def test_the_example_of_the_page_is_what_an_export_writes(example):
    [shown] = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    files = sorted(path for path in example.rglob("*") if path.is_file())
    said = [f"{Digest.of_file(path).hex}  {path.relative_to(example)}" for path in files]
    assert shown.splitlines() == said


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash: the script was not run")
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (None, b"", b""),
        ("entries.jsonl", b'"sig":"', b'"sig":"A'),
        ("checkpoints/2", b"\n2\n", b"\n1\n"),
        ("checkpoint", b"\n3\n", b"\n2\n"),
        ("objects", b"raw", b"row"),
    ],
)
def test_the_script_of_the_page_accepts_the_example_and_nothing_else(
    example, tmp_path, name, old, new
):
    folder = tmp_path / "copy"
    shutil.copytree(example, folder)
    if name:
        path = an_object(folder) if name == "objects" else folder / name
        path.chmod(0o644)
        path.write_bytes(path.read_bytes().replace(old, new, 1))
    [script] = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    command = ["bash", "-eu", "-o", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    assert (done.returncode == 0) is (name is None)
