"""Bad input: one line on stderr, exit 2 or 4, and nothing written."""

import json
import stat
from pathlib import Path

import pytest

from ledger.entry import MAX_BODY
from receipts.errors import Error

UNKNOWN = "receipt://sha256:" + "0" * 64


def refused(founded, *words, stdin=None):
    """Run the command; it must refuse in one line and write nothing. Return (exit, line)."""
    before, rows = founded.path.read_bytes(), founded.rows()
    head = founded.head_file.read_bytes()
    result = founded.invoke(*words, stdin=stdin)
    assert result.stdout == ""
    assert founded.path.read_bytes() == before
    assert founded.rows() == rows
    assert founded.head_file.read_bytes() == head
    assert founded.invoke("verify").exit_code == 0
    return result.exit_code, result.stderr.strip()


OPTIONS = [
    (["--title", "x", "--evidence", UNKNOWN], 4, "sha256:000000"),
    (["--title", "x", "--evidence", "receipt://nobody"], 4, "no run in this ledger is called"),
    (["--title", "x", "--evidence", "file.json"], 4, "is not of the form receipt://NAME"),
    (["--title", "x", "--evidence", "receipt://sha256:12"], 4, "sha256:12"),
    (["--title", "x", "--label", "J1"], 4, "the label 'J1' is taken by entry 3"),
    (["--title", "x", "--label", "15"], 4, "reads like an index or an id; choose another"),
    (["--title", "x", "--label", "abcdef"], 4, "reads like an index or an id; choose another"),
    (["--title", "x", "--label", "with space"], 4, "entry: label:"),
    (["--title", "x", "--label", "J9\n"], 4, "entry: label:"),
    (["--title", "x", "--label", "x" * 65], 4, "entry: label:"),
    (["--title", ""], 4, "entry: title:"),
    (["--title", "x" * 501], 4, "entry: title:"),
    (["--label", "J9"], 4, "entry: title: is missing"),
    (["--title", "x", "--gate", "exactness"], 4, "is not NAME=pass, NAME=fail or NAME=not-run"),
    (["--title", "x", "--gate", "exactness=maybe"], 4, "is not NAME=pass"),
    (["--title", "x", "--verdict", "great"], 4, "entry: verdict.outcome:"),
    (["--title", "x", "--plan", "sha256:zz"], 4, "entry: plan:"),
    (["--title", "x", "--answers", "J9"], 4, "no entry is called 'J9'; `ledger list`"),
    (["--title", "x", "--answers", "J1"], 4, "entry 3 is not an open entry; only those"),
    (["--title", "x", "--answers", "0"], 4, "entry 0 is not an open entry; only those"),
    (["--title", "x", "--change", "y" * 70_000], 4, "the limit is 48,963; put long text into"),
    (["--title", "x\udcff"], 4, "title"),
    (["--title", "x", "--key", "/nowhere/id"], 4, "key /nowhere/id does not exist"),
    (["--title", "x", "--notes", "nowhere.txt"], 4, "notes nowhere.txt is not a file"),
    (["--title", "x", "--notes", "."], 4, "notes . is not a file"),
    (["--from", "nowhere.yaml"], 4, "nowhere.yaml: the YAML file does not exist"),
    (["--surprise"], 2, "No such option"),
    (["--title"], 2, "requires an argument"),
]


@pytest.mark.parametrize(("words", "code", "sentence"), OPTIONS)
def test_bad_options_are_refused_in_one_line(founded, words, code, sentence):
    found, said = refused(founded, "add", *words)
    assert (found, sentence in said) == (code, True), said
    assert code == 2 or len(said.splitlines()) == 1


YAML = [
    ("title: [", "draft.yaml:1:"),
    ("title: x\n\tchange: y\n", "draft.yaml:2:"),
    ("title: x\nchange: y\ntitle: z\n", "draft.yaml:3:1: the key 'title' stands twice"),
    ("title: x\nsurprise: y\n", "draft.yaml:2:1: entry: surprise: unknown field"),
    ("title: x\nchange:\n", "draft.yaml:2:", "the value is empty"),
    ("title: x\ngate: [exactness=maybe]\n", "draft.yaml:2:1: gate 'exactness=maybe' is not"),
    ("title: x\ngate:\n- {name: g, result: pass, more: x}\n", "unknown field"),
    ("title: x\ngate:\n- {name: g, result: pass, measured: 1e5}\n", "draft.yaml:3:"),
    ("title: x\nverdict: {outcome: great}\n", "draft.yaml:2:11: entry: verdict.outcome:"),
    ("title: x\nanswers: J9\n", "no entry is called 'J9'"),
    ("title: x\nlabel: J2\n", "the label 'J2' is taken by entry 4"),
    ("title: x\nkind: NOTE\n", "draft.yaml:"),
    ("title: &a x\nchange: *a\n", "draft.yaml:", "(&a) are not allowed"),
    ("title: !!python/name:os.system x\n", "draft.yaml:1:8: the tag"),
    ("- title: x\n", "draft.yaml:1:1: an entry is a mapping of fields"),
    ("just words\n", "draft.yaml:1:1: an entry is a mapping of fields"),
    ("", "draft.yaml", "the document is empty"),
    ("# only a comment\n", "draft.yaml", "the document is empty"),
    ("title: " + "[" * 60 + "\n", "draft.yaml"),
    ("title: x\nchange: " + "y" * 70_000 + "\n", "the limit is 48,963"),
    ("title: x\nevidence: [[ab]]\n", "draft.yaml:2:1: evidence is receipt://…"),
    ("title: x\nevidence: [[]]\n", "draft.yaml:2:1: evidence is receipt://…"),
    ("title: x\nevidence: [{select: {a: b}}]\n", "draft.yaml:2:1: evidence is receipt://…"),
    ("title: x\nevidence: [{receipt: [a]}]\n", "draft.yaml:2:1: evidence is receipt://…"),
    ("title: x\ngate: [[a]]\n", "draft.yaml:2:8: entry: gate.0:"),
    ("title: x\nrests_on: J9\n", "no entry is called 'J9'"),
    ("title: x\nrests_on: [J1, J9]\n", "no entry is called 'J9'"),
    ("title: x\nrests_on: [[J1]]\n", "no entry is called"),
    ("title: x\ngate: [{name: g, result: pass, contract: J9}]\n", "no entry is called 'J9'"),
    ("title: x\ngate: [{name: g, result: pass, contract: J1}]\n", "gate g:", "no CONTRACT entry"),
]


@pytest.mark.parametrize("case", YAML, ids=lambda case: case[0][:40] or "nothing")
def test_bad_yaml_is_refused_with_its_place(founded, case):
    text, *parts = case
    (founded.root / "draft.yaml").write_text(text)
    code, said = refused(founded, "add", "--from", "draft.yaml")
    assert (code, [part for part in parts if part not in said]) == (4, []), said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    "case",
    [
        (b"title: x\nchange: \xff\n", "draft.yaml:2:", "not UTF-8 text"),
        (b"title: \xed\xa0\x80\n", "draft.yaml:1:", "not UTF-8 text"),
        (b"title: x\0\n", "draft.yaml"),
        (b"\xff\xfet\0i\0", "draft.yaml:1:", "not UTF-8 text"),
        (b"#" * (4 * 1024 * 1024 + 1), "draft.yaml: larger than"),
    ],
    ids=["latin 1", "surrogate", "nul", "utf 16", "too large"],
)
def test_bytes_that_are_not_yaml_text_are_refused(founded, case):
    data, *parts = case
    (founded.root / "draft.yaml").write_bytes(data)
    code, said = refused(founded, "add", "--from", "draft.yaml")
    assert (code, [part for part in parts if part not in said]) == (4, []), said
    assert len(said.splitlines()) == 1


def test_bad_yaml_on_stdin_is_called_stdin(founded):
    code, said = refused(founded, "add", "--from", "-", stdin="title: x\nsurprise: y\n")
    assert (code, "stdin:2:1: entry: surprise: unknown field" in said) == (4, True)


def test_two_entries_with_one_label_are_refused_at_the_second(founded):
    assert founded.invoke("add", "--title", "a", "--label", "J9").exit_code == 0
    code, said = refused(founded, "add", "--title", "b", "--label", "J9")
    assert (code, said) == (4, "ledger: the label 'J9' is taken by entry 15")


CORRECTING = [
    (["correct", "J1"], 2, "Missing option '--reason'"),
    (["correct", "J9", "--reason", "x"], 4, "no entry is called 'J9'"),
    (["correct", "--reason", "x"], 4, "a correction names at least one target"),
    (["correct", "J1", "--reason", ""], 4, "entry: reason:"),
    (["correct", "J1", "--reason", "x", "--restated", "change"], 4, "is not FIELD=TEXT"),
    (["correct", "J1", "--reason", "x", "--bars", "tps"], 4, "entry: bars: unknown field"),
    (["amend", "J1", "--reason", "x", "--restated", "a=b"], 4, "entry: restated: unknown field"),
    (["retract", "J1", "--reason", "x", "--replacement", "J2"], 4, "replacement: unknown field"),
    (["supersede", "J1", "--reason", "x", "--replacement", "J9"], 4, "no entry is called 'J9'"),
    (["correct", "--binary", "sha256:12", "--reason", "x"], 4, "sha256:12"),
    (["correct", "--binary", "sha256:" + "0" * 64, "--reason", "x"], 4, "no run on record has"),
    (["supersede", "--cell", "c", "--commit", "d", "--reason", "x"], 4, "has commit d, cell c;"),
    (["supersede", "--window", "w", "--reason", "x"], 4, "no run on record has window w;"),
    (["supersede", "J1", "--window", "w", "--reason", "x"], 4, "no run on record has window w;"),
    (["correct", "0", "--reason", "x"], 4, "entry 0 is GENESIS"),
    (["key", "enrol", "nowhere.pub", "--role", "runner"], 4, "nowhere.pub does not exist"),
    (["key", "enrol", "evidence.yaml", "--role", "runner"], 4, "is not a public key line"),
    (["key", "retire", "SHA256:" + "A" * 43, "--reason", "x"], 4, "does not exist"),
    (["contract", "--from", "nowhere.yaml"], 4, "nowhere.yaml: the YAML file does not exist"),
    (["contract"], 2, "Missing option '--from'"),
    (["list", "--last", "0"], 2, "0 is not in the range x>=1"),
    (["list", "--last", "x"], 2, "is not a valid integer"),
    (["search"], 2, "Missing argument"),
    (["search", ""], 2, "give at least one word to search for"),
    (["show"], 2, "Missing argument"),
    (["show", "J9"], 4, "no entry is called 'J9'; `ledger list` shows what there is"),
    (["show", "\udcff"], 4, "no entry is called"),
    (["nonsense"], 2, "No such command"),
]


@pytest.mark.parametrize(("words", "code", "sentence"), CORRECTING)
def test_bad_arguments_of_the_other_verbs_are_refused(founded, words, code, sentence):
    found, said = refused(founded, *words)
    assert (found, sentence in said) == (code, True), said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("title: c\nrules: [needs-luck]\n", "draft.yaml:2:"),
        ("title: c\ngates: [{name: g, metric: tps, comparison: about, threshold: 3}]\n", ":2:"),
        ("title: c\nretires: [J9]\n", "no entry is called 'J9'"),
        ("title: c\nretires: [J1]\n", "entry 3 is no CONTRACT; only those are retired"),
        ("title: c\nfollows: J9\n", "no entry is called 'J9'"),
        ("title: c\nkind: LOCK\nstate: open\n", "draft.yaml:2:1: kind is the ledger's to say"),
        ("title: c\nindex: 3\n", "draft.yaml:2:1: index is the ledger's to say"),
        ("- c\n", "draft.yaml:1:1: an entry is a mapping of fields"),
        ("title: c\ngates: [{name: g, metric: t, comparison: '>=', threshold: 1e3}]\n", ":2:"),
    ],
)
def test_a_bad_contract_is_refused_with_its_place(founded, text, sentence):
    (founded.root / "draft.yaml").write_text(text)
    code, said = refused(founded, "contract", "--from", "draft.yaml")
    assert (code, sentence in said) == (4, True), said


@pytest.mark.parametrize(
    "fields",
    [
        {"gate": [{"name": "g", "result": "pass", "contract": "J1"}]},
        {"gate": [{"name": "g", "result": "pass", "contract": "e" * 64}]},
        {"kind": "CONTRACT", "retires": ["J1"]},
        {"kind": "CONTRACT", "retires": ["e" * 64]},
        {"kind": "CONTRACT", "follows": "e" * 64},
    ],
)
def test_ent_11_contracts_that_are_none_are_refused_and_found_when_forced_in(founded, fields):
    refused_and_found(founded, fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"answers": "J1"},
        {"answers": "e" * 64},
        {"rests_on": ["e" * 64]},
        {"rests_on": ["J1", "e" * 64]},
    ],
)
def test_ent_12_references_that_lead_nowhere_are_refused_and_found_when_forced_in(founded, fields):
    refused_and_found(founded, fields)


def refused_and_found(founded, fields):
    """Have the writer refuse an entry, force it in, and have `ledger verify` name it."""
    fields = json.loads(json.dumps(fields).replace('"J1"', f'"{founded.entry(3).id}"'))
    with pytest.raises(Error):
        founded.append(**fields)
    assert founded.invoke("verify").exit_code == 0
    forced = founded.force(**fields)
    result = founded.invoke("verify")
    assert (result.exit_code, f"entry {forced}: " in result.stdout) == (1, True)


def test_a_key_behind_a_symbolic_link_is_refused(founded):
    link = founded.home / "link"
    link.symlink_to(founded.key_file("engineer"))
    code, said = refused(founded, "add", "--title", "x", "--key", link)
    assert (code, said) == (4, f"ledger: key {link} is a symbolic link; name the file itself")


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o610])
def test_a_key_that_others_can_read_is_refused_with_the_remedy(founded, mode):
    file = founded.key_file("engineer")
    file.chmod(mode)
    code, said = refused(founded, "add", "--title", "x", "--key", file)
    assert (code, said) == (
        4,
        f"ledger: key {file} can be read by others; run: chmod 600 {file}",
    )


@pytest.mark.parametrize("text", ["", "not a key", "-----BEGIN OPENSSH PRIVATE KEY-----\n"])
def test_a_file_that_is_no_key_is_refused(founded, text):
    file = founded.home / "bad"
    file.write_text(text)
    file.chmod(0o600)
    code, said = refused(founded, "add", "--title", "x", "--key", file)
    assert (code, f"key {file} cannot be read" in said) == (4, True)


def editor(founded, monkeypatch, body):
    """Make `$EDITOR` a script that does `body` to the draft, whose path is $1."""
    script = founded.home / "editor.sh"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(stat.S_IRWXU)
    monkeypatch.setenv("EDITOR", str(script))


def test_a_draft_that_nobody_touched_is_not_appended(founded, monkeypatch):
    monkeypatch.setenv("EDITOR", "true")
    code, said = refused(founded, "add")
    assert (code, said) == (4, "ledger: the draft was left as it was; nothing was appended")


def test_an_empty_draft_is_not_appended(founded, monkeypatch):
    editor(founded, monkeypatch, ': > "$1"')
    code, said = refused(founded, "add")
    assert (code, said) == (4, "ledger: the draft was left as it was; nothing was appended")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("title: x\\nsurprise: y", "draft:2:1: entry: surprise: unknown field"),
        ("title: [", "draft:"),
        ("title: x\\nlabel: J1", "the label 'J1' is taken by entry 3"),
        ("title: x\\nevidence: [receipt://nobody]", "no run in this ledger is called 'nobody'"),
    ],
)
def test_a_draft_that_fails_is_kept_and_named(founded, monkeypatch, line, sentence):
    editor(founded, monkeypatch, f"printf '{line}\\n' > \"$1\"")
    code, said = refused(founded, "add")
    assert (code, sentence in said) == (4, True), said
    said, _, kept = said.partition("; the draft is kept: ledger add --from ")
    assert Path(kept).read_text() == line.encode().decode("unicode_escape") + "\n"
    assert Path(kept).parent.stat().st_mode & 0o077 == 0


def test_a_kept_draft_can_be_mended_and_appended(founded, monkeypatch):
    editor(founded, monkeypatch, "printf 'title: x\\nlabel: J1\\n' > \"$1\"")
    _, said = refused(founded, "add")
    kept = said.rpartition(" ")[2]
    Path(kept).write_text("title: x\nlabel: J9\n")
    assert founded.invoke("add", "--from", kept).exit_code == 0
    assert founded.invoke("show", "J9").exit_code == 0


def test_a_draft_from_the_editor_is_appended(founded, monkeypatch):
    editor(founded, monkeypatch, "printf 'title: from the editor\\n' > \"$1\"")
    assert founded.invoke("add").exit_code == 0
    assert founded.entry(15).body.title == "from the editor"


def test_the_limit_is_told_before_the_editor_opens(founded, monkeypatch):
    editor(founded, monkeypatch, f'cp "$1" {founded.home}/seen')
    refused(founded, "add")
    assert f"{MAX_BODY:,} bytes" in (founded.home / "seen").read_text()


def test_through_the_program_an_error_is_one_line_and_no_traceback(founded):
    for words, code in (
        (("add", "--title", "x", "--label", "J1"), 4),
        (("add", "--nonsense"), 2),
        (("show", "J9"), 4),
    ):
        done = founded.process(*words)
        assert (done.returncode, done.stdout) == (code, "")
        assert "Traceback" not in done.stderr
        assert code == 2 or len(done.stderr.splitlines()) == 1


def test_without_evidence_yaml_every_verb_says_where_it_looked(founded, tmp_path, monkeypatch):
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    for words in (["add", "--title", "x"], ["list"], ["verify"], ["show", "0"], ["checkpoint"]):
        result = founded.invoke(*words)
        assert (result.exit_code, result.stdout) == (4, "")
        assert result.stderr == (
            f"ledger: no evidence.yaml here or above {empty}; `ledger init` makes one\n"
        )
