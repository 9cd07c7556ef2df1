"""How many of one unit another is, exactly: for tables whose columns somebody declares.

    factor("s", "ms") == 1000
    factor("tok/ms", "tok/s") == 1000
    factor("s", "tok/s") is None

A rate is written with a slash and converts like its two halves. K, M, G and T are powers of 1000,
Ki, Mi, Gi and Ti of 1024. What is not listed is only itself.
"""

from fractions import Fraction

_TABLE = """
time        ns=1/1000000000 µs=1/1000000 us=1/1000000 ms=1/1000 s=1 min=60 h=3600
bytes       B=1 KB=1000 kB=1000 MB=1000000 GB=1000000000 TB=1000000000000
bytes       KiB=1024 MiB=1048576 GiB=1073741824 TiB=1099511627776
bits        bit=1 kbit=1000 Mbit=1000000 Gbit=1000000000 Tbit=1000000000000
operations  FLOP=1 MFLOP=1000000 GFLOP=1000000000 TFLOP=1000000000000 PFLOP=1000000000000000
energy      mJ=1/1000 J=1 kJ=1000 Wh=3600
power       mW=1/1000 W=1 kW=1000
tokens      tok=1
requests    req=1
"""
_GREEK_MU, _MICRO = "\u03bc", "\u00b5"
_UNITS: dict[str, tuple[str, Fraction]] = {}
for _row in _TABLE.strip().splitlines():
    _dimension, *_entries = _row.split()
    for _entry in _entries:
        _name, _, _size = _entry.partition("=")
        _UNITS[_name] = (_dimension, Fraction(_size))


def factor(unit: str, target: str) -> Fraction | None:
    """Return how many `target` one `unit` is; None where one cannot become the other."""
    if unit == target:
        return Fraction(1)
    one, other = _resolve(unit), _resolve(target)
    if one is None or other is None or one[0] != other[0]:
        return None
    return one[1] / other[1]


def is_timed(unit: str) -> bool:
    """Say whether `unit` is of a time or of a rate, which are never 0."""
    found = _resolve(unit)
    return found is not None and "time" in found[0].split("/")


def convertible(target: str) -> list[str]:
    """Return the units that convert to `target`, with seconds below the slash of a rate."""
    _, slash, per = target.partition("/")
    found = [f"{name}{slash}{per}" for name in _UNITS]
    return [name for name in found if factor(name, target) is not None] or [target]


def _resolve(unit: str) -> tuple[str, Fraction] | None:
    """Return the dimension of a unit and its size in the dimension's own."""
    above, slash, below = unit.replace(_GREEK_MU, _MICRO).partition("/")
    one = _UNITS.get(above)
    if not slash:
        return one
    per = _UNITS.get(below)
    if one is None or per is None:
        return None
    return f"{one[0]}/{per[0]}", one[1] / per[1]
