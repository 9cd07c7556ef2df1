"""What the kernel counted on one TCP connection: how long it was busy, and what held it up.

    read(connection)     # {"busy_ns": 2004000000, "rwnd_limited_ns": 0, …} after two full seconds

`busy` is the time in which data was waiting to be sent or to be acknowledged. It is counted in
ticks: over loopback a mebibyte takes none at all. Linux only, since 4.9; a field that this kernel
does not have, and every field elsewhere, is absent. Source: `struct tcp_info` in the kernel's
include/uapi/linux/tcp.h, whose fields are added at the end and never moved.
"""

import socket
import struct
import sys
import time
from collections.abc import Mapping

LARGEST = 280
"""Bytes that are asked for; a kernel gives as many as it knows."""
_COARSE_CLOCK = 6  # CLOCK_MONOTONIC_COARSE, which advances once a tick
# Where the field begins, and how many of our units one of the kernel's is.
_FIELDS = {
    "busy_ns": (168, 1000),
    "rwnd_limited_ns": (176, 1000),
    "sndbuf_limited_ns": (184, 1000),
    "retrans_bytes": (208, 1),
}


def read(connection: socket.socket) -> dict[str, int]:
    """Return the counters of `connection` since it began; nothing where the kernel keeps none."""
    if sys.platform != "linux":
        return {}
    return parse(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LARGEST))


def parse(data: bytes) -> dict[str, int]:
    """Return the counters in a `struct tcp_info`; older kernels give shorter ones."""
    return {
        name: factor * struct.unpack_from("=Q", data, place)[0]
        for name, (place, factor) in _FIELDS.items()
        if place + 8 <= len(data)
    }


def between(former: Mapping[str, int], latter: Mapping[str, int]) -> dict[str, int]:
    """Return what was counted from `former` to `latter`."""
    return {name: latter[name] - former[name] for name in latter if name in former}


def tick_ns() -> int | None:
    """Return the step in which this kernel counts busy time; None where it counts none."""
    if sys.platform != "linux":
        return None
    return round(time.clock_getres(_COARSE_CLOCK) * 10**9)
