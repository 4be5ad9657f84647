"""Discernibility: from how many records each record cannot be distinguished."""
