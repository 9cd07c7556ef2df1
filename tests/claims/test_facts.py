import pytest

from claims.registers import facts


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        (512, "512", False),
        (512, "0512", True),
        (True, "true", False),
        (False, "false", False),
        (True, "True", True),
        (True, 1, True),
        ("a", "A", True),
    ],
)
def test_facts_are_compared_as_text(one, other, differs):
    assert facts.differing({"x": one}, {"x": other}) == (["x"] if differs else [])
    assert facts.shared({"x": one}, {"x": other}) == ({} if differs else {"x": one})


def test_a_fact_that_one_side_lacks_neither_differs_nor_is_shared():
    assert facts.differing({"x": 1}, {"y": 1}) == []
    assert facts.shared({"x": 1}, {"y": 1}) == {}
