"""A page against the register: every number accounted for, and what is bound judged."""
