"""What a table's marker means: layouts, and the evidence behind rows and columns of every kind."""

import re

import pytest

from claims.checks import layouts
from claims.registers import wording
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
    found = layouts.layout(
        (("row", "depth"), ("cols", "Decode:decode_tok_s, Muser best:muser.max"))
    )
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
        layouts.layout(arguments)


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
    # A claim that is called as an arm is.
    muser = {**change, "id": "muser", "evidence": [{"entry": "D8192"}]}
    p.publish(change, dotted, muser, p.level)

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


BASELINE = """\
<!-- claim: decode row=arm cols="decode:median, speed-up:ratio, gain:percent" -->
| engine | decode (tok/s) | speed-up | gain |
| --- | ---: | ---: | ---: |
| llama | 33.43 | {} | {} |
| Muser | 35.16 | {} | 5.2 % |
"""


def test_the_baseline_is_held_against_itself_in_a_column_of_changes(found):
    assert found(BASELINE.format("1.00×", "0 %", "1.052×")) == []
    swapped = found(BASELINE.format("1.052×", "0 %", "1.00×"))
    assert [one[0] for one in swapped] == ["CLM111", "CLM111"]
    assert [one[0] for one in found(BASELINE.format("1.00×", "5.2 %", "1.052×"))] == ["CLM111"]


OWN_ROW = """\
| engine | decode (tok/s) | speed-up |
| --- | ---: | ---: |
| {} | 33.43<!--claim:decode#baseline--> | {} |
| Muser | 35.16<!--claim:decode#candidate--> | 1.052×<!--claim:decode--> |
"""


def test_the_row_of_the_baseline_needs_no_claim_for_what_it_is_by_definition(found):
    assert found(OWN_ROW.format("llama", "1.00×")) == []
    assert found(OWN_ROW.format("the old one", "1×")) == []
    assert [one[0] for one in found(OWN_ROW.format("llama", "1.01×"))] == ["CLM101"]
    other = OWN_ROW.replace("decode#baseline", "decode#candidate").replace("33.43", "35.16")
    assert "CLM101" in {one[0] for one in found(other.format("Muser", "1.00×"))}


def test_an_arm_is_read_before_a_claim_that_is_called_alike(found):
    """MRK-14: a metric, an arm, a statistic or value, and last another claim's id."""
    assert found(REPETITIONS.format("35.1586")) == []
    level = '<!-- claim: decode row=claim cols="ratio:ratio" -->\n| claim | ratio |\n'
    assert found(f"{level}| --- | --- |\n| muser | 1.039× |\n") == []


NAMED = """\
<!-- claim: decode row=depth cols="{0}:muser" -->
| depth | {0} | note |
| ---: | ---: | --- |
| 2,048 | 35.16 tok/s | {1} |
| 8,192 | 29.22 tok/s | {1} |
"""


@pytest.mark.parametrize(
    ("header", "note", "code"),
    [
        ("Llama-3.1-8B", "greedy", None),
        ("Llama-3.1-70B", "greedy", "CLM217"),
        ("Muser", "Llama-3.1-70B", "CLM217"),
        ("Muser", "Llama-3.1-8B", None),
        ("Llama-3.1-70B", "Llama-3.1-8B", None),
        ("Muser on every model", "greedy", "CLM203"),
        ("mean of Muser", "greedy", "CLM205"),
        ("median of Muser", "greedy", None),
        ("fastest", "greedy", "CLM205"),
    ],
)
def test_header_and_row_of_a_bound_table_speak_of_its_evidence(found, header, note, code):
    """MRK-18 and MRK-23: what a column says is told once, at its first cell."""
    codes = [one[0] for one in found(NAMED.format(header, note))]
    assert codes == ([] if code is None else [code] * (2 if note == "Llama-3.1-70B" else 1))


def test_a_column_called_slowest_that_shows_the_most_is_refused(found):
    table = '<!-- claim: decode row=arm cols="{0}:{1}" -->\n| engine | {0} |\n| --- | --- |\n'
    row = "| Muser | {2} tok/s |\n"
    assert found(f"{table}{row}".format("slowest", "min", "35.0973")) == []
    assert [one[0] for one in found(f"{table}{row}".format("slowest", "max", "35.1939"))] == [
        "CLM205"
    ]
    assert [one[0] for one in found(f"{table}{row}".format("median", "min", "35.0973"))] == [
        "CLM205"
    ]


UNGATED = """\
<!-- claim: ungated row=arm cols="decode:median, speed-up:ratio" -->
| arm | decode (tok/s) | speed-up |
| --- | ---: | ---: |
| plain | {} | 1.00× |
| tuned | {} | {}× |
"""


def test_what_a_sentence_must_say_of_its_gate_is_not_asked_of_every_cell(publisher, walk):
    walk("UNGATED", exactness="none")
    said = (
        "The tuned decoder runs at {ratio:.2f}× the plain one (n = {n}), without an exactness gate."
    )
    claim = {**publisher.change, "id": "ungated", "wording": said}
    claim |= {"evidence": [{"entry": "UNGATED"}]}
    values = publisher.judge(claim).values
    publisher.publish(claim)
    plain, tuned = (f"{round(values[name] / 1000)}k" for name in ("baseline", "candidate"))
    shown = plain, tuned, wording.display(values["ratio"], 2)
    result = publisher.check(UNGATED.format(*shown))
    assert result.exit_code == 0, result.output
