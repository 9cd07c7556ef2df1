"""The apparatus: who may run, who else is there, and what the machine did meanwhile."""
