"""The Merkle tree of RFC 6962 (section 2.1), as pure functions over hashes of 32 bytes.

    leaf  = SHA-256(0x00 || data)          node = SHA-256(0x01 || left || right)
    root of n > 1 leaves: split at the largest power of two below n; root of none: SHA-256("")

Complete subtrees are addressed as (level, index): level 0 holds the leaves, and (level, index)
covers the leaves from index·2^level up to (index+1)·2^level. Proof checks follow the pseudocode of
RFC 9162, sections 2.1.3.2 and 2.1.4.2.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Self

from receipts.errors import MalformedError, VerificationError

HASH_SIZE = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()
NodeReader = Callable[[int, int], bytes]


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf with these bytes."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node over two children."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def subtrees(size: int) -> list[tuple[int, int]]:
    """Return the complete subtrees, largest first, that a tree of `size` leaves is made of."""
    found = []
    start = 0
    for level in range(size.bit_length() - 1, -1, -1):
        if size >> level & 1:
            found.append((level, start >> level))
            start += 1 << level
    return found


def completed(index: int) -> Iterator[tuple[int, int]]:
    """Yield the subtrees above level 0 that become complete when leaf `index` is added."""
    level = 1
    while (index + 1) % (1 << level) == 0:
        yield level, index >> level
        level += 1


def root(size: int, read: NodeReader) -> bytes:
    """Return the root of the first `size` leaves; `read(level, index)` gives complete subtrees."""
    hashes = [read(level, index) for level, index in subtrees(size)]
    if not hashes:
        return EMPTY_ROOT
    result = hashes.pop()
    while hashes:
        result = node_hash(hashes.pop(), result)
    return result


class Frontier:
    """The right edge of a growing tree: at most one hash a level, enough for every root."""

    def __init__(self) -> None:
        self.size = 0
        self._edge: list[bytes] = []

    @classmethod
    def at(cls, size: int, read: NodeReader) -> Self:
        """Return the edge of the tree of `size` leaves whose subtrees `read` gives."""
        frontier = cls()
        frontier.size = size
        frontier._edge = [read(level, index) for level, index in subtrees(size)]
        return frontier

    def add(self, leaf: bytes) -> list[tuple[int, int, bytes]]:
        """Add a leaf hash; return the subtrees above it that it completes."""
        self._edge.append(leaf)
        made = []
        for level, index in completed(self.size):
            right = self._edge.pop()
            self._edge.append(node_hash(self._edge.pop(), right))
            made.append((level, index, self._edge[-1]))
        self.size += 1
        return made

    def root(self) -> bytes:
        """Return the root over all leaves added so far."""
        if not self._edge:
            return EMPTY_ROOT
        result = self._edge[-1]
        for left in reversed(self._edge[:-1]):
            result = node_hash(left, result)
        return result


def prove_inclusion(index: int, size: int, read: NodeReader) -> list[bytes]:
    """Return the proof that leaf `index` is in the tree of `size` leaves, leaf sibling first."""
    if not 0 <= index < size:
        raise MalformedError(f"index {index} is not in a tree of {size}")
    return _path(index, 0, size, read)


def prove_consistency(old: int, new: int, read: NodeReader) -> list[bytes]:
    """Return the proof that the tree of `old` leaves is a prefix of the tree of `new`."""
    if not 1 <= old <= new:
        raise MalformedError(f"size {old} is not within a tree of {new}")
    if old == new:
        return []
    return _subproof(old, 0, new, read, complete=True)


def check_inclusion(
    index: int, size: int, leaf: bytes, proof: Sequence[bytes], expected_root: bytes
) -> None:
    """Return if `proof` shows that `leaf` stands at `index` under the root; else raise."""
    if not 0 <= index < size or len(leaf) != HASH_SIZE:
        raise VerificationError(f"index {index} is not in a tree of {size}")
    position, last, result = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise VerificationError("inclusion proof is longer than the tree is high")
        if position & 1 or position == last:
            result = node_hash(sibling, result)
            while position and not position & 1:
                position, last = position >> 1, last >> 1
        else:
            result = node_hash(result, sibling)
        position, last = position >> 1, last >> 1
    if last or result != expected_root:
        raise VerificationError(f"inclusion proof of {index} does not lead to the root of {size}")


def check_consistency(
    old: int, new: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes
) -> None:
    """Return if `proof` shows that the old tree is a prefix of the new one; else raise."""
    refused = VerificationError(f"the tree of {new} does not extend the tree of {old}")
    if not 1 <= old <= new:
        raise refused
    if old == new:
        if proof or old_root != new_root:
            raise refused
        return
    hashes = list(proof) if old & (old - 1) else [old_root, *proof]
    if not hashes or _fold(old, new, hashes) != (old_root, new_root):
        raise refused


def _fold(old: int, new: int, hashes: list[bytes]) -> tuple[bytes, bytes] | None:
    """Return the two roots that a consistency proof leads to, or None if it does not fit."""
    position, last = old - 1, new - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    first = second = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return None
        if position & 1 or position == last:
            first, second = node_hash(sibling, first), node_hash(sibling, second)
            while position and not position & 1:
                position, last = position >> 1, last >> 1
        else:
            second = node_hash(second, sibling)
        position, last = position >> 1, last >> 1
    return (first, second) if last == 0 else None


def _split(size: int) -> int:
    return 1 << ((size - 1).bit_length() - 1)


def _range_root(start: int, size: int, read: NodeReader) -> bytes:
    """Return the root of `size` leaves from `start`, which is a multiple of a power of two."""
    hashes = []
    for level, index in subtrees(size):
        hashes.append(read(level, index + (start >> level)))
    result = hashes.pop()
    while hashes:
        result = node_hash(hashes.pop(), result)
    return result


def _path(index: int, start: int, size: int, read: NodeReader) -> list[bytes]:
    if size == 1:
        return []
    half = _split(size)
    if index < half:
        return [
            *_path(index, start, half, read),
            _range_root(start + half, size - half, read),
        ]
    return [
        *_path(index - half, start + half, size - half, read),
        _range_root(start, half, read),
    ]


def _subproof(old: int, start: int, size: int, read: NodeReader, *, complete: bool) -> list[bytes]:
    if old == size:
        return [] if complete else [_range_root(start, size, read)]
    half = _split(size)
    if old <= half:
        return [
            *_subproof(old, start, half, read, complete=complete),
            _range_root(start + half, size - half, read),
        ]
    return [
        *_subproof(old - half, start + half, size - half, read, complete=False),
        _range_root(start, half, read),
    ]
