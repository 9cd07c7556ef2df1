"""Phases of repetitions that were really run and recorded, joined by who they are."""

import json

import pytest

from engine import phases, recorded
from engine.phases import Phases
from engine.recorded import Repeated
from engine.results import detect
from ledger import session
from receipts.clock import system_clock
from receipts.digest import Digest
from receipts.errors import (
    ConflictError,
    NotFoundError,
    UndecidedError,
    VerificationError,
)


def rows(*changes, warmup=0):
    """Return a raw file of rows with a repetition for each of `changes`."""
    head = {
        "format": "evidence-ledger/rows/v1",
        "instrument": "test",
        "variant": "v",
        "backend": "none",
        "source": "s",
        "model": "m",
        "vocab": 8,
        "width": 4,
        "prompt_tokens": 2,
        "output_tokens": 2,
        "seed": 0,
        "warmup": warmup,
        "clock": "FIXED",
    }
    row = {
        "prefill_ns": 100,
        "token_ns": [40, 60],
        "tokens": [1, 2],
        "logits": "sha256:" + "0" * 64,
    }
    lines = [head, *({**row, "repetition": n, **change} for n, change in enumerate(changes))]
    spelt = (json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in lines)
    return detect.read("".join(spelt).encode())


def repeated(attached_run, file, arm="plain", repetition=0, duration=1000):
    told = attached_run(arm=arm, repetition=repetition, duration_ns=duration)
    return Repeated(told, file, arm, repetition)


def opened(name):
    with session.open_ledger() as here:
        return recorded.repetitions(here, name)


def test_prefill_decode_and_the_remainder_are_the_wall(attached_run):
    (found,) = phases.of([repeated(attached_run, rows({}))])

    assert found == Phases("plain/0", 100, 100, 800, 1000)
    assert found.cells()[1:5] == ["0.0001", "0.0001", "0.0008", "0.001"]


def test_what_is_missing_prints_absent_and_is_null_and_never_0(attached_run):
    (found,) = phases.of([repeated(attached_run, rows({}), duration=None)])

    assert found.cells()[3:5] == ["absent", "absent"]
    assert found.view() == {
        "repetition": "plain/0",
        "prefill_ns": 100,
        "decode_ns": 100,
        "unlabelled_ns": None,
        "wall_ns": None,
        "note": None,
    }


def test_the_discarded_warm_up_is_named_as_such_and_has_no_time(attached_run):
    warm, first = phases.of([repeated(attached_run, rows({}, warmup=2))])

    assert warm == Phases("plain/0 warm-up", note="2 discarded before it was timed")
    assert warm.cells()[1:5] == ["absent"] * 4
    assert first.place == "plain/0"


def test_repetitions_are_joined_by_who_they_are_and_not_by_position(attached_run):
    ones = [
        repeated(attached_run, rows({"prefill_ns": 100 + number}), repetition=number)
        for number in (3, 1)  # receipt 0 and 2 are missing, and 3 was named first
    ]
    assert [(one.place, one.prefill) for one in phases.of(ones)] == [
        ("plain/3", 103),
        ("plain/1", 101),
    ]


def test_one_repetition_named_twice_is_refused(attached_run):
    one = repeated(attached_run, rows({}))
    with pytest.raises(ConflictError, match="plain/0 is named twice"):
        phases.of([one, one])


def test_several_rows_in_one_process_have_no_wall_of_their_own(attached_run):
    found = phases.of([repeated(attached_run, rows({}, {}))])

    assert [one.place for one in found] == ["plain/0 row 0", "plain/0 row 1"]
    assert {one.wall for one in found} == {None}


def test_more_labelled_time_than_passed_is_void_and_shows_no_time(attached_run):
    (found,) = phases.of([repeated(attached_run, rows({}), duration=150)])
    assert found == Phases("plain/0", note="void: labelled-over-wall: 50 ns more are labelled "
                           "than passed")  # fmt: skip


def test_a_repetition_without_a_file_says_why():
    (found,) = phases.of([Repeated(None, None, "plain", 4, "object sha256:00 is withheld")])
    assert found == Phases("plain/4", note="object sha256:00 is withheld")


def test_a_reader_that_tells_no_phases_is_named():
    found = opened_cells()
    assert {one.prefill for one in phases.of(found)} == {None}
    assert list(phases.meanings(found)) == ["llama-bench: its rows tell no phases"]


def opened_cells():
    record = {"build_commit": "0a1b2c3", "n_prompt": 8, "n_gen": 0, "samples_ns": [5, 6]}
    data = json.dumps({**record, "samples_ts": [1.6e9, 1333333333.333]}).encode() + b"\n"
    return [Repeated(None, detect.read(data), "a", 0)]


# --- from receipts -----------------------------------------------------------------------------


def test_a_window_on_record_gives_every_repetition_in_its_order(publisher):
    found = phases.of(opened("exact"))

    assert [one.place for one in found][:4] == ["plain/0", "tuned/0", "tuned/1", "plain/1"]
    assert len(found) == 10
    for one in found:
        assert one.prefill == 500
        assert one.prefill + one.decode + one.unlabelled == one.wall


def test_a_single_receipt_of_a_window_is_the_repetition_that_it_says(publisher):
    made = publisher.repetitions("exact")[4]
    (found,) = phases.of(opened(f"receipt://{made.digest}"))
    assert found.place == "plain/2"


def test_a_withheld_raw_file_leaves_its_repetition_absent_and_the_others_whole(publisher):
    digest = publisher.repetitions("exact")[2].require("raw")
    publisher.place.objects.withhold(digest, "a secret", system_clock)

    found = {one.place: one for one in phases.of(opened("exact"))}

    assert found["tuned/1"].wall is None
    assert "is withheld since" in found["tuned/1"].note
    assert found["plain/1"].wall is not None
    assert len(found) == 10


def test_a_lost_receipt_leaves_its_repetition_absent(publisher):
    made = publisher.repetitions("exact")[2]
    publisher.file_of(f"receipt://{made.digest}").unlink()
    found = {one.place: one for one in phases.of(opened("exact"))}
    assert "is not in the store" in found["tuned/1"].note
    assert sum(one.wall is not None for one in found.values()) == 9


@pytest.mark.parametrize("reference", ["other", "repetition"])
def test_timings_of_arms_that_differ_are_shown_by_no_receipt(publisher, reference):
    if reference == "repetition":
        reference = f"receipt://{publisher.repetitions('other')[0].digest}"
    with pytest.raises(VerificationError, match=r"NOT EXACT: .*; timings are withheld"):
        opened(reference)


def test_a_repetition_of_a_window_that_has_not_ended_is_withheld(publisher):
    made = publisher.repetitions("exact")[0]
    told = made.predicate.model_copy(update={"window": "never-ended"})
    uri = publisher.forge({"raw": made.require("raw")}, told)
    with pytest.raises(UndecidedError, match="its gate was not passed; timings withheld"):
        opened(uri)


def test_a_repetition_of_another_window_is_refused(publisher):
    others = publisher.receipt("noisy").predicate.repetitions
    made = publisher.receipt("exact")
    listed = [*others[:1], *made.predicate.repetitions[1:]]
    uri = publisher.altered("exact", repetitions=listed)
    with pytest.raises(VerificationError, match="repetition plain/0 is not of window exact"):
        opened(uri)


def test_a_raw_file_that_the_window_does_not_name_is_refused(publisher):
    made = publisher.receipt("exact")
    subjects = {s.name: f"sha256:{s.digest.sha256}" for s in made.statement.subject}
    subjects["plain/0"] = str(Digest.of(b"another"))
    uri = publisher.forge(subjects, made.predicate)
    with pytest.raises(VerificationError, match="plain/0 has another raw file than its window"):
        opened(uri)


def test_damaged_bytes_are_an_error_and_not_an_absence(publisher):
    publisher.flip(publisher.raw_of(publisher.repetitions("exact")[0]), 3)
    with pytest.raises(VerificationError, match="is damaged"):
        opened("exact")


def test_a_name_that_names_nothing_is_said_so(publisher):
    with pytest.raises(NotFoundError, match="no run in this ledger is called 'nothing'"):
        opened("nothing")
