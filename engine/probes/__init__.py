"""Programs that probe what carries the evidence: a link between two hosts, and a disk's syncs."""
