"""Ratios about ourselves, each measured within one run: `make bench`. Nothing here gates on time.

Every test prints its ratio beside the goal. CPU time is that of this process and its children.
"""

import hashlib
import os
import resource
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ledger import audit, log, store
from ledger.entry import decode
from ledger.heads import Heads
from ledger.verified import Verified
from receipts import clock, keys

pytestmark = pytest.mark.bench

ENTRIES = 100_000
APPENDS = 1_000
BODY = {
    "kind": "ENTRY",
    "title": "an experiment of the usual length",
    "hypothesis": "x" * 200,
    "change": "y" * 100,
    "verdict": {"outcome": "pass", "sentence": "z" * 60},
}


def cpu():
    """Return user and system seconds of this process and its finished children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def report(what, ratio, goal):
    print(f"\n{what}: {ratio:.2f} (goal {goal})")


def found(folder):
    """Return an opened ledger with an enrolled engineer, and the engineer's key."""
    person = keys.generate(folder / "person", "bench")
    signer = keys.generate(folder / "log", "bench")
    fields = {"title": "genesis", "origin": "bench.example/log"}
    path = folder / "evidence" / "ledger.db"
    log.create(path, fields, person, signer, clock.system_clock)
    ledger = log.Ledger.open(path, Heads(folder / "heads"), clock.system_clock, write=True)
    ledger.log_signer = signer
    enrol = {"kind": "KEY", "action": "enrol", "key": person.public.openssh, "title": "enrol"}
    ledger.append({**enrol, "roles": ["engineer", "operator"]}, person)
    return ledger, person, path


@pytest.mark.parametrize("command", ["claims", "ledger", "engine", "receipts"])
def test_help_costs_little_more_than_importing_click(command):
    def seconds(words):
        before = cpu()
        for _ in range(20):
            subprocess.run(words, check=True, capture_output=True)
        return cpu() - before

    script = str(Path(sys.executable).parent / command)
    bare = seconds([sys.executable, "-c", "import click"])
    report(f"{command} --help against import click", seconds([script, "--help"]) / bare, "≤ 2.5")


def spent(action, times):
    """Return the seconds that so many repetitions take together."""
    start = time.perf_counter()
    for _ in range(times):
        action()
    return time.perf_counter() - start


def test_a_durable_append_keeps_up_with_a_bare_insert_and_commit(tmp_path):
    ledger, person, _ = found(tmp_path)
    raw = ledger.append(BODY, person).raw
    bare = sqlite3.connect(tmp_path / "bare.db", isolation_level=None)
    bare.execute("PRAGMA synchronous=EXTRA")
    bare.execute("CREATE TABLE entry (idx INTEGER PRIMARY KEY, envelope BLOB)")

    def insert_and_commit():
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO entry (envelope) VALUES (?)", (raw,))
        bare.execute("COMMIT")

    # In turns, because the cost of a sync wanders.
    took = {"ours": 0.0, "theirs": 0.0}
    for _ in range(20):
        took["ours"] += spent(lambda: ledger.append(BODY, person), APPENDS // 20)
        took["theirs"] += spent(insert_and_commit, APPENDS // 20)
    ours, theirs = (APPENDS / seconds for seconds in took.values())
    report(f"append {ours:.0f}/s against bare commit {theirs:.0f}/s", ours / theirs, "≥ 0.6")


@pytest.fixture(scope="module")
def long_ledger(tmp_path_factory):
    ledger, person, path = found(tmp_path_factory.mktemp("long"))
    start = time.perf_counter()
    ledger.append_all((BODY for _ in range(ENTRIES - ledger.size)), person)
    print(f"\nbulk append: {ENTRIES / (time.perf_counter() - start):.0f} entries/s")
    ledger.close()
    return path, person.public


def test_verifying_costs_little_more_than_its_signatures(long_ledger):
    path, public = long_ledger
    opened = store.open_for_reading(path)
    signed = []
    for row in opened.rows():
        envelope = decode(row.envelope).envelope
        signed.append(keys.Signed(row.idx, public.raw, envelope.signature, envelope.signed_bytes))
    before = cpu()
    assert keys.failing(signed) == []
    alone = cpu() - before
    del signed
    before, start = cpu(), time.perf_counter()
    checked = audit.audit(path)
    whole, wall = cpu() - before, time.perf_counter() - start
    assert (checked.entries, checked.findings) == (ENTRIES, [])
    report(f"verify {ENTRIES} entries, CPU against signatures alone", whole / alone, "≤ 1.6")
    report(f"cores used of {os.cpu_count()}", whole / wall, "all")


def test_the_walk_without_signatures_keeps_up_with_reading_and_hashing(long_ledger, monkeypatch):
    path, _ = long_ledger
    database = sqlite3.connect(path)
    select = "SELECT idx, id, leaf_hash, envelope FROM entry ORDER BY idx"
    start = time.perf_counter()
    for *_, envelope in database.execute(select):
        hashlib.sha256(envelope).hexdigest()
    floor = time.perf_counter() - start
    monkeypatch.setattr(audit.Signatures, "check", lambda *_: None)
    start = time.perf_counter()
    assert audit.audit(path).findings == []
    report("strict walk against SELECT + SHA-256", floor / (time.perf_counter() - start), "≥ 0.12")


LARGE = int(os.environ.get("EVIDENCE_BENCH_ENTRIES", "1000000"))


@pytest.fixture(scope="module")
def small_and_large(tmp_path_factory):
    found_ledgers = []
    for size in (10_000, LARGE):
        ledger, person, path = found(tmp_path_factory.mktemp(str(size)))
        while ledger.size < size:
            ledger.append_all([BODY] * min(20_000, size - ledger.size), person)
        found_ledgers.append((ledger, person, path))
    return found_ledgers


def seconds(action, times):
    """Return the median seconds of an action."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        took.append(time.perf_counter() - start)
    return sorted(took)[times // 2]


def test_cost_does_not_grow_with_the_ledger(small_and_large):
    actions = {
        "append": lambda ledger, person, path: ledger.append(BODY, person),
        "show": lambda ledger, person, path: ledger.resolve(ledger.entry(ledger.size // 2).id[:16]),
        "prove": lambda ledger, person, path: ledger.prove(ledger.size // 2),
    }
    for name, action in actions.items():
        small, large = (seconds(lambda a=action, w=where: a(*w), 201) for where in small_and_large)
        report(f"{name} on {LARGE} entries against 10,000", large / small, "≤ 1.3")
    costs = []
    for ledger, person, path in small_and_large:
        last = audit.audit(path)
        head, keys = last.tree_head, tuple(last.key_entries)
        known = Verified(head.size, head.root, keys, last.notes)
        ledger.append_all([BODY] * 100, person)
        request = audit.Request(verified=known, since_last=True)
        costs.append(seconds(lambda p=path, r=request: audit.audit(p, r), 21))
    report(f"verify --since-last on {LARGE} entries", costs[1] / costs[0], "≤ 1.3")
