import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.results import detect, llama_bench
from engine.results.model import select
from engine.statistics import standard_deviation
from receipts.errors import MalformedError

NS = [101_000_000, 99_000_000, 100_000_000]


def fields(ns=NS, prompt=0, generated=128, **changes):
    """Spell the fields of a record as the tool prints them: name to JSON text."""
    rates = [1e9 * (prompt + generated) / x for x in ns]
    average = sum(rates) / len(rates)
    # the tool's own formula, which subtracts two large numbers
    squares = sum(rate * rate for rate in rates)
    spread = (squares - average * average * len(ns)) / max(len(ns) - 1, 1)
    deviation = max(spread, 0.0) ** 0.5 if len(ns) > 1 else 0.0
    record = {
        "build_commit": '"0123abcd"',
        "build_number": "9999",
        "cpu_info": '"a processor"',
        "backends": '"CPU"',
        "model_filename": '"tiny.gguf"',
        "model_size": "4677120000",
        "n_ubatch": "512",
        "flash_attn": "false",
        "defrag_thold": "-1.000000",
        "n_prompt": str(prompt),
        "n_gen": str(generated),
        "n_depth": "0",
        "test_time": '"2026-01-02T03:04:05Z"',
        "avg_ns": str(sum(ns) // len(ns)),
        "stddev_ns": "18446744073709551615",
        "avg_ts": f"{average:.6f}",
        "stddev_ts": f"{deviation:.6f}",
        "samples_ns": f"[ {', '.join(map(str, ns))} ]",
        "samples_ts": f"[ {', '.join(f'{rate:g}' for rate in rates)} ]",
    }
    return {name: text for name, text in {**record, **changes}.items() if text is not None}


def jsonl(*records):
    lines = (", ".join(f'"{n}": {text}' for n, text in record.items()) for record in records)
    return "".join(f"{{{line}}}\n" for line in lines).encode()


def array(*records, between=""):
    bodies = [
        "  {\n" + ",\n".join(f'    "{n}": {text}' for n, text in record.items()) + "\n  }"
        for record in records
    ]
    return ("[\n" + f"{between},\n".join(bodies) + "\n]\n").encode()


def only_run(data):
    (run,) = detect.read(data).runs
    return run


def doubts(data):
    file = detect.read(data)
    return tuple(str(note) for run in file.runs for note in detect.notes(file, run))


def told(file):
    return tuple(map(str, file.notes))


def refused(data):
    with pytest.raises(MalformedError) as caught:
        detect.read(data)
    return str(caught.value)


def test_a_record_is_a_run_with_rates_and_times():
    run = only_run(jsonl(fields()))

    assert run.samples["decode_tok_s"] == tuple(Fraction(128 * 10**9, ns) for ns in NS)
    assert run.samples["decode_ms"] == (101, 99, 100)
    assert run.rows[0] == {"samples_ns": 101_000_000, "samples_ts": 1267.33}
    assert run.identity["model_size"] == 4677120000
    assert run.config == {
        "n_ubatch": 512,
        "flash_attn": False,
        "defrag_thold": "-1.0",
        "n_prompt": 0,
        "n_gen": 128,
        "n_depth": 0,
    }
    assert run.notes == ()
    assert (run.tokens, run.logits) == ((), ())


@pytest.mark.parametrize(
    ("prompt", "generated", "prefix"),
    [(512, 0, "prefill"), (0, 128, "decode"), (512, 128, "combined")],
)
def test_the_kind_of_test_names_the_metric(prompt, generated, prefix):
    run = only_run(jsonl(fields(prompt=prompt, generated=generated)))

    assert set(run.samples) == {f"{prefix}_tok_s", f"{prefix}_ms"}
    assert run.samples[f"{prefix}_tok_s"][2] == 10 * (prompt + generated)


def test_array_and_lines_give_the_same_runs():
    records = fields(), fields(prompt=512, generated=0)
    one, other = detect.read(array(*records)), detect.read(jsonl(*records))
    assert [run.source for run in one.runs] == [run.source for run in other.runs]
    assert [run.samples for run in one.runs] == [run.samples for run in other.runs]
    assert one.notes == other.notes == ()


def test_one_line_arrays_are_read():
    dense = json.dumps(json.loads(array(fields(), fields()))).encode()
    assert len(detect.read(dense).runs) == 2


def test_records_between_log_lines_are_found_and_the_lines_counted():
    log = b"# cmd: bench\n# rc: 0\n=== stdout ===\n[INFO] start\n{ brace }\n" + array(fields())
    file = detect.read(log + b"=== stderr ===\n[1/2] done, bye ]\n")

    assert [run.samples["decode_ms"] for run in file.runs] == [(101, 99, 100)]
    assert told(file) == ("log-noise: noise lines: 7 (not part of any record)",)


def test_log_lines_inside_the_array_do_not_hide_records():
    data = array(fields(), fields(ns=[5]), between="bench: 1/2 done\nbench: 2/2 starting\n")
    file = detect.read(data)

    assert [len(run.rows) for run in file.runs] == [3, 1]
    assert told(file) == ("log-noise: noise lines: 2 (not part of any record)",)


def test_log_lines_between_json_lines_are_counted():
    file = detect.read(jsonl(fields()) + b'loading\n{"level": "info"}\n' + jsonl(fields()))
    assert len(file.runs) == 2
    assert told(file) == ("log-noise: noise lines: 2 (not part of any record)",)


def test_one_record_twice_is_not_two_measurements():
    file = detect.read(jsonl(fields(), fields()))
    assert {note.name for run in file.runs for note in run.notes} == {"repeated-rows"}
    assert all(note.barring("decode_tok_s") for run in file.runs for note in run.notes)


def test_repeated_configurations_stay_apart_by_their_time():
    later = '"2026-01-02T04:00:00Z"'
    file = detect.read(jsonl(fields(), fields(ns=[7, 8], test_time=later)))
    assert select(file, {"test_time": "2026-01-02T04:00:00Z"}) is file.runs[1]


def test_reported_figures_are_those_of_the_tool():
    run = only_run(jsonl(fields(ns=[100_000_000] * 2)))
    assert run.reported == {
        "avg_ts": 1280.0,
        "stddev_ts": 0.0,
        "avg_ns": 100000000,
        "stddev_ns": 18446744073709551615,
    }


@given(
    st.lists(st.integers(1_000, 10**13), min_size=1, max_size=10),
    st.integers(0, 4096),
    st.integers(1, 4096),
)
def test_what_the_tool_computes_in_doubles_agrees_with_the_exact_figures(ns, prompt, generated):
    found = doubts(jsonl(fields(ns=ns, prompt=prompt, generated=generated, stddev_ns=None)))

    single = ("not-a-distribution: single repetition: no spread",)
    assert found == (single if len(ns) == 1 else ())


@pytest.mark.parametrize(
    ("change", "said", "metric"),
    [
        ({"avg_ts": "1280.085344"}, "avg_ts 1280.085344, recomputed 1280.08", "decode_tok_s"),
        ({"avg_ts": "1290"}, "avg_ts 1290, recomputed 1280.08", "decode_tok_s"),
        ({"avg_ns": "100000001"}, "avg_ns 100000001, recomputed 100000000", "decode_ms"),
        ({"stddev_ts": "12.801"}, "stddev_ts 12.801, recomputed 12.80", "decode_tok_s"),
        ({"stddev_ts": "0.000000"}, "stddev_ts 0.0, recomputed 12.80", "decode_tok_s"),
        (
            {"samples_ts": "[ 1267.33, 1292.93, 1290 ]"},
            "samples_ts 1290, recomputed 1280",
            "decode_tok_s",
        ),
    ],
)
def test_a_reported_figure_that_does_not_follow_bars_its_metric_and_no_other(change, said, metric):
    file = detect.read(jsonl(fields(**({"stddev_ns": None} | change))))
    (note,) = detect.notes(file, file.runs[0])

    assert str(note).startswith(f"differs: reported {said}")
    assert note.bars == {metric}


def test_the_wrapping_deviation_of_old_builds_is_the_tools_bug_and_not_the_files():
    """As in llama.cpp issue 22300: the true one is 148894758.2."""
    # The sum of the squares has just wrapped around, the square of the mean has not yet.
    wrap, count = 2**64, 3
    centre = math.isqrt(40 * wrap // count) - 1000
    times = [centre - 10**8, centre, centre + 10**8]
    square = sum(ns * ns for ns in times) % wrap // (count - 1)
    square -= centre * centre % wrap * count % wrap // (count - 1)
    wrapped = int((square % wrap) ** 0.5)
    true = standard_deviation([Fraction(ns) for ns in times], 1)
    file = detect.read(jsonl(fields(ns=times, stddev_ns=str(wrapped))))

    (line,) = [one for one in detect.lines(file, file.runs[0]) if one.metric == "stddev_ns"]
    assert abs(wrapped - true) > 1000
    assert (line.verdict, line.reported) == ("known-tool-bug", wrapped)
    assert abs(line.recomputed - true) < 1
    assert detect.notes(file, file.runs[0]) == []


def test_the_deviation_of_a_repaired_build_is_exact():
    true = standard_deviation([Fraction(ns) for ns in NS], 1)
    file = detect.read(jsonl(fields(stddev_ns=str(int(true)))))
    assert {line.verdict for line in detect.lines(file, file.runs[0])} == {"exact"}


def test_a_single_repetition_has_no_spread():
    (note,) = only_run(jsonl(fields(ns=[5]))).notes
    assert str(note) == "not-a-distribution: single repetition: no spread"


def test_an_absent_aggregate_is_not_reported_as_anything():
    run = only_run(jsonl(fields(avg_ts=None, stddev_ts=None, stddev_ns=None)))
    assert set(run.reported) == {"avg_ns"}
    assert run.notes == ()


def test_an_unknown_setting_of_a_newer_build_is_kept_and_a_list_is_left_out():
    run = only_run(jsonl(fields(n_cores="[1, 2]", n_new="3", fit='{"target": 4}')))
    assert "n_cores" not in run.config
    assert run.config["n_new"] == 3
    assert run.config["fit.target"] == 4


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"samples_ns": None}, "samples_ns is missing or empty"),
        ({"samples_ns": "[]"}, "samples_ns is missing or empty"),
        ({"samples_ns": "null"}, "samples_ns is missing or empty"),
        ({"samples_ns": "[1.5, 2, 3]"}, "samples_ns holds 1.5"),
        ({"samples_ns": "[true, 2, 3]"}, "samples_ns holds True"),
        ({"samples_ns": '["1", 2, 3]'}, "samples_ns holds '1'"),
        ({"samples_ns": "[0, 2, 3]"}, "samples_ns holds 0"),
        ({"samples_ns": "[-1, 2, 3]"}, "samples_ns holds -1"),
        ({"samples_ns": "[1, 2]"}, "2 samples_ns but 3 samples_ts"),
        ({"samples_ts": None}, "samples_ts is missing or empty"),
        ({"samples_ts": '["1", 2, 3]'}, "samples_ts holds '1'"),
        ({"n_gen": None}, "n_gen is None or missing"),
        ({"n_gen": "-1"}, "n_gen is -1"),
        ({"n_gen": "1.0"}, "n_gen is 1.0"),
        ({"n_gen": "0"}, "both 0"),
        ({"avg_ts": '"1"'}, "avg_ts is '1', which is no number"),
        ({"build_commit": None}, "build_commit is missing"),
        ({"build_commit": "null"}, "build_commit is missing"),
    ],
)
def test_a_record_that_cannot_be_evidence_is_refused(change, complaint):
    message = refused(jsonl(fields(), fields(**change)))

    assert ": llama-bench file: record 1: " in message
    assert complaint in message


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"avg_ts": "NaN"}, "not-a-number: llama-bench file: record 0: avg_ts is 'NaN'"),
        ({"avg_ts": "Infinity"}, "not-a-number: llama-bench file: record 0: avg_ts is 'Infinity'"),
        ({"avg_ts": "-nan"}, "malformed: line 1: not JSON"),
        ({"avg_ts": "1e99999"}, "not-a-number: llama-bench file: record 0: avg_ts is inf"),
        ({"avg_ns": "9" * 5000}, "not-a-number: line 1: a number is longer than any result"),
        ({"n_x": '1, "n_x": 1'}, "duplicate-keys: key 'n_x' appears twice"),
        ({"n_x": "[" * 100 + "]" * 100}, "too-deep: line 1: nested over 64 levels"),
        ({"n_x": "[" * 100_000}, "too-deep: line 1: nested too deeply"),
    ],
)
def test_what_is_not_strict_json_is_refused(change, complaint):
    assert complaint in refused(jsonl(fields(**change)))


@pytest.mark.parametrize("cut", [1, 20, 200, 400])
def test_a_truncated_line_is_refused(cut):
    message = refused(jsonl(fields(), fields()).rstrip()[:-cut])
    assert message == "truncated: line 2: the file ends inside a JSON value"


def test_an_array_that_the_tool_did_not_finish_is_refused():
    whole = array(fields(), fields())

    assert "array that starts on line 1 is not terminated" in refused(whole.rstrip()[:-1])
    assert "not terminated" in refused(b"noise\n" + array(fields()).rstrip(b"\n]") + b",\n")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (array(fields()).rstrip(b"\n]") + b",\n]\n", "a record is missing before ']'"),
        (b"[" + jsonl(fields(), fields()) + b"]", "no comma before"),
        (b"[" + jsonl(fields()) + b',{"a": 1}]', "members of the array are no llama-bench records"),
    ],
)
def test_an_array_with_a_gap_is_refused(data, complaint):
    assert complaint in refused(data)


CSV = b'build_commit,build_number,cpu_info,avg_ns,avg_ts\n"0123abcd","9999","x","1","2.0"\n'
MARKDOWN = (
    b"| model | size | params | backend | threads | test | t/s |\n"
    b"| ----- | ---: | -----: | ------- | ------: | ---: | --: |\n"
    b"| tiny | 1 MiB | 1 M | CPU | 2 | tg128 | 7.01 \xc2\xb1 0.02 |\n"
)
SQL = b"INSERT INTO llama_bench (build_commit, avg_ts) VALUES ('0123abcd', '2.0');\n"


@pytest.mark.parametrize("data", [CSV, MARKDOWN, SQL, SQL.replace(b"llama_bench", b"test")])
def test_outputs_without_samples_are_refused_with_the_remedy(data):
    message = refused(b"a log line\n" + data)
    assert message.startswith("aggregates-only: llama-bench file: no samples_ns")
    assert message.endswith("run llama-bench with -o json or jsonl")


def test_a_log_that_mentions_the_format_without_a_record_is_refused():
    assert "unknown-tool" in refused(b'see "build_commit": it says who\n')


def test_bytes_that_are_no_text_are_refused():
    assert "not-text: not UTF-8" in refused(jsonl(fields()) + b"\xff\n")


def test_counts_are_bounded(monkeypatch):
    monkeypatch.setattr(llama_bench, "MAX_RUNS", 2)
    monkeypatch.setattr(llama_bench, "MAX_REPETITIONS", 4)
    monkeypatch.setattr(llama_bench, "MAX_SAMPLES", 7)

    assert "3 records are over the limit of 2" in refused(jsonl(*[fields()] * 3))
    assert "samples_ns holds 5, the limit is 4" in refused(jsonl(fields(ns=[*NS, 1, 2])))
    assert "8 samples are over the limit of 7" in refused(jsonl(*[fields(ns=[*NS, 1])] * 2))
    assert len(detect.read(jsonl(*[fields()] * 2)).runs) == 2


def test_a_message_about_foreign_bytes_is_one_short_line():
    message = refused(jsonl(fields(samples_ns='["' + "x" * 9999 + '\\n"]')))
    assert len(message) < 200
    assert message.isprintable()


def test_digits_that_the_tool_loses_in_doubles_are_no_disagreement():
    record = fields(ns=[10**10, 10**10 + 10, 10**10 + 30], prompt=0, generated=40_960)
    exact = standard_deviation([Fraction(40_960 * 10**9, 10**10 + x) for x in (0, 10, 30)], 1)

    assert abs(Fraction(record["stddev_ts"]) - exact) > Fraction(1, 10**6)
    assert doubts(jsonl({**record, "stddev_ns": "0"})) == (
        "differs: reported stddev_ns 0, recomputed 15.275252316519467",
    )
