"""The published tree: a log as plain files that any web server or object store can hold.

::

    checkpoint                    the signed head
    tile/0/x001/x234/067          256 leaf hashes, 8,192 bytes
    tile/1/004.p/17               17 hashes, each the root of a full tile of level 0
    tile/entries/004.p/112        112 entries, each behind its length in two bytes, big-endian

A tile's number is written in groups of three digits, all but the last behind an `x`. The last tile
of a level may be partial, 1 to 255 hashes wide; it is never hashed into the level above. Full tiles
never change, so a copy grows by adding files and replacing `checkpoint`.
Source: https://c2sp.org/tlog-tiles, version 0.1.0. Specification: docs/reference/formats/tiles.md.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from ledger import merkle, note
from ledger.checkpoint import Checkpoint, parse_checkpoint
from ledger.merkle import HASH_SIZE, Frontier
from receipts.errors import MalformedError, VerificationError

CHECKPOINT = "checkpoint"
HEIGHT = 8
WIDTH = 1 << HEIGHT
MAX_ENTRY = 65_535
MAX_SIZE = 2**63 - 1

Reader = Callable[[str], bytes]


def tile_path(level: int, index: int, width: int = WIDTH) -> str:
    """Return where the tile of hashes lies; `width` below 256 is a partial tile."""
    return f"tile/{level}/{_number(index, width)}"


def bundle_path(index: int, width: int = WIDTH) -> str:
    """Return where the entries lie whose hashes are in tile `index` of level 0."""
    return f"tile/entries/{_number(index, width)}"


def write(entries: Iterable[bytes], signed: str) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of every file of the tree over `entries`, and last the checkpoint.

    `signed` is the signed checkpoint of exactly these entries; its signatures are not looked at.
    Holds one tile a level in memory. Raises `VerificationError` in place of the checkpoint if the
    entries do not lead to it, so that whoever writes the files in order publishes no such head.
    """
    head = parse_checkpoint(note.split(signed)[0])
    growing = _Growing()
    for entry in entries:
        yield from growing.add(entry)
    if (growing.tree.size, growing.tree.root()) != (head.size, head.root):
        raise VerificationError(
            f"{growing.tree.size} entries do not lead to the checkpoint of {head.size}"
        )
    yield from growing.partial()
    yield CHECKPOINT, signed.encode()


def read(reader: Reader, checkpoint: Checkpoint) -> Iterator[bytes]:
    """Yield the entries of the tree under `checkpoint`, each only once it is known to be its own.

    `reader` returns the content of a path, or raises. The partial tiles at the right edge must lead
    to the checkpoint's root, every full tile to its hash in the tile above, every entry to its
    hash. All files are read once, a tile a level is held. Raises `MalformedError` for a file out of
    form, `VerificationError` for one that does not lead to the root; what was yielded before holds.
    """
    tree = _Published(reader, checkpoint)
    for start in range(0, checkpoint.size, WIDTH):
        width = min(WIDTH, checkpoint.size - start)
        hashes = tree.hashes(0, start // WIDTH)
        path = bundle_path(start // WIDTH, width)
        for number, (entry, leaf) in enumerate(
            zip(parse_bundle(reader(path), width, path), hashes, strict=True), start
        ):
            if merkle.leaf_hash(entry) != leaf:
                raise VerificationError(f"{path}: entry {number} is not the one in the tree")
            yield entry


def parse_bundle(data: bytes, width: int, path: str) -> list[bytes]:
    """Return the `width` entries in a bundle; `path` names it in errors."""
    entries: list[bytes] = []
    place = 0
    while place < len(data) and len(entries) < width:
        start = place + 2
        place = start + int.from_bytes(data[place:start], "big")
        entries.append(data[start:place])
    if place != len(data) or len(entries) != width:
        raise MalformedError(f"{path}: it does not hold {width} entries and nothing else")
    return entries


class _Growing:
    """The unfinished tile of each level, and the unfinished bundle."""

    def __init__(self) -> None:
        self.tree = Frontier()
        self._rows: dict[int, list[bytes]] = {}
        self._bundle: list[bytes] = []

    def add(self, entry: bytes) -> Iterator[tuple[str, bytes]]:
        """Take an entry; yield the files that it completes."""
        if len(entry) > MAX_ENTRY:
            raise MalformedError(f"entry of {len(entry)} bytes is over the limit of {MAX_ENTRY}")
        leaf = merkle.leaf_hash(entry)
        index = self.tree.size
        self._bundle.append(len(entry).to_bytes(2, "big") + entry)
        if len(self._bundle) == WIDTH:
            yield bundle_path(index // WIDTH), b"".join(self._bundle)
            self._bundle = []
        # The root of a full tile is the subtree that its last hash completes, eight levels up.
        for level, place, node in [(0, index, leaf), *self.tree.add(leaf)]:
            if level % HEIGHT == 0:
                yield from self._put(level // HEIGHT, place // WIDTH, node)

    def _put(self, level: int, index: int, node: bytes) -> Iterator[tuple[str, bytes]]:
        row = self._rows.setdefault(level, [])
        row.append(node)
        if len(row) == WIDTH:
            yield tile_path(level, index), b"".join(row)
            self._rows[level] = []

    def partial(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files at the right edge; nothing may be added after."""
        size = self.tree.size
        if self._bundle:
            yield bundle_path(size // WIDTH, len(self._bundle)), b"".join(self._bundle)
        for level, row in self._rows.items():
            if row:
                index = size >> HEIGHT * (level + 1)
                yield tile_path(level, index, len(row)), b"".join(row)


class _Published:
    """The hashes of a published tree, each verified before it is handed out."""

    def __init__(self, reader: Reader, checkpoint: Checkpoint) -> None:
        if not 0 <= checkpoint.size <= MAX_SIZE:
            raise MalformedError(f"checkpoint's size {checkpoint.size} is not below 2^63")
        self._reader = reader
        self._size = checkpoint.size
        self._held: dict[int, tuple[int, list[bytes]]] = {}
        self._edge: dict[int, list[bytes]] = {}
        for level in range(checkpoint.size.bit_length() // HEIGHT + 1):
            index, width = divmod(checkpoint.size >> HEIGHT * level, WIDTH)
            if width:
                self._edge[level] = self._fetch(level, index, width)
        if merkle.root(checkpoint.size, self._edge_node) != checkpoint.root:
            raise VerificationError("the partial tiles do not lead to the checkpoint's root")

    def hashes(self, level: int, index: int) -> list[bytes]:
        """Return the hashes of a tile, which the edge or the tile above has vouched for."""
        if index == self._size >> HEIGHT * (level + 1):
            return self._edge[level]
        if self._held.get(level, (None,))[0] != index:
            expected = self.hashes(level + 1, index // WIDTH)[index % WIDTH]
            found = self._fetch(level, index, WIDTH)
            if _root(found) != expected:
                raise VerificationError(f"{tile_path(level, index)} does not lead to the root")
            self._held[level] = (index, found)
        return self._held[level][1]

    def _fetch(self, level: int, index: int, width: int) -> list[bytes]:
        path = tile_path(level, index, width)
        data = self._reader(path)
        if len(data) != width * HASH_SIZE:
            raise MalformedError(f"{path}: {len(data)} bytes, not {width} hashes")
        return [data[start : start + HASH_SIZE] for start in range(0, len(data), HASH_SIZE)]

    def _edge_node(self, level: int, index: int) -> bytes:
        """Return the complete subtree at (level, index) of the Merkle tree, from the edge."""
        tile, inside = divmod(level, HEIGHT)
        first = (index << inside) % WIDTH
        return _root(self._edge[tile][first : first + (1 << inside)])


def _root(hashes: Sequence[bytes]) -> bytes:
    tree = Frontier()
    for one in hashes:
        tree.add(one)
    return tree.root()


def _number(index: int, width: int) -> str:
    if not (0 <= index <= MAX_SIZE and 1 <= width <= WIDTH):
        raise MalformedError(f"no tile has the number {index} and the width {width}")
    groups = f"{index:,}".split(",")
    groups[0] = groups[0].zfill(3)
    name = "".join(f"x{group}/" for group in groups[:-1]) + groups[-1]
    return name if width == WIDTH else f"{name}.p/{width}"
