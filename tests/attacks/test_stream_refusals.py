"""What breaks a rule of docs/reference/formats/stream.md, and what the command says."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.results import detect, merging
from engine.results.stream_faults import FAULTS
from receipts.errors import ConflictError

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats" / "stream.md"


def example(language):
    return re.search(rf"^ *```{language}\n(.*?)^ *```", PAGE.read_text(), re.S | re.M)[1]


STREAM = example("jsonl")
HEADER, FIRST, SECOND = map(json.loads, STREAM.splitlines())


def spell(*lines):
    return "".join(
        json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
        for line in lines
    )


def without(name, line):
    return {key: value for key, value in line.items() if key != name}


def changed(**fields):
    return spell(HEADER, {**FIRST, **fields})


def headed(**fields):
    return spell({**HEADER, **fields}, FIRST)


def timed(**fields):
    return changed(timings={**FIRST["timings"], **fields})


def test_the_example_of_the_page_is_a_stream_file(bench):
    (bench.root / "stream.jsonl").write_text(STREAM)

    result = bench.invoke("attach", "--cell", "c", "--json", "stream.jsonl")

    assert result.exit_code == 0, result.stderr
    (value,) = json.loads(result.stdout)
    found = {figure["metric"] for figure in value["figures"]}
    assert spell(HEADER, FIRST, SECOND) == STREAM
    assert value["reader"] == "stream"
    assert {"ttft_ms", "client_decode_tok_s", "server_decode_tok_s", "wall_ms"} <= found


@pytest.mark.skipif(not shutil.which("jq"), reason="not run: jq is not installed")
def test_the_example_recomputes_with_the_stock_tool_of_the_page(tmp_path):
    (tmp_path / "stream.jsonl").write_text(STREAM)

    done = subprocess.run(
        ["bash", "-c", example("sh")], cwd=tmp_path, capture_output=True, text=True
    )

    (run,) = detect.read(STREAM.encode()).runs
    printed = [float(line) for line in done.stdout.split()]
    assert printed == pytest.approx([float(rate) for rate in run.samples["client_decode_tok_s"]])


def test_the_page_lists_every_fault_with_its_meaning():
    listed = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", PAGE.read_text(), re.M))
    assert listed.items() >= FAULTS.items()


FIXTURE = HEADER["fixture"]
FORCED = {"digest": FIXTURE["digest"], "source": "file f", "tokens": [300, 301], "top": 2}
CHOSEN = {
    "forced_ids": [7, 9],
    "forced_top_ids": [[7, 8], []],
    "forced_top_logprobs": [["-2e-05", "-1.5"], []],
}


def fed(forced=FORCED, **fields):
    return spell({**HEADER, "forced": forced}, {**FIRST, **CHOSEN, **fields})


def test_str_14_the_answers_to_fed_tokens_are_kept_and_give_no_sample():
    (run,) = detect.read(fed().encode()).runs

    assert run.forced == ((7, 9),)
    assert run.config["forced.top"] == 2
    (plain,) = detect.read(spell(HEADER, FIRST).encode()).runs
    assert (plain.forced, run.samples) == ((), plain.samples)


FAILED = {"repetition": 0, "status": "not-ready", "detail": "no answer in 60 s"}
BROKEN = {
    "STR-1 cut short": (STREAM[:-1], "line 3 has no newline"),
    "STR-1 white space": (STREAM.replace('"held_back":0', '"held_back": 0'), "not in canonical"),
    "STR-1 a fraction": (STREAM.replace('"cached_tokens":0', '"cached_tokens":0.0'), "line 2: "),
    "STR-1 a key twice": (STREAM.replace('"warmup":1', '"warmup":1,"warmup":1'), "line 1: "),
    "STR-2 no clock": (spell(without("clock", HEADER), FIRST), "missing fields: clock"),
    "STR-2 an average": (headed(mean_ms="9"), "unknown fields: 'mean_ms'"),
    "STR-2 a true count": (headed(prompt_tokens=True), "prompt_tokens has True"),
    "STR-2 nothing asked for": (headed(output_tokens=0), "output_tokens has 0"),
    "STR-2 a command in one word": (headed(command="serve"), "command is not a list"),
    "STR-2 no digest": (headed(build="sha256:ab"), "field build is not sha256"),
    "STR-3 another version": (STREAM.replace("stream/v1", "stream/v2"), "stream/v2' is unknown"),
    "STR-3 other servers": (headed(servers="some"), "servers is 'some', none of fresh, reused"),
    "STR-4 sees everything": (headed(fixture={**FIXTURE, "cannot_see": []}), "cannot_see is empty"),
    "STR-4 no digest": (headed(fixture=without("digest", FIXTURE)), "missing fields: digest"),
    "STR-5 no repetition": (spell(HEADER), "nothing was measured"),
    "STR-5 too many": (spell(HEADER) + spell(FIRST) * 3001, "3001 rows are over the limit"),
    "STR-5 an endless list": (changed(piece_ns=[9] * 65_537), "holds 65537 values, over 65536"),
    "STR-6 a dropped outlier": (spell(HEADER, SECOND), "repetition 1 stands where 0 belongs"),
    "STR-6 twice the best": (spell(HEADER, FIRST, FIRST), "repetition 0 stands where 1 belongs"),
    "STR-7 no text": (spell(HEADER, without("text", FIRST)), "missing fields: text"),
    "STR-7 a detail of success": (changed(detail="well done"), "unknown fields: 'detail'"),
    "STR-7 another status": (spell(HEADER, {**FAILED, "status": "fine"}), "'fine' is unknown"),
    "STR-7 no reason": (spell(HEADER, without("detail", FAILED)), "missing fields: detail"),
    "STR-7 a negative moment": (changed(sent_ns=-1), "sent_ns has -1"),
    "STR-7 a time that is none": (timed(prompt_ms="fast"), "timings.prompt_ms has 'fast'"),
    "STR-7 a count as text": (timed(predicted_n="4"), "timings.predicted_n has '4'"),
    "STR-8 a text too few": (changed(text=["a"]), "text holds 1 values, piece_ns 4"),
    "STR-8 ids too few": (changed(piece_ids=[[1]]), "piece_ids holds 1 values"),
    "STR-8 time that runs back": (changed(piece_ns=[*FIRST["piece_ns"][:3], 1]), "run backwards"),
    "STR-8 a piece after the end": (changed(complete_ns=FIRST["sent_ns"]), "run backwards"),
    "STR-9 a used server": (changed(requests_before=2), "2 requests before on a fresh server"),
    "STR-10 a warm cache": (changed(cached_tokens=15), "cache-hit: 15 of 16 prompt tokens"),
    "STR-10 another prompt": (changed(prompt_tokens=17), "prompt-length: the server saw 17"),
    "STR-10 a token too few": (headed(output_tokens=5), "too-few-tokens: 4 tokens came, 5 were"),
    "STR-10 a token too many": (headed(output_tokens=3), "too-many-tokens: 4 tokens came, 3 were"),
    "STR-10 another count": (timed(predicted_n=5), "counts-disagree: predicted_n is 5"),
    "STR-10 another prompt count": (timed(prompt_n=15), "do not make 16 prompt tokens"),
    "STR-10 a fast clock": (timed(predicted_ms="99999"), "clocks-disagree: timings of"),
    "STR-10 more ids than tokens": (changed(piece_ids=[[1, 2], [1], [1], [1]]), "counts-disagree"),
    "STR-10 a running count": (changed(piece_tokens=[1, 1, 1, 9]), "12 by the running count"),
    "STR-14 no answer": (spell({**HEADER, "forced": FORCED}, FIRST), "forced_ids is absent, 2 tok"),
    "STR-14 nobody asked": (changed(**CHOSEN), "forced_ids is of 2 places, nothing was fed"),
    "STR-14 a place too few": (fed(forced_ids=[7]), "forced_ids is of 1 places, 2 tokens were fed"),
    "STR-14 nothing fed": (fed({**FORCED, "tokens": []}), "forced.tokens is empty"),
    "STR-14 no digest": (fed(without("digest", FORCED)), "missing fields: digest"),
    "STR-14 more than asked for": (fed({**FORCED, "top": 1}), "place 0 has 2 likeliest tokens"),
    "STR-14 a log too few": (
        fed(forced_top_logprobs=[["-1"], []]),
        "place 0 has 2 likeliest tokens, 1 logs",
    ),
    "STR-14 one twice": (fed(forced_top_ids=[[7, 7], []]), "place 0 has 2 likeliest tokens"),
    "STR-14 another was likelier": (fed(forced_ids=[8, 9]), "token 8 is not the likeliest"),
    "STR-14 unlisted": (fed(forced_ids=[9, 9]), "place 0: token 9 is not the likeliest"),
    "STR-14 no number": (
        fed(forced_top_logprobs=[["-inf", "-1"], []]),
        "forced_top_logprobs has '-inf', which is no number as text",
    ),
    "STR-11 an undeclared gap": (
        changed(piece_ids=[*FIRST["piece_ids"][:3], []]),
        "held-back: 4 pieces and 3 ids for 4 tokens; 0 may be held back",
    ),
    "STR-11 pieces for tokens": (
        spell(
            HEADER,
            without(
                "piece_ids",
                {
                    **FIRST,
                    "piece_ns": FIRST["piece_ns"][:3],
                    "text": ["", "", ""],
                    "piece_tokens": [1, 1, 2],
                },
            ),
        ),
        "pieces-not-tokens: 3 pieces and no ids for 4 tokens",
    ),
}


@pytest.mark.parametrize(("text", "complaint"), BROKEN.values(), ids=BROKEN)
def test_a_stream_file_that_breaks_a_rule_is_not_attached(bench, text, complaint):
    (bench.root / "stream.jsonl").write_bytes(text.encode())
    before = bench.files()

    result = bench.invoke("attach", "--cell", "c", "stream.jsonl")

    assert result.exit_code == 4
    assert re.match(r"engine: stream\.jsonl: [a-z-]+: stream file: ", result.stderr)
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert bench.files() == before


def test_str_7_a_file_with_a_fault_is_kept_and_gives_no_citable_figure():
    faulty = {**without("text", SECOND), "status": "stream-cut", "detail": "no end"}
    (run,) = detect.read(spell(HEADER, FIRST, faulty).encode()).runs

    (note,) = run.notes
    assert str(note) == "run-failed: repetition 1: stream-cut: no end"
    assert all(note.barring(metric) for metric in run.samples)
    assert len(run.rows) == 2
    assert len(run.tokens) == 1


def test_str_11_a_declared_gap_stands_among_the_ids_as_minus_one():
    text = spell({**HEADER, "held_back": 1}, {**FIRST, "piece_ids": [[450], [329], [], [329]]})
    (run,) = detect.read(text.encode()).runs

    assert run.tokens == ((450, 329, -1, 329),)
    assert [note.name for note in run.notes] == ["held-back"]


def test_str_12_the_servers_own_times_need_boundaries_and_differ_with_them():
    bare = detect.read(spell(without("server_boundaries", HEADER), FIRST).encode()).runs[0]
    one, other = (
        detect.read(headed(server_boundaries=text).encode()) for text in ("one", "another")
    )

    assert not [metric for metric in bare.samples if metric.startswith("server_")]
    assert one.runs[0].config["server_boundaries"] == "one"
    with pytest.raises(ConflictError, match="differ in server_boundaries: 'one' and 'another'"):
        merging.merge([one, other])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("warmup_tokens", 9),
        ("endpoint", "/v1/completions"),
        ("settings", {}),
        ("command", ["serve"]),
    ],
)
def test_str_13_files_of_two_setups_are_not_one_arm(name, value):
    files = [detect.read(STREAM.encode()), detect.read(headed(**{name: value}).encode())]
    with pytest.raises(ConflictError, match=f"stream files 1 and 2 differ in {name}"):
        merging.merge(files)
