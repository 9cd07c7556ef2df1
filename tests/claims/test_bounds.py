"""A wording that says "at least" or "at most" of a rounded number."""

import pytest

from claims.registers import bound_words
from receipts.errors import Error
from tests.conftest import LEVEL, llama_bench

TIMES = tuple(12_500_000_000 + step * 10_000_000 for step in range(6))
"""Nanoseconds for 2,048 tokens: 163.84 tok/s at most, 163.187… at least."""
TAIL = " {unit} (median {value:.1f}, {n} runs)."


@pytest.fixture
def level(publisher):
    """Return a function that publishes a level with a wording, and gives its sentence."""
    (publisher.root / "prefill").write_bytes(llama_bench((512, TIMES)))
    publisher.engine("attach", "prefill", "--cell", "pp2048", "--name", "prefill-bounds")
    publisher.experiment("BOUNDS", "receipt://prefill-bounds")

    def publish(wording):
        claim = {**LEVEL, "id": "bounded", "wording": wording, "evidence": [{"entry": "BOUNDS"}]}
        return publisher.publish(claim)

    return publish


@pytest.mark.parametrize(
    ("wording", "holds"),
    [
        ("Prefill reaches at least {min:.1f}", "163.1"),
        ("Prefill reaches at least {min:.2f}", "163.18"),
        ("Prefill never goes below {min:.1f}", "163.1"),
        ("Prefill does not fall below {min:.1f}", "163.1"),
        ("Prefill stays at most {max:.1f}", "163.9"),
        ("Prefill never goes above {max:.1f}", "163.9"),
    ],
)
def test_a_bound_that_rounding_breaks_is_refused_with_what_would_hold(level, wording, holds):
    with pytest.raises((Error, AssertionError), match="CLM110") as refused:
        level(wording + TAIL)
    said = str(refused.value).partition("would hold")[0]
    told, would = said.split("one repetition was ")
    assert holds in would.partition("; ")[2]
    assert would.partition(";")[0] not in told


@pytest.mark.parametrize(
    ("wording", "said"),
    [
        ("Prefill reaches at least {min:.0f}", "at least 163 "),
        ("Prefill stays at most {max:.0f}", "at most 164 "),
        ("Prefill reaches up to {max:.1f}", "up to 163.8 "),
        ("Prefill has a minimum of {min:.1f}", "minimum of 163.2 "),
        ("Prefill has <b>its maximum at</b> {max:.1f}", "</b> 163.8 "),
    ],
)
def test_a_bound_that_holds_as_it_is_rounded_may_be_said(level, wording, said):
    (sentence,) = level(wording + TAIL)
    assert said in sentence


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("never drops below ", "floor"), ("does not go under ", "floor"),
        ("stays below ", "ceiling"),
        ("never exceeds ", "ceiling"), ("doesn't rise above ", "ceiling"), ("is above ", "floor"),
        ("not more than ", "ceiling"), ("no less than ", "floor"), ("exceeds ", "floor"),
    ],
)  # fmt: skip
def test_a_denied_bound_is_the_other_one(text, kind):
    assert next(kind for kind, words in bound_words.BOUNDS if words.search(text)) == kind


def test_every_bound_word_ends_where_the_number_begins():
    for text in ("at least ", "up to ", "at most ", "never below ", "no more than ", "≥ "):
        assert any(words.search(text) for _, words in bound_words.BOUNDS)
        assert not any(words.search(f"{text}the ") for _, words in bound_words.BOUNDS)
