"""Numbers that are not what the evidence gives: digits, signs, units, forms, ranges, tables.

The ratio is 1.33467, the tuned arm has 533.846 tok/s, the plain one 399.984, and five runs of
prefill lie between 34.91 and 35.31 around 35.16.
"""

from claims.selftest.attack import Attack


def _ratio(name: str, wrong: str, right: str = "1.33×") -> Attack:
    """Return an attack on the number of a change that a marker is glued to."""
    page = "We saw {}<!--claim:tuned--> there.\n"
    return Attack(name, page.format(wrong), page.format(right))


def _rate(name: str, wrong: str, right: str = "35.16 tok/s") -> Attack:
    """Return an attack on the number of a level that a marker is glued to."""
    page = "Prefill gives {}<!--claim:steady--> there.\n"
    return Attack(name, page.format(wrong), page.format(right))


def _german(name: str, wrong: str) -> Attack:
    """Return an attack on a level on a page with a decimal comma."""
    page = "---\nlocale: de\n---\n\nPrefill gibt {}<!--claim:steady--> dort.\n"
    return Attack(name, page.format(wrong), page.format("35,16 tok/s"))


_TABLE = """\
<!-- claim: tuned row=arm cols="median:median, least:min" -->
| arm | median | least |
| --- | ---: | ---: |
| tuned | {} | 532.6 |
| plain | {} | 399.5 |
"""
_DERIVED = """\
§tuned§

<!-- claims-ignore[CLM101]: recorded history -->
| before and after |
| --- |
| {} |
"""
_TWO = "The medians are {} for the tuned decoder and {} for the plain decoder.\n"
_A, _B = "533.8 tok/s<!--claim:tuned-rate-->", "400.0 tok/s<!--claim:plain-rate-->"

ATTACKS = (
    Attack(
        "matrix-best-for-all",
        "Over both it runs at ⟪CLM214⟫1.33×<!--claim:grid--> there.\n",
        "Over both it runs at 0.93–1.33×<!--claim:grid--> there.\n",
    ),
    Attack(
        "matrix-floor",
        "It is at least ⟪CLM110⟫1.33×<!--claim:grid--> there.\n",
        "It is up to 1.33×<!--claim:grid--> there.\n",
    ),
    Attack(
        "maximum-as-the-rule",
        "Prefill gives ⟪CLM205⟫35.31 tok/s<!--claim:most--> there.\n",
        "Prefill peaks at 35.31 tok/s<!--claim:most--> there.\n",
    ),
    _ratio("value-first-digit", "⟪CLM102⟫2.33×"),
    _ratio("value-last-digit", "⟪CLM102⟫1.38×"),
    _ratio("value-rounded-up", "⟪CLM103⟫1.34×"),
    _ratio("value-cut-off", "⟪CLM103⟫1.334×", "1.335×"),
    _ratio("value-one-decimal-up", "⟪CLM102⟫1.4×"),
    _ratio("value-inverted", "⟪CLM105⟫0.75×"),
    _ratio("value-percent-of", "⟪CLM104⟫133 %", "33 %"),
    _ratio("value-ratio-as-percent", "⟪CLM104⟫1.33 %", "33.5 %"),
    _ratio("value-percent-as-ratio", "⟪CLM104⟫33×", "33 %"),
    _ratio("value-percent-last-digit", "⟪CLM102⟫38 %", "33 %"),
    _ratio("value-gain-of-a-minus", "a gain of −⟪CLM105⟫33.5 %", "a gain of 33.5 %"),
    _ratio("value-negative-gain", "−⟪CLM105⟫33 %", "33 %"),
    _ratio("value-twice", "⟪CLM102⟫2×"),
    _ratio("value-number-word", "⟪CLM102⟫twice the rate", "1.33× the rate"),
    _ratio("value-percent-faster-form", "⟪CLM104⟫133 % more", "33 % more"),
    _rate("rate-transposed", "⟪CLM102⟫35.61 tok/s"),
    _rate("rate-cut-off", "⟪CLM103⟫35.1 tok/s", "35.2 tok/s"),
    _rate("rate-of-the-next-integer", "⟪CLM102⟫36 tok/s", "35 tok/s"),
    _rate("rate-scaled", "⟪CLM102⟫35.16k tok/s"),
    _rate("rate-decimal-moved", "⟪CLM102⟫351.6 tok/s"),
    _rate("rate-other-unit", "⟪CLM104⟫35.16 ms"),
    _rate("rate-other-tool", "⟪CLM104⟫35.16 req/s"),
    _rate("rate-as-percent", "⟪CLM104⟫35.16 %"),
    _rate("rate-as-ratio", "⟪CLM104⟫35.16×"),
    _rate("rate-negative", "−⟪CLM102⟫35.16 tok/s"),
    _rate("rate-maximum-for-median", "⟪CLM102⟫35.31 tok/s"),
    _rate("rate-range-too-wide", "⟪CLM102⟫34.5–35.31 tok/s", "34.91–35.31 tok/s"),
    _rate("rate-range-of-three", "34.91 to ⟪CLM102⟫35.9 tok/s", "34.91 to 35.31 tok/s"),
    _german("german-digit", "⟪CLM102⟫35,61 tok/s"),
    _german("german-thousand", "⟪CLM102⟫35.160,0 tok/s"),
    _german("german-point", "⟪CLM014⟫35.16 tok/s"),
    _german("german-either", "⟪CLM014⟫⟪CLM102⟫35.160 tok/s"),
    _rate("rate-range-to-the-median", "34.91–⟪CLM102⟫35.16 tok/s", "34.91–35.31 tok/s"),
    _rate("rate-range-turned", "⟪CLM102⟫35.31–⟪CLM102⟫34.91 tok/s", "34.91–35.31 tok/s"),
    _ratio("value-over-precise", "⟪CLM213⟫1.3346679× the rate", "1.33× the rate"),
    _rate(
        "rate-between",
        "between ⟪CLM102⟫34.5 and 35.31 tok/s",
        "between 34.91 and 35.31 tok/s",
    ),
    _rate(
        "rate-between-with-units",
        "between 34.91 tok/s and ⟪CLM102⟫35.9 tok/s",
        "between 34.91 tok/s and 35.31 tok/s",
    ),
    _ratio("value-fold", "a ⟪CLM102⟫1.43-fold gain", "a 1.33-fold gain"),
    _ratio("value-fold-inverted", "a ⟪CLM105⟫0.75-fold rate", "a 1.33-fold rate"),
    Attack(
        "range-of-ends-in-a-cell",
        "| a |\n|---|\n| 34.91–⟪CLM102⟫35.9 tok/s (minimum to maximum)<!--claim:steady--> |\n",
        "| a |\n|---|\n| 34.91–35.31 tok/s (minimum to maximum)<!--claim:steady--> |\n",
    ),
    Attack(
        "floor-that-rounding-hides",
        "Prefill gives at least ⟪CLM110⟫34.91 tok/s<!--claim:steady--> there.\n",
        "Prefill gives at least 34.90 tok/s<!--claim:steady--> there.\n",
    ),
    _rate("rate-with-exponent", "⟪CLM102⟫35.16e3 tok/s"),
    _rate("rate-thousands", "⟪CLM102⟫35,160 tok/s"),
    Attack(
        "over-precise",
        "It gives ⟪CLM213⟫533.845825 tok/s<!--claim:tuned-rate--> there.\n",
        "It gives 533.85 tok/s<!--claim:tuned-rate--> there.\n",
    ),
    Attack(
        "over-precise-zero",
        "Prefill gives ⟪CLM213⟫35.16000000 tok/s<!--claim:steady--> there.\n",
        "Prefill gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "swapped-with-markers-left",
        _TWO.format(
            "⟪CLM109⟫400.0 tok/s<!--claim:tuned-rate-->",
            "⟪CLM109⟫533.8 tok/s<!--claim:plain-rate-->",
        ),
        _TWO.format(_A, _B),
    ),
    Attack(
        "swapped-with-their-markers",
        _TWO.format(f"⟪CLM109⟫{_B}", f"⟪CLM109⟫{_A}"),
        _TWO.format(_A, _B),
    ),
    Attack(
        "arm-of-the-other-name",
        "The plain decoder gives ⟪CLM109⟫533.8 tok/s<!--claim:tuned-rate-->, no more.\n",
        "The tuned decoder gives 533.8 tok/s<!--claim:tuned-rate-->, no more.\n",
    ),
    Attack(
        "arms-of-a-ratio-turned-round",
        "The plain decoder runs at ⟪CLM105⟫1.33×<!--claim:tuned--> the tuned one, it seems.\n",
        "The tuned decoder runs at 1.33×<!--claim:tuned--> the plain one, it seems.\n",
    ),
    Attack(
        "loss-told-as-gain",
        "It is ⟪CLM407⟫faster by ⟪CLM105⟫7.4 %<!--claim:loss--> there.\n",
        "It is slower by 7.4 %<!--claim:loss--> there.\n",
    ),
    Attack(
        "floor-above-a-run",
        "Prefill gives at least ⟪CLM110⟫35.16 tok/s<!--claim:steady--> there.\n",
        "Prefill gives at least 34.9 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "ceiling-below-a-run",
        "Prefill stays under ⟪CLM110⟫35.2 tok/s<!--claim:steady--> there.\n",
        "Prefill stays under 35.4 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "peak-that-is-none",
        "Prefill gives up to ⟪CLM110⟫35.16 tok/s<!--claim:steady--> there.\n",
        "Prefill gives up to 35.31 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "cell-of-a-table", _TABLE.format("⟪CLM111⟫538.8", "400.0"), _TABLE.format("533.8", "400.0")
    ),
    Attack(
        "cells-swapped",
        _TABLE.format("⟪CLM111⟫400.0", "⟪CLM111⟫533.8"),
        _TABLE.format("533.8", "400.0"),
    ),
    Attack(
        "column-of-nothing",
        _TABLE.format("⟪CLM111⟫533.8", "⟪CLM111⟫400.0").replace("median:median", "median:p50x"),
        _TABLE.format("533.8", "400.0"),
    ),
    Attack(
        "column-called-another-statistic",
        _TABLE.format("⟪CLM205⟫533.8", "400.0")
        .replace("median:", "mean:")
        .replace("| median", "| mean"),
        _TABLE.format("533.8", "400.0"),
    ),
    Attack(
        "derived-cell",
        _DERIVED.format("⟪CLM106⟫33.4 → 35.1 (+9 %)"),
        _DERIVED.format("33.4 → 35.1 (+5 %)"),
    ),
    Attack(
        "sentence-digit",
        "The tuned decoder runs at ⟪CLM102⟫1.38× the plain one (n = 5).<!--claim:tuned-->\n",
        "The tuned decoder runs at 1.33× the plain one (n = 5).<!--claim:tuned-->\n",
    ),
    Attack(
        "sentence-count",
        "The tuned decoder runs at 1.33× the plain one (n = ⟪CLM102⟫9).<!--claim:tuned-->\n",
        "The tuned decoder runs at 1.33× the plain one (n = 5).<!--claim:tuned-->\n",
    ),
    Attack(
        "sentence-unit",
        "Prefill reaches ⟪CLM104⟫35.2 ms (median of 5 runs).<!--claim:steady-->\n",
        "§steady§\n",
    ),
    Attack(
        "two-places-disagree",
        "Prefill gives 35.13 tok/s<!--claim:mean--> there.\n\n"
        "Prefill gives ⟪CLM107⟫35.16 tok/s<!--claim:steady--> here.\n",
        "Prefill gives 35.13 tok/s<!--claim:mean--> on average.\n\n"
        "Prefill gives 35.16 tok/s<!--claim:steady--> in the median.\n",
    ),
    Attack(
        "comparator-never-run",
        "The tuned decoder runs at ⟪CLM109⟫1.33×<!--claim:tuned--> vLLM there.\n",
        "The tuned decoder runs at 1.33×<!--claim:tuned--> the plain one there.\n",
    ),
    Attack(
        "comparator-of-another-release",
        "The tuned decoder is ⟪CLM109⟫33 %<!--claim:tuned--> faster than the last release there.\n",
        "The tuned decoder is 33 %<!--claim:tuned--> faster than the plain one there.\n",
    ),
    Attack(
        "engine-never-run",
        "Prefill in vLLM gives ⟪CLM109⟫35.16 tok/s<!--claim:steady--> there.\n",
        "Prefill in llama.cpp gives 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "denied",
        "Prefill never reaches ⟪CLM112⟫35.16 tok/s<!--claim:steady--> there.\n",
        "Prefill does not only reach 35.16 tok/s<!--claim:steady--> there.\n",
    ),
    Attack(
        "absent-arm",
        "Without the tuned decoder we saw ⟪CLM109⟫533.8 tok/s<!--claim:tuned-rate--> there.\n",
        "Without the tuned decoder we saw 400.0 tok/s<!--claim:plain-rate--> there.\n",
    ),
    Attack(
        "value-as-a-difference",
        "The tuned decoder gains ⟪CLM105⟫533.8 tok/s<!--claim:tuned--> there.\n",
        "The tuned decoder gains 133.9 tok/s<!--claim:tuned--> there.\n",
    ),
    Attack(
        "row-of-another-metric",
        "| | tok/s |\n| --- | --- |\n| decode | ⟪CLM109⟫35.16<!--claim:steady--> |\n",
        "| | tok/s |\n| --- | --- |\n| prefill | 35.16<!--claim:steady--> |\n",
    ),
    Attack(
        "another-kind-of-work",
        "Training runs at ⟪CLM109⟫35.16 tok/s<!--claim:steady--> there.\n",
        "Prefill runs at 35.16 tok/s<!--claim:steady--> there.\n",
    ),
)
