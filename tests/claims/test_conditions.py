"""How a page names a condition, and which facts of the evidence that name can mean."""

from decimal import Decimal

import pytest

from claims.checks import conditions
from claims.checks.conditions import Fact, Known


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("at a depth of @ it", {"depth"}),
        ("at depth @ with 16 threads", {"depth"}),
        ("with n_ubatch = @, and", {"ubatch"}),
        ("with micro-batches of @.", {"ubatch"}),
        ("with @-token prompts", {"prompt"}),
        ("over @ prompts", {"request"}),
        ("with @ tokens of context", {"context"}),
        ("for @ concurrent requests", {"concurrency"}),
        ("with @ requests in flight", {"concurrency"}),
        ("at a concurrency of 8, @ requests got", {"request", "got"}),
        ("at depths of 2,048 and @ it", {"depth"}),
        ("at depths 0, 2,048 or @ decode", {"depth", "decode"}),
        ("over @ depths", {"cell"}),
        ("over @ different prompt lengths", {"cell"}),
        ("generating @ tokens", {"output"}),
        ("depth matters. @ of it", set()),
        ("with @ of", set()),
    ],
)
def test_words_beside_a_number_name_its_condition(text, names):
    before, after = text.split("@")
    assert conditions.named(before, after) == names


def known(n=0, **facts):
    return Known((Fact(name, Decimal(value)) for name, value in facts.items()), n)


@pytest.mark.parametrize(
    ("name", "facts", "meant"),
    [
        ("depth", {"n_prompt": 512, "n_depth": 0}, ["n_depth"]),
        ("depth", {"prompt_tokens": 512}, ["prompt_tokens"]),
        ("prompt", {"n_prompt": 0, "n_depth": 4096}, ["n_depth"]),
        ("prompt", {"n_prompt": 0, "n_depth": 0}, ["n_prompt"]),
        ("prompt", {"random_input_len": 1024, "num_prompts": 100}, ["random_input_len"]),
        ("request", {"random_input_len": 1024, "num_prompts": 100}, ["num_prompts"]),
        ("batch", {"n_batch": 2048, "n_ubatch": 512}, ["n_batch", "n_ubatch"]),
        ("ubatch", {"n_batch": 2048, "n_ubatch": 512}, ["n_ubatch"]),
        ("concurrency", {"max_concurrency": 8, "tensor_parallel": 2}, ["max_concurrency"]),
        ("thread", {"n_threads": 16, "n_gpu_layers": 99}, ["n_threads"]),
        ("layer", {"n_gpu_layers": 99}, []),
        ("round", {"options.min_rounds": 5}, []),
        ("gpu", {"main_gpu": 0}, []),
        ("depth", {"n_threads": 16}, []),
    ],
)
def test_a_name_means_the_facts_that_tools_write_for_it(name, facts, meant):
    assert [fact.name for fact in known(**facts).meant(name)] == meant


def test_thousands_of_tokens_may_be_binary_and_requests_the_repetitions():
    deep = known(n=100, n_depth=4096)
    assert deep.holds("depth", Decimal(4000), "4k")
    assert not deep.holds("depth", Decimal(4000), "4,000")
    assert deep.holds("request", Decimal(100), "100")
    assert not deep.holds("thread", Decimal(100), "100")
