"""`ledger lint-table`: the report on printed changes as text, as JSON, as exit code."""

import json

import pytest

from ledger import history, linting

HEAD = "| Step | Perf | Δ | Status |\n|---|---|---|---|\n"
ROWS = {
    "consistent": "s1 | 100.0 → 110.0 tok/s | +10.0% | landed",
    "contradiction": "s2 | 1493 → 2267 tok/s | +30% | landed",
    "truncated": "s3 | 1000.0 → 1239.9 tok/s | +23.9% | landed",
    "corrected": "s4 | 100 → 150 | +20% | landed (Δ corrected)",
    "not_recomputable": "s5 | kernel 3.6 → 2.4 ms | +18% | landed",
    "absent": "s6 | 100 → 120 | — | landed",
}


def lint(*names):
    return linting.lint(history.read(HEAD + "".join(f"| {ROWS[name]} |\n" for name in names)))


def write(folder, *names):
    path = folder / "table.md"
    path.write_text(HEAD + "".join(f"| {ROWS[name]} |\n" for name in names), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["consistent"], 0),
        (["truncated"], 0),
        (["corrected"], 0),
        (["absent"], 3),
        (["not_recomputable"], 3),
        (["absent", "not_recomputable"], 3),
        (["absent", "not_recomputable", "consistent"], 0),
        (["contradiction"], 1),
        (["contradiction", "absent"], 1),
        (list(ROWS), 1),
    ],
)
def test_1_for_a_contradiction_and_3_when_nothing_could_be_recomputed(names, code):
    assert lint(*names).code == code


def test_every_row_is_counted_once_and_in_its_group():
    view = lint(*ROWS).view()
    names = {"contradictions" if name == "contradiction" else name for name in ROWS}
    assert set(view) == {"rows", *names}
    assert view["rows"] == len(ROWS)
    for name, row in zip(ROWS, range(1, 7), strict=True):
        (found,) = view["contradictions" if name == "contradiction" else name]
        assert (found["row"], found["step"], found["line"]) == (row, f"s{row}", row + 2)


def test_a_contradiction_gives_its_operands_what_was_printed_and_what_follows():
    (found,) = lint("contradiction").view()["contradictions"]
    assert found == {
        "row": 1,
        "line": 3,
        "step": "s2",
        "verdict": "contradiction",
        "where": "delta",
        "operands": "1493 → 2267 tok/s",
        "printed": "+30%",
        "computed": "+51.84%",
        "reason": "follows from the operands under no reading",
        "convention": "new/old − 1",
    }


def test_the_text_names_what_is_to_be_looked_at_then_counts():
    lines = list(lint(*ROWS).lines())
    assert [line.split(":")[0] for line in lines[:-1]] == [
        "line 4, row 2 s2",
        "line 5, row 3 s3",
        "line 6, row 4 s4",
    ]
    assert lines[-1] == (
        "6 rows, 6 printed changes: 1 absent, 1 consistent, 1 contradiction, 1 corrected, "
        "1 not-recomputable, 1 truncated"
    )


@pytest.mark.parametrize("names", [["consistent"], ["contradiction"], ["absent"]])
def test_the_command_exits_with_the_reports_code_and_needs_no_ledger(founded, tmp_path, names):
    path = write(tmp_path, *names)
    founded.path.unlink()
    assert founded.invoke("lint-table", path).exit_code == lint(*names).code
    result = founded.invoke("lint-table", path, "--json")
    assert result.exit_code == lint(*names).code
    assert json.loads(result.stdout) == lint(*names).view()


def test_columns_can_be_named(founded, tmp_path):
    path = tmp_path / "table.md"
    head = "| Depth | Local | Remote | Payoff |\n|--|--|--|--|\n"
    path.write_text(f"{head}| 2 | 6.48 s | 1.520 s | 5× |", encoding="utf-8")
    assert founded.invoke("lint-table", path).exit_code == 4
    roles = {"step": "Depth", "before": "Local", "after": "Remote", "delta": "Payoff"}
    words = [word for role, head in roles.items() for word in ("--column", f"{role}={head}")]
    assert founded.invoke("lint-table", path, *words).exit_code == 1


BAD = [
    ("no table at all", [], 4, "table.md: no campaign table: no pipe table at all"),
    ("| a | b |\n|---|---|\n| 1 | 2 |", [], 4, "table.md: no campaign table: headers seen: a, b"),
    (HEAD + "| a | b | c | d | e |", [], 4, "table.md: line 3: 5 cells under a header of 4"),
    (HEAD + "| s1 | 1 → 2 | 2× | x |", ["--column", "speed=Δ"], 2, "column role 'speed'"),
    (HEAD + "| s1 | 1 → 2 | 2× | x |", ["--column", "delta"], 2, "is not ROLE=HEADER"),
    (HEAD + "| s1 | 1 → 2 | 2× | x |", ["--column", "delta=Nothing"], 4, "the columns Nothing"),
]


@pytest.mark.parametrize(("text", "words", "code", "sentence"), BAD)
def test_what_is_no_campaign_is_refused_with_its_file(
    founded, tmp_path, text, words, code, sentence
):
    (tmp_path / "table.md").write_text(text, encoding="utf-8")
    result = founded.invoke("lint-table", tmp_path / "table.md", *words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr


def test_a_file_that_cannot_be_read_is_refused_with_its_place(founded, tmp_path):
    (tmp_path / "latin.md").write_bytes(b"| a |\n| \xff |\n")
    for name, sentence in (
        ("latin.md", "latin.md:2: not UTF-8 text"),
        ("nowhere.md", "nowhere.md: the table does not exist; check the path"),
        (".", "the table is not a regular file; name a file"),
    ):
        result = founded.invoke("lint-table", tmp_path / name)
        assert (result.exit_code, sentence in result.stderr) == (4, True), result.stderr


def test_a_file_over_the_limit_is_refused(founded, tmp_path, monkeypatch):
    monkeypatch.setattr("ledger.campaign.MAX_BYTES", 100)
    (tmp_path / "large.md").write_text("x" * 101)
    result = founded.invoke("lint-table", tmp_path / "large.md")
    assert (result.exit_code, "larger than 100 bytes" in result.stderr) == (4, True)


def test_a_genuine_campaign_is_linted_as_it_was_by_hand(founded, campaigns):
    result = founded.invoke("lint-table", campaigns / "minfer-history.md", "--json")
    assert result.exit_code == 1
    value = json.loads(result.stdout)
    assert value["rows"] == 85
    steps = {
        name: [found["step"] for found in value[name]]
        for name in ("contradictions", "truncated", "corrected")
    }
    assert steps == {
        "contradictions": ["P5·2", "r41"],
        "truncated": ["8n", "8o", "r58"],
        "corrected": ["r59"],
    }
    assert all(1 <= found["row"] <= 85 for found in value["contradictions"])
