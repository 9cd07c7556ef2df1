"""The profile of a run: which fields it has, which keep two arms apart, which name the arm."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.comparison import profile
from engine.comparison.profile import Field
from engine.results.model import Run
from engine.samples import Column


def run(config=None, identity=None, rows=()):
    return Run(identity or {}, config or {}, {"ttft_ms": Column([Fraction(1)])}, rows)


def of(**settings):
    return {name: Field(name, name, value) for name, value in settings.items()}


def told(a, b, variables=(), required=()):
    found = [*profile.compare(a, b, variables), *profile.lacking(a, b, required)]
    return [(one.kind, one.name) for one in found]


def test_the_default_profile_has_11_fields_of_a_stream_and_15_of_a_sweep():
    assert (len(profile.SINGLE_STREAM), len(profile.SWEEP)) == (11, 15)
    assert len(set(profile.DEFAULT)) == 26


def test_what_tools_call_a_field_is_the_name_of_one_field_only():
    spelled = [alias for aliases in profile.ALIASES.values() for alias in aliases]

    assert len(spelled) == len(set(spelled))
    assert not set(spelled) & set(profile.ALIASES)
    assert {name.rpartition(".")[2] for name in profile.DEFAULT} - {"concurrencies"} == set(
        profile.ALIASES
    )


def test_settings_get_the_names_of_the_field_and_keep_their_own():
    found = profile.of_run(
        "vllm", run({"max_concurrency": 4, "num_prompts": 20, "burstiness": "1"})
    )

    assert found["concurrency"] == Field("concurrency", "max_concurrency", "4")
    assert found["requests"].told == "num_prompts"
    assert found["burstiness"].value == "1"
    assert found["tool"].value == "vllm"


def test_two_spellings_of_one_field_in_one_file_are_two_fields():
    found = profile.of_run("t", run({"max_tokens": 16, "output_tokens": 12, "osl": 9}))

    assert found["output_tokens"].value == "12"
    assert found["max_tokens"].value == "16"
    assert found["osl"].value == "9"


def test_what_the_rows_count_is_part_of_the_profile():
    rows = [{"input_lens": 7, "output_lens": 3}, {"input_lens": 5, "output_lens": 3}]
    found = profile.of_run("vllm", run(rows=rows))
    swapped = profile.of_run("vllm", run(rows=rows[::-1]))

    assert (found["rows"].value, found["input_length_sum"].value) == ("2", "12")
    assert found["output_length_sum"].value == "6"
    assert told(found, swapped) == [("differs", "input_lengths_sha256")]


def test_rows_with_a_length_that_is_none_have_no_sum():
    found = profile.of_run("vllm", run(rows=[{"input_lens": 7}, {"input_lens": None}]))

    assert "input_length_sum" not in found


@pytest.mark.parametrize(
    "name",
    ["build_commit", "build_number", "test_time", "date", "label", "version", "server_version",
     "variant", "source", "server.commit"],
)  # fmt: skip
def test_what_names_the_arm_is_free_to_differ(name):
    assert name not in profile.of_run("t", run(identity={name: "x"}))
    assert name in profile.of_run("t", run(config={name: "x"}))


@pytest.mark.parametrize("name", ["run_number", "strategy.start_time", "end_time"])
def test_which_run_it_was_and_when_is_no_setting(name):
    assert name not in profile.of_run("t", run({name: "x"}, {"model": "m"}))


@pytest.mark.parametrize(
    "name", ["model_id", "tokenizer_id", "gpu_info", "backend", "driver_version", "model_filename"]
)
def test_what_was_measured_is_not_free_to_differ(name):
    assert profile.of_run("t", run(identity={name: "x"}))[name].value == "x"


def test_a_field_with_two_values_differs_and_is_named_as_the_file_names_it():
    a, b = (profile.of_run("vllm", run({"max_concurrency": n})) for n in (4, 8))
    [found] = profile.compare(a, b)

    assert found.kind == "differs"
    assert found.sentence == "max_concurrency is 4 in A and 8 in B"


def test_a_field_that_one_arm_lacks_cannot_be_verified():
    a, b = profile.of_run("t", run({"temperature": "0"})), profile.of_run("t", run())
    sentences = [one.sentence for one in (*profile.compare(a, b), *profile.compare(b, a))]

    assert told(a, b) == told(b, a) == [("unverifiable", "temperature")]
    assert sentences == [
        "temperature is 0 in A and absent in B",
        "temperature is 0 in B and absent in A",
    ]


def test_one_field_under_two_spellings_is_compared():
    a, b = profile.of_run("t", run({"num_prompts": 9})), profile.of_run("t", run({"requests": 8}))
    [found] = profile.compare(a, b)

    assert found.sentence == "num_prompts is 9 in A and requests 8 in B"


@pytest.mark.parametrize("variable", ["max_concurrency", "concurrency"])
def test_a_declared_variable_may_differ_under_either_name(variable):
    a, b = (profile.of_run("vllm", run({"max_concurrency": n})) for n in (4, 8))

    assert told(a, b, [variable]) == []


def test_a_variable_with_parts_covers_them_and_no_name_that_merely_begins_like_it():
    a = of(**{"server.tp": "1", "server.pp": "1", "servers": "1"})
    b = of(**{"server.tp": "2", "server.pp": "2", "servers": "2"})

    assert told(a, b, ["server"]) == [("differs", "servers")]


def test_numbers_are_compared_as_numbers_and_text_as_text():
    assert told(of(x="1.0"), of(x="1")) == []
    assert told(of(x="0x10"), of(x="16")) == [("differs", "x")]
    assert told(of(x="true"), of(x="1")) == [("differs", "x")]
    assert told(of(x="1e3"), of(x="1000")) == [("differs", "x")]


def test_a_required_field_that_neither_arm_has_is_named():
    a = profile.of_run("vllm", run({"max_concurrency": 4}))

    assert told(a, a, required=["concurrency", "max_concurrency"]) == []
    assert told(a, a, required=["seed"]) == [("unverifiable", "seed")]


def test_a_value_of_a_foreign_file_stays_one_short_line():
    a, b = of(x="a\nREFUSED"), of(x="y" * 5000)
    [found] = profile.compare(a, b)

    assert "\n" not in found.sentence
    assert len(found.sentence) < 200


def test_a_sweep_is_what_its_runs_share_and_what_each_concurrency_had():
    runs = [
        profile.of_run("t", run({"concurrency": n, "requests": 3 * n, "seed": 1, "isl": n}))
        for n in (1, 8, 32)
    ]
    found = {name: field.value for name, field in profile.sweep(runs).items()}

    assert found == {
        "sweep.seed": "1",
        "sweep.concurrencies": "1,8,32",
        "sweep.c1.requests": "3",
        "sweep.c8.requests": "24",
        "sweep.c32.requests": "96",
    }


def test_a_sweep_without_concurrency_has_no_fields_of_one():
    runs = [profile.of_run("t", run({"seed": 1})), profile.of_run("t", run({"concurrency": 1}))]

    assert profile.sweep(runs) == {}


SETTINGS = st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from(["1", "1.0", "2", "x"]))


@given(SETTINGS, SETTINGS)
def test_profiles_are_equal_exactly_where_nothing_keeps_them_apart(one, other):
    a, b = of(**one), of(**other)

    assert (profile.key(a) == profile.key(b)) == (told(a, b) == [])
    assert sorted(told(a, b)) == sorted(told(b, a))


@given(SETTINGS, SETTINGS)
def test_with_every_field_declared_nothing_keeps_two_arms_apart(one, other):
    assert told(of(**one), of(**other), [*one, *other]) == []


def test_the_how_to_lists_the_whole_profile():
    page = Path(profile.__file__).parents[2] / "docs" / "how-to" / "compare-two-files.md"
    listed = re.findall(r"^  - (\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE)

    assert tuple(listed) == profile.DEFAULT
