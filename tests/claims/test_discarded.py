"""Repetitions that were measured and left out, in real windows: on record, with an exact p."""

import json
from fractions import Fraction
from itertools import combinations

import pytest
from click.testing import CliRunner

from claims.recount.reducers import spell

SLOW = (1_600_000, 1_610_000, 1_620_000, 1_630_000, 1_640_000, 1_650_000)
FAST = (900_000, 910_000, 920_000, 930_000, 940_000, 950_000)


@pytest.fixture
def stopping(bench):
    """Return the words of a program that writes rows, and fails after so many runs."""
    (bench.root / "stopping.py").write_text(
        (bench.root / "rows.py").read_text() + "sys.exit(7 if turn + 1 > int(sys.argv[4]) else 0)\n"
    )
    return [*bench.rows_command[:-2], str(bench.root / "stopping.py"), "{raw}", "1"]


@pytest.fixture
def walk(bench, stopping):
    """Return a function that walks an A/B of equal arms; `stop` ends it after so many runs."""

    def make(name, times, stop=None, cell="decode-v64-w32"):
        (bench.root / "turn").unlink(missing_ok=True)
        listed = ",".join(str(ns) for ns in times for _ in "ab")
        command = [*stopping, listed, str(stop or 99)]
        plan = {"version": 1, "name": "one-arm-twice", "cell": cell, "repetitions": len(times)}
        plan |= {"metrics": ["decode_tok_s"]}
        plan |= {
            role: {"arm": arm, "command": [*command, *extra]}
            for role, arm, extra in (("baseline", "one", []), ("candidate", "two", ["again"]))
        }
        (bench.root / "plan.yaml").write_text(json.dumps(plan))
        done = bench.invoke("ab", "plan.yaml", "--execute", "--name", name)
        assert done.exit_code == (1 if stop else 0), done.output
        return done

    return make


def ledger(*words):
    from ledger.cli import ledger as command

    return CliRunner().invoke(command, [str(word) for word in words], catch_exceptions=False)


def claims(*words):
    from claims.cli import claims as command

    return CliRunner().invoke(command, [str(word) for word in words], catch_exceptions=False)


def told():
    """Return the lines of `claims audit` about what was discarded, and its JSON."""
    lines = claims("audit").stdout.splitlines()
    found = [line for line in lines if line.startswith(("discarded: ", "  "))]
    return found, json.loads(claims("audit", "--json").stdout)["discarded"]


def rate(ns, turn):
    """Return the decode rate of the n-th run of the program: two tokens, the second 0.7 ms."""
    return Fraction(2 * 10**9, ns + 700_001 + turn)


def by_lot(discarded, counted):
    """Return the exact p by the difference of means, spelled out."""
    pool, k = [*discarded, *counted], len(discarded)
    mean = sum(pool) / len(pool)
    seen = abs(sum(discarded) - k * mean)
    every = [abs(sum(chosen) - k * mean) for chosen in combinations(pool, k)]
    return Fraction(sum(far >= seen for far in every), len(every))


def test_nothing_is_said_where_nothing_was_left_out(walk):
    walk("kept", FAST)
    assert told() == ([], [])


def test_a_void_window_stands_beside_the_one_that_counts(walk):
    walk("first", SLOW, stop=8)
    walk("second", FAST)
    lines, found = told()
    decode = {one["arm"]: one for one in found if one["metric"] == "decode_tok_s"}
    assert set(decode) == {"one", "two"}
    ours = decode["one"]
    assert (ours["cell"], len(ours["discarded"]), ours["counted"]) == ("decode-v64-w32", 5, 6)
    # AB BA AB BA AB: the ninth run failed after it had measured.
    left = [rate(SLOW[turn // 2], turn) for turn in (0, 3, 4, 7, 8)]
    kept = [rate(FAST[turn // 2], turn) for turn in (0, 3, 4, 7, 8, 11)]
    assert Fraction(ours["p"]) == by_lot(left, kept) == Fraction(1, 462)
    assert ours["statistic"] == "difference of means"
    assert ours["discarded"] == [spell(value) for value in left]
    assert ours["counted_range"] == [spell(min(kept)), spell(max(kept))]
    low, high = (f"{float(end):.6g}" for end in (min(left), max(left)))
    least, most = (f"{float(end):.6g}" for end in (min(kept), max(kept)))
    assert (
        f"discarded: decode-v64-w32 one decode_tok_s: 5 discarded ({low} to {high} tok/s); "
        f"6 counted ({least} to {most} tok/s); exact p = 0.00216 (difference of means)"
    ) in lines
    assert (
        "        the discarded repetitions lie below the counted ones (p = 0.00216): "
        "leaving them out moves the result"
    ) in lines


def test_the_ledgers_own_audit_counts_them_and_leads_here(walk, bench):
    walk("first", SLOW, stop=8)
    walk("second", FAST)
    lines = ledger("audit").stdout.splitlines()
    assert (
        "discarded: decode-v64-w32 one: 5 repetitions, 6 counted "
        "(`claims audit` gives ranges and an exact p)"
    ) in lines
    found = json.loads(ledger("audit", "--json").stdout)["discarded"]
    assert [(one["arm"], len(one["discarded"]), len(one["counted"])) for one in found] == [
        ("one", 5, 6),
        ("two", 4, 6),
    ]


def test_a_void_window_of_like_values_is_no_reproach(walk):
    walk("first", FAST, stop=8)
    walk("second", FAST)
    ours = next(one for one in told()[1] if one["metric"] == "decode_tok_s")
    assert Fraction(ours["p"]) > Fraction(5, 100)
    assert ours["warnings"] == []


def test_too_few_are_said_to_be_too_few(walk):
    walk("first", SLOW, stop=2)
    walk("second", FAST[:5])
    ours = next(one for one in told()[1] if one["metric"] == "decode_tok_s")
    assert (len(ours["discarded"]), ours["counted"]) == (1, 5)
    assert ours["warnings"] == [
        "1 discarded and 5 counted repetitions cannot give p under 0.167: "
        "nothing can be said of their choice"
    ]


def test_where_nothing_counts_the_discarded_are_still_shown(walk):
    walk("first", SLOW, stop=8)
    lines, found = told()
    assert all("counted" not in one for one in found)
    assert len(lines) == len(found) > 0
    assert all(line.endswith("; none counted") for line in lines)


def test_cells_are_kept_apart(walk):
    walk("first", SLOW, stop=8)
    walk("second", FAST, cell="another")
    assert {(one["cell"], "counted" in one) for one in told()[1]} == {("decode-v64-w32", False)}


@pytest.mark.parametrize("how", ["said", "retracted"])
def test_a_finished_window_that_was_taken_back_is_discarded(how, walk, bench):
    walk("first", SLOW)
    walk("second", FAST)
    assert told()[1] == []
    if how == "said":
        words = ("add", "--title", "the fan stood still", "--verdict", "void")
        assert ledger(*words, "--evidence", "receipt://first").exit_code == 0
    else:
        index = next(body["index"] for body in bench.bodies() if body.get("name") == "first")
        assert ledger("retract", index, "--reason", "the fan stood still").exit_code == 0
    ours = next(one for one in told()[1] if one["metric"] == "decode_tok_s")
    assert (len(ours["discarded"]), ours["counted"], Fraction(ours["p"])) == (
        6,
        6,
        Fraction(2, 924),
    )
    if how == "retracted":
        index = bench.bodies("RETRACTION")[-1]["index"]
        assert ledger("retract", index, "--reason", "it turned after all").exit_code == 0
        assert told()[1] == []


def test_a_run_that_failed_beside_one_that_did_not(bench, stopping):
    for stop, code in (("0", 1), ("9", 0)):
        done = bench.run(*stopping, "900000,1600000", stop)
        assert done.exit_code == code, done.output
    ours = next(one for one in told()[1] if one["metric"] == "decode_tok_s")
    assert (ours["cell"], ours["arm"], len(ours["discarded"]), ours["counted"]) == (
        "c",
        "run",
        1,
        1,
    )


def test_the_page_of_the_ledgers_audit_has_a_section_of_its_own(walk, bench):
    walk("first", SLOW, stop=8)
    ledger("audit", "--page", "audit.md")
    page = (bench.root / "audit.md").read_text()
    assert "\n## Discarded against counted\n\n- discarded: decode-v64-w32 one: 5 " in page


def test_rows_that_are_gone_are_counted_as_such(walk, bench):
    walk("first", SLOW, stop=8)
    walk("second", FAST)
    lost = next(body for body in bench.bodies() if body["phase"] == "finished")["receipt"]
    raw = bench.receipt(lost).require("raw")
    (bench.root / "evidence" / "objects" / raw.hex[:2] / raw.hex).unlink()
    ours = next(one for one in told()[1] if one["metric"] == "decode_tok_s")
    assert (len(ours["discarded"]), ours["gone"]) == (4, 1)


def test_of_arms_that_differ_nothing_is_shown(publisher):
    rows = json.loads(publisher.ledger("list", "--kind", "RUN", "--json").stdout)
    bodies = {
        row["index"]: json.loads(publisher.ledger("show", row["index"], "--json").stdout)["body"]
        for row in rows
    }
    for name, shown in (("other", 0), ("noisy", 2)):
        index = next(index for index, body in bodies.items() if body.get("name") == name)
        publisher.ledger("retract", index, "--reason", "taken back")
        assert len(told()[1]) == shown
    (plain, tuned) = told()[1]
    assert (plain["arm"], len(plain["discarded"]), plain["withheld"]) == ("plain", 5, 5)
    assert (tuned["arm"], len(tuned["discarded"]), tuned["withheld"]) == ("tuned", 5, 5)
