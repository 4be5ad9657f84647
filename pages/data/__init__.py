"""Data: the start, and once tables are loaded their columns, roles and hierarchies."""
