"""Numbers that a reader sees and a search for digits misses; each with a twin that is none."""

import pytest

from claims.pages.document import parse
from claims.scanner import atoms, overlooked


def told(text: str) -> list[str]:
    return [one.code for one in overlooked.refusals("page.md", parse(text))]


@pytest.mark.parametrize(
    "text",
    [
        *("It hits ⁶¹ tok/s.", "⁶¹ tok/s is what it hits.", "It hits ٦١ tok/s.", "In ٦١ runs."),
        *("It hits ⑥① tok/s.", "It hits 𝟔𝟏.𝟕 tok/s.", "It takes ⅕ ms.", "It hits 6① tok/s."),
        *("It hits 2&shy;35.16 tok/s.", "It hits 2\u206035.16 tok/s.", "It hits 2.\u200b35 ms."),
        *("61. tok/s is what it hits.", "> 61) tok/s is what it hits."),
    ],
)
def test_digits_that_no_search_finds_are_refused(text: str):
    assert told(text) == ["CLM013"]


@pytest.mark.parametrize(
    "text",
    [
        *("It did 10⁶ tokens at 35 tok/s.", "It is 5 m² wide.", "A note¹ on ms.", "x₁ ms, CO₂ ms."),
        *("¹ ms per token.", "① ms per token", "As ① says, and ² too.", "速度三十五 tok/s"),
        *("Full width ３５ tok/s and ½ ms.", "A sub\u00adsystem at 35\u200b tok/s."),
        *("1. tok/s\n2. ms\n3. ms per token", "```\n61. tok/s\n```", "61. Kestrel hits it."),
        "| a¹ | b² |\n|---|---|\n| 35² | 35① |",
    ],
)
def test_marks_powers_and_what_is_read_already_are_not(text: str):
    assert told(text) == []


@pytest.mark.parametrize(
    "name", ["v61.7", "#61", "[61]", "(1)", "61)", "[61](a.md)", "617e100", "CUDA 12.7"]
)
def test_a_unit_behind_it_makes_a_number_of_what_looks_like_a_name(name: str):
    def due(text: str) -> list[str]:
        return [atom.text for atom in atoms.scan(parse(text)) if atom.rule is None]

    assert due(f"So it hits {name} tok/s here.")
    assert due(f"So it hits {name} of those here.") in ([], ["617", "100"])
