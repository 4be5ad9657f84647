"""Sections about attacks: on one candidate, and on all side by side."""
