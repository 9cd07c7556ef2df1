"""A page of true sentences, a table and names that hold numbers; then one fault after another."""

import re

import pytest

from tests.claims.paired import measure

LLAMA = (33.4012, 33.4261, 33.4480, 33.4195, 33.4302)
MUSER = (35.1123, 35.1586, 35.1939, 35.0973, 35.1701)
OTHER = (20.0112, 20.0211, 20.0153, 20.0188, 20.0201)


def change(name, entry, **fields):
    wording = f"On {name} the candidate decodes at {{ratio:.5f}}× the baseline (n = {{n}})."
    return {
        "id": name,
        "kind": "change",
        "wording": wording,
        "metric": "decode_tok_s",
        "statistic": "ratio_of_medians",
        "evidence": [{"entry": entry}],
        **fields,
    }


def level(name, arm):
    return {
        "id": name,
        "kind": "level",
        "wording": "It decodes at {value:.4f} {unit} (median of {n} runs).",
        "metric": "decode_tok_s",
        "statistic": "median",
        "evidence": [{"entry": "J1", "arm": arm}],
    }


CLAIMS = (
    change("decode", "J1"),
    change("second", "J2"),
    change("old", "J3"),
    {
        **level("single", "x"),
        "wording": "It decodes at {value:.4f} {unit} (single sample).",
        "evidence": [{"entry": "J4"}],
        "repetitions": 1,
    },
    level("muser", "muser"),
    level("llama", "llama"),
)
HEAD = """\
# Muser v0.9.2, 2026-08-15

Build b4321 (89e0aa6) ran on an M3, an H100 and a B300 with Llama-3.1-8B in Q4_K_M, Python 3.11,
CUDA 12.4, as issue #4879 asks; it serves on port 8080, the semantics are those of RFC 9110, and
section 38.1 of chapter 38 has the rest.

1. Build it.
2. Run it with 2,048 prompt tokens.

## Results
"""
TRUE = """\
At a depth of 2,048 Muser decodes at 1.05183×<!--claim:decode--> the speed of llama.cpp.
The medians are 35.1586 tok/s<!--claim:muser--> for Muser and 33.4261 tok/s<!--claim:llama--> for
llama.cpp. The second lever gave 1.03703×<!--claim:second--> on its own.
"""
TABLE_HEAD = """
<!-- claim: decode row=repetition cols="Muser:muser, llama.cpp:llama, Ratio:ratio, Gain:percent" -->
| repetition | Muser (tok/s) | llama.cpp (tok/s) | Ratio | Gain |
| ---: | ---: | ---: | ---: | ---: |
"""


def rows():
    lines = []
    for number, (muser, llama) in enumerate(zip(MUSER, LLAMA, strict=True), 1):
        ratio = muser / llama
        gain = 100 * (ratio - 1)
        lines.append(f"| {number} | {muser:.4f} | {llama:.4f} | {ratio:.4f} | +{gain:.2f} % |")
    return "\n".join(lines) + "\n"


GOOD = HEAD + "\n" + TRUE + TABLE_HEAD + rows()


@pytest.fixture(scope="module")
def ledgered(shared_publisher):
    p = shared_publisher
    measure(p, "J1", ("llama", LLAMA), ("muser", MUSER))
    measure(p, "J2", ("plain", OTHER), ("lever", [1.03703 * rate for rate in OTHER]))
    measure(p, "J3", ("plain", OTHER), ("tuned", [1.3273 * rate for rate in OTHER]))
    p.experiment("J4", "receipt://j1-anchored")
    p.write(*CLAIMS)
    for name in ("decode", "second", "old", "single", "muser", "llama"):
        told = p.claims("approve", name)
        assert told.exit_code == 0, told.output
    p.experiment("J5")
    assert p.ledger("supersede", "J3", "J5", "--reason", "measured again").exit_code == 0
    return p


@pytest.fixture(scope="module")
def found(ledgered):
    """Return a function from a page's text to its exit code, and code and place of each finding."""

    def check(text):
        result = ledgered.check(text)
        lines = [
            re.match(r"page\.md:(\d+:\d+): (CLM\d+)", line) for line in result.output.splitlines()
        ]
        return result.exit_code, [(match[2], match[1]) for match in lines if match], result.output

    return check


def test_the_true_page_passes_with_every_number_accounted_for(found):
    code, findings, output = found(GOOD)
    assert (code, findings) == (0, []), output
    assert ", 0 unbound" in output


def test_every_mutant_of_the_true_page_is_killed(ledgered):
    (ledgered.root / "page.md").write_text(GOOD)
    result = ledgered.claims("selftest", "page.md")
    assert result.exit_code == 0, result.output
    assert int(result.stdout.split()[0]) > 100


PLANTED = (
    ("wrong rounding", "1.03703×", "1.0371×", "CLM103"),
    ("no evidence", "on its own", "on its own, and memory falls by 23.4 %", "CLM101"),
    ("superseded", "on its own", "on its own, tuned 1.3273×<!--claim:old-->", "CLM501"),
    (
        "wider than its scope",
        "the speed of llama.cpp.",
        "llama.cpp on every model, every GPU and every prompt length.",
        "CLM203",
    ),
    (
        "a single sample as a mean",
        "on its own",
        "on its own; the mean over our runs was 33.4012 tok/s<!--claim:single--> then",
        "CLM305",
    ),
    ("wrong table cell", "35.1939", "35.1993", "CLM111"),
)


@pytest.mark.parametrize(
    ("old", "new", "code"), [fault[1:] for fault in PLANTED], ids=[f[0] for f in PLANTED]
)
def test_each_planted_fault_is_found_by_its_own_code_and_nothing_else_is(found, old, new, code):
    assert old in GOOD
    exit_code, findings, output = found(GOOD.replace(old, new, 1))
    also = {"CLM205"} if code == "CLM305" else set()
    assert (exit_code, {one[0] for one in findings} - also) == (1, {code}), output


def test_all_six_at_once_are_six_codes(found):
    text = GOOD
    for _, old, new, _ in PLANTED:
        text = text.replace(old, new, 1)
    assert {one[0] for one in found(text)[1]} - {"CLM205"} == {fault[3] for fault in PLANTED}


SHARPER = (
    ("swapped medians", "35.1586 tok/s<!--claim:muser--> for Muser and 33.4261",
     "33.4261 tok/s<!--claim:muser--> for Muser and 35.1586", "CLM109"),
    ("swapped with their markers",
     "35.1586 tok/s<!--claim:muser--> for Muser and 33.4261 tok/s<!--claim:llama-->",
     "33.4261 tok/s<!--claim:llama--> for Muser and 35.1586 tok/s<!--claim:muser-->", "CLM109"),
    ("wrong unit", "35.1586 tok/s", "35.1586 ms", "CLM104"),
    ("inverted", "1.05183×", "0.9507×", "CLM105"),
    ("the wrong way round", "Muser decodes at 1.05183×<!--claim:decode--> the speed of llama.cpp",
     "llama.cpp decodes at 1.05183×<!--claim:decode--> the speed of Muser", "CLM105"),
    ("1.1x", "1.05183×", "1.1x", "CLM103"),
    ("1x", "1.05183×", "1x", "CLM103"),
    ("a percent sign", "1.05183×", "1.05183 %", "CLM104"),
    ("a minus", "35.1586 tok/s", "−35.1586 tok/s", "CLM102"),
    ("over-precise", "35.1586 tok/s", "35.15860 tok/s", "CLM213"),
    ("a range", "35.1586 tok/s", "35.1–35.3 tok/s", "CLM102"),
    ("twice", "decodes at 1.05183×<!--claim:decode--> the speed of",
     "decodes twice<!--claim:decode--> as fast as", "CLM102"),
    ("twice, unbound", "on its own.", "on its own. It is twice as fast.", "CLM101"),
    ("five hundred", "The medians are", "Over five hundred repetitions the medians are", "CLM211"),
    ("a mean", "The medians are", "The means are", "CLM205"),
    ("another depth", "At a depth of 2,048", "At a depth of 4,096", "CLM201"),
    ("a derived cell", "+5.22 %", "+5.72 %", "CLM111"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "code"), [s[1:] for s in SHARPER], ids=[s[0] for s in SHARPER]
)
def test_each_sharper_line_is_found(found, old, new, code):
    assert old in GOOD, old
    exit_code, findings, output = found(GOOD.replace(old, new, 1))
    assert exit_code == 1, output
    assert code in {one[0] for one in findings}, output


MUSER_AT, LLAMA_AT = "35.16 tok/s<!--claim:muser-->", "33.43 tok/s<!--claim:llama-->"
CELL = "| engine | decode ({}) |\n|---|---|\n| Muser | {} |"
HONEST = (
    "Muser is 5.2 %<!--claim:decode--> faster than llama.cpp at a depth of 2,048.",
    "Muser gains 5 %<!--claim:decode--> over llama.cpp (n = 5).",
    "Decode: 33.43 → 35.16 tok/s<!--claim:decode--> in the window.",
    f"In five repetitions each, Muser ran at {MUSER_AT} and llama.cpp at {LLAMA_AT} here.",
    "llama.cpp is 4.9 %<!--claim:decode--> slower than Muser here.",
    CELL.format("tok/s", "35.16<!--claim:muser-->"),
    "Muser decodes at least 35.09 tok/s<!--claim:muser--> in every repetition.",
    "Compared with llama.cpp, Muser decodes at 1.052×<!--claim:decode--> its speed.",
    f"Decode rises from {LLAMA_AT} (llama.cpp) to {MUSER_AT} (Muser) here.",
    f"Its median is {MUSER_AT} (35.10–35.19 tok/s<!--claim:muser-->) here.",
    f"- Muser: {MUSER_AT}\n- llama.cpp: {LLAMA_AT}",
)
FALSE = (
    "llama.cpp is 5.2 %<!--claim:decode--> faster than Muser here.",
    "Muser is 5.2 %<!--claim:decode--> slower than llama.cpp here.",
    "Decode: 35.16 → 33.43 tok/s<!--claim:muser--> in the window.",
    CELL.format("ms", "35.16<!--claim:muser-->"),
    CELL.format("tok/s", "33.43<!--claim:llama-->"),
    "Muser doubles<!--claim:decode--> the speed of llama.cpp here.",
    "Muser runs at half<!--claim:decode--> the speed of llama.cpp here.",
    "In 50 runs Muser decodes at 1.05×<!--claim:decode--> here.",
    "Muser decodes at 1.05×<!--claim:decode--> regardless of the GPU here.",
    "Muser peaks at 35.16 tok/s<!--claim:muser--> here.",
)


@pytest.mark.parametrize("text", HONEST)
def test_what_is_true_passes_in_other_words(found, text):
    exit_code, findings, output = found(f"{text}\n")
    assert (exit_code, findings) == (0, []), output


@pytest.mark.parametrize("text", FALSE)
def test_what_is_false_is_found_in_other_words(found, text):
    assert found(f"{text}\n")[0] == 1


R, K, S = "<!--claim:decode-->", "<!--claim:muser-->", "<!--claim:single-->"
MISTOLD = (
    (f"The gain of llama.cpp over Muser is 1.05×{R}.", "CLM105"),
    (f"The lead of llama.cpp over Muser is 5.2 %{R}.", "CLM105"),
    (f"Muser is outrun by llama.cpp by a factor of 1.05{R}.", "CLM105"),
    (f"llama.cpp outruns Muser by a factor of 1.05{R}.", "CLM105"),
    (f"Muser outruns llama.cpp by a factor of 1.15{R}.", "CLM102"),
    (f"Muser is 1.15× as fast as llama.cpp{R}.", "CLM102"),
    (f"Decode is as fast as in llama.cpp, 1.05×{R} or so.", "CLM407"),
    (f"Decode went from 35.16 to 33.43 tok/s{R}.", "CLM109"),
    (f"Decode dropped from 35.16 tok/s{R} to 33.43 tok/s{R}.", "CLM109"),
    (f"Muser went from 35.16 to 33.43 tok/s{R}.", "CLM109"),
    (f"Decode: 35.16 → 33.43 tok/s{R}.", "CLM109"),
    (f"Decode: 35.16 tok/s -> 33.43 tok/s{R}.", "CLM109"),
    (f"Before: 35.16 tok/s, after: 33.43 tok/s{R}.", "CLM109"),
    (f"It is 35.16 tok/s before and 33.43 tok/s after{R}.", "CLM109"),
    (f"The baseline has 35.16 tok/s, the candidate 33.43 tok/s{R}.", "CLM109"),
    (f"Decode is at 33.43 tok/s, down from 35.16 tok/s{R}.", "CLM109"),
    (f"Prefill runs at 35.16 tok/s{K}.", "CLM109"),
    (f"Time to first token: 35.16 tok/s{K}.", "CLM109"),
    (f"Prompt processing gains 5.2 %{R} over llama.cpp.", "CLM109"),
    (f"| engine | prefill (tok/s) |\n|---|---|\n| Muser | 35.16{K} |", "CLM109"),
    (f"vLLM decodes 35.16 tok/s{K}.", "CLM109"),
    (f"SGLang reaches 35.16 tok/s{K} here.", "CLM109"),
    (f"Muser decodes at 1.05×{R} the speed of vLLM.", "CLM109"),
    (f"Muser is 5.2 %{R} faster than vLLM.", "CLM109"),
    (f"Muser decodes at 5×35.16 tok/s{K}.", "CLM101"),
    (f"Muser decodes at 5 35.16 tok/s{K} in 5 runs.", "CLM101"),
    (f"Muser decodes at 5&shy;35.16 tok/s{K} in 5 runs.", "CLM013"),
    (f"Muser decodes at 5\u206035.16 tok/s{K} in 5 runs.", "CLM013"),
    (f"Muser decodes at 35.16 tok/s{K} on 5 GPUs.", "CLM101"),
    (f"Muser decodes at 35.16 tok/s{K} and crashes 5 times.", "CLM101"),
    (f"Muser decodes at 35.16 tok/s{K} and scales to 2048 GPUs.", "CLM101"),
    (f"With 2048 users at once Muser decodes at 35.16 tok/s{K}.", "CLM101"),
    (f"With 2048 concurrent users Muser decodes at 35.16 tok/s{K}.", "CLM101"),
    (f"It typically decodes at 33.40 tok/s{S} (single sample).", "CLM305"),
    (f"It usually reaches 33.40 tok/s{S} (n = 1, single sample).", "CLM305"),
    (f"Over several runs it reaches 33.40 tok/s{S} (single sample).", "CLM305"),
    (f"A single sample: on average it reaches 33.40 tok/s{S}.", "CLM305"),
    (f"Whatever model you load, Muser gives 35.16 tok/s{K}.", "CLM203"),
    (f"Muser gives 35.16 tok/s{K}, be it on AMD, NVIDIA or Apple silicon.", "CLM203"),
    (f"Muser decodes at nearly 36 tok/s{K}.", "CLM103"),
    (f"Muser decodes at almost 35 tok/s{K}.", "CLM103"),
    (f"Muser needs 4.9 % more time{R} per token than llama.cpp.", "CLM105"),
    (f"llama.cpp needs 4.9 % less time{R} per token than Muser.", "CLM105"),
    (f"Its rates are 35.10–35.19 tok/s (a mean of 5 repetitions){K}.", "CLM205"),
)
TRULY_TOLD = (
    f"The gain of Muser over llama.cpp is 1.05×{R}.",
    f"The lead of Muser over llama.cpp is 5.2 %{R}.",
    f"llama.cpp is outrun by Muser by a factor of 1.05{R}.",
    f"Muser outruns llama.cpp by a factor of 1.05{R}.",
    f"Muser is 1.05× as fast as llama.cpp{R}.",
    f"Muser runs 1.05× as fast{R} as llama.cpp.",
    f"Decode went from 33.43 to 35.16 tok/s{R}.",
    f"Muser raises decode from 33.43 to 35.16 tok/s{R}.",
    f"Decode rose from 33.43 tok/s{R} to 35.16 tok/s{R}.",
    f"Decode falls from 35.16 tok/s (Muser) to 33.43 tok/s (llama.cpp){R}.",
    f"Decode: 33.43 tok/s -> 35.16 tok/s{R}.",
    f"Before: 33.43 tok/s, after: 35.16 tok/s{R}.",
    f"The baseline has 33.43 tok/s, the candidate 35.16 tok/s{R}.",
    f"Compared with the baseline, it has 35.16 tok/s{R}.",
    f"Decode is at 35.16 tok/s, up from 33.43 tok/s{R}.",
    f"After a prefill of 2,048 tokens Muser runs at 35.16 tok/s{K}.",
    f"Decode runs at 35.16 tok/s{K}, and prefill was not timed.",
    f"Decode and prefill differ: Muser runs at 35.16 tok/s{K} in the first.",
    f"| engine | decode (tok/s) |\n|---|---|\n| Muser | 35.16{K} |",
    f"On vLLM's prompts Muser decodes at 35.16 tok/s{K}.",
    f"Muser decodes at 35.16 tok/s{K}; vLLM was not measured.",
    f"Muser, a fork of vLLM, is 5.2 %{R} faster than llama.cpp.",
    f"Muser decodes at 35.16 tok/s{K} at a depth of 2,048.",
    f"Behind 2,048 tokens Muser decodes at 35.16 tok/s{K}.",
    f"Muser decodes at 35.16 tok/s{K} (n = 5).",
    f"Muser decodes at 35.16 tok/s{K} in 5 repetitions.",
    f"Muser decodes at 35.16 tok/s{K}; it was measured 5 times.",
    f"In five runs on one GPU Muser decodes at 35.16 tok/s{K}.",
    f"It decodes at 33.40 tok/s{S} (single sample).",
    f"Usually Muser reaches 35.16 tok/s{K}.",
    f"For a prefill of 2,048 tokens, Muser runs at 35.16 tok/s{K}.",
    f"Muser gains in decode, from 33.43 tok/s<!--claim:llama--> to 35.16 tok/s{K}.",
    f"Muser decodes at nearly 35.2 tok/s{K}.",
    f"Muser needs 4.9 % less time{R} per token than llama.cpp.",
    f"llama.cpp needs 5.2 % more time{R} per token than Muser.",
    f"Its rates are 35.10–35.19 tok/s (min to max of 5 repetitions){K}.",
)


MORE_MISTOLD = (
    f"llama.cpp's lead over Muser is 5.2 %{R}.",
    f"Muser's speed is exceeded by llama.cpp by 5.2 %{R}.",
    f"The advantage for llama.cpp over Muser is 5.2 %{R}.",
    f"llama.cpp has an advantage of 5.2 %{R} over Muser.",
    f"Muser is beaten by 5.2 %{R} by llama.cpp.",
    f"Muser is beaten 5.2 %{R} by llama.cpp.",
    f"Muser trails llama.cpp by 5.2 %{R}.",
    f"Decode at a depth of 2,048: from 35.16 tok/s to 33.43 tok/s{R}.",
    f"Baseline: 35.16 tok/s; candidate: 33.43 tok/s{R}.",
    f"The old build has 35.16 tok/s and the new build 33.43 tok/s{R}.",
    f"The 2048 employees like its 35.16 tok/s{K} here.",
    f"It costs 5 dollars and decodes at 35.16 tok/s{K}.",
    f"It supports 2048 languages and decodes at 35.16 tok/s{K}.",
    f"Decode uses 5 runs' worth of power on 2048 boxes at 35.16 tok/s{K}.",
    f"5·35.16 tok/s{K} it is.",
    f"During prefill it reaches 35.16 tok/s{K}.",
    f"Its TTFT improves by 5.2 %{R} over llama.cpp.",
    f"vLLM: 35.16 tok/s{K}.",
    f"vLLM takes 35.16 tok/s{K} at most.",
    f"With vLLM we measured 35.16 tok/s{K}.",
    f"35.16 tok/s{K} in vLLM.",
    f"35.16 tok/s{K} (vLLM).",
    f"Muser beats vLLM by 5.2 %{R}.",
    f"Muser outperforms SGLang by 5.2 %{R}.",
    f"It is 1.05×{R} as fast as vLLM.",
    f"vLLM is 5.2 %{R} faster than llama.cpp.",
    f"Regardless of what you load, Muser gives 35.16 tok/s{K}.",
    f"Whichever GPU, Muser gives 35.16 tok/s{K}.",
    f"It normally has 33.40 tok/s{S} (n = 1).",
    f"It is 33.40 tok/s{S} on average (single sample).",
    f"Muser is nearly 1.06×{R} as fast as llama.cpp.",
    f"Muser takes 1.05×{R} the time of llama.cpp.",
    f"Muser takes 5.2 % less time{R} than llama.cpp.",
    f"Its average is 35.10–35.19 tok/s{K}.",
    f"The speed of llama.cpp is 1.05×{R} that of Muser.",
    f"The throughput of llama.cpp exceeds that of Muser by 5.2 %{R}.",
    f"llama.cpp over Muser: 1.05×{R}.",
    f"llama.cpp/Muser: 1.05×{R}",
)
MORE_TRULY_TOLD = (
    f"Muser is a factor of 1.05{R} faster than llama.cpp.",
    f"Muser's lead over llama.cpp is 5.2 %{R}.",
    f"Muser has an advantage of 5.2 %{R} over llama.cpp.",
    f"The improvement over llama.cpp is 5.2 %{R}.",
    f"llama.cpp is beaten by 5.2 %{R} by Muser.",
    f"llama.cpp trails Muser by 4.9 %{R}.",
    f"Decode improves from 33.43 to 35.16 tok/s{R} (+5.2 %{R}).",
    f"Decode at a depth of 2,048: from 33.43 tok/s to 35.16 tok/s{R}.",
    f"With Muser, decode goes from 33.43 to 35.16 tok/s{R}.",
    f"Moving from llama.cpp to Muser takes decode from 33.43 to 35.16 tok/s{R}.",
    f"Baseline: 33.43 tok/s; candidate: 35.16 tok/s{R}.",
    f"It is at 35.16 tok/s now and was at 33.43 tok/s before{R}.",
    f"Muser reaches 35.16 tok/s against 33.43 tok/s{R} for llama.cpp.",
    f"Muser reaches 35.16 tok/s{R}; the baseline has 33.43 tok/s{R}.",
    f"At depth 2,048 with batch size 1 and 5 repetitions, Muser decodes at 35.16 tok/s{K}.",
    f"Muser decodes at 35.16 tok/s{K} (2,048-token prompt, 5 runs).",
    f"Muser decodes at 35.16 tok/s{K} (d2048).",
    f"- depth 2,048: 35.16 tok/s{K}",
    f"- 2,048: 35.16 tok/s{K}",
    f"In prefill we saw nothing; decode reaches 35.16 tok/s{K}.",
    f"Muser is the engine for prefill-heavy work and decodes at 35.16 tok/s{K}.",
    f"Muser, which borrows from vLLM, decodes at 35.16 tok/s{K}.",
    f"Muser decodes at 35.16 tok/s{K}, be it only in this window.",
    f"It has 33.40 tok/s{S} (a single sample, and not on average).",
    f"Muser is almost 1.052×{R} as fast as llama.cpp.",
    f"Muser takes 0.951×{R} the time of llama.cpp.",
    f"Muser takes 4.9 % less{R} time than llama.cpp.",
    f"Muser cuts the time per token by 4.9 %{R}.",
    f"Min–max of Muser: 35.10–35.19 tok/s{K}.",
    f"The speed of Muser is 1.05×{R} that of llama.cpp.",
    f"The throughput of Muser exceeds that of llama.cpp by 5.2 %{R}.",
    f"Muser over llama.cpp: 1.05×{R}.",
    f"Muser/llama.cpp: 1.05×{R}",
)


@pytest.mark.parametrize(("text", "code"), MISTOLD)
def test_what_is_told_the_wrong_way_is_found(found, text, code):
    exit_code, findings, output = found(f"{text}\n")
    assert exit_code == 1, output
    assert code in {one[0] for one in findings}, output


@pytest.mark.parametrize("text", MORE_MISTOLD)
def test_more_of_the_same_is_found_too(found, text):
    assert found(f"{text}\n")[0] == 1


@pytest.mark.parametrize("text", [*TRULY_TOLD, *MORE_TRULY_TOLD])
def test_its_honest_twin_passes(found, text):
    exit_code, findings, output = found(f"{text}\n")
    assert (exit_code, findings) == (0, []), output
