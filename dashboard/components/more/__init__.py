"""Sections of the pages Learn and Scale."""
