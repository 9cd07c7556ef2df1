"""The self-test: it passes, it can fail, and it leaves everything of the person's as it was."""

import json
import os
import re
from collections import Counter
from decimal import Decimal

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from claims import desk
from claims.checks import fitting, ignoring
from claims.cli import claims
from claims.judging import judge
from claims.publishing import lock
from claims.rules import RULES
from claims.scanner.vocabulary import DEFAULT
from claims.selftest import attacks, demo_page, mutants, releasing, running, stage
from claims.selftest.arena import MAIN, open_arena
from claims.selftest.attack import PAGE, Attack, written
from claims.selftest.pages import PageReading

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."


def invoke(*words):
    return CliRunner().invoke(claims, ["selftest", *words], catch_exceptions=False)


@pytest.fixture(scope="module")
def arena():
    """The desks that attacks are made at; the working directory is the self-test's own."""
    with stage.open_stage() as place, open_arena(place) as made:
        yield made


@pytest.fixture
def own_arena():
    """An arena for one test: desks keep their judgements, a broken judge's among them."""
    with stage.open_stage() as place, open_arena(place) as made:
        yield made


def test_every_attack_is_caught_every_twin_is_clean_and_every_mutant_is_killed(home, tmp_path):
    before = (dict(os.environ), sorted(tmp_path.rglob("*")))
    result = invoke("--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 0, result.output
    assert (told["missed"], told["refused"], told["survivors"]) == ([], [], [])
    assert told["rules_attacked"] == sorted(RULES)
    assert told["attacks"] == told["caught"] == told["twins"] == told["clean"] >= 120
    assert told["mutants"] == told["killed"] >= 200
    assert (dict(os.environ), sorted(tmp_path.rglob("*"))) == before
    print(f"{told['seconds']} s")


def test_the_denominators_are_the_last_line(monkeypatch, home):
    monkeypatch.setattr(attacks, "ALL", attacks.ALL[:3])
    monkeypatch.setattr(demo_page, "pages", lambda _: {})
    result = invoke()
    assert result.exit_code == 0
    wanted = r"0 mutants: 0 killed; 6 attacks: 6 caught, 6 twins: 6 clean; \d+\.\d s\n\Z"
    assert re.search(wanted, result.stdout), result.output


def test_every_rule_of_a_page_is_attacked_by_name_and_every_attack_has_a_twin():
    of_pages = {code for one in attacks.ALL for code in one.codes}
    assert of_pages == RULES.keys() - set(releasing.ATTACKS.values())
    assert len(attacks.ALL) >= 120
    assert [name for name, n in Counter(one.name for one in attacks.ALL).items() if n > 1] == []
    assert all(one.codes for one in attacks.ALL)
    for one in attacks.ALL:
        assert (one.page, one.held, one.setting, one.edit) != (
            one.twin,
            one.twin_held,
            one.twin_setting or one.setting,
            None,
        )


# --- it can fail ----------------------------------------------------------------------------------


def failing(arena):
    """Return the names of attacks that are not caught, and of twins that are not clean."""
    found = [failure for one in attacks.ALL for failure in running.run(arena, one)]
    return {f.name for f in found if not f.is_twin}, {f.name for f in found if f.is_twin}


def test_a_judge_that_agrees_with_every_number_is_caught_by_the_attacks_on_numbers(
    own_arena, monkeypatch
):
    monkeypatch.setattr(fitting, "judge", lambda *_: None)
    missed, refused = failing(own_arena)
    assert missed >= {"value-first-digit", "rate-transposed", "floor-above-a-run", "rate-negative"}
    assert refused == set()


def test_a_judge_that_refuses_everything_is_caught_by_the_twins(own_arena, monkeypatch):
    monkeypatch.setattr(fitting, "judge", lambda *_: ("CLM102", "no"))
    assert "value-first-digit" in failing(own_arena)[1]


def test_ignores_that_reach_too_far_are_caught(own_arena, monkeypatch):
    monkeypatch.setattr(ignoring, "_faults", lambda *_: ())
    assert failing(own_arena)[0] >= {
        "ignore-without-reason",
        "ignore-approval",
        "ignore-of-no-rule",
    }


def test_a_release_that_nothing_stops_is_caught(home, monkeypatch):
    monkeypatch.setattr(attacks, "ALL", attacks.ALL[:1])
    monkeypatch.setattr(demo_page, "pages", lambda _: {})
    monkeypatch.setattr(lock, "refusals", lambda _: iter(()))
    result = invoke()
    assert result.exit_code == 1
    assert "release-lock: it is not refused as it must be\n  due:   CLM601\n" in result.stdout


def test_a_broken_checker_is_exit_1_with_the_page_and_the_change(home, monkeypatch):
    monkeypatch.setattr(fitting, "judge", lambda *_: None)
    monkeypatch.setattr(attacks, "ALL", [a for a in attacks.ALL if a.name == "rate-transposed"])
    result = invoke()
    assert result.exit_code == 1
    assert "rate-transposed: it is not refused as it must be\n  due:   CLM102 at 1:15" in (
        result.stdout
    )
    assert "  | Prefill gives 35.61 tok/s<!--claim:steady--> there." in result.stdout
    assert re.search(r"prose\.md:9: last digit up: 533\.9: nothing was found", result.stdout)
    assert re.search(r"\n  \+.*533\.9 tok/s", result.stdout)


def test_a_judge_without_objections_is_caught(own_arena, monkeypatch):
    monkeypatch.setattr(judge, "_objections", lambda *_: ())
    monkeypatch.setattr(judge, "_stated", lambda *_: ())
    one = next(a for a in attacks.ALL if a.name == "claim-required-words")
    assert [f.name for f in running.run(own_arena, one)] == ["claim-required-words"]


# --- what an attack is ----------------------------------------------------------------------------


class Words:
    """A source of sentences that needs no ledger."""

    def sentence(self, claim):
        return f"{claim.capitalize()} is so."

    def filled(self, what, claim):
        return f"<!-- claims-{what} {claim} -->"


@pytest.mark.parametrize(
    ("page", "text", "due"),
    [
        ("a ⟪CLM101⟫5 ms", "a 5 ms", [("CLM101", 1, 3)]),
        ("a\nb ⟪CLM101⟫5 and ⟪CLM102⟫6", "a\nb 5 and 6", [("CLM101", 2, 3), ("CLM102", 2, 9)]),
        ("§it CLM404§ b", "It is so.<!--claim:it--> b", [("CLM404", 1, 10)]),
        ("~~§old:it CLM604§", "~~<!-- claims-old it -->", [("CLM604", 1, 3)]),
        ("plain", "plain", []),
    ],
)
def test_a_mark_says_what_is_due_where_and_is_taken_out(page, text, due):
    assert written(page, Words()) == (text, due)


def test_an_edit_that_would_change_nothing_is_an_error_of_the_table():
    with pytest.raises(ValueError, match="is not in"):
        written("§it§", Words(), ("absent", "x"))


def test_a_finding_at_another_place_or_beside_the_one_that_is_due_is_a_failure(arena):
    wrong = "Prefill gives {}38.16 tok/s<!--claim:steady--> there, {}7 ms too.\n"
    twin = "§steady§\n"
    for page, fails in (
        (wrong.format("⟪CLM102⟫", "⟪CLM101⟫"), False),
        (wrong.format("", "⟪CLM101⟫"), True),
        (wrong.format("⟪CLM103⟫", "⟪CLM101⟫"), True),
        (f"⟪CLM102⟫{wrong.format('', '⟪CLM101⟫')}", True),
    ):
        assert bool(list(running.run(arena, Attack("x", page, twin)))) is fails


# --- mutants --------------------------------------------------------------------------------------


@given(st.decimals("0.01", "9999", places=2))
def test_a_digit_that_is_left_out_is_never_the_rounding_of_what_stood_there(number):
    text = str(number)
    for what, other in mutants._other_digits(text):
        assert Decimal(other) != number
        if what == "last digit dropped":
            assert round(number, 1) != Decimal(other)


def test_the_mutants_of_a_page_differ_from_it_and_from_each_other(arena):
    setting = arena[MAIN]
    for name, text in demo_page.pages(setting).items():
        made = list(mutants.make(PageReading(name, text, setting.desk, DEFAULT)))
        assert all(one.source != text for one in made)
        assert made or name == "region.md"


@pytest.mark.parametrize(
    "text",
    [
        "We saw\n1.33×<!--claim:tuned-->\nthere.\n",
        "Prefill gives 34.91-35.31 tok/s<!--claim:steady--> there.\n",
        "**Prefill** gives\n**35.16** tok/s<!--claim:steady--> there.\n",
        "[Prefill](x.md) gives 35.16 tok/s<!--claim:steady--> there.\n",
        "1. Prefill gives 35.16 tok/s<!--claim:steady--> there.\n\n2. §tuned§\n",
        "> Prefill gives 35.16 tok/s<!--claim:steady--> there.\n>\n> §tuned§\n",
        "| a |\r\n|---|\r\n| 35.16 tok/s<!--claim:steady--> |\r\n",
        "We saw 33 %<!--claim:tuned-->, or 1.33×<!--claim:tuned--> there.\n",
        "<!--claim:steady-->\nPrefill gives 35.16 tok/s there, with 35.31 tok/s at best.\n",
    ],
)
def test_no_mutant_of_a_page_that_passes_survives_wherever_its_markers_stand(arena, text):
    setting = arena[MAIN]
    text, _ = written(text, setting)
    assert setting.examine({PAGE: text}).code == 0
    made = list(mutants.make(PageReading(PAGE, text, setting.desk, DEFAULT)))
    alive = [one for one in made if setting.examine({PAGE: one.source}).code == 0]
    assert made
    assert [(one.what, one.source) for one in alive] == []


def test_what_a_page_sets_aside_or_excludes_is_not_mutated(arena):
    setting = arena[MAIN]
    text = (
        "§tuned§\n\n<!-- claims-ignore[CLM101]: a limit -->\nIt stops at 500 ms.\n\n"
        "Version 1.2.3 of 2026-08-15 ran [benches/decode.log:7].\n\n`t = 9`\n"
    )
    text, _ = written(text, setting)
    page = PageReading(PAGE, text, setting.desk, DEFAULT)
    assert [one.text for one in page.numbers] == ["1.33", "5"]


# --- pages of one's own ---------------------------------------------------------------------------


@pytest.fixture
def published(publisher):
    """A workspace with an approved claim."""
    publisher.publish(publisher.level)
    return publisher


def test_pages_of_ones_own_are_mutated_in_their_workspace_in_which_nothing_is_written(published):
    page = published.root / "page.md"
    page.write_text(
        f"{LEVEL}<!--claim:prefill-->\n\nIt gives 164 tok/s<!--claim:prefill--> in 3 runs.\n"
    )
    before = {path: path.read_bytes() for path in published.root.rglob("*") if path.is_file()}
    result = published.claims("selftest", "page.md", "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 0, result.output
    assert told["mutants"] == told["killed"] > 15
    assert told["attacks"] == 0
    assert before == {p: p.read_bytes() for p in published.root.rglob("*") if p.is_file()}


def test_a_survivor_is_told_with_its_diff(published, monkeypatch):
    (published.root / "page.md").write_text("It gives 164 tok/s<!--claim:prefill--> in 3 runs.\n")
    monkeypatch.setattr(fitting, "judge", lambda *_: None)
    result = published.claims("selftest", "page.md")
    assert result.exit_code == 1
    assert (
        "page.md:1: last digit up: 165: nothing was found\n"
        "  -It gives 164 tok/s<!--claim:prefill--> in 3 runs.\n"
        "  +It gives 165 tok/s<!--claim:prefill--> in 3 runs.\n"
    ) in result.stdout


def test_a_page_that_does_not_pass_is_left_out_and_nothing_to_mutate_is_exit_3(published):
    (published.root / "page.md").write_text("It gives 5 ms.\n")
    result = published.claims("selftest", "page.md")
    assert result.exit_code == 3
    assert "page.md: left out, for it does not pass as it is" in result.stdout
    assert "nothing to mutate" in result.stderr


def test_a_workspace_whose_ledger_is_broken_has_nothing_to_mutate(published):
    (published.root / "page.md").write_text(f"{LEVEL}<!--claim:prefill-->\n")
    published.flip_row(5, 200)
    assert published.claims("selftest", "page.md").exit_code == 3


def test_the_desk_of_the_selftest_verifies(arena):
    with desk.open_desk(lambda _: None) as here:
        assert not here.report.findings
