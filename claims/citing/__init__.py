"""What citations resolve to: files, entries, receipts and claims."""
