"""Corrections by a selector: a binary, a commit, a window or a cell falls, and nothing else."""

import pytest

from receipts.errors import MalformedError, VerificationError


def index_of(story, uri):
    for row in story.told("list", "--kind", "RUN"):
        if story.founded.entry(row["index"]).body.receipt == uri:
            return row["index"]
    raise AssertionError(uri)


def standing(story):
    """Return the effective status of every labelled entry."""
    return {row["label"]: row["status"] for row in story.told("list") if "label" in row}


def supersede(story, *words, reason="the baseline build was stale", code=0):
    result = story.founded.invoke("supersede", *words, "--reason", reason)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def thirteen(story, binary):
    """Thirteen entries, twelve of one binary, and what rests on one of each."""
    uris = [story.run(f"c{number}", binary="stale") for number in range(12)]
    entries = [story.conclude(uri, label=f"E{number}") for number, uri in enumerate(uris)]
    other = story.conclude(story.run("c12", binary="good"), label="E12")
    story.conclude(label="ON-E3", rests_on=[entries[3].id])
    story.conclude(label="ON-BOTH", rests_on=[other.id, entries[5].id])
    story.conclude(label="ON-E12", rests_on=[other.id])
    on = story.founded.entry(story.founded.head().size - 3)
    story.conclude(label="ON-ON-E3", rests_on=[on.id])
    story.uris, story.stale = uris, binary("stale")
    return story


@pytest.fixture
def binary():
    from hashlib import sha256

    return lambda text: "sha256:" + sha256(text.encode()).hexdigest()


FELLED = {f"E{number}": "superseded" for number in range(12)} | {
    "E12": "standing",
    "ON-E3": "contested",
    "ON-BOTH": "contested",
    "ON-E12": "standing",
    "ON-ON-E3": "contested",
    "J1": "standing",
    "J2": "corrected",
    "J3": "open",
}


def test_one_binary_fells_its_twelve_entries_leaves_the_thirteenth_contests_dependents(thirteen):
    before = thirteen.founded.rows()["entry"]
    supersede(thirteen, "--binary", thirteen.stale, "--label", "STALE")
    assert standing(thirteen) == FELLED | {"STALE": "standing"}
    assert thirteen.founded.rows()["entry"][: len(before)] == before
    assert thirteen.founded.invoke("verify").exit_code == 0

    shown = thirteen.founded.invoke("show", "E7").stdout.splitlines()
    index = thirteen.founded.head().size - 1
    assert shown[0] == f"!! SUPERSEDED by entry {index}: the baseline build was stale"
    assert shown[1].endswith("E7  ENTRY  superseded")
    body = thirteen.told("show", "STALE")["body"]
    assert body["selector"] == {"binary": thirteen.stale}
    assert body["runs"] == thirteen.uris
    assert len(body["resolved"]) == 12
    assert thirteen.told("show", "STALE")["title"] == f"supersede binary {thirteen.stale}"


def test_what_rests_on_a_felled_entry_says_on_which(thirteen):
    supersede(thirteen, "--binary", thirteen.stale)
    row = thirteen.told("show", "ON-ON-E3")
    named = thirteen.told("show", "ON-E3")["index"]
    assert row["status"] == "contested"
    assert [e["banner"] for e in row["effects"]] == [
        f"CONTESTED by entry {named}: it rests on entry {named}, which is contested"
    ]
    text = thirteen.founded.invoke("show", "ON-ON-E3").stdout
    assert text.startswith(f"!! {row['effects'][0]['banner']}\n")


def test_a_later_entry_that_cites_one_of_the_runs_is_struck_and_one_that_cites_others_is_not(
    thirteen,
):
    supersede(thirteen, "--binary", thirteen.stale)
    good = thirteen.run("later", binary="good")
    late = thirteen.conclude(good, thirteen.uris[4], label="LATE")
    thirteen.conclude(good, label="FINE")
    thirteen.conclude(label="ON-LATE", rests_on=[late.id])
    found = standing(thirteen)
    assert [found[name] for name in ("LATE", "FINE", "ON-LATE")] == [
        "superseded",
        "standing",
        "contested",
    ]


def test_retracting_the_superseded_lifts_all_of_it(thirteen):
    before = standing(thirteen)
    supersede(thirteen, "--binary", thirteen.stale, "--label", "STALE")
    thirteen.conclude(thirteen.uris[0], label="LATE")
    assert thirteen.founded.invoke("retract", "STALE", "--reason", "it was fresh").exit_code == 0
    assert standing(thirteen) == before | {"STALE": "retracted", "LATE": "standing"}
    lifted = thirteen.founded.head().size - 1
    done = thirteen.founded.invoke("retract", lifted, "--reason", "it was stale after all")
    assert done.exit_code == 0
    assert standing(thirteen) == FELLED | {"STALE": "standing", "LATE": "superseded"}


def test_a_window_falls_with_a_binary_of_either_arm(story, binary):
    story.conclude(story.window("c", "w1", binary="new", baseline="old"), label="W1")
    story.conclude(story.window("c", "w2", binary="newer", baseline="new"), label="W2")
    story.conclude(story.window("c", "w3", binary="newest", baseline="newer"), label="W3")
    supersede(story, "--binary", binary("new"))
    found = standing(story)
    assert [found[f"W{n}"] for n in (1, 2, 3)] == ["superseded", "superseded", "standing"]


def test_several_facts_are_wanted_of_the_same_run(story, binary):
    for number, (which, commit, cell) in enumerate(
        [("a", "0a1b", "c"), ("a", "1b2c", "c"), ("b", "0a1b", "c"), ("a", "0a1b", "d")]
    ):
        story.conclude(story.run(cell, binary=which, commit=commit), label=f"E{number}")
    supersede(story, "--binary", binary("a"), "--commit", "0a1b", "--cell", "c")
    found = standing(story)
    struck = [name for name, word in found.items() if word == "superseded"]
    assert struck == ["E0"]
    supersede(story, "--commit", "1b2c")
    supersede(story, "--cell", "d")
    found = standing(story)
    struck = [name for name, word in found.items() if word == "superseded"]
    assert struck == ["E0", "E1", "E3"]


def test_a_window_by_name_is_struck_with_its_repetitions(story):
    first, second = story.window("c", "w1"), story.window("c", "w2")
    story.conclude(first, label="W1")
    story.conclude(second, label="W2")
    repetition = story.founded.entry(17).body.receipt
    story.conclude(repetition, label="REP")
    supersede(story, "--window", "w1")
    found = standing(story)
    assert [name for name, word in found.items() if word == "superseded"] == ["W1", "REP"]
    assert found["W2"] == "standing"


def test_targets_and_a_selector_are_struck_together(story):
    story.conclude(story.run("c"), label="BY-CELL")
    story.conclude(label="BY-NAME")
    story.conclude(label="NEITHER")
    supersede(story, "BY-NAME", "--cell", "c")
    found = standing(story)
    assert [found[n] for n in ("BY-CELL", "BY-NAME", "NEITHER")] == ["superseded"] * 2 + [
        "standing"
    ]


def test_runs_that_nobody_cites_yet_are_struck_before_somebody_does(story):
    uri = story.run("c")
    supersede(story, "--cell", "c")
    story.conclude(uri, label="LATE")
    assert standing(story)["LATE"] == "superseded"
    assert story.founded.invoke("verify").exit_code == 0


def test_attached_runs_are_found_by_their_facts_too(story, binary):
    story.conclude(story.run("c", phase="attached", binary="a"), label="A")
    supersede(story, "--binary", binary("a"))
    assert standing(story)["A"] == "superseded"


def test_a_receipt_that_is_gone_stops_a_selection_by_its_facts_and_not_by_its_place(story, binary):
    story.conclude(story.run("c"), label="GONE")
    kept = story.run("d")
    gone = story.founded.entry(16).body.receipt
    (story.place.receipts.root / gone[17:19] / gone[17:]).unlink()
    size = story.founded.head().size
    result = supersede(story, "--binary", binary("one"), code=4)
    assert "cannot tell which runs are meant: object sha256:" in result.stderr
    assert story.founded.head().size == size
    supersede(story, "--cell", "d")
    assert story.founded.entry(size).body.runs == [kept]


def test_ent_9_striking_runs_is_for_an_operator(story):
    """Whoever cites the runs is felled with them, now or later."""
    uri = story.run("c")
    fields = {"kind": "SUPERSEDED", "reason": "r", "runs": [uri]}
    for more in ({}, {"targets": [story.founded.entry(4).id]}):
        with pytest.raises(VerificationError, match="is not operator; its roles: engineer"):
            story.founded.append("engineer", **fields, **more)
    forced = story.founded.force("engineer", **fields)
    assert [(f.index, f.code) for f in story.founded.audit().findings] == [(forced, "refused")]


def test_ent_9_without_targets_and_without_runs_nothing_is_corrected(story):
    with pytest.raises(MalformedError, match="names at least one target, or runs by a selector"):
        story.append(kind="SUPERSEDED", reason="r", runs=[], selector={"cell": "c"})
