import sys
from pathlib import Path

import pytest

from engine import plan
from receipts.digest import Digest
from receipts.errors import MalformedError, NotFoundError

TEXT = """\
version: 1
name: tuned-vs-plain
cell: decode-v64-w32
baseline:  {arm: plain, command: ["{python}", -m, m, --raw, "{raw}"]}
candidate: {arm: tuned, command: [./tuned, "{raw}", "5"]}
metrics: [decode_tok_s, ttft_ms]
"""


@pytest.fixture
def write(home):
    def write(text, *changes):
        for old, new in changes:
            assert text.count(old) == 1
            text = text.replace(old, new)
        path = Path("plan.yaml")
        path.write_text(text)
        return path

    return write


def refused(path):
    with pytest.raises(MalformedError) as caught:
        plan.read(path)
    return str(caught.value)


def test_a_plan_is_read_with_its_defaults(write):
    found = plan.read(write(TEXT)).plan

    assert (found.repetitions, found.exactness, found.cv_limit) == (6, "tokens", None)
    assert found.metrics == ["decode_tok_s", "ttft_ms"]
    assert found.candidate.command == ["./tuned", "{raw}", "5"]
    assert dict(found.arms()) == {"plain": found.baseline, "tuned": found.candidate}
    assert found.scope == {}


def test_the_digest_is_that_of_the_bytes(write):
    one = plan.read(write(TEXT))
    other = plan.read(write(TEXT + "# a remark\n"))

    assert one.digest == Digest.of(TEXT.encode())
    assert other.raw == (TEXT + "# a remark\n").encode()
    assert other.plan == one.plan
    assert other.digest != one.digest


def test_numbers_stay_the_text_that_they_are(write):
    limit = ("metrics:", "cv_limit: 0.10\nscope: {lane: greedy, batch: 1}\nmetrics:")

    found = plan.read(write(TEXT, limit)).plan

    assert found.cv_limit == "0.10"
    assert found.scope == {"lane": "greedy", "batch": "1"}


@pytest.mark.parametrize("repetitions", [5, 6, 1000])
def test_five_to_a_thousand_repetitions_are_accepted(write, repetitions):
    path = write(TEXT + f"repetitions: {repetitions}\n")

    assert plan.read(path).plan.repetitions == repetitions


@pytest.mark.parametrize(
    ("old", "new", "place", "complaint"),
    [
        ("metrics:", "repetitions: 4\nmetrics:", "6:1", "must be at least 5"),
        ("metrics:", "repetitions: 1001\nmetrics:", "6:1", "must be at most 1000"),
        ("ttft_ms", "tft_ms", "6:25", "no metric is called 'tft_ms'; known metrics: decode_tok_s"),
        ("[decode_tok_s, ttft_ms]", "[]", "6:1", "metrics"),
        ("arm: tuned", "arm: plain", "5:13", "both arms have one name"),
        ("name:", "nmae:", "1:1", "name: is missing"),
        ("cell:", "colour: red\ncell:", "3:1", "colour: unknown field"),
        ("arm: tuned,", "arm: tuned, env: x,", "5:25", "candidate.env: unknown field"),
        ("version: 1", "version: 3", "1:1", "version"),
        ("tuned-vs-plain", "tuned vs plain", "2:1", "name"),
        ("tuned-vs-plain", "t" * 49, "2:1", "name"),
        ('[./tuned, "{raw}", "5"]', "[]", "5:25", "candidate.command"),
        ('[./tuned, "{raw}", "5"]', "./tuned", "5:25", "candidate.command"),
        ('"5"', "true", "5:53", "candidate.command.2"),
        ("metrics:", "cv_limit: ten\nmetrics:", "6:1", "cv_limit"),
        ("metrics:", "cv_limit: -0.1\nmetrics:", "6:1", "cv_limit: must not be below zero"),
        ("metrics:", "repetitions: 6.0\nmetrics:", "6:1", "repetitions: must be a whole number"),
        ("metrics:", "exactness: close\nmetrics:", "6:1", "exactness"),
        ("metrics:", "name: again\nmetrics:", "6:1", "the key 'name' stands twice"),
        ("metrics:", "cv_limit:\nmetrics:", "6:", "the value is empty"),
        ("cell: decode", "cell: &a decode", "3:", "anchors (&a) are not allowed"),
        ("cell: decode", "cell: !x decode", "3:", "the tag !x is not allowed"),
        ("[decode_tok_s, ttft_ms]", "[decode_tok_s", "7:1: ", ""),
    ],
)
def test_a_fault_is_told_with_file_line_and_column(write, old, new, place, complaint):
    message = refused(write(TEXT, (old, new)))

    assert message.startswith(f"plan.yaml:{place}")
    assert complaint in message
    assert "\n" not in message


def test_a_plan_that_is_no_mapping_is_refused(write):
    assert refused(write("- a\n- b\n")).startswith("plan.yaml:1:1: ")


def test_a_missing_plan_is_named(home):
    with pytest.raises(
        NotFoundError, match=r"^gone\.yaml: the plan does not exist; check the path$"
    ):
        plan.read(Path("gone.yaml"))


def test_an_endless_plan_is_not_read_to_its_end():
    with pytest.raises(NotFoundError, match="is not a regular file"):
        plan.read(Path("/dev/zero"))


def test_placeholders_are_whole_words():
    command = ["{python}", "{raw}", "--raw={raw}", "x{python}", "{other}", "raw"]

    filled = plan.fill(command, Path("/tmp/a b"))

    assert filled == [sys.executable, "/tmp/a b", "--raw={raw}", "x{python}", "{other}", "raw"]
    assert command[0] == "{python}"
