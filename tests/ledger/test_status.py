"""The fold of corrections: what stands on an entry after everything that came later."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.bodies import CORRECTIONS
from ledger.status import GRAVITY, STANDING, WORDS, fold

ALL = ("CORRECTION", "AMENDMENT", "SUPERSEDED", "RETRACTION")


def words(entries):
    status = fold(entries)
    return [status.word(entry.id) for entry in entries]


@pytest.mark.parametrize("kind", ALL)
def test_each_correction_leaves_its_word_on_its_target(make_entry, kind):
    first = make_entry()
    second = make_entry(kind, targets=[first.id], reason="r")
    assert words([first, second]) == [WORDS[kind], STANDING]


def test_the_gravest_effect_gives_the_status_whatever_the_order(make_entry):
    for kinds in (ALL, ALL[::-1], ("AMENDMENT", "CORRECTION"), ("SUPERSEDED", "AMENDMENT")):
        first = make_entry()
        later = [make_entry(kind, targets=[first.id], reason="r") for kind in kinds]
        status = fold([first, *later])
        present = {WORDS[kind] for kind in kinds}
        assert status.word(first.id) == next(word for word in GRAVITY if word in present)
        assert [effect.by_id for effect in status.effects(first.id)] == [e.id for e in later]


def test_retracting_a_correction_lifts_it(make_entry):
    first = make_entry()
    wrong = make_entry("CORRECTION", targets=[first.id], reason="r")
    lifted = make_entry("RETRACTION", targets=[wrong.id], reason="r")
    assert words([first, wrong, lifted]) == [STANDING, "retracted", STANDING]


def test_retracting_a_retraction_brings_back_what_it_lifted(make_entry):
    first = make_entry()
    chain = [first, make_entry("SUPERSEDED", targets=[first.id], reason="r")]
    for length in range(6):
        expected = "superseded" if length % 2 == 0 else STANDING
        assert words(chain)[0] == expected
        chain.append(make_entry("RETRACTION", targets=[chain[-1].id], reason="r"))


def test_superseding_or_amending_a_correction_does_not_lift_it(make_entry):
    first = make_entry()
    wrong = make_entry("AMENDMENT", targets=[first.id], reason="r")
    later = [make_entry(kind, targets=[wrong.id], reason="r") for kind in ALL[:3]]
    assert words([first, wrong, *later])[:2] == ["amended", "superseded"]


def test_what_a_selector_resolved_to_is_struck_as_well_and_once(make_entry):
    first, second = make_entry(), make_entry()
    struck = make_entry(
        "RETRACTION", targets=[first.id], resolved=[first.id, second.id], reason="r"
    )
    status = fold([first, second, struck])
    assert [status.word(entry.id) for entry in (first, second)] == ["retracted"] * 2
    assert len(status.effects(first.id)) == 1


def test_a_banner_says_by_whom_why_and_what(make_entry):
    first, better = make_entry(), make_entry()
    cases = [
        (
            ("CORRECTION", {"affects": ["delta"], "leaves": ["gate"], "restated": {"change": "x"}}),
            "CORRECTED by entry 2: a typo; struck: delta; stands: gate; change now reads 'x'",
        ),
        (("AMENDMENT", {"bars": ["tps", "ttft"]}), "AMENDED by entry 3: a typo; barred: tps, ttft"),
        (
            ("SUPERSEDED", {"replacement": better.id}),
            f"SUPERSEDED by entry 4: a typo; replaced by {better.id[:12]}",
        ),
        (("RETRACTION", {}), "RETRACTED by entry 5: a typo"),
    ]
    later = [
        make_entry(kind, targets=[first.id], reason="a typo", **fields)
        for (kind, fields), _ in cases
    ]
    effects = fold(later).effects(first.id)
    assert [effect.banner() for effect in effects] == [banner for _, banner in cases]
    assert effects[0].view() == {
        "word": "corrected",
        "by": 2,
        "by_id": later[0].id,
        "reason": "a typo",
        "affects": ["delta"],
        "leaves": ["gate"],
        "restated": {"change": "x"},
    }


def test_a_long_chain_and_a_dense_web_of_retractions_are_folded_at_once(make_entry):
    """Neither deep recursion nor two to the power of the entries."""
    first = make_entry()
    chain = [first]
    for _ in range(1500):
        chain.append(make_entry("RETRACTION", targets=[chain[-1].id], reason="r"))
    web = []
    for _ in range(60):
        targets = [entry.id for entry in web] or [first.id]
        web.append(make_entry("RETRACTION", targets=targets, reason="r"))
    started = time.monotonic()
    assert words(chain)[0] == STANDING
    assert words(web)[:-1] == ["retracted"] * 59
    assert time.monotonic() - started < 5


drawn_targets = st.lists(st.integers(0, 30), min_size=1)


@given(st.lists(st.tuples(st.sampled_from(ALL), drawn_targets), max_size=9))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_fold_is_what_its_definition_says(make_entry, drawn):
    entries = [make_entry(), make_entry()]
    for kind, targets in drawn:
        named = [entries[target % len(entries)].id for target in targets]
        entries.append(make_entry(kind, targets=named, reason="r"))

    def word(entry_id):
        """Return the status as the module's first paragraph defines it."""
        found = {
            WORDS[entry.kind]
            for entry in entries
            if isinstance(entry.body, CORRECTIONS)
            and entry_id in entry.body.targets
            and word(entry.id) != "retracted"
        }
        return next((w for w in GRAVITY if w in found), STANDING)

    assert words(entries) == [word(entry.id) for entry in entries]


def test_show_puts_the_banners_first_and_the_old_text_stays(founded):
    result = founded.invoke("show", "J2")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert (
        lines[0] == "!! CORRECTED by entry 5: a typo; struck: change; change now reads 'batch 256'"
    )
    assert lines[1] == "entry 4 J2  ENTRY  corrected"
    assert "  change: batch 512" in lines
    retract = {"kind": "RETRACTION", "reason": "it was right"}
    founded.append("engineer", **retract, targets=[founded.entry(5).id])
    lines = founded.invoke("show", "J2").stdout.splitlines()
    assert lines[0] == "entry 4 J2  ENTRY  standing"
    assert founded.invoke("show", "5").stdout.startswith("!! RETRACTED by entry 15: it was right")
    founded.append("operator", **retract, targets=[founded.entry(15).id])
    assert founded.invoke("show", "J2").stdout.startswith("!! CORRECTED by entry 5")


# --- what rests on what --------------------------------------------------------------------------


def statuses(entries):
    by_id = {entry.id: entry for entry in entries}
    status = fold(entries, by_id.__getitem__)
    return [status.word_on(entry) for entry in entries]


@pytest.mark.parametrize("kind", ALL)
def test_what_rests_on_a_struck_entry_is_contested(make_entry, kind):
    first = make_entry()
    resting = make_entry(rests_on=[first.id])
    struck = make_entry(kind, targets=[first.id], reason="r")
    assert statuses([first, resting]) == [STANDING, STANDING]
    assert statuses([first, resting, struck]) == [WORDS[kind], "contested", STANDING]


@pytest.mark.parametrize("kind", ALL)
def test_an_answer_is_contested_by_the_fall_of_its_hypothesis_and_not_by_its_wording(
    make_entry, kind
):
    first = make_entry()
    answer = make_entry(answers=first.id)
    struck = make_entry(kind, targets=[first.id], reason="r")
    word = STANDING if kind in ("CORRECTION", "AMENDMENT") else "contested"
    assert statuses([first, answer, struck]) == [WORDS[kind], word, STANDING]


def test_an_own_correction_is_graver_than_what_an_entry_rests_on(make_entry):
    first = make_entry()
    resting = make_entry(rests_on=[first.id])
    later = [make_entry(kind, targets=[first.id], reason="r") for kind in ("RETRACTION",)]
    later.append(make_entry("CORRECTION", targets=[resting.id], reason="r"))
    assert statuses([first, resting, *later])[1] == "corrected"
    by_id = {entry.id: entry for entry in (first, resting, *later)}
    effects = fold(later, by_id.__getitem__).effects_on(resting)
    assert [effect.word for effect in effects] == ["corrected", "contested"]


def test_an_effect_by_name_and_by_a_run_at_once_is_one_effect(make_entry):
    uri = "receipt://sha256:" + "1" * 64
    cited = make_entry(evidence=[{"receipt": uri}])
    struck = make_entry("SUPERSEDED", resolved=[cited.id], runs=[uri], reason="r")
    later = make_entry(evidence=[{"receipt": uri}])
    status = fold([cited, struck, later])
    assert [len(status.effects_on(entry)) for entry in (cited, later)] == [1, 1]
    assert [status.word_on(entry) for entry in (cited, later)] == ["superseded"] * 2
    assert status.word(later.id) == STANDING


def test_a_correction_after_a_question_is_not_answered_from_memory(make_entry):
    """What was found of foundations is forgotten when another correction comes."""
    first = make_entry()
    resting = make_entry(rests_on=[first.id])
    by_id = {entry.id: entry for entry in (first, resting)}
    status = fold([], by_id.__getitem__)
    assert status.word_on(resting) == STANDING
    struck = make_entry("RETRACTION", targets=[first.id], reason="r")
    status.apply(struck)
    assert status.word_on(resting) == "contested"
    status.apply(make_entry("RETRACTION", targets=[struck.id], reason="r"))
    assert status.word_on(resting) == STANDING


def test_a_long_chain_and_a_dense_web_of_foundations_are_folded_at_once(make_entry):
    """Neither deep recursion nor two to the power of the entries."""
    first = make_entry()
    chain = [first]
    for _ in range(1500):
        chain.append(make_entry(rests_on=[chain[-1].id]))
    web = [first]
    for _ in range(60):
        web.append(make_entry(rests_on=[entry.id for entry in web[-3:]]))
    struck = make_entry("RETRACTION", targets=[first.id], reason="r")
    by_id = {entry.id: entry for entry in (*chain, *web, struck)}
    started = time.monotonic()
    status = fold([struck], by_id.__getitem__)
    assert status.word_on(chain[-1]) == status.word_on(web[-1]) == "contested"
    assert statuses([*web, struck])[1:] == ["contested"] * 60 + [STANDING]
    assert time.monotonic() - started < 5


@given(st.lists(st.lists(st.integers(0, 30), max_size=3), max_size=8), st.sets(st.integers(0, 7)))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_entry_is_contested_just_if_a_struck_one_is_below_it(make_entry, drawn, struck):
    entries = [make_entry()]
    for foundations in drawn:
        resting = [entries[place % len(entries)].id for place in foundations]
        entries.append(make_entry(rests_on=resting))
    named = [entry for place, entry in enumerate(entries) if place in struck]
    ids = [entry.id for entry in named]
    later = [make_entry("RETRACTION", targets=ids, reason="r")] if ids else []
    by_id = {entry.id: entry for entry in (*entries, *later)}

    def word(entry):
        if entry.id in ids:
            return "retracted"
        below = [word(by_id[one]) for one in entry.body.rests_on or ()]
        return "contested" if set(below) - {STANDING} else STANDING

    assert statuses([*entries, *later])[: len(entries)] == [word(entry) for entry in entries]
