"""Pictures of windows: what stands in them, and that equal values give equal bytes."""

import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import plots, statistics
from engine.plot_cells import number, percent, short
from engine.plots import Arm, Cell, Ratio, Withheld
from receipts.errors import UndecidedError

matplotlib = pytest.importorskip("matplotlib", reason="not run: matplotlib is not installed")

REPOSITORY = Path(__file__).parents[2]
FIRST, SECOND = (1, 4, 5, 8), (2, 3, 6, 7)


def arm(name, values, places):
    exact = [Fraction(str(value)) for value in values]
    samples = tuple(zip(places, exact, strict=True))
    return Arm(name, samples, statistics.median(exact), statistics.cv(exact, 1))


def cell(polarity="higher", **changes):
    plain = arm("plain", (33.5, 33.4, 33.6, 33.5), FIRST)
    tuned = arm("tuned", (35.1, 35.2, 35.0, 35.1), SECOND)
    ratio = Ratio(tuned.median / plain.median, 1.041, 1.053, Fraction(7, 8))
    one = Cell("decode-p16", "decode_tok_s", "tok/s", polarity, plain, tuned, ratio, 1, exact=True)
    return replace(one, **changes)


def svg(*cells, withheld=()):
    return plots.render(plots.picture(cells, withheld), "svg")


def texts(data):
    """Return every text of an SVG, in one string of lines."""
    root = ElementTree.fromstring(data)
    found = root.iter("{http://www.w3.org/2000/svg}text")
    return "\n".join("".join(one.itertext()).strip() for one in found)


def luminance(colour):
    """Return how light a colour is printed in grey, 0 to 1 (Rec. 709 weights)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def dots(data, colour):
    """Return how many markers of this colour the SVG uses."""
    groups = re.findall(r'<g id="PathCollection_\d+">(.*?)</g>\n   </g>', data.decode(), re.S)
    return sum(len(re.findall("<use ", group)) for group in groups if colour in group.lower())


def test_every_repetition_is_a_dot_and_none_is_left_out():
    data = svg(cell())
    assert dots(data, "#0072b2") == 4
    assert dots(data, "#d55e00") == 4


def test_the_words_name_numerator_denominator_and_the_winning_side():
    told = texts(svg(cell()))

    assert "median(tuned) / median(plain)" in told
    assert "◀ plain wins" in told
    assert "tuned wins ▶" in told
    assert "ratio; 1 is parity, above 1 the candidate wins" in told


def test_where_lower_is_better_the_baseline_is_the_numerator():
    assert "median(plain) / median(tuned)" in texts(svg(cell("lower")))


def test_the_caption_has_n_and_cv_with_its_ddof_and_the_gate():
    told = texts(svg(cell()))

    assert "higher is better; n = 4 an arm; exact in every repetition" in told
    assert f"CV (ddof 1): plain {percent(cell().baseline.cv)}, tuned" in told
    assert "median 33.5" in told
    assert "without an exactness gate" in texts(svg(cell(exact=None)))


def test_the_interval_stands_with_the_confidence_that_it_attains():
    assert "1.0478  [1.041, 1.053] at 87.5 %" in texts(svg(cell()))


def test_an_absent_interval_is_absent_and_not_drawn():
    bare = cell(ratio=Ratio(cell().ratio.value))
    assert "1.0478  interval absent" in texts(svg(bare))
    assert svg(bare).count(b"line2d") == svg(cell()).count(b"line2d") - 3


def test_a_cell_whose_arms_differ_is_never_drawn():
    with pytest.raises(UndecidedError, match="no exact cell to draw"):
        plots.picture([cell(), cell(exact=False)])
    with pytest.raises(UndecidedError, match="no exact cell"):
        plots.picture([])


def test_a_cell_without_timings_keeps_its_line_among_the_others():
    told = texts(svg(cell(), withheld=[Withheld("decode-p32", "NOT EXACT: token 5 at 3")]))
    assert "decode-p32" in told
    assert "NOT EXACT: token 5 at 3" in told
    assert "no timing" in told


def test_too_many_cells_are_refused():
    with pytest.raises(UndecidedError, match="more than 60 cells"):
        plots.picture([cell()] * 61)


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_equal_values_give_equal_bytes(kind):
    one, other = (plots.render(plots.picture([cell(), cell("lower")]), kind) for _ in range(2))
    assert one == other
    assert one != plots.render(plots.picture([cell()]), kind)


def test_another_process_with_settings_of_its_own_gives_the_same_bytes(tmp_path):
    (tmp_path / "matplotlibrc").write_text("font.size: 30\nsvg.fonttype: path\naxes.grid: True\n")
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from tests.engine import test_plots as t\n"
        "sys.stdout.buffer.write(t.svg(t.cell()))"
    )
    (tmp_path / "run.py").write_text(program)
    variables = {
        "PATH": "",
        "MPLCONFIGDIR": str(tmp_path),
        "TZ": "Asia/Tokyo",
        "PYTHONHASHSEED": "7",
    }
    command = [sys.executable, str(tmp_path / "run.py"), str(REPOSITORY)]
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, check=True)
    assert done.stdout == svg(cell())


def test_an_svg_has_no_date_and_no_version_in_it():
    data = svg(cell())
    assert b"<dc:date>" not in data
    assert matplotlib.__version__.encode() not in data


def test_a_png_is_whole_and_of_a_size_to_read():
    data = plots.render(plots.picture([cell()]), "png")
    width, height = struct.unpack(">II", data[16:24])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert (width, 500 < height < 1200) == (1382, True)
    assert b"tEXt" not in data


def test_the_arms_differ_in_lightness_shape_and_line_when_printed_in_grey():
    data = svg(cell()).decode()
    assert luminance("#D55E00") / luminance("#0072B2") > 1.2
    assert "stroke-dasharray" in data
    assert "fill: #ffffff; stroke: #d55e00" in data


def test_settings_of_the_person_who_draws_are_left_as_they_were():
    before = dict(matplotlib.rcParams)
    svg(cell())
    assert dict(matplotlib.rcParams) == before


def test_dollars_in_a_name_are_no_formula():
    assert "$a$" in texts(svg(cell(label="$a$")))


def test_all_words_of_long_names_lie_inside_the_picture():
    longest = {"label": "d" * 64, "metric": "guidellm_old_tpot_ms"}
    plain, tuned = (
        replace(one, name=name * 64)
        for one, name in zip((cell().baseline, cell().candidate), "bc", strict=True)
    )
    wide = cell(**longest, baseline=plain, candidate=tuned)
    figure = plots.picture([wide] * 3, [Withheld("decode-v64-" * 6, "NOT EXACT: tuned " * 9)])
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer, page = canvas.get_renderer(), figure.bbox
    for axes in figure.axes:
        words = [*axes.texts, axes._left_title, axes.xaxis.label]
        words += [*axes.get_xticklabels(), *axes.get_yticklabels()]
        for one in words:
            if one.get_text():
                box = one.get_window_extent(renderer)
                assert page.x0 <= box.x0, one.get_text()
                assert box.x1 <= page.x1, one.get_text()
                assert page.y0 <= box.y0, one.get_text()
                assert box.y1 <= page.y1, one.get_text()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1143640", "1\u2009143\u2009600"),
        ("9999", "9999"),
        ("0.87425", "0.87425"),
        ("-12345.6", "−12\u2009346"),
        ("0", "0"),
        ("1.0058123", "1.0058"),
    ],
)
def test_numbers_are_rounded_and_grouped(value, text):
    assert number(Fraction(value)) == text


@given(st.fractions())
def test_a_number_reads_back_as_what_it_was_within_its_digits(value):
    read = Fraction(number(value, 6).replace("\u2009", "").replace("−", "-"))
    assert abs(read - value) <= abs(value) / 10**5


def test_a_long_name_is_cut_and_says_so():
    assert short("abcdef", 4) == "abc…"
    assert short("abcd", 4) == "abcd"
