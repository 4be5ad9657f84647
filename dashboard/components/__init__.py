"""Widgets and sections that several pages share."""
