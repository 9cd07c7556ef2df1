"""Comparisons on a page: true ones in the words people use, and false ones beside them."""

import re

import pytest

from tests.claims.paired import measure
from tests.claims.test_planted_faults import change, level

PLAIN = (25.03, 24.97, 25.05, 24.99, 25.01)
FUSED = (46.61, 46.48, 46.70, 46.55, 46.58)
PAGED = (23.61, 23.58, 23.65, 23.60, 23.62)


@pytest.fixture(scope="module")
def found(shared_publisher):
    """Return a function from a line to the codes of its findings."""
    p = shared_publisher
    measure(p, "F1", ("plain", PLAIN), ("fused", FUSED))
    measure(p, "F2", ("plain", PLAIN), ("paged", PAGED))
    rate = {**level("fused-rate", "fused"), "evidence": [{"entry": "F1", "arm": "fused"}]}
    p.write(change("fused", "F1"), change("paged", "F2"), rate)
    for name in ("fused", "paged", "fused-rate"):
        told = p.claims("approve", name)
        assert told.exit_code == 0, told.output

    def check(line):
        text = re.sub(r"<([a-z]+(?:-rate)?(?:#\w+)?)>", r"<!--claim:\1-->", line)
        result = p.check(f"{text}\n")
        return set(re.findall(r"^page\.md:\d+:\d+: (CLM\d+)", result.output, re.M)), result.output

    return check


TRUE = (
    "Plain decodes 25.0 tok/s and fused 46.6 tok/s, a ratio of 1.86×<fused>.",
    "Plain decodes 25.0 tok/s and fused 46.6 tok/s, which is 1.86×<fused>.",
    "Plain decodes 25.0 tok/s, fused 46.6 tok/s; that is 1.86×<fused>.",
    "The ratio is 1.86×<fused>: plain decodes 25.0 tok/s<fused#baseline>.",
    "Fused reaches 46.6 tok/s<fused#candidate> instead of 25.0 tok/s<fused#baseline>.",
    "Fused reaches 46.6 tok/s rather than 25.0 tok/s<fused>.",
    "Fused reaches 46.6 tok/s against 25.0 tok/s<fused>.",
    "Fused reaches 46.6 tok/s against 25.0 tok/s<fused> for plain.",
    "Fused decodes 46.6 tok/s (plain: 25.0 tok/s)<fused>.",
    "Fused is 1.86×<fused> as fast as plain (46.6 against 25.0 tok/s<fused>).",
    "Fused against plain: 46.6 vs. 25.0 tok/s<fused>.",
    "Fused is 1.86 times as fast as plain<fused>.",
    "Fused is 1.86 times<fused> faster than plain.",
    "Fused gains 21.6 tok/s<fused>.",
    "Without the fused kernel, decode runs at 25.0 tok/s<fused#baseline>.",
    "Disabling fused makes decode 46 %<fused> slower.",
    "Paged lowers the rate by 5.6 %<paged>.",
    "Paged reduces throughput by 5.6 %<paged>.",
    "Paged changes the rate by −5.6 %<paged>.",
    "Paging costs 5.6 %<paged> of the rate.",
    "Decode drops to 46.6 tok/s<fused-rate> at this depth.",
    "Decode never fell below 46.4 tok/s<fused-rate>.",
    "Decode reaches 46.6 tokens a second<fused-rate> (minimum 46.48 tok/s<fused-rate#min>).",
    "Decode reaches 46.6 tok per second<fused-rate>.",
    "Fused is 86 %<fused> faster than the baseline.",
)
FALSE = (
    ("Plain decodes 25.0 tok/s, which is 1.86×<fused>.", "CLM105"),
    ("Fused reaches 25.0 tok/s instead of 46.6 tok/s<fused>.", "CLM109"),
    ("Fused reaches 25.0 tok/s against 46.6 tok/s<fused>.", "CLM109"),
    ("Fused decodes 25.0 tok/s (plain: 46.6 tok/s)<fused>.", "CLM109"),
    ("Fused against plain: 25.0 vs. 46.6 tok/s<fused>.", "CLM109"),
    ("Fused is 1.96 times<fused> as fast as plain.", "CLM102"),
    ("Fused is 2×<fused> as fast as plain.", "CLM103"),
    ("Fused is twice<fused> as fast as plain.", "CLM103"),
    ("Fused gains 46.6 tok/s<fused#candidate>.", "CLM105"),
    ("Without the fused kernel, decode runs at 46.6 tok/s<fused#candidate>.", "CLM109"),
    ("With fused turned off, decode runs at 46.6 tok/s<fused-rate>.", "CLM109"),
    ("Disabling fused makes decode 86 %<fused> faster.", "CLM105"),
    ("Fused lowers the rate by 86 %<fused>.", "CLM105"),
    ("Paged raises the rate by 5.6 %<paged>.", "CLM105"),
    ("Paged changes the rate by 5.6 %<paged>.", "CLM105"),
    ("Paged decoding runs at 5.6 %<paged> against plain.", "CLM105"),
    ("Fused is 1.86×<fused> slower than plain.", "CLM105"),
    ("Fused has 1.86×<fused> the latency of plain.", "CLM105"),
    ("Fused decodes at 1.86×<fused> vLLM 0.11.0.", "CLM109"),
    ("Fused is 86 %<fused> faster than the previous release.", "CLM109"),
    ("Decode does not reach 46.6 tok/s<fused-rate>.", "CLM112"),
    ("Fused is not 1.86×<fused> as fast as plain.", "CLM112"),
    ("Training runs at 46.6 tok/s<fused-rate>.", "CLM109"),
    ("The accuracy is 86 %<fused>.", "CLM109"),
    ("Fused saves 86 %<fused> energy.", "CLM104"),
    ("| | tok/s |\n| --- | --- |\n| prefill | 46.6<fused-rate> |", "CLM109"),
)


@pytest.mark.parametrize("line", TRUE)
def test_a_true_comparison_passes_in_the_words_that_people_use(found, line):
    codes, output = found(line)
    assert codes == set(), output


@pytest.mark.parametrize(("line", "code"), FALSE)
def test_its_false_twin_is_refused_by_its_code(found, line, code):
    codes, output = found(line)
    assert code in codes, output
