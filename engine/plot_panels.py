"""The two panels of a picture: repetitions as dots in their order, and ratios with intervals.

Axes come in, and are drawn on; what is drawn is decided here and nowhere else.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from engine.plot_cells import Arm, Cell, Ratio, Withheld, number, percent, short
from engine.statistics import decimal_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, GREY, _FAINT = "#1a1a1a", "#5c5c5c", "#ececec"
# Two of the colours of Okabe and Ito, of unlike lightness; filled circle against open diamond.
_STYLES: tuple[dict[str, Any], ...] = (
    {"color": "#0072B2", "marker": "o", "facecolor": "#0072B2", "line": "-"},
    {"color": "#D55E00", "marker": "D", "facecolor": "white", "line": (0, (5, 2))},
)


def dots(axes: "Axes", cell: Cell) -> None:
    """Draw every repetition of both arms in its order, and the medians as lines through them."""
    arms = (cell.baseline, cell.candidate)
    last = max(place for arm in arms for place, _ in arm.samples)
    for pair in range(1, last + 1, 4):  # every other pair, to show which were neighbours
        axes.axvspan(pair - 0.5, pair + 1.5, color=_FAINT, linewidth=0, zorder=0)
    for arm, style in zip(arms, _STYLES, strict=True):
        _arm(axes, arm, style)
    axes.margins(y=0.12)
    axes.set_xlim(0.5, last + 0.5)
    axes.set_xticks(range(1, last + 1, max(1, math.ceil(last / 12))))
    axes.yaxis.set_major_formatter(lambda value, _: number(Fraction(value)))
    axes.set_xlabel("repetition, in the order in which they ran")
    what = f"{cell.metric} ({cell.unit})"
    title = f"{short(cell.label, 45 - len(what))}: {what}"
    axes.set_title(title, loc="left", fontsize=10, pad=29)
    axes.text(0, 1.05, _caption(cell), transform=axes.transAxes, color=GREY, fontsize=7.5)
    _plain_frame(axes)
    _name_medians(axes, arms)


def _arm(axes: "Axes", arm: Arm, style: Mapping[str, Any]) -> None:
    axes.scatter(
        [place for place, _ in arm.samples],
        [float(value) for _, value in arm.samples],
        s=26,
        marker=style["marker"],
        facecolor=style["facecolor"],
        edgecolor=style["color"],
        linewidth=1.3,
        zorder=3,
    )
    line, colour = style["line"], style["color"]
    axes.axhline(float(arm.median), color=colour, linestyle=line, linewidth=1.1, zorder=2)


def _caption(cell: Cell) -> str:
    arms = (cell.baseline, cell.candidate)
    counts = dict.fromkeys(str(len(arm.samples)) for arm in arms)
    spreads = ", ".join(f"{short(arm.name, 17)} {percent(arm.cv)}" for arm in arms)
    gate = "exact in every repetition" if cell.exact else "without an exactness gate"
    better = f"{cell.polarity} is better"
    return f"{better}; n = {' and '.join(counts)} an arm; {gate}\nCV (ddof {cell.ddof}): {spreads}"


def _name_medians(axes: "Axes", arms: Sequence[Arm]) -> None:
    """Write each arm's name and median beside its line, apart from each other."""
    low, high = axes.get_ylim()
    heights = [(float(arm.median) - low) / (high - low) for arm in arms]
    across = axes.bbox.width / axes.figure.dpi  # in inches: the gap is the same in every panel
    for arm, style, height in zip(arms, _STYLES, _apart(heights, 0.2), strict=True):
        axes.annotate(
            f"{short(arm.name, 13)}\nmedian {number(arm.median, 6)}",
            xy=(1.0, float(arm.median)),
            xycoords=axes.get_yaxis_transform(),
            xytext=(1 + 0.13 / across, height),
            textcoords=axes.transAxes,
            color=style["color"],
            fontsize=8,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": style["color"], "linewidth": 0.7},
        )


def _apart(heights: Sequence[float], least: float) -> list[float]:
    """Return two heights moved away from each other, as little as `least` needs."""
    one, other = heights
    gap = abs(one - other)
    if gap >= least:
        return [one, other]
    middle, sign = (one + other) / 2, 1 if one >= other else -1
    middle = min(max(middle, least / 2), 1 - least / 2)
    return [middle + sign * least / 2, middle - sign * least / 2]


# --- ratios of all cells -----------------------------------------------------------------------


def ratios(axes: "Axes", cells: Sequence[Cell], withheld: Sequence[Withheld]) -> None:
    """Draw the ratio of every cell, with its interval where there is one, against parity."""
    lines = len(cells) + len(withheld)
    axes.axvline(1, color=INK, linewidth=1, zorder=1)
    for place, cell in enumerate(cells):
        _ratio(axes, place, cell.ratio)
    told = [*(_told(cell.ratio) for cell in cells), *("no timing" for _ in withheld)]
    named = [*map(_named, cells), *(_left_out(one) for one in withheld)]
    for place, text in enumerate(told):
        axes.text(
            1.01, place, text, transform=axes.get_yaxis_transform(), va="center", fontsize=7.5
        )
    axes.set_yticks(list(range(lines)), named)
    axes.tick_params(axis="y", length=0, labelcolor=INK, labelsize=7.5)
    axes.set_ylim(lines - 0.3, -0.7)  # the first on top
    _around_parity(axes, cells)
    _name_sides(axes, cells)
    axes.set_title("ratio of medians, with its interval", loc="left", fontsize=10, pad=20)
    axes.set_xlabel("ratio; 1 is parity, above 1 the candidate wins")
    axes.xaxis.set_major_formatter(lambda value, _: number(Fraction(value)))
    axes.grid(axis="x", color=_FAINT, zorder=0)
    axes.set_axisbelow(True)
    _plain_frame(axes)


def _name_sides(axes: "Axes", cells: Sequence[Cell]) -> None:
    losers, winners = _names(cells, "baseline"), _names(cells, "candidate")
    for x, side, text in ((0, "left", f"◀ {losers} wins"), (1, "right", f"{winners} wins ▶")):
        axes.text(x, 1.03, text, transform=axes.transAxes, ha=side, fontsize=8.5)


def _left_out(one: Withheld) -> str:
    return f"{short(one.label, 40)}\n{short(one.reason, 44)}"


def _named(cell: Cell) -> str:
    return f"{short(cell.label, 40 - len(cell.metric))}: {cell.metric}\n{cell.convention}"


def _ratio(axes: "Axes", place: int, ratio: Ratio) -> None:
    if ratio.low is not None and ratio.high is not None:
        axes.plot([ratio.low, ratio.high], [place, place], color=INK, linewidth=1.6, zorder=2)
        for end in (ratio.low, ratio.high):
            axes.plot([end, end], [place - 0.13, place + 0.13], color=INK, linewidth=1.2, zorder=2)
    axes.scatter([float(ratio.value)], [place], s=34, marker="s", color=INK, zorder=3)


def _told(ratio: Ratio) -> str:
    value = decimal_text(ratio.value, 5)
    if ratio.low is None or ratio.high is None or ratio.attained is None:
        return f"{value}  interval absent"
    low, high = (decimal_text(Fraction(end), 5) for end in (ratio.low, ratio.high))
    return f"{value}  [{low}, {high}] at {decimal_text(100 * ratio.attained, 4)} %"


def _around_parity(axes: "Axes", cells: Sequence[Cell]) -> None:
    """Show every interval and parity, with room on both sides of each."""
    ends = [1.0]
    for cell in cells:
        shown = (float(cell.ratio.value), cell.ratio.low, cell.ratio.high)
        ends += [end for end in shown if end is not None]
    room = 0.12 * (max(ends) - min(ends)) or 0.01
    axes.set_xlim(min(ends) - room, max(ends) + room)


def _names(cells: Sequence[Cell], role: str) -> str:
    names = dict.fromkeys(getattr(cell, role).name for cell in cells)
    return short(next(iter(names)), 24) if len(names) == 1 else f"the {role}"


def _plain_frame(axes: "Axes") -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
