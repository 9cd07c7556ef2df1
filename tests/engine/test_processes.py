"""Processes by number and start, families, and names as a second opinion."""

import os
import subprocess
import sys

import pytest

from engine.apparatus import processes
from engine.apparatus.processes import Started

PARENT = (
    "import subprocess; p = subprocess.Popen(['sleep', '60']);print(p.pid, flush=True); p.wait()"
)


def test_a_process_is_its_number_and_its_start():
    child = subprocess.Popen(["sleep", "60"])
    started = processes.started(child.pid)
    try:
        assert started.is_alive()
        assert not Started(child.pid, started.ticks - 1).is_alive()
        assert not Started(child.pid, None).is_alive()
    finally:
        child.kill()
        child.wait()
    assert not started.is_alive()


def test_a_family_is_descendants_and_the_group():
    code = PARENT
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True
    )
    grandchild = int(child.stdout.readline())
    try:
        family = processes.family(child.pid, processes.listed())
        assert {child.pid, grandchild} <= family
        assert os.getpid() not in family
        assert os.getpid() in processes.ancestors(grandchild, processes.listed())
    finally:
        os.kill(grandchild, 9)
        child.wait()
        child.stdout.close()


def listing(tmp_path, *lines):
    for pid, name, words in lines:
        folder = tmp_path / str(pid)
        folder.mkdir()
        rest = " ".join(["1", str(pid), str(pid)] + ["0"] * 15 + ["777"])
        (folder / "stat").write_text(f"{pid} ({name}) S {rest}\n")
        (folder / "cmdline").write_bytes(b"\0".join(w.encode() for w in words) + b"\0")
    return tmp_path


def test_servers_are_known_by_program_and_by_module(tmp_path):
    proc = listing(
        tmp_path,
        (4_194_301, "llama-server", ["/opt/llama-server", "-m", "x"]),
        (4_194_302, "python3", ["python3", "-m", "vllm.entrypoints.openai.api_server"]),
        (4_194_303, "python3", ["/usr/bin/python3", "/usr/local/bin/vllm", "serve"]),
        (4_194_304, "a) S (b", ["sh", "-c", "llama-server --version"]),
        (4_194_305, "vim", ["vim", "vllm.py"]),
    )

    assert processes.suspects(proc) == [
        "pid 4194301 llama-server",
        "pid 4194302 vllm",
        "pid 4194303 vllm",
    ]
    assert processes.read(4_194_304, proc).name == "a) S (b"
    assert processes.read(4_194_304, proc).ticks == 777


@pytest.mark.skipif(sys.platform != "linux", reason="not run: Linux lists children")
def test_descendants_are_found_by_each_one_s_own_list_and_from_several():
    child = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    grandchild = int(child.stdout.readline())
    try:
        assert processes.descendants([child.pid]) == {child.pid, grandchild}
        assert processes.descendants([grandchild]) == {grandchild}
        assert os.getpid() not in processes.descendants([child.pid, grandchild])
        assert {child.pid, grandchild} <= processes.descendants([os.getpid()])
    finally:
        os.kill(grandchild, 9)
        child.wait()
        child.stdout.close()


def test_a_kernel_that_keeps_no_lists_of_children_is_told_apart_from_none(tmp_path):
    thread = tmp_path / "7" / "task" / "7"
    thread.mkdir(parents=True)
    (thread / "stat").write_text("7 (x) S 1\n")

    assert processes.descendants([7], tmp_path) is None
    (thread / "children").write_text("8 ")
    assert processes.descendants([7], tmp_path) == {7, 8}
    assert processes.descendants([9], tmp_path) == {9}
