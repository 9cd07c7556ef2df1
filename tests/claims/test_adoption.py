"""A table of claims that was kept by hand, brought in as drafts."""

import os
import re
from pathlib import Path

import pytest

from claims.adopting import adoption, comparing, yaml_text
from claims.registers import register
from receipts.errors import MalformedError, NotFoundError

DEFAULT = Path(__file__).parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", DEFAULT))
needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine tables were not read"
)

TABLE = """\
# Claims

| # | Claim | Evidence | Approved wording |
|---|---|---|---|
| 1 | Decode | Five runs at 2,048 tokens gave 1.25× (`run://w1/log`, `notes/w1.md`). | \
"Decode runs at **1.25×** on synthetic prompts." Must retain "five runs," and "2,048". |
| 2 | Start | 812 ms median TTFT at 2,048 tokens. | **OPERATOR REVIEW REQUIRED.** Proposed: \
"First tokens come after 0.8 s at 2,048 tokens." Do not say "instant," or cite the 3.10× figure. |
| 3 | Other | Nothing yet. | No wording. Never imply a served cluster, a second node or \
automatic failover; the plan is public. |
"""


def drafts(text=TABLE, **wanted):
    return adoption.read(text, wanted).drafts


def one(wording, evidence="none"):
    (draft,) = drafts(
        f"| id | evidence | wording |\n|---|---|---|\n| 1 | {evidence} | {wording} |\n"
    )
    return draft


def test_every_row_is_a_draft_with_its_wording_status_and_receipts():
    first, second, third = drafts()
    assert [d.id for d in drafts()] == ["1-decode", "2-start", "3-other"]
    assert first.wording == "Decode runs at 1.25× on synthetic prompts."
    assert first.recorded_history == ["run://w1/log", "notes/w1.md"]
    assert [d.status for d in drafts()] == ["conditional", "operator-review", "no-wording"]
    assert (second.wording, third.wording) == ("First tokens come after 0.8 s at 2,048 tokens.", "")
    assert all(d.todo for d in drafts())


def test_words_that_must_stay_and_words_that_must_not_stand_are_read_from_the_cell():
    first, second, third = drafts()
    assert first.must_retain == ["five runs", "2,048", "synthetic"]
    assert second.forbidden == ["instant"]
    assert second.barred == ["3.10×"]
    assert third.forbidden == ["served cluster", "second node", "automatic failover"]
    assert third.instructions == [
        "Never imply a served cluster, a second node or automatic failover; the plan is public."
    ]


@pytest.mark.parametrize(
    ("sentence", "phrases"),
    [
        ("Do not claim lossless sampling.", ["lossless sampling"]),
        ("Don't call it any faster than stock.", ["faster than stock"]),
        ("Never cite the control as a serving result.", ["control as a serving result"]),
        ("It must not imply multi-node scheduling.", ["multi-node scheduling"]),
        ("Do not claim stable load (not measured).", ["stable load"]),
        ("Do not claim stable load — it was never run.", ["stable load"]),
        ('Never say "built from nothing" or omit the history.', ["built from nothing"]),
        ("Do not generalize this to natural text.", ["generalize this to natural text"]),
        ("We do so on purpose.", []),
    ],
)
def test_do_not_sentences_give_phrases(sentence, phrases):
    assert one(sentence).forbidden == phrases


def test_headers_are_found_by_their_words_or_named_on_the_command():
    text = '| Ref | Beleg | Satz |\n|---|---|---|\n| a | `x.log` | "It runs at 5 ms now." |\n'
    with pytest.raises(NotFoundError, match="--column evidence=HEADER"):
        drafts(text)
    (draft,) = drafts(text, id="Ref", evidence="Beleg", wording="Satz")
    assert (draft.id, draft.recorded_history) == ("a", ["x.log"])
    assert draft.wording == "It runs at 5 ms now."
    with pytest.raises(NotFoundError, match="no role is called 'proof'"):
        drafts(text, proof="Beleg")


def test_two_rows_of_one_name_are_an_error_with_the_line():
    with pytest.raises(MalformedError, match="line 4: two rows are called 1"):
        drafts("| id | evidence | wording |\n|---|---|---|\n| 1 | a | b |\n| 1 | c | d |\n")


def test_the_drafts_are_a_register_that_reads_and_holds_nothing(tmp_path):
    path = tmp_path / "claims.yaml"
    path.write_text("\n".join(yaml_text.register(adoption.rows(drafts()))), encoding="utf-8")
    read = register.read([path])
    assert read.claims == {}
    assert dict(read.drafts) == {d.id: d for d in drafts()}
    with pytest.raises(NotFoundError, match="'2-start' is a draft and holds nowhere: recorded"):
        read.find("2-start")


@pytest.mark.parametrize(
    "text", ["a: b", "x # y", "'", '"', "\\", "模型\t", "- a", "{b}", "null", "1"]
)
def test_whatever_a_cell_says_survives_the_register(tmp_path, text):
    row = {"id": "a", "todo": "t", "said": text, "forbidden": [text, "x y"]}
    path = tmp_path / "claims.yaml"
    path.write_text("\n".join(yaml_text.register([row])), encoding="utf-8")
    draft = register.read([path]).drafts["a"]
    assert (draft.said, draft.forbidden) == (text, [text, "x y"])


# --- on the command line --------------------------------------------------------------------------


def test_the_command_drafts_a_register_and_checks_pages_against_it(publisher):
    p = publisher
    (p.root / "table.md").write_text(TABLE, encoding="utf-8")
    words = ("import-table", "table.md", "--output", "claims.yaml")
    result = p.claims(*words)
    assert (result.exit_code, result.stdout) == (0, "")
    again = p.claims(*words)
    assert (again.exit_code, "exists and is not replaced" in again.stderr) == (4, True)
    assert result.stderr.endswith("table.md:3: 3 drafts, 1 of them in operator review\n")
    page = "# Speed\n\nTTFT is 812 ms, not 820 ms.\n\nAt 2,048 tokens TTFT was 815 ms. Instant!\n"
    result = p.check(page, "--format", "concise")
    assert result.exit_code == 1
    told = result.stdout.splitlines()
    carried = "recorded history in draft 2-start: measure it again to cite it"
    for place, end in (("3:9", carried), ("3:21", "the register does not carry it")):
        (line,) = (x for x in told if x.startswith(f"page.md:{place}: CLM101"))
        assert line.endswith(f"; {end}")
    assert [line for line in told if re.search("CLM[45]|CLM107", line)] == [
        "page.md:5:26: CLM107 2-start: 815 ms stands here for ttft at 2,048, "
        "812 ms in the register",
        "page.md:5:34: CLM403 2-start: the register forbids 'instant'",
    ]


def test_no_marker_binds_to_a_draft_and_no_command_renders_it(publisher):
    p = publisher
    (p.root / "table.md").write_text(TABLE, encoding="utf-8")
    p.claims("import-table", "table.md", "--output", "claims.yaml")
    assert "CLM010" in p.check("TTFT is 812 ms.<!--claim:2-start-->\n").stdout
    for verb in ("render", "why", "approve"):
        result = p.claims(verb, "2-start")
        assert (result.exit_code, "is a draft" in result.stderr) == (4, True)


# --- genuine tables -------------------------------------------------------------------------------


@needs_corpus
def test_a_genuine_table_of_seventeen_claims_becomes_seventeen_drafts():
    found = drafts((CORPUS / "campaigns/muser/launch-claims.md").read_text(encoding="utf-8"))
    assert len(found) == 17
    review = [d for d in found if d.status == "operator-review"]
    assert 7 <= len(review) <= 8
    assert all(d.wording for d in review)
    assert sum(bool(d.recorded_history) for d in found) >= 14
    assert sum(bool(d.forbidden or d.barred) for d in found) >= 14
    assert {"synthetic", "mean"} <= set(found[1].must_retain)
    assert "one week from scratch" in found[6].forbidden


@needs_corpus
def test_a_genuine_page_is_told_what_its_register_lacks_contradicts_and_demands():
    text = (CORPUS / "campaigns/muser/launch-claims.md").read_text(encoding="utf-8")
    held = comparing.Drafts({d.id: d for d in drafts(text)})
    (path,) = (CORPUS / "docs").glob("*muser__docs__benchmarks.md")
    found = held.against("page.md", path.read_text(encoding="utf-8"), [])
    conflicts = [f.message.partition(" stands")[0] for f in found if f.code == "CLM107"]
    assert {"1.520 s", "1.536 s"} <= set(conflicts)
    assert len(conflicts) <= 3
    dropped = [f.message for f in found if f.code == "CLM402"]
    assert any("'synthetic'" in message and "'mean'" in message for message in dropped)


@needs_corpus
def test_pages_of_other_projects_contradict_nothing():
    text = (CORPUS / "campaigns/muser/launch-claims.md").read_text(encoding="utf-8")
    held = comparing.Drafts({d.id: d for d in drafts(text)})
    pages = [p for p in (CORPUS / "docs").glob("*.md") if "muser" not in p.name]
    assert len(pages) >= 15
    for page in pages:
        assert held.against(page.name, page.read_text(encoding="utf-8"), []) == []
