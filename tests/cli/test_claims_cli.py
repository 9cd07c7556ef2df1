"""The command `claims`: its exit codes, what it prints where, and what it leaves alone."""

import json
import sqlite3
import subprocess
import sys

import pytest

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
CHANGE = "The tuned decoder runs at 1.25× the plain one (n = 5)."
BOUND = f"{LEVEL}<!--claim:prefill-->\n"


@pytest.fixture(scope="module")
def _approved_once(shared_publisher):
    shared_publisher.publish(shared_publisher.level, shared_publisher.change)
    return shared_publisher


@pytest.fixture
def approved(_approved_once, copied):
    """Return a publisher whose claims `prefill` and `tuned` are approved."""
    return copied(_approved_once)


def refused(publisher):
    """Make `tuned` a claim that is refused, whatever was approved."""
    publisher.write(publisher.level, {**publisher.change, "evidence": [{"entry": "OTHER"}]})


# --- render -------------------------------------------------------------------------------------


def test_render_prints_the_sentences_that_hold(approved):
    result = approved.claims("render")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert (lines[0], lines[2]) == (LEVEL, CHANGE)
    assert approved.claims("render", "tuned").stdout.startswith(CHANGE)


def test_render_refuses_by_name_and_prints_the_others(approved):
    refused(approved)
    result = approved.claims("render")
    assert result.exit_code == 1
    assert result.stdout.startswith(LEVEL)
    assert CHANGE not in result.stdout
    told = result.stderr.splitlines()
    assert told[0] == (
        "REFUSED CLM320 not-exact: tuned: "
        "tuned repetition 1 has token 5 at 3, plain repetition 0 has 4"
    )
    assert told[1].startswith("        Fix the difference first")


@pytest.mark.parametrize("options", [(), ("--json",), ("--format", "markdown")])
def test_render_leaves_the_file_untouched_when_anything_is_refused(approved, options):
    refused(approved)
    page = approved.root / "page.md"
    page.write_text("as it was\n")
    before = page.stat()
    result = approved.claims("render", "--output", page, *options)
    assert result.exit_code == 1
    assert page.read_text() == "as it was\n"
    assert (page.stat().st_ino, page.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert "was left as it was: not every sentence holds" in result.stderr
    assert [path.name for path in approved.root.glob("tmp*")] == []


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_render_writes_the_file_when_all_hold(approved, options):
    result = approved.claims("render", "--output", "page.txt", *options)
    assert result.exit_code == 0
    assert (approved.root / "page.txt").read_text(encoding="utf-8").startswith(LEVEL)
    assert (result.stdout == "") == (options == ())


def test_render_does_not_take_a_folder_for_a_file(approved):
    before = sorted(approved.root.rglob("*"))
    for folder in (".", "evidence"):
        result = approved.claims("render", "--output", folder)
        assert result.exit_code == 4
        told = f"claims: {folder} is a folder and is not replaced; name a file\n"
        assert result.stderr.endswith(told)
    assert sorted(approved.root.rglob("*")) == before


def test_a_rendered_page_passes_its_check(approved):
    for words in (
        ("render", "--format", "markdown", "--output", "page.md"),
        ("check", "page.md"),
    ):
        done = approved.process("claims", *words)
        assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == (
        "page.md: 4 numbers: 4 bound, 0 excluded, 0 scope, 0 unbound; 2 claims used; 0 findings"
    )


def test_a_folder_that_is_not_there_is_told_in_one_line(approved):
    done = approved.process("claims", "render", "--output", "nowhere/page.md")
    assert done.returncode == 4
    assert done.stderr.endswith("folder nowhere does not exist; create it\n")
    assert len(done.stderr.splitlines()) == 1


# --- check --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pages", "code"),
    [
        ({"a.md": BOUND}, 0),
        ({"a.md": BOUND, "b.md": "No numbers.\n"}, 0),
        ({"a.md": BOUND, "b.md": "It did 5 ms.\n"}, 1),
        ({"a.md": "It did 5 ms.\n"}, 1),
        ({"a.md": "It holds.<!--claim:nobody-->\n"}, 1),
        ({"a.md": "It holds.<!--claim:two words-->\n"}, 1),
        ({"a.md": "No numbers since 2026-08-15.\n"}, 3),
        ({"a.md": "It has 16 GiB.\n"}, 1),
        ({"a.md": ""}, 3),
        ({"a.md": "```\n999 tok/s\n```\n"}, 3),
        ({"a.md": BOUND, "b.md": None}, 4),
        ({"a.md": b"na\xefve 5 ms\n"}, 4),
        ({"a.md": BOUND, "b.md": b"\xff\xfe"}, 4),
    ],
    ids=str,
)
def test_check_ends_with_the_code_of_what_was_found(approved, pages, code):
    for name, text in pages.items():
        data = text.encode() if isinstance(text, str) else text
        if data is not None:
            (approved.root / name).write_bytes(data)
    result = approved.claims("check", *pages)
    assert result.exit_code == code, result.output
    assert len(result.stderr.splitlines()) == (1 if code in (3, 4) else 0)


def test_check_names_every_finding_in_one_line_with_its_page(approved):
    (approved.root / "a.md").write_text("It did 5 ms.\n")
    (approved.root / "b.md").write_text(BOUND.replace("163", "164"))
    lines = approved.claims("check", "a.md", "b.md").stdout.splitlines()
    assert lines == [
        "a.md:1:8: CLM101 unbound-number: 5 ms stands in 'It did 5 ms.'",
        "    1 | It did 5 ms.",
        "      |        ^",
        "b.md:1:17: CLM102 value-differs: prefill: "
        "164.77 tok/s stands here, the evidence gives 163.77 tok/s",
        f"    1 | {BOUND.strip().replace('163', '164')}",
        "      |                 ^^^^^^",
        *lines[6:],
    ]
    assert [line.partition(":")[0] for line in lines[6:]] == [
        "CLM101 (1)",
        "CLM102 (1)",
        "`claims explain CODE` says why, with an example of each.",
        "a.md",
        "b.md",
        "2 pages, 3 numbers",
        "ledger",
        "partial run",
        "not checked",
    ]


def test_check_without_files_takes_the_documents_of_the_configuration(approved):
    (approved.root / "README.md").write_text(BOUND + "\nIt did 5 ms.\n")
    result = approved.claims("check")
    assert result.exit_code == 1
    assert "README.md:3:8: CLM101" in result.stdout


def test_check_without_any_documents_says_so(approved):
    path = approved.root / "evidence.yaml"
    text = path.read_text().replace("documents: [README.md]", "documents: []")
    path.write_text(text)
    result = approved.claims("check")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "evidence.yaml names no documents" in result.stderr


def test_pages_are_told_as_they_were_given_or_from_where_the_person_stands(approved, monkeypatch):
    (approved.root / "README.md").write_text("It did 5 ms.\n")
    assert approved.claims("check").stdout.startswith("README.md:1:8: CLM101")
    given = approved.root / "README.md"
    assert approved.claims("check", given).stdout.startswith(f"{given}:1:8: CLM101")
    (approved.root / "docs").mkdir()
    monkeypatch.chdir(approved.root / "docs")
    assert approved.claims("check").stdout.startswith("../README.md:1:8: CLM101")


# --- why, approve, withdraw, explain --------------------------------------------------------------


def test_why_ends_with_the_code_of_the_judgement(approved):
    result = approved.claims("why", "prefill")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"claim prefill: holds\n  {LEVEL}\n")
    assert "from samples_ns 12505211955" in result.stdout
    refused(approved)
    result = approved.claims("why", "tuned")
    assert result.exit_code == 1
    assert "  CLM320 not-exact: " in result.stdout


def test_approve_and_withdraw_tell_the_entry(publisher):
    publisher.write(publisher.level)
    result = publisher.claims("approve", "prefill")
    assert result.exit_code == 0
    assert result.stdout.endswith(f": {LEVEL}\n")
    result = publisher.claims("withdraw", "prefill", "--reason", "a doubt")
    assert result.exit_code == 0
    assert result.stdout.startswith("withdrawn by entry ")
    assert publisher.claims("render").exit_code == 1


def test_why_shows_no_number_of_arms_that_differ(approved):
    level = {**approved.level, "metric": "decode_tok_s", "repetitions": 5}
    cited = {"evidence": [{"entry": "OTHER", "arm": "tuned"}]}
    approved.write({**level, **cited}, {**approved.change, "evidence": [{"entry": "OTHER"}]})
    for claim in ("prefill", "tuned"):
        text = approved.claims("why", claim).stdout
        assert "CLM320 not-exact: " in text
        assert "tok/s  from" not in text
        assert "rows of" not in text
        assert "unit = " not in text
        value = json.loads(approved.claims("why", claim, "--json").stdout)
        assert (value["values"], value["rows"]) == ({}, {})
        assert "sentence" not in value


def test_why_shows_the_conditions_of_an_approval(publisher):
    publisher.write(publisher.level)
    publisher.claims("approve", "prefill", "--condition", "beside the table")
    text = publisher.claims("why", "prefill").stdout
    assert "\n  on condition: beside the table\n" in text
    value = json.loads(publisher.claims("why", "prefill", "--json").stdout)
    assert value["conditions"] == ["beside the table"]
    assert "conditions" not in json.loads(_unconditional(publisher).stdout)


def _unconditional(publisher):
    publisher.claims("approve", "prefill")
    return publisher.claims("why", "prefill", "--json")


@pytest.mark.parametrize(
    "words", [("approve", "prefill"), ("withdraw", "prefill", "--reason", "a doubt")], ids=str
)
def test_nothing_is_appended_to_a_ledger_that_does_not_verify(approved, words):
    assert approved.claims(*words).exit_code == 0
    approved.flip_row(6, -20)
    before = approved.ledger_file.read_bytes()
    result = approved.claims(*words)
    assert (result.exit_code, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("claims: CLM301 chain-broken: entry 6: ")
    assert line.endswith("; nothing was appended")
    assert approved.ledger_file.read_bytes() == before


def test_a_cache_that_somebody_changed_is_not_believed(approved):
    approved.ledger("retract", "CELLS", "--reason", "wrong")
    assert approved.ledger("list").exit_code == 0
    cache = sqlite3.connect(approved.ledger_file.with_suffix(".index"), isolation_level=None)
    cache.execute("DELETE FROM entry WHERE kind = 'RETRACTION'")
    cache.execute("DELETE FROM mention WHERE what = 'claim'")
    cache.close()
    assert "CLM502 retracted" in approved.claims("render", "prefill").stderr
    assert approved.claims("render", "tuned").exit_code == 0


def test_approve_is_for_operators(publisher):
    publisher.write(publisher.level)
    result = publisher.claims("approve", "prefill", "--key", publisher.key_file("engineer"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("is not operator; its roles: engineer\n")


def test_explain_lists_all_rules_or_explains_those_that_are_named(publisher):
    every = publisher.claims("explain").stdout.splitlines()
    assert every[0].startswith("CLM001 no-page: ")
    assert len(every) > 30
    one = publisher.claims("explain", "clm305", "superseded").stdout.splitlines()
    assert [line.split()[0] for line in one if line[0] != " "] == ["CLM305", "CLM501"]
    unknown = publisher.claims("explain", "CLM999")
    assert unknown.exit_code == 4
    assert unknown.stderr.startswith("claims: no rule is called 'CLM999'")


# --- json, faults, programs -----------------------------------------------------------------------


@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        ("render",),
        ("render", "prefill", "--format", "markdown"),
        ("check", "page.md"),
        ("why", "prefill"),
        ("why", "tuned"),
        ("approve", "prefill"),
        ("withdraw", "prefill", "--reason", "a doubt"),
        ("explain",),
        ("explain", "CLM305"),
    ],
    ids=str,
)
def test_json_is_one_document_and_nothing_else(approved, words, broken):
    (approved.root / "page.md").write_text(BOUND + "\nIt did 5 ms.\n")
    if broken:
        refused(approved)
    result = approved.claims(*words, "--json")
    assert result.exit_code in (0, 1)
    assert json.loads(result.stdout)


def test_json_of_refusals_has_code_name_message_and_remedy(approved):
    refused(approved)
    held, not_held = json.loads(approved.claims("render", "--json").stdout)
    assert (held["holds"], held["sentence"], held["refusals"]) == (True, LEVEL, [])
    assert not_held["holds"] is False
    assert set(not_held["refusals"][0]) == {"code", "name", "claim", "message", "remedy"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("render", "nobody"), 4),
        (("why", "nobody"), 4),
        (("approve", "nobody"), 4),
        (("withdraw", "nobody", "--reason", "x"), 4),
        (("render", "--format", "html"), 2),
        (("why",), 2),
        (("withdraw", "prefill"), 2),
        (("publish",), 2),
    ],
    ids=str,
)
def test_wrong_words_end_with_the_code_of_their_fault(approved, words, code):
    result = approved.claims(*words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert "Traceback" not in result.stderr


def test_a_fault_of_the_register_is_one_line_with_its_place(publisher):
    text = "version: 1\nclaims:\n  - id: a\n    kind: level\n    wording: It did 5 ms.\n"
    text += "    metric: decode_ms\n    statistic: median\n    evidence: [{entry: CELLS}]\n"
    (publisher.root / "claims.yaml").write_text(text)
    result = publisher.claims("render")
    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr == (
        "claims: claims.yaml:5:5: claim a: wording has the typed number '5'; "
        "numbers come from holes\n"
    )


def test_outside_a_workspace_the_remedy_is_told(home):
    from click.testing import CliRunner

    from claims.cli import claims

    result = CliRunner().invoke(claims, ["render"])
    assert result.exit_code == 4
    assert "`ledger init` makes one" in result.stderr


def test_a_changed_row_refuses_every_claim_of_every_verb(approved):
    (approved.root / "page.md").write_text(BOUND)
    approved.flip_row(6, -20)
    for words in (("render",), ("why", "prefill"), ("approve", "tuned"), ("check", "page.md")):
        result = approved.claims(*words)
        assert result.exit_code == 1, words
        assert "CLM301 chain-broken: " in result.output
        assert LEVEL not in result.stdout or words[0] == "check"


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: b"",
        lambda data: b"not a database" * 1000,
        lambda data: b"\x00" * len(data),
        lambda data: data[: len(data) // 2],
        lambda data: data[:100] + b"\xff" * 4000 + data[4100:],
    ],
    ids=["empty", "text", "zeros", "half", "first page"],
)
def test_a_ledger_that_cannot_be_opened_at_all_is_one_line_and_exit_1(approved, harm):
    data = approved.ledger_file.read_bytes()
    approved.ledger_file.chmod(0o644)
    approved.ledger_file.write_bytes(harm(data))
    result = approved.claims("render")
    assert (result.exit_code, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("claims: ")
    assert "ledger.db is " in line
    done = approved.process("claims", "render")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_a_ledger_that_is_not_there_is_one_line_and_exit_4(approved):
    approved.ledger_file.unlink()
    result = approved.claims("render")
    assert (result.exit_code, result.stdout) == (4, "")
    assert len(result.stderr.splitlines()) == 1


def test_help_loads_nothing_heavy():
    heavy = "{'numpy', 'pydantic', 'jinja2', 'sqlite_utils', 'pyromark'}"
    code = f"import sys, claims.cli; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
