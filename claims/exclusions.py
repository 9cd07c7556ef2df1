"""What a number is when it is no claim: the closed list of exclusions, each with its name.

Everything that none of these names must resolve to a claim. A number is judged by the word that it
is part of, and then by the word in front of it; nothing is inferred from how large it is.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from claims import numbers
from claims.flow import SEPARATOR
from claims.vocabulary import Vocabulary

EXCLUSIONS: dict[str, str] = {
    "date": "a date or a part of one: 2026-08-15, Aug 15, 15/08/2026",
    "time": "a time of day: 12:30, 09:05:01Z",
    "year": "a year, told by its neighbours: in 2024, (2024), MLSys 2025",
    "version": "a version: v0.6.0, 1.2.3, CUDA 12.8, Python 3.11",
    "section-number": "the number of a heading: ## 3.2 Results",
    "list-ordinal": "the number of a list item, written or numbered by Markdown: 1. a, (2) b",
    "row-number": "a number in a column that numbers, dates or names its rows: #, Run, Date, PR",
    "label": "a number that labels something: Table 3, Step 2, § 4.1, Phase 2",
    "ordinal-word": "a rank in a sequence: 1st, 2nd",
    "issue": "an issue or pull request: #123, PR 77",
    "hash": "a commit or digest: 7 to 64 hexadecimal digits with a letter among them",
    "url": "an address: https://…, www.…, example.org/3",
    "ip-address": "an IP address, its port included",
    "port": "a port: localhost:8080, port 8080",
    "identifier": "digits of a name that starts with a letter: GB10, Q4_K_M, sm_120, SHA-256, pp512",
    "model-name": "a model or its size: Llama 3.1, 70B, 8x7B, GPT-4",
    "hardware-name": "a product: RTX 4090, EPYC 9654, 3090 Ti",
    "file-name": "a file or a path: qcache_4.md, ./doc/3/",
    "citation": "a citation mark: [1]",
    "complexity": "an order of growth: O(1), O(n^2)",
    "number-word": "a number word that counts no result: one of, the first two",
    "html-comment": "text of an HTML comment, which is not rendered",
    "html-attribute": "an attribute of a tag that nobody reads: width, href, id",
    "html-script": "text of a script, a style or preformatted HTML",
    "code-span": "code between backticks",
    "code-block": "a code block; `claims-scan` in its info string has it read",
    "front-matter": "front matter other than title, description and their like",
    "link-target": "the target of a link or an image, or a link's definition",
    "footnote-mark": "the label of a footnote",
    "entity": "the spelling of one character: &#8202;",
    "not-rendered": "a cell beyond the table's header, which is not rendered",
}
"""Every exclusion by its name, with what it covers."""


class Verdict(NamedTuple):
    """What the word around a number says: excluded by `rule`, or a number that stands free."""

    rule: str | None
    is_free: bool = False


_FREE = Verdict(None, is_free=True)
_MUST = Verdict(None)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_NAME = f"{_LETTERS}0123456789_.+-"
_DATING = "0123456789/:.-–TZ"

_URL = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://|(?<![A-Za-z0-9])www\."
    r"|(?<![A-Za-z0-9@.-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.(?:com|org|net|io|ai|dev|gov|edu|cn|co|sh|app)/"
)
_DATE = re.compile(
    r"(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?(?:T[\d:.]+Z?)?"
    r"|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:19|20)\d\d"
)
_YEARS = re.compile(r"(?:199\d|20[0-3]\d)[-–/](?:(?:19|20)?\d\d)")
_TIME = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z?")
_IP = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}(?:[:/]\d{1,5})?")
_DOTTED = re.compile(r"\d+(?:\.\d+){2,}")
_V = re.compile(r"(?:v\d|V\d(?=\d?(?:\.|\Z)))[A-Za-z0-9_.+-]*")
_HEX = re.compile(r"(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}")
_HOST = re.compile(r"(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|\]):\Z")
_FILE = re.compile(
    r"[A-Za-z0-9_.\-/~]*\.(?:md|mdx|rst|txt|py|ipynb|json|jsonl|ya?ml|toml|csv|tsv|sh|c|cc|cpp|cu|cuh|h"
    r"|hpp|rs|go|js|ts|html|pdf|png|jpe?g|svg|gif|webp|gguf|safetensors|bin|pt|pth|onnx|zip|whl|log"
    r"|tar|gz|so|deb|exe|dll|mp4|ini|cfg|lock|db)"
)
_PATH = re.compile(r"(?:\.{0,2}|~)/[A-Za-z0-9_.\-/]*[A-Za-z_][A-Za-z0-9_.\-/]*")
_REPOSITORY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*/[A-Za-z][A-Za-z0-9_.-]*")
_SIZE = re.compile(
    r"(?:[BbT](?![ \u00a0-]tokens)(?![A-Za-z0-9])|[xX×*]\d+(?:\.\d+)?[Bb](?![A-Za-z0-9]))"
)
_SIZED_TIMES = re.compile(r"(?:\A|[^A-Za-z0-9])\d{1,3}[xX×*]\Z")
_TIMES_NAME = re.compile(r"[xX×]\s?(?:[A-Z]|\d)")
_SCALED = re.compile(r"[kKMGTmBb](?:i?[bB])?(?![A-Za-z0-9_])")
_SHORT_UNIT = re.compile(
    r"(?:Gb|GbE|Mb|GT/s|[kKMG]?Hz|bpw|bits?|nm|mm|cm|°?C|GPUs?|cores?|tokens?|params?|"
    r"[kKMG]?tok(?:ens)?|reqs?|hours?|days?|weeks?|months?|years?|yrs?|VRAM|RAM|vCPUs?|fps|FPS)"
    r"(?![A-Za-z0-9_])"
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![A-Za-z0-9])")
_DIMENSION = re.compile(r"D(?![A-Za-z0-9])")
_DECADE = re.compile(r"(?:19|20)\d0s")
_ANY_PATCH = re.compile(r"\.[xX](?:\.[xX])?(?![A-Za-z0-9])")
# A100-80GB: the part's name says how much memory it has, and another part has less.
_MEMORY = re.compile(r"\d{1,4}G(?:B|iB)?")
_GRID = re.compile(r"\d+(?:[xX]\d+)+")
_QUANTITY = re.compile(r"[~+]?\d[\d.,]*(?:[A-Za-z%]{1,6}|[kKMB]?-?tok(?:en)?s?)?[-+–]")
_APPROXIMATELY = re.compile(
    r"(?:sub|over|near|under|about|up-to|x|approx\.?|ca\.?|c\.|to|and|or)[-.]?"
)
_CURRENCY = re.compile(r"[A-Z]{0,3}[$€£¥]")
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
    last = left[-1:]
    if last == "#" and hit.isdigit() and left[-2:-1] != "C":
        return Verdict("issue")
    if last == "§":
        return Verdict("label")
    if last == "/" and left.endswith(("HTTP/", "TLS/")):
        return Verdict("version")
    if last == ":" and _SCHEME.search(left):
        return Verdict("identifier")
    if last == "@" and _AT_RANK.search(left):
        return Verdict("label")
    if last == "@" and left[-2:-1].isalpha() and "." in hit:
        return Verdict("version")
    if last == "[" and right[:1] == "]" and hit.isdigit() and len(hit) <= 3:
        return Verdict("citation")
    if right[:2] == "\ufe0f\u20e3":
        return Verdict("list-ordinal")
    if last in ("(", "^") and _ORDER.search(left):
        return Verdict("complexity")
    if left.endswith(("==", "~=")) and left[:1].isalpha():
        return Verdict("version")
    if left.endswith((">=", "<=")) and left[:1].isalpha() and "." in hit:
        return Verdict("version")
    return None


def _dated(left: str, hit: str, right: str) -> Verdict | None:
    run = left[len(left.rstrip(_DATING)) :]
    rest = right[: len(right) - len(right.lstrip(_DATING))]
    whole = (run + hit + rest).strip("/:.-–T")
    if _IP.fullmatch(whole):
        return Verdict("ip-address")
    if _DOTTED.fullmatch(hit):
        return Verdict("version")
    if len(whole) == len(hit):
        return None
    before = left[: len(left) - len(run)][-1:]
    if before and before in _LETTERS:
        return None
    if _DATE.fullmatch(whole):
        return Verdict("date")
    if _YEARS.fullmatch(whole):
        return Verdict("year")
    if _TIME.fullmatch(whole) and right[len(rest) : len(rest) + 1] not in ("x", "×"):
        return Verdict("time")
    return None


def _named(left: str, hit: str, right: str, after: str) -> Verdict:
    if left.endswith((")-", "]-")) and right[:1] == "-":
        return Verdict("identifier")
    head = left[len(left.rstrip(_NAME)) :].lstrip(".+-")
    tail = right[: len(right) - len(right.lstrip(_NAME))]
    name = head + hit + tail.rstrip(".+-")
    if head and (not _stands_apart(head) or _PROCESSOR.match(name)):
        return _part_of_name(head, name)
    if head == "86-" or (hit == "86" and right.startswith(("-64", "_64"))):
        return Verdict("identifier")
    if _SIZED_TIMES.search(left) and _SIZE.match(right):
        return Verdict("model-name")
    rest = tail.strip(".+-")
    if (
        not right[:1]
        or (not rest and right[0] not in "*×")
        or (rest[:1].isdigit() and right[0] in "-+")
    ):
        return _FREE
    return _runs_on(hit, right, name, after)


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
    if _SIZE.match(after, len(hit)):
        return Verdict("model-name")
    if _DECADE.fullmatch(hit + right[:1]):
        return Verdict("year")
    if _ANY_PATCH.match(right):
        return Verdict("version")
    if _HEX.fullmatch(name):
        return Verdict("hash")
    if has_unit(after, len(hit)) or _SCALED.match(right) or _SHORT_UNIT.match(right):
        return _MUST
    if _TIMES_NAME.match(right) or right[0] not in _NAME or not right[0].isalpha():
        return _MUST if right[0] != "_" else Verdict("identifier")
    if _ORDINAL.match(right):
        return Verdict("ordinal-word")
    return Verdict("identifier")


def has_unit(text: str, end: int) -> bool:
    """Say whether a unit of the table stands behind the number that ends at `end`."""
    return numbers.unit_follows(text, end)


_SPACES = " \u00a0\u2009\u202f\u2007"
_EDGES = "([{\"'“‘*_«「（"
# Between two numbers of one name: RTX 3090/4090, Figures 2 and 3, Aug 20–22.
_JOINTS = frozenset(
    ("/", " / ", ", ", " and ", " or ", " & ", "–", "-", " – ", " - ", " to ", " vs ", "+")
    + (", and ", ", or ")
)
_NAMING = frozenset(("model-name", "hardware-name", "label", "version", "date", "issue", "year"))
CARDS = frozenset(
    [
        "1060",
        "1070",
        "1080",
        "1650",
        "1660",
        "2060",
        "2070",
        "2080",
        "3050",
        "3060",
        "3070",
        "3080",
        "3090",
        "4050",
        "4060",
        "4070",
        "4080",
        "4090",
        "5050",
        "5060",
        "5070",
        "5080",
        "5090",
    ]
)
_CARD_AFTER = re.compile(r"[ -]?(?:Ti|GPUs?|Super|SUPER|[Ll]aptop|[Dd]esktop|[Mm]obile|D)\b")
_CARD_BEFORE = frozenset(
    [
        "a",
        "an",
        "the",
        "single",
        "one",
        "dual",
        "two",
        "with",
        "on",
        "my",
        "per",
        "each",
        "and",
        "or",
        "vs",
        "nvidia",
    ]
)
_MONTH_AFTER = re.compile(
    r"(?:st|nd|rd|th)?[ \u00a0](?:of )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\b"
)
_PROPER = re.compile(r"[(\"'“]?[A-Z][A-Za-z]{2,}")
_ENDS = frozenset(f".,;:)*+!?{SEPARATOR}")
_YEAR = re.compile(r"199\d|20[0-3]\d")
_ITEM = re.compile(r"[.)](?=[ \u00a0A-Z])")
_COMPARATORS = frozenset((">=", "≥", ">", "<=", "≤", "<", "==", "~="))
_ORDERS = frozenset(("O(", "Θ(", "Ω("))
_LIST_GOES_ON = re.compile(rf"\+?(?:[.,;:)/\]{SEPARATOR}]|[ \u00a0](?:and|or|&|to|vs)\b|[-–])")
_COUNTED = re.compile(
    r"[ \u00a0](?:output |input |prompt |total |random |concurrent )?(?:requests?|tokens?|prompts?|users?"
    r"|steps?|iterations?|samples?|runs?|lines?|sequences?|clients?|batches|questions?|examples?"
    r"|trials?|reps|repetitions|entries|rows|items|images|words|characters|bytes|seconds|ms|GPUs?)\b"
)
_LISTED = re.compile(r"\)[ \u00a0](?=[A-Za-z])")
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,3}")


# A unit glued to a number that nothing is glued in front of; 1990s is not one.
_GLUED = re.compile(
    rf"(?:[×x%]|ms|µs|(?<!\d{{4}})s|[KMGT]i?B|tok/s)(?=[\s{SEPARATOR},;:)†*…]|[.](?:\s|\Z)|[–/]\d)"
)
_WORD = 64
_LONG_WORD = 2048
_UNIT = 24
_CACHED = 8192
# Judging a word depends on nothing but the word, and a site has the same words on every page.
_CACHE: dict[tuple[str, str, str], Verdict] = {}


_ISO_DATE = re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d.-])")

Judged = tuple[int, int, str | None]
"""A number's start and end, and its exclusion."""


class Neighbours:
    """Judges the numbers of one rendered text by their neighbours, from the first to the last."""

    def __init__(self, text: str, headings: frozenset[int], vocabulary: Vocabulary) -> None:
        self._text = text
        self._headings = headings
        self._words = vocabulary.words
        self._named = (-1, "", "")

    def judge(self, numbers: re.Pattern[str], given: Mapping[int, str]) -> list[Judged]:
        """Return start, end and exclusion of every match of `numbers`, None if it must resolve.

        `given` has the exclusions that are known by their start alone.
        """
        text = self._text
        found: list[Judged] = []
        dated = 0
        for match in numbers.finditer(text):
            start, end = match.span()
            before, behind = text[start - 1], text[end]
            if start in given:
                found.append((start, end, given[start]))
            elif start < dated:
                found.append((start, end, "date"))
            elif (before == SEPARATOR == behind) or (
                before in _FREE_BEFORE and _GLUED.match(text, end)
            ):
                found.append((start, end, None))
            elif behind == "-" and before in _FREE_BEFORE and _ISO_DATE.match(text, start):
                dated = start + 10
                found.append((start, end, "date"))
            else:
                found.append((start, end, self._rule(start, end, before, behind)))
        return found

    def _rule(self, start: int, end: int, before: str, behind: str) -> str | None:
        text = self._text
        if before == SEPARATOR and end - start <= 2 and _ITEM.match(text, end):
            return "section-number" if start in self._headings else "list-ordinal"
        if self._is_free(before, behind, start, end):
            rule = self._free(start, end)
        else:
            rule, is_free = self._word(start, end)
            if is_free:
                rule = self._free(start, end)
        if rule in _NAMING:
            # A name may go on with other numbers.
            self._named = (end, rule or "", text[start:end])
        return rule

    def _is_free(self, before: str, behind: str, start: int, end: int) -> bool:
        """Say whether nothing but punctuation touches the number, as far as that is cheap to see.

        What is not free here is judged as a word, which comes to the same if it is none.
        """
        text = self._text
        if before not in _FREE_BEFORE:
            is_range = before == "–" and text[start - 2].isdigit() and end - start != 4
            if not is_range:
                return False
        if behind in _FREE_AFTER:
            return True
        if behind in ".:":
            return text[end + 1 : end + 2].isspace()
        return behind == "–" and text[end + 1].isdigit() and end - start != 4

    def _word(self, start: int, end: int) -> Verdict:
        text = self._text
        left, right = "", ""
        if not text[start - 1].isspace():
            left = text[max(0, start - _WORD) : start].rsplit(None, 1)[-1]
            if len(left) >= _WORD:
                left = text[max(0, start - _LONG_WORD) : start].rsplit(None, 1)[-1]
        if not text[end].isspace():
            right = text[end : end + _WORD].split(None, 1)[0]
        after = text[start : end + _UNIT]
        key = left, right, after
        verdict = _CACHE.get(key)
        if verdict is None:
            if len(_CACHE) >= _CACHED:
                _CACHE.clear()
            verdict = _CACHE[key] = word(left, text[start:end], right, after)
        return verdict

    def _free(self, start: int, end: int) -> str | None:
        """Judge a number that stands free by what stands in front of it and behind it."""
        text = self._text
        before = text[start - 1]
        if before == SEPARATOR:
            return self._first(start, end)
        if end - start > 4 and text.count(".", start, end) > 1:
            return "ip-address" if _IP.fullmatch(text, start, end) else "version"
        if self._named[0] >= start - 6 and (rule := self._runs_on(start, end)):
            return rule
        if before == "(" and text[end] == "+" and "." in text[start:end]:
            return "version"
        if before in _SPACES and (rule := self._behind_word(start, end)):
            return rule
        return self._alone(start, end)

    def _first(self, start: int, end: int) -> str | None:
        """Judge the number that a block begins with."""
        text = self._text
        if start in self._headings and text[end] in " .:":
            after = text[end : end + 3].lstrip(" .:")[:1]
            if _SECTION.fullmatch(text, start, end) and after.isupper():
                return "section-number"
        return self._alone(start, end)

    def _behind_word(self, start: int, end: int) -> str | None:
        text = self._text
        words = text[max(0, start - 24) : start - 1].rsplit(None, 2)
        if not words or text[start - 2].isspace():
            return None
        last = words[-1]
        if last in _COMPARATORS and len(words) > 1:
            last = words[-2]
        known = self._words.get(last.lstrip(_EDGES).lower())
        if known and known.form.fullmatch(text, start, end) and not has_unit(text, end):
            if known.rule == "year" and _COUNTED.match(text, end):
                return None
            self._named = (end, known.rule, text[start:end])
            return known.rule
        return None

    def _runs_on(self, start: int, end: int) -> str | None:
        """Judge the second number of a name by the first, which looks the same."""
        last, rule, number = self._named
        text = self._text
        gap = text[last:start].lstrip("+")
        if gap not in _JOINTS or has_unit(text, end):
            return None
        if gap == ", " and not _LIST_GOES_ON.match(text, end):
            return None  # RTX 4090, 2048 tokens
        hit = text[start:end]
        same = len(hit) == len(number) and hit.find(".") == number.find(".")
        if same:
            self._named = (end, rule, hit)
        return rule if same or (rule == "date" and _YEAR.fullmatch(hit)) else None

    def _alone(self, start: int, end: int) -> str | None:
        text = self._text
        if end - start == 4 and (rule := self._four_digits(start, end)):
            return rule
        if end - start <= 2:
            if text[start - 2 : start] in _ORDERS:
                return "complexity"
            if _MONTH_AFTER.match(text, end):
                return "date"
            if text[start - 1] == "(" and text[end] == ")" and text[end + 1 : end + 2] in _SPACES:
                return "list-ordinal" if text[end + 2 : end + 3].isalpha() else None
            if _LISTED.match(text, end) and text[start - 1] in _SPACES:
                before = text[max(0, start - 80) : start].rpartition(SEPARATOR)[2]
                return "list-ordinal" if before.count("(") <= before.count(")") else None
        return None

    def _four_digits(self, start: int, end: int) -> str | None:
        text = self._text
        hit = text[start:end]
        if _YEAR.fullmatch(hit):
            if text[start - 1] == "(" and text[end] in ");,+":
                return "year"
            if text[start - 2 : start] == ", " and (text[end] == ")" or text[start - 4] == "l"):
                return "year"  # (Press et al., 2021), Press et al., 2021
            month = text[max(0, start - 12) : start].replace(",", " ").split()[-1:]
            known = self._words.get(month[0].lower()) if month else None
            if known and known.rule == "date":
                return "date"
            named = month and _PROPER.fullmatch(month[0]) and text[end] in _ENDS and hit > "2009"
            return "year" if named else None
        if hit in CARDS and not has_unit(text, end):
            words = text[max(0, start - 12) : start].split()
            if _CARD_AFTER.match(text, end) or (words and words[-1].lower() in _CARD_BEFORE):
                return "hardware-name"
        return None


_FREE_BEFORE = frozenset(f"{_SPACES}{SEPARATOR}~≈≥≤→±,;(|−\ufffc")
_FREE_AFTER = frozenset(f"{_SPACES}{SEPARATOR},;)%†‡|→±!?\ufffc")
