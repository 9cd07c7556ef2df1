"""Failures that others have published, played on this machine: each is found by the named check.

The page `docs/explanation/known-failures.md` lists all of them with the test that plays each; what
stands elsewhere is not repeated here.
"""

import json
import re
from pathlib import Path

from tests.stories import decoders

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "known-failures.md"


def window_of(publisher, name, *, libraries, **fields):
    """Walk a plan whose arms run one program on these two libraries; return its predicate."""
    program = str(decoders.install(publisher.root, f"{name}-decoder", decoders.BUILT))
    arms = {
        role: {"arm": arm, "command": [program, "{raw}", str(library), "1000"]}
        for role, arm, library in zip(
            ("baseline", "candidate"), ("old", "new"), libraries, strict=True
        )
    }
    plan = {"version": 2, "name": name, "cell": "c", "repetitions": 5, "metrics": ["decode_tok_s"]}
    path = publisher.root / f"{name}.yaml"
    path.write_text(json.dumps(plan | arms | fields))
    result = publisher.engine("ab", path, "--execute")
    return publisher.receipt(f"{name}-1").predicate, result


def library(publisher, name, text):
    path = publisher.root / name
    path.write_text(text)
    return path


def test_rows_that_tell_of_more_time_than_the_process_lived_fail_the_run(publisher):
    program = str(decoders.install(publisher.root, "decoder", decoders.BUILT))
    source = library(publisher, "lib.so", "one")
    hour = str(3600 * 10**9)

    words = ["run", "--cell", "c", "--execute", "--", program, "{raw}", str(source)]
    good = publisher.engine(*words, "1000")
    bad = publisher.engine(*words, hour)

    assert (good.exit_code, bad.exit_code) == (0, 1)
    assert re.search(r"the rows tell of 10800 s, the command ran for 0?\.\d+ s", bad.output)


def test_a_stale_library_is_found_by_the_digest_of_what_was_loaded(publisher):
    old, new = library(publisher, "old.so", "one"), library(publisher, "new.so", "two")
    stale = library(publisher, "installed.so", "one")
    built = "sha256:3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"
    proof = [{"arm": "new", "states": {"build": built}}]

    found, _ = window_of(publisher, "fresh", libraries=(old, new), engagement=proof)
    assert all(one.held for one in found.engagement)

    found, result = window_of(publisher, "stale", libraries=(old, stale), engagement=proof)
    assert result.exit_code == 1
    assert [one.held for one in found.engagement] == [False, True]
    assert found.comparisons == []


def test_a_cached_binary_of_the_other_commit_is_an_a_a(publisher):
    same = library(publisher, "one.so", "one")
    found, result = window_of(publisher, "cached", libraries=(same, same))
    assert result.exit_code == 1
    assert [one.held for one in found.engagement] == [False]
    assert "this is an A/A" in found.engagement[0].detail
    assert found.comparisons == []


def test_every_failure_of_the_page_names_a_test_that_is_there():
    rows = re.findall(r"^\| (\d+) \|.*\| `([\w/.]+)::(\w+)` \|$", PAGE.read_text(), re.MULTILINE)
    assert [int(number) for number, _, _ in rows] == list(range(1, len(rows) + 1))
    assert len(rows) >= 28
    for number, file, name in rows:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", text, re.MULTILINE), f"{number}: {file}::{name}"
