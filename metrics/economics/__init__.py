"""Metrics of economics: whether publishing and attacking are profitable."""
