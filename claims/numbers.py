"""Numbers in a sentence of this field, each with its exact decimal value and its unit.

::

    "1.20–1.24× at 1,234.5 tok/s, +12 % on GB10 with Q4_K_M since 2026-08-15"
     1.20 ×  1.24 ×  1234.5 tok/s  +12 %        (the rest are names and dates, not numbers)

`find` reads from left to right and takes the first of these that fits:

* what looks like a number and is not: URLs, dates, times, versions, IP addresses, `#123`, hashes,
  and digits inside a name (a word that starts with a letter, with what `-`, `_` or an inner point
  hangs on to it, or digits that run on into letters: `H100`, `llama-3.1-8B`, `8x7B`, `131k`);
* a number: sign, digits with thousands commas, decimals, exponent, or scale (`35k tok/s`), and the
  unit behind it. In a range (`9–38%`, `5 to 10 ms`, `35 ± 2 tok/s`, `33 → 35 tok/s`) the last
  unit holds for all.

The unit table is closed. `t/s` are tokens, never tonnes; a glued `B` is billions, never bytes.
"""

import re
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written, `text == whole[start:end]`, its unit apart.

    `decimals` is the place of the last digit written, as a negative power of ten: 2 for `1.05`,
    4 for `1e-4`, -2 for `3.2k`. `unit` is the canonical spelling, or None; `after` is where the
    unit ends as written.
    """

    text: str
    value: Decimal
    decimals: int
    unit: str | None
    start: int
    end: int
    after: int


class Unit(NamedTuple):
    """What a unit measures, and how many base units of that dimension it is."""

    dimension: str
    factor: Fraction


def find(text: str) -> list[Number]:
    """Return the numbers of `text` in order."""
    found: list[Number] = []
    open_range = 0  # how many at the end of `found` take the unit of the number that follows
    position = 0
    while token := _TOKEN.search(text, position):
        number, position = _number(text, token)
        if number is None:
            open_range = 0
            continue
        found.append(number)
        open_range = _share_unit(found, open_range)
        joint = _RANGE.match(text, position)
        if joint:
            position = joint.end()
        else:
            open_range = 0
    return found


def at(text: str, start: int, end: int) -> Number:
    """Return the number whose digits, or word, stand from `start` to `end`.

    What the grammar reads as a name stands for its digits alone, without a unit.
    """
    for number in find(text):
        if number.start <= start < number.end:
            return number
    digits = text[start:end].replace(",", "")
    try:
        value = Decimal(digits)
    except InvalidOperation:
        value = Decimal(0)
    return Number(text[start:end], value, -int(value.as_tuple().exponent), None, start, end, end)


def unit_follows(text: str, end: int) -> bool:
    """Say whether a unit of the table stands behind the number that ends at `end`."""
    match = _UNIT.match(text, end)
    if not match:
        return False
    if match["symbol"] == "B" and not match["gap"]:
        return False
    is_product = _SYMBOLS.get(match["symbol"] or "") == "×" and bool(match["gap"])
    return not (is_product and _PRODUCT.match(text, match.end()))


def is_measurement(unit: str | None) -> bool:
    """Say whether a number with this unit claims a result, and so must be bound.

    Rates, ratios, latencies, power, energy and quality do; sizes, minutes and hours mostly say
    how large the machine is or how long the run. A unit per something that the table does not
    know (`tok/s/node`) claims what the unit itself claims.
    """
    if unit is None:
        return False
    if unit not in UNITS:
        return is_measurement(unit.rpartition("/")[0] or None)
    return unit not in {"min", "h"} and UNITS[unit].dimension != "bytes"


# Unit, dimension, base units of that dimension; then other symbols, where capitals matter, and,
# behind the bar, other spellings, where they do not (_ is white space). "+86 %", "1.86×" and
# "86 pp" are three different statements, so nothing converts between them. What ends in /s may
# end in /sec and /second as well.
_TABLE = """
tok/s      tokens/time       1         t/s T/s | tok/s token/s tokens/s toks/s token_per_second \
             tokens_per_second tokens_per_sec tps
tok/s/user tokens/time/user  1         t/s/user | tok/s/user tokens/s/user tokens/sec/user \
             tokens_per_second_per_user
tok/s/GPU  tokens/time/GPU   1         t/s/GPU | tok/s/gpu tokens/s/gpu tokens/sec/gpu \
             tokens_per_second_per_gpu
req/s      requests/time     1         | req/s reqs/s request/s requests/s requests_per_second
ns         time              1e-9      | nanosecond nanoseconds
µs         time              1e-6      μs us | microsecond microseconds
ms         time              1e-3      | msec millisecond milliseconds
s          time              1         | sec secs second seconds
min        time              60        | mins minute minutes
h          time              3600      | hr hrs hour hours
ms/token   time/token        1e-3      ms/tok | ms_per_token milliseconds_per_token
s/token    time/token        1         s/tok | s_per_token seconds_per_token
B          bytes             1         |
KB         bytes             1000      kB |
KiB        bytes             1024      |
MB         bytes             1000^2    |
MiB        bytes             1024^2    |
GB         bytes             1000^3    |
GiB        bytes             1024^3    |
TB         bytes             1000^4    |
TiB        bytes             1024^4    |
B/s        bytes/time        1         | bytes/s bytes_per_second
KB/s       bytes/time        1000      kB/s |
KiB/s      bytes/time        1024      |
MB/s       bytes/time        1000^2    |
MiB/s      bytes/time        1024^2    |
GB/s       bytes/time        1000^3    GBps |
GiB/s      bytes/time        1024^3    |
TB/s       bytes/time        1000^4    TBps |
TiB/s      bytes/time        1024^4    |
Mbps       bytes/time        1000^2/8  Mb/s Mbit/s |
Gbps       bytes/time        1000^3/8  Gb/s Gbit/s |
Tbps       bytes/time        1000^4/8  Tb/s Tbit/s |
FLOP/s     operations/time   1         FLOPS FLOPs FLOPs/s FLOPS/s |
MFLOP/s    operations/time   1000^2    MFLOPS MFLOPs MFLOPs/s MFLOPS/s |
GFLOP/s    operations/time   1000^3    GFLOPS GFLOPs GFLOPs/s GFLOPS/s |
TFLOP/s    operations/time   1000^4    TFLOPS TFLOPs TFLOPs/s TFLOPS/s |
PFLOP/s    operations/time   1000^5    PFLOPS PFLOPs PFLOPs/s PFLOPS/s |
EFLOP/s    operations/time   1000^6    EFLOPS EFLOPs EFLOPs/s EFLOPS/s |
mW         power             1e-3      |
W          power             1         | watt watts
kW         power             1000      |
mJ         energy            1e-3      |
J          energy            1         | joule joules
kJ         energy            1000      |
mJ/token   energy/token      1e-3      mJ/tok |
J/token    energy/token      1         J/tok | joules_per_token
%          percent           1         ％ | percent per_cent
pp         percentage-points 1         | percentage_point percentage_points
×          ratio             1         x X |
ppl        perplexity        1         PPL | perplexity
"""


def _factor(text: str) -> Fraction:
    power, _, divisor = text.partition("/")
    base, _, exponent = power.partition("^")
    return Fraction(base) ** int(exponent or 1) / int(divisor or 1)


def _read_table() -> tuple[dict[str, Unit], dict[str, str], dict[str, str]]:
    """Return the units, and the canonical unit of every symbol and of every lower-case word."""
    units: dict[str, Unit] = {}
    symbols: dict[str, str] = {}
    words: dict[str, str] = {}
    for row in _TABLE.strip().splitlines():
        left, _, right = row.partition("|")
        name, dimension, factor, *others = left.split()
        units[name] = Unit(dimension, _factor(factor))
        symbols |= dict.fromkeys(_with_seconds(name, *others), name)
        words |= {word.replace("_", " "): name for word in _with_seconds(*right.split())}
    return units, symbols, words


def _with_seconds(*names: str) -> list[str]:
    return [
        name + tail
        for name in names
        for tail in (("", "ec", "econd") if name.endswith("/s") else ("",))
    ]


UNITS, _SYMBOLS, _WORDS = _read_table()
_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9, "thousand": 3, "million": 6, "billion": 9}

# White space, and the invisible characters that would otherwise part a number from its unit.
_GAP = r"[\s\u00ad\u200b\u2060\ufeff]*+"
_LETTERS = "A-Za-z0-9_"
_REST_OF_NAME = rf"[{_LETTERS}]*+(?:(?:-|(?<=[0-9])\.(?=[0-9]))[{_LETTERS}]++)*+"

_TOKEN = re.compile(
    rf"""
    (?<![{_LETTERS}]) (?:
        [A-Za-z][A-Za-z0-9+.-]{{0,30}}:// [!-~]*+           # an address
      | www\. [!-~]*+
      | [A-Za-z_] {_REST_OF_NAME}                           # a word or a name
      | \d{{4}} ([-/]) \d\d \1 \d\d (?!\d) (?:T[\d:.]++Z?)? # a date, with its time
      | \d{{1,2}} : \d\d (?: : \d\d (?:\.\d++)? )? (?!\d)   # a time
      | \d++ (?:\.\d++){{2,}}+ (?:[-+:][{_LETTERS}.]++)?    # a version or an IP address
      | (?=\d*[a-f]) [0-9a-f]{{7,64}} (?![{_LETTERS}])      # a hash
    )
    | \# [{_LETTERS}-]++                                    # an issue
    | (?P<number>
        (?: (?<![{_LETTERS})\]%×.+−–—-]) (?P<sign>[-+−–]) )?
        (?P<digits> (?<![{_LETTERS}])
            (?: \d{{1,3}}(?:,\d{{3}}){{1,12}}+(?!\d)(?:\.\d++)? | \d++(?:\.\d++)? | (?<!\.)\.\d++ )
        )
        (?P<exponent> [eE][-+−]?\d{{1,2}} (?![{_LETTERS}]) )?
      )
    """,
    re.VERBOSE,
)
_RUNS_ON = re.compile(rf"-?[A-Za-z_]{_REST_OF_NAME}")
_SCALE = re.compile(r"(?:[kKMB]|\s+(?:thousand|million|billion))(?![A-Za-z0-9_])")
# A spaced dash is punctuation more often than a range, so a dash joins only when it is glued.
_RANGE = re.compile(r"(?:[-–—−~]|\s+~\s+|\s*(?:±|\+/-|→|->)\s*|\s+to\s+)(?=[-+−–]?\.?\d)")


def _spelling(name: str) -> str:
    return r"\s+".join(re.escape(part) for part in name.split(" "))


def _alternatives(names: dict[str, str]) -> str:
    """Return a pattern of all names; the longest come first, for `ms` must win over `m`."""
    return "|".join(_spelling(name) for name in sorted(names, key=len, reverse=True))


_UNIT = re.compile(
    rf"(?:-(?=[A-Za-z]{{2}})|(?P<gap>{_GAP}))"
    rf"(?:(?P<symbol>{_alternatives(_SYMBOLS)})|(?P<words>(?i:{_alternatives(_WORDS)})))"
    rf"(?P<per>/[A-Za-z]{{1,20}})?(?:(?<=[%％])|(?![{_LETTERS}]))"
)
_DECADE = re.compile(r"(?:19|20)\d0")
_PRODUCT = re.compile(r"\s*\d")


def _number(text: str, token: re.Match[str]) -> tuple[Number | None, int]:
    """Return the number that `token` starts, if it is one, and where reading goes on."""
    end = token.end()
    if token["number"] is None:
        return None, end
    scale, (unit, after) = 0, _unit(text, token)
    if unit is None:
        scale, end, unit, after = _scaled(text, end)
    name = _RUNS_ON.match(text, end)
    if unit is None and name:
        return None, name.end()
    return _value(text, token, scale, (end, after), unit), after


def _unit(text: str, token: re.Match[str]) -> tuple[str | None, int]:
    """Return the canonical unit behind the number and the end of its spelling."""
    end = token.end()
    match = _UNIT.match(text, end)
    if not match or _is_no_unit(text, token, match):
        return None, end
    words = match["words"]
    unit = _WORDS[" ".join(words.lower().split())] if words else _SYMBOLS[match["symbol"]]
    return unit + (match["per"] or ""), match.end()


def _is_no_unit(text: str, token: re.Match[str], unit: re.Match[str]) -> bool:
    """Say whether what looks like a unit is a count of billions, a decade or a product sign."""
    symbol, glued = unit["symbol"], not unit["gap"]
    if symbol == "B":
        return glued
    if symbol == "s":
        return glued and _DECADE.fullmatch(token["number"]) is not None
    return _SYMBOLS.get(symbol) == "×" and not glued and bool(_PRODUCT.match(text, unit.end()))


def _scaled(text: str, end: int) -> tuple[int, int, str | None, int]:
    """Return power of ten, its end, unit and end for `k tok/s`; a scale without a rate is none."""
    scale = _SCALE.match(text, end)
    rate = _UNIT.match(text, scale.end()) if scale else None
    if not scale or not rate:
        return 0, end, None, end
    words = rate["words"]
    unit = _WORDS[" ".join(words.lower().split())] if words else _SYMBOLS[rate["symbol"]]
    if not unit.startswith(("tok/s", "req/s")):
        return 0, end, None, end
    return _SCALES[scale[0].strip()], scale.end(), unit + (rate["per"] or ""), rate.end()


def _value(
    text: str, token: re.Match[str], scale: int, ends: tuple[int, int], unit: str | None
) -> Number:
    sign = "-" if token["sign"] in {"-", "−", "–"} else ""
    exponent = int((token["exponent"] or "e0")[1:].replace("−", "-")) + scale
    value = Decimal(f"{sign}{token['digits'].replace(',', '')}e{exponent}")
    decimals = -int(value.as_tuple().exponent)
    start = token.start()
    return Number(text[start : ends[0]], value, decimals, unit, start, *ends)


def _share_unit(found: list[Number], open_range: int) -> int:
    """Give the newest number's unit to the ends of its range; return how many still wait."""
    unit = found[-1].unit
    if unit is None:
        return open_range + 1
    for index in range(len(found) - 1 - open_range, len(found) - 1):
        found[index] = replace(found[index], unit=unit)
    return 0
