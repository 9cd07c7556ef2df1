"""A ledger under everything that people and accidents do to it, drawn at random.

Entries are appended and corrected, the ledger is closed and opened again, the cache is lost, the
file is put back to an older copy. The invariant: the audit against the remembered head is clean, or
it names the rollback; and while it is rolled back, nothing can be appended.
"""

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger import audit, log
from ledger.audit import Anchor
from ledger.heads import Heads
from ledger.log import Ledger, cache_path
from receipts.clock import system_clock
from receipts.errors import VerificationError
from receipts.keys import from_private

OPERATOR, ENGINEER, LOG = (
    from_private(Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)) for seed in (1, 2, 3)
)
KINDS = ("CORRECTION", "AMENDMENT", "SUPERSEDED", "RETRACTION")


class Machine(RuleBasedStateMachine):
    @initialize()
    def found(self):
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.path, self.heads = folder / "ledger.db", Heads(folder / "heads")
        genesis = {"title": "genesis", "origin": "o"}
        log.create(self.path, genesis, OPERATOR, LOG, system_clock)
        self.ledger = None
        self.copies = []
        self.model = [(None, ())]
        self.reopen()
        enrol = {"kind": "KEY", "action": "enrol", "title": "key"}
        for key, role in ((OPERATOR, ["operator", "engineer"]), (ENGINEER, ["engineer"])):
            self.append({**enrol, "key": key.public.openssh, "roles": role}, OPERATOR)

    def teardown(self):
        if hasattr(self, "stack"):
            self.ledger.close()
            self.stack.close()

    def append(self, fields, key, struck=()):
        entry = self.ledger.append(fields, key)
        assert entry.index == len(self.model)
        self.model.append((entry.raw, struck))
        return entry

    @property
    def rolled_back(self):
        return len(self.model) < self.heads.recall(LOG.public).size

    @rule()
    def reopen(self):
        if self.ledger:
            self.ledger.close()
        self.ledger = Ledger.open(self.path, self.heads, system_clock, write=True)
        self.ledger.log_signer = LOG

    @rule()
    def lose_the_cache(self):
        self.ledger.close()
        cache_path(self.path).unlink(missing_ok=True)
        self.reopen()

    @rule()
    def copy(self):
        self.ledger.close()
        kept = self.path.with_name(f"copy-{len(self.copies)}")
        shutil.copyfile(self.path, kept)
        self.copies.append((kept, list(self.model)))
        self.reopen()

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def put_an_older_copy_back(self, data):
        kept, model = data.draw(st.sampled_from(self.copies))
        self.ledger.close()
        shutil.copyfile(kept, self.path)
        self.model = list(model)
        self.reopen()

    @precondition(lambda self: not self.rolled_back)
    @rule(by=st.sampled_from([OPERATOR, ENGINEER]), title=st.text('abc é\u2028"\\', min_size=1))
    def add(self, by, title):
        self.append({"kind": "ENTRY", "title": title}, by)

    @precondition(lambda self: not self.rolled_back and len(self.model) > 3)
    @rule(data=st.data(), kind=st.sampled_from(KINDS))
    def correct(self, data, kind):
        targets = data.draw(st.sets(st.integers(3, len(self.model) - 1), min_size=1, max_size=3))
        ids = [self.ledger.entry(target).id for target in sorted(targets)]
        fields = {"kind": kind, "title": "c", "reason": "r", "targets": ids}
        self.append(fields, OPERATOR, (kind, frozenset(targets)))

    @precondition(lambda self: self.rolled_back)
    @rule()
    def nothing_is_appended_to_an_older_copy(self):
        before = self.path.read_bytes()
        with pytest.raises(VerificationError, match="truncated or rolled back"):
            self.ledger.append({"kind": "ENTRY", "title": "x"}, OPERATOR)
        assert self.path.read_bytes() == before

    @invariant()
    def the_audit_is_clean_or_names_the_rollback(self):
        head = self.heads.recall(LOG.public)
        report = audit.audit(self.path, audit.Request((Anchor("the head", head),)))
        assert report.entries == len(self.model)
        if self.rolled_back:
            assert [finding.code for finding in report.findings] == ["anchor"]
            assert "truncated or rolled back" in report.findings[0].message
        else:
            assert (report.findings, report.code) == ([], 0)
            assert head.size == len(self.model)

    @invariant()
    def what_was_appended_reads_back_with_its_status(self):
        status = self.ledger.status()
        lifted = set()
        for index in range(len(self.model) - 1, 2, -1):
            kind, targets = self.model[index][1] or ("", ())
            if kind == "RETRACTION" and index not in lifted:
                lifted |= targets
        for index in range(3, len(self.model)):
            entry = self.ledger.entry(index)
            assert entry.raw == self.model[index][0]
            assert (status.word(entry.id) == "retracted") is (index in lifted)


Machine.TestCase.settings = settings(max_examples=12, stateful_step_count=14, deadline=None)
TestMachine = Machine.TestCase
