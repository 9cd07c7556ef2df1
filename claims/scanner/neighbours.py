"""What a number is by what stands around it: the word in front, the name that it goes on with."""

from collections.abc import Mapping

from claims.numerals.units import UNIT, canonical, is_measurement
from claims.pages.flow import SEPARATOR
from claims.scanner import han, meant
from claims.scanner.glued import ADDRESS, DATE, IP, Verdict, has_unit, word
from claims.scanner.products import COUNTED, is_card
from claims.scanner.vocabulary import Before, Vocabulary
from receipts import late as re

_SPACES = " \u00a0\u2009\u202f\u2007"
_EDGES = "([{\"'“‘*_«「（®™"
# Between two numbers of one name: RTX 3090/4090, Figures 2 and 3, Aug 20–22.
_JOINT = re.compile(r" ?[/–+&-] ?|, (?:and |or )?| (?:and|or|&|to|vs) ")
_NAMING = frozenset(("model-name", "hardware-name", "label", "version", "date", "issue", "year"))
# Phi 1, 1.5, and 2: these are listed in any form that the name takes.
_FORMED = frozenset(("model-name", "version"))
# What one mark makes of a number: v2, #123, [1].
_MARKED = frozenset(("version", "issue", "citation"))
_MONTH_AFTER = re.compile(
    r"(?:st|nd|rd|th)?[ \u00a0](?:of )?"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\b"
)
_PROPER = re.compile(r"[(\"'“]?[A-Z][A-Za-z]{2,}")
_ENDS = frozenset(f".,;:)*+!?{SEPARATOR}")
_DAY_BEFORE = re.compile(r"\d(?:st|nd|rd|th),? \Z")
_YEAR = re.compile(r"199\d|20[0-3]\d")
_ITEM = re.compile(r"[.)](?=[ \u00a0A-Z])")
_COMPARATORS = frozenset((">=", "≥", ">", "<=", "≤", "<", "==", "~="))
_ORDERS = frozenset(("O(", "Θ(", "Ω("))
_LIST_GOES_ON = re.compile(
    rf"\+?(?:[.,;:)/\]，。、；）{SEPARATOR}]|[ \u00a0](?:and|or|&|to|vs)\b|[-–])"
)
_LISTED = re.compile(r"\)[ \u00a0](?=[A-Za-z])")
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,3}")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_ILLIONS = frozenset("bmt")
_SIGNS_BEFORE = _COMPARATORS | {"to", "#"}


# A unit glued to a number that nothing is glued in front of; 1990s is not one.
_GLUED = re.compile(
    rf"(?:[×x%]|ms|µs|(?<!\d{{4}})s|[KMGT]i?B|tok/s)(?=[\s{SEPARATOR},;:)†*…]|[.](?:\s|\Z)|[–/]\d)"
)
_WORD = 64
_LONG_WORD = 2048
_NEXT_WORD = 17
_SIZES = frozenset("BbT")
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
        self._form = (-1, _YEAR)
        self._has_han = han.is_marked(text)

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
                is_glued = given[start] == "row-number" and _GLUED.match(text, end)
                found.append(
                    (start, end, None if is_glued or self._measures(end) else given[start])
                )
            elif start < dated:
                found.append((start, end, "date"))
            elif (
                before == SEPARATOR == behind
                and (end - start < 5 or text.count(".", start, end) < 2)
            ) or (before in _FREE_BEFORE and _GLUED.match(text, end)):
                found.append((start, end, None))
            elif behind == "-" and before in _FREE_BEFORE and _ISO_DATE.match(text, start):
                dated = start + 10
                found.append((start, end, "date"))
            else:
                found.append((start, end, self._rule(start, end, before, behind)))
        return found

    def _rule(self, start: int, end: int, before: str, behind: str) -> str | None:
        text = self._text
        if before == SEPARATOR and end - start <= 2 and (item := _ITEM.match(text, end)):
            if self._measures(item.end()) and start not in self._headings:
                return None
            return "section-number" if start in self._headings else "list-ordinal"
        rule: str | None
        if self._has_han and (rule := self._in_han(start, end)):
            pass
        elif self._is_free(before, behind, start, end):
            rule = self._free(start, end)
        else:
            rule, is_free = self._word(start, end)
            if is_free:
                rule = self._free(start, end)
            elif rule is None or rule in _MARKED:
                rule = self._reconsidered(rule, start, end)
        if rule in _NAMING:
            # A name may go on with other numbers.
            self._named = (end, rule or "", text[start:end])
        return rule

    def _in_han(self, start: int, end: int) -> str | None:
        text = self._text
        near = text[max(0, start - 9) : start], text[start:end], text[end : end + 3]
        rule = han.judge(*near)
        return None if rule and self._measures(end) else rule

    def _reconsidered(self, rule: str | None, start: int, end: int) -> str | None:
        """Judge a number that its word excludes by one mark or not at all, by what is near."""
        text = self._text
        if rule:
            return None if self._measures(end + (rule == "citation")) else rule
        if text[start - 1] not in _SPACES:
            return None
        if text[end] == "-" and meant.is_model_size(text, end):
            return "model-name"
        is_part = text[end] == "C" and end - start == 4 and not text[end + 1].isalnum()
        if is_part or (text[end] == "-" and meant.is_name_going_on(text, end)):
            return self._behind_word(start, end)
        return None

    def _measures(self, end: int) -> bool:
        """Say whether a unit that claims a result stands behind `end`, apart from it."""
        if self._text[end] not in _SPACES:
            return False
        unit = UNIT.match(self._text, end)
        if unit is None or not (unit["words"] or len(unit["symbol"]) > 1):
            return False  # a letter alone is more often a name, and `second` comes after first
        return unit["words"] != "second" and is_measurement(canonical(unit))

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
                long = text[max(0, start - _LONG_WORD) : start].rsplit(None, 1)[-1]
                if "://" in long or "www." in long:
                    return ADDRESS
        if not text[end].isspace():
            right = text[end : end + _WORD].split(None, 1)[0]
        # Only a size looks further: 5B tokens are a number, 5B is a model.
        reach = len(right) + (_NEXT_WORD if right[:1] in _SIZES else 0)
        after = text[start : end + reach]
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
        if end - start > 4 and text.count(".", start, end) > 1:
            return self._parted(start, end)
        if before == SEPARATOR:
            return self._first(start, end)
        if self._named[0] >= start - 6 and (rule := self._runs_on(start, end)):
            return rule
        if before == "(" and text[end] == "+" and "." in text[start:end]:
            return "version"
        if before == "(" and text[start - 2] in _SPACES:
            rule = self._behind_word(start - 1, end, start)
            if rule == "label" or (rule == "version" and "." in text[start:end]):
                return rule
        if before in _SPACES and (rule := self._behind_word(start, end)):
            return rule
        return self._alone(start, end)

    def _first(self, start: int, end: int) -> str | None:
        """Judge the number that a block begins with."""
        text = self._text
        if start in self._headings and text[end] in " .:":
            after = text[end : end + 3].lstrip(" .:")[:1]
            is_title = after.isalpha() and not after.islower()
            is_closed = "." in text[start:end] and text[end : end + 2] == ". "
            if _SECTION.fullmatch(text, start, end) and (is_title or is_closed):
                return "section-number"
        return self._alone(start, end)

    def _parted(self, start: int, end: int) -> str | None:
        """Judge digits with several points in them, which no quantity of ours has."""
        hit = self._text[start:end]
        if IP.fullmatch(hit):
            return "ip-address"
        if DATE.fullmatch(hit):
            return "date"
        return None if _THOUSANDS.fullmatch(hit) else "version"

    def _behind_word(self, start: int, end: int, first: int | None = None) -> str | None:
        """Judge a number by the word that ends before `start`; `first` is its first digit."""
        text = self._text
        first = start if first is None else first
        words = text[max(0, start - 24) : start - 1].rsplit(None, 1)
        last = words[-1] if words else ""
        known = self._words.get(last.strip(_EDGES).lower())
        if known is None and last not in _SIGNS_BEFORE:
            return None
        if text[start - 2].isspace():
            return None
        if known is None and last in _COMPARATORS:
            last = words[0].rsplit(None, 1)[-1]
            known = self._words.get(last.strip(_EDGES).lower())
        if known is None:
            return self._behind_mark(last, start, end)
        if known.form.fullmatch(text, first, end) and not has_unit(text, end):
            if not self._is_meant(known, last, words[0], first, end):
                return None
            self._named = (end, known.rule, text[first:end])
            self._form = (end, known.form)
            return known.rule
        return known.rule if known.rule == "hardware-name" and meant.is_series(text, end) else None

    def _behind_mark(self, last: str, start: int, end: int) -> str | None:
        """Judge a number behind `updated to` or `#`, which say what it is where all of it fits."""
        text = self._text
        if last not in ("to", "#"):
            return None
        if last == "#":
            return "issue" if text[end] in _ENDS and text[start:end].isdigit() else None
        is_raised = "." in text[start:end] and meant.is_raised(text, start)
        return "version" if is_raised else None

    def _is_meant(self, known: Before, last: str, before: str, start: int, end: int) -> bool:
        if meant.is_measured(self._text, end):
            return False
        if known.rule == "issue":
            return meant.is_issue(last, before)
        if known.rule == "year":
            return meant.is_year(self._text, last, start, end)
        return last != "table."  # the end of a sentence, where "Table. 1" is a caption

    def _runs_on(self, start: int, end: int) -> str | None:
        """Judge the second number of a name by the first, which looks the same."""
        last, rule, number = self._named
        text = self._text
        gap = text[last:start].lstrip("+")
        if not _JOINT.fullmatch(gap) or has_unit(text, end):
            return None
        if gap == ", " and not _LIST_GOES_ON.match(text, end):
            return None  # RTX 4090, 2048 tokens
        hit = text[start:end]
        if len(gap) > 1 and COUNTED.match(text, end) and not is_card(text, start, end):
            return None  # RTX 4090 and 2048 tokens, Llama 3 and 8 GPUs
        same = len(hit) == len(number) and hit.find(".") == number.find(".")
        if not same and rule in _FORMED and self._form[0] == last:
            same = self._form[1].fullmatch(hit) is not None and bool(_LIST_GOES_ON.match(text, end))
            self._form = (end, self._form[1])
        if same:
            self._named = (end, rule, hit)
        return rule if same or (rule == "date" and _YEAR.fullmatch(hit)) else None

    def _alone(self, start: int, end: int) -> str | None:
        text = self._text
        if end - start == 4 and (rule := self._four_digits(start, end)):
            return rule
        if text[end + 1 : end + 2] in _ILLIONS and meant.is_model_size(text, end):
            return "model-name"
        return self._two_digits(start, end) if end - start <= 2 else None

    def _two_digits(self, start: int, end: int) -> str | None:
        text = self._text
        if text[start - 2 : start] in _ORDERS:
            return "complexity"
        if _MONTH_AFTER.match(text, end):
            return "date"
        if text[start - 1] == "(" and text[end] == ")" and text[end + 1 : end + 2] in _SPACES:
            if self._measures(end + 1) or not text[end + 2 : end + 3].isalpha():
                return None
            return "list-ordinal" if meant.is_listed(text, start, text[start:end]) else None
        if (
            not _LISTED.match(text, end)
            or text[start - 1] not in _SPACES
            or self._measures(end + 1)
        ):
            return None
        before = text[max(0, start - 80) : start].rpartition(SEPARATOR)[2]
        return "list-ordinal" if before.count("(") <= before.count(")") else None

    def _four_digits(self, start: int, end: int) -> str | None:
        text = self._text
        hit = text[start:end]
        if _YEAR.fullmatch(hit):
            if text[start - 1] == "(" and text[end] in ");,+":
                return "year"
            if text[start - 2 : start] == ", " and (text[end] == ")" or text[start - 4] == "l"):
                return "year"  # (Doe et al., 2021), Doe et al., 2021
            month = text[max(0, start - 12) : start].replace(",", " ").split()[-1:]
            known = self._words.get(month[0].lower()) if month else None
            if (known and known.rule == "date") or _DAY_BEFORE.search(
                text, max(0, start - 8), start
            ):
                return "date"
            named = month and _PROPER.fullmatch(month[0]) and text[end] in _ENDS and hit > "2009"
            return "year" if named else None
        return "hardware-name" if is_card(text, start, end) and not has_unit(text, end) else None


_FREE_BEFORE = frozenset(f"{_SPACES}{SEPARATOR}~≈≥≤→±,;(|−\ufffc")
_FREE_AFTER = frozenset(f"{_SPACES}{SEPARATOR},;)%†‡|→±!?\ufffc")
