"""The pages keep what they promise: links lead somewhere, verbs exist, every MUST has a test."""

import re
from pathlib import Path

import click
import pytest

from claims.cli import claims
from engine.cli import engine
from ledger.cli import ledger
from receipts.cli import receipts

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FORMATS = sorted((ROOT / "docs" / "reference" / "formats").glob("*.md"))
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
MUST = re.compile(r"\*\*\[([A-Z]+-\d+)\]\*\*")
COMMANDS = {"receipts": receipts, "ledger": ledger, "engine": engine, "claims": claims}


def text(path):
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file(page):
    broken = [
        target
        for target in LINK.findall(text(page))
        if not target.startswith(("http:", "https:")) and not (page.parent / target).exists()
    ]
    assert not broken


@pytest.mark.parametrize("name", COMMANDS)
def test_the_readme_lists_exactly_the_verbs_there_are(name):
    row = next(line for line in text(ROOT / "README.md").splitlines() if f"| `{name}` |" in line)
    listed = row.split("|")[3].replace(" ", "").split(",")
    assert sorted(listed) == sorted(COMMANDS[name].commands)


def walk(group, path=()):
    for name, command in group.commands.items():
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from walk(command, (*path, name))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_verb_and_option_explains_itself(name):
    silent = []
    for path, command in walk(COMMANDS[name]):
        silent += [path] if not command.help else []
        options = [p for p in command.params if isinstance(p, click.Option)]
        silent += [(*path, option.name) for option in options if not option.help]
    assert not silent


@pytest.mark.parametrize("name", COMMANDS)
def test_every_verb_speaks_json_but_those_that_print_bytes(name):
    bytes_only = {(name,) for name in ("cat", "checkpoint", "prove", "witness", "table")}
    mute = [
        path
        for path, command in walk(COMMANDS[name])
        if not isinstance(command, click.Group) and path not in bytes_only
        if "as_json" not in {param.name for param in command.params}
    ]
    assert not mute


def test_the_readme_is_short():
    assert len(text(ROOT / "README.md").splitlines()) <= 150


def test_every_must_of_a_format_page_names_a_test():
    known = {must for page in FORMATS for must in MUST.findall(text(page))}
    tests = "\n".join(text(path) for path in (ROOT / "tests").rglob("test_*.py")).lower()
    untested = {
        m for m in known if m.lower() not in tests and m.lower().replace("-", "_") not in tests
    }
    assert len(known) > 50
    assert not untested


def test_every_format_page_is_in_the_list():
    listed = text(ROOT / "docs" / "reference" / "formats" / "README.md")
    assert [
        page.name for page in FORMATS if page.name != "README.md" and page.name not in listed
    ] == []


def test_the_index_of_the_docs_leads_to_every_page():
    index = ROOT / "docs" / "README.md"
    linked = {
        (index.parent / link).resolve() for link in re.findall(r"\]\(([^)#]+)\)", text(index))
    }
    pages = {path for path in (ROOT / "docs").rglob("*.md") if path != index}
    listed = {"decisions", "formats"}  # folders, which are linked as such
    assert {path for path in pages if path.parent.name not in listed} <= linked
