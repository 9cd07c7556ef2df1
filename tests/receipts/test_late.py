"""Patterns are compiled when they are first used, and then are those that `re` would have made."""

import importlib
import re

import pytest

from receipts import late
from tests.conftest import REPOSITORY


def test_a_pattern_answers_as_one_that_was_compiled_at_once():
    found = late.compile(r"(?P<word>a+)b", late.IGNORECASE)
    plain = re.compile(r"(?P<word>a+)b", re.IGNORECASE)
    assert found.search("xAAb")["word"] == plain.search("xAAb")["word"] == "AA"
    assert found.sub("-", "aab ab") == plain.sub("-", "aab ab")
    assert (found.pattern, found.flags) == (plain.pattern, plain.flags)


def test_a_pattern_is_compiled_once(monkeypatch):
    made = []
    compiled = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: made.append(given) or compiled(*given))
    pattern = late.compile("a")
    assert made == []
    assert pattern.search("a")
    assert pattern.search("b") is None
    assert pattern.fullmatch("a")
    assert len(made) == 1


def test_a_faulty_pattern_is_an_error_when_it_is_used():
    with pytest.raises(re.error):
        late.compile("(").search("")


def modules():
    for package in ("claims", "engine", "ledger", "receipts"):
        for path in (REPOSITORY / package).rglob("*.py"):
            if "late as re" in path.read_text(encoding="utf-8") and path.name != "late.py":
                yield ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)


def test_every_pattern_of_the_program_can_be_compiled():
    seen = 0
    for name in modules():
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, late._Late):
                assert value.pattern
                assert value.groups >= 0
                seen += 1
    assert seen > 100
