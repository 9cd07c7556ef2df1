"""Windows over servers that are fed, a real llama.cpp too: what agrees, and what a recount says."""

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.results import detect
from receipts.receipt import RAW
from tests.fixtures.sse_server import llama

SERVE = "-m engine.serving --fixture cycle --prompt 16 --vocab 512 --output 6 --warmup 0"
FED = [300 + 7 * at % 200 for at in range(12)]


@pytest.fixture
def walk(bench):
    """Walk a plan of two arms, each a model and its threads; return what was said, and the JSON."""
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: llama.cpp was not run")
    from demo import tiny_llama

    for name, seed in (("one", 1), ("other", 2)):
        tiny_llama.write(bench.root / name, seed)
    (bench.root / "forced.json").write_text(json.dumps(FED))
    (bench.root / "cut.json").write_text(json.dumps(FED[:-1]))

    def arm(name, model, threads, forced):
        words = [sys.executable, *SERVE.split(), "--llama", str(bench.root / model)]
        words += ["--threads", str(threads), "--forced", str(bench.root / forced)]
        return {"arm": name, "command": [*words, "--raw", "{raw}"]}

    def run(candidate, code, forced="forced.json", version=2):
        plan = {"version": version, "name": "fed", "cell": "c", "repetitions": 5}
        plan |= {"metrics": ["client_decode_tok_s"], "exactness": "tokens-and-forced"}
        plan |= {"baseline": arm("plain", "one", 1, "forced.json")}
        plan |= {"candidate": arm("tuned", *candidate, forced)}
        (bench.root / "plan.yaml").write_text(json.dumps(plan))
        result = bench.invoke("ab", "plan.yaml", "--execute", "--json")
        assert result.exit_code == code, result.output
        return result

    return run


def test_two_threads_choose_as_one_does_at_every_place_and_a_recount_agrees(bench, walk):
    from claims.cli import claims

    value = json.loads(walk(("one", 2), code=0).stdout)

    assert value["exactness"] == {"compared": "tokens-and-forced", "result": "exact"}
    (compared,) = value["comparisons"]
    assert compared["metric"] == "client_decode_tok_s"
    said = json.loads(CliRunner().invoke(claims, ["audit", "--json"]).stdout)
    assert said["differences"] == []
    raw = bench.receipt("receipt://" + value["repetitions"][0]["receipt"]).require(RAW)
    (run,) = detect.read(bench.object(raw)).runs
    assert [len(chosen) for chosen in run.forced] == [len(FED)]


def test_two_models_are_compared_to_the_end_and_no_timing_is_shown(walk):
    result = walk(("other", 1), code=1)

    value = json.loads(result.stdout)
    assert value["exactness"]["result"] == "differs"
    tokens, forced = value["exactness"]["first_difference"].split("; ", 1)
    assert tokens.startswith("tuned repetition 0 has token ")
    assert re.search(r"fed with the same tokens, tuned repetition 0 would choose \d+ at 0", forced)
    same, whole = map(int, re.search(r"alike at (\d+) of (\d+) places", forced).groups())
    assert same < whole == len(FED)
    assert value["comparisons"] == []
    assert "tok_s" not in result.stdout


def test_equal_tokens_do_not_hide_that_another_would_be_chosen_later(bench):
    """The recount finds by itself what differs: it is no token that either arm gave."""
    from claims.cli import claims

    program = Path(__file__).parents[1] / "fixtures" / "sse_server.py"
    (bench.root / "forced.json").write_text("[5]")
    arms = {}
    for name, token in (("plain", 7), ("tuned", 8)):
        chosen = {"tokens": [token], "tokens_evaluated": 8}
        posts = [llama([7, 8, 9], prompt=8), [["status", 200, json.dumps(chosen)]]]
        (bench.root / name).write_text(json.dumps({"posts": posts}))
        words = [sys.executable, "-m", "engine.serving", "--fixture", "cycle", "--prompt", "8"]
        words += [
            "--vocab",
            "99",
            "--output",
            "3",
            "--warmup",
            "0",
            "--model",
            "m",
            "--forced",
            "forced.json",
        ]
        server = [sys.executable, str(program), "{port}", name, "log"]
        arms[name] = {"arm": name, "command": [*words, "--raw", "{raw}", "--", *server]}
    plan = {"version": 2, "name": "fed", "cell": "c", "metrics": ["wall_ms"], "repetitions": 5}
    plan |= {"exactness": "tokens-and-forced"}
    plan |= {"baseline": arms["plain"], "candidate": arms["tuned"]}
    (bench.root / "plan.yaml").write_text(json.dumps(plan))

    result = bench.invoke("ab", "plan.yaml", "--execute")

    assert result.exit_code == 1, result.output
    assert (
        "NOT EXACT: fed with the same tokens, tuned repetition 0 would choose 8 at 0, "
        "plain repetition 0 7; both choose alike at 0 of 1 places"
    ) in result.stdout
    said = json.loads(CliRunner().invoke(claims, ["audit", "--json"]).stdout)
    assert said["differences"] == []
    assert (said["checked"]["agree"], said["checked"]["differ"]) == (1, 0)


def test_arms_that_were_fed_other_tokens_are_a_void_window(bench, walk):
    result = walk(("one", 2), code=3, forced="cut.json")

    assert "arms plain, tuned were fed other tokens: nothing to compare" in result.output
    assert bench.phases()[-1] == "void"


def test_a_plan_of_version_1_knows_no_such_gate(walk):
    result = walk(("one", 2), code=4, version=1)

    assert "needs version: 2" in result.output
