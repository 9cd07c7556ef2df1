"""`claims audit`: what it counts, when it signs, what it says where there is little to say."""

import json
import os
import subprocess
import sys
from fractions import Fraction

import pytest

from receipts import canonical, receipt


@pytest.fixture
def enrolled(publisher):
    """Return a publisher with an honest delta and an auditor who was enrolled."""
    added = publisher.ledger(
        *("add", "--title", "tuned", "--label", "TRUE", "--verdict", "landed: faster"),
        *("--evidence", "receipt://exact"),
    )
    assert added.exit_code == 0
    public = publisher.home / "auditor.pub"
    public.write_text(publisher.keys["auditor"].public.openssh + "\n")
    done = publisher.ledger("key", "enrol", public, "--role", "auditor")
    assert done.exit_code == 0, done.output
    return publisher


def audit(publisher, *options):
    result = publisher.claims("audit", "--json", *options)
    return result.exit_code, json.loads(result.stdout)


def lie(publisher):
    """Append a delta with one repetition too many."""
    body = json.loads(publisher.ledger("show", "TRUE", "--json").stdout)["body"]
    body["delta"][0]["n"] += 1
    return publisher.append("engineer", kind="ENTRY", label="LIE", **body)


def test_the_report_says_what_was_counted(enrolled):
    enrolled.publish(enrolled.level, enrolled.change)
    result = enrolled.claims("audit")
    lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr) == (0, "")
    assert lines[0] == ("recounted from raw rows: receipts 39, entries 2, approvals 2, claims 2")
    assert lines[1].endswith(" agree, 0 differ, 0 withheld, 0 unreadable, 0 not recomputable")
    assert lines[2:4] == ["decisions: 1, of which 1 follow", "evidence holds; decision holds"]
    assert lines[4].startswith("chain intact at ")
    counts = json.loads(enrolled.claims("audit", "--json").stdout)["checked"]
    assert counts["figures"] == counts["agree"]


def test_a_signed_audit_is_an_entry_that_the_ledger_shows(enrolled):
    entry = lie(enrolled)
    head = json.loads(enrolled.ledger("verify", "--json").stdout)["head"]
    code, report = audit(enrolled, "--sign", "--key", enrolled.key_file("auditor"))
    assert code == 1
    shown = json.loads(enrolled.ledger("show", str(report["entry"]), "--json").stdout)
    assert (shown["kind"], shown["id"]) == ("AUDIT", report["id"])
    assert shown["body"] == {
        "head": head,
        "checked": report["checked"],
        "differences": [
            f"entry {entry.index} LIE: delta.0 decode_tok_s.n: it says 6, the rows give 5"
        ],
        "evidence_verdict": "fails",
        "decision_verdict": "holds",
    }
    text = enrolled.ledger("show", str(report["entry"])).stdout
    assert "  evidence_verdict: fails\n  decision_verdict: holds\n" in text
    assert f"  - entry {entry.index} LIE: delta.0 decode_tok_s.n: it says 6" in text
    assert enrolled.ledger("verify").exit_code == 0
    again = audit(enrolled)[1]
    assert again["checked"] == report["checked"]


def test_only_an_auditor_signs_and_nothing_is_appended_otherwise(enrolled):
    before = enrolled.ledger_file.read_bytes()
    for options in (("--sign",), ("--sign", "--key", enrolled.key_file("engineer"))):
        result = enrolled.claims("audit", *options)
        assert result.exit_code == 1
        assert "is not auditor; its roles: " in result.stderr
        assert result.stdout == ""
    stranger = enrolled.claims("audit", "--sign", "--key", enrolled.key_file("stranger"))
    assert (stranger.exit_code, "is not enrolled" in stranger.stderr) == (4, True)
    assert enrolled.claims("audit", "--key", enrolled.key_file("auditor")).exit_code == 2
    assert enrolled.ledger_file.read_bytes() == before


def test_very_many_differences_still_fit_into_an_entry(enrolled):
    delta = json.loads(enrolled.ledger("show", "TRUE", "--json").stdout)["body"]["delta"][0]
    many = [delta | {"n": 6 + number, "unit": "\\" * 300} for number in range(30)]
    cited = [{"receipt": enrolled.uri("exact")}]
    for number in range(3):
        enrolled.append("engineer", kind="ENTRY", label=f"L{number}", delta=many, evidence=cited)
    code, report = audit(enrolled, "--sign", "--key", enrolled.key_file("auditor"))
    body = json.loads(enrolled.ledger("show", str(report["entry"]), "--json").stdout)["body"]
    assert code == 1
    assert len(report["differences"]) == 180
    assert (len(body["differences"]), body["differences"][-1]) == (81, "and 100 more")
    assert len(canonical.encode(body)) < 48_963


def test_a_ledger_without_a_register_is_audited_all_the_same(enrolled):
    assert not (enrolled.root / "claims.yaml").exists()
    code, report = audit(enrolled)
    assert (code, report["checked"]["claims"]) == (0, 0)


def test_a_ledger_of_words_alone_has_nothing_to_recount(founded):
    done = subprocess.run(
        [sys.executable, "-m", "claims.cli", "audit"],
        cwd=founded.root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "undecided  entry 3 J1 (pass), entry 4 J2 (pass): it has no delta and no gate that passed"
    )
    assert "recounted from raw rows: receipts 0, entries 0, approvals 0, claims 0" in lines
    assert "evidence undecided; decision undecided" in lines


def test_a_claim_that_is_refused_is_counted_as_left_out(enrolled):
    enrolled.write(enrolled.change | {"evidence": [{"entry": "OTHER"}]})
    code, report = audit(enrolled)
    assert code == 0
    assert report["left_out"] == {"claims that are refused: nothing of them is rendered": 1}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"wording": "The tuned decoder is {ratio:.1f}×, n = {n}."}, "of another version"),
        (None, "of claims that the register does not have"),
    ],
)
def test_an_approval_of_what_the_register_no_longer_says_is_left_out(change, told, enrolled):
    enrolled.publish(enrolled.change)
    enrolled.write(*([enrolled.change | change] if change else [enrolled.level]))
    code, report = audit(enrolled)
    (reason,) = report["left_out"]
    assert (code, told in reason) == (0, True)


def test_a_withdrawn_approval_is_left_out(enrolled):
    enrolled.publish(enrolled.change)
    enrolled.claims("withdraw", "tuned", "--reason", "the page is gone")
    assert audit(enrolled)[1]["left_out"] == {"approvals withdrawn": 1}


@pytest.mark.parametrize("statistic", ["median", "mean", "min", "max", "p90"])
def test_every_hole_of_a_level_is_recounted(statistic, enrolled):
    claim = enrolled.level | {
        "wording": "{value:.2f} {unit}, {min:,.1f} to {max:.3f}, {cv:.2f} %, n = {n}, {scope.x}.",
        "statistic": statistic,
        "evidence": [{"entry": "STEADY"}],
        "scope": {"x": "a scope"},
    }
    enrolled.write(claim)
    code, report = audit(enrolled)
    assert (code, report["checked"]["claims"]) == (0, 1)


def test_every_hole_of_a_change_and_of_an_arm_is_recounted(enrolled):
    sides = " ".join(
        f"{{{side}.{name}:.3f}}"
        for side in ("baseline", "candidate")
        for name in ("min", "max", "cv")
    )
    wording = (
        f"{{ratio:.3f}}× {{percent:.1f}} {{baseline:.1f}} {{candidate:,.2f}} {sides} n = {{n}}."
    )
    arm = enrolled.level | {
        "id": "arm",
        "metric": "decode_tok_s",
        "evidence": [{"entry": "EXACT", "arm": "tuned"}],
    }
    enrolled.write(enrolled.change | {"wording": wording}, arm)
    code, report = audit(enrolled)
    assert (code, report["checked"]["claims"], report["unresolved"]) == (0, 2, [])


def test_a_hole_that_the_recount_does_not_know_is_said_to_be_open(enrolled, monkeypatch):
    from claims.judging import values
    from claims.registers import wording

    real = values.compute
    monkeypatch.setattr(wording, "CHANGE", wording.CHANGE | {"spread"})
    monkeypatch.setattr(values, "compute", lambda *known: real(*known) | {"spread": Fraction(5)})
    enrolled.write(enrolled.change | {"wording": "It runs at {ratio:.2f}×, n = {n} {spread:.0f}."})
    code, report = audit(enrolled)
    assert code == 3
    assert [one["why"] for one in report["unresolved"]] == [
        "this recount does not know the hole spread"
    ]


def test_what_the_engine_gets_wrong_the_recount_finds(enrolled, monkeypatch):
    from engine import statistics

    enrolled.write(enrolled.change)
    honest = statistics.median
    monkeypatch.setattr(statistics, "median", lambda samples: honest(samples) * 2)
    monkeypatch.setattr(statistics, "minimum", statistics.maximum)
    enrolled.write(
        enrolled.change | {"wording": "{ratio:.2f}×, {baseline:.1f}, {baseline.min:.1f}."}
    )
    code, report = audit(enrolled)
    fields = [(one["subject"], one["field"]) for one in report["differences"]]
    assert code == 1
    assert fields == [
        ("claim tuned", "{baseline:.1f}"),
        ("claim tuned", "{baseline.min:.1f}"),
    ]


def test_the_recount_runs_without_what_it_may_not_share():
    program = (
        "import sys, claims.recount.walk\n"
        "shared = ('engine.statistics', 'engine.inference', 'numpy', 'claims.judging.values', "
        "'claims.judging.judge')\n"
        "print([name for name in sys.modules if name.startswith(shared)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_a_receipt_that_no_entry_names_is_counted_as_left_out(enrolled):
    made = enrolled.receipt("cells")
    told = made.predicate.model_copy(update={"warnings": ["of nobody"]})
    other = receipt.make(enrolled.keys["runner"], {"raw": made.require("raw")}, told)
    enrolled.place.receipts.put(other.envelope.raw)
    code, report = audit(enrolled)
    assert (code, report["left_out"]) == (0, {"receipts in the store that no entry names": 1})


def test_progress_is_drawn_on_a_terminal_and_nowhere_else(enrolled):
    words = [sys.executable, "-m", "claims.cli", "audit"]
    leader, follower = os.openpty()
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=follower, text=True, check=True)
    os.close(follower)
    drawn = os.read(leader, 100_000).decode()
    os.close(leader)
    assert "recounting" in drawn
    assert done.stdout.startswith("recounted from raw rows: ")
    quiet = subprocess.run(words, capture_output=True, text=True, check=True)
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")
