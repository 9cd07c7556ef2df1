"""Two raw files side by side: the profile check, the environment check, and what moved."""
