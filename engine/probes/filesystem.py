"""What a folder's file system is, by what `statfs` says: on tmpfs a sync keeps nothing.

    name(Path("/dev/shm"))  ->  "tmpfs"

Python's `os.statvfs` leaves the type out, so the C library is asked. Off Linux the type is told as
`unknown`. Source of the numbers: include/uapi/linux/magic.h of the kernel.
"""

import ctypes
import errno
import os
import struct
import sys
from pathlib import Path

from engine.results.probes import NOT_DURABLE
from receipts.errors import Error, NotFoundError

UNKNOWN = "unknown"
_ROOM = 512  # more than any `struct statfs`, whose first field is the type
_NAMES = {
    0x01021994: "tmpfs",
    0x858458F6: "ramfs",
    0x958458F6: "hugetlbfs",
    0xEF53: "ext4",
    0x58465342: "xfs",
    0x9123683E: "btrfs",
    0x2FC12FC1: "zfs",
    0xF2F52010: "f2fs",
    0xCA451A4E: "bcachefs",
    0x794C7630: "overlay",
    0x6969: "nfs",
    0xFF534D42: "cifs",
    0x01021997: "9p",
    0x65735546: "fuse",
    0x00C36400: "ceph",
    0x4D44: "vfat",
}


def name(folder: Path) -> str:
    """Return the name of the folder's file system, its number in hexadecimal if it has no name."""
    if sys.platform != "linux":
        return UNKNOWN
    number = _type(folder)
    return _NAMES.get(number, f"{number:#x}")


def require_durable(folder: Path) -> str:
    """Return the name of the folder's file system, or refuse one that is memory."""
    if not folder.is_dir():
        raise NotFoundError(f"{folder}: the folder does not exist; create it")
    found = name(folder)
    if found in NOT_DURABLE:
        raise Error(f"NOT_DURABLE: {folder} is on {found}, which is memory; probe the disk itself")
    return found


def _type(folder: Path) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    room = ctypes.create_string_buffer(_ROOM)
    if library.statfs(os.fsencode(folder), room) != 0:
        number = ctypes.get_errno() or errno.EIO
        raise OSError(number, os.strerror(number), str(folder))
    # A long on nearly every machine; its lower half is what the magic numbers are made of.
    return int(struct.unpack_from("@L", room.raw)[0]) & 0xFFFFFFFF
