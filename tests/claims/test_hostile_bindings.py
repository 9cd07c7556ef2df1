"""Pages with thousands of bindings, of evidence that names a model: each costs what it is long."""

import time

import pytest

from claims.checks.placing import Lines
from tests.claims.paired import measure

MANY = 3_000
RATES = (35.1123, 35.1586, 35.1939, 35.0973, 35.1701)
SLOWER = (33.4012, 33.4261, 33.4480, 33.4195, 33.4302)
CELL = "35.16 tok/s<!--claim:decode#candidate--> Llama-3.1-70B"
TABLE = '<!-- claim: decode row={} cols="Muser:muser, llama:llama, ratio:ratio" -->\n'
TABLE += "| {} | Muser (tok/s) | llama (tok/s) | ratio |\n|---|---|---|---|\n"
PAGES = {
    "one sentence of numbers": "It hits "
    + " and ".join(f"{n / 7:.2f} tok/s<!--claim:decode-->" for n in range(MANY)),
    "one sentence of models": "Llama-3.1-70B hits "
    + " and Llama-3.1-70B ".join(f"{n / 7:.2f} tok/s<!--claim:decode-->" for n in range(MANY)),
    "one row": "| a " * MANY + "|\n" + "|---" * MANY + "|\n" + f"| {CELL} " * MANY + "|\n",
    "headers of models": "".join(f"| mean of Llama-3.1-{n}B " for n in range(1, 999))
    + "|\n" + "|---" * 998 + "|\n" + f"| {CELL} " * 998 + "|\n",
    "rows alike": TABLE.format("arm", "arm") + "| Muser | 35.16 | 33.43 | 1.05× |\n" * 10_000,
    "rows of repetitions": TABLE.format("repetition", "repetition")
    + "".join(f"| {n} | 35.11 | 33.40 | 1.05× |\n" for n in range(4_000)),
    "rows of the baseline": "| arm | speed-up |\n|---|---|\n" + "| llama | 1.00× |\n" * 10_000
    + "| Muser | 1.05×<!--claim:decode--> |\n" * 5_000,
    "commas": "It is " + "1," * 100_000,
}  # fmt: skip
BOUND_S = 20


@pytest.fixture(scope="module")
def measured(shared_publisher):
    measure(shared_publisher, "D2048", ("llama", SLOWER), ("muser", RATES))
    claim = {
        "id": "decode",
        "kind": "change",
        "wording": "The candidate decodes at {ratio:.3f}× the baseline (n = {n}).",
        "metric": "decode_tok_s",
        "statistic": "ratio_of_medians",
        "evidence": [{"entry": "D2048"}],
    }
    shared_publisher.publish(claim)
    return shared_publisher


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_this_shape_is_checked_in_bounded_time(measured, name):
    begin = time.process_time()
    result = measured.check(PAGES[name], "--fresh", "--format", "concise")
    assert result.exit_code in (0, 1)
    assert time.process_time() - begin < BOUND_S


def test_a_number_in_a_run_of_digits_ends_where_the_run_does_in_whatever_order_it_is_asked():
    lines = Lines("x 1,2,3 y -4.5 z 6\n7,8")
    asked = [(1, 3), (1, 5), (1, 7), (1, 11), (1, 12), (1, 3), (1, 4), (2, 1), (2, 3), (1, 18)]
    assert [lines.end(*place) for place in asked] == [8, 8, 8, 15, 15, 8, 5, 4, 4, 19]
