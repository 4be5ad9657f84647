"""Precision, which ARX calls generalization intensity: how far up their hierarchies the values stand."""
