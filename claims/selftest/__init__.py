"""Proof that the rules can fail: attacks that must be caught, twins that must pass, and mutants."""
