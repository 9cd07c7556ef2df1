"""Sentences: a register of claims, the evidence under each, and the verdict on both."""
