"""Secrets in raw files and sentences: found, told by kind and place, taken out."""
