"""Claims without digits: which words claim, what about, where, and which sentences do not."""

import random
import re
import time
from re import _parser as parser

import pytest

from claims.pages import passages
from claims.pages.document import parse
from claims.words import letters, lexicon, wordless
from tests.claims.test_literals import spell
from tests.fixtures import wordless_broad, wordless_documented
from tests.fixtures.wordless import IDLE, PLAIN, SETS


def hits(page, *own):
    return wordless.find(parse(f"{page}\n"), own)


def kinds(page):
    return [found.kind for found in hits(page)]


LENGTHS = {"latest": 40, "registers, second": 30, "registers, third": 30, "plainly": 30}


@pytest.mark.parametrize("name", SETS)
def test_of_sixty_claims_58_are_caught_and_of_their_sixty_twins_at_most_two(name):
    pairs = SETS[name]
    missed = [claim for claim, _ in pairs if not hits(claim)]
    false = [twin for _, twin in pairs if hits(twin)]
    assert len(pairs) == LENGTHS.get(name, 60)
    assert len(missed) <= 2, missed
    assert len(false) <= 2, false


def test_of_plain_claims_of_every_kind_few_are_missed_and_few_others_refused():
    missed = [claim for claim in wordless_broad.CLAIMS if not hits(claim)]
    false = [other for other in wordless_broad.NONE if hits(other)]
    indirect = [claim for claim in wordless_broad.INDIRECT if not hits(claim)]
    assert len(missed) <= 12, missed
    assert len(indirect) <= 20, indirect
    assert len(false) <= 2, false


def test_of_plain_claims_nearly_all_are_caught_and_what_a_documentation_says_is_left_alone():
    missed = [claim for claim in wordless_documented.CLAIMS if not hits(claim)]
    false = [other for other in wordless_documented.NONE if hits(other)]
    assert len(missed) <= 12, missed
    assert len(false) <= 2, false


@pytest.mark.parametrize("sentence", PLAIN)
def test_what_everybody_claims_is_caught(sentence):
    assert hits(sentence)


@pytest.mark.parametrize("sentence", IDLE)
def test_a_sentence_of_the_field_that_claims_nothing_is_left_alone(sentence):
    assert hits(sentence) == ()


@pytest.mark.parametrize(
    ("page", "word", "about", "place"),
    [
        ("Decode is faster than llama.cpp.", "faster", "Decode", (1, 11)),
        ("# Decode\n\nOurs **matches vLLM** now.", "matches", "Ours", (3, 8)),
        ("| a |\n|---|\n| It beats SGLang |", "beats", "SGLang", (3, 6)),
        ("![Ours beats vLLM](a.png)", "beats", "Ours", (1, 8)),
        ("# Faster\n", "Faster", "what the page is about", (1, 3)),
        ("> - It is\n>   faster than `vllm`.", "faster", "vllm", (2, 5)),
        ("TTFT &amp; decode are lossless.", "lossless", "decode", (1, 23)),
        ("No regressions.", "No regressions", "what the page is about", (1, 1)),
    ],
)
def test_the_word_what_it_is_about_and_its_place_are_told(page, word, about, place):
    (found,) = hits(page)
    assert (found.word, found.about, (found.line, found.column)) == (word, about, place)


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        ("It is slower than vLLM.", "slower"),
        ("vLLM trails.", "lose"),
        ("Latency is lower.", "more"),
        ("Throughput doubles.", "factor"),
        ("Decode is flat.", "flat"),
        ("It holds on every prompt.", "general"),
        ("It is the fastest engine.", "best"),
        ("Tokens are bit-identical.", "exact"),
        ("Memory is unchanged.", "unchanged"),
    ],
)
def test_each_kind_of_word_is_told_apart(page, kind):
    assert kind in kinds(page)


@pytest.mark.parametrize(
    ("idle", "claim"),
    [
        ("Is decode faster than vLLM?", "Decode is faster than vLLM."),
        ("Why is decode faster?", "That is why decode is faster."),
        ("If decode is faster, we ship.", "If graphs are on, decode is faster."),
        ("Decode may be faster.", "Decode can be faster."),
        ("Decode should match vLLM.", "Decode does match vLLM."),
        ("We aim to beat vLLM.", "We are able to beat vLLM."),
        ("The next release will be faster than vLLM.", "You will see that decode is faster."),
        ("Use graphs for faster decode.", "Graphs give faster decode."),
        ("To reduce latency, we fuse kernels.", "We fuse kernels, reducing latency."),
        ("Decode is not faster than vLLM.", "Decode is not only faster than vLLM."),
        ("Decode does not beat vLLM.", "Decode does not fall behind vLLM."),
        ("There is no evidence that decode is faster.", "There is evidence that decode is faster."),
        ("Their page says “faster than vLLM”.", "Decode is “faster” than vLLM."),
        ("“Faster” means a ratio above one for decode.", "This means decode is faster."),
        ("For latency, lower is better.", "Latency is lower."),
        ("They claim that decode is faster.", "We claim that decode is faster."),
        ("The docs of vLLM are better.", "The latency of vLLM is better."),
        ("Disk throughput is higher.", "Decode throughput is higher."),
        ("`vllm --faster decode`", "`vllm` is slower in decode."),
        ("The fastest of five runs of decode is dropped.", "The fastest decode is ours."),
    ],
)
def test_a_mood_that_claims_nothing_is_told_from_one_that_does(idle, claim):
    assert hits(idle) == ()
    assert hits(claim)


@pytest.mark.parametrize(
    ("idle", "claim"),
    [
        ("Decode isn't faster than vLLM.", "Decode isn't slower than vLLM."),
        ("Decode needs more memory bandwidth tests.", "Decode needs far less memory."),
        ("We hope that it needs less memory.", "We found that it needs less memory."),
        ("Beating vLLM is a matter of patience.", "# Beating vLLM at its own game"),
        ("Reducing latency with graphs", "Reduced latency with graphs"),
        ("How we measure decode", "How we made decode faster"),
    ],
)
def test_need_is_a_wish_or_a_price_and_beating_a_plan_or_a_boast(idle, claim):
    assert hits(idle) == ()
    assert hits(claim)


@pytest.mark.parametrize(
    ("idle", "claim"),
    [
        ("We load the KV cache as fast as possible.", "We load the KV cache as fast as vLLM."),
        ("It is faster or slower than vLLM.", "It is neither faster nor slower than vLLM."),
        ("PyTorch 2.1 or higher", "PyTorch throughput is higher."),
        ("Two threads call the kernel at the same time.", "The kernels take the same time."),
        ("The API mirrors vLLM's interface.", "The decoder mirrors vLLM's output."),
        ("This is the same as the JIT version.", "This is the same as the baseline."),
        ("We are fixing this by streaming tokens.", "We cut latency by streaming tokens."),
        ("We are developing a faster loader.", "We developed a faster loader."),
        ("Learn how we can make vLLM better.", "We made vLLM better."),
        (
            "We test that both kernels give the same tokens.",
            "We saw that both kernels give the same tokens.",
        ),
        (
            "The flag removes the readback on every card, which is fine.",
            "The readback works on every card.",
        ),
        (
            "The kernels must, on every card, be exact to the bit.",
            "The kernels are, on every card, exact to the bit.",
        ),
        (
            "It detects your CPU and loads the optimal kernel.",
            "It detects your CPU and runs the optimal kernel.",
        ),
        ("It uses the output of low-latency kernels.", "Low-latency attention, always"),
        ("Prefill overlaps dispatch.", "The accuracy scores overlap."),
        ("We clamp the power, throttling the GPU.", "Throttling no longer slows decode."),
        ("The server falls back to the CPU.", "The server never falls back to the CPU."),
        ("That is a warning, not a crash of the server.", "The server never crashes."),
        (
            "Utilization is the fraction of peak bandwidth that a kernel reaches.",
            "Decode needs a fraction of the memory.",
        ),
        ("It is tuned to achieve faster decode.", "It manages to achieve faster decode."),
        (
            "The engine with the lowest TTFT will be listed first.",
            "The engine with the lowest TTFT is ours.",
        ),
        (
            "Parity with vLLM is what the milestone asks for.",
            "Parity with vLLM is what the port has.",
        ),
        (
            "The launch script of SGLang is the same as before.",
            "The launch time of SGLang is the same as before.",
        ),
        ("We compare against the best C loop.", "We have the best decode loop."),
        ("Nothing is lost, and the file is closed.", "Nothing is lost in accuracy."),
        (
            "Zero drift and token-identical output remain prohibited words.",
            "Zero drift and token-identical output remain.",
        ),
        ("Fix a memory leak in the server.", "The fix cut memory in the server."),
        ("The parser ignores trailing slashes of the path.", "vLLM is trailing SGLang."),
        (
            "The flag has no effect when the model is cached.",
            "The patch has no effect on throughput.",
        ),
        (
            "Only models that fit the schema are listed.",
            "It is the only model that keeps its accuracy.",
        ),
        ("Do not swallow errors of the decoder.", "Every request finished without errors."),
        ("The threads share the same memory.", "The threads use the same memory as before."),
        ("It is always possible to disable graphs.", "The kernel is always exact."),
        ("Peak memory is sampled by the driver.", "The kernel runs at peak bandwidth."),
        ("Both drafters read the same tokens.", "Both drafters emit the same tokens."),
        ("A lossless codec is required by the format.", "The codec of the cache is lossless."),
        ("Results are reproduced by running the script.", "Results reproduce exactly."),
        ("Results are rounded to the last digit.", "Results agree to the last digit."),
        ("We keep the best checkpoint of a run.", "We have the best checkpoint of all engines."),
        (
            "The allocator can be compared with the new one.",
            "The old allocator cannot keep up with the new one.",
        ),
        (
            "We could check a prompt of FlashInfer.",
            "We could not find a prompt that FlashInfer fails.",
        ),
        ("vLLM has friendlier documentation than SGLang.", "vLLM has snazzier decode than SGLang."),
        ("Prefill falls back to the library.", "Prefill latency falls."),
        ("Mixtral gets longer prompts.", "Mixtral gets longer."),
        ("Traffic is routed over NVLink.", "Our kernel routs cuBLAS."),
        (
            "The server closes streaming connections at exit.",
            "The server never drops a streaming connection.",
        ),
        ("At 8k tokens 164 tok/s holds.", "At 8k tokens the decode rate holds."),
    ],
)
def test_what_a_page_describes_is_told_from_what_it_reports(idle, claim):
    assert hits(idle) == ()
    assert hits(claim)


@pytest.mark.parametrize(
    ("idle", "claim"),
    [
        ("The ranking is of the loaders.", "The ranking puts our loader first for chat."),
        ("Raters see the answers of Qwen first.", "Human raters placed Gemma last."),
        ("We report the largest speedup of five runs.", "The biggest speedups occur on Hopper."),
        ("The most recent option of vLLM is listed.", "Ollama is the slowest choice for chat."),
        ("Would Vulkan benefit the most?", "Of all backends, Vulkan benefits the most."),
        ("We remove more than one layer of the model.", "GPTQ hurts coding less than AWQ does."),
        ("To reduce the overhead, batch requests.", "Fusing norms cut the overhead per token."),
        ("Cache as much memory as needed.", "The drafter uses as much memory as the target does."),
        ("Move as many tokens as possible.", "The kernels move as many tokens as cuBLAS does."),
        ("Gradients are reduced by NCCL.", "Sharding produces deterministic gradients."),
        ("Print the tensors beside those from JAX.", "Activations agree with those from JAX."),
        ("It samples from the draft.", "It samples from the true model distribution."),
        ("JSON mode is meant to guarantee valid output.", "Guided decoding guarantees valid JSON."),
        ("The kernel continues where prefill stopped.", "It resumed exactly where it had stopped."),
        ("Does the gain persist at every length?", "The gain persists at every length."),
        ("Errors are gone once the driver is loaded.", "Stalls were absent throughout."),
        ("The deadlock appears on Metal.", "The deadlock never appears on any card."),
        ("The router reads its target for any load.", "The router keeps its SLO under any load."),
        ("The server answers each request.", "Our server unfailingly returns an answer."),
        ("Attention has its own flame graph.", "Attention tops the flame graph."),
        ("The flag has no effect on the docs.", "The wheel file had no effect on throughput."),
        ("Larger drafts need a flag.", "Larger drafts give diminishing returns with EAGLE."),
        ("Timeouts are absent from the server's flags.", "Timeouts are absent in the server."),
        ("The allocator drops the overhead bytes.", "The allocator drops the overhead."),
        ("The scheduler never closes a session.", "The scheduler never loses a session."),
        ("We bought a card to run eager mode.", "Graphs bought us nothing over eager mode."),
    ],
)
def test_plain_claims_are_caught_as_a_class_and_what_only_shares_their_words_is_not(idle, claim):
    assert hits(idle) == ()
    assert hits(claim)


@pytest.mark.parametrize("term", lexicon.TERMS)
def test_a_pattern_is_tried_on_whatever_it_matches(term):
    for way in term.written_out:
        nodes, draw = parser.parse(way), random.Random(way)
        for text in (f"n {spell(nodes, draw)} x" for _ in range(100)):
            if re.search(way, text):
                tried = lexicon.tried(re.findall(r"[a-z0-9'-]+", text.lower()), text.lower())
                assert term in [one for one, _ in tried], text


def test_names_of_the_project_are_subjects_and_others_are_not():
    page = "Frobnicator is a faster one, as is known."
    assert hits(page) == ()
    assert [found.about for found in hits(page, "frobnicator")] == ["Frobnicator"]


def test_code_says_nothing_and_names_something():
    assert hits("```\ndecode is faster than vllm\n```") == ()
    assert hits("Run `decode is faster than vllm`.") == ()
    assert [found.about for found in hits("`vllm` is slower.")] == ["vllm"]


def test_the_sentence_is_bounded_in_the_page():
    source = "So. **Decode beats\nvLLM.** And so on.\n"
    (found,) = wordless.find(parse(source))
    assert source[found.sentence_start : found.sentence_end] == "Decode beats\nvLLM."
    assert source[found.start :].startswith("beats")


@pytest.mark.parametrize(
    "page",
    [
        "faster " * 30_000,
        "is it faster than vLLM " * 20_000,
        "vLLM " * 50_000 + "is faster.",
        "“" * 100_000 + " faster vLLM",
        "if no not without never " * 10_000 + "decode is faster.",
        "a, " * 50_000 + "decode is faster",
    ],
)
def test_a_line_without_end_is_read_in_bounded_time(page):
    started = time.process_time()
    hits(page)
    assert time.process_time() - started < 20


def test_a_claim_at_the_end_of_an_endless_sentence_is_caught():
    assert hits("so it went on and on " * 1000 + "and decode is faster than vLLM.")


# --- passages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "One **two** `three` &amp; four\nfive.\n\n# Six\n\n| a | b |\n|---|---|\n| c | d\\|e |\n",
        "\ufeff---\ntitle: x\n---\n> - a\n>   b ![alt text](x.png) c [d e](f.md) g\r\n",
        "日本語の文。**太字**です。\n",
    ],
)
@pytest.mark.parametrize("links", [False, True])
def test_each_character_of_a_passage_leads_back_to_its_place(source, links):
    lines = source.replace("\r\n", "\n").split("\n")
    for passage in passages.read(parse(source), links=links):
        assert len(passage.text) == len(passage.spoken)
        for offset, letter in enumerate(passage.text):
            line, column = passage.place(offset)
            if letter.isalpha() and passage.spoken[offset] == letter:
                assert lines[line - 1][column - 1] == letter
                assert source[passage.source(offset)] == letter


def test_links_keep_their_brackets_only_where_asked():
    page = parse("See [a b](c.md) and \\[d\\] and [e][f].\n\n[f]: g.md\n")
    assert [one.text for one in passages.read(page)] == ["See a b and [d] and e."]
    assert [one.text for one in passages.read(page, links=True)] == ["See [a b] and [d] and [e]."]


def test_offsets_are_those_of_the_page():
    source = "a\r\nbc\rd\n\ne"
    offsets = passages.Offsets(source)
    assert [source[offsets.of(*place)] for place in ((1, 1), (2, 2), (3, 1), (5, 1))] == list(
        "acde"
    )


def test_every_word_of_the_table_is_whole():
    assert [word for word in letters.TABLE if word.strip("-") != word or not word] == []
