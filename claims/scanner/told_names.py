"""What a number is as a name that its own form or a fixed expression around it tells.

`0x80070005` is an address or a code of an error, [3, 4] cites, a 64-bit integer has its width and
Step 3 of 5 its last step. None of these is measured; with the unit of a result behind it, it must
resolve.
"""

from claims.numerals.numbers import unit_follows
from claims.pages.flow import SEPARATOR
from claims.scanner.products import COUNTED
from receipts import late as re

_HEX = re.compile(r"0[xX][0-9A-Fa-f]{1,16}(?![A-Za-z0-9_.])")
_CITED = re.compile(r"\[[1-9]\d{0,2}(?:[,;–-] ?[1-9]\d{0,2}){1,9}\](?![(\[:])")
_BEFORE_CITED = re.compile(r"(?:[a-z][.,]?|[)\"”’]|\((?:see|cf\.|e\.g\.)) ?\Z")
_INTERVAL = re.compile(
    r"\b(?:ci|intervals?|ranges?|bounds?|between|from|of|in|is|are|at|within|to|means?|medians?"
    r"|speed-?ups?|latency|throughput|rates?|scores?|values?|sizes?|shapes?|times?|ratios?"
    r"|factors?|gains?) ?\Z",
    re.IGNORECASE,
)
_WIDTH = re.compile(
    r"[- \u00a0]bits?[- \u00a0](?:(?:un)?signed[- \u00a0])?"
    r"(?:integers?|ints?|floats?|floating|doubles?|words?"
    r"|registers?|pointers?|addresses|address|systems?|platforms?|machines?|processors?|CPUs?"
    r"|hash(?:es)?|counters?|Linux|Windows|Python|binary|binaries|builds?|offsets?|indices|keys?)\b"
)
_WIDTHS = frozenset(("8", "16", "32", "64", "128", "256"))
_LANES = re.compile(
    r"\b(?:PCI-?[Ee](?:xpress)?(?: ?(?:[Gg]en)? ?[1-7](?:\.\d)?)?|[Gg]en ?[1-7]) [xX×]\Z"
)
_SLOT = re.compile(r" (?:PCIe |slots?\b|lanes?\b|links?\b)")
_LANE_COUNTS = frozenset(("1", "2", "4", "8", "16", "32"))
_NUMBER_OF_BOOK = re.compile(
    r"ISBN(?:-1[03])?:? (?:97[89][- ]?)?\d{1,5}-?\d{1,7}-?\d{1,6}-?[\dX](?![\dA-Za-z-])"
)
_SHARES = re.compile(r"\bthe (\d\d)/(\d\d) (?:rule|principle)\b")
_LOCAL = re.compile(r"\+(?:cu\d{2,3}|cpu|rocm\d(?:\.\d){0,2}|xpu)(?![A-Za-z0-9.])")
_LAST_OF = re.compile(
    r"\b(?:[Ss]tep|[Pp]art|[Pp]hase|[Ss]tage|[Pp]age|[Cc]hapter|[Ll]esson) (\d{1,3}) of \Z"
)
_GOES_ON = re.compile(r"[.,]\d|[%×x+-]|[ \u00a0](?:times|points?|fold|vs)\b")
_ENDS = re.compile(rf"[.,;:)!?*{SEPARATOR}]|[ \u00a0](?![a-z0-9])")
_STATUS = re.compile(r"\bHTTP(?:/[123](?:\.\d)?)?(?: status| error| code){0,2} \Z")
_STATUSES = re.compile(r"10[0-3]|20[0-8]|226|30[0-8]|4[0-4]\d|45[01]|50\d|51[01]")
_PLACE = re.compile(
    r"(?<!\d )(?<!per )(?<!each )(?<!every )(?<![A-Za-z0-9_-])(?:(?P<room>Room )"
    r"|(?P<word>[Ll]ayer|GPU|[Dd]evice|[Ss]ocket|NUMA node)s? "
    r"(?:\d{1,2}(?: and |, | to |[-–/]))?)\Z"
)
# CPU 14, GPU 9; CPU: 14, GPU: 9 and GPU 9, CPU 14 are results in a row.
_IN_A_ROW = re.compile(r"(?:\d[%x×]?[,;/]|:) \Z")
_ROW_GOES_ON = re.compile(r"[,;/] ?(?:and |vs\.? )?([A-Za-z]+)s? \d")
_REACH = 40


def judge(text: str, start: int, end: int) -> str | None:
    """Return the exclusion of the number from `start` to `end` by its form, None if it has none."""
    before = text[max(0, start - _REACH) : start]
    return (
        _code(text, start, end)
        or _width(text, start, end)
        or _lanes(text, before, start, end)
        or _cited(text, before, end)
        or _place(text, before, start, end)
        or _expression(text, before, start, end)
    )


def _code(text: str, start: int, end: int) -> str | None:
    """Judge the digits of 0x80070005, before its x and behind it."""
    for begin in (start, start - 2):
        match = _HEX.match(text, begin) if begin > 0 else None
        is_whole = match is not None and not (text[begin - 1].isalnum() or text[begin - 1] in "_.")
        if match and is_whole and match.end() >= end + (begin == start):
            digits = match[0][2:]
            is_code = len(digits) > 3 or digits[0] == "0" or not digits.isdigit()
            return "identifier" if is_code and not unit_follows(text, match.end()) else None
    return None


def _width(text: str, start: int, end: int) -> str | None:
    return "identifier" if text[start:end] in _WIDTHS and _WIDTH.match(text, end) else None


def _lanes(text: str, before: str, start: int, end: int) -> str | None:
    if text[start:end] not in _LANE_COUNTS or before[-1:] not in "xX×":
        return None
    is_slot = before[-2:-1] in " \u00a0" and _SLOT.match(text, end)
    is_lanes = _LANES.search(before) and not unit_follows(text, end)
    return "identifier" if is_slot or is_lanes else None


def _cited(text: str, before: str, end: int) -> str | None:
    opening = before.rfind("[")
    begin = end - 1 if opening < 0 else text.rfind("[", max(0, end - _REACH), end)
    match = _CITED.match(text, begin) if opening >= 0 else None
    if match is None or match.end() < end or unit_follows(text, match.end()):
        return None
    lead = before[:opening]
    return "citation" if _BEFORE_CITED.search(lead) and not _INTERVAL.search(lead) else None


def _place(text: str, before: str, start: int, end: int) -> str | None:
    """Judge what numbers a layer, a card or a room, and the status of a response."""
    hit = text[start:end]
    if not hit.isdigit() or unit_follows(text, end) or COUNTED.match(text, end):
        return None
    if _STATUSES.fullmatch(hit) and _STATUS.search(before):
        return "identifier"
    place = _PLACE.search(before) if len(hit) < 5 and not _GOES_ON.match(text, end) else None
    if place is None:
        return None
    goes_on = _ROW_GOES_ON.match(text, end)
    word = place["word"] or "Room"
    is_other = goes_on is not None and goes_on[1].removesuffix("s") != word
    lead = before[: place.start()]
    if is_other or (_IN_A_ROW.search(lead) and word not in lead):
        return None
    limit = 9999 if place["room"] else 127 if "ayer" in place[0] else 15
    return "label" if int(hit) <= limit else None


def _expression(text: str, before: str, start: int, end: int) -> str | None:
    last = _LAST_OF.search(before)
    if last and text[start:end].isdigit() and _ENDS.match(text, end):
        is_within = int(last[1]) <= int(text[start:end])
        return "label" if is_within and not unit_follows(text, end) else None
    if "ISBN" in before:
        book = _NUMBER_OF_BOOK.search(text, max(0, start - _REACH), end + _REACH)
        return "identifier" if book and book.start() < start and end <= book.end() else None
    if text[end] == "+" and "." in text[start:end] and _LOCAL.match(text, end):
        return "version"
    shares = _SHARES.search(text, max(0, start - len("the 80/")), end + len("/20 principle"))
    is_shares = shares and shares.start() < start < end <= shares.end()
    return "constant" if shares and is_shares and int(shares[1]) + int(shares[2]) == 100 else None
