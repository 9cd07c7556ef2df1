"""Every format of a check: valid for its readers, escaped, with its denominators."""

import json
import re
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims import formats
from claims.formats import concise, github, gitlab, junit, sarif
from claims.formats import text as plain
from claims.formats.outcome import Finding, Outcome, Page
from claims.rules import RULES, Refusal
from receipts import console
from tests.fixtures.report_schemas import GITLAB, JUNIT, SARIF

NASTY = 'a%b\r\nc::d,e <b>|`@x` ]]> \x00 \x1b[31m \u202e \ud7ff 模型 𝄞 & "q" \''


def finding(code="CLM101", line=3, column=5, **changes):
    place = f"docs/a b.md:{line}:{column}" if line else None
    refusal = Refusal(code, changes.pop("message", "5 ms stands here"), None, place)
    fields = {"text": "It did 5 ms.", "sentence": "It did 5 ms.", "end_column": column + 1}
    fields |= changes
    return Finding(refusal, "docs/a b.md", "docs/a b.md", line, column, **fields)


def outcome(*counted, ignored=(), held=(), beyond=()):
    view = {"file": "docs/a b.md", "numbers": 4, "bound": 1, "unbound": 3, "claims": ["c"]}
    page = Page("docs/a b.md", "docs/a b.md", view, "a b.md: 4 numbers", counted, ignored, held)
    pages = () if beyond else (page,)
    return Outcome(pages, tuple(beyond), "ledger: 2 entries verified", ("images (images: 1)",))


ALL = outcome(
    finding(),
    finding(column=9),
    finding("CLM401", 7, 1, message=NASTY, text=NASTY, sentence=NASTY),
    ignored=(finding(line=9, reason="a limit"),),
    held=(finding(line=11, reason="held by base.json"),),
)
NOTHING = outcome(beyond=[Finding(Refusal("CLM001", "no page"), "", "evidence.yaml")])
CLEAN = outcome()


@pytest.mark.parametrize("name", formats.FORMATS)
@pytest.mark.parametrize("done", [ALL, CLEAN, NOTHING], ids=["all", "clean", "nothing"])
def test_every_format_tells_every_finding_and_the_denominators_but_gitlab(name, done):
    if name in formats.DOCUMENTS:
        told = "".join(console.spelt(formats.document(name, done)))
    else:
        told = "\n".join(formats.lines(name, done))
    assert all(one.refusal.code in told for one in done.findings)
    if name not in ("gitlab", "junit"):
        assert "ledger: 2 entries verified" in told
        assert "images (images: 1)" in told
        assert re.search(r"4 numbers|\"numbers\": 4", told) or done is NOTHING


def test_the_code_is_that_of_what_was_found():
    warning = Finding(Refusal("CLM101", "x", severity="warning"), "a.md", "a.md")
    assert (ALL.code, CLEAN.code, NOTHING.code, outcome(warning).code) == (1, 0, 3, 0)


# --- text and concise -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "column", "end", "shown", "carets"),
    [
        ("It did 5 ms.", 8, 9, "It did 5 ms.", "       ^"),
        ("a\t35.2 tok/s", 3, 7, "a 35.2 tok/s", "  ^^^^"),
        ("模型 40 ms", 4, 6, "模型 40 ms", "     ^^"),
        ("e\u0301 5 ms", 4, 5, "e\u0301 5 ms", "  ^"),
        ("\x1b[31m 5", 7, 8, "\ufffd[31m 5", "      ^"),
        ("x", 1, 1, "x", "^"),
    ],
)
def test_the_caret_stands_under_the_span_as_a_terminal_shows_it(line, column, end, shown, carets):
    quoted = list(plain.quoted(finding(line=3, column=column, text=line, end_column=end)))
    assert quoted == [f"    3 | {shown}", f"      | {carets}"]


def test_of_a_long_line_only_what_is_around_the_span_is_shown():
    line = "x" * 100_000 + "5 ms" + "y" * 100_000
    shown, carets = plain.quoted(finding(line=1, column=100_001, text=line, end_column=100_002))
    assert len(shown) < 120
    assert shown[carets.index("^")] == "5"
    assert shown.startswith("    1 | …x")
    assert shown.endswith("y…")


@given(st.text(max_size=300), st.integers(1, 300), st.integers(0, 30))
def test_carets_never_fail_and_stand_where_the_span_begins(text, column, more):
    if "\n" in text or column > len(text):
        return
    line = text.replace("\r", " ").replace("\x0b", " ").replace("\x0c", " ")
    quoted = list(plain.quoted(finding(line=1, column=column, text=line, end_column=column + more)))
    if len(quoted) == 2:
        shown = line[: column - 1][-60:]
        before = ("…" if column - 1 > 60 else "") + shown
        assert quoted[1].index("^") == 8 + plain.width(before)


def test_a_remedy_is_told_once_however_many_findings_there_are():
    told = "\n".join(plain.lines(ALL))
    assert told.count(RULES["CLM101"].remedy) == 1
    assert "CLM101 (2): " in told
    assert "ignored: docs/a b.md:9:5: CLM101" in told
    assert "reason: a limit" in told


def test_a_concise_line_is_place_code_and_message():
    assert concise.line(finding()) == "docs/a b.md:3:5: CLM101 5 ms stands here"
    assert concise.line(NOTHING.findings[0]) == "CLM001 no page"


# --- sarif ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("done", [ALL, CLEAN, NOTHING], ids=["all", "clean", "nothing"])
def test_sarif_is_what_code_scanning_accepts(done):
    log = json.loads(json.dumps(sarif.value(done)))
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region.get("endColumn", 2) > region.get("startColumn", 1)
        assert "kind" not in result
    assert run["invocations"][0]["exitCode"] == done.code
    assert run["invocations"][0]["executionSuccessful"] == (done is not NOTHING)


def test_sarif_has_reasons_as_suppressions_and_tells_equal_findings_apart():
    results = sarif.value(ALL)["runs"][0]["results"]
    told = [result.get("suppressions", [{}])[0] for result in results]
    assert [one.get("kind") for one in told] == [None, None, None, "inSource", "external"]
    assert [one.get("justification") for one in told[3:]] == ["a limit", "held by base.json"]
    prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]
    assert len(set(prints)) == len(prints)
    assert {one.partition(":")[0] for one in prints[:2]} == {ALL.findings[0].fingerprint}


def test_sarif_over_the_cap_writes_what_counts_first_and_says_how_many_there_were():
    many = [finding(line=n) for n in range(1, 5_002)]
    (run,) = sarif.value(outcome(*many, ignored=(finding(reason="x"),)))["runs"]
    assert len(run["results"]) == sarif.RESULTS == 5_000
    assert not any("suppressions" in result for result in run["results"])
    told = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert told.startswith("5000 of 5002 results")


def test_a_fingerprint_survives_moved_lines_and_no_changed_sentence():
    assert finding(line=3).fingerprint == finding(line=300, column=9).fingerprint
    assert finding().fingerprint != finding(sentence="It did 6 ms.").fingerprint
    assert finding().fingerprint != finding("CLM107").fingerprint


# --- gitlab, junit --------------------------------------------------------------------------------


@pytest.mark.parametrize("done", [ALL, CLEAN, NOTHING], ids=["all", "clean", "nothing"])
def test_gitlab_gets_its_fields_and_no_fingerprint_twice(done):
    items = json.loads(json.dumps(gitlab.value(done)))
    jsonschema.validate(items, GITLAB)
    assert len({item["fingerprint"] for item in items}) == len(items) == len(done.findings)


def _check_element(element):
    required, optional, children = JUNIT[element.tag]
    assert required <= set(element.attrib) <= required | optional
    for child in element:
        assert child.tag in children
        _check_element(child)


@pytest.mark.parametrize("done", [ALL, CLEAN, NOTHING], ids=["all", "clean", "nothing"])
def test_junit_is_well_formed_valid_and_its_counts_are_those_of_its_cases(done):
    root = ElementTree.fromstring("\n".join(junit.lines(done)))
    _check_element(root)
    for suite in root:
        cases = suite.findall("testcase")
        assert len(cases) == int(suite.attrib["tests"]) > 0
        assert len(suite.findall("testcase/failure")) == int(suite.attrib["failures"])
        assert len(suite.findall("testcase/skipped")) == int(suite.attrib["skipped"])
    assert sum(int(suite.attrib["tests"]) for suite in root) == int(root.attrib["tests"])
    assert int(root.attrib["failures"]) == len(done.findings)


@given(st.text())
def test_no_message_breaks_the_documents(message):
    done = outcome(finding(message=message or "x", text=message, sentence=message))
    ElementTree.fromstring("\n".join(junit.lines(done)).encode("utf-8", "replace"))
    jsonschema.validate(sarif.value(done), SARIF)


# --- github ---------------------------------------------------------------------------------------


def test_an_annotation_is_one_line_whatever_is_in_it():
    line = github.annotation(finding(message=NASTY))
    assert "\n" not in line
    assert "\r" not in line
    assert line.startswith(
        "::error file=docs/a b.md,line=3,endLine=3,col=5,endColumn=6,"
        "title=CLM101 unbound-number::a%25b%0D%0Ac::d,e"
    )


def test_properties_escape_what_parts_them():
    page = Finding(Refusal("CLM101", "x", None, "a,b%c::d.md:1:1"), "a", "a,b%c::d.md", 1, 1, 2)
    assert github.annotation(page).startswith("::error file=a%2Cb%25c%3A%3Ad.md,line=1,")


def test_ten_annotations_are_written_and_the_rest_is_counted():
    lines = list(github.lines(outcome(*[finding(line=n) for n in range(1, 41)])))
    assert sum(line.startswith("::error ") for line in lines) == 10
    assert "::notice title=claims check::10 of 40 findings are annotated; the log has all" in lines
    assert sum(line.startswith("docs/a b.md:") for line in lines) == 40


def test_a_page_whose_name_is_a_command_gives_none():
    refusal = Refusal("CLM101", "x", None, "::warning::x.md:1:1")
    page = Finding(refusal, "::warning::x.md", "::warning::x.md", 1, 1, 2)
    lines = [line for line in github.lines(outcome(page)) if line.startswith("::")]
    assert [line.split(" ")[0] for line in lines] == ["::error"]


def test_a_summary_fits_into_its_room_and_counts_what_it_left_out():
    done = outcome(*[finding(line=n, message="x" * 500) for n in range(1, 4_000)])
    for room in (github.SUMMARY_BYTES, 20_000):
        text = github.summary(done, room)
        assert len(text.encode()) <= room
        assert re.search(r"^[1-9]\d* more findings do not fit in here\.$", text, re.MULTILINE)
        assert text.rstrip().endswith("images \\(images: 1\\)")
    assert "do not fit" not in github.summary(ALL)
    assert github.summary(ALL, 100) == ""


def test_nothing_in_a_summary_is_markup_of_a_page():
    text = github.summary(outcome(finding(message=NASTY)))
    row = next(line for line in text.splitlines() if line.startswith("| docs"))
    assert re.findall(r"(?<!\\)\|", row) == ["|"] * 4
    assert not re.search(r"(?<!\\)[<>`@]", row)
