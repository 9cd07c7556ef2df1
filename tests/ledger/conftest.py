"""What the tests of the ledger share: entries made without a ledger file, and a made history."""

import json
import os
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.entry import Entry, encode, validate
from receipts import envelope, receipt, workspace
from receipts.digest import Digest
from receipts.predicates import RunPredicate, WindowPredicate
from receipts.receipt import SCHEME


@pytest.fixture
def make_entry(signing_key):
    """Return a maker of entries, numbered in the order in which they are made."""
    made = []

    def make(kind="ENTRY", *, key=signing_key, **fields):
        place = {"v": 1, "index": len(made), "prev": made[-1].id if made else "0" * 64}
        place |= {"at": f"2026-11-29T10:00:00.{len(made) % 1000:03}Z", "title": "t"}
        body = validate({**place, "kind": kind, **fields})
        made.append(Entry(envelope.parse(encode(body, key)), body))
        return made[-1]

    return make


def digest_of(text):
    """Return a digest that stands for something called `text`."""
    return "sha256:" + sha256(text.encode()).hexdigest()


@dataclass
class Story:
    """A founded ledger in which runs are admitted, finished, cited and judged, without an engine.

    Every run has a receipt and a raw file in the stores; times and figures are made up.
    """

    founded: object
    numbers: dict = field(default_factory=dict)

    @property
    def place(self):
        return workspace.read(self.founded.root)

    def append(self, **fields):
        return self.founded.append(**fields)

    def admit(self, cell="c", **marks):
        """Append the admission of a run or a window."""
        return self.append(kind="RUN", phase="admitted", cell=cell, title="admitted", **marks)

    def run(self, cell="c", *, phase="finished", admission=None, binary="one", commit="", **marks):
        """Append one run with its receipt; return the receipt's URI."""
        if phase != "attached" and admission is None:
            admission = self.admit(cell, **marks)
        identity = {"binary": digest_of(binary)} | ({"commit": commit} if commit else {})
        number = self.numbers["runs"] = self.numbers.get("runs", 0) + 1
        raw = self.place.objects.put(f"raw file {number}".encode())
        predicate = RunPredicate(
            origin="attached" if phase == "attached" else "witnessed",
            cell=cell,
            identity=identity,
            environment={},
            **{k: v for k, v in marks.items() if k in ("arm", "repetition", "window", "plan")},
        )
        uri = self.enter({"raw": raw}, predicate)
        self.end(cell, phase, admission, receipt=uri, **marks)
        return uri

    def end(self, cell, phase, admission=None, **fields):
        """Append the RUN entry that ends a run."""
        named = {"admission": admission.id} if admission else {}
        title = f"{phase}: {cell}"
        return self.append(kind="RUN", phase=phase, cell=cell, title=title, **named, **fields)

    def enter(self, subjects, predicate):
        """Put a receipt into the store; return its URI."""
        made = receipt.make(self.founded.keys["operator"], subjects, predicate)
        self.place.receipts.put(made.envelope.raw)
        return SCHEME + made.digest

    def window(self, cell="c", name="w", *, binary="one", baseline="one", **marks):
        """Append a window of one pair; return the URI of its receipt."""
        admission = self.admit(cell, window=name, **marks)
        pair = {
            arm: self.run(cell, binary=which, window=name, arm=arm, repetition=0, **marks)
            for arm, which in (("plain", baseline), ("tuned", binary))
        }
        listed = [
            {"arm": arm, "repetition": 0, "receipt": uri.removeprefix(SCHEME)}
            for arm, uri in pair.items()
        ]
        uri = self.enter({"plan": self.place.objects.put(b"plan")}, window_of(cell, name, listed))
        self.end(cell, "finished", admission, window=name, receipt=uri, **marks)
        return uri

    def conclude(self, *uris, outcome="pass", **fields):
        """Append an entry with a verdict that cites these receipts."""
        cited = {"evidence": [{"receipt": uri} for uri in uris]} if uris else {}
        return self.append(verdict={"outcome": outcome}, **cited, **fields)

    def moved(self, *uris):
        """Return the fields of a delta over these runs."""
        side = {"arm": "plain", "value": "10.0"}
        delta = {"metric": "tps", "unit": "tok/s", "baseline": side, "candidate": side}
        delta |= {"change": "0.0", "statistic": "median", "n": 1, "polarity": "higher"}
        return {"delta": [{**delta, "convention": "ratio of medians", "runs": list(uris)}]}

    def contract(self, threshold="30", **fields):
        """Append a contract with one numeric gate."""
        gate = {"name": "speed", "metric": "tps", "comparison": ">=", "threshold": threshold}
        return self.append(kind="CONTRACT", **{"gates": [gate], **fields})

    def raw_of(self, uri):
        """Return the path of the raw file that a receipt names."""
        raw = self.place.receipts.get(Digest.parse(uri.removeprefix(SCHEME)))
        return self.place.objects.path(Digest.parse(receipt.parse(raw).require("raw")))

    def told(self, *words, code=0):
        """Run a verb with --json and return what it says."""
        result = self.founded.invoke(*words, "--json")
        assert result.exit_code == code, result.output
        return json.loads(result.stdout)

    def observed(self):
        """Return (index, code) of everything that `ledger audit` observes."""
        result = self.founded.invoke("audit", "--json")
        value = json.loads(result.stdout)
        assert result.exit_code == (1 if value["observations"] else 0)
        return [(one["index"], one["code"]) for one in value["observations"]]


def window_of(cell, name, listed):
    """Return the predicate of a window with these repetitions."""
    return WindowPredicate.parse(
        {
            "origin": "witnessed",
            "cell": cell,
            "window": name,
            "plan": digest_of("plan"),
            "baseline": "plain",
            "candidate": "tuned",
            "repetitions": listed,
            "exactness": {"result": "exact", "compared": "tokens"},
            "environment": {},
            "lease": {},
            "started_at": "2026-11-29T10:00:00.000Z",
            "finished_at": "2026-11-29T10:01:00.000Z",
        },
        "window",
    )


@pytest.fixture
def story(founded):
    """A founded ledger with ways to tell a history of runs and entries; see `Story`."""
    return Story(founded)


@pytest.fixture
def campaigns():
    """The folder of genuine campaigns; the test is skipped where the corpus is absent."""
    default = Path(__file__).resolve().parents[3] / "shared" / "corpus"
    folder = Path(os.environ.get("EVIDENCE_CORPUS", default)) / "campaigns"
    if not folder.is_dir():
        pytest.skip(f"not run: the genuine campaigns are absent ({folder})")
    return folder
