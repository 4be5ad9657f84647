"""Analyses on the original and on a release: estimates, their intervals, and which of them survive."""
