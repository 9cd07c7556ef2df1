"""Pictures of windows: every repetition as a dot in its order, and the ratio of each cell.

    figure = picture([Cell("decode-p16", "decode_tok_s", "tok/s", "higher", plain, tuned, …)])
    Path("window.svg").write_bytes(render(figure, "svg"))

What is drawn is what was measured: no dot is left out or moved, the median is a line through them,
an interval that is absent is not drawn. Numerator, denominator and winning side stand in words.
Arms differ by colour (safe for the colour-blind), by lightness, by shape and by line, so a grey
print tells them apart. Equal values give equal bytes: no date, no random ids, no settings of the
person who draws. Needs matplotlib (extra `plots`).
"""

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from engine import plot_panels
from engine.plot_cells import Arm, Cell, Ratio, Withheld
from engine.plot_panels import GREY, INK
from receipts.errors import NotFoundError, UndecidedError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Arm", "Cell", "Ratio", "Withheld", "picture", "render"]
Format = Literal["svg", "png"]
DPI = 144
MAX_CELLS = 60
_WIDTH, _PANEL, _ROW, _EDGES = 9.6, 3.0, 0.46, 1.3  # inches, as are the margins below
_AROUND_DOTS = {"left": 0.85, "right": 1.25, "bottom": 0.5, "top": 0.78}
_AROUND_RATIOS = {"left": 3.0, "right": 2.3, "bottom": 0.55, "top": 0.6}
_SETTINGS: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"],
    "font.size": 9,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "evidence-ledger",
}


def picture(cells: Sequence[Cell], withheld: Sequence[Withheld] = ()) -> "Figure":
    """Return the picture of these cells: dots of each, then all ratios in one panel.

    Cells whose timings are `withheld` have a line there, so that nobody takes the rest for all.
    Raises `UndecidedError` for none or more than 60, and for a cell whose arms differ.
    """
    if len(cells) + len(withheld) > MAX_CELLS:
        raise UndecidedError(f"more than {MAX_CELLS} cells are too many for one picture")
    if not cells or any(cell.exact is False for cell in cells):
        raise UndecidedError("there is no exact cell to draw; a window that differs has no timings")
    matplotlib = _matplotlib()
    from matplotlib.figure import Figure

    columns = min(2, len(cells))
    lines = -(-len(cells) // columns)
    forest = _EDGES + _ROW * (len(cells) + len(withheld))
    height, wide = forest + _PANEL * lines, _WIDTH / columns
    with matplotlib.rc_context():
        _settle(matplotlib)
        figure = Figure(figsize=(_WIDTH, height))
        for number, cell in enumerate(cells):
            line, column = divmod(number, columns)
            corner = (column * wide, height - _PANEL * (line + 1))
            plot_panels.dots(_axes(figure, corner, (wide, _PANEL), _AROUND_DOTS), cell)
        plot_panels.ratios(_axes(figure, (0, 0), (_WIDTH, forest), _AROUND_RATIOS), cells, withheld)
    return figure


def _axes(
    figure: "Figure",
    corner: tuple[float, float],
    size: tuple[float, float],
    around: Mapping[str, float],
) -> "Axes":
    """Return axes in a rectangle of the figure, given in inches, with margins for their words."""
    width, height = figure.get_size_inches()
    left, bottom = corner[0] + around["left"], corner[1] + around["bottom"]
    across = size[0] - around["left"] - around["right"]
    up = size[1] - around["bottom"] - around["top"]
    return figure.add_axes((left / width, bottom / height, across / width, up / height))


def render(figure: "Figure", kind: Format) -> bytes:
    """Return the bytes of the picture; the same figure gives the same bytes."""
    matplotlib = _matplotlib()
    metadata: dict[str, Any] = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
    stream = io.BytesIO()
    with matplotlib.rc_context():
        _settle(matplotlib)
        figure.savefig(stream, format=kind, dpi=DPI, metadata=metadata[kind], facecolor="white")
    return stream.getvalue()


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise NotFoundError(
            "pictures need matplotlib (extra `plots`); install it: pip install matplotlib"
        ) from error
    return matplotlib


def _settle(matplotlib: Any) -> None:
    """Take the settings of this module instead of those of the person's own file."""
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(_SETTINGS)
