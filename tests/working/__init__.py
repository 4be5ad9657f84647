"""Derivations of figures, step by step."""
