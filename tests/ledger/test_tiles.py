"""The published tree: known paths, the golden log of Tessera, and the page's example."""

import os
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import checkpoint, merkle, note, tiles
from ledger.note import Verifier
from receipts import envelope
from receipts.errors import MalformedError, VerificationError
from receipts.keys import from_private

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/formats/tiles.md"
GOLDEN = Path(os.environ.get("EVIDENCE_VECTORS", ROOT.parent / "shared/vectors")) / "tessera-log"
golden = pytest.mark.skipif(
    not GOLDEN.is_dir(), reason="no tessera-log at EVIDENCE_VECTORS: the golden log was not read"
)
ORIGIN = "perf.example.org/engine"


def head(entries, signing_key):
    tree = merkle.Frontier()
    for entry in entries:
        tree.add(merkle.leaf_hash(entry))
    found = checkpoint.Checkpoint(ORIGIN, tree.size, tree.root())
    return found, checkpoint.sign(found, signing_key)


@pytest.mark.parametrize(
    ("index", "width", "path"),
    [
        (0, 256, "000"),
        (7, 1, "007.p/1"),
        (999, 255, "999.p/255"),
        (1000, 256, "x001/000"),
        (1234067, 256, "x001/x234/067"),
        (1234067, 17, "x001/x234/067.p/17"),
    ],
)
def test_paths_are_those_of_the_specification(index, width, path):
    assert tiles.tile_path(5, index, width) == f"tile/5/{path}"
    assert tiles.bundle_path(index, width) == f"tile/entries/{path}"


@pytest.mark.parametrize(("index", "width"), [(-1, 256), (0, 0), (0, 257), (2**63, 256)])
def test_a_tile_that_cannot_be_has_no_path(index, width):
    with pytest.raises(MalformedError, match="no tile has the number"):
        tiles.bundle_path(index, width)


@golden
@pytest.mark.parametrize("size", range(16))
def test_the_golden_log_is_read_and_written_at_every_size(size):
    verifier = Verifier.parse((GOLDEN / "vkey.txt").read_text().strip())
    signed = (GOLDEN / f"checkpoint.{size}").read_text()
    found = checkpoint.open_checkpoint(signed, verifier)
    asked = []

    def reader(path):
        asked.append(path)
        return (GOLDEN / path).read_bytes()

    entries = list(tiles.read(reader, found))
    assert len(entries) == size
    assert asked == ([f"tile/0/000.p/{size}", f"tile/entries/000.p/{size}"] if size else [])
    written = dict(tiles.write(entries, signed))
    assert written.pop("checkpoint") == signed.encode()
    assert written == {path: (GOLDEN / path).read_bytes() for path in asked}


@golden
def test_a_golden_head_refuses_the_tiles_of_another(tmp_path):
    verifier = Verifier.parse((GOLDEN / "vkey.txt").read_text().strip())
    heads = [
        checkpoint.open_checkpoint((GOLDEN / f"checkpoint.{size}").read_text(), verifier)
        for size in (14, 15)
    ]
    mixed = checkpoint.Checkpoint(heads[0].origin, 15, heads[0].root)
    with pytest.raises(VerificationError, match="do not lead to the checkpoint's root"):
        list(tiles.read(lambda path: (GOLDEN / path).read_bytes(), mixed))


def test_a_tree_of_70000_is_published_as_the_specification_counts_it(signing_key):
    """The example of tlog-tiles: 273 full and 1 partial tile, 1 and 1 of level 1, 1 of level 2."""
    entries = [b"%d" % number for number in range(70_000)]
    found, signed = head(entries, signing_key)
    written = dict(tiles.write(entries, signed))
    names = sorted(path for path in written if not path.startswith("tile/entries/"))
    assert [path for path in names if not path.startswith("tile/0/")] == [
        "checkpoint",
        "tile/1/000",
        "tile/1/001.p/17",
        "tile/2/000.p/1",
    ]
    assert sum(path.startswith("tile/0/") for path in names) == 274
    assert len(written["tile/0/273.p/112"]) == 112 * 32
    assert len(written["tile/1/000"]) == 8192
    assert list(tiles.read(written.__getitem__, found)) == entries


def test_the_head_is_published_last_and_only_if_the_entries_lead_to_it(signing_key):
    entries = [b"a", b"b", b"c"]
    _, signed = head(entries, signing_key)
    assert [path for path, _ in tiles.write(entries, signed)][-1] == "checkpoint"
    for others in ([b"a", b"b"], [b"a", b"b", b"x"], [*entries, b"d"], []):
        seen = []
        with pytest.raises(VerificationError, match="do not lead to the checkpoint of 3"):
            seen.extend(path for path, _ in tiles.write(others, signed))
        assert "checkpoint" not in seen


def test_an_entry_may_have_65535_bytes_and_none(signing_key):
    entries = [b"", bytes(65_535)]
    found, signed = head(entries, signing_key)
    assert list(tiles.read(dict(tiles.write(entries, signed)).__getitem__, found)) == entries
    with pytest.raises(MalformedError, match="65536 bytes is over the limit"):
        list(tiles.write([bytes(65_536)], signed))


def test_no_file_is_read_twice(signing_key):
    entries = [b"%d" % number for number in range(1000)]
    found, signed = head(entries, signing_key)
    written = dict(tiles.write(entries, signed))
    asked = []

    def reader(path):
        asked.append(path)
        return written[path]

    assert list(tiles.read(reader, found)) == entries
    assert sorted(asked) == sorted(set(written) - {"checkpoint"})


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def example():
    """Make the files of the page again: three envelopes, the checkpoint of the other pages."""
    page = PAGE.with_name("proof.md").read_text()
    signed = re.findall(r"^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[0]
    signed = signed.partition("\n\n")[2]
    key = from_private(Ed25519PrivateKey.from_private_bytes(b"\x03" * 32))
    entries = [envelope.sign(key, "text/plain", text) for text in (b"one", b"two", b"three")]
    return dict(tiles.write(entries, signed)), note.split(signed)[0]


def test_the_listing_of_the_page_is_what_is_written():
    written, _ = example()
    lines = [f"{sha256(data).hexdigest()}  {path}\n" for path, data in written.items()]
    assert blocks("text")[0] == "".join(lines)


@pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("bash", "sha256sum", "xxd", "od", "cmp")),
    reason="no bash, sha256sum, xxd, od or cmp: the page's steps were not run",
)
@pytest.mark.parametrize("harmed", [None, "tile/entries/000.p/3", "tile/0/000.p/3", "checkpoint"])
def test_the_steps_with_stock_tools_verify_the_example_and_no_change(tmp_path, harmed):
    written, _ = example()
    for path, data in written.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path == harmed:
            place = data.index(b"cTnf") if path == "checkpoint" else 40
            data = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        target.write_bytes(data)
    [script] = blocks("sh")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.returncode == 0) is (harmed is None), done.stderr
