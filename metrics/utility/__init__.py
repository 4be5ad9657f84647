"""Metrics of utility: what an anonymized table has lost."""
