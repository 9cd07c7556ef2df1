"""The words of claims without digits: lexicon, subjects, and the moods that claim nothing."""
