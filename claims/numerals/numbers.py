"""Numbers in a sentence of this field, each with its exact decimal value and its unit.

::

    "1.20–1.24× at 1,234.5 tok/s, +12 % on GB10 with Q4_K_M since 2026-08-15"
     1.20 ×  1.24 ×  1234.5 tok/s  +12 %        (the rest are names and dates, not numbers)

`find` reads from left to right and takes the first of these that fits:

* what looks like a number and is not: URLs, dates, times, versions, IP addresses, `#123`, hashes,
  and digits inside a name (a word that starts with a letter, with what `-`, `_` or an inner point
  hangs on to it, or digits that run on into letters: `H100`, `llama-3.1-8B`, `8x7B`, `7B`);
* a number: sign, digits with thousands commas, decimals, exponent (`1e-4`, `10^6`), fraction (`1½`)
  or scale (`131k`, `1.2 million`), and the unit behind it. In a range or chain (`9–38%`, `5 to
  10 ms`, `between 5 and 10 ms`, `35 ± 2 tok/s`, `33 → 35 tok/s`, `9.8/8.9 Gbps`, `46.6 against
  25.0 tok/s`) the last unit holds for all.

The unit table is closed. `t/s` are tokens, never tonnes; a glued `B` is billions, never bytes.
"""

from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from claims.numerals.units import LETTERS, SYMBOLS, UNIT, UNITS, Unit, canonical, is_measurement
from receipts import late as re

__all__ = ["UNITS", "Number", "Unit", "find", "is_measurement", "plain", "unit_follows"]


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


LONGEST = 4000
BEYOND = Decimal(f"1e{LONGEST}")
"""What stands for a number of more than `LONGEST` characters: no evidence ever has this value."""


def find(text: str) -> list[Number]:
    """Return the numbers of `text` in order."""
    return list(_known(text) if len(text) <= _SHORT else _known_long(text))


# The cells and sentences of a page are read for one question after the other, and a long sentence
# once more for each of its numbers.
_SHORT = 120


@lru_cache(maxsize=4096)
def _known(text: str) -> tuple[Number, ...]:
    return tuple(_find(text))


@lru_cache(maxsize=4)
def _known_long(text: str) -> tuple[Number, ...]:
    return tuple(_find(text))


def _find(text: str) -> list[Number]:
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
        joint = (
            _RANGE.match(text, position)
            or _between(text, number.start, position)
            or _against(text, number, position)
        )
        if joint:
            position = joint.end()
        else:
            open_range = 0
    return found


def _between(text: str, start: int, position: int) -> re.Match[str] | None:
    """Return what joins the number that starts there to the upper end of its range, if it does."""
    joint = _AND.match(text, position)
    before = text[max(0, start - _LONGEST_BETWEEN) : start] if joint else ""
    return joint if _BETWEEN.search(before) else None


def _against(text: str, number: Number, position: int) -> re.Match[str] | None:
    """Return what sets the number against another that shows as many decimals, if anything does."""
    if number.unit is not None or number.decimals <= 0:
        return None
    joint = _AGAINST.match(text, position)
    return joint if joint and len(joint[1]) == number.decimals else None


def plain(text: str, start: int, end: int) -> Number:
    """Return the digits from `start` to `end` as a number without sign, scale and unit."""
    if end - start > LONGEST:
        return Number(text[start:end], BEYOND, 0, None, start, end, end)
    try:
        value = Decimal(text[start:end].replace(",", ""))
    except InvalidOperation:
        value = Decimal(0)
    decimals = -int(value.as_tuple().exponent)
    return Number(text[start:end], value, decimals, None, start, end, end)


def unit_follows(text: str, end: int) -> bool:
    """Say whether a unit of the table stands behind the number that ends at `end`."""
    match = UNIT.match(text, end)
    if not match:
        return _TIMES_AS.match(text, end) is not None
    if match["symbol"] == "B" and not match["gap"]:
        return False
    is_product = SYMBOLS.get(match["symbol"] or "") == "×" and bool(match["gap"])
    return not (is_product and _PRODUCT.match(text, match.end()))


_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9, "thousand": 3, "million": 6, "billion": 9}

_FRACTIONS = {
    "½": Decimal("0.5"),
    "⅓": Decimal("0.333"),
    "⅔": Decimal("0.667"),
    "¼": Decimal("0.25"),
    "¾": Decimal("0.75"),
    "⅛": Decimal("0.125"),
    "⅜": Decimal("0.375"),
    "⅝": Decimal("0.625"),
    "⅞": Decimal("0.875"),
}
_REST_OF_NAME = rf"[{LETTERS}]*+(?:(?:-|(?<=[0-9])\.(?=[0-9]))[{LETTERS}]++)*+"

_TOKEN = re.compile(
    rf"""
    (?<![{LETTERS}]) (?:
        [A-Za-z][A-Za-z0-9+.-]{{0,30}}:// [!-~]*+           # an address
      | www\. [!-~]*+
      | [A-Za-z_] {_REST_OF_NAME}                           # a word or a name
      | \d{{4}} ([-/]) \d\d \1 \d\d (?!\d) (?:T[\d:.]++Z?)? # a date, with its time
      | \d{{1,2}} : \d\d (?: : \d\d (?:\.\d++)? )? (?!\d)   # a time
      | \d++ (?:\.\d++){{2,}}+ (?:[-+:][{LETTERS}.]++)?    # a version or an IP address
      | (?=\d*[a-f]) [0-9a-f]{{7,64}} (?![{LETTERS}])      # a hash
    )
    | \# [{LETTERS}-]++                                    # an issue
    | (?P<number>
        (?: (?<![{LETTERS})\]%×.+−–—-]) (?P<sign>[-+−–]) )?
        (?:
            (?P<digits> (?<![{LETTERS}])
                (?: \d{{1,3}}(?:,\d{{3}}){{1,12}}+(?!\d)(?:\.\d++)?
                  | \d++(?:\.\d++)? | (?<!\.)\.\d++ )
            )
            (?: (?P<exponent> [eE][-+−]?\d{{1,2}} (?![{LETTERS}]) )
              | (?<=(?<!\d)10) \^ (?P<power> [-−]?\d{{1,2}} (?!\d) )
              | (?P<fraction> [½⅓⅔¼¾⅛⅜⅝⅞] )
            )?
          | (?P<part> [½⅓⅔¼¾⅛⅜⅝⅞] )
        )
      )
    """,
    re.VERBOSE,
)
_RUNS_ON = re.compile(rf"-?[A-Za-z_]{_REST_OF_NAME}")
_SCALE = re.compile(
    r"(?:[kKMB]|\s+(?:thousand|million|billion)|\s[kKM](?=\s(?:tok|token|tokens|t)/s))(?![A-Za-z0-9_])"
)
# A spaced dash is punctuation more often than a range, so a dash joins only when it is glued.
_RANGE = re.compile(r"(?:[-–—−~/]|\s+~\s+|\s*(?:±|\+/-|→|->)\s*|\s+to\s+)(?=[-+−–]?\.?\d)")


# "between 35.0 and 35.3 tok/s": without the first word, "and" joins what it likes.
_BETWEEN = re.compile(r"\bbetween\s+\Z", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+(?=[-+−–]?\.?\d)")
_LONGEST_BETWEEN = 16
# "1.86 times" multiplies; of a whole number only what follows tells it from "measured 5 times".
_TIMES = re.compile(r"(?:[ \u00a0]|-)times\b")
_TIMES_AS = re.compile(
    r"(?:[ \u00a0]|-)times(?=[ \u00a0](?:as[ \u00a0](?:fast|quick|slow|much|many|long|high|low"
    r"|large|good|big|soon)|faster|slower|quicker|higher|lower|larger|smaller|longer|shorter"
    r"|fewer|greater|better|worse"
    r"|the[ \u00a0](?:speed|rate|throughput|performance|latency|time|memory))\b)"
)
# "46.6 against 25.0 tok/s": one unit for both, where both show as many decimals.
_AGAINST = re.compile(
    r"[ \u00a0](?:against|vs\.?|versus|instead of|rather than)[ \u00a0]"
    r"(?=\d+\.(\d+)[ \u00a0]?[^\W\d])"
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
    match = UNIT.match(text, end)
    if not match or _is_no_unit(text, token, match):
        times = (_TIMES if "." in token[0] else _TIMES_AS).match(text, end)
        return ("×", times.end()) if times else (None, end)
    return canonical(match), match.end()


def _is_no_unit(text: str, token: re.Match[str], unit: re.Match[str]) -> bool:
    """Say whether what looks like a unit is a count of billions, a decade or a product sign."""
    symbol, glued = unit["symbol"], not unit["gap"]
    if symbol == "B":
        return glued
    if symbol == "s":
        return glued and _DECADE.fullmatch(token["number"]) is not None
    return SYMBOLS.get(symbol) == "×" and not glued and bool(_PRODUCT.match(text, unit.end()))


def _scaled(text: str, end: int) -> tuple[int, int, str | None, int]:
    """Return power of ten, its end, unit and end of `k` or `k tok/s`; `7B` alone is a model."""
    scale = _SCALE.match(text, end)
    if not scale:
        return 0, end, None, end
    power, stop = _SCALES[scale[0].strip()], scale.end()
    rate = UNIT.match(text, stop)
    unit = canonical(rate) if rate else ""
    if rate and unit.startswith(("tok/s", "req/s")):
        return power, stop, unit, rate.end()
    return (0, end, None, end) if scale[0] == "B" else (power, stop, None, stop)


def _value(
    text: str, token: re.Match[str], scale: int, ends: tuple[int, int], unit: str | None
) -> Number:
    start = token.start()
    if token.end() - start > LONGEST:
        return Number(text[start : ends[0]], BEYOND, 0, unit, start, *ends)
    sign = "-" if token["sign"] in {"-", "−", "–"} else ""
    value = Decimal("1" if token["power"] else (token["digits"] or "0").replace(",", ""))
    if fraction := token["fraction"] or token["part"]:
        value += _FRACTIONS[fraction]
    power = token["power"] or (token["exponent"] or "e0")[1:]
    value = Decimal(f"{sign}{value}e{int(power.replace('−', '-')) + scale}")
    decimals = -int(value.as_tuple().exponent)
    return Number(text[start : ends[0]], value, decimals, unit, start, *ends)


def _share_unit(found: list[Number], open_range: int) -> int:
    """Give the newest number's unit to the ends of its range; return how many still wait."""
    unit = found[-1].unit
    if unit is None:
        return open_range + 1
    for index in range(len(found) - 1 - open_range, len(found) - 1):
        found[index] = replace(found[index], unit=unit)
    return 0
