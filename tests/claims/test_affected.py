"""Which sentences a correction strikes, and the notices that are put onto them."""

import json

import pytest

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
CHANGE = "The tuned decoder runs at 1.25× the plain one (n = 5)."


def test_x(publisher, capsys):
    p = publisher
    p.publish(p.level, p.change)
    (p.root / "a.md").write_text(f"# A\n\nBefore. {CHANGE}<!--claim:tuned--> After.\n")
    (p.root / "b.md").write_text(f"| a | b |\n|---|---|\n| x | 1.25×<!--claim:tuned--> |\n")
    (p.root / "c.md").write_text(f"- one\n- We reach 1.2×<!--claim:tuned--> here.\n\n{LEVEL}<!--claim:prefill-->\n")
    with capsys.disabled():
        print()
        def do(*w):
            r = p.claims(*w); print("$ claims", *w); print(r.output, f"(exit {r.exit_code})"); return r
        do("publish", "a.md", "b.md", "c.md")
        do("lock", "show")
        do("lock", "set", "publish=on", "--reason", "first release")
        do("lock", "show")
        do("publish", "a.md", "b.md", "c.md", "--dry-run")
        do("publish", "a.md", "b.md", "c.md")
        do("release", "check")
        do("affected", "EXACT")
        p.experiment("BETTER", "receipt://exact")
        print(p.ledger("supersede", "EXACT", "--reason", "a stale build", "--replacement", "BETTER").output)
        do("check", "a.md", "b.md", "c.md")
        do("affected", "EXACT", "--write")
        for n in "abc": print((p.root / f"{n}.md").read_text())
        do("check", "a.md", "b.md", "c.md")
        do("affected", "EXACT", "--write")
        do("release", "check")
        p.ledger("retract", "BETTER", "--reason", "hot | machine")
        do("check", "a.md", "b.md", "c.md")
        do("affected", "EXACT", "--write")
        for n in "abc": print((p.root / f"{n}.md").read_text())
        do("check", "a.md", "b.md", "c.md")
        do("affected", "tuned")
