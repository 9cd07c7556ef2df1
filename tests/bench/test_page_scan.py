"""What parsing and scanning pages costs, against one pass of a plain pattern over the same text."""

import resource
import time

import pytest

from claims.pages.document import parse
from claims.scanner import atoms
from claims.scanner.vocabulary import DEFAULT
from tests.bench.pages import NUMBER, NUMBERS, pages

COUNT = 1000

pytestmark = pytest.mark.bench


def test_parse_and_scan_against_one_pass_of_a_plain_pattern():
    pattern = parsing = scanning = 0.0
    found = read = 0
    for text in pages(COUNT):
        start = time.process_time()
        read += sum(1 for _ in NUMBER.finditer(text))
        pattern += (parsed := time.process_time()) - start
        page = parse(text)
        parsing += (scanned := time.process_time()) - parsed
        found += sum(1 for _ in atoms.hits(page, DEFAULT))
        scanning += time.process_time() - scanned
    total = parsing + scanning
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"\n{COUNT} pages, {read} numbers: pattern {pattern:.2f} s; parse {parsing / pattern:.2f}×,"
        f" scan {scanning / pattern:.2f}×, together {total / pattern:.2f}×"
        f" ({1e6 * total / read:.1f} µs a number); peak {memory:.0f} MB"
    )
    assert read >= COUNT * NUMBERS * 0.9
    assert found > read / 2
