"""The command `engine report` over windows that were really walked: tables, phases, pictures."""

import json
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest
from click.testing import CliRunner

from engine import cli_report

PICTURES = pytest.importorskip("matplotlib", reason="not run: matplotlib is not installed")


def invoke(*words):
    words = ["report", *map(str, words)]
    return CliRunner().invoke(cli_report._alone, words, catch_exceptions=False)


def texts(path):
    root = ElementTree.fromstring(path.read_bytes())
    return ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_window_prints_the_table_that_it_printed_when_it_ended(publisher):
    printed = invoke("exact")

    assert printed.exit_code == 0
    lines = printed.stdout.splitlines()
    assert "decode_tok_s (tok/s, higher is better), exact in every repetition" in lines
    assert any("ratio 1.24938 = median(candidate) / median(baseline)" in line for line in lines)
    assert any(line.split()[:3] == ["plain", "5", "998004"] for line in lines)


def test_the_pairs_say_their_interval_with_the_confidence_that_it_attains(publisher):
    value = json.loads(invoke("exact", "--json").stdout)

    said = value["pairs"]["decode_tok_s"]
    assert said["n"] == 5
    assert said["interval"]["confidence"] == 0.9375
    low, high = said["interval"]["low"], said["interval"]["high"]
    assert low < Fraction(value["comparisons"][0]["ratio"]) < high
    text = invoke("exact").stdout
    assert "Walsh [1.2488, 1.2500] at 93.8 %; FASTER: 1.24876 to 1.25 lies above 1" in text


def test_a_window_that_differs_has_no_timing_anywhere_and_exits_1(publisher):
    result = invoke("other", "--json")

    assert result.exit_code == 1
    value = json.loads(result.stdout)
    assert value["comparisons"] == []
    assert "pairs" not in value
    assert "NOT EXACT" in invoke("other").stdout
    assert invoke("other", "--phases").exit_code == 1


def test_rows_that_give_another_ratio_than_the_receipt_are_not_shown(publisher):
    made = publisher.receipt("exact").predicate.comparisons[0]
    uri = publisher.altered("exact", comparisons=[made.model_copy(update={"ratio": "9.9"})])

    result = invoke(uri)

    assert (result.exit_code, result.stdout) == (1, "")
    assert "its rows give another decode_tok_s" in result.stderr


def test_rows_that_give_another_exactness_than_the_receipt_are_not_shown(publisher):
    made = publisher.receipt("other").predicate
    fine = made.exactness.model_copy(update={"result": "exact", "first_difference": None})
    compared = publisher.receipt("exact").predicate.comparisons
    uri = publisher.altered("other", exactness=fine, comparisons=compared)

    result = invoke(uri)

    assert (result.exit_code, result.stdout) == (1, "")
    assert "its rows give another exactness" in result.stderr


def test_the_same_window_gives_the_same_picture(publisher):
    for name in ("one", "two"):
        words = ["--svg", f"{name}.svg", "--png", f"{name}.png"]
        result = invoke("exact", *words)
        assert result.stderr == f"wrote {name}.svg\nwrote {name}.png\n"
    for kind in ("svg", "png"):
        one, two = (publisher.root / f"{name}.{kind}" for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    told = texts(publisher.root / "one.svg")
    assert "median(tuned) / median(plain)" in told
    assert any("1.2494  [1.2488, 1.25] at 93.75 %" in text for text in told)


def test_a_window_that_differs_keeps_its_line_in_the_picture_of_all(publisher):
    result = invoke("exact", "other", "--svg", "all.svg")

    told = texts(publisher.root / "all.svg")
    assert result.exit_code == 1
    assert "no timing" in told
    assert any("NOT EXACT: tuned repetition 1" in text for text in told)
    assert {"exact: decode_tok_s", "other"} <= set(told)


def test_only_windows_that_differ_make_no_picture(publisher):
    result = invoke("other", "--svg", "none.svg")
    assert (result.exit_code, result.stdout) == (3, "")
    assert not (publisher.root / "none.svg").exists()


def test_a_picture_is_never_replaced_and_nothing_is_printed_then(publisher):
    (publisher.root / "taken.svg").write_text("mine")
    result = invoke("exact", "--svg", "taken.svg")
    assert (result.exit_code, result.stdout) == (4, "")
    assert (publisher.root / "taken.svg").read_text() == "mine"


def test_phases_are_a_table_and_json_with_what_the_words_mean(publisher):
    result = invoke("exact", "--phases")
    assert result.stdout.splitlines()[0].split() == [
        "repetition", "prefill", "ms", "decode", "ms", "unlabelled", "ms", "wall", "ms",
    ]  # fmt: skip
    assert "wall from the start of its process to the end, by the runner" in result.stdout
    value = json.loads(invoke("exact", "--phases", "--json").stdout)
    assert [one["repetition"] for one in value["repetitions"]][:2] == ["plain/0", "tuned/0"]


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["exact", "--phases", "--svg", "x.svg"], 2, "--phases has no picture"),
        ([], 2, "Missing argument"),
        (["steady"], 4, "is the receipt of a run; name a window"),
        (["nothing"], 4, "no run in this ledger is called"),
        (["exact", "exact", "--phases"], 4, "is named twice"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_line(publisher, words, code, complaint):
    result = invoke(*words)
    assert result.exit_code == code
    assert complaint in result.stderr
    assert result.stdout == ""
