"""Twenty-four sets of claims without digits and their honest twins, and how many are told apart.

Each was written without sight of the grammar and tried once before it learned from them; what it
showed then stands in docs/reference/wordless-claims.md. Here nothing may be lost again.
"""

import csv
from collections import Counter, defaultdict

import pytest

from claims.pages.document import parse
from claims.words import wordless
from tests.claims.test_exclusions import unresolved
from tests.conftest import REPOSITORY

PAIRS = REPOSITORY / "tests" / "fixtures" / "wordless_pairs.tsv"
# How many claims of a set are still missed, where it is more than two.
MISSED = {"A": 4, "B": 11, "G": 17, "J": 43, "L": 3, "V": 11}


def sets():
    with PAIRS.open(encoding="utf-8", newline="") as stream:
        found = defaultdict(list)
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            found[row["set"]].append(row)
    return found


SETS = sets()


def is_refused(sentence):
    return bool(wordless.find(parse(f"{sentence}\n")))


@pytest.mark.parametrize("name", SETS)
def test_of_the_claims_of_a_set_as_many_are_caught_as_were_and_of_its_twins_at_most_two(name):
    missed = [row["claim"] for row in SETS[name] if not is_refused(row["claim"])]
    false = [row["twin"] for row in SETS[name] if is_refused(row["twin"])]
    assert len(missed) <= MISSED.get(name, 2), missed
    assert len(false) <= 2, false


def test_the_sets_are_whole_and_no_sentence_holds_a_number_outside_of_a_name():
    sizes = Counter(len(rows) for rows in SETS.values())
    assert sizes == {60: 20, 120: 2, 200: 2}
    assert len({row["claim"] for rows in SETS.values() for row in rows}) > 1800
    said = [row[one] for rows in SETS.values() for row in rows for one in ("claim", "twin")]
    assert [text for text in said if unresolved(f"{text}\n")] == []
