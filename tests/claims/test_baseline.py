"""A baseline holds what it held, forgets what is gone, and grows by no way."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.checks import baseline
from claims.formats.outcome import Finding
from claims.rules import Refusal
from receipts.errors import MalformedError

SENTENCES = st.sampled_from(["It did 5 ms.", "2,048 | 6 ms", "模型 7 ms.", 'a "b" \\ c'])
FOUND = st.builds(
    lambda path, code, sentence, line: finding(path, code, sentence, line),
    st.sampled_from(["a.md", "docs/b.md"]),
    st.sampled_from(["CLM101", "CLM107"]),
    SENTENCES,
    st.integers(1, 9),
)
FINDINGS = st.lists(FOUND, max_size=12)
PAGES = ["a.md", "docs/b.md"]


def finding(path="a.md", code="CLM101", sentence="It did 5 ms.", line=1):
    return Finding(
        Refusal(code, "m", None, f"{path}:{line}:1"), path, path, line, 1, 2, "", sentence
    )


def reread(tmp_path, made):
    path = tmp_path / "base.json"
    path.write_bytes(baseline.text(made))
    return baseline.read(path)


@given(findings=FINDINGS)
def test_what_was_written_holds_all_of_it_wherever_its_lines_moved(tmp_path_factory, findings):
    made = reread(tmp_path_factory.mktemp("base"), baseline.of("base.json", findings))
    assert list(made.faults) == []
    moved = [finding(f.path, f.refusal.code, f.sentence, f.line + 40) for f in findings]
    done = baseline.hold(made, moved, PAGES)
    assert (done.counted, done.stale, len(done.held)) == ([], [], len(findings))


@given(findings=FINDINGS, more=FINDINGS)
def test_what_is_added_counts_and_what_is_gone_is_stale(findings, more):
    made = baseline.of("base.json", findings)
    done = baseline.hold(made, more, PAGES)
    was = Counter(map(baseline.known, findings))
    now = Counter(map(baseline.known, more))
    assert Counter(map(baseline.known, done.held)) == was & now
    assert Counter(map(baseline.known, done.counted)) == now - was
    assert len(done.stale) == len(was - now)


@given(findings=FINDINGS, more=FINDINGS)
def test_shrinking_never_adds_and_leaves_nothing_stale(findings, more):
    made = baseline.of("base.json", findings)
    less = baseline.shrunk(made, baseline.hold(made, more, PAGES).held, PAGES)
    assert list(less.grown(made)) == []
    assert baseline.hold(less, more, PAGES).stale == []
    assert list(less.faults) == []


@given(findings=FINDINGS, one=FOUND)
def test_one_more_of_anything_is_growth_and_is_named(findings, one):
    old, new = baseline.of("b", findings), baseline.of("b", [*findings, one])
    ((grown),) = new.grown(old)
    assert (grown.code, grown.place) == ("CLM095", f"{one.path}:1:1")
    assert list(old.grown(new)) == []


def test_pages_that_were_not_checked_are_not_called_stale_and_are_kept():
    made = baseline.of("b", [finding("a.md"), finding("docs/b.md")])
    done = baseline.hold(made, [], ["a.md"])
    assert [one.place for one in done.stale] == ["a.md:1:1"]
    assert baseline.shrunk(made, done.held, ["a.md"]).total == 1


def test_a_reason_says_which_file_holds_a_finding():
    (held,) = baseline.hold(baseline.of("base.json", [finding()]), [finding()], PAGES).held
    assert held.reason == "held by base.json"


def test_what_nobody_sets_aside_is_not_written_and_not_held(tmp_path):
    assert baseline.of("b", [finding(code="CLM401")]).total == 0
    path = tmp_path / "b.json"
    entry = {"file": "a.md", "code": "CLM401", "sentence": "It did 5 ms.", "count": 1}
    path.write_text(json.dumps({"version": 1, "total": 1, "findings": [entry]}))
    forged = baseline.read(path)
    assert [fault.code for fault in forged.faults] == ["CLM092"]
    assert len(baseline.hold(forged, [finding(code="CLM401")], PAGES).counted) == 1


def test_an_entry_added_by_hand_does_not_agree_with_the_total(tmp_path):
    path = tmp_path / "b.json"
    value = json.loads(baseline.text(baseline.of("b", [finding()])))
    value["findings"].append({**value["findings"][0], "sentence": "It did 6 ms."})
    path.write_text(json.dumps(value))
    ((fault),) = baseline.read(path).faults
    assert (fault.code, fault.message) == (
        "CLM095",
        "the entries count 2, the file says 1: edited by hand",
    )


def test_the_file_has_one_finding_a_line_so_that_a_diff_can_be_read():
    made = baseline.of("b", [finding(), finding(), finding("docs/b.md", sentence="模型 7 ms.")])
    assert baseline.text(made).decode() == (
        '{"version": 1, "total": 3, "findings": [\n'
        ' {"file": "a.md", "code": "CLM101", "sentence": "It did 5 ms.", "count": 2},\n'
        ' {"file": "docs/b.md", "code": "CLM101", "sentence": "模型 7 ms.", "count": 1}\n'
        "]}\n"
    )


ENTRY = {"file": "a", "code": "CLM101", "sentence": "s", "count": 1}


@pytest.mark.parametrize(
    "value",
    [
        "no json",
        "[]",
        "{}",
        {"version": 2, "total": 0, "findings": []},
        {"version": 1, "total": "0", "findings": []},
        {"version": 1, "total": 1, "findings": [{**ENTRY, "count": "1"}]},
        {"version": 1, "total": 1, "findings": [{**ENTRY, "count": True}]},
        {"version": 1, "total": 1, "findings": [{**ENTRY, "count": 0}]},
        {"version": 1, "total": 1, "findings": [{**ENTRY, "line": 3}]},
        {"version": 1, "total": 1, "findings": [{**ENTRY, "file": 3}]},
        {"version": 1, "total": 2, "findings": [ENTRY, ENTRY]},
        {"version": 1, "total": 1, "findings": ["x"]},
        "[" * 100_000,
    ],
    ids=str,
)
def test_what_is_no_baseline_is_told_in_one_line_that_names_the_file(tmp_path, value):
    path = tmp_path / "b.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    with pytest.raises(MalformedError, match=r"b\.json: not a baseline") as raised:
        baseline.read(path)
    assert "\n" not in str(raised.value)
