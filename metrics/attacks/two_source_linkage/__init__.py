"""Linkage of two sources: how often two parts of the known values of a person lead to the same released record."""
