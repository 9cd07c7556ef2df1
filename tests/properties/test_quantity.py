"""Laws of the self-consistency check: honest tables are never accused, changed digits always."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from ledger import history, quantity, selfcheck
from ledger.quantity import Quantity
from ledger.selfcheck import Verdict

ROUNDINGS = st.sampled_from([ROUND_HALF_EVEN, ROUND_HALF_UP])
PLACES = st.integers(0, 3)
TRUE = st.decimals("1.00001", "99999", places=5)


def printed(value: Decimal, places: int, rounding: str) -> str:
    return str(value.quantize(Decimal(1).scaleb(-places), rounding=rounding))


@given(value=st.decimals("-99999", "99999", places=6), places=PLACES, rounding=ROUNDINGS)
def test_the_interval_of_what_is_printed_holds_the_true_value(
    value: Decimal, places: int, rounding: str
) -> None:
    text = printed(value, places, rounding)
    low, high = Quantity(text, Decimal(text), places).interval()
    assert low <= Fraction(value) <= high


@given(value=TRUE, places=PLACES, unit=st.sampled_from(sorted(quantity.UNITS)))
def test_every_number_with_a_known_unit_is_found_as_written(
    value: Decimal, places: int, unit: str
) -> None:
    text = printed(value, places, ROUND_HALF_EVEN)
    (found,) = quantity.find(f"then {text} {unit} now")
    assert (found.value, found.decimals, found.unit) == (Decimal(text), places, unit)


@st.composite
def honest_row(draw: st.DrawFn) -> tuple[str, str]:
    """Return operands and a change that were each rounded from the same true values."""
    old, new = draw(TRUE), draw(TRUE)
    places, rounding = draw(PLACES), draw(ROUNDINGS)
    unit = draw(st.sampled_from(["tok/s", "ms", "MiB", "GB/s", ""]))
    slow = unit in ("ms", "MiB")
    change = draw(
        st.sampled_from(["percent", "multiple", "saving"] if slow else ["percent", "multiple"])
    )
    figure = {
        "percent": (new / old - 1) * 100,
        "multiple": old / new if slow else new / old,
        "saving": (old - new) / old * 100,
    }[change]
    text = printed(figure, draw(PLACES), rounding)
    delta = f"{text}×" if change == "multiple" else f"{'' if text.startswith('-') else '+'}{text}%"
    return f"{printed(old, places, rounding)} → {printed(new, places, rounding)} {unit}", delta


def verdicts(rows: list[tuple[str, str]]) -> list[Verdict]:
    text = "| Step | Perf | Δ |\n|---|---|---|\n"
    text += "".join(f"| s{i} | {perf} | {delta} |\n" for i, (perf, delta) in enumerate(rows))
    return [finding.verdict for finding in history.check(history.read(text))]


@given(rows=st.lists(honest_row(), min_size=1, max_size=5))
def test_a_table_of_honest_numbers_never_yields_a_contradiction(
    rows: list[tuple[str, str]],
) -> None:
    found = verdicts(rows)
    assert len(found) == len(rows)
    assert Verdict.CONTRADICTION not in found


@given(old=TRUE, new=TRUE, places=PLACES, shown=PLACES, off=st.integers(1, 500), up=st.booleans())
def test_a_change_beyond_rounding_always_yields_a_contradiction(
    old: Decimal, new: Decimal, places: int, shown: int, off: int, *, up: bool
) -> None:
    before, after = printed(old, places, ROUND_HALF_UP), printed(new, places, ROUND_HALF_UP)
    (low_old, high_old), (low_new, high_new) = (
        Quantity(text, Decimal(text), places).interval() for text in (before, after)
    )
    place = Fraction(10) ** -shown
    # More than a whole unit past what any value of the operands can give, so not even cut off.
    edge = high_new / low_old - 1 if up else low_new / high_old - 1
    steps = (edge * 100 / place).__floor__() + (off + 2 if up else -off - 1)
    wrong = Decimal(steps).scaleb(-shown)
    delta = f"{wrong:+f}%"
    assert verdicts([(f"{before} → {after} tok/s", delta)]) == [Verdict.CONTRADICTION]


@given(
    performance=st.text(st.sampled_from("0129.,→/()~–−+%×ks; vmo"), max_size=60),
    delta=st.text(st.sampled_from("0129.,→/()~–−+%×ks; vmo"), max_size=30),
)
def test_no_cell_breaks_the_check(performance: str, delta: str) -> None:
    assert selfcheck.judge(performance, delta)
