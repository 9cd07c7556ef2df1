"""Pages against drafts: what is carried, demanded, forbidden and contradicted, and what is not."""

import pytest

from claims.adopting.comparing import Drafts
from claims.registers.drafting import Draft
from claims.rules import Refusal

DRAFT = Draft(
    id="a",
    todo="t",
    said="At 2,048 tokens decode ran at 1.25034× and TTFT was 812 ms. "
    "At 2,048 tokens prefill ranged 1.01–1.09×.",
    must_retain=["synthetic"],
    forbidden=["lossless sampling"],
    barred=["3.10×"],
    instructions=["Never cite the 3.10× decode figure."],
)


def against(page, *findings):
    found = Drafts({"a": DRAFT}).against("p.md", page, findings)
    return [(f.code, f.place.partition(":")[2]) for f in found]


def test_a_section_with_a_number_of_a_draft_must_have_its_words():
    assert against("# One\n\nOn prompts 1.2503×.\n") == [("CLM402", "3:12")]
    assert against("# One\n\nOn synthetic prompts 1.2503×.\n") == []
    assert against("Synthetic.\n\n# One\n\nOn prompts 1.2503×.\n") == [("CLM402", "5:12")]
    # Three digits tell no measurement from another.
    assert against("# One\n\nOn prompts 1.25×.\n") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It has lossless sampling.", [("CLM403", "1:8")]),
        ("It has Lossless\nsampling.", [("CLM403", "1:8")]),
        ("It has no lossless sampling.", []),
        ("We never claim exactness, speed or lossless sampling.", []),
        ("We never do. It has lossless sampling.", [("CLM403", "1:21")]),
        ("It has lossless samplings.", []),
        ("```\nlossless sampling\n```", []),
    ],
)
def test_what_a_draft_forbids_is_refused_unless_it_is_denied(text, told):
    assert against(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Decode reached 3.10×.", [("CLM504", "1:16")]),
        ("It reached 3.1× here.", [("CLM504", "1:12")]),
        ("Prefill reached 3.10×.", []),
        ("Decode took 3.10 s.", []),
        ("Decode reached 3×.", []),
    ],
)
def test_a_barred_number_is_refused_for_its_quantity_and_unit(text, told):
    assert against(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("At 2,048 tokens TTFT was 815 ms.", [("CLM107", "1:26")]),
        ("At 2,048 tokens TTFT was 812 ms.", []),
        ("At 2,048 tokens TTFT was 815 s.", []),
        ("At 4,096 tokens TTFT was 815 ms.", []),
        ("At 2,048 tokens latency was 815 ms.", []),
        ("At 2,048 tokens TTFT was 1200 ms.", []),
        ("TTFT was 815 ms.", []),
        ("| size | TTFT |\n|---|---|\n| 2,048 | 815 ms |\n", [("CLM107", "3:11")]),
        ("| size | Prefill |\n|---|---|\n| 2,048 | 1.052 |\n", []),
        ("| size | Prefill |\n|---|---|\n| 2,048 | 1.112 |\n", [("CLM107", "3:11")]),
    ],
)
def test_a_near_value_of_the_same_quantity_and_size_contradicts(text, told):
    assert against(text) == told


def test_an_unbound_number_is_told_whether_anybody_answered_for_it():
    """DRAFT-3: it is told, and stays unbound."""
    page = "Decode ran at 1.25× there.\n\nIt took 77 ms.\n"
    given = [Refusal("CLM101", "m", None, f"p.md:{place}") for place in ("1:15", "3:9", "9:9")]
    other = Refusal("CLM404", "m", None, "p.md:1:15")
    found = Drafts({"a": DRAFT}).against("p.md", page, [*given, other])
    assert [f.message for f in found] == [
        "m; recorded history in draft a: measure it again to cite it",
        "m; the register does not carry it",
        "m",
        "m",
    ]
