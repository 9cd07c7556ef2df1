"""`claims audit`: what is recounted, what was left out, and the result signed."""
