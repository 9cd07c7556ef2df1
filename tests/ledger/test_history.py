"""A campaign's table: which column is which, what follows from what, which row corrects which."""

import os
from collections import Counter
from pathlib import Path

import pytest

from ledger import history, selfcheck
from ledger.bodies import Experiment
from ledger.history import Campaign, HistoryRow
from ledger.selfcheck import Verdict
from receipts.errors import MalformedError, UsageError

CONSISTENT, TRUNCATED = Verdict.CONSISTENT, Verdict.TRUNCATED
CONTRADICTION, UNABLE = Verdict.CONTRADICTION, Verdict.NOT_RECOMPUTABLE
HEAD = (
    "| Step | Lever | Commit(s) | Perf before→after (anchor) | Δ | Status | One-line lesson |\n"
    "|---|---|---|---|---|---|---|\n"
)


HEADERS = ("Step", "Lever", "Commit(s)", "Perf before→after (anchor)", "Δ", "Status")
HEADERS += ("One-line lesson",)


def campaign(*rows: str) -> Campaign:
    return history.read(HEAD + "".join(f"| {row} |\n" for row in rows))


def judged(performance: str, delta: str, unit: str | None = None) -> list[selfcheck.Judgement]:
    return selfcheck.judge(performance, delta, unit)


def verdict(performance: str, delta: str, unit: str | None = None) -> Verdict:
    return judged(performance, delta, unit)[0].verdict


# --- what follows ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("performance", "delta", "convention"),
    [
        ("100 → 120 tok/s", "+20%", "new/old − 1"),
        ("100 → 80 tok/s", "−20%", "new/old − 1"),
        ("812 → 640 ms", "−21.2%", "new/old − 1"),
        ("812 → 640 ms", "+21.2%", "(old − new)/old"),
        ("812 → 640 ms", "+26.9%", "old/new − 1"),
        ("812 → 640 ms", "1.27×", "old/new"),
        ("812 → 640 ms", "0.79x", "new/old"),
        ("7636 → 6182 MiB", "−1454 MiB", "new − old"),
        ("7636 → 6182 MiB", "−1.42 GiB", "new − old"),
        ("1.2 s → 850 ms", "−29%", "new/old − 1"),
        ("36.5 % → 59.1 %", "+22.6 pp", "new − old"),
        ("30.7 → 294 → 1204 tok/s @2K", "39×", "new/old"),
        ("from 30.7 to 294 tok/s", "9.6×", "new/old"),
        ("100 → 80 tok/s", "1.25× slower", "old/new"),
        ("100 → 120 tok/s", "20%", "new/old − 1"),
        ("100 → 120 tok/s", "120%", "new in percent of old"),
    ],
)
def test_a_change_follows_and_the_convention_is_said(
    performance: str, delta: str, convention: str
) -> None:
    (found,) = judged(performance, delta)
    assert (found.verdict, found.convention) == (CONSISTENT, convention)


@pytest.mark.parametrize(
    ("performance", "delta"),
    [
        ("1518.4 → 1561.9", "+2.87%"),  # 2.8649 as printed; 2.865 is within the operands' rounding
        ("A 42.2 → 45.1; B 36.7 → 38.8", "+6.9% / +5.7%"),
        ("39.2 → 43.2–45.1; other 45.1 → 47.5", "+10–15%"),
        ("2267 → 2365–2371", "+4–5%"),
        ("48.03 → 49.47; 46.66 → 47.94; 22.80 → 22.90", "+2.7–3.0%"),
        ("1464 vs 2345", "−38%"),
        ("baseline 100 vs 112", "+12%"),
        ("480 vs 447–473", "+1.7%"),
        ("~942 vs 1035", "−9%"),
        ("100 → 110 → 121", "+10% / +10%"),
    ],
)
def test_every_reasonable_reading_is_accepted(performance: str, delta: str) -> None:
    assert {one.verdict for one in judged(performance, delta)} == {CONSISTENT}


@pytest.mark.parametrize(
    ("performance", "delta", "computed"),
    [
        ("1493 → 2267", "+30%", "+51.84%"),
        ("1979.9 → 2605.2; kernel 1.70 → 0.654 ms (−61.5%)", "+30.7%", "+31.582%"),
        ("kernel 1.70 → 0.654 ms; 1979.9 → 2605.2", "+30.7%", "+31.582%"),
        ("812 → 640 ms", "−31%", "−21.18%"),
        ("812 → 640 ms", "+4%", "−21.18%"),
        ("100 → 80 tok/s", "+20%", "−20.00%"),
        ("100 → 120 tok/s (+20%)", "+30%", "+20.00%"),
        ("42.2 → 45.1 tok/s", "+3.9 tok/s", "+2.900 tok/s"),
        ("100 → 120 tok/s", "2×", "1.20×"),
        ("112 vs 100 tok/s", "+15%", "+12.00%"),
        ("2000 vs 1500 (fresh baseline)", "+11%", "+33.33%"),
    ],
)
def test_a_change_that_follows_under_no_reading_contradicts(
    performance: str, delta: str, computed: str
) -> None:
    found = judged(performance, delta)[0]
    assert (found.verdict, found.computed) == (CONTRADICTION, computed)


@pytest.mark.parametrize(
    ("performance", "delta"),
    [("3227.6 → 2819.3", "−12.6%"), ("176 → 8.5 ms", "20×"), ("1000.0 → 1239.9 tok/s", "+23.9%")],
)
def test_digits_cut_off_are_a_class_of_their_own(performance: str, delta: str) -> None:
    assert verdict(performance, delta) is TRUNCATED


@pytest.mark.parametrize(
    ("performance", "delta", "reason"),
    [
        ("10.06 → 4.24 ms/layer; @2K prefill +15%", "+15%", "without operands"),
        ("1295 @KD=8; inst 9.45 → 8.69 M/GMAC", "+1.9%", "another unit"),
        ("kernel 3.632 → 2.378 ms", "+18.5%", "another unit"),
        ("42.2 → 45.1 tok/s", "+3 ms", "another unit"),
        ("7B prefill → ~1400–1500", "~4.7× vs 8m", "relative to something else: vs 8m"),
        ("7B decode +37%", "+37%", "no operands"),
        ("A 42.2 → 45.1; B 36.7 → 38.8", "+20%", "several operands"),
        ("A 42.2 → 45.1; B 36.7 → 38.8", "+5.7% / +6.9%", "out of order"),
        ("155 / 412 → 630 / 1460 tok/s", "+10%", "ambiguous"),
        ("100 → 120 tok/s", "≥25%", "bound"),
        ("100 → 120 tok/s", "~0", "no figure"),
        ("100 → 120 tok/s", "much better", "no figure"),
        ("100 → 120 tok/s", "+25.0% (prefill)", "qualified: (prefill)"),
        ("112 vs llama 100 tok/s", "+15%", "something else: llama"),
        ("0 → 12 tok/s", "+12%", "nothing to divide by"),
        ("3200 → 3000", "+6.3%", "only if lower is better"),
    ],
)
def test_where_there_is_doubt_nobody_is_accused(performance: str, delta: str, reason: str) -> None:
    found = judged(performance, delta)[0]
    assert found.verdict is UNABLE
    assert reason in found.reason


def test_a_row_without_change_is_absent() -> None:
    assert [one.verdict for one in judged("100 → 120", "—")] == [Verdict.ABSENT]


def test_a_change_beside_its_operands_is_checked_as_well() -> None:
    found = judged("48.0 → 49.4 (+2.9%), 20 → 30 ms (+80%); recorded +26.2% (2843.2 → 3588.8)", "—")
    assert [(one.where, one.verdict) for one in found[1:]] == [
        ("performance", CONSISTENT),
        ("performance", CONTRADICTION),
        ("performance", CONSISTENT),
    ]


def test_a_parenthesis_about_something_else_is_no_change() -> None:
    assert len(judged("36.4 → 39.9 µs (2× warps = 2× traffic), 242 → 250 GB/s (89%)", "—")) == 1


def test_the_unit_of_the_header_gives_the_direction() -> None:
    assert verdict("100 → 90", "+11.1%") is UNABLE
    assert verdict("100.0 → 90.0", "+11.1%", "ms") is CONSISTENT
    assert verdict("100.0 → 90.0", "+11.1%", "tok/s") is CONTRADICTION


# --- the table ------------------------------------------------------------------------------


def test_a_campaign_is_read_by_its_headers() -> None:
    cells = ("r1", "tile", "`0a1b`", "10.0 → 12.0 tok/s", "+20%", "LANDED", "keep it")
    (row,) = campaign(" | ".join(cells)).rows
    assert row == HistoryRow(
        1,
        3,
        "r1",
        "tile",
        "`0a1b`",
        "10.0 → 12.0 tok/s",
        "+20%",
        "LANDED",
        "keep it",
        cells=tuple(zip(HEADERS, cells, strict=True)),
    )


@pytest.mark.parametrize(
    "header",
    [
        "id | What | Before (ms) | After (ms) | Change",
        "# | Optimization | Old ms | New ms | Δ",
        "Round | Change | Baseline (ms) | Candidate (ms) | Improvement",
    ],
)
def test_separate_columns_for_before_and_after_are_joined(header: str) -> None:
    text = f"{header}\n--|--|--|--|--\n7 | tile | 100.0 | 90.0 | +11.1%\n"
    (finding,) = history.check(history.read(text))
    assert (finding.step, finding.verdict, finding.operands) == ("7", CONSISTENT, "100.0 → 90.0")


def test_columns_can_be_named() -> None:
    text = "| Depth | Local | Remote | Payoff |\n|--:|--:|--:|--:|\n"
    text += "| 2,048 | 6.48 s | 1.520 s | 4.26× |\n"
    with pytest.raises(MalformedError, match="no campaign table: headers seen: Depth, Local"):
        history.read(text)
    named = {"step": "Depth", "before": "Local", "after": "remote", "delta": "Payoff"}
    (finding,) = history.check(history.read(text, named))
    assert (finding.step, finding.verdict) == ("2,048", CONSISTENT)


def test_an_unknown_role_or_header_is_refused() -> None:
    with pytest.raises(UsageError, match="role 'speed' is none of"):
        history.read(HEAD, {"speed": "Δ"})
    with pytest.raises(MalformedError, match="no campaign table with the columns Nothing"):
        history.read(HEAD + "|a|b|c|d|e|f|g|\n", {"delta": "Nothing"})


def test_a_row_that_no_repair_explains_is_refused_with_its_line() -> None:
    with pytest.raises(MalformedError, match="line 3: 8 cells under a header of 7"):
        campaign("a | b | c | d | e | f | g | h")


def test_other_tables_of_the_file_are_left_alone() -> None:
    text = (
        "| x | y |\n|---|---|\n| 1 | 2 | 3 |\n\n"
        + HEAD
        + "| r1 | t | c | 1 → 2 | 2× | LANDED | |\n"
    )
    assert [row.step for row in history.read(text).rows] == ["r1"]


# --- corrections ----------------------------------------------------------------------------


def test_a_row_that_names_its_correction_is_listed_as_corrected() -> None:
    found = campaign(
        "r1 | tile | c | recorded +26.2% (2843.2 → 3588.8) — superseded by r1b | +11.1% | L |",
        "r1b | again | c | 3590.8 vs 3232.0 (fresh baseline) | +11.1% | MEAS-ONLY (correction) |",
    )
    (link,) = found.links
    assert (link.kind, link.corrected, link.correcting) == ("superseded", 1, 2)
    assert "superseded by r1b" in link.reason
    assert (found.rows[0].superseded_by, found.rows[1].corrects) == (("r1b",), ("r1",))
    verdicts = {(f.step, f.where): f.verdict for f in history.check(found)}
    assert verdicts["r1", "delta"] is Verdict.CORRECTED
    assert verdicts["r1b", "delta"] is CONSISTENT


@pytest.mark.parametrize(
    ("lesson", "pairs"),
    [
        ("correction of r1", [(3, 1)]),
        ("this corrects the r1 and r2 figures", [(3, 1), (3, 2)]),
        ("r1 was corrected in r2", [(2, 1)]),
        ("superseded by the raw line", []),
        ("supersedes r99", []),
        ("corrects r3 of another table, r10", []),
        ("replaces r1 in the kernel", []),
    ],
)
def test_a_link_needs_a_step_that_exists(lesson: str, pairs: list[tuple[int, int]]) -> None:
    found = campaign(
        "r1 | a | c | — | — | L |", "r2 | b | c | — | — | L |", f"r3 | c | c | — | — | L | {lesson}"
    )
    assert [(link.correcting, link.corrected) for link in found.links] == pairs


def test_both_rows_saying_it_is_one_correction() -> None:
    found = campaign(
        "r1 | a | c | — | — | superseded by r2 |", "r2 | b | c | — | — | L | correction of r1"
    )
    assert len(found.links) == 1


def test_a_bare_number_is_a_step_only_if_it_is_called_one() -> None:
    rows = ["1 | a | c | — | — | L |", "2 | b | c | — | — | L | {}"]
    assert not campaign(rows[0], rows[1].format("corrects 1 typo")).links
    assert campaign(rows[0], rows[1].format("corrects step 1")).links


def test_a_name_that_two_rows_bear_ties_nothing() -> None:
    rows = ["neg | a | c | — | — | L |"] * 2
    assert not campaign(*rows, "r3 | c | c | — | — | L | correction of neg").links


def test_a_status_that_owns_up_is_a_correction_too() -> None:
    (finding,) = history.check(campaign("r1 | a | c | 100 → 150 | +20% | LANDED (Δ corrected) |"))
    assert finding.verdict is Verdict.CORRECTED


# --- entries --------------------------------------------------------------------------------


def test_the_entry_of_a_row_keeps_its_words_and_says_that_it_is_history() -> None:
    cells = ("r1", "**tile**", "`0a1b`", "10 → 12", "+20%", "**LANDED** (gate)", "keep it")
    (row,) = campaign(" | ".join(cells)).rows
    assert history.entry_fields(row) == {
        "kind": "ENTRY",
        "title": "r1: tile",
        "change": "**tile**\nperformance: 10 → 12\nchange as printed: +20%",
        "verdict": {"outcome": "landed", "sentence": "**LANDED** (gate)"},
        "scope": {"source_line": "3"},
        "step": "r1",
        "commit": "`0a1b`",
        "lesson": "keep it",
        "recorded": [
            {"column": column, "text": text} for column, text in zip(HEADERS, cells, strict=True)
        ],
    }


def test_every_entry_is_a_body_that_the_ledger_takes() -> None:
    for row in campaign("r1 | " + "x" * 900 + " | | | | | ", "| | | 1 → 2 | 2× | | ").rows:
        Experiment.model_validate(
            {"v": 1, "index": 1, "prev": "0" * 64, "at": "2026-01-01T00:00:00.000Z"}
            | history.entry_fields(row)
        )


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("**LANDED** (raw) + REVERTED (probe)", "landed"),
        ("MEAS-ONLY + REVERTED", "measured-only"),
        ("REVERTED (hypothesis falsified)", "reverted"),
        ("ANALYSIS-NEGATIVE", "rejected"),
        ("recorded", "observation"),
        ("", "observation"),
        ("who knows", "observation"),
    ],
)
def test_a_status_becomes_an_outcome_word(status: str, outcome: str) -> None:
    assert history.outcome(status) == outcome


# --- a genuine campaign ---------------------------------------------------------------------


@pytest.fixture
def genuine() -> Campaign:
    default = Path(__file__).parents[3] / "shared" / "corpus"
    path = Path(os.environ.get("EVIDENCE_CORPUS", default)) / "campaigns" / "minfer-history.md"
    if not path.exists():
        pytest.skip(f"the genuine campaign was not read: {path} is absent")
    return history.read(path.read_text(encoding="utf-8"))


def test_all_rows_of_a_genuine_campaign_are_read(genuine: Campaign) -> None:
    assert len(genuine.rows) == 85
    assert [(link.corrected_step, link.correcting_step) for link in genuine.links] == [
        ("r59", "r59b")
    ]
    assert [row.line for row in genuine.rows if row.note] == [85]


def test_a_genuine_campaign_is_judged_as_it_was_by_hand(genuine: Campaign) -> None:
    findings = [f for f in history.check(genuine) if f.where == "delta"]
    listed = {
        kind: [f.step for f in findings if f.verdict is kind]
        for kind in (CONTRADICTION, TRUNCATED, Verdict.CORRECTED)
    }
    assert listed == {
        CONTRADICTION: ["P5·2", "r41"],
        TRUNCATED: ["8n", "8o", "r58"],
        Verdict.CORRECTED: ["r59"],
    }
    assert {f.verdict for f in history.check(genuine) if f.where != "delta"} == {CONSISTENT}
    assert Counter(f.verdict for f in findings)[CONSISTENT] == 31
