"""What stands beside a bound number, against its evidence: conditions, counts, words, machines."""

import json

import pytest

from claims import desk
from claims.checks.page import Checker

RATES = {
    0: (133.52, 133.61, 133.44, 133.70, 133.31),
    4096: (118.46, 118.52, 118.31, 118.60, 118.40),
    8192: (104.96, 105.11, 104.79, 105.02, 104.90),
}

DEEP = (4096, 8192)


def raw(**changes):
    """Return a raw file of llama-bench with a cell for each depth, and one of prefill."""
    told = {
        "build_commit": "89e0aa6", "build_number": 6100, "gpu_info": "NVIDIA H100 80GB HBM3",
        "model_filename": "models/Llama-3.1-8B-Q4_K_M.gguf",
        "model_type": "llama 8B Q4_K - Medium",
        "n_batch": 2048, "n_ubatch": 512, "n_threads": 16, "type_k": "f16", "type_v": "f16",
        "n_gpu_layers": 99, "main_gpu": 0, "flash_attn": True, **changes,
    }  # fmt: skip
    cells = [(0, 128, depth, rates) for depth, rates in RATES.items()]
    cells.append((512, 0, 0, (5757.3, 5741.9, 5762.6, 5770.2, 5733.5)))
    lines = []
    for prompt, gen, depth, rates in cells:
        times = [round((prompt + gen) * 1e9 / rate) for rate in rates]
        cell = {"n_prompt": prompt, "n_gen": gen, "n_depth": depth}
        lines.append({**told, **cell, "samples_ns": times, "samples_ts": list(rates)})
    return "".join(json.dumps(line) + "\n" for line in lines)


def level(name, entry, metric="decode_tok_s", **fields):
    select = fields.pop("select", None)
    cited = {"entry": entry, **({"select": select} if select else {})}
    return {
        "id": name,
        "kind": "level",
        "wording": f"Claim {name} is of {{value:.1f}} {{unit}} ({{n}} runs).",
        "metric": metric,
        "statistic": "median",
        "evidence": [cited],
        **fields,
    }


@pytest.fixture(scope="module")
def told(shared_publisher):
    """Return a function from a page to what is found on it, as `code line:column message`."""
    p = shared_publisher
    files = {"sweep": raw(), "bare": raw(type_k="", type_v=""), "card": raw(gpu_info="RTX 4090")}
    for name, text in files.items():
        (p.root / name).write_text(text)
        assert p.engine("attach", name, "--cell", name, "--name", name).exit_code == 0
    p.experiment("SWEEP", "receipt://sweep")
    served = {"max_concurrency": "8", "num_prompts": "100"}
    p.experiment("SERVED", "receipt://bare", scope=served)
    for kv in ("f16", "q8_0"):
        p.experiment(f"KV-{kv[0]}", "receipt://bare", scope={"kv": kv})
    p.experiment("CARD", "receipt://card")
    first, second = {"n_gen": 128, "n_depth": 0}, {"n_depth": 4096}
    p.publish(
        level("d0", "SWEEP", select=first),
        *(
            level(f"d{d}", "SWEEP", select={"n_depth": d}, scope={"n_depth": d})
            for d in (4096, 8192)
        ),
        level("prefill", "SWEEP", "prefill_tok_s", select={"n_prompt": 512}),
        level("served", "SERVED", select=first),
        level("kv-f16", "KV-f", scope={"kv": "f16"}, select=first),
        level("kv-q8", "KV-q", scope={"kv": "q8_0"}, select=second),
        level("rtx", "CARD", select=second),
        p.change,
    )
    with desk.open_desk(lambda _: None) as here:
        checker = Checker(here.register, here.judge)

        def check(text):
            found = checker.check("page.md", f"{text}\n").findings
            return [f"{f.code} {f.place.partition(':')[2]} {f.message}" for f in found]

        yield check


def codes(found):
    return {one[:6] for one in found}


def bound(value, claim):
    return f"{value}<!--claim:{claim}-->"


D0, D4, D8 = (
    bound(*one)
    for one in (("133.5 tok/s", "d0"), ("118.5 tok/s", "d4096"), ("105.0 tok/s", "d8192"))
)
PP, SERVED = bound("5,757 tok/s", "prefill"), bound("133.5 tok/s", "served")
F16, Q8 = bound("133.5 tok/s", "kv-f16"), bound("118.5 tok/s", "kv-q8")
RTX, TUNED = bound("118.5 tok/s", "rtx"), bound("1.25×", "tuned")
DEPTHS = "| depth | decode (tok/s) |\n|---|---|\n"

# A false page, where it is refused, and its honest twin.
CONDITIONS = {
    "of another claim of the section": (
        f"At a depth of 4096 it gives {D8}. At a depth of 8192 it gives {D4}.", ["1:15", "1:74"],
        f"At a depth of 4096 it gives {D4}. At a depth of 8192 it gives {D8}.",
    ),
    "in a table": (
        f"{DEPTHS}| 0 | 105.0<!--claim:d8192--> |\n| 8,192 | 133.5<!--claim:d0--> |",
        ["3:3", "4:3"],
        f"{DEPTHS}| 8,192 | 105.0<!--claim:d8192--> |\n| 0 | 133.5<!--claim:d0--> |",
    ),
    "in a header": (
        f"| | depth 8192 | depth 0 |\n|---|---|---|\n| x | {D0} | {D8} |", ["1:11", "1:24"],
        f"| | depth 0 | depth 8192 |\n|---|---|---|\n| x | {D0} | {D8} |",
    ),
    "in a header beside its name": (
        f"| depth | 8192 | 0 |\n|---|---|---|\n| x | {D0} | {D8} |", ["1:11", "1:18"],
        f"| depth | 0 | 8192 |\n|---|---|---|\n| x | {D0} | {D8} |",
    ),
    "listed": (
        f"At depths of 4096 and 8192 it gives {D8} and {D4}.", ["1:14", "1:23"],
        f"At depths of 4096 and 8192 it gives {D4} and {D8}.",
    ),
    "one after the other": (
        f"It gives {D8} at depth 4096 and {D4} at depth 8192.", ["1:49", "1:97"],
        f"It gives {D4} at depth 4096 and {D8} at depth 8192.",
    ),
    "without its name": (
        f"It gives {D8} at 4096 and {D4} at 8192.", ["1:43", "1:85"],
        f"It gives {D4} at 4096 and {D8} at 8192.",
    ),
    "behind a semicolon": (
        f"Decode gives {D0}; at depth 8192 it gives {D4}.", ["1:51"],
        f"Decode gives {D0}; at depth 8192 it gives {D8}.",
    ),
    "a depth that is the micro-batch": (
        f"At a depth of 512 it gives {D0}.", ["1:15"], f"At a depth of 0 it gives {D0}.",
    ),
    "a context that is the micro-batch": (
        f"With a context of 512 tokens it gives {D0}.", ["1:19"],
        f"With a context of 8K tokens it gives {D8}.",
    ),
    "a prompt that is the batch": (
        f"Prompts of 2048 tokens give {PP}.", ["1:12"], f"Prompts of 512 tokens give {PP}.",
    ),
    "a prompt where there was none": (
        f"With 128-token prompts decode gives {D0}.", ["1:6"],
        f"After a 4096-token prompt decode gives {D4}.",
    ),
    "a batch that is the threads": (
        f"At batch size 16 it gives {D0}.", ["1:15"], f"At batch size 2048 it gives {D0}.",
    ),
    "a micro-batch that is the batch": (
        f"Micro-batches of 2048 give {PP}.", ["1:18"], f"Micro-batches of 512 give {PP}.",
    ),
    "threads that are tokens": (
        f"With 128 threads it gives {D0}.", ["1:6"], f"With 16 threads it gives {D0}.",
    ),
    "generated tokens that are the batch": (
        f"Generating 2048 tokens it gives {D0}.", ["1:12"], f"Generating 128 tokens it gives {D0}.",
    ),
    "a concurrency that is the requests": (
        f"At concurrency 100 it gives {SERVED}.", ["1:16"], f"At concurrency 8 it gives {SERVED}.",
    ),
    "concurrent users": (
        f"For 100 concurrent users it gives {SERVED}.", ["1:5"],
        f"For 8 concurrent users it gives {SERVED}.",
    ),
    "requests in flight": (
        f"With 100 requests in flight it gives {SERVED}.", ["1:6"],
        f"With 8 requests in flight it gives {SERVED}.",
    ),
    "of the cell that a marker names": (
        "At depth 4096 it gives 105.0 tok/s<!--claim:d4096@n_depth=8192-->.", ["1:10"],
        "At depth 8192 it gives 105.0 tok/s<!--claim:d4096@n_depth=8192-->.",
    ),
    "requests": (
        f"It gives {SERVED} over 1,000 requests.", ["1:46"],
        f"At a concurrency of 8, 100 requests got {SERVED}.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("false", "places", "true"), CONDITIONS.values(), ids=CONDITIONS)
def test_a_condition_beside_a_number_is_that_of_the_claim_and_of_the_fact_so_named(
    told, false, places, true
):
    """MRK-20."""
    found = told(false)
    assert [one.split()[:2] for one in found] == [["CLM201", place] for place in places], found
    assert told(true) == []


def test_the_fact_that_is_told_is_the_one_that_was_named(told):
    (found,) = told(f"At a depth of 4,096 it gives {D8}.")
    assert found.endswith("the evidence has n_depth 8192, the page says 4,096")


def test_no_other_claim_establishes_a_condition_of_a_sentence(told):
    page = f"At depth 4096 it gives {D4}. At concurrency 8 it gives {D0}."
    assert codes(told(f"{page} It gives {SERVED}.")) == {"CLM101"}


COUNTS = {
    "ten for five": f"It gives {D0} (median of ten runs).",
    "n = 10": f"It gives {D0} (n = 10).",
    "pairs": f"Tuned gives {TUNED} over ten pairs.",
    "of each arm": f"Tuned gives {TUNED} (medians of ten runs each).",
    "a dozen": f"It gives {D0} over a dozen runs.",
    "dozens": f"It gives {D0} over dozens of runs.",
    "hundreds": f"It gives {D0} over hundreds of runs.",
    "many": f"It gives {D0}, the median of many runs.",
    "a column n": f"| x | decode | n |\n|---|---|---|\n| x | {D0} | 16 |",
    "before a table": f"Medians of 16 runs each:\n\n| x | decode |\n|---|---|\n| x | {D0} |",
}


@pytest.mark.parametrize("page", COUNTS.values(), ids=COUNTS)
def test_a_count_is_that_of_the_repetitions_and_no_other_fact(told, page):
    """MRK-18."""
    assert codes(told(page)) == {"CLM211"}


@pytest.mark.parametrize(
    "page",
    [
        f"It gives {D0} (median of five runs).",
        f"It gives {D0}, the median of several runs.",
        f"Tuned gives {TUNED} over ten runs.",
        f"Tuned gives {TUNED}, five pairs, ten runs in all.",
        f"| x | decode | n |\n|---|---|---|\n| x | {D0} | 5 |",
        f"Medians of 5 runs each:\n\n| x | decode |\n|---|---|\n| x | {D0} |",
    ],
)
def test_twice_as_many_runs_are_those_of_both_arms(told, page):
    assert told(page) == []


WORDS = {
    "in a sentence": (f"The f16 cache gives {Q8}.", f"The q8_0 cache gives {Q8}."),
    "one after the other": (
        f"With an f16 cache it gives {Q8}, with q8_0 {F16}.",
        f"With an f16 cache it gives {F16}, with q8_0 {Q8}.",
    ),
    "in a table": (
        f"| kv | decode |\n|---|---|\n| f16 | {Q8} |\n| q8_0 | {F16} |",
        f"| kv | decode |\n|---|---|\n| f16 | {F16} |\n| q8_0 | {Q8} |",
    ),
    "held against": (f"The f16 cache gives {Q8} here.", f"It gives {Q8} with q8_0, unlike f16."),
}


@pytest.mark.parametrize(("false", "true"), WORDS.values(), ids=WORDS)
def test_a_word_of_another_claims_scope_is_not_this_ones(told, false, true):
    """MRK-20."""
    assert codes(told(false)) == {"CLM201"}
    assert told(true) == []


SETTINGS = {
    "weights": (f"With Q8_0 weights it gives {D0}.", f"With Q4_K_M weights it gives {D0}."),
    "a format": (f"In FP16 it gives {D0}.", f"With FP16 accumulation it gives {D0}."),
    "a smaller size": (f"In Q4_K_S it gives {D0}.", f"In Q4_K it gives {D0}."),
    "a cache": (f"With a q8_0 KV cache it gives {D0}.", f"With an f16 KV cache it gives {D0}."),
    "a row": (
        f"| quant | decode |\n|---|---|\n| Q8_0 | {D0} |",
        f"| quant | KV type |\n|---|---|\n| Q4_K_M | f16: {D0} |",
    ),
    "a size": (f"A 70B model gives {D0}.", f"An 8B model gives {D0}."),
    "parameters": (f"A 9 billion parameter model gives {D0}.", f"It gives {D0} in the 8B model."),
    "a family": (f"Gemma gives {D0}.", f"With a Gemma-style template it gives {D0}."),
    "a machine": (f"On the DGX Spark it gives {D0}.", f"Not on the DGX Spark it gives {D0}."),
    "a processor": (f"On a CPU it gives {D0}.", f"With sampling on the CPU it gives {D0}."),
    "a laptop": (f"On a laptop it gives {D0}.", f"On a server it gives {D0}."),
    "a laptop's card": (f"On one laptop it gives {D0}.", f"On a laptop it gives {RTX}."),
    "a Mac": (f"On a MacBook Pro it gives {D0}.", f"From a server it gives {D0}."),
    "a board": (f"On a Jetson Orin it gives {D0}.", f"On an H100 PCIe it gives {D0}."),
    "several cards": (f"On two H100s it gives {D0}.", f"On one H100 it gives {D0}."),
    "swapped cards": (
        f"On an RTX 4090 it gives {D0} and on an H100 {RTX}.",
        f"On an H100 it gives {D0} and on an RTX 4090 {RTX}.",
    ),
}


@pytest.mark.parametrize(("false", "true"), SETTINGS.values(), ids=SETTINGS)
def test_what_a_sentence_says_it_ran_on_is_of_the_evidence(told, false, true):
    """MRK-23."""
    assert codes(told(false)) == {"CLM217"}
    assert told(true) == []


@pytest.mark.parametrize(
    ("false", "true"),
    [
        (f"llama.cpp b9999 gives {D0}.", f"llama.cpp b6100 gives {D0}."),
        (f"Build 5999 gives {D0}.", f"llama.cpp build 6100 gives {D0}."),
        (f"At commit deadbeef1 it gives {D0}.", f"At commit 89e0aa6 it gives {D0}."),
    ],
)
def test_a_build_beside_a_number_is_the_one_that_the_file_states(told, false, true):
    """MRK-23."""
    assert codes(told(false)) == {"CLM201"}
    assert told(true) == []


@pytest.mark.parametrize(
    "page",
    [
        f"On one NVIDIA H100 80GB HBM3 it gives {D0}.",
        f"On an H100 (80 GB) it gives {D0}.",
        f"It gives {bound('105.0 tok/s (104.8–105.1)', 'd8192')} at depth 8192.",
        f"It gives {D0} without any tuning.",
        f"Every evening we measure; it gives {D0}.",
        f"It gives {D0} with all 99 layers on the GPU.",
        f"All told, it gives {D0}.",
        f"Between depths 0 and 8192 it goes from {D0} to {D8}.",
        f"From depth 4096 to depth 8192 it gives {D8} against {D4}.",
    ],
)
def test_what_the_evidence_says_and_words_of_no_condition_are_no_findings(told, page):
    assert told(page) == []


@pytest.mark.parametrize(
    ("page", "code"),
    [
        (f"On an H100 (96 GB) it gives {D0}.", "CLM101"),
        (f"On an A100 80GB it gives {D0}.", "CLM217"),
        (f"It gives {bound('105.0 tok/s (104.6–105.1)', 'd8192')}.", "CLM102"),
        (f"It gives {D0} without any tuning on any GPU.", "CLM203"),
        (f"It gives {D0} every evening.", "CLM203"),
        (f"It gives {D0} in all cases.", "CLM203"),
        (f"It gives {D0} on all layers of all models.", "CLM203"),
    ],
)
def test_their_false_twins_are_found(told, page, code):
    assert code in codes(told(page))
