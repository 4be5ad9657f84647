"""Grouped counts: combinations of values, equivalence classes, histograms."""
