"""Sections of the pages that make a better candidate: Explore and Repair."""
