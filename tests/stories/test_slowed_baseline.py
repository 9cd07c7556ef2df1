"""The baseline that had become slow under its own name, from plan to sentence.

Three commits of a decoder with fixed times: the baseline (1000 ns a token), a candidate that is
12 % faster, and a build of the baseline that is 12 % slower and carries its name.
"""

import json
import re
import shutil
import subprocess

import pytest

DECODER = """\
#!/usr/bin/env python3
import json, pathlib, sys
ns = {ns}
setting = {{"vocab": 8, "width": 4, "prompt_tokens": 2, "output_tokens": 4, "seed": 0, "warmup": 0}}
told = {{"instrument": "fake", "variant": "v", "backend": "none", "source": "s", "model": "m"}}
head = {{"format": "evidence-ledger/rows/v1", "clock": "FIXED", **setting, **told}}
row = {{"repetition": 0, "prefill_ns": 500, "token_ns": [ns] * 4, "tokens": [1, 2, 3, 4],
       "logits": "sha256:" + "0" * 64}}
lines = [json.dumps(line, sort_keys=True, separators=(",", ":")) for line in (head, row)]
pathlib.Path(sys.argv[1]).write_text("\\n".join(lines) + "\\n")
"""


def git(place, *words):
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    done = subprocess.run(
        ["git", *identity, *words], cwd=place, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def source(publisher):
    """Return the repository, and its commits by name."""
    place = publisher.root / "source"
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    commits = {}
    for name, ns in (("baseline", 1000), ("candidate", 893), ("slowed", 1120)):
        (place / "decoder").write_text(DECODER.format(ns=ns))
        (place / "decoder").chmod(0o755)
        git(place, "add", "decoder")
        git(place, "commit", "-qm", name)
        commits[name] = git(place, "rev-parse", "HEAD")
    return place, commits


def engine(publisher, *words, code=0):
    result = publisher.engine(*words)
    assert result.exit_code == code, result.output
    return result.stdout


def built(publisher, source, commit):
    """Return the path of the decoder at a commit, rebuilt from source."""
    place, commits = source
    words = ["--repository", place, "--build", "chmod +x decoder", "--output", "decoder"]
    shown = engine(publisher, "anchor", "rebuild", commits[commit], *words, "--json")
    return json.loads(shown)["binary"]


def plan(publisher, name, baseline, candidate, *, anchored):
    fields = {
        "version": 2,
        "name": name,
        "cell": "decode-v8",
        "repetitions": 6,
        "baseline": {"arm": "before", "command": [str(baseline), "{raw}"]},
        "candidate": {"arm": "after", "command": [str(candidate), "{raw}"]},
        "metrics": ["decode_tok_s"],
    }
    anchor = {"record": "before", "validates": "baseline", "command": [str(baseline), "{raw}"]}
    path = publisher.root / f"{name}.yaml"
    path.write_text(json.dumps(fields | ({"anchors": [anchor]} if anchored else {})))
    return path


CLAIM = {
    "id": "faster",
    "kind": "change",
    "metric": "decode_tok_s",
    "wording": "The new decoder runs at {ratio:.2f}× the old one (n = {n}).",
    "statistic": "ratio_of_medians",
}


def test_a_slowed_baseline_is_condemned_named_blamed_and_replaced(publisher, source):
    good, candidate = (built(publisher, source, name) for name in ("baseline", "candidate"))
    slowed = built(publisher, source, "slowed")
    engine(
        publisher, "run", "--cell", "decode-v8", "--name", "value", "--execute", "--", good, "{raw}"
    )
    said = ["--evidence", "receipt://value", "--metric", "decode_tok_s", "--tolerance", "0.02"]
    engine(publisher, "anchor", "record", "before", *said)

    # Without an anchor: a fine win, and the word that nothing stands behind it.
    path = plan(publisher, "hoped", slowed, candidate, anchored=False)
    shown = engine(publisher, "ab", path, "--execute")
    assert "ratio 1.2542" in shown
    assert "unanchored: no recorded value stands behind the baseline" in shown
    publisher.experiment("HOPED", "receipt://hoped-1")
    assert publisher.codes(CLAIM, evidence=[{"entry": "HOPED"}]) == ["CLM321"]

    # With one: the baseline is condemned, and the claim too.
    path = plan(publisher, "held", slowed, candidate, anchored=True)
    shown = engine(publisher, "ab", path, "--execute")
    assert "BASELINE_CONDEMNED" in shown
    publisher.experiment("HELD", "receipt://held-1")
    judged = publisher.judge(CLAIM, evidence=[{"entry": "HELD"}])
    assert "BASELINE_CONDEMNED: anchor before" in judged.refusals[0].message

    # The drift test names the build, and the split blames the denominator.
    words = ["drift", good, slowed, "--command", "{binary} {raw}", "--metric", "decode_tok_s"]
    shown = engine(publisher, *words, "--window", "hoped-1", "--execute", code=1)
    assert re.search(rf"{re.escape(slowed)} .*: ANOTHER PROGRAM", shown)
    assert "ratio 1.254 seen, 1.12 true: the denominator moved it by 12 %" in shown

    # A window is not taken apart by what it did not run, and a bare name is the file here.
    for name in ("one", "two"):
        shutil.copy(good, publisher.root / name)
    words[1:3] = ["./one", "two"]
    refused = publisher.engine(*words, "--window", "hoped-1", "--execute")
    assert "hoped-1: its baseline is none of these binaries" in refused.stderr
    other = [*words, "--window", "hoped-1", "--execute", "--command", "{binary} --deep {raw}"]
    assert f"hoped-1: its baseline ran {slowed} '{{raw}}'" in publisher.engine(*other).stderr

    # The rebuilt baseline gives the true figure, and the sentence holds.
    path = plan(publisher, "true", good, candidate, anchored=True)
    shown = engine(publisher, "ab", path, "--execute")
    assert "anchor before of the baseline held" in shown
    shown = engine(publisher, *words, "--window", "true-1", "--execute")
    assert "window true-1: not taken apart, for no build differs" in shown
    publisher.experiment("TRUE", "receipt://true-1")
    judged = publisher.judge(CLAIM, evidence=[{"entry": "TRUE"}])
    assert (judged.refusals, judged.sentence) == (
        [],
        "The new decoder runs at 1.12× the old one (n = 6).",
    )


def test_a_script_slowed_by_its_own_words_is_not_vouched_for_by_another(publisher, source):
    """The binary of both is the interpreter; only the words tell the good script from the slow."""
    good, slowed, candidate = (
        str(shutil.copy(built(publisher, source, name), publisher.root / f"{name}.py"))
        for name in ("baseline", "slowed", "candidate")
    )
    python = ["{python}", "-S"]
    words = [*python, good, "{raw}"]
    engine(publisher, *("run", "--cell", "decode-v8", "--name", "value", "--execute", "--", *words))
    said = ["--evidence", "receipt://value", "--metric", "decode_tok_s", "--tolerance", "0.02"]
    engine(publisher, "anchor", "record", "before", *said)
    path = plan(publisher, "words", slowed, candidate, anchored=True)
    fields = json.loads(path.read_text())
    for arm in (fields["baseline"], fields["candidate"], fields["anchors"][0]):
        arm["command"] = [*python, *arm["command"]]
    fields["anchors"][0]["command"] = words
    path.write_text(json.dumps(fields))

    refused = publisher.engine("ab", path, "--execute")
    assert refused.exit_code == 4
    assert "no anchor runs the baseline's own command" in refused.stderr
    fields["anchors"][0]["command"] = fields["baseline"]["command"]
    path.write_text(json.dumps(fields))
    assert "BASELINE_CONDEMNED" in engine(publisher, "ab", path, "--execute")


def test_a_rebuilt_baseline_is_traced_to_its_commit_and_built_once(publisher, source):
    place, commits = source
    binary = built(publisher, source, "baseline")
    words = ["--repository", place, "--build", "true", "--output", "decoder"]
    again = publisher.engine("anchor", "rebuild", commits["baseline"], *words)

    statement = json.loads((publisher.root / f"{binary}.provenance.json").read_text())
    sources = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert sources == [{"name": "source", "digest": {"gitCommit": commits["baseline"]}}]
    assert again.exit_code == 4
    assert "this commit was built before" in again.stderr
    assert git(place, "worktree", "list").count("\n") == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["HEAD", "--build", "false", "--output", "decoder"], "the build exited with 1"),
        (["HEAD", "--build", "true", "--output", "nothing"], "the build wrote no file nothing"),
        (["HEAD", "--build", "true", "--output", "../../x"], "the build wrote no file"),
        (["nowhere", "--build", "true", "--output", "decoder"], "git in"),
        (["HEAD", "--build", " ", "--output", "decoder"], "the build command is empty"),
    ],
)
def test_a_rebuild_that_gives_no_binary_says_why_and_leaves_no_worktree(
    publisher, source, words, said
):
    place, _ = source
    result = publisher.engine("anchor", "rebuild", *words, "--repository", place)
    assert result.exit_code == 4
    assert said in result.stderr
    assert git(place, "worktree", "list").count("\n") == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a", "--command", "{binary}"], "one binary drifts from nothing"),
        (["a", "b", "--command", "x"], "does not hold the word {binary}"),
        (["a", "b", "--command", "{binary}"], "the binary does not exist"),
        (["a", "b", "--command", "{binary}", "--repetitions", "2"], "2 repetitions tell nothing"),
    ],
)
def test_a_drift_test_that_would_tell_nothing_starts_nothing(publisher, words, said):
    result = publisher.engine("drift", *words, "--metric", "decode_tok_s", "--execute")
    assert result.exit_code == 4
    assert said in result.stderr
