"""Sections of the page Data: files, columns and their roles, matching."""
