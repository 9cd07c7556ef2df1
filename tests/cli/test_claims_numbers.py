"""`claims numbers`: what it prints of which page, with which exit code, and what it imports."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from claims.cli import claims

PAGE = "We reach **1.05×**<!--claim:C16--> and −3 % on GB10 ([log](https://a.example/7)).\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return an empty working directory without a project around it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return CliRunner().invoke(claims, ["numbers", *map(str, words)])


def test_num_2_and_num_3_json_has_exactly_the_promised_fields(folder):
    (folder / "a.md").write_text(PAGE, encoding="utf-8")
    result = run("a.md", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "numbers": [
            {"line": 1, "column": 12, "text": "1.05", "class": "bound"},
            {"line": 1, "column": 30, "text": "16", "class": "excluded", "rule": "html-comment"},
            {"line": 1, "column": 41, "text": "3", "sign": "−", "class": "unbound"},
            {"line": 1, "column": 50, "text": "10", "class": "excluded", "rule": "identifier"},
            {"line": 1, "column": 78, "text": "7", "class": "excluded", "rule": "link-target"},
        ]
    }


def test_several_files_are_a_list_with_their_names(folder):
    for name in ("a.md", "b.md"):
        (folder / name).write_text("3 ms\n", encoding="utf-8")
    told = json.loads(run("a.md", "b.md", "--json").stdout)
    assert [(one["file"], len(one["numbers"])) for one in told] == [("a.md", 1), ("b.md", 1)]


def test_text_shows_place_number_class_rule_and_denominators(folder):
    (folder / "a.md").write_text(PAGE, encoding="utf-8")
    lines = run("a.md").stdout.splitlines()
    assert lines[0].split()[:3] == ["a.md:1:12", "1.05", "bound"]
    assert [line.split()[2] for line in lines[:-1]] == [
        "bound",
        "excluded",
        "unbound",
        "excluded",
        "excluded",
    ]
    assert lines[-1] == "a.md: 5 numbers: 1 bound, 3 excluded, 1 unbound"
    only = run("a.md", "--class", "unbound").stdout.splitlines()
    assert [line.split()[1] for line in only] == ["−3", "5"]


def test_a_page_without_numbers_says_so(folder):
    (folder / "a.md").write_text("text\n", encoding="utf-8")
    assert run("a.md").stdout == "a.md: 0 numbers: none\n"
    assert json.loads(run("a.md", "--json").stdout) == {"numbers": []}


@pytest.mark.parametrize(
    ("data", "words", "code", "told"),
    [
        (None, ("a.md",), 4, "a.md"),
        (b"ok\n3 \xff ms\n", ("a.md",), 4, "a.md:2: not UTF-8 text at byte 5"),
        (b"x" * (16 * 1024 * 1024 + 1), ("a.md",), 4, "a.md: page of 16777217 characters"),
        (b"3\n", ("a.md", "--class", "other"), 2, "'other' is none of bound"),
        (b"3\n", (), 2, "Missing argument"),
    ],
)
def test_num_5_what_cannot_be_read_is_one_line_and_its_exit_code(folder, data, words, code, told):
    if data is not None:
        (folder / "a.md").write_bytes(data)
    result = run(*words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_names_of_the_project_are_excluded(folder):
    (folder / "evidence.yaml").write_text("origin: a.example/x\nvocabulary: [names.yaml]\n")
    (folder / "names.yaml").write_text("hardware-name: [Rubin 144]\nidentifier: [lane 7]\n")
    (folder / "a.md").write_text("On Rubin 144 in lane 7 with 144 GB.\n")
    told = json.loads(run("a.md", "--json").stdout)["numbers"]
    assert [one.get("rule") for one in told] == ["hardware-name", "identifier", None]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("colour: [Red 5]\n", "names.yaml:1:1: 'colour' takes no names; these do: file-name,"),
        ("label: Red 5\n", "names.yaml:1:1: label is not a list of names"),
        ("label: [Red]\n", "names.yaml:1:9: 'Red' is no name of letters and digits"),
        ("label: ['5']\n", "names.yaml:1:9: '5' is no name of letters and digits"),
        ("- Red 5\n", "a vocabulary maps exclusions to lists of names"),
    ],
)
def test_a_vocabulary_that_would_exclude_too_much_is_refused(folder, names, told):
    (folder / "evidence.yaml").write_text("origin: a.example/x\nvocabulary: [names.yaml]\n")
    (folder / "names.yaml").write_text(names)
    (folder / "a.md").write_text("3 ms\n")
    result = run("a.md")
    assert (result.exit_code, result.stdout) == (4, "")
    assert told in result.stderr


def test_without_a_project_nothing_heavy_is_imported(folder):
    (folder / "a.md").write_text(PAGE, encoding="utf-8")
    program = (
        "import sys\nfrom claims.cli import claims\n"
        "claims(['numbers', 'a.md', '--json'], standalone_mode=False)\n"
        "heavy = {'numpy', 'pydantic', 'sqlite_utils', 'ruamel', 'ruamel.yaml', 'sqlite3',"
        " 'cryptography', 'jinja2'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1] == "[]", done.stderr


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("It hits ⁶¹ tok/s.\n", ["⁶¹"]),
        ("It hits ٦١٫٧ tok/s, in ٦.\n", ["٦١٫٧", "٦"]),
        ("It hits &#1633;&#1634; tok/s.\n", ["&#1633;"]),
        ("It hits &#51;5 tok/s.\n", ["35"]),
        ("It hits 2\u206035.16 tok/s.\n", ["2"]),
        ("It takes ⅕ ms.\n", ["⅕"]),
        ("61. tok/s is what it hits.\n", ["61"]),
    ],
)
def test_num_4_numbers_that_no_search_for_digits_finds_are_lost(folder, page, texts):
    (folder / "a.md").write_text(page, encoding="utf-8")
    result = run("a.md", "--json")
    told = json.loads(result.stdout)["numbers"]
    lost = [one for one in told if one.get("rule") == "lost"]
    assert [one["text"] for one in lost] == texts
    assert {one["class"] for one in lost} == {"unbound"}
    assert result.exit_code == 1


@pytest.mark.parametrize("page", ["10⁶ tokens.\n", "A note¹ on ms.\n", "1. tok/s\n2. ms\n"])
def test_marks_powers_and_lists_are_not_lost(folder, page):
    (folder / "a.md").write_text(page, encoding="utf-8")
    assert run("a.md").exit_code == 0


def classes(publisher, page, *words):
    (publisher.root / "a.md").write_text(page, encoding="utf-8")
    result = publisher.claims("numbers", "a.md", "--json", *words)
    return [(one["text"], one["class"]) for one in json.loads(result.stdout)["numbers"]]


SAID = "At 512 it reaches 164 tok/s<!--claim:prefill--> in 3 runs, of 77 here.\n"


def test_beside_a_register_scope_is_told_as_the_check_tells_them(publisher):
    publisher.publish(publisher.level)
    page = f"# Depth\n\nWith n_ubatch = 512 it is so. {SAID}"
    told = classes(publisher, page)
    checked = json.loads(publisher.claims("check", "a.md", "--json").stdout)["pages"][0]
    for klass in ("bound", "scope", "unbound"):
        assert sum(one[1] == klass for one in told) == checked[klass], klass
    assert ("3", "scope") in told
    assert ("77", "unbound") in told


def test_a_number_in_a_notice_is_noticed(publisher):
    publisher.publish(publisher.level)
    page = publisher.root / "README.md"
    page.write_text("It reaches 164 tok/s<!--claim:prefill--> in 3 runs.\n")
    assert publisher.ledger("retract", "CELLS", "--reason", "the fan had stopped").exit_code == 0
    assert publisher.claims("affected", "CELLS", "--write").exit_code == 0
    assert ("164", "noticed") in classes(publisher, page.read_text())


def test_without_a_readable_register_a_note_says_why_and_the_page_is_listed_all_the_same(publisher):
    publisher.publish(publisher.level)
    (publisher.root / "claims.yaml").unlink()
    (publisher.root / "a.md").write_text(SAID, encoding="utf-8")
    result = publisher.claims("numbers", "a.md")
    assert result.exit_code == 0
    assert "164" in result.stdout
    assert "claims.yaml" in result.stderr


def test_a_page_without_markers_needs_no_register(publisher):
    (publisher.root / "claims.yaml").write_text("claims: [\n")
    (publisher.root / "a.md").write_text("It reaches 3 ms.\n", encoding="utf-8")
    result = publisher.claims("numbers", "a.md")
    assert (result.exit_code, result.stderr) == (0, "")
