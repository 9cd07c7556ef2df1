"""A Markdown page as its reader sees it, with the way back to the source."""
