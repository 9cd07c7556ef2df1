"""What `claims check` costs, as a process of its own, against one pass of a plain number pattern.

Nothing here gates: each test prints its ratios beside the goals.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest

from claims import desk
from claims.publishing import approval
from tests.bench.checked_pages import VARIANTS, WORDING
from tests.bench.pages import NUMBER
from tests.conftest import LEVEL, REPOSITORY, llama_bench

pytestmark = pytest.mark.bench

COUNT, CLAIMS, FEW = int(os.environ.get("BENCH_PAGES", "1000")), 3000, 300
CLAIM = {**LEVEL, "wording": WORDING, "evidence": [{"entry": "PREFILL"}], "repetitions": 5}
TIMES = tuple(12_500_000_000 + step * 10_000_000 for step in range(6))
# One command, measured by the system: CPU seconds of user and system, and the peak in kB.
_MEASURE = """\
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[2:], stdout=open(sys.argv[1], "wb"), stderr=subprocess.PIPE)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
told = [done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss, done.stderr.decode()]
print(json.dumps(told))
"""


@dataclass
class Cost:
    """What one process cost: CPU seconds and MB; and what it said last."""

    code: int
    seconds: float
    memory: float
    said: str


def measured(root, *line):
    """Return what a Python command costs in the folder `root`."""
    words = [sys.executable, "-c", _MEASURE, str(root / "said"), sys.executable, *line]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    # As installed: every module has its bytecode, ours as well as click.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(root.parent / "bytecode")
    out = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True)
    code, seconds, memory, errors = json.loads(out.stdout)
    assert code in (0, 1), errors
    with (root / "said").open("rb") as stream:
        stream.seek(max(0, (root / "said").stat().st_size - 4096))
        said = stream.read().decode("utf-8", "ignore")
    return Cost(code, seconds, memory / 1024, said)


def check(publisher, *options):
    """Return what one `claims check` costs."""
    return measured(publisher.root, "-m", "claims.cli", "check", *options)


def register(publisher, count):
    """Write a register of so many claims, all of which say the same of one cell."""
    publisher.write(*({**CLAIM, "id": f"c{number}"} for number in range(count)))


def approved(publisher, count):
    """Measure once, write a register of so many claims, and approve each."""
    (publisher.root / "prefill").write_bytes(llama_bench((512, TIMES)))
    publisher.engine("attach", "prefill", "--cell", "pp2048", "--name", "prefill")
    publisher.experiment("PREFILL", "receipt://prefill")
    register(publisher, count)
    with desk.open_desk(lambda _: None, write=True) as opened:
        for claim in opened.register.claims.values():
            judgement = opened.judge.judge(claim, approval=False)
            assert judgement.holds, judgement.refusals
            approval.approve(opened, judgement, (), None)


def written(publisher, variant, count=COUNT, claims=CLAIMS):
    """Write the pages of a variant; return the CPU seconds of the pattern, once over all."""
    folder = publisher.root / "pages"
    folder.mkdir(exist_ok=True)
    seconds = 0.0
    for number, text in enumerate(VARIANTS[variant](count, claims)):
        start = time.process_time()
        for _ in NUMBER.finditer(text):
            pass
        seconds += time.process_time() - start
        (folder / f"p{number:04d}.md").write_text(text, encoding="utf-8")
    return seconds


def report(what, cost, pattern, goal):
    last = cost.said.strip().splitlines()[-4][:110] if cost.said.strip() else ""
    print(
        f"\n{what}: {cost.seconds / pattern:.2f}× of {pattern:.2f} s (goal {goal});"
        f" {cost.seconds:.2f} s CPU, {cost.memory:.0f} MB, exit {cost.code}: {last}"
    )


def test_a_thousand_pages_of_every_variant(publisher):
    approved(publisher, CLAIMS)
    for variant in VARIANTS:
        pattern = written(publisher, variant)
        time.sleep(0.1)
        first = check(publisher, "pages")
        report(f"{variant}, first", first, pattern, "6, under 150 MB")
        report(f"{variant}, again", check(publisher, "pages"), pattern, "0.6")


def test_ten_times_the_claims(publisher):
    approved(publisher, CLAIMS)
    written(publisher, "bound", claims=FEW)
    many = check(publisher, "--fresh", "pages")
    register(publisher, FEW)
    few = check(publisher, "--fresh", "pages")
    print(f"\n{FEW} → {CLAIMS} claims: × {many.seconds / few.seconds:.2f} (goal 1.3)")


def test_fifty_times_the_ledger(publisher):
    approved(publisher, FEW)
    written(publisher, "bound", claims=FEW)
    short = check(publisher, "--fresh", "pages")
    with publisher.open() as ledger:
        for _ in range(5000):
            fields = {"kind": "ENTRY", "title": "one more", "hypothesis": "more"}
            ledger.append(fields, publisher.keys["operator"])
    measured(publisher.root, "-m", "ledger.cli", "verify")  # remembers what it has verified
    long = check(publisher, "--fresh", "pages")
    verifying = measured(publisher.root, "-m", "ledger.cli", "verify")
    print(
        f"\n5,000 more entries: × {long.seconds / short.seconds:.2f}"
        f" ({short.seconds:.2f} s → {long.seconds:.2f} s; `ledger verify` alone,"
        f" warm, {verifying.seconds:.2f} s)"
    )


def test_one_page_in_a_warm_repository(publisher):
    approved(publisher, FEW)
    written(publisher, "bound", 1, FEW)
    time.sleep(0.1)
    page = "pages/p0000.md"
    click = min(measured(publisher.root, "-c", "import click").seconds for _ in range(7))

    def edited():
        with (publisher.root / page).open("a") as stream:
            stream.write("\n")

    for what, options, before in (
        ("answered again", (), lambda: None),
        ("checked, since it was edited", (), edited),
        ("checked, and all that it rests on", ("--fresh",), lambda: None),
    ):
        for _ in range(2):  # the first of all writes bytecode, and then keeps nothing
            check(publisher, page)
        costs = []
        for _ in range(7):
            before()
            costs.append(check(publisher, *options, page).seconds)
        told = f"{min(costs) / click:.2f}× `import click` of {click:.3f} s (goal 4)"
        print(f"\none page, {what}: {told}")
