"""Widgets used on more than one page."""
