"""Who knows about accelerators: one module a vendor, one interface (`model`)."""
