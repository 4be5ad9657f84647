"""Minimal sample uniques: the fewest columns that already single a record out, and the SUDA scores they add up to."""
