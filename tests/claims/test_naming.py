"""Which metric and which cell a sentence names."""

from claims.registers import naming

NAMES = naming.names({"ttft_ms": ["first word"], "decode_tok_s": []}, ["decode-v8", "deep"])


def test_common_words_of_common_metrics_are_known_without_a_vocabulary():
    assert "decode_tok_s" in NAMES.metrics_in("Decoding is fast.")
    assert "prefill_tok_s" not in NAMES.metrics_in("Decoding is fast.")
    assert "prefill_ms" in NAMES.metrics_in("while prompt  processing")


def test_the_vocabulary_adds_words_of_its_own():
    assert NAMES.metrics_in("The First word comes early.") == {"ttft_ms"}


def test_a_word_is_a_whole_word():
    assert NAMES.metrics_in("decoderly") == frozenset()
    assert NAMES.cells_in("deeper") == frozenset()
    assert NAMES.cells_in("at decode-v8, deep") == {"decode-v8", "deep"}


def test_without_names_nothing_is_named():
    assert naming.Names().metrics_in("decode") == frozenset()
