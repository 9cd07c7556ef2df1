"""Claims without digits: classes of words, a grammar over them, and moods that claim nothing."""
