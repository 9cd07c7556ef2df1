"""What a page may not quote, and how it quotes what it may."""

import pytest

from claims.checks import quoted, quoting
from claims.checks.view import View
from claims.markers import binding
from claims.pages import document
from claims.pages.running_text import Text
from claims.registers import register
from claims.registers.barred import Index, read
from claims.registers.model import BarredRow
from claims.registers.register import Register
from claims.scanner import atoms

ROW = {"value": "3.2", "unit": "×", "reason": "superseded", "note": "measured again"}


def found(text, known, in_tombstone=quoting.nowhere):
    page = document.parse(text)
    bindings = binding.bind(page, atoms.scan(page))
    view = View("p.md", page, Text(page))
    whole = (text, page, quoted.read(view, bindings.bound, bindings.left))
    return [
        (one.code, one.place) for one in quoting.findings("p.md", whole, known, {}, in_tombstone)
    ]


@pytest.fixture
def known():
    """Return a register that bars one number and claims nothing."""
    return Register({}, {}, barred=Index([read(BarredRow.parse(ROW, "row"), "claims.yaml:3:5")]))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("It runs at 3.2×.\n", ["p.md:1:12"]),
        ("# At 3.2×\n", ["p.md:1:6"]),
        ("| a |\n|---|\n| 3.20x |\n", ["p.md:3:3"]),
        ("> - so, *3.2*×\n", ["p.md:1:10"]),
        ("![3.2× in a plot](x.png)\n", ["p.md:1:3"]),
        ("It runs at 3.3×.\n", []),
        ("<!-- 3.2× -->\n", []),
    ],
)
def test_a_barred_number_is_found_wherever_it_is_read(known, text, places):
    assert found(text, known) == [("CLM505", place) for place in places]


def test_a_tombstone_may_hold_it_line_by_line(known):
    text = "It ran at 3.2×.\n\nIt runs at 3.2×.\n"
    assert found(text, known, lambda line: line == 1) == [("CLM505", "p.md:3:12")]


def test_a_withdrawn_claim_is_told_from_an_unknown_one(tmp_path):
    path = tmp_path / "claims.yaml"
    path.write_text(
        "version: 1\nclaims: []\n"
        "withdrawn: [{id: old, sentence: S., reason: the fan, replaced_by: new}]\n"
    )
    known = register.read([path])
    gone = quoting.absent(known, "old", "p.md:1:1")
    assert (gone.code, gone.message) == ("CLM506", "it was withdrawn: the fan; see new")
    assert quoting.absent(known, "odd", "p.md:1:1").code == "CLM010"


def test_a_win_is_whole_with_a_claim_over_all_cells_on_the_page(publisher, cells):
    cells(shallow=800, deep=1200)
    (publisher.root / "own.yaml").write_text(
        "{version: 1, name: own, about: x, misses_with_wins: true}"
    )
    publisher.beside["policy"] = ["own.yaml"]
    win = {**publisher.change, "evidence": [{"entry": "SHALLOW"}]}
    both = {
        **win,
        "id": "grid",
        "kind": "matrix",
        "evidence": [{"entry": "ALL"}],
        "wording": "It runs at {ratio.min:.2f}–{ratio.max:.2f}× (n = {n}).",
    }
    won, whole = publisher.publish(win, both)
    alone = publisher.check(f"{won}<!--claim:tuned-->\n")
    assert (
        "CLM411 win-without-its-misses: tuned: policy own: it wins, and the page leaves out: "
        "decode_tok_s at deep is 0.834× (window grid.deep)" in alone.stdout
    )
    assert publisher.check(f"{whole}<!--claim:grid-->\n").exit_code == 0
    page = f"{won}<!--claim:tuned-->\n\n{whole}<!--claim:grid-->\n"
    assert publisher.check(page).exit_code == 0


def test_a_target_on_a_page_is_bound_like_any_sentence(publisher):
    target = {**publisher.change, "evidence": [], "tag": "target", "wording": "Target: twice it."}
    (sentence,) = publisher.publish(target)
    assert publisher.check(f"{sentence}<!--claim:tuned-->\n").exit_code == 0
    assert "\n    [tuned: approved by entry" in publisher.claims("render").stdout
    assert publisher.claims("why", "tuned").exit_code == 0
    raised = publisher.check("Target met: twice it is measured.<!--claim:tuned-->\n")
    assert "CLM405 not-measured: tuned: it is tagged target, and it says 'measured'" in (
        raised.stdout
    )
