"""What a reader must see beside a sentence, on the terminal and on a page."""

import json

import pytest

from claims import render
from claims.judging import qualifiers
from claims.judging.chain import Link
from receipts.predicates import Fixture

BLIND = Fixture(kind="synthetic", generator="counting", cannot_see=["a cut context of 8 tokens"])


@pytest.fixture
def done(publisher):
    """Return the judgement of an approved change whose window has taints and a blind fixture."""
    publisher.publish(publisher.change)
    found = publisher.judge(publisher.change, approval=True)
    links = [link for link in found.evidence.links if link.kind != "taint"]
    taints = [Link("taint", f"plain/{n}", f"the load was 3{n}.5 %") for n in range(2)]
    found.evidence.links = [*links, *taints]
    found.evidence.window = found.evidence.window.model_copy(update={"fixture": BLIND})
    found.conditions = ("only beside its table",)
    found.spread = ("window exact is one of 3 of its cell",)
    return found


def test_taints_blind_fixtures_conditions_and_other_windows_are_told_once(done):
    assert qualifiers.lines(done) == [
        "taint of 2 runs, such as: the load was 30.5 %",
        "the fixture cannot see a cut context of 8 tokens",
        "on condition: only beside its table",
        "window exact is one of 3 of its cell",
    ]


def test_the_lines_stand_below_the_sentence_in_both_formats(done):
    text = render.render([done], "text", "ledger: verified")
    assert "\n    taint of 2 runs, such as: the load was 30.5 %\n" in text
    page = render.render([done], "markdown", "")
    assert "(n = 5).<!--claim:tuned-->\n\n- *Note:* taint of … runs" in page
    assert "- *Note:* the fixture cannot see a cut context of … tokens\n" in page


def test_a_page_with_notes_passes_its_own_check(publisher, done):
    (publisher.root / "page.md").write_text(render.render([done], "markdown", ""))
    checked = publisher.claims("check", "page.md")
    assert checked.exit_code == 0, checked.stdout


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("the load was 30.5 % (limit 5 %)", "the load was … (limit …)"),
        ("3 tasks on cpu-4 and decode-v8", "… tasks on cpu-4 and decode-v8"),
        ("no number", "no number"),
    ],
)
def test_a_page_shows_no_number_of_a_note(line, shown):
    assert qualifiers.on_page(line) == shown


def test_a_flood_of_notes_is_cut_and_counted(done):
    many = [Link("taint", "x", f"fault {'abcdefghijklmnopqrstuvwxyz'[n]}") for n in range(25)]
    done.evidence.links = many
    lines = qualifiers.lines(done)
    assert (len(lines), lines[-1]) == (21, "and 8 more")


def test_misses_of_the_same_walk_are_told(publisher, cells):
    cells(shallow=800, deep=1200)
    claim = {**publisher.change, "evidence": [{"entry": "SHALLOW"}]}
    publisher.publish(claim)
    found = publisher.judge(claim, approval=True)
    missed = "the same plan missed: decode_tok_s at deep is 0.834× (window grid.deep)"
    assert missed in qualifiers.lines(found)
    assert missed in publisher.claims("render", "tuned").stdout
    assert "of …" not in publisher.claims("why", "tuned").stdout


def test_a_claim_names_its_window_where_the_entry_shows_the_delta_of_another(publisher, cells):
    cells(shallow=800, deep=900)
    words = ["--title", "T", "--label", "TWO", "--verdict", "landed"]
    words += ["--evidence", "receipt://grid.shallow", "--evidence", "receipt://grid.deep"]
    assert publisher.ledger("add", *words).exit_code == 0
    told = "the entry shows the delta of another window than grid.deep, which this is of"
    for cell, noted in (("shallow", False), ("deep", True)):
        claim = {**publisher.change, "evidence": [{"entry": "TWO", "cell": cell}]}
        publisher.publish(claim)
        text = publisher.claims("render", "tuned").stdout
        assert f", window grid.{cell}, approved" in text
        assert (told in text) == noted
    (refusal,) = publisher.judge(publisher.change, evidence=[{"entry": "TWO"}]).refusals
    assert (refusal.code, refusal.message) == (
        "CLM315",
        "entry TWO cites 2 receipts; name one: receipt://grid.shallow, receipt://grid.deep",
    )


@pytest.mark.parametrize("kind", ["change", "level"])
def test_windows_of_one_cell_are_told_with_their_days_and_their_spread(publisher, walk, kind):
    walk("FIRST", name="first", cell="luck")
    plan = json.loads((publisher.root / "changed.yaml").read_text())
    plan["candidate"]["command"][-2] = "exact-tuned"
    (publisher.root / "again.yaml").write_text(json.dumps({**plan, "name": "again"}))
    assert publisher.engine("ab", "again.yaml", "--execute", "--name", "again").exit_code == 0
    publisher.experiment("TWO", "receipt://first", "receipt://again")
    cited = {"entry": "TWO", "receipt": "receipt://again"}
    claim = {**publisher.change, "evidence": [cited]}
    if kind == "level":
        claim = {**publisher.level, "metric": "decode_tok_s", "repetitions": 5}
        words = "Decode reaches {value:.0f} {unit} (n = {n})."
        claim |= {"evidence": [{**cited, "arm": "tuned"}], "wording": words}
    publisher.publish(claim)
    (line,) = publisher.judge(claim, approval=True).spread
    day = publisher.receipt("again").predicate.started_at[:10]
    value = "1.249 to 1.249 ×" if kind == "change" else "1246882.793 to 1246882.793 tok/s"
    assert line == f"window again is one of 2 of its cell, walked {day}: decode_tok_s {value}"
    assert line in publisher.claims("render", claim["id"]).stdout
