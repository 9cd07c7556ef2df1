"""Readers of raw result files: bytes in, runs with exact samples out; one module a tool."""
