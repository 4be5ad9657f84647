"""Columns that identify people by their values: e-mail addresses, national numbers, full dates, free text and more."""
