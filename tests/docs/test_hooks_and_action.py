"""What other people's tools read of this repository: the pre-commit hooks and the action."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from claims.cli import claims

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]


def load(name):
    return YAML(typ="safe", pure=True).load((ROOT / name).read_text(encoding="utf-8"))


def parse(words):
    """Let the command parse these words, as far as its help."""
    return CliRunner().invoke(claims, [*words, "--help"]).exit_code


HOOKS = {hook["id"]: hook for hook in load(".pre-commit-hooks.yaml")}


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_a_hook_runs_a_command_that_there_is(hook):
    command, *words = shlex.split(hook["entry"])
    assert command in SCRIPTS
    assert parse(words) == 0
    assert hook["language"] == "python"
    assert set(hook) <= {
        "id", "name", "description", "entry", "language", "types_or", "pass_filenames",
        "require_serial", "always_run", "stages",
    }  # fmt: skip


def test_the_hook_of_changed_pages_gets_them_and_the_one_of_all_gets_none():
    assert HOOKS["claims-check"]["types_or"] == ["markdown", "mdx"]
    assert HOOKS["claims-check"]["pass_filenames"] is True
    assert HOOKS["claims-verify"]["pass_filenames"] is False
    assert HOOKS["claims-verify"]["stages"] == ["pre-push"]


def test_a_hook_says_that_it_is_a_partial_run(publisher):
    publisher.publish(publisher.level)
    words = shlex.split(HOOKS["claims-check"]["entry"])[1:]
    (publisher.root / "a.md").write_text("It did 5 ms.\n")
    result = publisher.claims(*words, "a.md")
    assert (result.exit_code, "partial run: " in result.stdout) == (1, True)


ACTION = load("action.yml")


def test_the_action_is_composite_and_every_expression_names_something():
    assert ACTION["runs"]["using"] == "composite"
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text))
    assert used == set(ACTION["inputs"])
    steps = {step.get("id") for step in ACTION["runs"]["steps"]}
    assert set(re.findall(r"\$\{\{ steps\.([\w-]+)\.", text)) <= steps
    assert all(step.get("shell") == "bash" for step in ACTION["runs"]["steps"] if "run" in step)


def test_no_input_is_pasted_into_a_script():
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


@pytest.fixture
def step(publisher, tmp_path):
    """Return a function that runs the script of the action's check as a runner does."""
    publisher.publish(publisher.level)
    temp = tmp_path / "temp"
    (temp / "evidence-ledger" / "bin").mkdir(parents=True)
    program = temp / "evidence-ledger" / "bin" / "claims"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m claims.cli "$@"\n')
    program.chmod(0o755)
    (script,) = (s["run"] for s in ACTION["runs"]["steps"] if s.get("id") == "check")

    def run(**variables):
        import os

        output = tmp_path / "output"
        output.write_text("")
        environment = {
            **os.environ, "PYTHONPATH": str(ROOT), "RUNNER_TEMP": str(temp),
            "GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
            "PAGES": "", "BASELINE": "", "SARIF": "", **variables,
        }  # fmt: skip
        (tmp_path / "summary").write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=publisher.root, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done, output.read_text().splitlines(), (tmp_path / "summary").read_text()

    return publisher, run


def test_the_step_of_the_action_annotates_writes_sarif_and_ends_with_the_code(step):
    publisher, run = step
    (publisher.root / "README.md").write_text("It did 5 ms.\n")
    done, output, summary = run(SARIF="claims.sarif")
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=README.md,line=1,")
    assert output == ["sarif-file=claims.sarif", "exit-code=1"]
    assert '"version": "2.1.0"' in (publisher.root / "claims.sarif").read_text()
    assert summary.startswith("## claims check")


def test_the_step_takes_pages_and_a_baseline_and_runs_no_command_in_them(step):
    publisher, run = step
    (publisher.root / "a.md").write_text("It did 5 ms.\n")
    publisher.claims("baseline", "write", "a.md")
    done, output, _ = run(PAGES="a.md", BASELINE="claims-baseline.json")
    assert (done.returncode, output) == (0, ["exit-code=0"])
    done, output, _ = run(PAGES="$(touch pwned) *.nothing")
    assert done.returncode == 4
    assert not (publisher.root / "pwned").exists()
