"""Drafts stand in a register beside claims, hold nothing, and leave every place as it was."""

import pytest

from claims.registers import register
from receipts.errors import MalformedError

CLAIM = """\
  - id: {id}
    kind: level
    wording: "It decodes {{value:.1f}} {{unit}}."
    metric: decode_tok_s
    statistic: {statistic}
    evidence: [{{entry: J1}}]
"""


def claim(id, statistic="median"):
    return CLAIM.format(id=id, statistic=statistic)


def read(tmp_path, *rows):
    path = tmp_path / "claims.yaml"
    path.write_text("version: 1\nclaims:\n" + "".join(rows), encoding="utf-8")
    return register.read([path])


def test_a_row_with_a_todo_is_a_draft_and_without_it_a_claim(tmp_path):
    """DRAFT-1; that no marker and no command takes one is in test_adoption.py."""
    rows = (claim("a"), claim("b") + "    todo: read it again\n", claim("c"))
    done = read(tmp_path, *rows)
    assert (list(done.claims), list(done.drafts)) == (["a", "c"], ["b"])
    assert list(read(tmp_path, *rows[:1], claim("b")).claims) == ["a", "b"]


def test_the_places_of_claims_behind_a_draft_are_their_own(tmp_path):
    draft = "  - {id: d, todo: later}\n"
    done = read(tmp_path, draft, claim("a"), draft.replace("d,", "e,"), claim("b"))
    lines = [int(done.places[name].rsplit(":", 2)[1]) for name in ("a", "b")]
    assert lines == [4, 11]
    with pytest.raises(MalformedError, match=r"claims\.yaml:8:5: claims\.1\.statistic|:8:5: "):
        read(tmp_path, draft, claim("a", "average"))


def test_a_fault_of_a_claim_is_never_placed_in_the_draft_before_it(tmp_path):
    draft = "  - {id: d, todo: later, metric: m}\n"
    without = "".join(x for x in claim("a").splitlines(True) if "metric" not in x)
    with pytest.raises(MalformedError, match=r"claims\.yaml:4:5: "):
        read(tmp_path, draft, without)


def test_a_draft_may_be_half_written_but_not_misspelt_or_nameless(tmp_path):
    """DRAFT-2."""
    assert read(tmp_path, "  - {id: a, todo: x, metric: m, kind: level}\n").drafts["a"].todo == "x"
    for row in (
        "{todo: x}",
        "{id: a, todo: x, must_retain: x}",
        "{id: 'a b', todo: x}",
        "{id: a, todo: x, must_retains: [x]}",
    ):
        with pytest.raises(MalformedError, match=r"claims\.yaml:3:\d+: draft: "):
            read(tmp_path, f"  - {row}\n")
    with pytest.raises(MalformedError, match="the draft a stands twice"):
        read(tmp_path, "  - {id: a, todo: x}\n", "  - {id: a, todo: y}\n")


def test_a_draft_and_a_claim_of_one_name_are_refused(tmp_path):
    with pytest.raises(MalformedError, match="a is a draft too"):
        read(tmp_path, claim("a"), "  - {id: a, todo: x}\n")


def test_a_register_of_claims_alone_is_read_as_ever(tmp_path):
    assert read(tmp_path, claim("a")).drafts == {}
    with pytest.raises(MalformedError, match="must be a mapping"):
        read(tmp_path, "  - text\n")
