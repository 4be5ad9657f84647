"""Ambiguity: how many combinations of original values each anonymized record is consistent with."""
