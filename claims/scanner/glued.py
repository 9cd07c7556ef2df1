"""What a number is by the word that it is part of: an address, a date, a name, or a quantity."""

from typing import NamedTuple

from claims.numerals import numbers
from claims.scanner import pins
from claims.scanner.counts import SQUARE
from receipts import late as re


class Verdict(NamedTuple):
    """What the word around a number says: excluded by `rule`, or a number that stands free."""

    rule: str | None
    is_free: bool = False


KEYCAP = re.compile("\ufe0f?\u20e3")
"""What makes a key of the digit in front of it: 2️⃣."""
FREE = Verdict(None, is_free=True)
ADDRESS = Verdict("url")
_MUST = Verdict(None)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_NAME = f"{_LETTERS}0123456789_.+-"
_DATING = "0123456789/:.-–TZ"

_URL = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://|(?<![A-Za-z0-9])www\."
    r"|(?<![A-Za-z0-9.])10\.\d{4,9}/[A-Za-z0-9]"
    r"|(?<![A-Za-z0-9@.-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.(?:com|org|net|io|ai|dev|gov|edu|cn|co|sh|app)/"
)
DATE = re.compile(
    r"(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?(?:T[\d:.]+Z?)?"
    r"|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:19|20)\d\d"
)
_YEARS = re.compile(r"(?:199\d|20[0-3]\d)[-–/](?:(?:19|20)?\d\d)")
_AT_VENUE = re.compile(r"[A-Z][A-Za-z]+['’]\Z")
_TIME = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z?")
IP = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}(?:[:/]\d{1,5})?")
_DOTTED = re.compile(r"\d+(?:\.\d+){2,}")
_V = re.compile(r"(?:v\d|V\d(?=\d?(?:\.|\Z)))[A-Za-z0-9_.+-]*")
_HEX = re.compile(r"(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}")
_HOST = re.compile(r"(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|\]):\Z")
_FILE = re.compile(
    r"[A-Za-z0-9_.\-/~]*\.(?:md|mdx|rst|txt|py|ipynb|json|jsonl|ya?ml|toml|csv|tsv|sh|c|cc|cpp|cu|cuh|h"
    r"|hpp|rs|go|js|ts|html|pdf|png|jpe?g|svg|gif|webp|gguf|safetensors|bin|pt|pth|onnx|zip|whl|log"
    r"|tar|gz|so|deb|exe|dll|mp4|ini|cfg|lock|db)"
)
_CLOCK = re.compile(r"(?:\d{1,3}(?:h|min|m|s|ms)){2,4}")
_EXPONENT = re.compile(r"\d{1,5}e[1-9]\d{2}")
_CPU = re.compile(r"[3-9](?!000)\d{2}[05](?:XT?|X3D|HX|HS|WX|GE?|U)")
_BRACKETED = re.compile(
    r"\[(?:20\d\d\.(?:0[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01]))\]"
)
_PATH = re.compile(r"(?:\.{0,2}|~)/[A-Za-z0-9_.\-/]*[A-Za-z_][A-Za-z0-9_.\-/]*")
# 01-ai: no quantity begins with a nought that nothing parts. BSD 3-Clause is a licence.
_NUMBERED_NAME = re.compile(r"0\d+-[A-Za-z]{2}")
_CLAUSE = re.compile(r"-clause\b", re.IGNORECASE)
# 5B tokens, 1.2T/s and 3T operations are numbers; 5B is a model, and 7B/13B are two.
_SIZE = re.compile(
    r"(?:[BbT](?![ \u00a0-](?:[a-z]{1,9}[ \u00a0])?(?:tokens?|bytes|words|ops|operations|FLOPs?)\b)"
    r"(?!/(?:s|sec|second|min|minute|h|hour|d|day|token|GPU)\b)(?![A-Za-z0-9])"
    r"(?!\s?(?:of\s(?:[A-Za-z]{1,4}\s)?(?:memory|VRAM|RAM|HBM|storage|data|text)\b"
    r"|内存|显存|存储|数据|语料|词元))"
    r"|[xX×*]\d+(?:\.\d+)?[Bb](?![A-Za-z0-9]))"
)
# 125m/1.3B/2.7B, 7B/14/72B: a chain of sizes, two of them with their B.
_SIZES = re.compile(r"(?:\d+(?:\.\d+)?[BMm]?/)+(?:\d+(?:\.\d+)?[BMm]?)?")
_SIZED_TIMES = re.compile(r"(?:\A|[^A-Za-z0-9])\d{1,3}[xX×*]\Z")
_TIMES_NAME = re.compile(r"[xX×]\s?(?:[A-Z]|\d)")
_SCALED = re.compile(r"[kKMGTmBb](?:i?[bB])?(?![A-Za-z0-9_])")
_SHORT_UNIT = re.compile(
    r"(?:Gb|GbE|Mb|GT/s|[kKMG]?Hz|bpw|bits?|nm|mm|cm|°?C|GPUs?|cores?|tokens?|params?|"
    r"[kKMG]?tok(?:ens)?|reqs?|hours?|days?|weeks?|months?|years?|yrs?|VRAM|RAM|vCPUs?|fps|FPS)"
    r"(?![A-Za-z0-9_])"
)
# Behind digits, a word of small letters counts (3times, 4bytes) and a rate measures (20img/s).
_COUNTS = re.compile(
    r"[a-z]{3,}(?![A-Za-z0-9_.+-])|[A-Za-z]{1,12}/(?:s|sec|second|token|tok)\b|[bm]n\b"
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![A-Za-z0-9])")
_TIMES = frozenset("x×")
_DECADE = re.compile(r"(?:19|20)\d0s")
_ANY_PATCH = re.compile(r"\.[xX](?:\.[xX])?(?![A-Za-z0-9])")
# A100-80GB: the part's name says how much memory it has, and another part has less.
_MEMORY = re.compile(r"\d{1,4}G(?:B|iB)?")
_GRID = re.compile(r"\d+(?:[xX]\d+)+")
_QUANTITY = re.compile(
    r"[~+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[A-Za-z%]{1,6}|[kKMB]?-?tok(?:en)?s?)?[-+–]"
)
_APPROXIMATELY = re.compile(
    r"(?:sub|over|near|under|about|up-to|x|approx\.?|ca\.?|c\.|to|and|or)[-.]?"
)
_AT_RANK = re.compile(
    r"(?:pass|recall|precision|top|ndcg|hits?|mrr|map|acc|maj|p|r)@\Z", re.IGNORECASE
)
_SCHEME = re.compile(r"(?:arxiv|doi|isbn|pmid|cve|rfc|rev|ticket|jira|sha):\Z", re.IGNORECASE)
_PROCESSOR = re.compile(r"x(?:86|64)(?:[-_](?:64|32))?")
_ORDER = re.compile(r"(?:[OΘΩ]|\\?mathcal\{O\})\([^)]*\Z")


def word(left: str, hit: str, right: str, after: str) -> Verdict:
    """Judge `hit` by what is glued to it; `after` starts with it and shows what follows."""
    return (
        _address(left, hit, right)
        or _marked(left, hit, right)
        or _dated(left, hit, right)
        or _named(left, hit, right, after)
    )


def _address(left: str, hit: str, right: str) -> Verdict | None:
    if not left and right[:1] not in ("/", "-", "_", ".", ":"):
        return None
    whole = left + hit + right
    url = _URL.search(whole)
    if url and url.start() < len(left) + len(hit):
        return Verdict("url")
    bare = left.lstrip("([{\"'“‘`*<")
    if bare.startswith(("./", "../", "~/", "/")) and _PATH.match(bare + hit + right):
        return Verdict("file-name")
    for match in _FILE.finditer(whole):
        if (
            match.start() <= len(left) < match.end()
            and not whole[match.end() : match.end() + 1].isalnum()
        ):
            return Verdict("file-name")
    if _FILE.search(left):
        return Verdict("file-name")
    if hit.isdigit() and _HOST.search(left):
        return Verdict("port")
    return None


def _marked(left: str, hit: str, right: str) -> Verdict | None:
    """Judge a number by the one mark in front of it."""
    if labelled := _labelled(left, hit, right):
        return labelled
    return Verdict("version") if pins.is_version(left, hit, right) else None


def _labelled(left: str, hit: str, right: str) -> Verdict | None:
    last = left[-1:]
    if last == "#" and hit.isdigit() and left[-2:-1] != "C":
        return Verdict("issue")
    if last == "§" or (last == "@" and _AT_RANK.search(left)):
        return Verdict("label")
    if last == "[" and right[:1] == "]" and hit.isdigit() and len(hit) <= 3:
        return Verdict("citation")
    if KEYCAP.match(right):
        return Verdict("list-ordinal")
    if last == ":" and _SCHEME.search(left):
        return Verdict("identifier")
    return Verdict("complexity") if last in ("(", "^") and _ORDER.search(left) else None


def _dated(left: str, hit: str, right: str) -> Verdict | None:
    """Judge a number by the digits, points, strokes and colons that it hangs together with."""
    run = left[len(left.rstrip(_DATING)) :]
    rest = right[: len(right) - len(right.lstrip(_DATING))]
    whole = (run + hit + rest).strip("/:.-–T")
    if IP.fullmatch(whole):
        return Verdict("ip-address")
    if _DOTTED.fullmatch(hit):
        return Verdict("version")
    if len(hit) == 2 and _AT_VENUE.search(left) and not right[:1].isalnum():
        return Verdict("year")
    opening = left.rfind("[", -4)
    if opening >= 0 and _BRACKETED.match(left[opening:] + hit + right):
        return Verdict("date")
    before = left[: len(left) - len(run)][-1:]
    if len(whole) == len(hit) or (before and before in _LETTERS):
        return None
    return _calendar(whole, right[len(rest) : len(rest) + 1])


def _calendar(whole: str, behind: str) -> Verdict | None:
    if DATE.fullmatch(whole):
        return Verdict("date")
    if _YEARS.fullmatch(whole):
        return Verdict("year")
    if whole == "1:1":
        return Verdict("constant")
    if whole == "24/7" or (_TIME.fullmatch(whole) and behind not in ("x", "×")):
        return Verdict("time")
    return None


def _named(left: str, hit: str, right: str, after: str) -> Verdict:
    head = left[len(left.rstrip(_NAME)) :].lstrip(".+-")
    tail = right[: len(right) - len(right.lstrip(_NAME))]
    name = head + hit + tail.rstrip(".+-")
    if fixed := _fixed(left, hit, right, head):
        return fixed
    if _CLOCK.fullmatch(name) or _EXPONENT.fullmatch(name):
        return _MUST
    if head and (not _stands_apart(head) or _PROCESSOR.match(name)):
        return _part_of_name(head, name)
    if (_SIZED_TIMES.search(left) and _SIZE.match(right)) or _is_among_sizes(left, hit, right):
        return Verdict("model-name")
    rest = tail.strip(".+-")
    if (
        not right[:1]
        or (not rest and right[0] not in "*×")
        or (rest[:1].isdigit() and right[0] in "-+")
    ):
        return FREE
    return _runs_on(hit, right, name, after)


def _fixed(left: str, hit: str, right: str, head: str) -> Verdict | None:
    """Judge a number of a fixed expression: 3x3, x)-4-, 01-ai, 2-Clause, 86-64."""
    if right[:1] in _TIMES or left[-1:] in _TIMES:
        return Verdict("constant") if SQUARE.search(left[-3:] + hit + right[:3]) else None
    is_joined = left.endswith((")-", "]-")) and right[:1] == "-"
    is_name = not left and (_NUMBERED_NAME.match(hit + right) or _CLAUSE.match(right))
    is_processor = head == "86-" or (hit == "86" and right.startswith(("-64", "_64")))
    return Verdict("identifier") if is_joined or is_name or is_processor else None


def _is_among_sizes(left: str, hit: str, right: str) -> bool:
    if "/" not in (left[-1:], right[:1], right[1:2]):
        return False
    chain = _SIZES.fullmatch(left.lstrip("(") + hit + right.rstrip("),.;:"))
    return chain is not None and chain[0].count("B") > 1


def _stands_apart(head: str) -> bool:
    """Say whether what is glued in front is a quantity, a range's first end or an `x`."""
    return bool(_QUANTITY.fullmatch(head) or _APPROXIMATELY.fullmatch(head))


def _part_of_name(head: str, name: str) -> Verdict:
    if _V.fullmatch(name):
        return Verdict("version")
    if _HEX.fullmatch(name):
        return Verdict("hash")
    if _GRID.fullmatch(name):
        return _MUST
    if head[0].isdigit() and _SIZED_TIMES.search(head) and name[-1] in "Bb":
        return Verdict("model-name")
    if head.isdigit() or (head[-1] == "-" and _MEMORY.fullmatch(name[len(head) :])):
        return _MUST
    return Verdict("identifier")


def _runs_on(hit: str, right: str, name: str, after: str) -> Verdict:
    """Judge a number that letters are glued behind."""
    if _SIZE.match(after, len(hit)):
        return Verdict("model-name")
    if _DECADE.fullmatch(hit + right[:1]):
        return Verdict("year")
    if _ANY_PATCH.match(right):
        return Verdict("version")
    return _letters_behind(hit, right, name, after)


def _letters_behind(hit: str, right: str, name: str, after: str) -> Verdict:
    if _HEX.fullmatch(name):
        return Verdict("hash")
    if _CPU.fullmatch(name):
        return Verdict("hardware-name")
    if has_unit(after, len(hit)) or _SCALED.match(right) or _SHORT_UNIT.match(right):
        return _MUST
    if _COUNTS.match(right):
        return _MUST
    if _TIMES_NAME.match(right) or (not right[0].isalpha() and right[0] != "_"):
        return _MUST
    if right[0] not in _NAME:
        return _MUST  # letters of another script, which no name of ours is written in
    return Verdict("ordinal-word" if _ORDINAL.match(right) else "identifier")


def has_unit(text: str, end: int) -> bool:
    """Say whether a unit of the table stands behind the number that ends at `end`."""
    return numbers.unit_follows(text, end)
