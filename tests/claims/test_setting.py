"""Names of hardware and models beside a number, against those of its evidence."""

import pytest

from claims.judging import builds, hardware, quantization, setting


def told(text, *facts):
    return [(one.kind, one.named) for one in setting.contradictions(text, setting.named(facts))]


@pytest.mark.parametrize(
    ("text", "fact", "named"),
    [
        ("on an RTX 4090", "NVIDIA H100 80GB HBM3", "RTX 4090"),
        ("on the A100", "NVIDIA A10", "A100"),
        ("on an L40S", "L40", "L40S"),
        ("on an RTX 4080 SUPER", "NVIDIA GeForce RTX 4080", "RTX 4080 SUPER"),
        ("on an MI300X", "MI250X", "MI300X"),
        ("on an M3 Ultra", "Apple M3 Max", "M3 Ultra"),
        ("on a GB200", "GB10", "GB200"),
        ("on EPYC 9654", "AMD EPYC 9355 32-Core Processor", "EPYC 9654"),
        ("Qwen3-8B does it", "models/Llama-3.1-8B-Q4_K_M.gguf", "Qwen3-8B"),
        ("Llama-3.1-70B does it", "Llama-3.1-8B-Instruct", "Llama-3.1-70B"),
        ("Llama 3.2 does it", "Llama-3.1-8B", "Llama 3.2"),
        ("Mixtral 8x22B does it", "Mixtral-8x7B", "Mixtral 8x22B"),
        ("DeepSeek-R1 does it", "deepseek-ai/DeepSeek-V3", "DeepSeek-R1"),
        ("llama 13B does it", "llama 7B Q4_0", "llama 13B"),
        ("It is faster. An RTX 4090, not an A100, has it", "H100", "RTX 4090"),
    ],
)
def test_another_product_is_a_contradiction(text, fact, named):
    assert [one[1] for one in told(text, fact)] == [named]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("on an H100", "NVIDIA H100 80GB HBM3"),
        ("on one H100 SXM", "H100"),
        ("on an RTX4090", "NVIDIA GeForce RTX 4090"),
        ("on an M3", "Apple M3 Max"),
        ("an RTX 4080", "RTX 4080 SUPER"),
        ("an H100 and an RTX 4090", "H100"),
        ("on EPYC 9355", "AMD EPYC 9355 32-Core Processor"),
        ("unlike on an A100", "H100"),
        ("faster than an A100", "H100"),
        ("It was not run on an RTX 4090", "H100"),
        ("on an RTX 4090", "GPU of the test"),
        ("on an RTX 4090", "Llama-3.1-8B"),
        ("on a GPU of NVIDIA", "H100"),
        ("P99, L136, M5 of the plan, T5 and B12", "H100"),
        ("Llama-3.1-8B", "llama 8B Q4_K - Medium"),
        ("Llama 3.1", "Llama-3.1-8B"),
        ("an 8B Llama 3.1", "Llama-3.1-8B"),
        ("Llama", "Qwen3-8B"),
        ("llama.cpp and ollama", "Qwen3-8B"),
        ("Llama 34.71 tok/s", "Qwen3-8B"),
        ("Llama 5 ms, Llama 5 %", "Qwen3-8B"),
        ("Qwen3 with Llama-3.2-1B as its draft", "Qwen3-8B"),
    ],
)
def test_the_same_product_a_vaguer_name_and_what_was_not_used_are_none(text, fact):
    assert told(text, fact) == []


@pytest.mark.parametrize(
    ("facts", "fit"),
    [
        ({"gpu": "NVIDIA H100"}, False),
        ({"gpu": "NVIDIA H100, NVIDIA H100"}, True),
        ({"gpu": "2x H100"}, True),
        ({"gpu": "NVIDIA H100 x2"}, True),
        ({"gpu": "NVIDIA H100", "tensor_parallel_size": "2"}, True),
        ({"gpu": "NVIDIA H100", "num-gpus": "2"}, True),
        ({"gpu": "NVIDIA H100", "num-gpus": "4"}, False),
    ],
)
def test_several_cards_are_those_that_the_facts_list_or_count(facts, fit):
    counts = hardware.counted(facts.values(), facts.items())
    assert setting.is_one(hardware.CARDS, "two H100s", counts) is fit


@pytest.mark.parametrize(
    ("text", "weights", "cache"),
    [
        ("Q4_K_M weights and an f16 KV cache", ["Q4_K_M"], ["f16"]),
        ("a cache in q8_0", [], ["q8_0"]),
        ("kv-f16, type_k q4_0", [], ["f16", "q4_0"]),
        ("Llama-3.1-8B-Q4_K_M.gguf", ["Q4_K_M"], []),
        ("FP8 and FP16 accumulation, BF16 tensor cores", ["FP8"], []),
        ("in Q3 of 2026, F16s of the air force", [], []),
        ("llama 8B Q4_K - Medium", ["Q4_K - Medium"], []),
    ],
)
def test_quantizations_are_of_the_weights_or_of_the_cache(text, weights, cache):
    assert [one[0] for one in quantization.of_weights(text)] == weights
    assert [one[0] for one in quantization.of_cache(text)] == cache


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("FP16", "float16", True),
        ("BF16", "FP16", False),
        ("Q4_K_M", "Q4_K - Medium", True),
        ("Q4_K_S", "Q4_K - Medium", False),
        ("Q4_K", "Q4_K_M", True),
        ("INT4", "AWQ", True),
        ("INT8", "AWQ", False),
    ],
)
def test_one_quantization_has_several_spellings(one, other, alike):
    assert quantization.same(one, other) is alike


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("vLLM 0.10.2 does it", ["0.10.2"]),
        ("vLLM 0.11 does it", []),
        ("CUDA 12.4 and vLLM 0.11.0", []),
        ("commit 89e0aa6f2 does it", []),
        ("at 1234567 tok/s", []),
        ("at commit 1234567", ["1234567"]),
        ("llama.cpp b6100, not llama.cpp b6000", []),
        ("b6001 of the plan", []),
    ],
)
def test_builds_are_those_that_the_facts_state(text, told):
    facts = {"build_number": 6100, "build_commit": "89e0aa6", "vllm_version": "0.11.0"}
    found = builds.contradictions(text, builds.known(facts.items()))
    assert [one.named for one in found] == told


def test_each_kind_is_held_against_its_own_facts():
    facts = ("H100", "AMD EPYC 9355", "Llama-3.1-8B")
    assert told("RTX 4090, EPYC 9654 and Qwen3-8B", *facts) == [
        ("hardware", "RTX 4090"),
        ("processor", "EPYC 9654"),
        ("model", "Qwen3-8B"),
    ]


@pytest.fixture
def chip(publisher, walk):
    """A published change whose plan was of an H100."""
    walk("CHIP", name="chip", scope={"lane": "greedy", "gpu": "H100"})
    claim = {**publisher.change, "evidence": [{"entry": "CHIP"}]}
    publisher.publish(claim)
    return claim


@pytest.mark.parametrize(
    ("page", "place"),
    [
        ("On an RTX 4090 it gains 25 %<!--claim:tuned--> here.\n", "1:7"),
        ("It gains 25 %<!--claim:tuned--> on **RTX 4090** here.\n", "1:38"),
        ("| a | b |\n|---|---|\n| RTX 4090 | 1.25×<!--claim:tuned--> |\n", "3:19"),
        ("| a | RTX 4090 |\n|---|---|\n| x | 1.25×<!--claim:tuned--> |\n", "3:12"),
        ("On an H100 it gains 25 %<!--claim:tuned--> here. An RTX 4090 is next.\n", None),
        ("| a | H100 | RTX 4090 |\n|---|---|---|\n| x | 1.25×<!--claim:tuned--> | - |\n", None),
        ("It gains 25 %<!--claim:tuned--> here, on an H100 and not an A100.\n", None),
    ],
)
def test_a_number_stands_beside_its_own_hardware_or_is_refused_there(publisher, chip, page, place):
    """MRK-23."""
    result = publisher.check(page)
    assert result.exit_code == (place is not None), result.output
    assert (f"page.md:{place}: CLM217 " in result.stdout) is (place is not None)


def test_a_wording_that_names_other_hardware_does_not_hold(publisher, chip):
    """REG-28."""
    words = "On an {} the tuned decoder runs at {{ratio:.2f}}× the plain one (n = {{n}})."
    assert publisher.codes(chip, wording=words.format("RTX 4090")) == ["CLM217"]
    assert publisher.codes(chip, wording=words.format("H100")) == []
    scoped = {"scope": {"gpu": "H100"}, "wording": words.format("{scope.gpu}")}
    assert publisher.codes(chip, **scoped) == []
