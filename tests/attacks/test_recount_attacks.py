"""Validly signed lies about figures: `ledger verify` sees none of them, `claims audit` names each.

Every attack has an honest twin: the delta that `ledger add` writes from the same window, which the
recount passes figure for figure.
"""

import json
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction

import pytest

from claims.recount import reducers
from receipts.digest import Digest


@pytest.fixture(scope="module")
def _audited_once(shared_publisher):
    """Add the honest entry TRUE of the window `exact`, as a person does."""
    added = shared_publisher.ledger(
        *("add", "--title", "tuned", "--label", "TRUE", "--verdict", "landed: faster"),
        *("--evidence", "receipt://exact"),
    )
    assert added.exit_code == 0, added.output
    return shared_publisher


@pytest.fixture
def books(_audited_once, copied):
    """Return a publisher with an honest delta in the ledger."""
    return copied(_audited_once)


def honest(publisher):
    """Return the delta of TRUE as plain values."""
    shown = json.loads(publisher.ledger("show", "TRUE", "--json").stdout)
    return shown["body"]["delta"][0]


def add(publisher, label, delta, **fields):
    """Append an entry with this delta through the writer, signed by an engineer."""
    cited = [{"receipt": uri} for uri in delta["runs"]]
    fields = {"evidence": cited, "verdict": {"outcome": "measured-only"}, **fields}
    return publisher.append("engineer", kind="ENTRY", label=label, delta=[delta], **fields)


def audit(publisher):
    """Run `claims audit --json`; return the exit code and the report."""
    result = publisher.claims("audit", "--json")
    return result.exit_code, json.loads(result.stdout)


def named(report):
    """Return subject, field, printed and recomputed of every difference."""
    names = ("subject", "field", "printed", "recomputed")
    return [tuple(one[name] for name in names) for one in report["differences"]]


def digests(publisher):
    """Return the digest of every file of the workspace: ledger, stores, register, pages."""
    paths = [path for path in publisher.root.rglob("*") if path.is_file()]
    return {str(path): Digest.of_file(path) for path in paths}


def last_digit(text, by=1):
    """Return a decimal with its last digit off by one."""
    number = Decimal(text)
    return str(number + by * Decimal(1).scaleb(number.as_tuple().exponent))


def samples(publisher, arm):
    """Return the decode rates of one arm of `exact`, worked out from the raw files by hand."""
    found = []
    for made in publisher.repetitions("exact"):
        if made.predicate.arm == arm:
            row = json.loads(publisher.raw_of(made).read_text().splitlines()[1])
            found.append(Fraction(4 * 10**9, sum(row["token_ns"])))
    return found


def test_an_honest_ledger_is_recounted_and_nothing_is_written(books):
    before = digests(books)
    code, report = audit(books)
    assert (code, report["differences"], report["unresolved"]) == (0, [], [])
    assert report["evidence_verdict"] == report["decision_verdict"] == "holds"
    assert report["checked"]["figures"] == report["checked"]["agree"] > 100
    assert digests(books) == before


def test_two_signed_lies_pass_verify_and_exactly_these_two_are_named(books):
    off, relabelled = honest(books), honest(books)
    true = off["candidate"]["value"]
    off["candidate"]["value"] = last_digit(true)
    relabelled["ddof"] = 0
    add(books, "DIGIT", off)
    add(books, "SPREAD", relabelled)
    before = digests(books)

    verified = books.process("ledger", "verify")
    audited = books.process("claims", "audit")

    assert verified.returncode == 0, verified.stdout
    assert audited.returncode == 1
    assert digests(books) == before
    report = json.loads(books.claims("audit", "--json").stdout)
    ours, theirs = samples(books, "plain"), samples(books, "tuned")
    place = "delta.0 decode_tok_s"
    spread = [reducers.spell(reducers.relative_deviation(arm, 0)) for arm in (ours, theirs)]
    assert sorted(named(report)) == sorted(
        [
            (f"entry {index} DIGIT", f"{place}.candidate.value", off["candidate"]["value"], true)
            for index in [entry_of(books, "DIGIT")]
        ]
        + [
            (f"entry {index} SPREAD", f"{place}.{role}.cv", relabelled[role]["cv"], cv)
            for index in [entry_of(books, "SPREAD")]
            for role, cv in zip(("baseline", "candidate"), spread, strict=True)
        ]
    )
    assert [one["why"] for one in report["differences"]] == [
        "a last digit off",
        "that is the CV with ddof 1",
        "that is the CV with ddof 1",
    ]
    shown = audited.stdout.splitlines()
    at = next(n for n, line in enumerate(shown) if "DIGIT" in line)
    rows = ", ".join(f"tuned/{n} {reducers.spell(rate)}" for n, rate in enumerate(theirs))
    assert shown[at + 1 : at + 4] == [
        "        formula: median of 5",
        f"        rows: {rows}",
        f"        receipt: {books.uri('exact')}",
    ]
    assert shown[-2] == "evidence fails; decision holds"


def entry_of(publisher, label):
    return json.loads(publisher.ledger("show", label, "--json").stdout)["index"]


def swapped_arms(delta):
    delta["baseline"], delta["candidate"] = delta["candidate"], delta["baseline"]


def swapped_values(delta):
    old, new = delta["baseline"], delta["candidate"]
    old["value"], new["value"] = new["value"], old["value"]


def one_more(delta):
    delta["n"] += 1


def swapped_ends(delta):
    side = delta["candidate"]
    side["min"], side["max"] = side["max"], side["min"]


def other_unit(delta):
    delta["unit"] = "req/s"


def flipped(delta):
    delta["polarity"] = "lower"


def truncated(delta):
    """Cut the ratio instead of rounding it, at the last digit where that is another number."""
    exact = Fraction(delta["candidate"]["value"]) / Fraction(delta["baseline"]["value"])
    for decimals in range(1, 8):
        cut = str(int(exact * 10**decimals)).rjust(decimals + 1, "0")
        text = f"{cut[:-decimals]}.{cut[-decimals:]}"
        if reducers.display(exact, decimals) != text:
            delta["ratio"] = text
            return
    raise AssertionError("the ratio is short")


def swallowed(delta):
    delta["change"] = "0"


def percent(delta):
    delta["change"] = str(Decimal(delta["change"]) * 100)


def turned(delta):
    delta["change"] = f"-{delta['change']}"


def better_word(delta):
    delta["standing"] = "condemned"


def upside_down(delta):
    delta["convention"] = "median(baseline) / median(candidate), above 1 the candidate wins"


PLACE = "delta.0 decode_tok_s"
SIDES = ("arm", "value", "min", "max", "cv")
ATTACKS = {
    swapped_arms: {f"{side}.{name}" for side in ("baseline", "candidate") for name in SIDES},
    swapped_values: {"baseline.value", "candidate.value"},
    one_more: {"n"},
    swapped_ends: {"candidate.min", "candidate.max"},
    other_unit: {"unit"},
    flipped: {"polarity"},
    truncated: {"ratio"},
    swallowed: {"change"},
    percent: {"change"},
    turned: {"change"},
    better_word: {"standing"},
    upside_down: {"convention"},
}
HINTS = {
    swapped_values: "that is the median of the other arm",
    swapped_ends: "that is the largest",
    truncated: "cut off, not rounded",
    swallowed: "rounded until nothing is left of it",
    percent: "that is the change in percent",
    turned: "the sign is turned",
}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_a_signed_delta_that_lies_is_named_field_for_field(attack, books):
    delta = honest(books)
    twin = deepcopy(delta)
    attack(delta)
    assert delta != twin
    add(books, "TWIN", twin)
    add(books, "LIE", delta)
    code, report = audit(books)
    found = {one["field"].removeprefix(f"{PLACE}.") for one in report["differences"]}
    subjects = {one["subject"].split()[-1] for one in report["differences"]}
    assert (code, found, subjects) == (1, ATTACKS[attack], {"LIE"})
    assert report["evidence_verdict"] == "fails"
    if attack in HINTS:
        assert HINTS[attack] in {one["why"] for one in report["differences"]}
    assert books.ledger("verify").exit_code == 0


FIELDS = [
    ("change",),
    ("ratio",),
    *((side, name) for side in ("baseline", "candidate") for name in ("value", "cv", "min", "max")),
]


def test_no_figure_of_a_delta_can_be_changed_by_a_digit_unnoticed(books):
    labels = {}
    for number, (*path, last) in enumerate(FIELDS):
        for step in (-1, 1):
            delta = honest(books)
            inner = delta[path[0]] if path else delta
            inner[last] = last_digit(inner[last], step)
            label = f"X{number}{'u' if step > 0 else 'd'}"
            labels[label] = f"{PLACE}.{'.'.join([*path, last])}"
            add(books, label, delta)
    code, report = audit(books)
    found = {one["subject"].split()[-1]: one["field"] for one in report["differences"]}
    assert (code, found) == (1, labels)
    assert len(report["differences"]) == len(labels) == 20
    assert books.ledger("verify").exit_code == 0


def test_a_delta_of_another_window_is_named_with_that_window(books):
    books.ledger("add", "--title", "n", "--label", "N", "--verdict", "miss", *cites("noisy"))
    shown = json.loads(books.ledger("show", "N", "--json").stdout)["body"]["delta"][0]
    delta = honest(books)
    stolen = deepcopy(shown) | {"runs": delta["runs"]}
    add(books, "STOLEN", stolen)
    code, report = audit(books)
    assert code == 1
    assert {one["subject"].split()[-1] for one in report["differences"]} == {"STOLEN"}
    change = next(one for one in report["differences"] if one["field"].endswith(".change"))
    assert (change["printed"], change["why"]) == (
        shown["change"],
        "that is the figure of receipt noisy",
    )


def cites(name):
    return "--evidence", f"receipt://{name}"


def test_a_delta_over_a_window_that_the_entry_does_not_cite_is_named(books):
    add(books, "BESIDE", honest(books), evidence=[{"receipt": books.uri("noisy")}])
    code, report = audit(books)
    assert code == 1
    index = entry_of(books, "BESIDE")
    place = f"{PLACE}.runs"
    assert named(report) == [(f"entry {index} BESIDE", place, books.uri("exact"), "cited")]


def test_a_receipt_that_disagrees_with_its_rows_is_a_runners_lie(books):
    made = books.receipt("cells")
    figures = list(made.predicate.figures)
    figures[1] = figures[1].model_copy(update={"value": last_digit(figures[1].value)})
    lie = made.predicate.model_copy(update={"figures": figures})
    uri = books.forge({"raw": made.require("raw")}, lie, by="engineer")
    assert books.ledger("verify").exit_code == 0
    code, report = audit(books)
    assert code == 1
    (one,) = report["differences"]
    assert one["field"] == "prefill_ms n_ubatch=256 median"
    assert (one["receipt"], one["why"]) == (uri, "a last digit off")


def test_a_window_whose_comparison_was_touched_up_is_named_and_so_is_the_delta_on_it(books):
    made = books.receipt("exact").predicate
    better = made.comparisons[0]
    best = better.candidate.model_copy(update={"value": "9999999"})
    changed = better.model_copy(update={"candidate": best})
    uri = books.altered("exact", comparisons=[changed])
    added = books.ledger(
        "add", "--title", "t", "--label", "T", "--verdict", "miss", "--evidence", uri
    )
    assert added.exit_code == 0
    code, report = audit(books)
    fields = [(one["subject"].split()[0], one["field"]) for one in report["differences"]]
    assert code == 1
    assert fields == [
        ("receipt", "decode_tok_s.candidate.value"),
        ("entry", "delta.0 decode_tok_s.candidate.value"),
    ]


def test_a_window_that_calls_other_tokens_exact_is_named(books):
    exact = books.receipt("other").predicate.exactness
    assert exact.result == "differs"
    word = exact.model_copy(update={"result": "exact", "first_difference": None})
    uri = books.altered("other", exactness=word)
    books.ledger("add", "--title", "t", "--label", "T", "--verdict", "pass", "--evidence", uri)
    code, report = audit(books)
    found = [(one["field"], one["printed"], one["recomputed"]) for one in report["differences"]]
    assert code == 1
    assert found == [("exactness", "exact", "differs"), ("gate exactness", "pass", "fail")]


def test_an_approved_sentence_whose_number_does_not_follow_is_named(books):
    (sentence,) = books.publish(books.change)
    assert audit(books)[0] == 0
    shown = books.ledger("list", "--kind", "APPROVAL", "--json").stdout
    last = json.loads(books.ledger("show", str(json.loads(shown)[-1]["index"]), "--json").stdout)
    body = last["body"] | {"sentence": sentence.replace("1.25×", "1.26×")}
    index = books.append(kind="APPROVAL", **body).index
    assert books.ledger("verify").exit_code == 0
    code, report = audit(books)
    subject = f"entry {index} approval of tuned"
    assert (code, named(report)) == (1, [(subject, "{ratio:.2f}", "1.26", "1.25")])


def test_a_sentence_that_was_approved_in_other_words_is_named(books):
    books.publish(books.change)
    shown = json.loads(books.ledger("list", "--kind", "APPROVAL", "--json").stdout)
    last = json.loads(books.ledger("show", str(shown[-1]["index"]), "--json").stdout)
    books.append(kind="APPROVAL", **last["body"] | {"sentence": "It is twice as fast."})
    code, report = audit(books)
    assert (code, [one["field"] for one in report["differences"]]) == (1, ["sentence"])


def test_an_entry_whose_window_was_forged_for_another_arm_is_no_evidence(books):
    made = books.receipt("exact").predicate
    listed = list(made.repetitions)
    listed[0] = listed[0].model_copy(update={"receipt": listed[1].receipt})
    books.altered("exact", repetitions=listed)
    code, report = audit(books)
    reasons = {one["why"] for one in report["unresolved"]}
    assert (code, reasons) == (3, {"repetition plain/0 is not of window exact"})


def test_a_delta_over_arms_that_differ_is_named_and_no_timing_is_shown(books):
    window = books.uri("other")
    delta = honest(books) | {"runs": [window]}
    add(books, "INEXACT", delta)
    code, report = audit(books)
    (one,) = report["differences"]
    assert (code, one["field"], one["printed"]) == (1, PLACE, "a delta")
    assert "rows" not in one
    text = books.claims("audit").stdout
    assert "tuned/" not in text
    assert "arms whose tokens differ have no ratio" in text


def test_a_comparison_over_arms_that_differ_is_named(books):
    compared = books.receipt("exact").predicate.comparisons
    books.altered("other", comparisons=compared)
    code, report = audit(books)
    (one,) = report["differences"]
    assert (code, one["field"], one["recomputed"]) == (1, "decode_tok_s", "none")


def test_some_repetitions_of_a_window_are_no_evidence_of_a_delta(books):
    listed = [f"receipt://{one.digest}" for one in books.repetitions("exact")]
    for chosen, why in (
        (listed[:6], "plain/0 is a repetition of exact, which the delta does not name"),
        (listed[:1] * 2, "the delta names one run twice"),
    ):
        add(books, f"L{len(chosen)}", honest(books) | {"runs": chosen})
        code, report = audit(books)
        assert (code, report["unresolved"][-1]["why"]) == (3, why)


def test_a_window_that_counts_one_repetition_twice_is_unreadable(books):
    listed = books.receipt("exact").predicate.repetitions
    books.altered("exact", repetitions=[*listed, listed[0], listed[1]])
    code, report = audit(books)
    reasons = {one["why"] for one in report["unresolved"]}
    assert (code, reasons) == (3, {"window exact names one receipt twice in arm plain"})


def test_a_mean_that_is_called_a_median_is_named_for_what_it_is(books):
    delta = honest(books)
    rates = samples(books, "tuned")
    delta["candidate"]["value"] = reducers.spell(reducers.mean(rates))
    add(books, "MEAN", delta)
    code, report = audit(books)
    (one,) = report["differences"]
    assert (code, one["why"]) == (1, "that is the mean")


def test_a_convention_in_words_of_ones_own_is_left_out_by_name(books):
    add(books, "WORDS", honest(books) | {"convention": "new over old"})
    code, report = audit(books)
    assert code == 0
    assert report["left_out"] == {"conventions of deltas in words of one's own": 1}


# --- rows that are not to be had ----------------------------------------------------------------


def test_a_raw_file_that_is_gone_leaves_the_answer_open(books):
    first = books.repetitions("exact")[0]
    books.raw_of(first).unlink()
    code, report = audit(books)
    assert (code, report["evidence_verdict"]) == (3, "undecided")
    assert {one["outcome"] for one in report["unresolved"]} == {"unreadable"}
    assert {"entry", "receipt"} == {one["subject"].split()[0] for one in report["unresolved"]}
    assert report["differences"] == []
    assert report["checked"]["agree"] > 10
    text = books.claims("audit").stdout
    assert f"object {first.require('raw')} is not in the store" in text


def test_a_raw_file_of_other_bytes_leaves_the_answer_open(books):
    books.flip(books.raw_of(books.repetitions("exact")[0]), 40)
    code, report = audit(books)
    assert code == 3
    assert all("is damaged" in one["why"] for one in report["unresolved"])


def test_a_raw_file_that_was_withheld_is_said_to_be(books):
    digest = books.receipt("steady").require("raw")
    done = books.process("receipts", "withhold", digest, "--reason", "a host name was in it")
    assert done.returncode == 0, done.stderr
    result = books.claims("audit")
    assert result.exit_code == 3
    told = [line for line in result.stdout.splitlines() if line.startswith("withheld")]
    assert len(told) == 1
    assert told[0].startswith("withheld  receipt steady: ")
    assert told[0].endswith(": a host name was in it")
    assert result.stdout.splitlines()[-2] == "evidence undecided; decision holds"


def test_a_difference_outweighs_what_could_not_be_read(books):
    delta = honest(books)
    one_more(delta)
    add(books, "LIE", delta)
    books.raw_of(books.receipt("steady")).unlink()
    code, report = audit(books)
    assert (code, len(report["differences"])) == (1, 1)
    assert report["unresolved"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"statistic": "best of ten"}, "this recount has no statistic called 'best of ten'"),
        ({"metric": "happiness"}, "no metric is called 'happiness'"),
        ({"metric": "e2e_ms"}, "the rows of plain/0 hold no e2e_ms; they hold"),
        ({"runs": []}, "the delta names no run"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_delta_that_nobody_can_recompute_never_passes(changes, why, books):
    delta = honest(books) | changes
    add(books, "OPAQUE", delta, evidence=[{"receipt": books.uri("exact")}])
    code, report = audit(books)
    (one,) = report["unresolved"]
    assert (code, one["outcome"]) == (3, "not recomputable")
    assert one["why"].startswith(why)


def test_a_broken_chain_is_not_recounted(books):
    books.flip_row(3, 40)
    result = books.claims("audit")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "CLM301" in result.stderr
    assert "nothing was recounted" in result.stderr


# --- what was taken back ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("retract", "LIE"), "retracted"),
        (("supersede", "LIE", "--replacement", "TRUE"), "superseded"),
        (("correct", "LIE", "--affects", "delta"), "corrected"),
        (("amend", "LIE", "--bars", "decode_tok_s"), "barred"),
    ],
)
def test_a_lie_that_was_taken_back_is_told_and_no_longer_fails(words, told, books):
    delta = honest(books)
    delta["n"] += 1
    add(books, "LIE", delta)
    done = books.ledger(*words, "--reason", "miscounted")
    assert done.exit_code == 0, done.output
    code, report = audit(books)
    (one,) = report["struck"]
    assert (code, report["differences"]) == (0, [])
    assert one["struck"].startswith(f"{told} by entry ")


def test_a_correction_of_something_else_leaves_the_lie_standing(books):
    delta = honest(books)
    delta["n"] += 1
    add(books, "LIE", delta)
    books.ledger("correct", "LIE", "--reason", "a typo", "--affects", "lesson")
    assert audit(books)[0] == 1


@pytest.mark.parametrize(("text", "code"), [("5", 0), ("6", 1)])
def test_what_a_correction_restates_must_follow_from_the_rows_too(text, code, books):
    delta = honest(books)
    delta["n"] += 2
    add(books, "LIE", delta)
    done = books.ledger(
        "correct", "LIE", "--reason", "miscounted", "--restated", f"delta.0.n={text}"
    )
    assert done.exit_code == 0, done.output
    found, report = audit(books)
    assert found == code
    assert [one["field"] for one in report["differences"]] == ["restated delta.0.n"][:code]
