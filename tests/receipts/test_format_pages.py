"""Every rule of a format page is named by a test that would notice if it were gone."""

import re
from pathlib import Path

import pytest

from receipts import workspace, yaml_source
from receipts.workspace import Configuration

REPOSITORY = Path(workspace.__file__).parents[1]
PAGES = REPOSITORY / "docs" / "reference" / "formats"
TESTS = [*(REPOSITORY / "tests/attacks").glob("*.py"), *(REPOSITORY / "tests/vectors").glob("*.py")]
NAMES = ["canonical-json", "envelope", "receipt", "keys", "configuration"]


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_of_a_page_is_named_by_an_attack_or_a_vector(name):
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    rules = re.findall(r"^- \*\*\[([A-Z]+-[0-9]+)\]\*\*", page, re.MULTILINE)
    assert len(rules) >= 9
    text = "\n".join(path.read_text(encoding="utf-8") for path in TESTS)
    named = {rule.upper() for rule in re.findall(r"\b[A-Z]+-[0-9]+\b", text)}
    named |= {
        rule.replace("_", "-").upper() for rule in re.findall(r"def test_([a-z]+_[0-9]+)_", text)
    }
    assert set(rules) - named == set()


@pytest.mark.parametrize("name", NAMES)
def test_rules_are_numbered_without_a_gap(name):
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    numbers = [int(n) for n in re.findall(r"^- \*\*\[[A-Z]+-([0-9]+)\]\*\*", page, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_example_configuration_is_read_and_shows_every_field():
    page = (PAGES / "configuration.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    source = yaml_source.load(example.encode(), "evidence.yaml")
    source.parse(Configuration)
    assert list(source.value) == list(Configuration.model_fields)
    table = re.findall(r"^\| `([a-z_]+)` \|", page, re.MULTILINE)
    assert table == list(Configuration.model_fields)
