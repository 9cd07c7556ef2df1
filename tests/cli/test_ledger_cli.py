"""Every verb of `ledger` as a person uses it, as text and as JSON."""

import json

import pytest


def told(founded, *words, stdin=None):
    """Run a verb twice over, as text and as JSON; return both."""
    result = founded.invoke(*words, "--json", stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def test_a_day_with_a_ledger(founded):
    steps = [
        ["add", "--title", "a hypothesis", "--label", "H1", "--hypothesis", "smaller is faster"],
        ["add", "--title", "it was", "--answers", "H1", "--verdict", "pass: 4 % faster"],
        ["correct", "16", "--reason", "a typo", "--restated", "verdict=3 % faster"],
        ["amend", "16", "--reason", "only on this host", "--bars", "ttft"],
        ["supersede", "16", "--reason", "measured again", "--replacement", "H1"],
        ["retract", "19", "--reason", "it was not measured again"],
    ]
    for number, words in enumerate(steps, 15):
        value = told(founded, *words)
        assert value["index"] == number
        assert value["status"] == ("open" if number == 15 else "standing")
    shown = told(founded, "show", "16")
    assert shown["status"] == "amended"
    assert [effect["word"] for effect in shown["effects"]] == ["corrected", "amended"]
    assert founded.invoke("verify").exit_code == 0


def test_what_add_prints_as_text_and_as_json_is_the_same_entry(founded):
    text = founded.invoke("add", "--title", "one", "--label", "A1").stdout
    entry = founded.entry(15)
    assert text == f"appended entry 15 A1 (ENTRY, {entry.id[:16]}…): one\n"
    value = told(founded, "add", "--title", "two")
    entry = founded.entry(16)
    assert value == {
        "index": 16,
        "id": entry.id,
        "kind": "ENTRY",
        "at": entry.body.at,
        "title": "two",
        "status": "open",
    }


def test_every_option_of_add_ends_in_its_field(founded):
    (founded.root / "long.txt").write_text("long text\n")
    options = {
        "hypothesis": "h",
        "change": "c",
        "expected": "+5 %",
        "plan": "sha256:" + "1" * 64,
        "commit": "0a1b2c3",
    }
    words = [word for name, text in options.items() for word in (f"--{name}", text)]
    gates = ["--gate", "exactness=pass", "--gate", "floor=not-run"]
    founded.invoke("add", "--title", "t", "--label", "A1", "--notes", "long.txt", *gates, *words)
    body = founded.entry(15).body.plain()
    assert {name: body[name] for name in options} == options
    assert body["gate"] == [
        {"name": "exactness", "result": "pass"},
        {"name": "floor", "result": "not-run"},
    ]
    digest = body["notes"].removeprefix("sha256:")
    stored = founded.root / "evidence" / "objects" / digest[:2] / digest
    assert stored.read_text() == "long text\n"


def test_yaml_from_a_file_or_from_stdin_gives_the_same_body(founded):
    text = (
        "title: t\nchange: 33.50\ngate: [exactness=pass]\nverdict: 'miss: slower'\nscope: {n: 3}\n"
    )
    (founded.root / "entry.yaml").write_text(text)
    told(founded, "add", "--from", "entry.yaml")
    told(founded, "add", "--from", "-", stdin=text)
    told(founded, "add", "--from", "entry.yaml", "--title", "said twice")
    first, second, third = (founded.entry(index).body.plain() for index in (15, 16, 17))
    place = ("index", "prev", "at", "title")
    assert [{k: v for k, v in body.items() if k not in place} for body in (second, third)] == [
        {k: v for k, v in first.items() if k not in place}
    ] * 2
    assert (first["change"], first["verdict"]) == (
        "33.50",
        {"outcome": "miss", "sentence": "slower"},
    )
    assert third["title"] == "said twice"


def test_a_contract_is_read_from_yaml(founded):
    (founded.root / "contract.yaml").write_text(
        "title: gates of the release\nrules: [needs-anchor]\n"
        "gates:\n- {name: speed, metric: tps, comparison: '>=', threshold: 30.0}\n"
    )
    value = told(founded, "contract", "--from", "contract.yaml")
    assert value["kind"] == "CONTRACT"
    assert founded.entry(15).body.gates[0].threshold == "30.0"


def test_list_as_text_and_as_json_has_the_same_rows(founded):
    rows = told(founded, "list")
    lines = founded.invoke("list").stdout.splitlines()
    assert len(rows) == len(lines) - 1 == 15
    for row, line in zip(rows, lines[1:], strict=True):
        assert line.split()[:3] == [str(row["index"]), row["id"][:12], row["kind"]]
        assert row["title"] in line
        assert row["status"] in line
    assert {row["status"] for row in rows} == {"standing", "corrected", "open"}
    assert [row["index"] for row in told(founded, "list", "--last", "3")] == [12, 13, 14]
    assert [row["index"] for row in told(founded, "list", "--kind", "entry")] == [3, 4, 9]
    assert [row["index"] for row in told(founded, "list", "--kind", "ENTRY", "--last", "1")] == [9]
    assert told(founded, "list", "--kind", "AUDIT") == []


@pytest.mark.parametrize("reference", [str(index) for index in range(15)])
def test_show_as_text_and_as_json_tells_the_same_entry(founded, reference):
    value = told(founded, "show", reference)
    text = founded.invoke("show", reference).stdout
    entry = founded.entry(int(reference))
    assert value["id"] == entry.id
    for said in (value["id"], value["title"], value["kind"], value["at"], value["signed_by"]):
        assert said in text
    for effect in value["effects"]:
        assert f"!! {effect['banner']}\n" in text
    for name in value["body"]:
        assert f"\n  {name}:" in text


def test_search_as_json_has_the_rows_of_the_text(founded):
    rows = told(founded, "search", "smaller")
    text = founded.invoke("search", "smaller").stdout
    assert [row["index"] for row in rows] == [3, 4]
    assert all(f"{row['index']}  {row['kind']}  {row['title']}\n" in text for row in rows)
    assert all(row["snippet"] in text for row in rows)
    assert told(founded, "search", "nobodysaidthis") == []


def test_the_other_verbs_speak_json(founded):
    public = founded.home / "k.pub"
    public.write_text(founded.keys["stranger"].public.openssh)
    assert told(founded, "key", "enrol", public, "--role", "engineer")["kind"] == "KEY"
    assert told(founded, "key", "retire", public, "--reason", "r")["index"] == 16
    assert told(founded, "key", "enrol", public, "--role", "engineer")["index"] == 17
    assert told(founded, "key", "revoke", public, "--reason", "r")["index"] == 18
    assert len(told(founded, "key", "list")) == 7
    value = told(founded, "init")
    assert value["made"] == []
    assert value["genesis"] == founded.entry(0).id
    assert told(founded, "verify")["entries"] == 19


def test_checkpoint_prints_the_signed_note_and_never_replaces_a_file(founded):
    signed = founded.rows()["checkpoint"][-1][1]
    assert founded.invoke("checkpoint").stdout == signed
    file = founded.root / "kept.txt"
    assert founded.invoke("checkpoint", "--output", file).exit_code == 0
    assert file.read_text() == signed
    founded.append()
    result = founded.invoke("checkpoint", "--output", file)
    assert result.exit_code == 4
    assert result.stderr == f"ledger: {file} exists and is not replaced; name another file\n"
    assert file.read_text() == signed


def test_every_verb_has_help_and_the_version_is_told(founded):
    for words in ([], ["add"], ["key"], ["key", "enrol"], ["verify"], ["show"]):
        result = founded.invoke(*words, "--help")
        assert result.exit_code == 0
        assert result.stdout.startswith("Usage: ")
    assert founded.invoke("--version").exit_code == 0


def test_labels_are_offered_for_completion(founded):
    from ledger.cli import _complete_reference

    assert _complete_reference(None, None, "J") == ["J1", "J2", "J3"]
    assert _complete_reference(None, None, "J2") == ["J2"]
    founded.path.unlink()
    assert _complete_reference(None, None, "J") == []


def test_verify_shows_no_progress_in_a_pipe_and_the_exit_code_is_that_of_the_answer(founded):
    done = founded.process("verify")
    assert (done.returncode, done.stderr) == (0, "")
    founded.head_file.unlink()
    assert founded.process("verify").returncode == 3
    founded.harm("DELETE FROM entry WHERE idx = 3")
    assert founded.process("verify").returncode == 1


def test_a_reader_that_closes_its_pipe_early_ends_the_program_quietly(founded):
    done = founded.process("list", stdout=-3, stderr=-3, capture_output=False)
    assert done.returncode == 0
