"""A ledger under everything that people and accidents do to it, drawn at random.

Entries are appended and corrected, with and without the log key at hand, and proved; the ledger is
closed and opened again, the cache is lost, the file is put back to an older copy, an operator lets
it go on after the loss. The invariants: the audit against the remembered head is clean, or it names
the rollback or the rewriting; while it is so, nothing can be appended; and every head that somebody
kept on the way is extended exactly if the entries are still those.
"""

import shutil
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger import audit, checkpoint, log, merkle, proving, store
from ledger.audit import Anchor
from ledger.heads import Head, Heads
from ledger.log import Ledger, cache_path
from ledger.note import Verifier
from receipts.clock import system_clock
from receipts.errors import NotFoundError, VerificationError
from receipts.keys import from_private

OPERATOR, ENGINEER, LOG = (
    from_private(Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)) for seed in (1, 2, 3)
)
POLICY = proving.log_only("o", Verifier("o", LOG.public))
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
        self.kept = []
        self.reopen()
        self.model = [(self.ledger.entry(0).raw, ())]
        self.known = list(self.model)
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
        self.known = list(self.model)
        return entry

    @property
    def rolled_back(self):
        """Say whether the file is no longer a continuation of what was seen last."""
        return self.model[: len(self.known)] != self.known

    @property
    def reason(self):
        shorter = len(self.model) < len(self.known)
        return "truncated or rolled back" if shorter else "history was rewritten"

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

    @precondition(lambda self: not self.rolled_back)
    @rule()
    def add_without_the_log_key(self):
        self.ledger.log_signer = None
        self.append({"kind": "ENTRY", "title": "pending"}, ENGINEER)
        self.ledger.log_signer = LOG

    @rule()
    def keep_a_head(self):
        with closing(store.open_for_reading(self.path)) as opened:
            root = merkle.root(len(self.model), opened.node)
        self.kept.append((Head(len(self.model), root), list(self.model)))

    @rule(data=st.data())
    def prove(self, data):
        index = data.draw(st.integers(0, len(self.model) - 1))
        signed = self.ledger.checkpoint()
        covered = checkpoint.open_checkpoint(signed, POLICY.logs[0]).size
        if index >= covered:
            with pytest.raises(NotFoundError, match="is pending"):
                self.ledger.prove(index)
            return
        proof = self.ledger.prove(index)
        proven = proving.check(proof, None, POLICY)
        assert (proven.index, proven.size) == (index, covered)
        other = self.model[index - 1][0]
        if index:
            with pytest.raises(VerificationError):
                proving.check(proof, other, POLICY)

    @precondition(lambda self: self.rolled_back)
    @rule()
    def go_on_after_the_loss(self):
        fields = {"title": "r", "checkpoint": "of long ago", "lost": ["something"]}
        entry = self.ledger.continue_after_loss(fields, OPERATOR)
        self.model.append((entry.raw, ()))
        self.known = list(self.model)

    @invariant()
    def a_kept_head_is_extended_exactly_if_the_entries_are_those(self):
        anchors = tuple(Anchor(f"kept {n}", head) for n, (head, _) in enumerate(self.kept))
        report = audit.audit(self.path, audit.Request(anchors))
        expected = [
            f"kept {number} at {head.size}"
            for number, (head, model) in enumerate(self.kept)
            if self.model[: head.size] == model
        ]
        assert report.anchored_to == expected
        assert len(report.findings) == len(anchors) - len(expected)

    @precondition(lambda self: self.rolled_back)
    @rule()
    def nothing_is_appended_to_an_older_copy(self):
        before = self.path.read_bytes()
        with pytest.raises(VerificationError, match=self.reason):
            self.ledger.append({"kind": "ENTRY", "title": "x"}, OPERATOR)
        assert self.path.read_bytes() == before

    @invariant()
    def the_audit_is_clean_or_names_the_rollback(self):
        head = self.heads.recall(LOG.public)
        report = audit.audit(self.path, audit.Request((Anchor("the head", head),)))
        assert report.entries == len(self.model)
        if self.rolled_back:
            assert [finding.code for finding in report.findings] == ["anchor"]
            assert self.reason in report.findings[0].message
        else:
            assert (report.findings, report.code) == ([], 0)
            assert head.size == len(self.known)

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


Machine.TestCase.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
TestMachine = Machine.TestCase
