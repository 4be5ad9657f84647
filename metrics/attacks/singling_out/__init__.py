"""Singling out: how often a predicate that matches one released record matches exactly one original record."""
