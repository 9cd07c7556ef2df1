"""Laws of the sentence: exact rounding, and Markdown that renders as the sentence it spells."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from claims.markers import binding
from claims.pages import document
from claims.pages.markup import escape
from claims.pages.sentences import sentence_ends
from claims.registers import wording
from claims.scanner import atoms
from receipts.errors import MalformedError

DECIMALS = st.integers(0, 9)
# A rate is 1e9 · tokens / ns; a ratio of two rates is a quotient of two products of such integers.
PARTS = st.integers(1, 10**24)


@given(st.integers(-(10**30), 10**30), st.integers(0, 15), DECIMALS)
def test_a_decimal_is_displayed_as_the_decimal_module_rounds_it(digits, places, decimals):
    value = Decimal(digits).scaleb(-places, Context(prec=60))
    context = Context(prec=60, rounding=ROUND_HALF_EVEN)
    wanted = value.quantize(Decimal(1).scaleb(-decimals), context=context)
    shown = Decimal(wording.display(Fraction(value), decimals))
    assert shown == wanted
    assert shown.as_tuple().exponent == -decimals


@given(PARTS, PARTS, DECIMALS)
@example(10**70 + 2, 2 * 10**70, 0)
def test_a_displayed_number_is_the_nearest_and_a_tie_goes_to_the_even_digit(top, bottom, decimals):
    value = Fraction(top, bottom)
    shown = Fraction(wording.display(value, decimals))
    half = Fraction(1, 2 * 10**decimals)
    assert abs(shown - value) <= half
    if abs(shown - value) == half:
        assert shown * 10**decimals % 2 == 0


@given(PARTS, DECIMALS)
def test_grouping_changes_nothing_but_commas(top, decimals):
    value = Fraction(top, 10**9)
    grouped = wording.display(value, decimals, grouped=True)
    assert grouped.replace(",", "") == wording.display(value, decimals)
    assert grouped == f"{Decimal(grouped.replace(',', '')):,.{decimals}f}"


@given(st.text(max_size=60))
@example("{value.__class__.__init__}")
@example("{{value:.1f}}")
@example("{value:.1f")
def test_a_template_that_passes_leaves_no_brace_behind(template):
    try:
        wording.check_template(template, "level")
    except MalformedError:
        return
    names = wording.holes(template)
    values = dict.fromkeys(names, "x") | {"value": Fraction(1), "min": Fraction(1)}
    try:
        sentence = wording.fill(template, values)
    except MalformedError:
        return
    assert not set(sentence) & set("{}")


# What a register can hold (YAML has no control characters) and one marker can bind: one sentence.
_ANY = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
_MARKUP = st.sampled_from("ab1 .)-+*_`<>[]()|~&;#!\\:/\"'$^=@—×“”»é")
SENTENCES = (
    (st.text(_ANY, min_size=1, max_size=40) | st.text(_MARKUP, min_size=1, max_size=30))
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: any(map(str.isalnum, text)))
    .filter(lambda text: not sentence_ends(text[:-1]))
)


@given(SENTENCES)
@example("<b>bold</b> & *strong* _here_ `code` | cell")
@example("1) first")
@example("# heading")
@example("--- a rule")
@example("[link](x) ![image](y) [^1]")
@example(r"a \ backslash \* and &amp;")
@example("Q4_K_M and __init__ at 3 * 4 * 5")
@example("<!--claim:other--> hidden")
@example("~~struck~~ $x$")
def test_a_sentence_rendered_as_markdown_is_bound_as_that_sentence(sentence):
    page = document.parse(f"{escape(sentence)}<!--claim:c1-->\n")
    (bound,) = binding.bind(page, atoms.scan(page)).bound
    assert (bound.claim, bound.text) == ("c1", sentence)
    assert not page.bad_markers


@pytest.mark.parametrize("plain", ["Prefill reaches 163.77 tok/s (n = 3).", "1.25× on Q4_K_M."])
def test_a_plain_sentence_stays_as_it_is(plain):
    assert escape(plain) == plain
