"""Every block of the tutorial, and of how-tos that say so, is executed as a reader would."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures import vllm

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(
    r"^```(console|(?:yaml|markdown) file=\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
EXIT = re.compile(r"\(exit (\d+)\)")


def steps(page):
    """Yield (kind, text) for each block, with console blocks split into commands."""
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if match[1] != "console":
            yield match[1].partition("file=")[2], match[2], [], 0
            continue
        for part in re.split(r"^\$ ", match[2], flags=re.MULTILINE)[1:]:
            command, *shown = part.rstrip("\n").split("\n")
            codes = [int(EXIT.fullmatch(line)[1]) for line in shown if EXIT.fullmatch(line)]
            wanted = [line for line in shown if not EXIT.fullmatch(line)]
            yield None, command, wanted, codes[0] if codes else 0


def matches(wanted, printed):
    """Say whether the lines wanted stand in what was printed, in order; `…` is anything."""
    lines = iter(printed)
    return [
        line
        for line in wanted
        if line != "…"
        and not any(re.fullmatch(re.escape(line).replace("…", ".*"), given) for given in lines)
    ]


HOW_TO = ROOT / "docs" / "how-to"
RUN = (
    "adopt-an-existing-repository.md",
    "cite-a-vllm-benchmark.md",
    "publish-a-register.md",
    "recount-a-ledger.md",
    "release-day.md",
)
PAGES = [
    *(ROOT / "docs" / "tutorial").glob("*.md"),
    *(HOW_TO / name for name in RUN),
]


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda p: p.name)
def test_every_block_of_the_page_prints_what_the_page_shows(page, tmp_path):
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()
    result = vllm.serve(count=50, tokens=16, failed=(7,))
    (folder / "serve.json").write_bytes(vllm.dump(result))
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "EVIDENCE_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    executed = 0
    for file, text, wanted, code in steps(page):
        if file:
            (folder / file).write_text(text, encoding="utf-8")
            continue
        done = subprocess.run(
            ["bash", "-c", f"{text} 2>&1"],
            cwd=folder,
            env={**kept, "HOME": str(home), "PATH": path, "XDG_CACHE_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        missing = matches(wanted, done.stdout.splitlines())
        assert (done.returncode, missing) == (code, []), f"$ {text}\n{done.stdout}"
        executed += 1
    assert executed > 5
