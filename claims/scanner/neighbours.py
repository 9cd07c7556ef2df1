"""What a number is by what stands around it: the word in front, the name that it goes on with."""

from collections.abc import Mapping

from claims.pages.flow import SEPARATOR
from claims.scanner import alone, clocks, counts, han, meant, rated, told_names, touching
from claims.scanner.columns import Columns
from claims.scanner.glued import KEYCAP, has_unit
from claims.scanner.products import COUNTED, is_card
from claims.scanner.vocabulary import CASED_LAST, Before, Vocabulary, written
from receipts import late as re

_EDGES = "([{\"'“‘*_«「（®™"
# Between two numbers of one name: RTX 3090/4090, Figures 2 and 3, Aug 20–22.
_JOINT = re.compile(r" ?[/–+&-] ?|, (?:and |or )?| (?:and|or|&|to|vs) ")
_NAMING = frozenset(("model-name", "hardware-name", "label", "version", "date", "issue", "year"))
# Phi 1, 1.5, and 2: these are listed in any form that the name takes.
_FORMED = frozenset(("model-name", "version"))
# The rule of a number in a name that letters touch, which goes on behind a stroke alone.
_IN_A_WORD = "identifier/"
# What one mark makes of a number: v2, #123, [1].
_MARKED = frozenset(("version", "issue", "citation"))
_ITEM = re.compile(r"[.)](?=[ \u00a0A-Z])")
_COMPARATORS = frozenset((">=", "≥", ">", "<=", "≤", "<", "==", "~="))
_LIST_GOES_ON = re.compile(
    rf"\+?(?:[.,;:)/\]，。、；）{SEPARATOR}]|[ \u00a0](?:and|or|&|to|vs)\b|[-–])"
)
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,3}")
_SIGNS_BEFORE = _COMPARATORS | {"to", "#"}

# What a result may look like too: 1:30, 16B.
_TWO_MEANINGS = frozenset(("time", "model-name"))
_COMPARING = frozenset("<>=≥≤~!")
_ISO_DATE = re.compile(
    r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d.-])"
    r"(?:T[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?[+-][0-2]\d:?[0-5]\d(?!\d))?"
)

Judged = tuple[int, int, str | None]
"""A number's start and end, and its exclusion."""


class Neighbours:
    """Judges the numbers of one rendered text by their neighbours, from the first to the last."""

    def __init__(
        self,
        text: str,
        headings: frozenset[int],
        vocabulary: Vocabulary,
        columns: Columns,
    ) -> None:
        self._text = text
        self._headings = headings
        self._words = vocabulary.words
        self._columns = columns
        self._timed = -1
        self._named = (-1, "", "")
        self._form = (-1, meant.YEAR)
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
                is_glued = given[start] == "row-number" and touching.GLUED.match(text, end)
                found.append(
                    (start, end, None if is_glued or meant.measures(text, end) else given[start])
                )
            elif start < dated:
                found.append((start, end, "date"))
            elif (
                before == SEPARATOR == behind
                and (end - start < 5 or text.count(".", start, end) < 2)
            ) or (before in touching.FREE_BEFORE and touching.GLUED.match(text, end)):
                found.append((start, end, None))
            elif (
                behind == "-"
                and before in touching.FREE_BEFORE
                and (iso := _ISO_DATE.match(text, start)) is not None
            ):
                dated = iso.end()
                found.append((start, end, "date"))
            else:
                found.append((start, end, self._rule(start, end, before, behind)))
        return found

    def _rule(self, start: int, end: int, before: str, behind: str) -> str | None:
        text = self._text
        if before == SEPARATOR and end - start <= 2 and (item := _ITEM.match(text, end)):
            if meant.measures(text, item.end()) and start not in self._headings:
                return None
            return "section-number" if start in self._headings else "list-ordinal"
        rule: str | None
        if self._has_han and (rule := self._in_han(start, end)):
            pass
        elif touching.is_free(text, before, behind, start, end):
            rule = self._free(start, end)
        else:
            rule = self._as_word(start, end)
        if (
            rule in rated.DOUBTED
            and rated.is_result(text, start, end, self._words)
            and not self._columns.is_head(start)
        ):
            return None
        rule = rule or told_names.judge(text, start, end)
        if rule in _NAMING:
            # A name may go on with other numbers.
            self._named = (end, rule or "", text[start:end])
        return rule

    def _as_word(self, start: int, end: int) -> str | None:
        rule, is_free = touching.as_word(self._text, start, end)
        if is_free:
            return self._free(start, end)
        if rule in _TWO_MEANINGS:
            return self._of_two_meanings(rule, start, end)
        if rule == "list-ordinal" and (key := KEYCAP.match(self._text, end)):
            return None if meant.multiplies(self._text, key.end()) else rule
        if rule == "identifier":
            self._named = (end, _IN_A_WORD, self._text[start:end])
        return self._reconsidered(rule, start, end) if rule is None or rule in _MARKED else rule

    def _in_han(self, start: int, end: int) -> str | None:
        text = self._text
        near = text[max(0, start - 9) : start], text[start:end], text[end : end + 24]
        rule = han.judge(*near)
        return None if rule and meant.measures(text, end) else rule

    def _reconsidered(self, rule: str | None, start: int, end: int) -> str | None:
        """Judge a number that its word excludes by one mark or not at all, by what is near."""
        text = self._text
        if rule:
            return None if meant.measures(text, end + (rule == "citation")) else rule
        if text[start - 1] not in meant.SPACES:
            is_size = text[start - 1] in "(（" and text[end] == "M"
            sized = is_size and counts.is_size_of_model(text, start, end, self._words)
            return "model-name" if sized else None
        if text[end] in "kKM" and (rule := counts.counted(text, start, end)):
            return rule
        if meant.is_family(text, start, end):
            return "hardware-name"
        if text[end] == "-" and meant.is_model_size(text, end):
            return "model-name"
        is_part = text[end] == "C" and end - start == 4 and not text[end + 1].isalnum()
        if is_part or (text[end] == "-" and meant.is_name_going_on(text, end)):
            return self._behind_word(start, end)
        return None

    def _of_two_meanings(self, rule: str | None, start: int, end: int) -> str | None:
        """Judge a number that its word excludes by its form, by what the form may be besides."""
        text = self._text
        cell = self._columns.begin(start)
        if rule == "time" and "/" not in (text[start - 1], text[end]):
            if cell is not None or not clocks.is_time_of_day(text, start, end, self._timed):
                return None
            self._timed = clocks.end_of(text, end)
        elif cell is not None and not text[cell:start].strip("~≈<>≤≥ "):
            return None  # 16B under "Memory (GB)"
        return rule

    def _free(self, start: int, end: int) -> str | None:
        """Judge a number that stands free by what stands in front of it and behind it."""
        text = self._text
        before = text[start - 1]
        if end - start > 4 and text.count(".", start, end) > 1:
            return alone.parted(text, start, end)
        if before == SEPARATOR:
            return self._first(start, end)
        if self._named[0] >= start - 6 and (rule := self._runs_on(start, end)):
            return rule
        if before == "(" and (rule := self._bracketed(start, end)):
            return rule
        if before in meant.SPACES and (rule := self._behind_word(start, end)):
            return rule
        if before in _COMPARING and (rule := self._compared(start, end)):
            return rule
        return alone.judge(text, start, end, self._words)

    def _bracketed(self, start: int, end: int) -> str | None:
        """Judge the number that a bracket opens with: CMake (3.17+), Eq. (3)."""
        text = self._text
        if text[end] == "+" and "." in text[start:end]:
            return "version"
        rule = self._behind_word(start - 1, end, start) if text[start - 2] in meant.SPACES else None
        is_meant = rule == "label" or (rule == "version" and "." in text[start:end])
        return rule if is_meant else None

    def _runs_on_in_word(self, start: int, end: int) -> str | None:
        """Judge the 4 of INT3/4 by the 3; H100, 200 and H100/200 tokens go on with no name."""
        text = self._text
        last, _, number = self._named
        is_other = text[last:start] != "/" or not len(number) == 1 == end - start
        if is_other or text[end] in ".-" or meant.counts(text, end):
            return None
        self._named = (end, _IN_A_WORD, text[start:end])
        return "identifier"

    def _compared(self, start: int, end: int) -> str | None:
        """Judge a number behind a glued comparator by the word before that: CUDA >=12.8."""
        text = self._text
        begin = start
        while text[begin - 1] in _COMPARING:
            begin -= 1
        begin -= text[begin - 1] == "("
        if text[begin - 1] not in meant.SPACES:
            return None
        rule = self._behind_word(begin, end, start)
        return rule if rule == "version" else None

    def _first(self, start: int, end: int) -> str | None:
        """Judge the number that a block begins with."""
        text = self._text
        if start in self._headings and text[end] in " .:":
            after = text[end : end + 3].lstrip(" .:")[:1]
            is_title = after.isalpha() and not after.islower()
            is_closed = "." in text[start:end] and text[end : end + 2] == ". "
            if _SECTION.fullmatch(text, start, end) and (is_title or is_closed):
                return "section-number"
        return alone.judge(text, start, end, self._words)

    def _behind_word(self, start: int, end: int, first: int | None = None) -> str | None:
        """Judge a number by the word that ends before `start`; `first` is its first digit."""
        text = self._text
        first = start if first is None else first
        words = text[max(0, start - 24) : start - 1].rsplit(None, 1)
        last = words[-1] if words else ""
        known = self._words.get(last.strip(_EDGES).lower())
        if known is None and (last in CASED_LAST or not last.isascii()):
            known = written(last, words[0], self._words)
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
            return "issue" if text[end] in alone.ENDS and text[start:end].isdigit() else None
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
        if gap == ", " and not (
            _LIST_GOES_ON.match(text, end) or meant.is_last(text, rule, start, end)
        ):
            return None  # RTX 4090, 2048 tokens
        hit = text[start:end]
        if rule == _IN_A_WORD:
            return self._runs_on_in_word(start, end)
        if len(gap) > 1 and COUNTED.match(text, end) and not is_card(text, start, end):
            return None  # RTX 4090 and 2048 tokens, Llama 3 and 8 GPUs
        same = len(hit) == len(number) and hit.find(".") == number.find(".")
        if not same and rule in _FORMED and self._form[0] == last:
            same = self._form[1].fullmatch(hit) is not None and bool(_LIST_GOES_ON.match(text, end))
            self._form = (end, self._form[1])
        if same:
            self._named = (end, rule, hit)
        return rule if same or (rule == "date" and meant.YEAR.fullmatch(hit)) else None
