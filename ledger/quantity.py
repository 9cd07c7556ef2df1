"""Numbers as people print them, exactly, with their unit and the interval that rounding leaves.

::

    "tg128 ~42.2 → 45.1 tok/s (+6.9%)"      42.2 (approximate), 45.1 tok/s, +6.9 %

A printed 42.2 stands for anything in [42.15, 42.25]: half a unit of the last digit to either side,
and one unit more where `~` or `≈` says so. Values are Decimals as written, intervals are Fractions;
nothing here is a float. Digits that belong to a name are not numbers: `tg128`, `KD=8`, `@2K`, `7B`,
`q4_K`, `4-warp`, `32×32`, `LDS.64`, dates.
"""

import html
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

from receipts import late as re

Polarity = Literal["up", "down"]
Interval = tuple[Fraction, Fraction]
MAX_TEXT = 16_384


class Unit(NamedTuple):
    """What a unit measures, how many base units it is, and which direction is better (or None)."""

    dimension: str
    factor: Fraction
    polarity: Polarity | None


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, or a range up to `until`, as written at `text == whole[start:end]`.

    `decimals` is the place of the last digit as a negative power of ten: 1 for 42.2, -3 for 45k.
    `unit` is the canonical spelling, or None. `signed` tells `+6.9%` from `6.9%`.
    """

    text: str
    value: Decimal
    decimals: int
    unit: str | None = None
    approximate: bool = False
    until: Decimal | None = None
    signed: bool = False
    start: int = 0
    end: int = 0

    def interval(self) -> Interval:
        """Return the values that could have been printed so, ends included."""
        reach = self.reach()
        ends = [Fraction(v) for v in (self.value, self.until) if v is not None]
        return min(ends) - reach, max(ends) + reach

    def reach(self) -> Fraction:
        """Return how far the true value may lie from the printed one."""
        place = Fraction(10) ** -self.decimals
        if not self.approximate:
            return place / 2
        # `~1400` has been rounded to hundreds, whatever its zeros pretend; two digits it does have.
        digits = str(abs(int(self.value)))
        zeros = min(len(digits) - len(digits.rstrip("0")), len(digits) - 2)
        if self.decimals == 0 and digits.endswith("00"):
            place = Fraction(10) ** zeros
        return place * 3 / 2

    def ends(self) -> "tuple[Quantity, Quantity]":
        """Return the two ends of a range, each a quantity of its own; the same twice if none."""
        if self.until is None:
            return self, self
        return replace(self, until=None), replace(self, value=self.until, until=None)


def unit(name: str | None) -> Unit | None:
    """Return what the table knows of a canonical unit; `ms/layer` is time per layer."""
    if name is None:
        return None
    base, slash, per = name.partition("/")
    if name in UNITS or not slash or base not in UNITS:
        return UNITS.get(name)
    known = UNITS[base]
    return Unit(f"{known.dimension} per {per.lower()}", known.factor, known.polarity)


def unit_of(text: str) -> str | None:
    """Return the canonical unit that `text` begins with, or None."""
    match = _UNIT.match(text.strip())
    return _canonical(match[0]) if match and match[0] else None


def plain(text: str) -> str:
    """Return `text` as it is read: no emphasis, code marks, tags, entities or struck words."""
    text = html.unescape(_TAG.sub(" ", text[:MAX_TEXT]))
    return _MARKS.sub("", _STRUCK.sub(" ", text))


def find(text: str) -> list[Quantity]:
    """Return the quantities of `text`, in order. In a range or a list the last unit holds for all.

    `text` is what `plain` returns.
    """
    found = [q for match in _TOKEN.finditer(text) if (q := _quantity(match))]
    for index in range(len(found) - 2, -1, -1):
        left, right = found[index], found[index + 1]
        between = text[left.end : right.start]
        if left.unit is None and right.unit is not None and _SHARES_UNIT.fullmatch(between):
            found[index] = replace(left, unit=right.unit)
    return found


def _quantity(match: re.Match[str]) -> Quantity | None:
    if match["digits"] is None:
        return None
    value, decimals = _number(match["digits"], match["scale"])
    until = None
    if match["until"]:
        until, other = _number(match["until"], match["scale"])
        decimals = min(decimals, other)
    sign = match["sign"] or ""
    if sign in _MINUS:
        value, until = -value, -until if until is not None else None
    return Quantity(
        text=match[0].strip(),
        value=value,
        decimals=decimals,
        unit=_canonical(match["unit"]) if match["unit"] else None,
        approximate=bool(match["approx"] or match["around"]),
        until=until,
        signed=bool(sign),
        start=match.start(),
        end=match.end(),
    )


def _number(digits: str, scale: str | None) -> tuple[Decimal, int]:
    digits = re.sub(r"[,\u00a0\u2009\u202f]", "", digits)
    power = _SCALES.get(scale or "", 0)
    decimals = len(digits.partition(".")[2]) - power
    return Decimal(digits).scaleb(power), decimals


def _canonical(written: str) -> str | None:
    """Return the canonical spelling of a unit, keeping an unknown `/layer` behind a known one."""
    compact = written.strip()
    if compact in _SPELLINGS:
        return _SPELLINGS[compact]
    base, _, per = compact.partition("/")
    return f"{_SPELLINGS[base]}/{per}" if base in _SPELLINGS else None


# Canonical unit, dimension, base units, better direction; then other spellings.
_TABLE = """
tok/s    tokens/time     1       up    t/s tokens/s token/s toks/s tps tok/sec tokens/sec
req/s    requests/time   1       up    requests/s reqs/s rps qps req/sec
it/s     iterations/time 1       up    iter/s steps/s
img/s    images/time     1       up    images/s imgs/s
samples/s samples/time   1       up    sample/s
ns       time            1/1000000000 down
µs       time            1/1000000    down  μs us usec
ms       time            1/1000  down  msec
s        time            1       down  sec secs seconds
min      time            60      down  mins minutes
h        time            3600    down  hr hrs hours
B        bytes           1       down  bytes
KB       bytes           1000    down  kB
KiB      bytes           1024    down
MB       bytes           1000000 down
MiB      bytes           1048576 down
GB       bytes           1000000000 down
GiB      bytes           1073741824 down
TB       bytes           1000000000000 down
TiB      bytes           1099511627776 down
B/s      bytes/time      1       up
KB/s     bytes/time      1000    up    kB/s
MB/s     bytes/time      1000000 up
MiB/s    bytes/time      1048576 up
GB/s     bytes/time      1000000000 up    GBps
GiB/s    bytes/time      1073741824 up
TB/s     bytes/time      1000000000000 up
Mbps     bytes/time      125000  up    Mb/s Mbit/s
Gbps     bytes/time      125000000 up  Gb/s Gbit/s
GFLOP/s  operations/time 1000000000 up GFLOPS GFLOPs GFLOPs/s
TFLOP/s  operations/time 1000000000000 up TFLOPS TFLOPs TFLOPs/s
PFLOP/s  operations/time 1000000000000000 up PFLOPS PFLOPs PFLOPs/s
TOPS     integer-operations/time 1 up TOP/s
TMAC/s   macs/time       1       up    TMACs/s
tok/J    tokens/energy   1       up    tokens/J
W        power           1       down
kW       power           1000    down
J        energy          1       down
kJ       energy          1000    down
ppl      perplexity      1       down  PPL
%        percent         1       -     ％ percent
pp       points          1       -     points p.p. percentage_points
×        ratio           1       -     x X times
"""
UNITS: dict[str, Unit] = {}
_SPELLINGS: dict[str, str] = {}
for _row in _TABLE.strip().splitlines():
    _name, _dimension, _factor, _better, *_others = _row.split()
    UNITS[_name] = Unit(
        _dimension,
        Fraction(_factor),
        "up" if _better == "up" else "down" if _better == "down" else None,
    )
    _SPELLINGS |= {_spelling.replace("_", " "): _name for _spelling in (_name, *_others)}

_SCALES = {"k": 3, "K": 3, "M": 6}
_MINUS = ("-", "−", "–")
_TAG = re.compile(r"<br */?>|</?[A-Za-z][^<>]{0,200}>")
_STRUCK = re.compile(r"~~[^~]{0,2000}~~")
_MARKS = re.compile(r"\*\*|__(?=\d)|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|[†‡]")
_SHARES_UNIT = re.compile(r"\s*(?:→|⟶|➜|⇒|[-=]>|/|,|to)\s*")

_SPELLED = "|".join(sorted(map(re.escape, _SPELLINGS), key=len, reverse=True))
# A unit ends where a word would; what follows it behind a slash is "per", as in ms/layer.
_UNIT_TEXT = rf"(?:{_SPELLED})(?![\w²³])(?:/[A-Za-z][\w]{{0,15}})?"
_UNIT = re.compile(_UNIT_TEXT)
_PLAIN_NUMBER = (
    r"\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3}){1,5}(?![\d])(?:\.\d{1,15})?|\d{1,15}(?:\.\d{1,15})?"
)
_TOKEN = re.compile(
    rf"""
      ±\s?\d[\w.]{{0,15}}\s?%?                                # a spread on its own
    | \d{{4}}-\d\d-\d\d (?:T[\d:.]{{4,16}}Z?)?                # a date
    | [@#§] \s? (?:[\w.:/=-]|,(?=\d{{3}})){{1,80}}      # a scope, an issue, a section
    | [A-Za-z_] [\w.]{{0,80}} (?: [=<>≥≤~-] \w[\w.]{{0,80}} )* # a name, with what hangs on to it
    | (?: (?P<approx>[~≈]) \s? | (?P<around>(?:about|approx\.?|ca\.)\s) )?
      (?: (?<![\w)\]%]) (?P<sign>[+−–-]) )?
      (?P<digits>(?<![\w.]){_PLAIN_NUMBER})
      (?: \s?[–—~-]\s? (?P<until>{_PLAIN_NUMBER}) (?![\d.]*[–-]\d) )?
      (?:(?P<scale>[kKM])(?![\w]))?
      (?: \s?±\s?\d[\d.]{{0,15}}(?![\w.]) )?                  # the spread is not the rounding
      (?: \s? (?!(?<!\s)B\b(?!/)) (?P<unit>{_UNIT_TEXT})   # 7B is a model, 7 B are bytes
          (?:\s?±\s?\d[\d.]{{0,15}}(?:\s?{_UNIT_TEXT})?)? )?
      (?! \w | \.\d | [-‑][A-Za-z\d] | [×x]\d )
    | \d [\w.]{{0,80}} (?: [-×x] [\w.]{{1,80}} )*             # digits that run on into a name
    """,
    re.VERBOSE,
)


def words(text: str) -> Iterator[str]:
    """Yield the words of `text` in lower case, as labels are compared."""
    return (match[0].lower() for match in re.finditer(r"[^\W\d_][\w']*", text))
