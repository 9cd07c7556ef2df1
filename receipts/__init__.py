"""Bytes, digests, keys, signatures, and one signed statement about one run.

Nothing here knows about order (that is the ledger's) or about judgement (that is the claims').
"""
