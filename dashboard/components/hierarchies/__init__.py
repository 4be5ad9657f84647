"""Generalization hierarchies: made, loaded, corrected."""
