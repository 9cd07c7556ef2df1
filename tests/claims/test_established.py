"""Another page is judged by what was established before only where all of that still holds."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from fractions import Fraction

import pytest

from claims.recalling.spelling import Told, UnknownError, read, spelled, text
from claims.registers.model import Claim
from claims.remembering import established as kept
from engine.samples import Column
from tests.bench.checked_pages import VARIANTS, WORDING
from tests.claims import test_answers as answers
from tests.conftest import LEVEL, REPOSITORY, llama_bench

MEMORY = "judged from memory"
SENTENCE = answers.SENTENCE
PAGE = answers.PAGE
OTHER = f"# Prefill\n\n{PAGE}\nIt took 12 ms.\n"


@pytest.fixture
def known(publisher):
    """Return a publisher whose register, ledger and evidence were established by a check."""
    publisher.publish(publisher.level, {**publisher.change, "id": "decode"})
    time.sleep(0.06)
    first = publisher.check(f"{PAGE}\nDecoding is faster.<!--claim:decode-->\n")
    assert MEMORY not in first.stderr
    return publisher


def rows(publisher):
    (path,) = (publisher.home / ".cache" / "evidence-ledger" / "established").glob("*.rows")
    return path


def both_ways(publisher, page, *options):
    """Return how a page is checked as it comes, having seen that the long way says the same."""
    quick = publisher.check(page, *options)
    slow = publisher.claims("check", "page.md", "--fresh", *options)
    assert MEMORY not in slow.stderr
    assert (quick.exit_code, quick.stdout) == (slow.exit_code, slow.stdout)
    return quick


def is_remembered(publisher, page=OTHER):
    return MEMORY in both_ways(publisher, page).stderr


def test_another_page_is_judged_from_memory_and_says_on_which_head_it_rests(known):
    with closing(sqlite3.connect(known.ledger_file)) as database:
        (head,) = database.execute("SELECT id FROM entry ORDER BY idx DESC LIMIT 1").fetchone()
    result = both_ways(known, OTHER)
    assert MEMORY in result.stderr
    assert f"head {head[:16]}" in result.stderr
    assert (result.exit_code, "CLM101" in result.stdout) == (1, True)


@pytest.mark.parametrize("form", ["text", "json", "concise", "sarif", "github", "gitlab", "junit"])
def test_every_format_tells_the_same(known, form):
    assert MEMORY in both_ways(known, OTHER.replace("163.77", "163.78"), "--format", form).stderr


def test_a_number_that_the_claim_does_not_have_is_refused_from_memory_too(known):
    result = both_ways(known, PAGE.replace("163.77", "163.78"))
    assert (MEMORY in result.stderr, "CLM103" in result.stdout) == (True, True)


def test_an_answer_from_memory_is_kept_and_rests_on_all_that_memory_rests_on(known):
    known.check(OTHER)
    again = known.claims("check", "page.md")
    assert answers.AGAIN in again.stderr
    known.flip(known.raw_of(known.receipt("cells")), 10)
    after = known.claims("check", "page.md")
    assert answers.AGAIN not in after.stderr
    assert "CLM303" in after.stdout


def test_a_claim_that_nobody_judged_yet_is_judged_the_long_way_and_then_known(publisher):
    publisher.publish(publisher.level, {**publisher.level, "id": "again"})
    time.sleep(0.06)
    publisher.check(PAGE)
    page = f"{OTHER}\n{SENTENCE}<!--claim:again-->\n"
    assert MEMORY not in publisher.check(page).stderr
    assert is_remembered(publisher, f"{page}\nMore.\n")


def test_the_long_way_is_taken_where_it_is_asked_for(known):
    (known.root / "page.md").write_text(OTHER)
    assert MEMORY not in known.claims("check", "page.md", "--fresh").stderr


def changed_claim(p):
    p.write({**p.level, "wording": p.level["wording"].replace("Prefill", "Prefilling")})


def claim_taken_out(p):
    p.write({**p.level, "id": "another"})


def another_metric(p):
    p.write({**p.level, "metric": "decode_tok_s"})


def superseded(p):
    p.experiment("NEWER", "receipt://steady")
    p.ledger("supersede", "CELLS", "--by", "NEWER", "--reason", "measured again")


def approval_withdrawn(p):
    assert p.claims("withdraw", "prefill", "--reason", "no more").exit_code == 0


def ledger_put_back(p):
    """Put an older ledger back; the head that this person remembers is of the newer one."""
    older = p.ledger_file.read_bytes()
    p.append(kind="ENTRY", label="LATER", hypothesis="more")
    p.ledger_file.write_bytes(older)


def head_forgotten(p):
    for path in (p.home / ".local" / "state" / "evidence-ledger" / "heads").iterdir():
        path.unlink()


def a_number_barred(p):
    p.beside["barred"] = [
        {"value": "163.77", "unit": "tok/s", "reason": "accounting", "note": "counted twice"}
    ]
    p.write(p.level)


def a_policy(p):
    p.beside["policy"] = ["strict"]
    p.write(p.level)


@pytest.mark.parametrize(
    "change",
    [
        answers.appended, answers.retracted, answers.edited_row, answers.edited_raw,
        answers.raw_taken_away, answers.edited_receipt, answers.edited_register,
        answers.edited_configuration, answers.ledger_taken_away, changed_claim, claim_taken_out,
        another_metric, superseded, approval_withdrawn, ledger_put_back, head_forgotten,
        a_number_barred, a_policy,
    ],
)  # fmt: skip
def test_whatever_a_judgement_rests_on_makes_it_be_given_again(known, change):
    change(known)
    assert not is_remembered(known)


def test_a_vocabulary_is_no_page_whatever_it_is_called(publisher):
    (publisher.root / "names.md").write_text("hardware-name: [Rubin 144]\n")
    path = publisher.root / "evidence.yaml"
    path.write_text(path.read_text() + "vocabulary: [names.md]\n")
    publisher.publish(publisher.level)
    time.sleep(0.06)
    publisher.check(PAGE)
    page = f"{PAGE}\nThe Rubin 144 took 12 ms.\n"
    assert is_remembered(publisher, page)
    (publisher.root / "names.md").write_text("hardware-name: [Rubin 145]\n")
    assert not is_remembered(publisher, f"{page}\nMore.\n")


def test_tomorrow_everything_is_judged_again(known, monkeypatch):
    today = time.time
    monkeypatch.setattr(time, "time", lambda: today() + 86400)
    assert MEMORY not in known.check(OTHER).stderr


def cut(path):
    path.write_bytes(path.read_bytes()[:-5000])


def emptied(path):
    path.write_bytes(b"")


def no_database(path):
    path.write_bytes(b"no database at all" * 1000)


def altered(*statements):
    def change(path):
        with closing(sqlite3.connect(path)) as database, database:
            for sql in statements:
                assert database.execute(sql).rowcount

    return change


@pytest.mark.parametrize(
    "harm",
    [
        cut, emptied, no_database,
        altered("DELETE FROM row WHERE name LIKE 'approved %'"),
        altered("DELETE FROM row WHERE name LIKE 'claim %'"),
        altered("DELETE FROM row WHERE name = 'base'"),
        altered("DELETE FROM batch"),
        altered("UPDATE batch SET value = CAST('{\"at\": \"\", \"inputs\": {}}' AS BLOB)"),
        altered("UPDATE row SET value = CAST(replace(value, '163', '164') AS BLOB)"),
        altered("UPDATE row SET value = substr(value, 1, 40) WHERE name LIKE 'approved %'"),
        altered("UPDATE row SET seal = 'none'"),
        altered(
            "UPDATE row SET name = 'gone' WHERE name = 'claim prefill'",
            "UPDATE row SET name = 'claim prefill' WHERE name = 'claim decode'",
        ),
        altered("UPDATE row SET batch = 'none'"),
    ],
)  # fmt: skip
def test_memory_that_was_cut_or_altered_is_no_memory(known, harm):
    harm(rows(known))
    assert not is_remembered(known)
    time.sleep(0.06)
    assert is_remembered(known, f"{OTHER}\nMore.\n")  # it was written anew


def sealed_again(path, change):
    """Change what a batch says that was read, and seal everything again as the program does."""
    with closing(sqlite3.connect(path)) as database, database:
        ((value,),) = database.execute("SELECT value FROM batch").fetchall()
        read_then = json.loads(value)
        change(read_then["inputs"])
        value = json.dumps(read_then).encode()
        new = kept._digest(value)
        database.execute("UPDATE batch SET id = ?, value = ?", (new, value))
        found = database.execute("SELECT name, value FROM row").fetchall()
        of = kept._digest(dict(found)["base"])
        for name, told in found:
            seal = kept._sealed("" if name == "base" else of, name, new, told)
            database.execute("UPDATE row SET batch = ?, seal = ? WHERE name = ?", (new, seal, name))


def test_memory_of_another_version_of_the_program_is_no_memory(known):
    def older(inputs):
        path = next(path for path in inputs if path.endswith("claims/judging/judge.py"))
        inputs[path][1] -= 1

    sealed_again(rows(known), lambda _: None)
    result = known.check(OTHER)
    assert MEMORY in result.stderr  # so it is not the sealing that makes the difference below
    sealed_again(rows(known), older)
    assert not is_remembered(known, f"{OTHER}\nMore.\n")


def test_the_rows_of_one_register_are_not_those_of_another(known):
    """Seals name the base: a row put beside another base is none of its rows."""
    path = rows(known)
    with closing(sqlite3.connect(path)) as database, database:
        value = database.execute("SELECT value FROM row WHERE name = 'base'").fetchone()[0]
        batch = database.execute("SELECT batch FROM row WHERE name = 'base'").fetchone()[0]
        other = value.replace(b"entries verified", b"entries  verified")
        seal = kept._sealed("", "base", batch, other)
        database.execute("UPDATE row SET value = ?, seal = ? WHERE name = 'base'", (other, seal))
    assert not is_remembered(known)


def writable_by_a_group(path):
    path.chmod(0o660)


def in_a_folder_that_all_may_write_to(path):
    path.parent.chmod(0o777)


def a_link(path):
    elsewhere = path.with_name("elsewhere")
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


@pytest.mark.parametrize("harm", [writable_by_a_group, in_a_folder_that_all_may_write_to, a_link])
def test_memory_that_somebody_else_may_have_written_is_no_memory(known, harm):
    harm(rows(known))
    assert not is_remembered(known)


def test_memory_of_another_user_is_no_memory(known, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    assert MEMORY not in known.check(OTHER).stderr


def test_memory_that_another_process_is_writing_stops_nobody(known):
    with closing(sqlite3.connect(rows(known), isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        result = known.check(OTHER)
    assert (result.exit_code, MEMORY in result.stderr) == (1, False)


def test_a_ledger_that_does_not_verify_establishes_nothing(publisher):
    publisher.publish(publisher.level)
    publisher.flip_row(40, 300)
    time.sleep(0.06)
    for page in (PAGE, OTHER):
        result = publisher.check(page)
        assert ("CLM301" in result.stdout, MEMORY in result.stderr) == (True, False)


def test_what_fails_fails_the_same_way(known):
    told = [known.claims("check", "gone.md", *more) for more in ((), ("--fresh",))]
    assert told[0].exit_code == told[1].exit_code != 0
    assert told[0].stderr == told[1].stderr


@pytest.mark.parametrize(
    "page",
    [
        f"{PAGE}\nIt says so [ledger CELLS].\n",
        "<!-- claims-rejected -->\n\nNothing.\n<!-- claims-rejected-end -->\n",
        f"{SENTENCE}<!--claim:unheard-of-->\n",
        "<!-- claim: prefill row=n_prompt cols=Prefill:value -->\n\n| n_prompt | Prefill |\n"
        "| --- | --- |\n| 512 | 163.77 tok/s |\n| 513 | 3 tok/s |\n",
        "Prefill reaches 163.77 tok/s.<!--claim:prefill@n_prompt=512-->\n",
        "Decoding is bit-identical and 3× faster.<!--claim:decode-->\n",
        "It never regresses, and at 512 tokens [it](claims.md#prefill) reaches 163.77 tok/s.\n",
    ],
)
def test_pages_that_ask_for_more_than_is_known_are_judged_all_the_same(known, page):
    for more in ("", "\n\nMore.\n", "\n\nAnd more.\n"):
        both_ways(known, page + more)


def test_pages_of_every_kind_are_told_the_same(publisher):
    times = tuple(12_500_000_000 + step * 10_000_000 for step in range(6))
    (publisher.root / "prefill").write_bytes(llama_bench((512, times)))
    publisher.engine("attach", "prefill", "--cell", "pp2048", "--name", "prefill")
    publisher.experiment("PREFILL", "receipt://prefill")
    claim = {**LEVEL, "wording": WORDING, "evidence": [{"entry": "PREFILL"}], "repetitions": 5}
    publisher.publish(*({**claim, "id": f"c{number}"} for number in range(3)))
    time.sleep(0.06)
    seen = set()
    for name, variant in VARIANTS.items():
        for page in variant(3, 3):
            seen |= {name} if MEMORY in both_ways(publisher, page).stderr else set()
    assert seen >= {"bound", "ignored", "unbound", "comparatives"}


def test_a_run_that_leaves_bytecode_keeps_its_answer_too(known, tmp_path):
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    said = [
        subprocess.run(
            [sys.executable, "-m", "claims.cli", "check", "page.md"],
            cwd=known.root, capture_output=True, text=True, timeout=60,
            env={**kept, "PYTHONPATH": str(REPOSITORY), "PYTHONPYCACHEPREFIX": str(tmp_path / "b")},
        )
        for _ in "12"
    ]  # fmt: skip
    assert list((tmp_path / "b").rglob("answers*.pyc"))
    assert "answered from memory" in said[1].stderr
    assert (said[0].returncode, said[0].stdout) == (said[1].returncode, said[1].stdout)


@pytest.mark.slow
def test_a_changed_page_is_judged_without_the_heavy_libraries(known):
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: print(sorted(sys.modules), file=sys.stderr))\n"
        "from claims.cli import main\nmain()\n"
    )
    (known.root / "run.py").write_text(code)
    for _ in range(2):  # the first run may write bytecode, and then keeps nothing
        known.process("claims", "check", "--fresh", "page.md")
    (known.root / "page.md").write_text(OTHER)
    done = subprocess.run(
        [sys.executable, "run.py", "check", "page.md"],
        cwd=known.root, capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip
    assert MEMORY in done.stderr
    loaded = done.stderr.splitlines()[-1]
    for heavy in ("numpy", "pydantic", "sqlite_utils", "cryptography", "ruamel", "yaml", "jinja2"):
        assert f"'{heavy}'" not in loaded


def test_what_nobody_told_is_unknown_and_not_absent():
    one = Told("Evidence", {"facts": {}}, ("arm",), None)
    assert getattr(one, "arm", None) is None
    for ask in (lambda: one.window, lambda: str(one), lambda: one == one, lambda: bool({one: 1})):
        with pytest.raises((UnknownError, TypeError)):
            ask()
    with pytest.raises(UnknownError):
        one.model_copy({"window": None})


@pytest.mark.parametrize(
    "value",
    [
        None, True, 5, "text", 1 << 70, Fraction(-3, 7), ["a", ("b", 3)], {"x": {"y": [1]}},
        frozenset({"a", "b"}), {1: "one"}, "\ud800",
    ],
)  # fmt: skip
def test_a_value_that_is_spelled_is_read_as_it_was(value):
    back = read(json.loads(json.dumps(spelled(value))))
    assert back == value
    assert type(back) is type(value)


def test_a_column_is_read_as_it_was():
    column = Column([0.5, 0.25], factor=Fraction(1000))
    assert list(read(spelled(column))) == [500, 250]


def test_a_claim_that_was_told_has_the_name_of_the_claim_itself():
    claim = Claim.model_validate({**LEVEL, "scope": {"n": 512, "exact": True, "gpu": "B200"}})
    told = read(spelled(claim))
    assert text(told) == text(claim)
    changes = {"statistic": "min", "evidence": [claim.evidence[0].model_copy(update={"arm": "a"})]}
    theirs = {"statistic": "min", "evidence": [told.evidence[0].model_copy({"arm": "a"})]}
    assert text(told.model_copy(theirs)) == text(claim.model_copy(update=changes)) != text(claim)


@pytest.mark.parametrize("value", [1.5, object(), b"bytes", {"x": 2.5}])
def test_what_nobody_looks_at_is_not_spelled(value):
    with pytest.raises(UnknownError):
        spelled(value)


def offered(publisher, text):
    """Return what the shell is offered for `claims why TEXT`."""
    from click.shell_completion import ShellComplete

    from claims.cli import claims

    complete = ShellComplete(claims, {}, "claims", "_CLAIMS_COMPLETE")
    return [one.value for one in complete.get_completions(["why"], text)]


def test_completion_offers_the_claims_of_the_register_as_it_is_now(known):
    assert offered(known, "de") == ["decode"]
    known.write({**known.level, "id": "deeper"}, {**known.level, "id": "shallow"})
    assert offered(known, "de") == ["deeper"]


def test_completion_needs_no_register_to_be_read_where_it_is_known(known):
    rows(known).chmod(0o600)
    with_memory = offered(known, "")
    rows(known).unlink()
    assert with_memory == offered(known, "") == ["prefill", "decode"]


def test_numbers_are_told_by_the_vocabulary_as_it_is_now(publisher):
    names = publisher.root / "names.yaml"
    names.write_text("hardware-name: [Rubin 144]\n")
    path = publisher.root / "evidence.yaml"
    path.write_text(path.read_text() + "vocabulary: [names.yaml]\n")
    publisher.publish(publisher.level)
    time.sleep(0.06)
    publisher.check(f"{PAGE}\nThe Rubin 144 and the Rubin 145.\n")
    for word in ("144", "145", "144"):
        told = json.loads(publisher.claims("numbers", "page.md", "--json").stdout)["numbers"]
        classes = {one["text"]: one.get("rule") for one in told}
        assert [name for name, rule in classes.items() if rule == "hardware-name"] == [word]
        names.write_text(f"hardware-name: [Rubin {289 - int(word)}]\n")
