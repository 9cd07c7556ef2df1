"""Two hundred random `kill -9` while four processes append: nothing that was acknowledged is lost.

A nursery forks the writers, so that a life costs milliseconds. A writer says the index and id of an
entry once `append` has returned, in one write to a file that is only added to: that is the
acknowledgement. Set EVIDENCE_SEED to play one sequence of victims and moments again.
"""

import os
import secrets
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
KILLS = 200
NURSERY = """
import os, random, signal, sys, time
from ledger import session
from ledger.heads import Heads

acknowledged, kills, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
chance = random.Random(seed)

def live(name):
    told = os.open(acknowledged, os.O_WRONLY | os.O_APPEND)
    try:
        with session.open_ledger(write=True) as here:
            key = here.key()
            number = 0
            while True:
                number += 1
                fields = {"kind": "ENTRY", "title": f"{name} {number}", "change": "x" * 3000}
                entry = here.ledger.append(fields, key)
                os.write(told, f"{entry.index} {entry.id}\\n".encode())
    except BaseException as error:
        os.write(told, f"ERROR {error!r}\\n".encode())
        os._exit(1)

def start(life):
    child = os.fork()
    if child == 0:
        live(f"writer {life}")
    return child

alive = [start(life) for life in range(4)]
for life in range(4, 4 + kills):
    time.sleep(chance.uniform(0.001, 0.05))
    victim = alive.pop(chance.randrange(4))
    os.kill(victim, signal.SIGKILL)
    _, status = os.waitpid(victim, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status
    alive.append(start(life))
for victim in alive:
    os.kill(victim, signal.SIGKILL)
    os.waitpid(victim, 0)
"""

APPENDING = """
import sys
from ledger import session
with session.open_ledger(write=True) as here:
    key = here.key()
    for number in range(150):
        here.ledger.append({"kind": "ENTRY", "title": f"number {number}"}, key)
"""


def test_two_hundred_kills_lose_nothing_that_was_acknowledged(founded, tmp_path):
    seed = int(os.environ.get("EVIDENCE_SEED") or secrets.randbits(32))
    print(f"EVIDENCE_SEED={seed}")
    acknowledged = tmp_path / "acknowledged"
    acknowledged.touch()
    command = [sys.executable, "-c", NURSERY, str(acknowledged), str(KILLS), str(seed)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        command, cwd=founded.root, env=environment, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = acknowledged.read_text().splitlines()
    assert [line for line in lines if line.startswith("ERROR")] == []
    said = {int(index): entry_id for index, entry_id in (line.split() for line in lines)}
    assert len(said) == len(lines) > KILLS / 4, "an index was given twice, or nothing was appended"
    result = founded.invoke("verify", "--all")
    assert (result.exit_code, "anchored to the remembered head" in result.stdout) == (0, True)
    # The last to die may have left a hot journal, which the next writer rolls back.
    assert founded.invoke("add", "--title", "afterwards").exit_code == 0
    assert not founded.path.with_name("ledger.db-journal").exists()
    assert founded.invoke("verify").exit_code == 0
    rows = founded.rows()["entry"]
    assert {index: rows[index][1] for index in said} == said
    # Each kill may leave one entry that was committed and never acknowledged.
    assert len(rows) - 15 - 1 - len(said) <= KILLS + 4


def test_who_reads_while_others_append_sees_one_moment_and_never_cries_wolf(founded, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    writers = [
        subprocess.Popen([sys.executable, "-c", APPENDING], cwd=founded.root, env=environment)
        for _ in range(2)
    ]
    looks = 0
    while any(writer.poll() is None for writer in writers):
        result = founded.invoke("verify")
        assert result.exit_code == 0, result.stdout
        result = founded.invoke("export", tmp_path / f"export-{looks}")
        assert result.exit_code == 0, result.stderr
        looks += 1
    assert [writer.returncode for writer in writers] == [0, 0]
    assert looks > 2
    founded.path.unlink()
    result = founded.invoke("import", tmp_path / f"export-{looks // 2}")
    assert result.exit_code == 0, result.stderr
