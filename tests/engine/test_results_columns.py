import contextlib
import csv
import gzip
import io
import json
import re
import shutil
import subprocess
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.metrics import METRICS
from engine.results import columns, detect
from engine.results.columns import parse
from engine.results.model import select
from engine.results.refusals import EXCLUDE_FAILED, ResultError
from receipts.errors import UsageError
from tests.fixtures import llama_batched
from tests.fixtures.mutation import mutants

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats" / "columns.md"


def example(language):
    text = PAGE.read_text(encoding="utf-8")
    return re.search(rf"^ *```{language}\n(.*?)^ *```", text, re.S | re.M)[1]


EXAMPLE = example("csv").encode()
DECLARED = example("text").splitlines()
TIME = ["ttft_ms=t:s"]


def read(data, *declared):
    data = data if isinstance(data, bytes) else data.encode()
    return detect.read(data, columns=parse(declared or TIME))


def values(data, *declared, metric="ttft_ms"):
    (run,) = read(data, *declared).runs
    return list(run.samples[metric])


def refusal(data, *declared):
    with pytest.raises(ResultError) as caught:
        read(data, *declared)
    return caught.value


def usage(*declared):
    with pytest.raises(UsageError) as caught:
        parse(declared)
    return str(caught.value)


def names(notes):
    return [note.name for note in notes]


def test_the_example_of_the_page_gives_what_the_page_says():
    file = read(EXAMPLE, *DECLARED)
    one, eight = select(file, {"batch": 1}), select(file, {"batch": 8})

    assert len(file.runs) == 2
    assert list(one.samples["ttft_ms"]) == [125, 130]
    assert list(one.samples["decode_tok_s"]) == [Fraction("38.4"), Fraction("38.2")]
    assert [row["status"] for row in eight.rows] == ["ok", "failed"]
    assert [str(note) for note in file.notes] == [
        "rows-left-out: 1 of 5 rows do not have phase 'measure'"
    ]
    assert detect.lines(file, one) == []


@pytest.mark.skipif(not shutil.which("awk"), reason="not run: awk is not installed")
def test_the_example_recomputes_with_the_stock_tool_of_the_page(tmp_path):
    (tmp_path / "runs.csv").write_bytes(EXAMPLE)
    done = subprocess.run(
        ["bash", "-c", example("sh")], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "127.5\n"


@pytest.mark.parametrize(
    "text",
    ["", "ttft_ms", "ttft_ms=", "ttft_ms=t", "ttft_ms=:ms", "=t:ms", "by=", "status=x", "a\0=t:ms"],
)
def test_col_1_a_declaration_of_another_form_is_refused_with_the_forms(text):
    assert "write METRIC=COLUMN:UNIT, status=COLUMN:VALUE" in usage(text)


def test_col_1_there_are_limits():
    assert "over 64" in usage(*["by=a"] * 65)
    assert "declares no column" in usage(f"ttft_ms={'x' * 400}:ms")


def test_col_1_a_column_may_have_both_signs_in_its_name():
    (one,) = parse(["ttft_ms=a=b:c : s"]).measured
    assert one == ("ttft_ms", "a=b:c", "s")


def test_col_2_an_unknown_metric_is_refused_with_those_that_are_known():
    assert re.search(
        r"no metric is called 'speed'; known: .*decode_tok_s.*kernel_us", usage("speed=a:s")
    )


@pytest.mark.parametrize(
    ("declared", "what"),
    [
        (["by=a"], "no column is declared to be a metric"),
        ([], "no column is declared to be a metric"),
        (["ttft_ms=a:s", "ttft_ms=b:s"], "metric 'ttft_ms' is declared twice"),
        (["ttft_ms=a:s", "by=b", "by=b"], "'b' is declared twice"),
        (["ttft_ms=a:s", "status=b:", "status=c:"], "'status' is declared twice"),
    ],
)
def test_col_2_each_is_declared_once_and_a_metric_at_least(declared, what):
    assert what in usage(*declared)


@pytest.mark.parametrize("unit", ["tok/s", "sec", "", "MS", "J"])
def test_col_3_a_unit_that_does_not_convert_is_refused_with_those_that_do(unit):
    message = usage(f"ttft_ms=a:{unit}")
    assert "does not convert to ms; units that do: ns, µs, us, ms, s" in message


@pytest.mark.parametrize(
    ("declared", "cell", "value"),
    [
        ("ttft_ms=t:us", "1500", Fraction(3, 2)),
        ("kernel_us=t:ns", "1500", Fraction(3, 2)),
        ("peak_mib=t:GiB", "1.5", 1536),
        ("gb_s=t:MB/s", "1500", Fraction(3, 2)),
        ("tflop_s=t:GFLOP/s", "1500", Fraction(3, 2)),
        ("joules=t:kJ", "1.5", 1500),
        ("requests_per_s=t:req/min", "90", Fraction(3, 2)),
    ],
)
def test_col_3_values_become_the_unit_of_the_metric(declared, cell, value):
    assert values(f"t\n{cell}\n", declared, metric=declared.partition("=")[0]) == [value]


def test_col_4_json_and_csv_of_the_same_rows_are_the_same():
    rows = [{"t": 0.1, "n": 1}, {"t": 0.25, "n": 2}]
    text = "t,n\n0.1,1\n0.25,2\n"
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    for data in (text, lines, json.dumps(rows), "\ufeff" + text, "\ufeff" + lines):
        assert values(data) == [100, 250]
    assert values(gzip.compress(text.encode())) == [100, 250]


def test_col_4_bytes_that_are_no_text_are_refused():
    assert refusal(b"t\n\xff\n").name == "not-text"
    assert refusal(b'{"t": 1}\n{"t": "\xff"}\n').name == "not-text"


def test_col_5_a_column_that_is_not_there_is_refused_with_those_that_are():
    assert "no-such-column: columns file: 't'; the header has 'a', 'b'" in str(
        refusal("a,b\n1,2\n")
    )
    assert "the first record has 'a'" in str(refusal('{"a": 1}\n'))
    assert refusal('{"t": 1}\n', *TIME, "status=eror:").name == "no-such-column"
    assert refusal("t\n1\n", *TIME, "by=x").name == "no-such-column"


def test_col_5_a_path_leads_into_objects_and_a_whole_key_comes_first():
    nested = '{"timings": {"first": 0.5}}\n{"timings": {"first": 0.25}, "timings.first": 2}\n'
    assert values(nested, "ttft_ms=timings.first:s") == [500, 2000]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_col_6_the_separator_is_told_by_the_header(mark):
    text = f"a{mark} t {mark}b\n1{mark} 0.5 {mark}x\n2{mark}0.25{mark}y\n"
    assert values(text) == [500, 250]


def test_col_6_a_header_with_several_separators_is_read_by_the_declared_column():
    assert values('a;"b,c";t\n1;2;0.5\n') == [500]
    assert values("a,b;t\n1,2;0.5\n") == [500]


def test_col_6_a_name_that_stands_twice_is_refused():
    error = refusal("t,a,t\n1,2,3\n")
    assert (error.name, "'t'" in error.detail) == ("duplicate-keys", True)
    assert refusal('{"t": 1, "t": 2}\n').name == "duplicate-keys"
    assert values(",t,\n0,0.5,\n") == [500]


def test_col_7_a_row_of_another_length_is_refused_with_its_line():
    error = refusal('t,a\n1,"two\nlines"\n\n2\n')
    assert str(error) == "malformed: columns file: line 5 has 1 cells, the header has 2"


def test_col_7_blank_lines_are_no_rows_and_cells_may_be_quoted():
    assert values('\n\nt,a\n\n"0.5","x, y"\r\n   \n0.25,"say ""x"""\n\n') == [500, 250]
    assert refusal('t\n"0.5\n').name == "malformed"


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("", "the cell is empty"),
        ("fast", "'fast' is no decimal number"),
        ("nan", "no decimal number"),
        ("Infinity", "no decimal number"),
        ("1_000", "no decimal number"),
        ("0x10", "no decimal number"),
        ("1 000", "no decimal number"),
        ("١", "no decimal number"),
        ("1e999", "no decimal number"),
        ("1" * 41, "no decimal number"),
        (".", "no decimal number"),
        ("-1", "it is negative"),
        ('"1,5"', "'1,5' has a comma"),
        ('"1,000.5"', "has a comma"),
    ],
)
def test_col_8_a_cell_that_is_no_number_is_refused_by_line_and_column(cell, why):
    error = refusal(f"t,a\n1,x\n{cell},x\n")
    assert error.name == "not-a-number"
    assert error.detail.startswith("columns file: line 3, column 't': ")
    assert why in error.detail


@pytest.mark.parametrize("value", ['"0.5"', "null", "true", "NaN", "1e999", "[1]", '{"a": 1}'])
def test_col_8_a_json_value_that_is_no_number_is_refused_by_line_and_column(value):
    error = refusal(f'{{"t": 1}}\n\n{{"t": {value}}}\n')
    assert error.name == "not-a-number"
    assert error.detail.startswith("columns file: line 3, column 't': ")


def test_col_8_a_record_between_log_lines_is_named_by_its_number():
    assert "record 1, column 't'" in refusal('{"t": 1}\nlog\n{"t": null}\n').detail


def test_col_8_a_decimal_with_a_comma_is_not_read_in_a_file_with_semicolons():
    assert "has a comma" in refusal("a;t\n1;0,5\n").detail


DECIMALS = st.decimals(Decimal("1e-9"), Decimal("1e9"), allow_nan=False, allow_infinity=False)


@settings(max_examples=60)
@given(st.lists(DECIMALS.filter(lambda x: len(x.as_tuple().digits) < 30), min_size=1, max_size=8))
def test_col_8_numbers_are_the_decimals_that_are_written(written):
    text = "t\n" + "".join(f"{one}\n" for one in written)
    assert values(text) == [Fraction(one) * 1000 for one in written]


@settings(max_examples=60)
@given(st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=8))
def test_col_8_a_double_is_its_shortest_decimal(written):
    text = "".join(json.dumps({"t": one}) + "\n" for one in written)
    assert values(text) == [Fraction(repr(one)) * 1000 for one in written]


def test_col_9_a_time_or_rate_of_zero_was_never_measured():
    assert refusal("t\n0.000\n").name == "zero-is-missing"
    assert refusal("t\n0\n", "gb_s=t:GB/s").name == "zero-is-missing"
    assert values("t\n0\n", "joules=t:J", metric="joules") == [0]
    assert refusal("t\n-1\n", "joules=t:J").name == "not-a-number"


def test_col_9_an_accuracy_is_a_share_and_no_percentage():
    error = refusal("a\n0.5\n86.2\n", "accuracy=a:1")

    assert error.name == "not-a-number"
    assert "line 3, column 'a': '86.2'; accuracy is a share, from 0 to 1" in str(error)


@pytest.mark.parametrize("data", ["t\n", "t", "\n\nt\n\n", "[]", ""])
def test_col_10_a_table_without_rows_is_refused(data):
    assert refusal(data).name in ("no-rows", "no-such-column")


def test_col_10_a_filter_that_leaves_nothing_is_refused():
    error = refusal(EXAMPLE, "ttft_ms=first_token:s", "only=phase:decode")
    assert str(error) == "no-rows: columns file: none of 5 rows has phase 'decode'"


def test_col_11_failed_rows_are_kept_and_give_no_sample():
    file = read("t,error\n0.5,\n,timeout\n0.25,\n", *TIME, "status=error:")
    (run,) = file.runs
    (note,) = run.notes

    assert list(run.samples["ttft_ms"]) == [500, 250]
    assert [row["status"] for row in run.rows] == ["ok", "failed", "ok"]
    assert [row["t"] for row in run.rows] == ["0.5", "", "0.25"]
    assert note.name == "failed-rows"
    assert note.barring("ttft_ms")
    assert not note.barring("ttft_ms", frozenset({EXCLUDE_FAILED}))


def test_col_11_a_status_in_json_is_told_by_its_text():
    data = '{"t": 1, "ok": true}\n{"t": 1, "ok": false}\n{"t": 2, "ok": true}\n{"t": 3}\n'
    assert values(data, *TIME, "status=ok:true") == [1000, 2000]


def test_col_11_a_run_where_all_failed_has_no_samples():
    (run,) = read("t,error\n,x\n,y\n", *TIME, "status=error:").runs
    assert run.samples == {}
    assert names(run.notes) == ["all-requests-failed"]


NAMES = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=9
)


@given(
    st.dictionaries(st.sampled_from(sorted(METRICS)), NAMES, min_size=1),
    st.none() | NAMES,
    st.lists(NAMES, max_size=3, unique=True),
)
def test_col_12_declarations_survive_being_text(measured, status, by):
    texts = [f"{name}={column}:{METRICS[name].unit}" for name, column in measured.items()]
    texts += [f"status={status}:ok", f"only={status}:"] if status else []
    texts += [f"by={column}" for column in by]
    declared = parse(texts)
    assert declared.texts() == texts
    assert parse(declared.texts()) == declared


def test_col_12_the_kept_declarations_give_the_same_samples():
    kept = parse(DECLARED).texts()
    again = detect.read(EXAMPLE, columns=parse(kept))
    assert again.reader == columns.NAME == "columns"
    assert [run.samples for run in again.runs] == [
        run.samples for run in read(EXAMPLE, *DECLARED).runs
    ]


def test_col_13_declared_columns_are_read_whatever_tool_wrote_the_file():
    record = llama_batched.batched()
    file = read(llama_batched.dump(record), "prefill_ms=t_pp:s")
    assert file.reader == "columns"
    assert list(file.runs[0].samples["prefill_ms"]) == [Fraction(repr(record["t_pp"])) * 1000]


def test_col_13_a_summary_beside_declared_columns_is_refused():
    with pytest.raises(UsageError, match="has no summary"):
        detect.read(EXAMPLE, b"{}", columns=parse(DECLARED))


def test_columns_that_say_the_same_in_every_row_are_settings():
    text = "gpu,n,t,seed\nA100,8,0.5,1\nA100,8,0.25,2\n"
    (run,) = read(text).runs
    assert run.config == {"gpu": "A100", "n": "8"}
    (run,) = read('{"n": 8, "t": 0.5, "x": null}\n{"n": 8, "t": 0.5, "x": 1}\n').runs
    assert run.config == {"n": 8}


def test_a_single_row_has_no_spread():
    (run,) = read("t\n1\n").runs
    assert names(run.notes) == ["not-a-distribution"]


def test_log_lines_between_json_are_counted():
    assert names(read('{"t": 1}\nlog\n{"t": 2}\n').notes) == ["log-noise"]


def test_without_declarations_a_table_is_of_no_known_tool():
    with pytest.raises(ResultError, match="unknown-tool"):
        detect.read(EXAMPLE)


CELLS = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from(["1", "0.5", "1e3", ""])


@settings(max_examples=150)
@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=5), st.sampled_from([",", ";", "\t"])
)
def test_any_table_is_read_or_refused_and_nothing_else(rows, mark):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=mark)
    writer.writerows([["t", "error", "n"], *rows])
    try:
        file = read(text.getvalue(), *TIME, "status=error:", "by=n")
        assert all(value > 0 for run in file.runs for value in run.samples.get("ttft_ms", ()))
    except ResultError:
        pass


@settings(max_examples=150)
@given(st.binary(max_size=60) | mutants([{"t": 1, "a": {"b": 0.5}, "s": ""}, {"t": 2.5, "a": {}}]))
def test_any_bytes_are_read_or_refused_and_nothing_else(data):
    for declared in (TIME, ["ttft_ms=a.b:s", "status=s:", "by=t"]):
        with contextlib.suppress(ResultError):
            read(data, *declared)
