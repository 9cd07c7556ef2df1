"""Measurements: runs under a lease, windows, raw rows, and the arithmetic over them."""
