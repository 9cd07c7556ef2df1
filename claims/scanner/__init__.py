"""Every number of a page, and what it is when it is no claim."""
