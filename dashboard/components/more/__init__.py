"""Sections of the page Learn."""
