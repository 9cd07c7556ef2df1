import platform

import pytest

from engine import declared, environment
from receipts.errors import UsageError


def test_declared_facts_are_text_and_keep_what_follows_the_first_equals_sign():
    assert declared.parse(["commit=abc", "flags=a=b"]) == {"commit": "abc", "flags": "a=b"}


@pytest.mark.parametrize("name", sorted(declared.OBSERVED))
def test_a_name_that_is_observed_or_computed_is_not_declared(name):
    with pytest.raises(UsageError, match=f"^--identity {name} is observed or computed"):
        declared.parse([f"{name}=H100"])


def test_every_fact_about_this_machine_is_a_name_that_is_not_declared():
    assert set(environment.fingerprint()) <= set(declared.MACHINE) <= declared.OBSERVED
    assert "host" in environment.fingerprint() or not platform.node()


def test_a_name_is_declared_once():
    with pytest.raises(UsageError, match=r"^--identity commit is given twice; give it once$"):
        declared.parse(["commit=a", "commit=a"])


@pytest.mark.parametrize("text", ["commit", "commit=", "=x", ""])
def test_a_fact_has_a_name_and_a_value(text):
    with pytest.raises(UsageError, match=r"is not NAME=VALUE$"):
        declared.parse([text])


@pytest.mark.parametrize(
    "words",
    [
        ["run", "--cell", "c", "--identity", "cpu=H100", "--execute", "--", "touch", "started"],
        ["run", "--cell", "c", "--identity", "cpu=H100", "--", "true"],
        ["attach", "--cell", "c", "--identity", "cpu=H100", "gone.json"],
        ["attach", "--cell", "c", "--identity", "a=1", "--identity", "a=2", "gone.json"],
    ],
)
def test_the_command_refuses_in_one_line_and_does_nothing(bench, words):
    before = bench.files()

    result = bench.invoke(*words)

    assert result.exit_code == 2
    assert result.stderr.startswith("engine: --identity ")
    assert result.stderr.count("\n") == 1
    assert bench.files() == before
