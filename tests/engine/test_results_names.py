"""Every name that a reader gives to what is wrong is in the register, and in the reference page."""

import re
import subprocess
import sys
from pathlib import Path

from engine.results.refusals import REFUSALS, REMARKS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = list((ROOT / "engine" / "results").glob("*.py"))
NAMED = re.compile(r'\b(?:Note|ResultError|remark|barred|refusal)\(\s*"([a-z-]+)"')


def test_every_name_that_is_given_is_in_the_register():
    given = {name for path in SOURCES for name in NAMED.findall(path.read_text("utf-8"))}
    assert given - REFUSALS.keys() - REMARKS.keys() == set()
    assert not REFUSALS.keys() & REMARKS.keys()


def test_no_name_of_the_register_is_without_a_use():
    text = "\n".join(path.read_text("utf-8") for path in SOURCES if path.name != "refusals.py")
    used = {name for name in (*REFUSALS, *REMARKS) if f'"{name}"' in text}
    assert used == REFUSALS.keys() | REMARKS.keys()


def test_the_page_of_results_is_what_the_readers_are_now():
    command = [sys.executable, str(ROOT / "docs" / "make_results.py"), "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
