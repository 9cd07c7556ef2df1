"""A claim against its evidence, down to raw rows."""
