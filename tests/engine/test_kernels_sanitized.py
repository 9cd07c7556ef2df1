"""The same tests over kernels built with the sanitizers of addresses and undefined behaviour."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.kernels.compiler import SOURCES

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "engine" / "kernels"
SAME = ["tests/engine/test_kernels_native.py", "tests/engine/test_decode.py"]
FLAGS = "-g -fsanitize=address,undefined -fno-sanitize-recover=all"
OVERRUN = (
    "for (int64_t i = begin; i < end; i++) a[i]",
    "for (int64_t i = begin; i <= end; i++) a[i]",
)
OVERRUNNING = """
import sys
from pathlib import Path
from engine.kernels.backends import kernels, probe
from engine.kernels.contract import How
from engine.kernels.problem import poisoned, pose
backend = probe(folder=Path(sys.argv[1]))
assert backend.available, backend.reason
problem = pose("triad", {"n": 64}, 1)
kernels(backend).launch(How("plain"), problem, poisoned(problem))
print("unseen")
"""


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory):
    """Return an environment in which kernels are built and loaded with the sanitizers."""
    compiler = next(filter(shutil.which, ("gcc", "cc", "clang")), None)
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler for Linux on PATH: the sanitizers were not run")
    probed = [compiler, *FLAGS.split(), "-shared", "-x", "c", "-o", "/dev/null", os.devnull]
    asked = [compiler, "-print-file-name=libasan.so"]
    library = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if (
        subprocess.run(probed, capture_output=True, check=False).returncode
        or not Path(library).is_absolute()
    ):
        pytest.skip(f"{compiler} has no sanitizers here: they were not run")
    named = f"{compiler} {FLAGS}"
    cache = str(tmp_path_factory.mktemp("cache"))
    return os.environ | {
        "CC": named,
        "TEST_CC": named,
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter's own
        "XDG_CACHE_HOME": cache,
    }


@pytest.mark.slow
def test_the_same_tests_pass_over_a_sanitized_build(sanitized):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SAME]
    done = subprocess.run(
        command, cwd=REPOSITORY, env=sanitized, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout


def test_the_sanitizers_would_see_one_number_too_many(sanitized, tmp_path):
    for source in SOURCES:
        text = (FOLDER / source).read_text(encoding="utf-8")
        (tmp_path / source).write_text(text.replace(*OVERRUN), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", OVERRUNNING, str(tmp_path)],
        cwd=REPOSITORY,
        env=sanitized,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr
    assert "unseen" not in done.stdout
