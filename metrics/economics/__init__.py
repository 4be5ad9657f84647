"""Metrics of economics: whether publishing pays, and whether attacking does."""
