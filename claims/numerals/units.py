"""The units of the field: what each measures, and every way in which it is spelt.

The table is closed. `t/s` are tokens, never tonnes; µ is one letter, whichever of its two code
points it is; GB/s and GiB/s are different units of one dimension.
"""

from fractions import Fraction
from typing import NamedTuple

from receipts import late as re


class Unit(NamedTuple):
    """What a unit measures, and how many base units of that dimension it is."""

    dimension: str
    factor: Fraction


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
             tokens_per_second tokens_per_sec tok_per_second toks_per_second tok_per_sec \
             token_a_second tokens_a_second tok_a_second tokens_a_sec tps
tok/s/user tokens/time/user  1         t/s/user | tok/s/user tokens/s/user tokens/sec/user \
             tokens_per_second_per_user
tok/s/GPU  tokens/time/GPU   1         t/s/GPU | tok/s/gpu tokens/s/gpu tokens/sec/gpu \
             tokens_per_second_per_gpu
req/s      requests/time     1         | req/s reqs/s request/s requests/s requests_per_second \
             requests_per_sec requests_a_second
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
×          ratio             1         x X | fold
ppl        perplexity        1         PPL | perplexity
nats       nats              1         | nat
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


UNITS, SYMBOLS, WORDS = _read_table()

# White space, and the invisible characters that would otherwise part a number from its unit.
GAP = r"[\s\u00ad\u200b\u2060\ufeff]*+"
LETTERS = "A-Za-z0-9_"


def _spelling(name: str) -> str:
    return r"\s+".join(re.escape(part) for part in name.split(" "))


def _alternatives(names: dict[str, str]) -> str:
    """Return a pattern of all names; the longest come first, for `ms` must win over `m`."""
    return "|".join(_spelling(name) for name in sorted(names, key=len, reverse=True))


UNIT = re.compile(
    rf"(?:-(?=[A-Za-z]{{2}})|(?P<gap>{GAP}))"
    rf"(?:(?P<symbol>{_alternatives(SYMBOLS)})|(?P<words>(?i:{_alternatives(WORDS)})))"
    rf"(?P<per>/[A-Za-z]{{1,20}})?(?:(?<=[%％])|(?![{LETTERS}]))"
)
"""A unit behind a number, from where the number ends: its `symbol` or `words`, and a `per`."""


def canonical(match: re.Match[str]) -> str:
    """Return the canonical spelling of what `UNIT` matched."""
    words = match["words"]
    unit = WORDS[" ".join(words.lower().split())] if words else SYMBOLS[match["symbol"]]
    return unit + (match["per"] or "")


def claims_result(match: re.Match[str]) -> bool:
    """Say whether what `UNIT` matched claims a result; a letter alone is more often a name."""
    is_spelt = match["words"] is not None or len(match["symbol"]) > 1
    return is_spelt and is_measurement(canonical(match))


# One letter is a unit only where it stands as one: (s), [W], "Latency, s".
_LONE = re.compile(r"(?:[(\[]|,\s?)(?P<unit>[A-Za-zµμ%×]{1,2})(?:[)\]]|\Z)")
# "TTFT ms", "CV %": two letters, or a sign that is no letter, at the end.
_LAST = re.compile(r"\s(?P<unit>[A-Za-zµμ]{2}|[%×])\Z")
_START = re.compile(r"(?<![A-Za-z0-9_/])(?=[A-Za-z%％×µμ])")


def named(text: str) -> str | None:
    """Return the one unit that a header or caption names, None if it names none or several."""
    found = {SYMBOLS[m["unit"]] for m in _LONE.finditer(text) if m["unit"] in SYMBOLS}
    found |= {SYMBOLS[m["unit"]] for m in _LAST.finditer(text) if m["unit"] in SYMBOLS}
    for start in _START.finditer(text):
        match = UNIT.match(text, start.start())
        if match and not match["gap"] and match.end() - match.start() > 2 - ("%" in match[0]):
            found.add(canonical(match))
    return found.pop() if len(found) == 1 else None
