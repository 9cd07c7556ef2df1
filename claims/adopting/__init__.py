"""An existing repository brought under a register: tables of claims, drafts, suggestions."""
