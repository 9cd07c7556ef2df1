"""One number from a run to a sentence, on this machine: `make demo`.

Everything below is done by the four commands, in a fresh folder with a home of its own; what is
printed is what they printed. Every exit code is compared with the one that is expected, and the
first that differs ends the demonstration with exit 1.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
SOURCE = Path(__file__).resolve().parent
ROOT = SOURCE.parent / ".demo"
CELL = "decode-v4096-w2048"


class Stage:
    """A working folder, a home, and the commands run there."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.home = home
        self.surprises = 0

    def run(self, line: str, *expect: int) -> str:
        """Run a command line as a person would type it, show it, and return its output.

        Any exit code but those that are expected (0 if none is named) ends the demonstration.
        """
        print(f"\n$ {line}", flush=True)
        done = self._run(line, subprocess.PIPE)
        sys.stdout.write(done.stdout)
        if done.returncode:
            print(f"(exit {done.returncode})")
        if done.returncode not in (expect or (0,)):
            wanted = " or ".join(map(str, expect or (0,)))
            sys.exit(f"demo: expected exit {wanted}, saw {done.returncode}; look in {self.folder}")
        return done.stdout

    def read(self, line: str) -> dict[str, object]:
        """Run a command with `--json`, quietly, and return what it printed."""
        done = self._run(f"{line} --json", subprocess.DEVNULL)
        return json.loads(done.stdout)

    def _run(self, line: str, stderr: int) -> subprocess.CompletedProcess[str]:
        words = shlex.split(line)
        program = BIN / words[0]
        words[0] = str(program) if program.exists() else words[0]
        return subprocess.run(
            words,
            cwd=self.folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if stderr == subprocess.PIPE else stderr,
            text=True,
            check=False,
        )

    def _environment(self) -> dict[str, str]:
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "EVIDENCE_KEY"))}
        return kept | {"HOME": str(self.home), "XDG_CACHE_HOME": cache}


def say(text: str) -> None:
    """Print a heading."""
    print(f"\n--- {text}", flush=True)


def prepare() -> Path:
    """Return a new folder for this demonstration."""
    number = 1
    while (ROOT / str(number)).exists():
        number += 1
    folder = ROOT / str(number)
    (folder / "engineer").mkdir(parents=True)
    return folder


def write(stage: Stage, name: str, **facts: str) -> None:
    """Copy a file of this demonstration into the working folder, its @NAMES@ filled in."""
    text = (SOURCE / name).read_text(encoding="utf-8")
    for key, value in facts.items():
        text = text.replace(f"@{key}@", value)
    (stage.folder / name).write_text(text, encoding="utf-8")


def record(stage: Stage) -> None:
    """From nothing to a signed entry over a window measured here."""
    say("A ledger of our own: a key, the genesis entry, and where everything is.")
    stage.run("ledger init --origin demo.example/decoder")

    say("What the plain decoder gives goes on record: a window will hold its baseline against it.")
    stage.run(
        f"engine run --cell {CELL} --name plain-value --execute -- {{python}} -m "
        "engine.kernels.decode --variant plain --tokens 256 --repetitions 5 --raw {raw}"
    )
    # Wide, because a shared machine is a noisy one.
    stage.run(
        "engine anchor record plain-decoder --evidence receipt://plain-value "
        "--metric decode_tok_s --tolerance 0.4"
    )

    say("The plan is fixed first, and the hypothesis goes on record before anything runs.")
    write(stage, "plan.yaml")
    plan = str(stage.read("engine ab plan.yaml")["plan"])
    stage.run(
        'ledger add --label H1 --title "Blocking the weight rows" '
        '--hypothesis "The scalar loop is bound by arithmetic, not by memory: eight rows at a '
        'time in vector registers should at least double the decode rate." '
        f'--expected "decode_tok_s ratio of at least 2" --plan {plan}'
    )

    say("A first look, five repetitions of one arm.")
    stage.run(
        "engine run --cell first-look --name first-look --execute -- "
        "{python} -m engine.kernels.decode --variant tuned --repetitions 5 --raw {raw}"
    )
    stage.run(
        'ledger add --label E1 --title "First look at the tuned decoder" '
        '--verdict "observation: fast, compared with nothing" --evidence receipt://first-look'
    )

    say("The window: twelve fresh processes, AB BA …, tokens compared before any time is.")
    stage.run("engine ab plan.yaml --execute")

    say("The entry closes the hypothesis; gate, delta and scope are filled in from the receipt.")
    stage.run(
        'ledger add --label J1 --title "Blocked rows against the scalar loop" --answers H1 '
        '--change "eight weight rows per pass, vector registers" '
        '--verdict "landed: the hypothesis holds on this machine" '
        "--evidence receipt://blocked-rows-1"
    )
    stage.run("ledger show J1")


def claim(stage: Stage) -> None:
    """A sentence that holds, and four that do not."""
    say("A claim rests on the entry. Its numbers come from the raw rows, never from a keyboard.")
    write(stage, "claims.yaml", CPU=str(stage.read("engine env").get("cpu", "unknown")))
    stage.run("claims approve tuned-decode")
    stage.run("claims render tuned-decode")
    stage.run("claims why tuned-decode")

    say("Refused: wider than its scope.")
    stage.run("claims approve everywhere", 1)

    say("Refused: nobody has approved it.")
    stage.run("claims render unapproved", 1)

    say("Refused: the entry it rests on was superseded after it had been approved.")
    stage.run("claims approve first-look")
    stage.run("claims render first-look")
    stage.run('ledger supersede E1 --replacement J1 --reason "compared with nothing; J1 compares"')
    stage.run("claims render first-look", 1)

    say("A page made from the register passes; the same page with one digit mistyped does not.")
    stage.run("claims render tuned-decode --format markdown --output page.md")
    stage.run("claims check page.md")
    _mistype(stage)
    stage.run("claims check mistyped.md", 1)


def _mistype(stage: Stage) -> None:
    """Change the last digit before the multiplication sign, and leave a number unbound."""
    page = (stage.folder / "page.md").read_text(encoding="utf-8")
    at = page.index("×") - 1
    wrong = str((int(page[at]) + 1) % 10)
    text = page[:at] + wrong + page[at + 1 :] + "\nPrefill is fast too, 9000 tok/s.\n"
    (stage.folder / "mistyped.md").write_text(text, encoding="utf-8")


def verify(stage: Stage, folder: Path) -> None:
    """As an auditor on another machine: a copy of the evidence, and a home that knows nothing."""
    say("The engineer hands out a checkpoint, and remembers the head.")
    stage.run("ledger checkpoint --output checkpoint.txt")
    stage.run("ledger verify")

    auditor = Stage(folder / "auditor", folder / "auditor-home")
    auditor.home.mkdir()
    shutil.copytree(stage.folder, auditor.folder)
    say("An auditor elsewhere: intact, but nothing says that the end was not cut off. Exit 3.")
    auditor.run("ledger verify", 3)
    say("With the head that was remembered elsewhere, it is anchored. Exit 0.")
    auditor.run("ledger verify --anchor checkpoint.txt")
    say("One changed bit in the stored bytes of an entry is found and named. Exit 1.")
    _flip(auditor.folder / "evidence" / "ledger.db", b'"signatures":[')
    auditor.run("ledger verify --anchor checkpoint.txt", 1)


def _flip(path: Path, after: bytes) -> None:
    data = bytearray(path.read_bytes())
    data[data.rindex(after) + len(after) + 40] ^= 1
    path.write_bytes(data)


def main() -> None:
    """Run the demonstration."""
    folder = prepare()
    home = folder / "engineer-home"
    home.mkdir()
    stage = Stage(folder / "engineer", home)
    record(stage)
    claim(stage)
    verify(stage, folder)
    say(
        f"Everything is in {folder} (look around: cd {stage.folder}; HOME={home} {BIN}/ledger list)"
    )


if __name__ == "__main__":
    main()
