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
        *("It is Ⅳ times as fast.", "Ⅳ times as fast.", "It is ⅳ× that.", "It hits Ⅻ tok/s."),
        *("61. tok/s is what it hits.", "> 61) tok/s is what it hits."),
    ],
)
def test_digits_that_no_search_finds_are_refused(text: str):
    assert told(text) == ["CLM013"]


@pytest.mark.parametrize(
    "text",
    [
        *("It did 10⁶ tokens at 35 tok/s.", "It is 5 m² wide.", "A note¹ on ms.", "x₁ ms, CO₂ ms."),
        *("Part Ⅳ, Mk Ⅳ × 2 and Ⅻ W.", "Ⅳ ms per token."),
        *("¹ ms per token.", "① ms per token", "As ① says, and ² too.", "速度三十五 tok/s"),
        *("Full width ３５ tok/s and ½ ms.", "A sub\u00adsystem at 35\u200b tok/s."),
        *("1. tok/s\n2. ms\n3. ms per token", "```\n61. tok/s\n```", "61. Kestrel hits it."),
        "| a¹ | b² |\n|---|---|\n| 35² | 35① |",
    ],
)
def test_marks_powers_and_what_is_read_already_are_not(text: str):
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        *("Decode hits `61.7` tok/s.", "Decode hits `61` tok/s.", "It is `1.5` times as fast."),
        *("It is <code>1.5</code>× that.", "It is **`1.5`**× that.", "It rose by `+12`%."),
        *(
            "It is $`1.5\\times`$ that.",
            "It hits $`61.7\\ \\text{tok/s}`$.",
            "It is $`2`$× it.",
        ),
        *("It hits `61.7` `tok/s`.", "It takes `61.7`&nbsp;ms.", "It hits `61`, `61.7` tok/s."),
        *("It draws `61.7` W.", "It hits `1,061`\ntok/s.", "| a |\n|-|\n| `61` tok/s |"),
    ],
)
def test_a_number_alone_in_code_with_a_unit_behind_it_is_a_result(text: str):
    assert told(text) == ["CLM108"]


@pytest.mark.parametrize(
    "text",
    [
        *("Set `-b 512` tokens.", "`1.5` is the default.", "Set `b=3` ms apart.", "Wait `30` s."),
        *("See `3` W, `4` X.", "A `4` × `8` grid.", "Run it `5` times.", "`61`\n\ntok/s are next."),
        *("It is `x61` tok/s.", "$`x\\times 3`$ of it", "Has `512` tokens.", "`61` and tok/s"),
    ],
)
def test_a_number_alone_in_code_without_one_is_code(text: str):
    assert told(text) == []


@pytest.mark.parametrize(
    "name", ["v61.7", "#61", "[61]", "(1)", "61)", "[61](a.md)", "617e100", "CUDA 12.7"]
)
def test_a_unit_behind_it_makes_a_number_of_what_looks_like_a_name(name: str):
    def due(text: str) -> list[str]:
        return [atom.text for atom in atoms.scan(parse(text)) if atom.rule is None]

    assert due(f"So it hits {name} tok/s here.")
    assert due(f"So it hits {name} of those here.") in ([], ["617", "100"])
