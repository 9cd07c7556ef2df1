"""Order: rows of exact bytes, who may sign what, and what later rows do to earlier ones."""
