"""What a table's marker means: layouts, and the evidence behind rows and columns of every kind."""

import re

import pytest

from claims.checks import grid
from receipts.errors import MalformedError
from tests.claims.paired import measure

LLAMA = {
    2048: (33.4012, 33.4261, 33.4480, 33.4195, 33.4302),
    8192: (28.1, 28.11, 28.12, 28.13, 28.14),
}
MUSER = {
    2048: (35.1123, 35.1586, 35.1939, 35.0973, 35.1701),
    8192: (29.2, 29.21, 29.22, 29.23, 29.24),
}


def test_a_layout_gives_each_header_its_meaning():
    found = grid.layout((("row", "depth"), ("cols", "Decode:decode_tok_s, Muser best:muser.max")))
    assert found.row == "depth"
    assert found.meaning("Decode") == found.meaning("decode (tok/s)") == "decode_tok_s"
    assert found.meaning("muser  best") == "muser.max"
    assert found.meaning("prefill") is None


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (("row", "depth"),),
        (("cols", "a:b"),),
        (("row", "depth"), ("cols", "a")),
        (("row", "depth"), ("cols", "a:b"), ("unit", "ms")),
        (("row", "depth"), ("row", "depth"), ("cols", "a:b")),
    ],
)
def test_a_layout_that_says_too_little_or_too_much_is_malformed(arguments):
    with pytest.raises(MalformedError):
        grid.layout(arguments)


@pytest.fixture(scope="module")
def found(shared_publisher):
    """Return a function from a page to the code, place and message of each finding."""
    p = shared_publisher
    for depth in (2048, 8192):
        sides = (("llama", LLAMA[depth]), ("muser", MUSER[depth]))
        measure(p, f"D{depth}", *sides, cell=f"decode-d{depth}", scope={"depth": depth})
    p.experiment("DEPTHS", "receipt://d2048", "receipt://d8192")
    change = {
        "id": "decode",
        "kind": "change",
        "wording": "The candidate decodes at {ratio:.3f}× the baseline (n = {n}).",
        "metric": "decode_tok_s",
        "statistic": "ratio_of_medians",
        "evidence": [{"entry": "DEPTHS", "cell": "decode-d2048"}],
    }
    measure(p, "DOTTED", ("llama.cpp", LLAMA[2048]), ("muser", MUSER[2048]))
    dotted = {**change, "id": "dotted", "evidence": [{"entry": "DOTTED"}]}
    p.publish(change, dotted, p.level)

    def check(text):
        result = p.check(text)
        pattern = re.compile(r"page\.md:(\d+:\d+): (CLM\d+) \S+ (.*)")
        matches = (pattern.match(line) for line in result.output.splitlines())
        return [(m[2], m[1], m[3]) for m in matches if m]

    return check


DEPTHS = """\
<!-- claim: decode row=depth cols="Muser:muser, llama.cpp:llama, ratio:ratio, n:n" -->
| depth | Muser (tok/s) | llama.cpp (tok/s) | ratio | n |
| ---: | ---: | ---: | ---: | ---: |
| 2,048 | 35.16 | 33.43 | 1.052× | 5 |
| 8,192 | {} | 28.12 | {} | 5 |
"""


def test_rows_select_the_window_of_their_depth_and_columns_its_arms(found):
    assert found(DEPTHS.format("29.22", "1.039×")) == []
    ((code, place, message),) = found(DEPTHS.format("35.16", "1.039×"))
    assert (code, place) == ("CLM111", "5:11")
    assert "row '8,192', column 'Muser (tok/s)'" in message
    assert [one[:2] for one in found(DEPTHS.format("29.22", "1.052×"))] == [("CLM111", "5:27")]
    assert found(DEPTHS.replace("8,192", "4,096").format("29.22", "1.039×"))[0][0] == "CLM111"


def test_swapped_columns_are_wrong_cells(found):
    table = DEPTHS.format("29.22", "1.039×")
    swapped = table.replace("Muser:muser, llama.cpp:llama", "Muser:llama, llama.cpp:muser")
    assert {one[0] for one in found(swapped)} == {"CLM111"}


ARMS = """\
<!-- claim: decode row=arm cols="median:median, least:min, most:max, CV:cv" -->
| engine | median | least | most | CV (%) |
| --- | ---: | ---: | ---: | ---: |
| Muser | 35.1586 | 35.0973 | 35.1939 | {} |
| llama.cpp | 33.4261 | 33.4012 | 33.4480 | 0.05 |
"""


def test_rows_may_be_arms_and_columns_their_statistics(found):
    assert found(ARMS.format("0.12")) == []
    assert [one[0] for one in found(ARMS.format("0.21"))] == ["CLM111"]


REPETITIONS = """\
<!-- claim: decode row=run cols="Muser:muser, ratio:ratio" -->
| run | Muser (tok/s) | ratio |
| --- | --- | --- |
| 0 | 35.1123 | 1.0512× |
| 1 | {} | 1.0518× |
| median | 35.1586 | 1.0518× |
"""


def test_rows_may_be_repetitions_counted_from_nought_with_a_statistic_below(found):
    assert found(REPETITIONS.format("35.1586")) == []
    assert [one[:2] for one in found(REPETITIONS.format("35.1939"))] == [("CLM111", "5:7")]


CLAIMS = """\
Medians; prefill of three runs:

<!-- claim: decode row=claim cols="value:value" -->
| claim | value |
| --- | --- |
| prefill | {} |
"""


def test_rows_may_name_claims(found):
    assert found(CLAIMS.format("163.77 tok/s")) == []
    assert [one[0] for one in found(CLAIMS.format("165.77 tok/s"))] == ["CLM111"]


@pytest.mark.parametrize("what", ["nothing", "prefill_tok_s", "muser.nothing"])
def test_a_column_of_nothing_in_the_evidence_is_named(found, what):
    table = DEPTHS.format("29.22", "1.039×").replace("ratio:ratio", f"ratio:{what}")
    assert {one[0] for one in found(table)} == {"CLM111"}


def test_a_header_that_the_table_does_not_have_is_named(found):
    table = DEPTHS.format("29.22", "1.039×").replace("ratio:ratio", "speed-up:ratio")
    assert ("CLM012", "1:1") in [one[:2] for one in found(table)]


DOTTED = """\
<!-- claim: dotted row=repetition cols="llama.cpp:llama.cpp, Muser:muser" -->
| repetition | llama.cpp (tok/s) | Muser (tok/s) |
| ---: | ---: | ---: |
| 1 | {} | 35.112 |
| min | 33.401 | 35.097 |
"""


def test_an_arm_may_have_a_point_in_its_name(found):
    assert found(DOTTED.format("33.401")) == []
    assert [one[:2] for one in found(DOTTED.format("33.410"))] == [("CLM111", "4:7")]
