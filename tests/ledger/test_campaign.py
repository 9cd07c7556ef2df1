"""A campaign that already exists: recorded history, printed back, its findings and lock."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import campaign, history, tables

HEADER = (
    "| Step | Lever | Commit | Perf before→after | Δ | Status | Lesson |\n" + "|---" * 7 + "|\n"
)
# The shape of a genuine one: steps of several spellings, a bare and an escaped bar, code, a blank
# line inside, a row that names its correction, and steps that cannot be labels.
TWIN = HEADER + (
    "| P5·2 | 128-wide tiles | `725e307` | 1493 → 2267 | +30% | LANDED | halves `a|b` reads |\n"
    "| 8n | vector loads | `1111111` | 1000.0 → 1239.9 | +23.9% | LANDED | max|Δ| stays 0 |\n"
    "\n"
    "| r58 | a \\| b | `2222222` (+`3333333` docs) | 100.0 → 112.0 | +12.0% | **LANDED** |  |\n"
    "| r59 | planes | `4444444` | recorded +26.2% (2843.2 → 3588.8) — superseded by r59b | +11.1% |"
    " LANDED (Δ corrected) | two  spaces |\n"
    "| r59b | clean machine | `5555555` | 3590.8 vs 3232.0 (fresh baseline) | +11.1% | MEAS-ONLY"
    " (correction) | anchor every baseline |\n"
    "| 123 | no label | | — | — | REVERTED | |\n"
    "| abcdef | no label either | | — | — | who knows | |\n"
    "| neg | twice | | — | — | NEGATIVE | |\n"
    "| neg | twice | | — | — | NEGATIVE | |\n"
    "| J1 | taken | | — | — | VOID | |\n"
)


@pytest.fixture
def brought(story):
    (story.founded.root / "history.md").write_text(TWIN, encoding="utf-8")
    story.value = story.told("import-table", "history.md")
    return story


def bodies(story):
    first, last = story.value["first"], story.value["last"]
    return [story.founded.entry(index).body for index in range(first, last + 1)]


def printed(story):
    """Return the rows of `ledger table` as a reader of tables sees them, with their step."""
    text = story.founded.invoke("table").stdout
    return [table for table in tables.read(text) if "Perf before→after" in table.header]


def test_every_row_becomes_an_entry_and_one_correction_links_two_of_them(brought):
    value = brought.value
    assert {name: value[name] for name in ("entries", "corrections", "rows")} == {
        "entries": 10,
        "corrections": 1,
        "rows": 10,
    }
    assert (value["first"], value["last"]) == (15, 25)
    made = bodies(brought)
    assert [body.kind for body in made] == ["ENTRY"] * 10 + ["SUPERSEDED"]
    row, by = brought.founded.entry(18), brought.founded.entry(19)
    assert (made[-1].targets, made[-1].replacement) == ([row.id], by.id)
    assert made[-1].title == "r59b on r59"
    assert brought.founded.invoke("verify").exit_code == 0


def test_what_is_brought_in_has_no_evidence_and_is_never_open(brought):
    for body in bodies(brought)[:-1]:
        assert body.evidence is None
        assert body.delta is None
        assert body.verdict is not None
        assert body.recorded is not None
    assert [body.verdict.outcome for body in bodies(brought)[:-1]] == [
        *["landed"] * 4,
        "measured-only",
        "reverted",
        "observation",
        "rejected",
        "rejected",
        "void",
    ]
    assert brought.observed() == []


def test_a_step_is_a_label_if_it_can_be_one_is_free_and_stands_once(brought):
    assert [body.label for body in bodies(brought)[:-1]] == [
        *[None, "8n", "r58", "r59", "r59b"],
        *[None] * 5,
    ]
    assert brought.told("show", "r59")["status"] == "superseded"
    assert brought.told("show", "J1")["index"] == 3


def test_the_import_says_what_lint_says(brought):
    lint = brought.told("lint-table", "history.md", code=1)
    assert {name: brought.value[name] for name in lint} == lint
    assert [found["step"] for found in lint["contradictions"]] == ["P5·2"]
    assert [found["step"] for found in lint["truncated"]] == ["8n"]
    assert [found["step"] for found in lint["corrected"]] == ["r59"]


def test_the_table_printed_back_is_the_same_cell_by_cell_with_the_correction_in_place(brought):
    given_rows = [row.cells for row in tables.read(TWIN)[0].rows]
    (table,) = printed(brought)
    assert table.header == tables.read(TWIN)[0].header
    rows = [row.cells for row in table.rows]
    assert len(rows) == 10
    assert [cells[:-1] for cells in rows] == [cells[:-1] for cells in given_rows]
    lessons = [(new[-1], old[-1]) for new, old in zip(rows, given_rows, strict=True)]
    assert [new for new, old in lessons if new != old] == [lessons[3][0]]
    bound = f"two  spaces — **SUPERSEDED by entry 25: {bodies(brought)[-1].reason}; replaced by "
    assert lessons[3][0] == f"{bound}{brought.founded.entry(19).id[:12]}**"
    assert rows[0][-1] == "halves `a|b` reads"
    assert rows[1][-1] == "max|Δ| stays 0"
    assert rows[2][1] == "a | b"


def test_what_is_printed_back_can_be_brought_in_again(brought, tmp_path):
    again = tmp_path / "again.md"
    assert brought.founded.invoke("table", "--output", again).exit_code == 0
    own, back = (history.read(text) for text in (TWIN, again.read_text(encoding="utf-8")))
    rows = [row for row in back.rows if row.step not in ("J1", "J2", "J3")]
    given_rows = [row for row in own.rows if row.step != "J1"]
    assert [row.cells[:-1] for row in rows] == [row.cells[:-1] for row in given_rows]


def test_own_entries_stand_in_a_table_of_their_own_columns(story):
    window = story.run()
    story.conclude(window, label="W", commit="0a1b2c3", lesson="a | b\nc", **story.moved(window))
    (table,) = tables.read(story.founded.invoke("table").stdout)
    assert table.header == ("Step", "Lever", "Commit", "Before → after", "Δ", "Status", "Lesson")
    assert table.rows[-1].cells == (
        *("W", "one more", "`0a1b2c3`", "10.0 → 10.0 tok/s", "—", "PASS"),
        "a | b c",
    )
    assert [row.cells[0] for row in table.rows] == ["J1", "J2", "J3", "W"]
    assert table.rows[1].cells[-1].startswith("— — **CORRECTED by entry 5: a typo; struck: change")
    assert table.rows[2].cells[5] == "OPEN"


def test_what_rests_on_a_corrected_row_says_so_in_the_table(brought):
    brought.conclude(label="NOW", rests_on=[brought.founded.entry(18).id])
    text = brought.founded.invoke("table").stdout
    assert "**CONTESTED by entry 18: it rests on entry 18, which is superseded**" in text


# A backslash before a bar is an escape to every reader of tables: such a cell cannot be meant.
cells = st.text(
    st.characters(exclude_characters="\r\n\\", exclude_categories=["Cs"]), max_size=12
).map(str.strip)


@given(st.lists(cells, min_size=2, max_size=5))
def test_a_printed_line_is_read_back_as_its_cells(drawn):
    head = "|".join(["", *"abcde"[: len(drawn)], ""])
    width = "|---" * len(drawn) + "|"
    (table,) = tables.read(f"{head}\n{width}\n{campaign._line(tuple(drawn))}\n| x |")
    assert table.rows[0].cells == tuple(drawn)


def test_all_or_nothing_when_a_row_cannot_be_an_entry(story):
    wide = "x" * 16_000
    text = TWIN + "| r90 | " + " | ".join([wide] * 6) + " |\n"
    (story.founded.root / "history.md").write_text(text, encoding="utf-8")
    before = story.founded.rows()
    result = story.founded.invoke("import-table", "history.md")
    assert (result.exit_code, "the limit is 48,963" in result.stderr) == (4, True)
    assert story.founded.rows() == before
    assert story.founded.invoke("verify").exit_code == 0


def test_an_engineer_brings_rows_but_no_correction_of_what_others_wrote(story):
    (story.founded.root / "history.md").write_text(TWIN, encoding="utf-8")
    key = story.founded.key_file("engineer")
    value = story.told("import-table", "history.md", "--key", key)
    assert value["corrections"] == 1
    before = story.founded.rows()
    (story.founded.root / "again.md").write_text(TWIN + "\n", encoding="utf-8")
    key = story.founded.key_file("runner")
    result = story.founded.invoke("import-table", "again.md", "--key", key)
    assert (result.exit_code, "is not engineer" in result.stderr) == (1, True)
    assert story.founded.rows() == before


def test_the_same_table_comes_in_once(brought):
    before = brought.founded.rows()
    result = brought.founded.invoke("import-table", "history.md")
    assert (result.exit_code, "was brought in before" in result.stderr) == (4, True)
    assert brought.founded.rows() == before


def test_a_second_table_finds_the_labels_taken(brought):
    path = brought.founded.root / "history.md"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    value = brought.told("import-table", "history.md")
    made = [brought.founded.entry(i).body.label for i in range(value["first"], value["last"])]
    assert made == [None] * 10


# --- a genuine campaign --------------------------------------------------------------------------


@pytest.fixture
def genuine(story, campaigns):
    story.text = (campaigns / "minfer-history.md").read_text(encoding="utf-8")
    story.value = story.told("import-table", campaigns / "minfer-history.md")
    return story


def test_a_genuine_campaign_comes_in_with_one_correction(genuine):
    assert (genuine.value["entries"], genuine.value["corrections"]) == (85, 1)
    made = bodies(genuine)
    last = made[-1]
    assert [b.kind for b in made] == ["ENTRY"] * 85 + [last.kind]
    first, second = genuine.told("show", "r59"), genuine.told("show", "r59b")
    assert last.targets == [first["id"]]
    assert (first["status"], second["status"]) == ("superseded", "standing")
    assert last.replacement == second["id"]
    assert [f["step"] for f in genuine.value["contradictions"]] == ["P5·2", "r41"]
    assert genuine.told("audit")["observations"] == []


def test_a_genuine_campaign_is_printed_back_cell_by_cell(genuine):
    read = [t for t in tables.read(genuine.text) if len(t.rows) > 20]
    expected = [row.cells for table in read for row in table.rows]
    assert len(expected) == 85
    text = genuine.founded.invoke("table").stdout
    found = [row.cells for t in tables.read(text) if t.header == read[0].header for row in t.rows]
    assert len(found) == 85
    changed = [number for number in range(85) if found[number] != expected[number]]
    (number,) = changed
    assert expected[number][0] == "r59"
    assert found[number][:-1] == expected[number][:-1]
    assert found[number][-1].startswith(expected[number][-1] + " — **SUPERSEDED by entry ")
    assert any("|" in cell for cells in expected for cell in cells)


# --- findings and locks --------------------------------------------------------------------------

OPEN = {"id": "REL-1", "severity": "low", "status": "open", "title": "a title"}


def bring(story, verb, value, *words):
    text = value if isinstance(value, str) else json.dumps(value)
    (story.founded.root / "file.json").write_text(text)
    return story.founded.invoke(f"import-{verb}", "file.json", *words)


def test_findings_are_recorded_with_their_words(story):
    closed = {"id": "REL-2", "severity": "critical", "status": "closed", "title": "t", "area": "a"}
    closed |= {"resolution": "fixed", "evidence_notes": "see the log"}
    result = bring(story, "findings", {"schema": "any", "findings": [OPEN, closed]}, "--json")
    assert json.loads(result.stdout) == {"findings": 2, "first": 15, "last": 16}
    first, second = (story.founded.entry(index).body for index in (15, 16))
    assert (first.id, first.title, first.status) == ("REL-1", "a title", "open")
    assert first.resolution is None
    assert (second.title, second.resolution) == ("t (a)", "fixed\nsee the log")
    assert story.founded.invoke("verify").exit_code == 0


def test_a_finding_without_a_title_is_called_by_its_id(story):
    for title in ("", None):
        assert bring(story, "findings", {"findings": [{**OPEN, "title": title}]}).exit_code == 0
    assert [story.founded.entry(i).body.title for i in (15, 16)] == ["REL-1"] * 2


BAD_FINDINGS = [
    ({}, "there is no list `findings`, or it is empty"),
    ({"findings": []}, "there is no list `findings`, or it is empty"),
    ({"findings": {"a": OPEN}}, "there is no list `findings`, or it is empty"),
    ({"findings": [OPEN, 3]}, "a finding is an object with an id"),
    ({"findings": [OPEN, {**OPEN, "id": 7}]}, "a finding is an object with an id"),
    ({"findings": [OPEN, {**OPEN, "id": ""}]}, "a finding is an object with an id"),
    ({"findings": [OPEN, OPEN]}, "the finding 'REL-1' stands 2 times; keep one"),
    ({"findings": [{**OPEN, "severity": "blocker"}]}, "finding 'REL-1': entry: severity:"),
    ({"findings": [{**OPEN, "severity": ["low"]}]}, "finding 'REL-1': entry: severity:"),
    ({"findings": [{**OPEN, "status": "waived"}]}, "finding 'REL-1': entry: status:"),
    ({"findings": [{**OPEN, "id": "REL 1"}]}, "finding 'REL 1': entry: id:"),
    ({"findings": [{"id": "A", "severity": "low"}]}, "finding 'A': entry: status: is missing"),
    ('{"findings": [], "findings": []}', "the key 'findings' stands twice in one object"),
    ("[]", "not a JSON object"),
    ("", "not JSON:"),
    ('{"findings": ' + "[" * 100_000, "nested too deeply"),
    ('{"findings": ' + "9" * 5000 + "}", "not JSON:"),
    ('{"findings": [{"id": "A", "title": "\\ud800"}]}', "finding 'A': entry:"),
]


@pytest.mark.parametrize(
    ("value", "sentence"), BAD_FINDINGS, ids=[sentence for _, sentence in BAD_FINDINGS]
)
def test_findings_that_are_none_are_refused_with_their_file(story, value, sentence):
    before = story.founded.rows()
    result = bring(story, "findings", value)
    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr.startswith("ledger: file.json: ")
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert story.founded.rows() == before


@pytest.mark.parametrize("severity", ["high", "critical"])
def test_closing_a_grave_finding_as_an_engineer_brings_in_nothing_of_the_file(story, severity):
    grave = {"id": "REL-2", "severity": severity, "status": "closed", "title": "t"}
    engineer = story.founded.key_file("engineer")
    before = story.founded.rows()
    result = bring(story, "findings", {"findings": [OPEN, grave]}, "--key", engineer)
    assert (result.exit_code, "is not operator; its roles: engineer" in result.stderr) == (1, True)
    assert story.founded.rows() == before
    assert story.founded.invoke("verify").exit_code == 0
    assert bring(story, "findings", {"findings": [OPEN]}, "--key", engineer).exit_code == 0
    assert bring(story, "findings", {"findings": [OPEN, grave]}).exit_code == 0


LOCK = {"state": "anything", "publishing_enabled": True, "sealing_enabled": False}


def test_a_lock_has_the_switches_of_the_file(story):
    lock = LOCK | {"reason": "approved", "policy": {"nested_enabled": True}}
    assert json.loads(bring(story, "lock", lock, "--json").stdout)["kind"] == "LOCK"
    body = story.founded.entry(15).body
    assert (body.state, body.switches, body.reason, body.title) == (
        "open",
        {"publishing": True, "sealing": False},
        "approved",
        "recorded from file.json",
    )
    assert bring(story, "lock", LOCK | {"publishing_enabled": False}).exit_code == 0
    body = story.founded.entry(16).body
    assert (body.state, body.reason) == ("contained", None)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({}, "there is no switch such as `publishing_enabled: false`"),
        ({"publishing": True}, "there is no switch such as"),
        (LOCK | {"tagging_enabled": "false"}, "the switch tagging_enabled is neither true nor"),
        (LOCK | {"tagging_enabled": 0}, "the switch tagging_enabled is neither true nor false"),
        (LOCK | {"tagging_enabled": None}, "the switch tagging_enabled is neither true nor false"),
        ('{"a_enabled": false, "a_enabled": true}', "the key 'a_enabled' stands twice"),
    ],
)
def test_a_lock_that_is_none_is_refused(story, value, sentence):
    before = story.founded.rows()
    result = bring(story, "lock", value)
    assert (result.exit_code, sentence in result.stderr) == (4, True), result.stderr
    assert story.founded.rows() == before


def test_a_lock_is_an_operators(story):
    result = bring(story, "lock", LOCK, "--key", story.founded.key_file("engineer"))
    assert (result.exit_code, "is not operator" in result.stderr) == (1, True)


def test_genuine_findings_and_a_genuine_lock_come_in(story, campaigns):
    findings = campaigns / "muser" / "findings-v1.json"
    listed = json.loads(findings.read_text(encoding="utf-8"))["findings"]
    value = story.told("import-findings", findings)
    assert value["findings"] == len(listed) == 44
    found = [story.founded.entry(i).body for i in range(value["first"], value["last"] + 1)]
    assert [(f.id, f.severity, f.status) for f in found] == [
        (item["id"], item["severity"], item["status"]) for item in listed
    ]
    row = story.told("import-lock", campaigns / "muser" / "release-lock.json")
    body = story.founded.entry(row["index"]).body
    assert body.switches == {
        "sealing": False,
        "candidate_creation": False,
        "tagging": True,
        "publishing": True,
    }
    assert story.founded.invoke("verify").exit_code == 0
