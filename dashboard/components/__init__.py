"""Widgets and sections that the pages are made of."""
