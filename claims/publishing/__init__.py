"""What is in public: approvals, publications, corrections, lock, findings, release."""
