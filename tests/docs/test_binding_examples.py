"""The examples of the how-to pass the check that they are about, each on a page of its own."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "bind-a-number.md"
EXAMPLES = re.findall(r"^```markdown\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)


@pytest.fixture(scope="module")
def published(shared_publisher):
    shared_publisher.publish(shared_publisher.level)
    return shared_publisher


def test_the_how_to_has_an_example_of_each_form():
    assert len(EXAMPLES) == 4


@pytest.mark.parametrize("example", EXAMPLES, ids=["sentence", "number", "paragraph", "table"])
def test_an_example_passes_its_check(published, example):
    result = published.check(example)
    assert result.exit_code == 0, result.output
    assert ", 0 unbound" in result.output


@pytest.mark.parametrize("example", EXAMPLES, ids=["sentence", "number", "paragraph", "table"])
def test_an_example_with_another_digit_fails(published, example):
    wrong = re.sub(r"16[34](\.77)?(?= tok/s| \|)", r"171\1", example)
    assert wrong != example
    assert published.check(wrong).exit_code == 1


@pytest.mark.parametrize("form", ["[164 tok/s](docs/claims.md#prefill)", "164 tok/s[^prefill]"])
def test_a_link_and_a_footnote_bind_as_the_how_to_says(published, form):
    note = "\n\n[^prefill]: See the register.\n"
    assert published.check(f"It reaches {form} in 3 runs.{note}").exit_code == 0
    assert (
        published.check(f"It reaches {form.replace('164', '171')} in 3 runs.{note}").exit_code == 1
    )
