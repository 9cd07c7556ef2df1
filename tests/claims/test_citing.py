"""Citations against a real ledger, real receipts and real files: resolved, or refused by name."""

import os
import time

import pytest

from claims import desk
from claims.citing import citations, files, quotations, sections
from claims.judging.chain import RefusedError
from claims.pages import document
from tests.fixtures import chapter

SENTENCE = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."


@pytest.fixture(scope="module")
def cited(shared_publisher):
    """Return a function that checks a page in the chapter's workspace: (code, line:column)."""
    text = chapter.write(shared_publisher)
    with desk.open_desk(lambda _: None) as here:
        resolver = here.resolver()

        def check(page):
            done = resolver.check("page.md", document.parse(page))
            return [(r.code, (r.place or "").partition(":")[2]) for r in done.refusals], done

        check.text = text
        yield check


def test_every_citation_of_the_chapter_resolves(cited):
    refused, done = cited(cited.text)
    assert refused == []
    assert done.resolved == len(done.citations) == 32


def _quoted_words(text):
    """Yield every quotation that is looked up, and each of its words, as offsets of the page."""
    page = document.parse(text)
    for found in citations.find(page):
        for quote in (*found.inside, *filter(None, (found.before,))):
            start, end = quote.span
            position = start
            for word in text[start:end].split():
                position = text.index(word, position)
                yield position, word
                position += len(word)


def test_one_altered_quoted_word_is_exactly_one_error(cited):
    """Each word of each quotation in turn: its middle letter or digit is another one."""
    altered = 0
    for position, word in sorted(set(_quoted_words(cited.text))):
        letters = [n for n, letter in enumerate(word) if letter.isalnum()]
        if not letters:
            continue
        at = position + letters[len(letters) // 2]
        other = "7" if cited.text[at] != "7" else "8"
        refused, _ = cited(cited.text[:at] + other + cited.text[at + 1 :])
        assert [code for code, _ in refused] in (["CLM704"], ["CLM701"]), word
        altered += 1
    assert altered > 45


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("So it was [ledger J3].", []),
        ("So it was [ledger J4].", [("CLM701", "1:11")]),
        ("So it was [ledger J3, step 4].", []),
        ("So it was [ledger J3, step 2].", []),
        ("So it was [ledger J3, step 9].", [("CLM704", "1:11")]),
        ("So it was [ledger J3, 1999-01-01].", [("CLM704", "1:11")]),
        ("So it was [ledger J3, 99.5 tok/s].", [("CLM704", "1:11")]),
        ("So it was [ledger K0, L2, Z9].", [("CLM701", "1:11")]),
        ("So it was [ledger Prefix reuse].", []),
        ("So it was [ledger P1.3 prefix reuse].", []),
        ('So it was [ledger "Prefix reuse"].', []),
        ('So it was [ledger "Prefix re"].', [("CLM701", "1:11")]),
        ("So it was [ledger …].", [("CLM706", "1:11")]),
        ('So it was [ledger "Prefix reuse].', [("CLM706", "1:11")]),
        ("So it was [ledger 0].", []),
        ("So it was [ledger 5000].", [("CLM701", "1:11")]),
        ("A sentence of the [ledger] and of [1], [see below], [x] and [llama.cpp].", []),
        ("As “busy time” [ledger J3] says.", []),
        ("As “busy line” [ledger J3], and [ledger L2] says.", [("CLM704", "1:4")]),
        ("As “busy line” [ledger J3] says.", [("CLM704", "1:4")]),
        ("As “busy line” [ledger J9] says.", [("CLM701", "1:16")]),
        ("As “a held lease was never taken twice” [ledger J3] [ledger L2] says.", []),
        ("As “the only honest denominator” for rates [ledger J3] says.", []),
        ("As “the only honest numerator” for rates [ledger J3] says.", [("CLM704", "1:4")]),
        ("The “best” row of the matrix is in [ledger J3].", []),
        ("They “won” [ledger J3].", [("CLM704", "1:6")]),
        ("So `[ledger J9]` is how it is written.", []),
        ("So [`ledger J3`] is one.", []),
        ("So \\[ledger J9\\] is one.", [("CLM701", "1:5")]),
        ("So [ledger J9](x.md) is a link.", [("CLM701", "1:4")]),
        ("The [ledger format](x.md) is a link.", []),
        ("The [claims register](x.md) and [receipts](y.md) too.", []),
        ("So it is [claims #prefill].", []),
        ("So it is [claims #prefill, #2].", []),
        ("So it is [claims #3].", [("CLM701", "1:10")]),
        ("So it is [claims #].", [("CLM706", "1:10")]),
        ("“Prefill reaches 163.77 tok/s” [claims #prefill].", []),
        ("“Prefill reaches 164.77 tok/s” [claims #prefill].", [("CLM704", "1:1")]),
        ("It lies in [receipt cells].", []),
        ("It lies in [receipt cells-9].", [("CLM701", "1:12")]),
        ("It lies in receipt://cells-9, not here.", [("CLM701", "1:12")]),
        ("It lies in receipt://sha256:12, not here.", [("CLM706", "1:12")]),
        ("It lies in `receipt://cells-9`.", [("CLM701", "1:12")]),
        ("It lies in `receipt://NAME` or `receipt://…`.", []),
        ("It lies in [receipt exact/plain/7].", [("CLM701", "1:12")]),
        ("It lies in [receipt exact/plain/].", []),
        ("It lies in [receipt matrix-20260819/other.json].", [("CLM701", "1:12")]),
        ('It lies in [receipt cells, "n_ubatch 1024"].', [("CLM704", "1:12")]),
        ('It lies in [receipt cells, "GPU of the test"].', []),
        ("See [benches/decode.log:133].", []),
        ('See [benches/decode.log:133 "133.5 tok/s"].', []),
        ('See [benches/decode.log:133 "33.5 tok/s"].', [("CLM704", "1:5")]),
        ('See [benches/decode.log:132 "133.5 tok/s"].', [("CLM704", "1:5")]),
        ('See [benches/decode.log:130-135 "133.5 tok/s"].', []),
        ("See [benches/decode.log:161].", [("CLM701", "1:5")]),
        ("See [benches/decode.log:0].", [("CLM706", "1:5")]),
        ("See [benches/decode.log:9-3].", [("CLM706", "1:5")]),
        ("See [benches/decode.log:nine].", [("CLM706", "1:5")]),
        ("See [benches/other.log:3].", [("CLM701", "1:5")]),
        ("See [benches/decode.log#L10-L12].", []),
        ("See [other.log] or other/place.log:33, of another project.", []),
        ('See benches/decode.log:133 "133.5 tok/s" there.', []),
        ('See benches/decode.log:133 "133.6 tok/s" there.', [("CLM704", "1:5")]),
        ('See benches/other.log:133 "133.5 tok/s" there.', [("CLM701", "1:5")]),
        ("See [docs/method.md §Warm-up].", []),
        ("See [docs/method.md §1].", []),
        ("See [docs/method.md §1. Warm-up].", []),
        ("See [docs/method.md §Order of].", []),
        ("See [docs/method.md §Cool-down].", [("CLM701", "1:5")]),
        ("See [docs/method.md §].", [("CLM706", "1:5")]),
        ("See [method §Notes] and [doc §Here].\n\n# Here\n", []),
        ("See [manual §Notes].", [("CLM701", "1:5")]),
        ("“never timed” [docs/method.md §1].", []),
        ("“never timed” [docs/method.md §2].", [("CLM704", "1:1")]),
        ("“do not differ” [docs/method.md §1].", []),
        ("See [../../secret.txt:1].", [("CLM705", "1:5")]),
        ("See [docs/../../../secret.txt:1].", [("CLM705", "1:5")]),
        ("See [/etc/passwd:1].", [("CLM705", "1:5")]),
        ("See [~/secret.txt:1].", [("CLM705", "1:5")]),
        ("See [docs/../benches/decode.log:1].", []),
        ("| a |\n|---|\n| \\| [ledger J9] |", [("CLM701", "3:6")]),
        ("> - x\n>   [ledger J9]", [("CLM701", "2:5")]),
        ("a\r\nb [ledger\r\nJ9]", [("CLM701", "2:3")]),
        ("“busy\ntime” [ledger J3] &quot;busy line&quot; [ledger J3]", [("CLM704", "2:19")]),
    ],
)
def test_a_citation_resolves_or_is_refused_by_one_code_at_its_place(cited, text, wanted):
    """CIT-1, CIT-2 and CIT-3."""
    assert cited(f"{text}\n")[0] == wanted


# --- what no longer stands ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("retract", "CELLS", "--reason", "a wrong clock"), "retracted"),
        (
            ("supersede", "CELLS", "--replacement", "STEADY", "--reason", "rerun"),
            "superseded",
        ),
    ],
)
def test_a_struck_entry_is_cited_only_by_a_sentence_that_says_so(publisher, words, told):
    """CIT-4."""
    publisher.write()
    page = "So it was [ledger CELLS]. That stood\nin [ledger STEADY].\n"
    assert publisher.check(page).exit_code == 0
    assert publisher.ledger(*words).exit_code == 0
    lines = publisher.check(page).stdout.splitlines()
    assert lines[0].startswith(f"page.md:1:11: CLM703 citation-struck: entry CELLS is {told} by")
    assert publisher.check(f"So it was [ledger CELLS], {told} since.\n").exit_code == 0
    assert publisher.check(f"So it was [ledger CELLS]. What is {told}?\n").exit_code == 1


def test_a_correction_of_an_entry_leaves_it_citable_in_old_and_new_words(publisher):
    publisher.write()
    publisher.experiment("J9", change="batch 512")
    said = ("--restated", "change=batch 256", "--reason", "a slip")
    assert publisher.ledger("correct", "J9", *said).exit_code == 0
    for words in ("batch 256", "batch 512"):
        assert publisher.check(f"It ran with “{words}” [ledger J9].\n").exit_code == 0


def test_a_struck_run_and_what_a_revoked_key_signed_are_refused(publisher):
    publisher.write()
    run = publisher.uri("steady")
    with publisher.open() as ledger:
        index = ledger.index.find("run", run)[0]
        target = ledger.entry(index).id
    fields = {"reason": "a tainted host", "title": "struck"}
    publisher.append(kind="RETRACTION", targets=[target], **fields)
    assert "receipt steady is retracted" in publisher.check("See [receipt steady].\n").stdout
    line = publisher.keys["engineer"].public.openssh
    publisher.append("engineer", kind="ENTRY", label="E1", lesson="one")
    assert publisher.check("See [ledger E1].\n").exit_code == 0
    with publisher.open() as ledger:
        since = ledger.size - 1
    ended = {"action": "revoke", "key": line, "since": since, "reason": "lost", "title": "lost"}
    publisher.append(kind="KEY", **ended)
    assert "CLM703 citation-struck: entry E1 is contested" in (
        publisher.check("See [ledger E1].\n").stdout
    )


def test_a_claim_whose_evidence_fell_is_not_cited(publisher):
    publisher.publish(publisher.level)
    assert publisher.check("See [claims #prefill].\n").exit_code == 0
    publisher.ledger("retract", "CELLS", "--reason", "wrong")
    assert "CLM703 citation-struck: claim prefill" in (
        publisher.check("See [claims #prefill].\n").stdout
    )


def test_nothing_is_resolved_in_a_ledger_that_does_not_verify(publisher):
    """CIT-5."""
    publisher.publish(publisher.level)
    publisher.flip_row(5, 200)
    result = publisher.check("See [ledger J3] and [docs/none.md:3].\n", "--format", "concise")
    assert [line.split()[1] for line in result.stdout.splitlines()[:2]] == ["CLM301", "CLM701"]


def test_a_receipt_that_is_gone_or_altered_is_refused_and_one_withheld_file_is_read_around(
    publisher,
):
    publisher.write()
    uri = publisher.uri("steady")
    raw = publisher.raw_of(publisher.receipt("steady"))
    raw.unlink()
    assert publisher.check("See [receipt steady].\n").exit_code == 0
    assert "CLM704" in publisher.check('See [receipt steady/raw "pp2048"].\n').stdout
    path = publisher.file_of(uri)
    publisher.flip(path, 40)
    assert "CLM303" in publisher.check("See [receipt steady].\n").stdout
    path.unlink()
    assert "CLM701" in publisher.check("See [receipt steady].\n").stdout
    assert "CLM701" in publisher.check(f"See [receipt sha256:{'0' * 64}].\n").stdout


def test_two_titles_two_numbers_two_sections_and_two_documents_are_ambiguous(publisher):
    publisher.publish(
        publisher.level, {**publisher.level, "id": "C2"}, {**publisher.level, "id": "D02"}
    )
    for _ in range(2):
        publisher.append(kind="ENTRY", title="Nightly matrix", lesson="again")
    root = publisher.root
    (root / "docs").mkdir()
    (root / "docs" / "a.md").write_text("# One\n\n# One\n")
    (root / "a.md").write_text("# Two\n")
    for text in ('[ledger "Nightly matrix"]', "[claims #2]", "[docs/a.md §One]", "[a §Two]"):
        result = publisher.check(f"See {text}.\n")
        assert "page.md:1:5: CLM702" in result.stdout, text
    assert publisher.check("See [claims #C2] and [a.md §Two].\n").exit_code == 0


# --- files below the root, and no others ----------------------------------------------------------


def refused(code, name, root, folder=None):
    with pytest.raises(RefusedError) as told:
        files.text(files.locate(root, folder or root, name))
    assert told.value.code == code
    return str(told.value)


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (root / "docs" / "a.md").write_text("# A\n")
    (root / "b.md").write_text("# B\n")
    return root


def test_a_path_is_sought_from_the_root_and_then_from_the_page(tree):
    docs = tree / "docs"
    assert files.locate(tree, docs, "b.md") == tree / "b.md"
    assert files.locate(tree, docs, "a.md") == docs / "a.md"
    assert files.locate(tree, docs, "../b.md") == tree / "b.md"
    (docs / "b.md").write_text("# other\n")
    assert files.locate(tree, docs, "b.md") == tree / "b.md"


@pytest.mark.parametrize(
    "name",
    ["../secret.txt", "docs/../../secret.txt", "/etc/hostname", "~/x", "..\\secret.txt", "C:x"],
)
def test_a_path_out_of_the_root_is_refused_whether_or_not_it_exists(tree, name):
    refused("CLM705", name, tree)
    refused("CLM705", name.replace("secret", "nothing"), tree)


def test_links_are_followed_within_the_root_and_never_out_of_it(tree):
    (tree / "inside").symlink_to("docs/a.md")
    (tree / "outside").symlink_to("../secret.txt")
    (tree / "folder").symlink_to("..")
    (tree / "loop").symlink_to("pool")
    (tree / "pool").symlink_to("loop")
    assert files.locate(tree, tree, "inside") == tree / "docs" / "a.md"
    refused("CLM705", "outside", tree)
    refused("CLM705", "folder/secret.txt", tree)
    assert "loop of links" in refused("CLM705", "loop", tree)


def test_no_pipe_folder_or_endless_file_is_read(tree):
    """CIT-7."""
    os.mkfifo(tree / "pipe")
    with (tree / "big.log").open("wb") as file:
        file.truncate(files.MAX_BYTES + 1)
    started = time.monotonic()
    for name in ("pipe", "docs", "big.log", "none.md", "x" * 500, "x" * 200 + "/y"):
        refused("CLM701", name, tree)
    refused("CLM706", "x" * 5000, tree)
    refused("CLM706", "x\x00y", tree)
    assert time.monotonic() - started < 5


def test_a_file_that_is_no_utf_8_is_read_all_the_same(tree):
    (tree / "odd.log").write_bytes(b"one\ntwo \xff 3 ms\n")
    found = files.text(files.locate(tree, tree, "odd.log"))
    assert quotations.stand_in("3 ms", found.part(((2, 2),)))


def test_a_changed_file_is_read_again(tree):
    assert files.text(tree / "b.md").raw == "# B\n"
    (tree / "b.md").write_text("# Bee\n")
    assert files.text(tree / "b.md").raw == "# Bee\n"


# --- quoted words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "stand"),
    [
        ("12.5 tok/s", True),
        ("2.5 tok/s", False),
        ("12.5 tok", True),
        ("12.5 to", False),
        ("12", False),
        ("decode at 12.5 tok/s", True),
        ("Decode  at\n12.5 tok/s.", True),
        ("decode at … twice", True),
        ("decode at ... twice", True),
        ("twice … decode", False),
        ("the only “honest” one", True),
        ('the only "honest" one', True),
        ("a well-known name", True),
        ("a well‑known name", True),
        ("a well known name", False),
        ("snake_case", True),
        ("…", False),
        ("", False),
    ],
)
def test_quoted_words_stand_whole_marks_and_white_space_aside(words, stand):
    text = quotations.plain(
        "*Decode* at **12.5 tok/s**, run twice.\nThe only “honest” one is `snake_case`, "
        "a well-known name."
    )
    assert quotations.stand_in(words, text) is stand


def test_a_section_runs_to_the_next_heading_of_its_level():
    text = sections.find(chapter.METHOD, "Warm-up", "it")
    assert "never timed" in text
    assert "do not differ" in text
    assert "alternate" not in text
    assert "weather" in sections.find(chapter.METHOD, "Notes", "it")


def test_digits_of_a_citation_and_of_its_words_are_no_numbers_of_the_page(publisher):
    """CIT-6. What names nothing is no citation, and its digits count."""
    publisher.write()
    (publisher.root / "run.log").write_text("12.5 tok/s\n")
    text = '“12.5 tok/s” [run.log:1], or [run.log:1 "12.5 tok/s"].\n'
    assert "page.md: 4 numbers: 0 bound, 4 excluded" in publisher.check(text).stdout
    text = "“12.5 tok/s” [llama.cpp], or [12.5 tok/s].\n"
    assert publisher.check(text, "--format", "concise").stdout.count("CLM101") == 2


def test_a_page_of_brackets_is_read_in_bounded_time(cited):
    started = time.process_time()
    for text in (
        "[" * 300_000,
        '["' * 100_000,
        "[ledger “" * 30_000,
        "a+" * 200_000,
        "“" * 300_000,
    ):
        cited(f"{text} [ledger J3]\n")
    assert time.process_time() - started < 20
