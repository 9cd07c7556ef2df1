"""The kernel's counters of real connections, and of structs as older kernels give them."""

import socket
import struct
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from engine.probes import tcp_info

linux = pytest.mark.skipif(sys.platform != "linux", reason="not run: busy time is Linux's")
WHOLE = dict.fromkeys(("busy_ns", "rwnd_limited_ns", "sndbuf_limited_ns", "retrans_bytes"), 0)


@contextmanager
def connected():
    """Yield a connection over loopback whose other end reads all that comes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        near = socket.create_connection(listening.getsockname())
        far, _ = listening.accept()

        def drain():
            while far.recv(1 << 20):
                pass

        reader = threading.Thread(target=drain)
        reader.start()
        try:
            yield near
        finally:
            near.close()
            reader.join()
            far.close()


def test_a_whole_struct_gives_every_counter_in_nanoseconds_and_bytes():
    data = bytearray(232)
    struct.pack_into("=4Q", data, 160, 99, 4000, 8000, 12000)
    struct.pack_into("=2Q", data, 200, 77, 5)

    assert tcp_info.parse(bytes(data)) == {
        "busy_ns": 4_000_000,
        "rwnd_limited_ns": 8_000_000,
        "sndbuf_limited_ns": 12_000_000,
        "retrans_bytes": 5,
    }


@pytest.mark.parametrize(
    ("length", "known"),
    [(0, 0), (104, 0), (175, 0), (176, 1), (184, 2), (192, 3), (215, 3), (216, 4), (280, 4)],
)
def test_what_a_shorter_struct_does_not_hold_is_absent_and_never_0(length, known):
    assert list(tcp_info.parse(bytes(length))) == list(WHOLE)[:known]


def test_what_is_absent_at_either_end_has_no_difference():
    assert tcp_info.between({"busy_ns": 4}, {"busy_ns": 9, "retrans_bytes": 3}) == {"busy_ns": 5}


@linux
def test_this_kernel_counts_on_a_real_connection():
    with connected() as near:
        assert tcp_info.read(near).keys() == WHOLE.keys()


@linux
def test_busy_time_is_counted_in_whole_ticks():
    tick = tcp_info.tick_ns()
    assert tick in (1_000_000, 3_333_333, 4_000_000, 10_000_000)
    with connected() as near:
        near.sendall(bytes(1 << 26))
        busy = tcp_info.read(near)["busy_ns"]
    assert abs(busy - round(busy / tick) * tick) <= busy / tick * 1000


@linux
def test_a_short_burst_over_loopback_is_hardly_a_tick():
    with connected() as near:
        near.sendall(bytes(1 << 20))
        assert tcp_info.read(near)["busy_ns"] < 100 * tcp_info.tick_ns()


@linux
def test_pauses_of_the_sender_are_in_wall_time_and_not_in_busy_time():
    block = bytes(1 << 20)
    with connected() as near:
        start = time.monotonic_ns()
        for _ in range(4):
            near.sendall(block)
            time.sleep(0.15)
        wall = time.monotonic_ns() - start
        busy = tcp_info.read(near)["busy_ns"]
    assert wall >= 600_000_000
    assert busy < wall / 2
