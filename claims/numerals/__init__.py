"""Numbers as this field writes them: digits, words, units; text in, values out."""
