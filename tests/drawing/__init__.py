"""Figures: exact numbers, text that stays text, few marks."""
