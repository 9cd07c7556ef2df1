"""The register: what may be said, in which words, and what nobody may say."""
