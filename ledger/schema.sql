-- The ledger's tables. Triggers guard against accidents; published checkpoints and signatures
-- guard against attackers. An audit compares this text with what the database holds.

CREATE TABLE entry (
  idx INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  leaf_hash BLOB NOT NULL,
  envelope BLOB NOT NULL
) STRICT;

CREATE TABLE tree (
  level INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (level, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint (
  size INTEGER PRIMARY KEY,
  note TEXT NOT NULL
) STRICT;

CREATE TABLE cosignature (
  size INTEGER NOT NULL,
  name TEXT NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (size, name)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: an entry is never changed');
END;

CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: an entry is never deleted');
END;

CREATE TRIGGER entry_in_order BEFORE INSERT ON entry
WHEN NEW.idx <> (SELECT COALESCE(MAX(idx) + 1, 0) FROM entry)
  OR EXISTS (SELECT 1 FROM entry WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: an entry takes the next index and a new id');
END;

CREATE TRIGGER tree_no_update BEFORE UPDATE ON tree BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a tree hash is never changed');
END;

CREATE TRIGGER tree_no_delete BEFORE DELETE ON tree BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a tree hash is never deleted');
END;

CREATE TRIGGER tree_in_order BEFORE INSERT ON tree
WHEN NEW.level < 1 OR NEW.idx < 0
  OR NEW.idx >= (SELECT COALESCE(MAX(idx) + 1, 0) FROM entry) >> NEW.level
  OR EXISTS (SELECT 1 FROM tree WHERE level = NEW.level AND idx = NEW.idx) BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a tree hash is written once, when complete');
END;

CREATE TRIGGER checkpoint_no_update BEFORE UPDATE ON checkpoint BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a checkpoint is never changed');
END;

CREATE TRIGGER checkpoint_no_delete BEFORE DELETE ON checkpoint BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a checkpoint is never deleted');
END;

CREATE TRIGGER checkpoint_in_order BEFORE INSERT ON checkpoint
WHEN NEW.size <= (SELECT COALESCE(MAX(size), 0) FROM checkpoint)
  OR NEW.size > (SELECT COALESCE(MAX(idx) + 1, 0) FROM entry) BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a checkpoint covers more than the one before');
END;

CREATE TRIGGER cosignature_no_update BEFORE UPDATE ON cosignature BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a cosignature is never changed');
END;

CREATE TRIGGER cosignature_no_delete BEFORE DELETE ON cosignature BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a cosignature is never deleted');
END;

CREATE TRIGGER cosignature_in_order BEFORE INSERT ON cosignature
WHEN NOT EXISTS (SELECT 1 FROM checkpoint WHERE size = NEW.size)
  OR EXISTS (SELECT 1 FROM cosignature WHERE size = NEW.size AND name = NEW.name) BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a cosignature is of a checkpoint, once a name');
END;
