"""What `pip install .` installs is what stands here: every package, every file that code reads."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("receipts", "ledger", "engine", "claims")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder into which the wheel of this tree was unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    words = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *words, str(source)], check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_every_file_of_every_package_is_installed(installed):
    wanted = {
        path.relative_to(ROOT)
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    templates = {Path("claims") / path.relative_to(ROOT) for path in (ROOT / "templates").iterdir()}
    wanted |= {path for path in templates if path.name != "__pycache__"}
    assert {str(path) for path in wanted if not (installed / path).is_file()} == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_a_command_runs_from_what_was_installed(installed, tmp_path, package):
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, "-m", f"{package}.cli", "--help"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = f"import {package}; print({package}.__file__)"
    place = subprocess.run(
        [sys.executable, "-c", found], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert place.stdout.startswith(str(installed))
