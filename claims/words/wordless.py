"""Claims without digits: a claiming word, what it is about, and the sentence it stands in.

`find` goes through the rendered sentences of a page, headings, cells and image descriptions
included, and returns every word by which one of them says how something of this field compares::

    "Decode matches llama.cpp, and never slows down prefill."
            ~~~~~~~                ~~~~~~~~~~~~~~~~
     equal, about llama.cpp        unchanged, about prefill

A word alone is no claim: "faster" is one with a subject (a known engine, model, chip, metric, kind
of work, or a thing of ours), and in a sentence that states something (`claims.words.mood`).
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from claims.pages.document import Document
from claims.words import grammar, lexicon, reading, tagging
from claims.words.reading import Readable
from claims.words.sentence import Said, Sentence, Told
from claims.words.term import Kind

_SHORT = 4
_ENOUGH = 8
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Wordless:
    """A claiming word: its kind, its text, what it is about, and where; `start` in the page.

    `sentence_start` and `sentence_end` bound its sentence in the page, as offsets.
    """

    kind: Kind
    word: str
    about: str
    line: int
    column: int
    start: int
    sentence: str
    sentence_start: int
    sentence_end: int
    block: int


def find(
    document: Document, own: Sequence[str] = (), refused: Sequence[int] = ()
) -> tuple[Wordless, ...]:
    """Return the claiming words of a page in order; `own` are the project's names of subjects.

    Sentences that hold one of the offsets `refused`, in order, are left out: a number in them is
    refused already.
    """
    names = tuple(sorted(set(own)))
    found = [
        one
        for passage in reading.read(document, _likely)
        for first, last in reading.sentences(passage)
        for start, end in _portions(passage.text, first, last)
        if _likely(passage.spoken[start:end])
        for one in _in_sentence(passage, start, end, names, refused)
    ]
    return tuple(sorted(found, key=lambda one: one.sentence_start))


def _in_sentence(
    passage: Readable, start: int, end: int, own: tuple[str, ...], refused: Sequence[int]
) -> Iterator[Wordless]:
    if refused and _holds(refused, passage, start, end):
        return
    spoken = passage.spoken[start:end]
    is_alone = len(passage.text.split(maxsplit=_SHORT)) <= _SHORT
    is_label = passage.role in ("heading", "cell")
    said = _said(Told(passage.text[start:end], spoken, own, is_alone, is_label))
    if not said:
        return
    sentence = " ".join(passage.text[start:end].split())
    first, last = passage.source(start), passage.source_end(end)
    for kind, word, about, inside in said:
        place, at = passage.place(start + inside), passage.source(start + inside)
        yield Wordless(kind, word, about, *place, at, sentence, first, last, passage.block)


def _holds(offsets: Sequence[int], passage: Readable, start: int, end: int) -> bool:
    index = bisect_left(offsets, passage.source(start))
    return index < len(offsets) and offsets[index] < passage.source_end(end)


def _portions(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the sentence, in portions where it is longer than anybody reads."""
    portions: list[tuple[int, int]] = []
    while end - start > _LONGEST:
        space = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
        stop = space + 1 if space >= 0 else start + _LONGEST
        portions.append((start, stop))
        start = stop
    return [*portions, (start, end)]


def _likely(text: str) -> bool:
    """Say whether a text holds anything that may claim."""
    lowered = text.lower()
    if lowered == text.upper() and text.isascii():
        return False  # nobody claims without a word
    chunks = lowered.split()
    letters = tagging.seen(chunks)
    if grammar.likely(letters) or lexicon.likely(chunks):
        return True
    more = tagging.phrases(chunks)
    return bool(more and grammar.likely(letters | more))


# Pages repeat their sentences, and projects their pages.
@lru_cache(maxsize=4096)
def _said(told: Told) -> tuple[Said, ...]:
    return tuple(_read(Sentence(told)))


def _read(sentence: Sentence) -> Iterator[Said]:
    """Yield the claiming words of a sentence."""
    taken: list[tuple[int, int]] = []
    for claim in sentence.claims():
        if taken:
            start, end = sentence.place(claim)
            if any(a < end and start < b for a, b in taken):
                continue
        about = sentence.about(claim)
        if about is None or sentence.excuses(claim):
            continue
        if sentence.is_idle or len(taken) > _ENOUGH:
            return
        taken.append(sentence.place(claim))
        yield sentence.said(claim, about)
