"""Generalization hierarchies: their files, how they are built, and what a label covers."""
