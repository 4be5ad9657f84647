"""Metrics of privacy: what an anonymized table still discloses."""
